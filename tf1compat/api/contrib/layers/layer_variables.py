"""How contrib's layers make and collect the variables of the `tf.layers` that they use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tf1compat.api.contrib.framework import variables
from tf1compat.api.contrib.layers import utils
from tf1compat.api.variables import variables as tf_variables
from tf1compat.core import ops
from tf1compat.core.typing import DTypeLike, Initializer, Regularizer, ShapeLike

_AUTO = tf_variables.VariableSynchronization.AUTO
_NONE = tf_variables.VariableAggregation.NONE


def model_variable_getter(
    getter: Callable[..., Any], name: str, shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None, initializer: Initializer | None = None,
    regularizer: Regularizer | None = None, trainable: bool = True, collections: Any = None,
    caching_device: Any = None, partitioner: Any = None, rename: Mapping[str, str] | None = None,
    use_resource: Any = None, synchronization: Any = _AUTO, aggregation: Any = _NONE, **_: Any,
) -> Any:  # fmt: skip
    """A `custom_getter` that makes model variables.

    Args: see `tf.get_variable`.
      rename: last part of a name -> what takes its place.
    """
    scope, slash, short_name = name.rpartition("/")
    if rename and short_name in rename:
        name = f"{scope}{slash}{rename[short_name]}"
    return variables.model_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        collections=collections, trainable=trainable, caching_device=caching_device,
        partitioner=partitioner, custom_getter=getter, use_resource=use_resource,
        synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip


def build_variable_getter(rename: Mapping[str, str] | None = None) -> Callable[..., Any]:
    """`model_variable_getter` with that `rename`."""

    def layer_variable_getter(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return model_variable_getter(getter, *args, **{**kwargs, "rename": rename})

    return layer_variable_getter


def add_to_collections(variable: Any, variables_collections: Any, name: str) -> None:
    """Adds a variable, or all its parts, to the collections for the variable `name`, once."""
    parts = [variable]
    if isinstance(variable, tf_variables.PartitionedVariable):
        parts = list(variable)
    for collection in utils.get_variable_collections(variables_collections, name) or []:
        for part in parts:
            if part not in ops.get_collection(collection):
                ops.add_to_collection(collection, part)


def bias_variable(
    size: int, dtype: DTypeLike, initializer: Initializer, regularizer: Any,
    variables_collections: Any,
    trainable: bool,
) -> Any:  # fmt: skip
    """The model variable "biases" of a layer."""
    return variables.model_variable(
        "biases", shape=[size], dtype=dtype, initializer=initializer, regularizer=regularizer,
        collections=utils.get_variable_collections(variables_collections, "biases"),
        trainable=trainable,
    )  # fmt: skip
