"""The nodes of a GraphDef recorded into a graph, as TF 1.15's C++ importer does it.

Nodes are added in the order in which their inputs are there, the first in the file first; the back
edge of a while loop (NextIteration to Merge) is added last.
"""

from __future__ import annotations

import contextlib
import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.core import dtypes, errors, op_def_text, op_registry, shapes
from tf1compat.core.attr_value import from_attr_value, from_node_attr, kind_mismatch
from tf1compat.core.func_graph import CapturingGraph
from tf1compat.core.function_def import GraphFunction, output_places
from tf1compat.core.graph import PRODUCER
from tf1compat.core.op_dtypes import input_dtypes, output_dtypes, unknown_op_type
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape

# A tensor of the GraphDef: the name of its node, and the index of the output; in a function's body
# "arg:index" instead, the output arg and the index in it.
Key = tuple[str, Any]

_NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\\-/]*\Z")
_OUTPUT_SHAPES = "_output_shapes"
_COLOCATED = b"loc:@"
# More of them no node has.
_OUTPUTS = 1_000_000


def parse_tensor_name(name: str) -> Key:
    """("node", 1) for "node:1", ("node", 0) for "node".

    Raises:
      ValueError: it is no name of a tensor.
    """
    node, *index = name.split(":")
    if not index:
        return node, 0
    if len(index) > 1 or not re.fullmatch(r"[-+]?\d+", index[0].strip()):
        raise ValueError(f"Cannot convert {name!r} to a tensor name.")
    return node, int(index[0])


def _parse_input(text: str) -> Key:
    """The same for what a node takes: what is no output's number belongs to the name."""
    node, _, index = text.rpartition(":")
    return (node, int(index)) if node and index.isdecimal() else (text, 0)


class Node:
    """A node to be recorded: what its NodeDef says of its inputs.

    Attributes:
      definition: the NodeDef.
      inputs: the tensors that it takes, in order.
      controls: the names of the nodes that it waits for.
    """

    def __init__(self, definition: Any, parse: Callable[[str], Key]):
        self.definition = definition
        self.inputs: list[Key] = []
        self.controls: list[str] = []
        for text in definition.input:
            if text.startswith("^"):
                self.controls.append(text[1:])
            elif self.controls:
                raise ValueError(
                    f"Node '{definition.name}': Control dependencies must come after regular "
                    "dependencies"
                )
            else:
                self.inputs.append(parse(text))


