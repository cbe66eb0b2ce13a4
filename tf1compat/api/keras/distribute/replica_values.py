"""Values of the replicas of models (parts of
`tensorflow.python.keras.distribute.distributed_training_utils`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.data.util import nest as data_nest
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.keras import backend
from tf1compat.api.keras.distribute.distributed_training_utils import (
    flatten_per_replica_values,
    validate_per_replica_inputs,
)
from tf1compat.api.ragged import ragged_concat_ops
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.api.sparse import sparse_concat_ops
from tf1compat.core import context, ops
from tf1compat.core.sparse_tensor import SparseTensor


def validate_distributed_dataset_inputs(
    distribution_strategy: Any, x: Any, y: Any, sample_weights: Any = None
) -> tuple[Any, Any, Any]:
    """The first replica's tensors of what a model is given.

    Args:
      distribution_strategy: the strategy.
      x, y, sample_weights: structures of values of its replicas; the last two may be None.

    Returns:
      Lists for the three, None for None.

    Raises:
      ValueError: they are no tensors, or those of other replicas have other shapes or dtypes.
    """
    first, second, third = (
        None if part is None else validate_per_replica_inputs(distribution_strategy, part)
        for part in (x, y, sample_weights)
    )
    return first, second, third


def unwrap_outputs(
    distribution_strategy: Any, grouped_outputs: Any, with_loss_tensor: bool = False
) -> list[Any]:
    """The values of all replicas, in a list.

    Args:
      distribution_strategy: the strategy.
      grouped_outputs: a structure of values of its replicas.
      with_loss_tensor: whether the first one is a loss, which is summed over the replicas.
    """
    if not with_loss_tensor:
        return flatten_per_replica_values(distribution_strategy, grouped_outputs)
    loss, *rest = grouped_outputs if isinstance(grouped_outputs, list) else [grouped_outputs]
    total = distribution_strategy.reduce(ReduceOp.SUM, loss, axis=None)
    return [total, *flatten_per_replica_values(distribution_strategy, rest)]


def unwrap_values(
    distribution_strategy: Any,
    grouped_inputs: Any,
    grouped_outputs: Any,
    grouped_updates: Any = None,
    grouped_session_args: dict[str, Any] | None = None,
    with_loss_tensor: bool = False,
) -> tuple[Any, Any, Any, dict[str, Any]]:
    """The values of all replicas of what makes a function.

    Args:
      distribution_strategy: the strategy.
      grouped_inputs, grouped_outputs, grouped_updates: structures of values of its replicas.
      grouped_session_args: such structures as "feed_dict" and "fetches".
      with_loss_tensor: see `unwrap_outputs`.

    Returns:
      Lists of the inputs, outputs and updates, and a dict of the others.
    """

    def flat(values: Any) -> list[Any]:
        return flatten_per_replica_values(distribution_strategy, values)

    given = grouped_session_args or {}
    return (
        flat(grouped_inputs),
        unwrap_outputs(distribution_strategy, grouped_outputs, with_loss_tensor),
        flat(grouped_updates) if grouped_updates else None,
        {key: flat(given[key]) for key in ("feed_dict", "fetches") if given.get(key)},
    )


def unwrap_output_dict(strategy: Any, grouped_outputs: Any, mode: str) -> Any:
    """What the replicas of a model gave for a batch.

    Args:
      strategy: the strategy.
      grouped_outputs: what `training_v2_utils` gives, of replicas.
      mode: "predict", or another one, in which it is a dict.

    Returns:
      The outputs of all replicas, or a dict: the loss and the size of the batch are sums.
    """
    if mode == "predict":
        return flatten_per_replica_values(strategy, grouped_outputs)

    def total(value: Any) -> Any:
        return strategy.reduce(ReduceOp.SUM, value, axis=None)

    lists = {
        key: flatten_per_replica_values(strategy, grouped_outputs[key])
        for key in ("output_losses", "metrics")
    }
    loss, size = total(grouped_outputs["total_loss"][0]), total(grouped_outputs["batch_size"])
    return {"total_loss": [loss], **lists, "batch_size": size}


def is_dataset_shape_fully_defined(dataset: Any) -> bool:
    """Whether all sizes of a dataset's elements are known, as of batches of one size."""
    shapes = data_nest.flatten(dataset_ops.get_legacy_output_shapes(dataset))
    return all(shape.is_fully_defined() for shape in shapes)


def get_batch_dimension(iterator: Any) -> Any:
    """The size of a dataset's or iterator's batches; None if there is none."""
    dims = data_nest.flatten(dataset_ops.get_legacy_output_shapes(iterator))[0].dims
    return dims[0] if dims else None


def initialize_iterator(iterator: Any, distribution_strategy: Any) -> None:
    """Initializes an iterator of a strategy's replicas."""
    with distribution_strategy.scope():
        begin = control_flow_ops.group(iterator.initialize())
        if not context.executing_eagerly():
            backend.get_session().run(begin)


def set_weights(distribution_strategy: Any, dist_model: Any, weights: Any) -> None:
    """Sets the weights of a model of a strategy.

    Args:
      distribution_strategy: the strategy.
      dist_model: the model.
      weights: arrays for the weights of its layers, one layer after the other.
    """
    rest = iter(weights)
    pairs = [(weight, next(rest)) for layer in dist_model.layers for weight in layer.weights]
    made = [weight.assign(value) for weight, value in pairs]
    if not ops.executing_eagerly_outside_functions():
        backend.get_session().run([distribution_strategy.unwrap(one) for one in made])


def call_replica_local_fn(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function, outside the replicas of a strategy in each of them.

    Args:
      fn: the function.
      *args, **kwargs: its arguments, and `strategy`: by default the one that is entered.
    """
    current = strategies.get_strategy() if strategies.has_strategy() else None
    strategy = kwargs.pop("strategy") if "strategy" in kwargs else current
    if strategy and strategies.in_cross_replica_context():
        with strategy.scope():
            return strategy.extended.call_for_each_replica(fn, args, kwargs)
    return fn(*args, **kwargs)


def concat_along_batch_dimension(outputs: list[Any]) -> Any:
    """What was predicted for parts of a batch, as that for the whole one."""
    if isinstance(outputs[0], SparseTensor):
        return sparse_concat_ops.sparse_concat_v2(axis=0, sp_inputs=outputs)
    if isinstance(outputs[0], RaggedTensor):
        return ragged_concat_ops.concat(outputs, axis=0)
    return np.concatenate(outputs)
