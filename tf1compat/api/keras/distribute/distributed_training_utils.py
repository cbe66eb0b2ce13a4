"""A model in a distribution strategy
(`tensorflow.python.keras.distribute.distributed_training_utils`).

In a graph each replica has a copy of the model, which shares its layers, is compiled in the context
of the replica, and makes its own training function; these are joined to one for all replicas. In
eager execution a step divides each batch among the replicas (`training_eager.ReplicatedStep`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.keras import backend, metrics, optimizers
from tf1compat.api.keras.engine import standardize, training_utils
from tf1compat.core import context, nest, tensor_util

TRAIN, PREDICT = "train", "predict"


# What a model is compiled for.


def check_compile_arguments(
    model: Any, run_eagerly: Any, sample_weight_mode: Any, target_tensors: Any,
    weighted_metrics: Any,
) -> None:  # fmt: skip
    """Refuses arguments of `Model.compile` that have no meaning in a strategy.

    Raises:
      NotImplementedError, ValueError: as TF 1.15 does.
    """
    if not model._distribution_strategy or model._experimental_run_tf_function:
        return
    if sample_weight_mode:
        raise NotImplementedError(
            "sample_weight_mode is not supported with tf.distribute.Strategy."
        )
    if weighted_metrics:
        raise NotImplementedError("weighted_metrics is not supported with tf.distribute.Strategy.")
    if target_tensors:
        raise ValueError("target_tensors is not supported with tf.distribute.Strategy.")
    if run_eagerly:
        raise ValueError(
            "We currently do not support enabling `run_eagerly` with distribution strategy."
        )
    has_copies = strategy_in_graph(model) or model._compile_distribution
    if has_copies and not (model.built and model.inputs and model.outputs):
        raise ValueError(
            "We currently do not support distribution strategy with a `Sequential` model that is "
            "created without `input_shape`/`input_dim` set in its first layer or a subclassed "
            "model."
        )


def check_variables(model: Any) -> None:
    """Refuses a model that was made outside the scope of its strategy.

    Raises:
      ValueError: a variable is not the strategy's.
    """
    strategy = model._distribution_strategy
    if not strategy or model._compile_distribution:
        return
    for v in model.variables:
        if not strategy.extended.variable_created_in_scope(v):
            raise ValueError(
                f"Variable ({v}) was not created in the distribution strategy scope of "
                f"({strategy}). It is most likely due to not all layers or the model or optimizer "
                "being created outside the distribution strategy scope. Try to make sure your "
                "code looks similar to the following.\nwith strategy.scope():\n"
                "  model=_create_model()\n  model.compile(...)"
            )


def strategy_in_graph(model: Any) -> Any:
    """The strategy whose replicas have copies of the model; None in eager execution."""
    return None if context.executing_eagerly() else model._distribution_strategy


def eager_scope(model: Any) -> Any:
    """The scope of the strategy of a model in eager execution: what makes its variables with the
    first batch makes them there."""
    strategy = model._distribution_strategy
    if strategy is None or not context.executing_eagerly():
        return contextlib.nullcontext()
    return strategy.scope()


# Batches.


def global_batch_size_supported(distribution_strategy: Any) -> bool:
    """Whether a strategy divides a batch among its replicas, or gives each one of its own."""
    return distribution_strategy.extended._global_batch_size


def process_batch_and_step_size(
    strategy: Any, inputs: Any, batch_size: Any, steps_per_epoch: Any, mode: Any,
    validation_split: float = 0.0,
) -> tuple[Any, Any]:  # fmt: skip
    """The size of batches and their number, each from the other where the data are arrays."""
    first = nest.flatten(inputs)[0]
    if isinstance(first, np.ndarray):
        count = first.shape[0]
        if validation_split and 0.0 < validation_split < 1.0:
            count = int(count * (1 - validation_split))
        steps_per_epoch, batch_size = get_input_params(
            strategy, count, steps_per_epoch, batch_size, mode=mode
        )
    return batch_size, steps_per_epoch


def get_input_params(
    distribution_strategy: Any, num_samples: int, steps: Any, batch_size: Any, mode: Any = None
) -> tuple[int, int]:
    """The number of batches and their size.

    Args:
      distribution_strategy: a strategy whose batches are for all replicas, or for each.
      num_samples: how many samples there are.
      steps, batch_size: as they were given, or None.
      mode: when training, or in eager execution, the last batch may be smaller.

    Raises:
      ValueError: the samples can't be divided so.
    """
    replicas = distribution_strategy.num_replicas_in_sync
    each = 1 if distribution_strategy.extended._global_batch_size else replicas
    may_be_smaller = context.executing_eagerly() or mode == TRAIN
    if steps is None:
        size = min(num_samples, 32) if batch_size is None else batch_size * each
        if num_samples % size and not may_be_smaller:
            raise ValueError(
                f"The number of samples {num_samples} is not divisible by batch size {size}."
            )
        steps = -(-num_samples // size)
    elif batch_size is None:
        if num_samples % steps:
            raise ValueError(
                f"The number of samples {num_samples} is not divisible by steps {steps}. Please "
                "change the number of steps to a value that can consume all the samples"
            )
        size = num_samples // steps
    else:
        size = batch_size * each
        needed = size * steps
        if may_be_smaller:
            needed = size * (steps - 1) + 1 if steps > 1 else 0
        if num_samples < needed:
            raise ValueError(
                f"Number of samples {num_samples} is less than samples required for specified "
                f"batch_size {size} and steps {steps}"
            )
    if size % each:
        raise ValueError(
            f"The batch size ({size}) could not be sharded evenly across the sync replicas "
            f"({replicas}) in the distribution strategy."
        )
    return steps, size // each


def dataset_of(
    model: Any, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
    batch_size: Any = None, validation_split: Any = 0, shuffle: Any = False, epochs: int = 1,
) -> Any:  # fmt: skip
    """Data as a dataset of batches: arrays are kept in variables.

    Args:
      model: the model.
      x, y, sample_weight: arrays in lists or dicts, or a dataset in `x`.
      class_weight: not supported.
      batch_size: the size of batches.
      validation_split: for checks.
      shuffle: whether to draw the order of samples.
      epochs: how often arrays are gone through.

    Raises:
      NotImplementedError: there is a `class_weight`.
    """
    if class_weight:
        raise NotImplementedError(
            "`class_weight` is currently not supported when using tf.distribute.Strategy."
        )
    strategy = model._distribution_strategy
    with strategy.scope():
        session = None if context.executing_eagerly() else backend.get_session()
        if not isinstance(nest.flatten(x)[0], np.ndarray):
            assert training_utils.is_dataset(x), f"no arrays, and no dataset: {type(x)}"
            training_utils.validate_dataset_input(x, y, sample_weight, validation_split)
            return x
        parts = [_as_tuple(x)]
        if y is not None:
            parts.append(_as_tuple(y))
            if sample_weight is not None:
                parts.append(_as_tuple(sample_weight))
        arrays = tuple(parts) if len(parts) > 1 else parts[0]
        dataset = strategy.extended.experimental_make_numpy_dataset(arrays, session=session)
        if shuffle:
            dataset = dataset.shuffle(max(1024, batch_size * 8))
        if epochs > 1:
            dataset = dataset.repeat(epochs)
        return dataset.batch(batch_size, drop_remainder=False)


def _as_tuple(data: Any) -> Any:
    return tuple(data) if isinstance(data, list) else data


def get_iterator(dataset: Any, distribution_strategy: Any) -> Any:
    """An iterator of a dataset for all replicas, at its start; a plain one without a strategy."""
    if distribution_strategy is None:
        return training_utils.get_iterator(dataset)
    with distribution_strategy.scope():
        iterator = distribution_strategy.make_dataset_iterator(dataset)
        training_utils.initialize_iterator(iterator)
    return iterator


def feed_values(model: Any, iterator: Any, mode: str) -> tuple[Any, Any, Any]:
    """What the joint function of all replicas takes: inputs, targets and weights of samples.

    Each is a list of the tensors of all replicas, those of one input beside each other.
    """
    strategy = model._distribution_strategy
    x, y, weights = training_utils.parts_by_count(model, iterator.get_next())
    for part in (x, y, weights):
        if part is not None:
            validate_per_replica_inputs(strategy, part)
    if isinstance(x, dict):
        x = [x[key] for key in model._feed_input_names]

    def columns(values: Any) -> Any:
        return [
            standardize.standardize_single_array(v)
            for v in flatten_per_replica_values(strategy, values)
        ]

    x, y = columns(x), columns(y)
    if mode == PREDICT:
        return x, [], []
    return x, y, None if weights is None else flatten_per_replica_values(strategy, weights)


def flatten_per_replica_values(distribution_strategy: Any, per_replica_values: Any) -> list[Any]:
    """The values of all replicas of each part of a structure, in a list."""
    return [
        value
        for part in nest.flatten(per_replica_values)
        for value in distribution_strategy.unwrap(part)
    ]


def validate_per_replica_inputs(distribution_strategy: Any, x: Any) -> list[Any]:
    """The first replica's tensors of a structure.

    Raises:
      ValueError: they are no tensors, or those of other replicas have other shapes or dtypes.
    """
    first = []
    for part in nest.flatten(x, expand_composites=True):
        if not (tensor_util.is_tensor(part) or hasattr(part, "devices")):
            raise ValueError(
                "Dataset input to the model should be tensors instead they are of type "
                f"{type(part)}"
            )
        tensors = distribution_strategy.unwrap(part)
        if not context.executing_eagerly():
            validate_all_tensor_shapes(part, tensors)
        validate_all_tensor_types(part, tensors)
        first.append(tensors[0])
    return first


def validate_all_tensor_types(x: Any, x_values: Any) -> None:
    """Refuses tensors of several dtypes; `x` is named."""
    if any(v.dtype != x_values[0].dtype for v in x_values):
        raise ValueError(f"Input tensor dtypes do not match for distributed tensor inputs {x}")


def validate_all_tensor_shapes(x: Any, x_values: Any) -> None:
    """Refuses tensors of several static shapes; `x` is named."""
    if any(v.shape.as_list() != x_values[0].shape.as_list() for v in x_values):
        raise ValueError(f"Input tensor shapes do not match for distributed tensor inputs {x}")


# The replicas of a model.


@contextlib.contextmanager
def scope(model: Any, mode: str) -> Iterator[None]:
    """The scope of a strategy whose replicas have copies of the model, if there is one, with the
    learning phase of `mode`."""
    strategy = strategy_in_graph(model)
    if strategy is None:
        yield
        return
    with strategy.scope(), backend.learning_phase_scope(int(mode == TRAIN)):
        yield


def _replicated(model: Any, mode: str) -> Any:
    """The copies of the model for all replicas, made when they are first asked for."""
    found = model._distributed_models.get(mode)
    if found is None:
        # A model that was made outside the strategy has copies with weights of their own.
        build = _cloned if model._compile_distribution else _sharing_layers
        with backend.get_graph().as_default(), model._distribution_strategy.scope():
            found = model._distribution_strategy.extended.call_for_each_replica(
                build, args=(model,)
            )
        model._distributed_models[mode] = found
        if model._compile_distribution and mode == TRAIN:
            # Callbacks look at the weights that are trained.
            model._set_private("callback_model", _first(model, found))
    return found


def _first(model: Any, replicated: Any) -> Any:
    return model._distribution_strategy.unwrap(replicated)[0]


def _sharing_layers(model: Any) -> Any:
    # The module of the class that is copied imports this one.
    from tf1compat.api.keras import models

    copy = models.clone_model(model, clone_function=models.share_weights)
    if hasattr(copy, "_callable_losses"):
        copy._set_private("_callable_losses", model._callable_losses)
    _compile_as(copy, model, model.optimizer)
    return copy


def _cloned(model: Any) -> Any:
    from tf1compat.api.keras import models  # As above.

    copy = models.clone_model(model)
    optimizer = model.optimizer
    if not isinstance(optimizer, optimizers.TFOptimizer):
        optimizer = type(optimizer).from_config(optimizer.get_config())
    elif context.executing_eagerly():
        optimizer = optimizers.TFOptimizer(optimizer.optimizer)  # It counts in the strategy.
    _compile_as(copy, model, optimizer)
    return copy


def _compile_as(copy: Any, model: Any, optimizer: Any) -> None:
    copy.compile(
        optimizer,
        model.loss,
        metrics=metrics.clone_metrics(model._compile_metrics),
        loss_weights=model.loss_weights,
        sample_weight_mode=model.sample_weight_mode,
        weighted_metrics=metrics.clone_metrics(model._compile_weighted_metrics),
    )


def update_sample_weight_modes(model: Any, mode: str, sample_weights: Any) -> None:
    """Tells the copies of a model whether samples have weights.

    Args:
      model: the model.
      mode: what it is to do.
      sample_weights: what follows inputs and targets in the `feed_values`, if there is anything.
    """
    if not strategy_in_graph(model):
        return
    replicated = _replicated(model, mode)
    copies = flatten_per_replica_values(model._distribution_strategy, replicated)
    if any(e.sample_weights_mismatch() for e in model._training_endpoints):
        copies[0]._distributed_function = None  # It is made anew.
    weights = sample_weights[0] if sample_weights else None
    if weights and None not in weights:
        for copy, weight in zip(copies, weights, strict=False):
            copy._update_sample_weight_modes(sample_weights=[weight])


def make_execution_function(model: Any, mode: str) -> Any:
    """The function of one step; with copies of the model, that of all replicas."""
    strategy = strategy_in_graph(model)
    if strategy is None:
        return model._make_execution_function(mode)
    replicated = _replicated(model, mode)
    first = _first(model, replicated)
    if getattr(first, "_distributed_function", None) is None:
        first._set_private("_distributed_function", _joint_function(strategy, replicated, mode))
    joint = first._distributed_function
    if mode != PREDICT:
        return joint
    replicas = strategy.num_replicas_in_sync

    def predict(ins: Any) -> list[Any]:
        outs = joint(ins)
        return [np.concatenate(outs[i : i + replicas]) for i in range(0, len(outs), replicas)]

    return predict


def _joint_function(strategy: Any, replicated: Any, mode: str) -> Any:
    """A Keras function that does a step of all replicas; the loss is the sum of theirs."""

    def of_replica(copy: Any) -> Any:
        function = copy._make_execution_function(mode)
        return function.inputs, function.outputs, function.updates_op

    with strategy.scope():
        inputs, outputs, updates = strategy.extended.call_for_each_replica(
            of_replica, args=(replicated,)
        )
        backend.initialize_variables(backend.plain_session())
        first = []
        if mode != PREDICT:
            first, outputs = [strategy.reduce("SUM", outputs[0], axis=None)], outputs[1:]
        return backend.function(
            flatten_per_replica_values(strategy, inputs),
            first + flatten_per_replica_values(strategy, outputs),
            updates=flatten_per_replica_values(strategy, updates),
            name=f"distributed_{mode}_function",
        )


def reset_metrics(model: Any) -> None:
    """Sets the metrics of a model's copies to 0."""
    for replicated in model._distributed_models.values():
        _first(model, replicated).reset_metrics()


def trained_in_its_place(model: Any) -> Any:
    """What runs for a model in eager execution: itself, or, if it was made outside of its strategy,
    a copy in there, with its weights."""
    if not (model._compile_distribution and context.executing_eagerly()):
        return model
    copy = model._distributed_models.get("eager")
    if copy is None:
        with model._distribution_strategy.scope():
            copy = model._distributed_models["eager"] = _cloned(model)
        copy._set_private("_experimental_run_tf_function", False)
    copy.set_weights(model.get_weights())
    return copy


def copy_weights_to_replicas(model: Any, mode: str) -> None:
    """Gives copies that have weights of their own those of the model."""
    if model._compile_distribution and strategy_in_graph(model):
        _first(model, _replicated(model, mode)).set_weights(model.get_weights())


def copy_weights_back(model: Any) -> None:
    """Gives the model the weights of copies that have been trained, if they are others."""
    if model._compile_distribution and strategy_in_graph(model):
        model.set_weights(_first(model, _replicated(model, TRAIN)).get_weights())