class Importer:
    """Records the nodes of one GraphDef.

    Args:
      graph: where they are recorded.
      prefix: put before their names, with a slash.
      input_map: tensors of `graph` in place of those of the GraphDef.
      control_map: operations of `graph` in place of the nodes that others wait for.
      check_colocation: whether a node may only be colocated with one that is there.
      producer: the version of the GraphDef.

    Attributes:
      operations: the operation made for each node, by the node's name.
      used: the keys of `input_map` and `control_map` that some node needed.
    """

    def __init__(
        self,
        graph: Any,
        prefix: str = "",
        input_map: dict[Key, Tensor] | None = None,
        control_map: dict[str, Operation] | None = None,
        check_colocation: bool = True,
        producer: int = PRODUCER,
    ):
        self.graph = graph
        self.operations: dict[str, Operation] = {}
        self.used: set[Key | str] = set()
        self._prefix = prefix
        self._input_map = input_map or {}
        self._control_map = control_map or {}
        self._check_colocation = check_colocation
        self._producer = producer
        self._nodes: dict[str, Node] = {}
        self._back_edges: list[tuple[Operation, int, Key]] = []
        self._taken_prefixes: set[str] = set()

    _parse = staticmethod(_parse_input)

    def add(self, definitions: Sequence[Any]) -> None:
        """Records nodes.

        Raises:
          ValueError: a node is not well-formed, or doesn't fit the others.
          NotFoundError: there is no such op type.
        """
        for definition in definitions:
            if not _NODE_NAME.match(definition.name):
                raise ValueError(f"Node '{definition.name}': Node name contains invalid characters")
            if definition.name in self._nodes:
                raise ValueError(f"Node '{definition.name}' is not unique")
            self._nodes[definition.name] = Node(definition, self._parse)
        for node in self._nodes.values():
            self._check_sources(node)
        self._taken_prefixes = {
            name[:i]
            for name in self.graph._nodes_by_name
            for i, letter in enumerate(name)
            if letter == "/"
        }
        before = len(self.graph._operations)
        controls, context = self.graph._control_stack, self.graph._control_flow_context
        self.graph._control_stack, self.graph._control_flow_context = [], None
        try:
            for name in self._order():
                self.operations[name] = self._record(self._nodes[name])
            for op, index, (name, output) in self._back_edges:
                tensor = self.output((name, output))
                assert tensor is not None
                op._update_input(index, tensor)
                self.graph._moved_edges.discard((op, index))
            self._colocate()
        finally:
            self.graph._control_stack, self.graph._control_flow_context = controls, context
        self._enter_scopes(before)

    @contextlib.contextmanager
    def undone_on_error(self) -> Iterator[None]:
        """If its block raises, the operations that were recorded in it are gone from the graph."""
        before, producer = len(self.graph._operations), self.graph._producer
        try:
            yield
        except BaseException:
            _forget(self.graph, before)
            self.graph._producer = producer
            raise

    def output(self, key: Key) -> Tensor | None:
        """The tensor that stands for one of the GraphDef; None if there is no such node."""
        if key in self._input_map:
            self.used.add(key)
            return self._input_map[key]
        op = self.operations.get(key[0])
        place = -1 if op is None else self._place(op, key)
        return op._outputs[place] if op is not None and place >= 0 else None

    def _place(self, op: Operation, key: Key) -> int:
        """Which output of `op` the key is; -1 if it is none."""
        return key[1]

    def unused(self) -> list[str]:
        """The names in the maps that no node needed and that are not in the GraphDef either."""
        found = []
        for key in self._input_map:
            op = self.operations.get(key[0])
            if key not in self.used and (op is None or key[1] >= len(op._outputs)):
                found.append(f"{key[0]}:{key[1]}")
        for name in self._control_map:
            if name not in self.used and name not in self.operations:
                found.append(f"^{name}")
        return found

    # The order of the nodes.

    def _check_sources(self, node: Node) -> None:
        name = node.definition.name
        for i, key in enumerate(node.inputs):
            if key not in self._input_map and key[0] not in self._nodes:
                text = node.definition.input[i]
                raise ValueError(f"Node '{name}': Unknown input node '{text}'")
        for control in node.controls:
            if control not in self._control_map and control not in self._nodes:
                raise ValueError(f"Node '{name}': Unknown input node '^{control}'")
        if self._check_colocation and "_class" in node.definition.attr:
            for group in node.definition.attr["_class"].list.s:
                other = group.removeprefix(_COLOCATED).decode()
                if group.startswith(_COLOCATED) and other not in self._nodes:
                    raise ValueError(
                        f"Node '{name}' expects to be colocated with unknown node '{other}'"
                    )

    def _is_back_edge(self, node: Node, key: Key) -> bool:
        source = self._nodes.get(key[0])
        return (
            source is not None
            and op_registry.spec(node.definition.op).merges
            and op_registry.spec(source.definition.op).loop == "next"
            and key not in self._input_map
        )

    def _order(self) -> list[str]:
        names = list(self._nodes)
        places = {name: i for i, name in enumerate(names)}
        readers: dict[str, list[int]] = {}
        pending = []
        for place, node in enumerate(self._nodes.values()):
            inside = [key[0] for key in node.inputs if key not in self._input_map]
            waits = [name for name in node.controls if name not in self._control_map]
            count = len(inside) + len(waits)
            if any(self._is_back_edge(node, key) for key in node.inputs):
                count = len(waits) + 1  # the way into the loop is enough
            pending.append(count)
            for name in inside + waits:
                readers.setdefault(name, []).append(place)
        ready = [place for place, count in enumerate(pending) if count == 0]
        ordered = []
        while ready:
            name = names[heapq.heappop(ready)]
            ordered.append(name)
            for place in readers.get(name, ()):
                pending[place] -= 1
                if pending[place] == 0:
                    heapq.heappush(ready, place)
        if len(ordered) < len(places):
            raise ValueError(f"{len(places) - len(ordered)} nodes in a cycle")
        return ordered

    # One node.

    def _record(self, node: Node) -> Operation:
        definition = node.definition
        name = self._free_name(definition.name)
        # What an input leads to is looked up before the node's own attrs, as in TF.
        inputs, later = self._inputs_of(node)
        spec = op_registry.spec(definition.op)
        called = None
        if spec.op_def is None:
            called = self.graph._get_function(definition.op)
            if called is None:
                raise errors.NotFoundError(None, None, unknown_op_type(definition.op))
        removed = spec.op_def and spec.op_def.removed_text(self._producer)
        if removed:
            raise errors.UnimplementedError(None, None, removed)
        attrs, known_shapes = self._attrs_of(definition, spec, name)
        self._refuse_counts(spec, attrs, name, len(inputs))
        expected, outputs = _signature(spec, called, attrs)
        if len(expected) != len(inputs):
            types = ", ".join(dtypes.cpp_name(dtype) for dtype in expected)
            text = "" if spec.op_def is None else f"; {op_def_text.summary(spec.op_def)}"
            raise ValueError(
                f"NodeDef expected inputs '{types}' do not match {len(inputs)} inputs specified"
                f"{text}; NodeDef: {{{{node {name}}}}}"
            )
        for i, (tensor, dtype) in enumerate(zip(inputs, expected)):
            if not _accepts(dtype, tensor._dtype):
                raise ValueError(
                    f"Input {i} of node {name} was passed {dtypes.cpp_name(tensor._dtype)} from "
                    f"{tensor.name} incompatible with expected {dtypes.cpp_name(dtype)}."
                )
        has_device_scopes = all(other == definition.name for other in self._groups(attrs))
        op = self.graph._add(spec, name, inputs, attrs, outputs, compute_device=False)
        for index, key in later:
            self._back_edges.append((op, index, key))
        op._add_control_inputs([self._waited_for(control) for control in node.controls])
        if known_shapes is not None:
            _refine(op, known_shapes)
        if has_device_scopes:
            own = self.graph.device(definition.device) if definition.device else None
            with own or contextlib.nullcontext():
                self.graph._apply_device_functions(op)
        self.graph._names_in_use.setdefault(name.lower(), 1)
        return op

    def _refuse_counts(
        self, spec: op_registry.OpSpec, attrs: dict[str, Any], name: str, given: int
    ) -> None:
        """Refuses a node that says it has so many inputs or outputs that no memory holds them."""
        if spec.op_def is None:
            return
        for args, most in ((spec.op_def.input_args, given), (spec.op_def.output_args, _OUTPUTS)):
            for arg in args:
                count = attrs.get(arg.number_attr or "")
                if type(count) is int and count > most + _OUTPUTS:
                    raise ValueError(
                        f"Value for attr '{arg.number_attr}' of {count} is too large: the node has "
                        f"{given} inputs\n\t; NodeDef: {{{{node {name}}}}}; "
                        f"{op_def_text.summary(spec.op_def)}"
                    )

    def _free_name(self, name: str) -> str:
        name = f"{self._prefix}/{name}" if self._prefix else name
        taken = (self.graph._nodes_by_name, self._taken_prefixes)
        candidate, count = name, 0
        while any(candidate in names for names in (taken if count == 0 else (*taken, self._nodes))):
            count += 1
            candidate = f"{name}_{count}"
        return candidate

    def _inputs_of(self, node: Node) -> tuple[list[Tensor], list[tuple[int, Key]]]:
        """The inputs, and which of them are back edges; those are given by another input till
        their source is there."""
        inputs: list[Tensor | None] = []
        later = []
        for i, key in enumerate(node.inputs):
            if key not in self._input_map and key[0] not in self.operations:
                later.append((i, key))
                inputs.append(None)
                continue
            if key not in self._input_map:
                op = self.operations[key[0]]
                count, place = len(op._outputs), self._place(op, key)
                if not 0 <= place < count:
                    raise ValueError(
                        f"Node '{node.definition.name}': Connecting to invalid output {place} of "
                        f"source node {key[0]} which has {count} outputs."
                    )
            inputs.append(self.output(key))
        there = next((tensor for tensor in inputs if tensor is not None), None)
        found = [there if tensor is None else tensor for tensor in inputs]
        return [tensor for tensor in found if tensor is not None], later

    def _waited_for(self, name: str) -> Operation:
        if name in self._control_map:
            self.used.add(name)
            return self._control_map[name]
        return self.operations[name]

    def _attrs_of(
        self, definition: Any, spec: op_registry.OpSpec, name: str
    ) -> tuple[dict[str, Any], Any]:
        """The attrs, and the shapes that the node was written with, if any."""
        attrs: dict[str, Any] = {}
        known_shapes = None
        where = f"NodeDef: {{{{node {name}}}}}"
        declared = {} if spec.op_def is None else spec.op_def.attrs
        for key in sorted(definition.attr):
            value = definition.attr[key]
            if key == _OUTPUT_SHAPES:
                known_shapes = value.list.shape
                continue
            attr = declared.get(key)
            if attr is None and not key.startswith("_") and spec.op_def is not None:
                raise ValueError(
                    f"NodeDef mentions attr '{key}' not in {op_def_text.summary(spec.op_def)}; "
                    f"{where}. (Check whether your GraphDef-interpreting binary is up to date with "
                    "your GraphDef-generating binary.)."
                )
            if attr is None or spec.op_def is None:
                attrs[key] = from_node_attr(value, None)
                continue
            summary = op_def_text.summary(spec.op_def)
            wrong = kind_mismatch(value, attr.type)
            if wrong is not None:
                raise ValueError(f"{wrong}\n\t for attr '{key}'\n\t; {where}; {summary}")
            attrs[key] = plain = _plain_value(value, attr.type)
            _check_allowed(attr, plain, f"{where}; {summary}")
        lacking = [attr for attr in declared.values() if attr.name not in attrs]
        required = [attr.name for attr in lacking if not attr.has_default]
        if required:
            assert spec.op_def is not None
            raise ValueError(op_def_text.missing_attrs(spec.op_def, required, where))
        attrs.update((attr.name, attr.default) for attr in lacking)
        return attrs, known_shapes

    # What is settled once all nodes are there.

    def _groups(self, attrs: dict[str, Any]) -> list[str]:
        """The names of the nodes that a node with these attrs is colocated with."""
        return [
            group.removeprefix(_COLOCATED).decode()
            for group in attrs.get("_class", ())
            if group.startswith(_COLOCATED)
        ]

    def _colocate(self) -> None:
        colocated = {}
        for op in self.operations.values():
            others = self._groups(op._attrs)
            if not others:
                continue
            names = [
                self.operations[other]._name if other in self.operations else self._prefixed(other)
                for other in others
            ]
            op._attrs["_class"] = [_COLOCATED + name.encode() for name in names]
            # A node that is colocated with itself alone keeps its own device.
            if elsewhere := [name for name in names if name != op._name]:
                colocated[op] = elsewhere
        for op, names in colocated.items():
            others = [self.graph._nodes_by_name.get(name) for name in names]
            op._device = next((other._device for other in others if other and other._device), "")

    def _prefixed(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name

    def _enter_scopes(self, before: int) -> None:
        """What the `with` blocks around the import say of the new operations."""
        graph = self.graph
        controls = list(dict.fromkeys(op for entry in graph._control_stack for op in entry.ops))
        context = graph._control_flow_context
        new = graph._operations[before:]
        for op in new:
            op._control_flow_context = context
        for op in new:
            if controls:
                op._add_control_inputs(controls)
            for entry in graph._control_stack:
                entry.seen.add(op)
            if context is not None:
                context.check_inputs(op)
                context.AddOp(op)
                continue
            for tensor in op._inputs:
                if tensor._op._control_flow_context is not None:
                    tensor._op._control_flow_context.check_escape(op, tensor)


def _signature(
    spec: op_registry.OpSpec, called: Any, attrs: dict[str, Any]
) -> tuple[list[Any], list[Any]]:
    """The dtypes of an op's inputs and outputs."""
    if called is None:
        return input_dtypes(spec, attrs), output_dtypes(spec, attrs)
    signature = called.signature
    return (
        [dtypes.as_dtype(arg.type) for arg in signature.input_arg],
        [dtypes.as_dtype(arg.type) for arg in signature.output_arg],
    )


def _accepts(expected: Any, given: Any) -> bool:
    return given == expected or (given._is_ref_dtype and given.base_dtype == expected)


def _plain_value(value: Any, attr_type: str) -> Any:
    try:
        return from_attr_value(value, attr_type)
    except (ValueError, TypeError) as error:
        if attr_type != "tensor":
            raise
        text = f"Cannot parse tensor from proto: {value.tensor}"
        raise errors.InvalidArgumentError(None, None, text) from error


def _check_allowed(attr: Any, value: Any, where: str) -> None:
    if attr.minimum is not None and attr.type == "int" and type(value) is int:
        if value < attr.minimum:
            raise ValueError(
                f"Value for attr '{attr.name}' of {value} must be at least minimum "
                f"{attr.minimum}\n\t; {where}"
            )
    op_def_text.check_allowed(attr, value, where)


def import_functions(graph: Any, library: Any) -> None:
    """Adds the functions of a `FunctionDefLibrary` to the graph, where it hasn't them yet."""
    definitions = {function.signature.name: function for function in library.function}
    gradients = {entry.function_name: entry.gradient_func for entry in library.gradient}
    pending = [name for name in reversed(definitions) if not graph._is_function(name)]
    begun: set[str] = set()
    while pending:
        definition = definitions[pending[-1]]
        # A node whose op type is a function can only be made when the function is there.
        called = [node.op for node in definition.node_def if node.op in definitions]
        called = [name for name in called if not graph._is_function(name)]
        if called and pending[-1] not in begun:
            begun.add(pending[-1])
            pending.extend(called)
            continue
        name = pending.pop()
        if not graph._is_function(name):
            function: Any
            try:
                function = _function(definition, graph)
            except errors.NotFoundError as error:
                # As in TF, what it says of op types that there aren't matters when it is called.
                function = UnreadFunction(definition, error)
            function.grad_func_name = gradients.get(name)
            graph._add_function(function)


class UnreadFunction:
    """A function of a library whose body cannot be recorded.

    Args:
      definition: the `FunctionDef`.
      error: is raised when something asks for more than the definition.
    """

    is_read = False

    def __init__(self, definition: Any, error: Exception):
        self.definition = definition
        self.grad_func_name: str | None = None
        self.python_grad_func: Any = None
        self._error = error

    @property
    def name(self) -> str:
        """The function's name."""
        return self.definition.signature.name

    @property
    def signature(self) -> Any:
        """The `OpDef` proto in the `FunctionDef`."""
        return self.definition.signature

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self._error.with_traceback(None)


def _function(definition: Any, graph: Any) -> GraphFunction:
    """The function that a `FunctionDef` describes; those that it calls are in `graph`."""
    signature = definition.signature
    with graph.as_default():
        body = CapturingGraph(signature.name)
    body._functions = graph._functions
    given: dict[Key, Tensor] = {}
    for arg in signature.input_arg:
        attrs = {"dtype": dtypes.as_dtype(arg.type), "shape": TensorShape(None)}
        placeholder = body.create_op("Placeholder", [], name=arg.name, attrs=attrs)._outputs[0]
        body.inputs.append(placeholder)
        given[(arg.name, "")] = placeholder
    importer = BodyImporter(body, input_map=given, check_colocation=False)
    importer.add(definition.node_def)
    for arg in signature.output_arg:
        tensor = importer.output(importer._parse(definition.ret[arg.name]))
        if tensor is None:
            raise ValueError(
                f"Return {arg.name} -> {definition.ret[arg.name]} is not found.\n\t"
                f"In function output {arg.name}:{dtypes.cpp_name(dtypes.as_dtype(arg.type))}"
            )
        body.outputs.append(tensor)
    body.control_outputs = [
        importer.operations[definition.control_ret[name]] for name in signature.control_output
    ]
    function = GraphFunction(
        signature.name,
        body,
        body.inputs,
        body.outputs,
        {key: from_attr_value(value) for key, value in definition.attr.items()},
        [arg.name for arg in signature.output_arg],
        signature.description or None,
    )
    # Its definition is what it was read from.
    function.__dict__["definition"] = definition
    return function


class BodyImporter(Importer):
    """Records a function's body, whose nodes name their inputs "node:output arg:index"."""

    @staticmethod
    def _parse(text: str) -> Key:
        node, _, place = text.partition(":")
        return node, place

    def _place(self, op: Operation, key: Key) -> int:
        if not key[1]:
            return 0
        arg, _, index = key[1].partition(":")
        place = (arg, int(index)) if index.isdecimal() else (arg, 0)
        places = output_places(op)
        return places.index(place) if place in places else -1


def _refine(op: Operation, known: Sequence[Any]) -> None:
    """Narrows the shapes of the outputs to those that the node was written with."""
    if len(known) < len(op._outputs):  # More of them are no matter, as in TF.
        raise ValueError(
            f"Node '{op._name}' has {len(op._outputs)} outputs but the {_OUTPUT_SHAPES} attribute "
            f"specifies shapes for {len(known)} outputs"
        )
    for i, (tensor, proto) in enumerate(zip(op._outputs, known)):
        shape = TensorShape(proto).to_tuple()
        try:
            tensor._shape = shapes.merge(tensor._shape, shape)
        except shapes.ShapeError as error:
            raise ValueError(
                f"Node '{op._name}' has an {_OUTPUT_SHAPES} attribute inconsistent with the "
                f"GraphDef for output #{i}: {error}"
            ) from None


def _forget(graph: Any, before: int) -> None:
    """Takes the operations from the `before`-th on out of the graph again."""
    for op in reversed(graph._operations[before:]):
        for tensor in op._inputs:
            if op in tensor._consumers:
                tensor._consumers.remove(op)
        op._remove_all_control_inputs()
        del graph._nodes_by_name[op._name]
    del graph._operations[before:]
    graph._changed()


def record_node(
    graph: Any, definition: Any, inputs: Sequence[Tensor], outputs: Sequence[Any]
) -> Operation:
    """Adds an operation of a NodeDef's name, attrs and device, as `tf.Operation` does in TF 1.15:
    what surrounding `with` blocks say has no part in it.

    Args:
      graph: the graph.
      definition: the NodeDef; its inputs don't count.
      inputs: the input tensors.
      outputs: the dtypes of its outputs.
    """
    spec = op_registry.spec(definition.op)
    declared = {} if spec.op_def is None else spec.op_def.attrs
    attrs = {
        key: from_node_attr(value, declared[key].type if key in declared else None)
        for key, value in definition.attr.items()
    }
    with graph._lock:
        op = Operation.__new__(Operation)
        op._record(graph, spec, definition.name, list(inputs), attrs, [], list(outputs))
        op._device = definition.device
        graph._operations.append(op)
        graph._nodes_by_name[definition.name] = op
        graph._enter_context(op)
    return op
