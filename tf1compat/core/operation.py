"""`tf.Operation`: one node of the recorded graph."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import constants, errors, op_registry, protos, shape_inference, shapes
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.traceable_stack import TraceableObject

_PACKAGE = str(pathlib.Path(__file__).parent.parent)
_LAUNCHER = str(pathlib.Path(_PACKAGE, "launcher"))
_RUNNER = str(pathlib.Path(_LAUNCHER, "run.py"))


def _stack() -> list[tuple[Any, int]]:
    """The Python stack, innermost first, as (code, instruction): cheap to take, turned into lines
    and text only for an error (a frame's line is searched for in a table)."""
    frame: Any = sys._getframe(2)
    found = []
    while frame is not None:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def _line(code: Any, instruction: int) -> int:
    """The line of an instruction."""
    spans = code.co_lines()
    found = (line for start, end, line in spans if start <= instruction < end)
    return next(found, None) or code.co_firstlineno


class _InputList:
    """The inputs of an operation, as `Operation.inputs` shows them: no list, and a part is one."""

    __module__ = "tensorflow.python.framework.ops"
    __qualname__ = "Operation._InputList"

    def __init__(self, inputs: list[Tensor]):
        self._inputs = inputs

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)

    def __getitem__(self, i: Any) -> Any:
        return self._inputs[i]

    def __bool__(self) -> bool:
        return bool(self._inputs)

    __nonzero__ = __bool__


