"""Functions of a graph's library, and their `FunctionDef` protos.

Names inside a FunctionDef are chosen as TF's C++ `GraphToFunctionDef` does: outputs first, then
inputs, then nodes, each made unique.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Sequence
from typing import Any

from tf1compat.core import protos
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.graph_def import fill_node_def
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


class GraphFunction:
    """A function that operations call by name: a body with inputs and outputs.

    Args:
      name: its name in the library.
      graph: the graph that is its body.
      inputs, outputs: tensors of the body.
      attrs: attrs of the function, as plain values or `AttrValue` protos.
      output_names: names of the outputs in the signature; made from their operations by default.
      description: the signature's description.
      operations: the operations of the body; all but those of the inputs by default.

    Attributes:
      python_grad_func: a Python function as `tf.RegisterGradient` takes, or None.
      grad_func_name: the name of the library function that is the gradient, or None.
    """

    def __init__(
        self,
        name: str,
        graph: Any,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        attrs: dict[str, Any] | None = None,
        output_names: Sequence[str] = (),
        description: str | None = None,
        operations: Sequence[Operation] | None = None,
    ):
        self.name = name
        self.graph = graph
        self.inputs = list(inputs)
        # Copies: differentiating a function adds outputs to its graph.
        self.outputs = list(outputs)
        self.control_outputs = list(graph.control_outputs)
        self.attrs = dict(attrs or {})
        self.python_grad_func: Any = None
        self.grad_func_name: str | None = None
        # The attrs with which it was called, by what else decides them.
        self.call_attrs: dict[Any, Any] = {}
        self._output_names = list(output_names)
        self._description = description
        if operations is None:
            ends = {tensor._op for tensor in inputs}
            operations = [op for op in graph._operations if op not in ends]
        self.operations = list(operations)
        graph.made_into.append(self)

    @functools.cached_property
    def stateful_ops(self) -> tuple[Operation, ...]:
        """The operations of the body with effects."""
        return tuple(op for op in self.operations if op._is_stateful)

    @functools.cached_property
    def definition(self) -> Any:
        """The `FunctionDef` proto."""
        return _Writer(self).function_def()

    @property
    def signature(self) -> Any:
        """The `OpDef` proto in the `FunctionDef`."""
        return self.definition.signature

    def rename(self, name: str) -> None:
        """Gives the function another name; before it is called by any."""
        self.name = name
        self.__dict__.pop("definition", None)

    def add_to_graph(self, graph: Any) -> None:
        """Adds the function and those it calls to the library of `graph`."""
        if self.name not in graph._functions:
            graph._add_function(self)
        for called in self.graph._functions.values():
            if called.name not in graph._functions:
                graph._add_function(called)


def normalized(name: str) -> str:
    """A node's name as an argument's: lower case, from the first letter on, "_" for other signs."""
    text = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).lower()
    for i, c in enumerate(text):
        if c.isalpha():
            return text[i:]
    return "unknown"


class _Names:
    """Makes names unique, as TF's `NodeNameMapping`."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def take(self, name: str) -> str:
        """`name`, or `name_0`, `name_1`…, the first that is free."""
        if name not in self._used:
            self._used[name] = 0
            return name
        while True:
            candidate = f"{name}_{self._used[name]}"
            self._used[name] += 1
            if candidate not in self._used:
                self._used[candidate] = 0
                return candidate


