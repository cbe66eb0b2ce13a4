"""`tensorflow.python.framework.convert_to_constants`: functions whose variables are constants."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.eager import wrap_function
from tf1compat.core import dtypes, protos, tensor_proto
from tf1compat.core.function_def_to_graph import function_def_to_graph_def
from tf1compat.core.tensor_shape import TensorShape

# The attrs with the functions of an op type, the attr with the dtypes of what they take, and where
# these begin among the inputs.
_CONTROL_FLOW = {
    "If": (("then_branch", "else_branch"), "Tin", 1),
    "StatelessIf": (("then_branch", "else_branch"), "Tin", 1),
    "While": (("cond", "body"), "T", 0),
    "StatelessWhile": (("cond", "body"), "T", 0),
}
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def disable_lower_using_switch_merge(graph_def: Any) -> Any:
    """A graph whose functional conditionals and loops stay what they are (as in TF 1.15).

    Args:
      graph_def: a `GraphDef`.

    Returns:
      A copy of it.
    """
    result = protos.GraphDef()
    result.CopyFrom(graph_def)
    bodies = (function.node_def for function in result.library.function)
    for nodes in (result.node, *bodies):
        for node in nodes:
            if node.op in _CONTROL_FLOW:
                node.attr["_lower_using_switch_merge"].b = False
    return result


def convert_variables_to_constants_v2(func: Any, lower_control_flow: bool = True) -> Any:
    """A function like another one, with the values that its variables have now (as in TF 1.15).

    Args:
      func: a `ConcreteFunction`.
      lower_control_flow: whether conditionals and loops become nodes of TF 1; here only False is
        supported for a function that has some.

    Returns:
      A function of what `func` takes.

    Raises:
      ValueError: a variable is read in a conditional or loop that was to become nodes of TF 1.
      NotImplementedError: the function has conditionals or loops that were to become nodes of TF 1,
        or other operations on variables than reads.
    """
    with func.graph.as_default():
        graph_def = _inlined(func.graph.as_graph_def())
    handles = {id(variable.handle) for variable in func.graph.variables}
    variables = {t.op.name for outer, t in func.graph.captures if id(outer) in handles}
    for node in graph_def.node:
        if node.op in _CONTROL_FLOW and lower_control_flow:
            if any(_source(name) in variables for name in node.input):
                raise ValueError(
                    "Cannot find the Placeholder op that is an input to the ReadVariableOp."
                )
            raise NotImplementedError(
                f"convert_variables_to_constants_v2 with lower_control_flow=True of a function "
                f"with {node.op} ({node.name}) is not supported by tf1compat: pass False"
            )
    if not lower_control_flow:
        graph_def = disable_lower_using_switch_merge(graph_def)
    frozen = protos.GraphDef(versions=graph_def.versions)
    constants = _values_of_captures(func)
    freezer = _Freezer(graph_def.library)
    known = {name: _Known(value.dtype, value.shape) for name, value in constants.items()}
    for node in graph_def.node:
        value = constants.get(node.name)
        made = freezer.node(node, known) if value is None else _constant(node.name, value)
        frozen.node.add().CopyFrom(made)
    frozen.library.function.extend(freezer.made.values())
    inputs = [tensor for tensor in func.inputs if tensor.op.name not in constants]
    names = [tensor.name for tensor in inputs]
    made = wrap_function.function_from_graph_def(frozen, names, [t.name for t in func.outputs])
    for new, old in zip(made.inputs, inputs, strict=True):
        new.set_shape(old.shape)
    return made


def _inlined(graph_def: Any) -> Any:
    """A graph with the bodies of the functions that it calls; these are in the default graph."""
    library = {function.signature.name: function for function in graph_def.library.function}
    numbers = itertools.count()
    while any(node.op in _CALLS for node in graph_def.node):
        result = protos.GraphDef(versions=graph_def.versions, library=graph_def.library)
        renamed: dict[str, str] = {}
        for node in graph_def.node:
            if node.op in _CALLS:
                function = library[node.attr["f"].func.name]
                result.node.extend(_body_of_call(node, function, renamed, numbers))
            else:
                result.node.add().CopyFrom(node)
        for node in result.node:
            node.input[:] = [renamed.get(_source(name), name) for name in node.input]
        graph_def = result
    return graph_def


def _body_of_call(
    call: Any, function: Any, renamed: dict[str, str], numbers: Iterator[int]
) -> Iterator[Any]:
    """The nodes that stand for a call, named as TF's optimizer of functions names them.

    Args:
      call: the call's node.
      function: the `FunctionDef`.
      renamed: gets what becomes of the call's outputs, and of control inputs from it.
      numbers: tells nodes apart.
    """
    body, names = function_def_to_graph_def(function, copy_functions=False)

    def name_of(kind: str) -> str:
        return f"Func/{call.name}/{kind}/_{next(numbers)}"

    begin = name_of("input_control_node")
    data = [name for name in call.input if name[0] != "^"]
    before = [name for name in call.input if name[0] == "^"]
    before = before or sorted({f"^{name.partition(':')[0]}" for name in data})
    yield protos.NodeDef(op="NoOp", name=begin, input=before)
    inside = {}
    for arg, source in zip(function.signature.input_arg, data, strict=True):
        inside[arg.name] = name_of("input")
        yield _identity(inside[arg.name], arg.type, [source, f"^{begin}"])

    def moved(name: str) -> str:
        control, name = ("^", name[1:]) if name[0] == "^" else ("", name)
        node, _, output = name.partition(":")
        if node in inside:
            return control + inside[node]
        return f"{control}{call.name}/{node}" + (f":{output}" if output not in ("", "0") else "")

    for node in body.node:
        if node.name not in inside:
            node.input[:] = [moved(name) for name in node.input] or [f"^{begin}"]
            node.name = f"{call.name}/{node.name}"
            yield node
    for i, arg in enumerate(function.signature.output_arg):
        output = renamed[f"{call.name}:{i}" if i else call.name] = name_of("output")
        yield _identity(output, arg.type, [moved(names[function.ret[arg.name]])])
    end = name_of("output_control_node")
    after = sorted(f"^{call.name}/{node}" for node in function.control_ret.values())
    yield protos.NodeDef(op="NoOp", name=end, input=after)
    renamed[f"^{call.name}"] = f"^{end}"


def _identity(name: str, enum: int, inputs: list[str]) -> Any:
    node = protos.NodeDef(op="Identity", name=name, input=inputs)
    node.attr["T"].type = enum
    return node


class _Known(NamedTuple):
    """What becomes of a handle: the dtype and the shape of a variable's value."""

    dtype: Any
    shape: Any

    @property
    def enum(self) -> int:
        return dtypes.as_dtype(self.dtype).as_datatype_enum


