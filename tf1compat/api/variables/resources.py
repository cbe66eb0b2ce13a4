"""Resources that must be made before they are used (`tensorflow.python.ops.resources`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops


class _Resource(NamedTuple):
    handle: Any
    create: Any
    is_initialized: Any


def register_resource(
    handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True
) -> None:
    """Adds a resource to its collection.

    Args:
      handle: its handle.
      create_op: what makes it.
      is_initialized_op: a bool tensor: whether it is made.
      is_shared: whether all workers share it.
    """
    key = ops.GraphKeys.RESOURCES if is_shared else ops.GraphKeys.LOCAL_RESOURCES
    ops.add_to_collection(key, _Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Any]:
    """The resources that all workers share."""
    return ops.get_collection(ops.GraphKeys.RESOURCES)


def local_resources() -> list[Any]:
    """The resources of this session."""
    return ops.get_collection(ops.GraphKeys.LOCAL_RESOURCES)


def report_uninitialized_resources(
    resource_list: Sequence[Any] | None = None, name: str = "report_uninitialized_resources"
) -> ops.Tensor:
    """The names of the resources that are not made yet, a string vector.

    Args:
      resource_list: resources; all by default.
      name: the name scope of the operations.
    """
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    device = os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")
    with ops.name_scope(name), ops.device(device):
        if not resource_list:
            return constant_op.constant_v1([], dtype=dtypes.string)
        made = array_ops.stack([r.is_initialized for r in resource_list])
        missing = math_ops.logical_not(made)
        names = constant_op.constant_v1([r.handle.name for r in resource_list])
        return array_ops.boolean_mask(names, missing)


def initialize_resources(resource_list: Sequence[Any], name: str = "init") -> Any:
    """The operation that makes all of some resources."""
    if resource_list:
        return control_flow_ops.group(*[r.create for r in resource_list], name=name)
    return control_flow_ops.no_op(name=name)
