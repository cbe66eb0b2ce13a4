"""What TF 1.15's `tf.Graph` keeps under private names that client code and tests look at.

Each shows what our graph keeps in its own way; nothing here is used while recording.
"""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from tf1compat.core import errors, op_defs
from tf1compat.core.attribute import attribute
from tf1compat.core.op_def_proto import op_def_proto
from tf1compat.core.traceable_stack import TraceableObject, TraceableStack


def unknown_op_type(op_type: str) -> str:
    """What TF says of an op type that it hasn't."""
    return (
        f"Op type not registered '{op_type}' in binary running on {socket.gethostname()}. Make "
        "sure the Op and Kernel are registered in the binary running in this process. Note that "
        "if you are loading a saved graph which used ops from tf.contrib, accessing (e.g.) "
        "`tf.contrib.resampler` should be done before importing the graph, as contrib ops are "
        "lazily registered when the module is first accessed."
    )


class GraphInternals:
    """The private names of a `Graph`."""

    _lock: Any
    _operations: list[Any]
    _device_stack: list[Any]
    _colocation_scopes: list[Any]

    # TF 1.15 ends every graph with these as they are here.
    _building_function = False
    _add_control_dependencies = False
    _last_loss_reduction: Any = None

    _version: int = attribute("_next_id_counter")
    _gradient_override_map: dict[str, str] = attribute("_gradient_overrides")
    _op_to_kernel_label_map: dict[str, str] = attribute("_kernel_labels")
    _unfeedable_tensors: set[Any] = attribute("_unfeedable")
    _unfetchable_ops: set[Any] = attribute("_unfetchable")
    _control_dependencies_stack: list[Any] = attribute("_control_stack")
    _graph_control_dependencies_stack: list[Any] = attribute("_control_stack")
    _graph_def_versions: Any = attribute("graph_def_versions")

    @property
    def _stack_state_is_thread_local(self) -> bool:
        return self.__dict__["_first_scopes"] is not None

    @property
    def _nodes_by_id(self) -> dict[int, Any]:
        return {op._id: op for op in self._operations}

    @property
    def _registered_ops(self) -> dict[str, Any]:
        return {op_type: op_def_proto(op_type) for op_type in op_defs.registered()}

    def _get_op_def(self, type: str) -> Any:
        found = op_def_proto(type)
        if found is None:
            raise errors.NotFoundError(None, None, unknown_op_type(type))
        return found

    def _as_graph_element_locked(self, obj: Any, allow_tensor: bool, allow_operation: bool) -> Any:
        return self.as_graph_element(obj, allow_tensor, allow_operation)  # pyright: ignore

    def _create_op_internal(
        self,
        op_type: str,
        inputs: list[Any],
        dtypes: list[Any] | None,
        input_types: list[Any] | None = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: Any = None,
        compute_device: bool = True,
    ) -> Any:
        return self.create_op(  # pyright: ignore
            op_type, inputs, dtypes, input_types, name, attrs, op_def, compute_device=compute_device
        )

    def _mutation_lock(self) -> contextlib.AbstractContextManager[Any]:
        """Held while operations are changed; sessions see whether any were."""
        return self._lock

    def _session_run_lock(self) -> contextlib.AbstractContextManager[Any]:
        return self._lock

    # The `with` blocks around what is recorded now.

    @property
    def _graph_device_function_stack(self) -> TraceableStack:
        scopes = self._device_stack
        return TraceableStack([TraceableObject(scope, *(scope.place or ())) for scope in scopes])

    _device_function_stack: TraceableStack = attribute("_graph_device_function_stack")

    @property
    def _device_functions_outer_to_inner(self) -> list[Any]:
        return list(self._device_stack)

    @property
    def _graph_colocation_stack(self) -> TraceableStack:
        return TraceableStack(
            [TraceableObject(one.op, one.file, one.line) for one in self._colocation_scopes]
        )

    _colocation_stack: TraceableStack = attribute("_graph_colocation_stack")