def _values_of_captures(func: Any) -> dict[str, np.ndarray]:
    """The values of what a function captures, by the names of its placeholders."""
    variables = {id(variable.handle): variable for variable in func.graph.variables}
    found = {}
    for outer, (_, placeholder) in zip(func.captured_inputs, func.graph.captures, strict=True):
        source = variables.get(id(outer), outer)
        found[placeholder.op.name] = np.asarray(source.numpy())
    return found


def _constant(name: str, value: np.ndarray) -> Any:
    node = protos.NodeDef(op="Const", name=name)
    node.attr["dtype"].type = dtypes.as_dtype(value.dtype).as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tensor_proto.make_tensor_proto(value))
    return node


class _Freezer:
    """Rewrites nodes that take handles for those that take values.

    Args:
      library: the functions that nodes call.
    """

    def __init__(self, library: Any):
        self._functions = {function.signature.name: function for function in library.function}
        # The functions that were rewritten, by their new names.
        self.made: dict[str, Any] = {}

    def node(self, node: Any, known: dict[str, _Known]) -> Any:
        """A node that takes values.

        Args:
          node: the `NodeDef`.
          known: the handles; those that the node passes on are added.
        """
        result = protos.NodeDef()
        if node.op == "ReadVariableOp":
            result.op, result.name = "Identity", node.name
            result.input.append(node.input[0])
            result.attr["T"].CopyFrom(node.attr["dtype"])
            if "_class" in node.attr:
                result.attr["_class"].CopyFrom(node.attr["_class"])
            return result
        result.CopyFrom(node)
        if node.op == "Identity" and node.attr["T"].type == dtypes.resource:
            handle = known[node.name] = known[_source(node.input[0])]
            result.attr["T"].type = handle.enum
        elif node.op in _CONTROL_FLOW:
            self._rewrite_control_flow(result, known)
        elif _takes_handles(node) and any(_source(name) in known for name in node.input):
            raise NotImplementedError(
                f"convert_variables_to_constants_v2 of a function with {node.op} ({node.name}) is "
                "not supported by tf1compat yet"
            )
        return result

    def _rewrite_control_flow(self, node: Any, known: dict[str, _Known]) -> None:
        functions, attr, begin = _CONTROL_FLOW[node.op]
        types = node.attr[attr].list.type
        handles: list[_Known | None] = []
        for i, enum in enumerate(types):
            handle = known.get(_source(node.input[begin + i]))
            handles.append(handle if enum == dtypes.resource else None)
            if enum == dtypes.resource and handle is not None:
                types[i] = handle.enum
                if attr == "T":  # A loop passes what it takes on.
                    known[f"{node.name}:{i}" if i else node.name] = handle
                    shape = node.attr["output_shapes"].list.shape
                    if i < len(shape):
                        shape[i].CopyFrom(TensorShape(handle.shape).as_proto())
        for key in functions:
            called = node.attr[key].func
            called.name = self._function(called.name, handles, returns=key == "body")

    def _function(self, name: str, handles: Iterable[_Known | None], returns: bool) -> str:
        """Rewrites a function whose arguments are handles; gives its new name."""
        new_name = f"{name}_frozen"
        if new_name in self.made:
            return new_name
        old = self._functions[name]
        result = self.made[new_name] = protos.FunctionDef()
        result.CopyFrom(old)
        del result.node_def[:]
        signature = result.signature
        signature.name = new_name
        known = {}
        for i, handle in enumerate(handles):
            if handle is not None:
                known[signature.input_arg[i].name] = handle
                signature.input_arg[i].type = handle.enum
                if returns:
                    signature.output_arg[i].type = handle.enum
        reads = {node.name for node in old.node_def if node.op == "ReadVariableOp"}
        for node in old.node_def:
            made = result.node_def.add()
            made.CopyFrom(self.node(node, known))
            made.input[:] = [_as_output(source, reads) for source in made.input]
        for key, source in old.ret.items():
            result.ret[key] = _as_output(source, reads)
        return new_name


def _takes_handles(node: Any) -> bool:
    named = node.op in ("ResourceGather", "ResourceGatherNd", "VariableShape")
    return named or any(attr.type == dtypes.resource for attr in node.attr.values())


def _source(name: str) -> str:
    """An input without the number of the first output: "a", "a:0" and "a:output:0" are one."""
    node, *rest = name.split(":")
    return node if not rest or rest[-1] == "0" else f"{node}:{rest[-1]}"


def _as_output(name: str, reads: set[str]) -> str:
    """What a node takes of a read that became an Identity, whose output has another name."""
    parts = name.split(":")
    return f"{parts[0]}:output:0" if len(parts) == 3 and parts[0] in reads else name
