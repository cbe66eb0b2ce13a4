"""`tf.CriticalSection`."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.core import context, dtypes, nest, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"

_ExecutionSignature = collections.namedtuple(  # noqa: PYI024
    "_ExecutionSignature", ("op", "handle", "resources", "exclusive_resource_access")
)


def _same(value: Any) -> Any:
    """A node behind a tensor, TensorArray or operation."""
    if isinstance(value, tensor_array_ops.TensorArray):
        return value.identity()
    if isinstance(value, ops.Operation):
        return control_flow_ops.group(value)
    if value is None and context.executing_eagerly():
        return None
    return array_ops.identity(value)


def _class_of(op: Any) -> Any:
    try:
        return op.get_attr("_class")
    except ValueError:
        return None


@tf_export("CriticalSection")
class CriticalSection:
    """Runs subgraphs one after the other (as `tf.CriticalSection` in TF 1.15).

    Args:
      name: scope of the mutex.
      shared_name: what the mutex goes by on a server; its name if None.
      critical_section_def, import_scope: a CriticalSection as a proto: not supported, as in TF.

    Raises:
      ValueError: both a name and a proto are given.
      NotImplementedError: a proto is given.
    """

    def __init__(
        self,
        name: Name = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: Any = None,
    ):
        if critical_section_def:
            if name is not None:
                raise ValueError("critical_section_def and shared_name are mutually exclusive.")
            raise NotImplementedError("Not yet implemented")
        with ops.name_scope(name, "CriticalSection", []) as scope, ops.init_scope():
            self._handle = raw_ops.MutexV2(
                shared_name=scope if shared_name is None else shared_name,
                container=ops.get_default_graph()._container or "",
                name=scope,
            )
        if not context.executing_eagerly():
            ops.add_to_collections(CRITICAL_SECTIONS, self)

    @property
    def name(self) -> str:
        """The name of the mutex."""
        return self._handle.op.name

    def execute(
        self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: Name = None
    ) -> Any:
        """Records what `fn` records such that no other execution of this section runs meanwhile.

        Args:
          fn: takes nothing, and returns a nesting of tensors, one at least.
          exclusive_resource_access: whether no other section may use the resources that `fn` uses.
          name: scope of the ops.

        Returns:
          What `fn` returns.

        Raises:
          ValueError: `fn` uses this section's own mutex, or a resource that another section uses,
            and one of the two wants it for itself.
        """
        with ops.name_scope(name, "critical_section_execute", []):
            lock = raw_ops.MutexLock(self._handle)
            used: list[Any] = []
            if context.executing_eagerly():
                with ops.control_dependencies([lock]):
                    found = fn()
            else:
                graph = ops.get_default_graph()
                before = len(graph.get_operations())
                with ops.control_dependencies([lock]):
                    found = fn()
                recorded = graph.get_operations()[before:]
                _wait_for_arguments(recorded, lock.op)
                used = _resources_of(recorded)
                self._check(used, exclusive_resource_access)
            results = [_same(value) for value in nest.flatten(found)]
            with ops.control_dependencies(results):
                with ops.colocate_with(self._handle):
                    released = raw_ops.ConsumeMutexLock(lock)
                found = nest.pack_sequence_as(found, control_flow_ops.tuple(nest.flatten(found)))
            with ops.control_dependencies([released]):
                outputs = nest.map_structure(_same, found)
            if not context.executing_eagerly():
                ops.add_to_collections(
                    CRITICAL_SECTION_EXECUTIONS,
                    _ExecutionSignature(lock.op, self._handle, used, exclusive_resource_access),
                )
            return outputs

    def _is_self_handle(self, handle: Any) -> bool:
        """Whether a resource is this section's mutex."""
        if not hasattr(handle, "op") or context.executing_eagerly():
            return handle is self._handle
        own, other = self._handle.op, handle.op
        if other.type != "MutexV2":
            return False
        shared = other.get_attr("shared_name")
        return (
            bool(shared)
            and shared == own.get_attr("shared_name")
            and (other.device == own.device or _class_of(other) == _class_of(own))
        )

    def _check(self, used: list[Any], exclusive: bool) -> None:
        if any(self._is_self_handle(handle) for handle in used):
            raise ValueError(
                "The function fn attempts to directly access the CriticalSection in which it "
                "would be running.  This is illegal and would cause deadlocks."
            )
        for other in ops.get_collection(CRITICAL_SECTION_EXECUTIONS):
            if self._is_self_handle(other.handle):
                continue
            if not (exclusive or other.exclusive_resource_access):
                continue
            common = [handle for handle in used if any(handle is x for x in other.resources)]
            if common:
                raise ValueError(
                    f"This execution would access resources: {common}.  Either this lock "
                    f"(CriticalSection: {self._handle}) or lock '{other}' (CriticalSection: "
                    f"{other.handle}) requested exclusive resource access of this resource.  Did "
                    "you mean to call execute with keyword argument "
                    "exclusive_resource_access=False?"
                )


def _resources_of(recorded: Iterable[Any]) -> list[Any]:
    """The resources that operations use, once each."""
    found = {
        id(tensor): tensor
        for op in recorded
        for tensor in op.inputs
        if tensor.dtype == dtypes.resource
    }
    return list(found.values())


def _wait_for_arguments(recorded: Iterable[Any], lock: Any) -> None:
    """Has all that the recorded operations need run before the mutex is locked."""
    needed = {}
    for op in recorded:
        needed.update((other._id, other) for other in (t.op for t in op.inputs))
        needed.update((other._id, other) for other in op.control_inputs)
    known = [*recorded, *lock.control_inputs, *(t.op for t in lock.inputs), lock]
    for op in known:
        needed.pop(op._id, None)
    if needed:
        lock._add_control_input(control_flow_ops.group(*needed.values()))