@tf_export("Operation")
class Operation:
    """A node of a `Graph`: an op type, inputs, attrs and outputs.

    Made by `Graph.create_op` and the functions that record ops; hardly ever by hand.

    Args:
      node_def: a `NodeDef` with name, op type and attrs.
      g: the graph that it is added to.
      inputs: the input tensors, flat.
      output_types: the outputs' dtypes, of an op type without a schema.
      control_inputs: operations and tensors that it runs after.
      input_types: the dtypes that the inputs are to have.
      original_op: the operation that it replaces.
      op_def: unused.

    Raises:
      TypeError, ValueError: something is of a wrong kind, or the inputs don't fit.
    """

    __module__ = "tensorflow.python.framework.ops"  # as texts and `str` of the type show it

    # Class-level defaults keep the creation of an operation cheap.
    _class_groups: list[bytes] | None = None
    _original_op: Any = None
    _input_list: _InputList | None = None
    _inquiry: shape_inference.Inquiry | None = None
    # The blocks of `device` and `colocate_with` around it.
    _device_scopes: Any = ()
    _colocations: Any = ()

    def __init__(
        self,
        node_def: Any,
        g: Any,
        inputs: Any = None,
        output_types: Any = None,
        control_inputs: Any = None,
        input_types: Any = None,
        original_op: Any = None,
        op_def: Any = None,
    ):
        from tf1compat.core.graph import Graph

        if not isinstance(node_def, protos.NodeDef):
            raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
        if not isinstance(g, Graph):
            raise TypeError(f"g needs to be a Graph: {g}")
        if inputs is None:
            inputs = []
        elif not isinstance(inputs, list):
            raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
        for tensor in inputs:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"input needs to be a Tensor: {tensor}")
        found = [tensor.dtype for tensor in inputs]
        if input_types is not None and not (
            len(input_types) == len(found)
            and all(a.is_compatible_with(b) for a, b in zip(input_types, found, strict=True))
        ):
            raise TypeError(
                f"In op '{node_def.name}', input types ({found}) are not compatible with expected "
                f"types ({input_types})"
            )
        for control in control_inputs or []:
            if not isinstance(control, Operation | Tensor) and not hasattr(control, "values"):
                raise TypeError(
                    f"Control input must be an Operation, a Tensor, or IndexedSlices: {control}"
                )
        with g.control_dependencies(control_inputs or []):
            g._add_node(self, node_def, inputs, output_types)
        self._original_op = original_op

    def _record(
        self,
        graph: Any,
        spec: op_registry.OpSpec,
        name: str,
        inputs: list[Tensor],
        attrs: dict[str, Any],
        control_inputs: list[Operation],
        output_dtypes: list[Any],
    ) -> None:
        """Makes a new object the operation that a graph adds; what it takes is checked already."""
        self._graph = graph
        self._spec = spec
        self._name = name
        self._inputs = inputs
        self._attrs = attrs
        self._control_inputs = control_inputs
        self._control_outputs: list[Operation] = []
        self._output_dtypes = output_dtypes
        self._device = ""
        self._stack = _stack()
        self._id = graph._next_id()
        self._control_flow_context = graph._control_flow_context
        self._outputs = outputs = [Tensor(self, i, dtype) for i, dtype in enumerate(output_dtypes)]
        # Shapes come first: a refused op must leave no trace in the graph.
        if outputs:
            for tensor, shape in zip(outputs, shape_inference.infer_shapes(self), strict=True):
                tensor._shape = shape
            if spec.handle_data is not None:
                for tensor, data in zip(outputs, spec.handle_data(self), strict=True):
                    tensor._handle_data = data
        elif spec.shape is not None:
            shape_inference.infer_shapes(self)
        for tensor in inputs:
            tensor._consumers.append(self)
        for control in control_inputs:
            control._control_outputs.append(self)

    # What kernels' shape functions ask.

    def const_input(self, index: int) -> np.ndarray | None:
        """The value of input `index` if it is known while recording, else None."""
        if self._inquiry is not None:
            return self._inquiry.value(index)
        return constants.input_value(self._inputs[index])

    def shape_input(self, index: int) -> shapes.Shape:
        """Input `index` read as a shape: None for unknown rank, None dims where unknown.

        Raises:
          ShapeError: the input is no vector, or its value no shape.
        """
        tensor = self._inputs[index]
        shapes.with_rank(tensor._shape, 1)
        if self._inquiry is not None:
            found = self._inquiry.shape(index)
            value = self._inquiry.value(index)
        else:
            found = constants.known_shape(tensor)
            value = None if found is not None else constants.input_value(tensor)
        if found is not None:
            return found
        if value is not None:
            return shapes.from_sizes(value)
        length = tensor._shape
        return None if not length or length[0] is None else (None,) * length[0]

    # The public face.

    name: str = attribute("_name", "The full name of the operation.")
    type: str = attribute("_spec.name", 'The op type, e.g. "MatMul".')
    graph = attribute("_graph", "The `Graph` that contains this operation.")

    _InputList = _InputList

    @property
    def inputs(self) -> _InputList:
        """The input tensors: what can be gone through and indexed, but is no list."""
        found = self._input_list
        if found is None or found._inputs is not self._inputs:
            found = self._input_list = _InputList(self._inputs)
        return found

    outputs: list[Tensor] = attribute("_outputs", "The output tensors.")

    def values(self) -> tuple[Tensor, ...]:
        """The output tensors, as a tuple."""
        return tuple(self._outputs)

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that must run before this one."""
        return list(self._control_inputs)

    @property
    def _input_types(self) -> list[Any]:
        return [tensor._dtype for tensor in self._inputs]

    @property
    def _output_types(self) -> list[int]:
        return [dtype.as_datatype_enum for dtype in self._output_dtypes]

    @property
    def _is_stateful(self) -> bool:
        op_def = self._spec.op_def
        return op_def is not None and op_def.is_stateful

    device: str = attribute("_device", 'The device string, or "".')

    def _set_device(self, device: Any) -> None:
        from tf1compat.core.device import canonical_name

        self._device = canonical_name(device)

    def _set_device_from_string(self, device: str) -> None:
        self._device = device

    @property
    def op_def(self) -> Any:
        """The schema of the op type, an `OpDef` proto."""
        from tf1compat.core.op_def_proto import op_def_proto

        return op_def_proto(self._spec.name)

    @property
    def _device_assignments(self) -> list[TraceableObject]:
        """The devices asked for around it, from the innermost block to the outermost."""
        return [
            TraceableObject(scope.display_name, *(scope.place or ()))
            for scope in reversed(self._device_scopes)
        ]

    @property
    def _colocation_dict(self) -> dict[str, TraceableObject]:
        """The names of the operations that blocks around it say it is beside."""
        return {
            colocation.op.name: TraceableObject(None, colocation.file, colocation.line)
            for colocation in reversed(self._colocations)
        }

    @property
    def node_def(self) -> Any:
        """The `NodeDef` proto of this operation."""
        from tf1compat.core.graph_def import node_def

        return node_def(self)

    @property
    def _node_def(self) -> Any:
        self._warn_of("node_def")
        return self.node_def

    @property
    def _op_def(self) -> Any:
        self._warn_of("op_def")
        return self.op_def

    def _warn_of(self, name: str) -> None:
        find("logging.warning")(
            f"Operation._{name} is private, use Operation.{name} instead. Operation._{name} will "
            "eventually be removed."
        )

    _id_value: int = attribute("_id")
    _inputs_val: _InputList = attribute("inputs")
    _colocation_code_locations: dict[str, TraceableObject] = attribute("_colocation_dict")
    _device_code_locations: list[TraceableObject] = attribute("_device_assignments")

    def _get_attr_type(self, name: str) -> Any:
        return self.get_attr(name)

    @property
    def traceback(self) -> list[tuple[str, int, str, str | None]]:
        """The call stack when the operation was created, outermost first: (file, line, function,
        source line)."""
        import linecache

        return [
            (
                code.co_filename,
                line,
                code.co_name,
                linecache.getline(code.co_filename, line).strip() or None,
            )
            for code, line in reversed(self._user_stack())
        ]

    def _user_stack(self) -> list[tuple[Any, int]]:
        """The stack without this package's frames at its ends: what the user can change."""
        files = [code.co_filename for code, _ in self._stack]
        inner = next((i for i, file in enumerate(files) if not file.startswith(_PACKAGE)), 0)
        # A script that the launcher runs begins where the launcher's own frames end.
        outer = next((i for i in range(inner, len(files)) if files[i] == _RUNNER), len(files))
        between = zip(files[inner:outer], self._stack[inner:outer])
        return [
            (code, _line(code, instruction))
            for file, (code, instruction) in between
            if not file.startswith(_LAUNCHER)
        ]

    @property
    def definition(self) -> tuple[str, int]:
        """The user's file and line that made the operation: the innermost frame outside this
        package."""
        code, line = self._user_stack()[0]
        return code.co_filename, line

    @property
    def traceback_with_start_lines(self) -> list[tuple[str, int, str, str | None, int]]:
        """As `traceback`, with the first line of each function."""
        first = [code.co_firstlineno for code, _ in reversed(self._user_stack())]
        return [(*entry, start) for entry, start in zip(self.traceback, first, strict=True)]

    def colocation_groups(self) -> list[bytes]:
        """The colocation groups of the operation, e.g. [b"loc:@Variable"]."""
        groups = [g for g in self._attrs.get("_class", ()) if g.startswith(b"loc:@")]
        return groups or [b"loc:@" + self._name.encode()]

    def get_attr(self, name: str) -> Any:
        """The value of an attr: int, float, bool, bytes, DType, a proto (shapes, tensors,
        functions) or a list of these.

        Raises:
          ValueError: the operation has no attr `name`.
        """
        from tf1compat.core.attr_value import public_value

        if name not in self._attrs:
            raise ValueError(f"Operation '{self._name}' has no attr named '{name}'.")
        return public_value(self._attrs[name], self._attr_kind(name))

    def _attr_kind(self, name: str) -> str | None:
        op_def = self._spec.op_def
        attr = op_def.attrs.get(name) if op_def is not None else None
        return attr.type if attr is not None else None

    def _set_attr(self, name: str, proto: Any) -> None:
        """Sets an attr from an `AttrValue` proto."""
        from tf1compat.core.attr_value import from_node_attr

        self._graph._check_not_finalized()
        self._attrs[name] = from_node_attr(proto, self._attr_kind(name))

    def _clear_attr(self, name: str) -> None:
        self._attrs.pop(name, None)

    # A functional conditional or loop is changed when it is differentiated: it then also returns
    # what its gradient needs.

    def _set_func_attr(self, name: str, function_name: str) -> None:
        self._before_change()
        self._attrs[name] = function_name

    def _set_func_list_attr(self, name: str, function_names: list[str]) -> None:
        self._before_change()
        self._attrs[name] = list(function_names)

    def _set_type_list_attr(self, name: str, types: list[Any]) -> None:
        self._attrs[name] = list(types)

    def _set_shape_list_attr(self, name: str, shapes_: list[Any]) -> None:
        self._attrs[name] = list(shapes_)

    def _add_outputs(self, types: list[Any], shapes_: list[Any]) -> None:
        for dtype, shape in zip(types, shapes_, strict=True):
            output = Tensor(self, len(self._outputs), dtype)
            output._shape = shape.to_tuple()
            self._outputs.append(output)
            self._output_dtypes = [*self._output_dtypes, dtype]
        self._graph._changed()

    def _before_change(self) -> None:
        """Functions that contain this operation keep it as it was when they were recorded."""
        for containing in getattr(self._graph, "made_into", ()):
            _ = containing.definition

    # Changes after creation (control flow and importers make them).

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: list[Operation]) -> None:
        for op in ops:
            if not isinstance(op, Operation):
                raise TypeError(f"op must be an Operation: {op}")
            if op not in self._control_inputs:
                self._control_inputs.append(op)
                op._control_outputs.append(self)
        self._graph._changed()

    def _remove_all_control_inputs(self) -> None:
        for op in self._control_inputs:
            op._control_outputs.remove(self)
        self._control_inputs = []
        self._graph._changed()

    def _update_input(self, index: int, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor must be a Tensor: {tensor}")
        if tensor.graph is not self._graph:
            raise ValueError(f"{tensor} must be from the same graph as {self}.")
        if index >= len(self._inputs):
            raise errors.OutOfRangeError(
                None,
                None,
                f"Cannot update edge. Input index [{index}] is greater than the number of total "
                f"inputs [{len(self._inputs)}].",
            )
        before = self._inputs[index]._shape
        if not shapes.compatible(tensor._shape, before):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Cannot update edge, incompatible shapes: {shapes.to_string(tensor._shape)} and "
                f"{shapes.to_string(before)}.",
            )
        expected = self._graph._mistyped.pop((self, index), self._inputs[index]._dtype)
        if tensor._dtype.base_dtype is not expected.base_dtype:
            self._graph._mistyped[self, index] = expected  # TF notices when a session runs
        self._inputs[index]._consumers.remove(self)
        self._inputs[index] = tensor
        tensor._consumers.append(self)
        self._graph._moved_edges.add((self, index))
        self._graph._changed()

    def _add_while_inputs(self, tensors: list[Tensor]) -> None:
        for tensor in tensors:
            self._inputs.append(tensor)
            tensor._consumers.append(self)
        self._graph._changed()

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, ctx: Any) -> None:
        self._control_flow_context = ctx

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Runs this operation in `session` (default: the current one)."""
        from tf1compat.core.scopes import run_using_default_session

        run_using_default_session(self, feed_dict, self._graph, session)

    def __str__(self) -> str:
        from google.protobuf import text_format

        return text_format.MessageToString(self.node_def)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self._name}' type={self.type}>"
