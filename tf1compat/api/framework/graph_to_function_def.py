"""`tensorflow.python.framework.graph_to_function_def`: a part of a graph as a `FunctionDef`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tf1compat.api.framework import op_def_registry
from tf1compat.core import errors, protos
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


def _names(tensors: Iterable[Tensor]) -> Iterator[str]:
    """The names that tensors have as arguments, each once."""
    used: set[str] = set()
    for tensor in tensors:
        plain = name = re.sub(":0$", "", tensor.name).replace(":", "_o")
        number = 0
        while name in used:
            name = f"{plain}_U{number}"
            number += 1
        used.add(name)
        yield name


def _results(op: Operation) -> Iterator[str]:
    """What the outputs of an operation are called inside a function."""
    node, count = op.node_def, 0
    definition = op.op_def or op_def_registry.get_registered_ops()[op.type]
    for arg in definition.output_arg:
        if arg.number_attr:
            count = node.attr[arg.number_attr].i
        elif arg.type_list_attr:
            count = len(node.attr[arg.type_list_attr].list.type)
        else:
            count = 1
        for i in range(count):
            yield f"{op.name}:{arg.name}:{i}"


def graph_to_function_def(
    graph: Graph,
    operations: Iterable[Operation],
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    out_names: Sequence[str] | None = None,
) -> Any:
    """Operations of a graph as a `FunctionDef`.

    Args:
      graph: the graph.
      operations: those that make the body; the inputs' own are left out.
      inputs, outputs: the tensors that become arguments and results.
      out_names: the names of the results; those of the tensors by default.

    Returns:
      The `FunctionDef`, which is called "_".

    Raises:
      InvalidArgumentError: there are more or fewer names than results.
      ValueError: a name is there twice.
    """
    if out_names is not None:
        if len(outputs) != len(out_names):
            raise errors.InvalidArgumentError(
                None,
                None,
                "output names must be either empty or equal in size to outputs. output names size "
                f"= {len(out_names)} outputs size = {len(outputs)}",
            )
        if len(set(out_names)) != len(out_names):
            raise ValueError(f"Must not have duplicates in out_names: {', '.join(out_names)}")
    function = protos.FunctionDef()
    function.signature.name = "_"
    called: dict[str, str] = {}  # What tensors and operations of the graph are inside.
    for tensor, name in zip(inputs, _names(inputs), strict=True):
        function.signature.input_arg.add(name=name, type=tensor.dtype.as_datatype_enum)
        called[tensor.name] = name
    arguments = {tensor.op for tensor in inputs}
    for op in graph.get_operations():
        if op in arguments:
            called[op.name] = op.name
            continue
        for i, (tensor, name) in enumerate(zip(op.outputs, _results(op), strict=True)):
            called[tensor.name] = name
            if not i:
                called[op.name] = name
    for op in operations:
        if op in arguments:
            continue
        node = function.node_def.add()
        node.CopyFrom(op.node_def)
        for i, name in enumerate(node.input):
            if not name.startswith("^"):
                assert name in called, f"{name} missing from {called.items()}"
                node.input[i] = called[name]
        if op.op_def is not None and op.op_def.is_stateful:
            function.signature.is_stateful = True
    for tensor, name in zip(outputs, out_names or _names(outputs), strict=True):
        function.signature.output_arg.add(name=name, type=tensor.dtype.as_datatype_enum)
        function.ret[name] = called[tensor.name]
    return function