class _Writer:
    """Writes one `FunctionDef`."""

    def __init__(self, function: GraphFunction):
        self._function = function
        self._names = _Names()
        self._nodes: dict[Operation, str] = {}
        self._tensors: dict[Tensor, str] = {}

    def function_def(self) -> Any:
        function = self._function
        result = protos.FunctionDef()
        signature = result.signature
        signature.name = function.name
        if function._description:
            signature.description = function._description
        output_names = self._name_outputs(signature)
        self._name_inputs(result)
        for op in function.operations:
            self._nodes[op] = self._names.take(op._name)
            self._name_results(op)
        for op in function.operations:
            self._write_node(result.node_def.add(), op)
        for name, tensor in zip(output_names, function.outputs):
            result.ret[name] = self._tensors[tensor]
        for op in function.control_outputs:
            signature.control_output.append(op._name)
            result.control_ret[op._name] = self._nodes[op]
        if function.stateful_ops:
            signature.is_stateful = True
        for key, value in function.attrs.items():
            result.attr[key].CopyFrom(to_attr_value(value))
        return result

    def _name_outputs(self, signature: Any) -> list[str]:
        names = []
        for i, tensor in enumerate(self._function.outputs):
            if self._function._output_names:
                name = self._names.take(self._function._output_names[i])
            else:
                name = self._names.take(normalized(tensor._op._name))
            signature.output_arg.add(name=name, type=tensor._dtype.base_dtype.as_datatype_enum)
            names.append(name)
        return names

    def _name_inputs(self, result: Any) -> None:
        for i, tensor in enumerate(self._function.inputs):
            op = tensor._op
            name = self._names.take(normalized(op._name))
            self._tensors[tensor] = self._nodes[op] = name
            result.signature.input_arg.add(name=name, type=tensor._dtype.as_datatype_enum)
            # Internal attrs of the placeholder become the argument's.
            result.arg_attr[i].SetInParent()
            for key, value in op._attrs.items():
                if key.startswith("_"):
                    result.arg_attr[i].attr[key].CopyFrom(to_attr_value(value, op._attr_kind(key)))

    def _name_results(self, op: Operation) -> None:
        """Names the outputs of a node: "node:output arg:index in the arg"."""
        for tensor, (arg, index) in zip(op._outputs, output_places(op)):
            self._tensors[tensor] = f"{self._nodes[op]}:{arg}:{index}"

    def _write_node(self, node: Any, op: Operation) -> None:
        fill_node_def(node, op, sort_control_inputs=False)
        node.name = self._nodes[op]
        del node.input[:]
        for tensor in op._inputs:
            if tensor not in self._tensors:
                raise ValueError(
                    f"Input {tensor._value_index}, '{tensor.name}', of node '{op._name}' "
                    f"in function '{self._function.name}' is not available. "
                    "You might need to include it in inputs or include its source node in the body"
                )
            node.input.append(self._tensors[tensor])
        node.input.extend(f"^{name}" for name in sorted(self._nodes[c] for c in op._control_inputs))


def output_places(op: Operation) -> list[tuple[str, int]]:
    """For each output of `op`: the output arg of the op type and the index within it."""
    places: list[tuple[str, int]] = []
    op_def = op._spec.op_def
    if op_def is None:
        called = op.graph._get_function(op.type)
        return [(arg.name, 0) for arg in called.signature.output_arg]
    for arg in op_def.output_args:
        size = 1
        if arg.number_attr:
            size = op._attrs[arg.number_attr]
        elif arg.type_list_attr:
            size = len(op._attrs[arg.type_list_attr])
        places.extend((arg.name, i) for i in range(size))
    return places


def inline(function: GraphFunction, inputs: Sequence[Tensor], graph: Any) -> list[Tensor]:
    """Records the body of `function` once more, in `graph`; see `inlined`."""
    return inlined(function, inputs, graph)[0]


def inlined(
    function: GraphFunction,
    inputs: Sequence[Tensor],
    graph: Any,
    operations: Sequence[Operation] | None = None,
) -> tuple[list[Tensor], dict[Operation, Operation]]:
    """Records the body of `function` once more, in `graph`.

    Args:
      inputs: tensors of `graph` in place of the function's inputs.
      operations: those of the body to record; all by default.

    Returns:
      The function's outputs, and the new operation for each of the body, in order.
    """
    tensors = dict(zip(function.inputs, inputs))
    copies: dict[Operation, Operation] = {}
    later: list[tuple[Operation, int, Tensor]] = []
    for op in _ordered(function.operations if operations is None else operations):
        # What comes from the next iteration of a loop is not there yet.
        there = next((tensors[t] for t in op._inputs if t in tensors), None)
        copy = graph._add(
            op._spec,
            graph.unique_name(op._name),
            [tensors.get(t, there) for t in op._inputs],
            dict(op._attrs),
            list(op._output_dtypes),
        )
        copy._add_control_inputs([copies[c] for c in op._control_inputs if c in copies])
        copies[op] = copy
        for old, new in zip(op._outputs, copy._outputs):
            tensors[old] = new
            new._handle_data = old._handle_data
            if new._shape is None:
                new._shape = old._shape
        later += [(copy, i, t) for i, t in enumerate(op._inputs) if t not in tensors]
    for copy, i, tensor in later:
        copy._update_input(i, tensors[tensor])
        graph._moved_edges.discard((copy, i))
    return [tensors[t] for t in function.outputs], copies


def _ordered(operations: Sequence[Operation]) -> list[Operation]:
    """Operations after those whose outputs they use, but for the way back in a loop."""
    places = {op: i for i, op in enumerate(operations)}
    users: dict[Operation, list[Operation]] = {}
    waiting: dict[Operation, int] = {}
    for op in operations:
        sources = {t._op for t in op._inputs if t._op._spec.loop != "next"} | {*op._control_inputs}
        sources = {source for source in sources if source in places}
        waiting[op] = len(sources)
        for source in sources:
            users.setdefault(source, []).append(op)
    ready = [places[op] for op in operations if not waiting[op]]
    heapq.heapify(ready)
    found = []
    while ready:
        op = operations[heapq.heappop(ready)]
        found.append(op)
        for user in users.get(op, ()):
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, places[user])
    return found
