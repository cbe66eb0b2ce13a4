"""How strategies with several copies of each variable make one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.distribute import values
from tf1compat.api.variables.variable_base import VariableAggregation, VariableSynchronization
from tf1compat.core import ops, tape
from tf1compat.core.typing import Name


def create(
    strategy: Any, device_map: Any, logical_device: int, make: Callable[[Any], list[Any]],
    kwargs: dict[str, Any],
) -> Any:  # fmt: skip
    """A variable with copies, in the collections in their place.

    Args:
      strategy: the strategy.
      device_map, logical_device: where the copies are.
      make: makes them, given arguments for a variable creator.
      kwargs: those of the variable.

    Raises:
      ValueError: the copies can't be kept in line, or become one, as is asked.
    """
    collections = kwargs.pop("collections", None)
    collections = [ops.GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
    kind = _kind(kwargs.get("synchronization"), kwargs.get("name"))
    aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
    if not isinstance(aggregation, VariableAggregation):
        raise ValueError(
            f"Invalid variable aggregation mode: {aggregation} for variable: {kwargs['name']}"
        )
    kwargs.pop("caching_device", None)
    with tape.stop_recording():
        copies = make({**kwargs, "collections": []})
        variable = kind(strategy, device_map, copies, aggregation, logical_device=logical_device)
    in_collections(variable, copies, collections, kwargs.get("trainable", True))
    return variable


def in_collections(
    variable: Any, copies: list[Any], collections: list[Any], trainable: bool
) -> None:
    """Puts a variable into collections, and its copies out of those that they are in."""
    if ops.executing_eagerly():
        collections = [key for key in collections if key == ops.GraphKeys.GLOBAL_STEP]
    elif trainable:
        collections.append(ops.GraphKeys.TRAINABLE_VARIABLES)
        kept = ops.get_collection_ref(ops.GraphKeys.TRAINABLE_VARIABLES)
        kept[:] = [v for v in kept if not any(v is copy for copy in copies)]
    ops.add_to_collections(collections, variable)


def _kind(synchronization: Any, name: Name) -> type[values.DistributedVariable]:
    """The class of a variable whose copies are brought in line in that way."""
    if synchronization == VariableSynchronization.NONE:
        raise ValueError(
            "`NONE` variable synchronization mode is not supported with `Mirrored` distribution "
            f"strategy. Please change the `synchronization` for variable: {name}"
        )
    if synchronization == VariableSynchronization.ON_READ:
        return values.SyncOnReadVariable
    kinds = (None, VariableSynchronization.ON_WRITE, VariableSynchronization.AUTO)
    if synchronization not in kinds:
        raise ValueError(
            f"Invalid variable synchronization mode: {synchronization} for variable: {name}"
        )
    return values.MirroredVariable
