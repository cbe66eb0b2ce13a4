"""Sizes of a model (`tensorflow.contrib.slim.python.slim.model_analyzer`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core.graph import Graph


def tensor_description(var: Any) -> str:
    """The dtype and shape of a tensor or variable, e.g. "(float32 3x4)"."""
    sizes = "x".join(str(size) for size in var.get_shape())
    return f"({var.dtype.name} {sizes})"


def _heading(what: str, columns: str) -> None:
    print("---------")
    print(f"{what}: {columns}")
    print("---------")


def analyze_ops(graph: Graph, print_info: bool = False) -> int:
    """How many elements the outputs of a graph's operations have, as far as they are known.

    Args:
      graph: the graph.
      print_info: whether to print a line for each operation.
    """
    if print_info:
        _heading("Operations", "name -> (type shapes) [size]")
    total = 0
    for op in graph.get_operations():
        size = sum(output.get_shape().num_elements() or 0 for output in op.outputs)
        if print_info:
            shapes = [tensor_description(output) for output in op.outputs if output.get_shape()]
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
        total += size
    return total


def analyze_vars(variables: Sequence[Any], print_info: bool = False) -> tuple[int, int]:
    """How many elements and bytes variables have.

    Args:
      variables: the variables.
      print_info: whether to print a line for each of them.
    """
    if print_info:
        _heading("Variables", "name (type shape) [size]")
    total = total_bytes = 0
    for var in variables:
        size = var.get_shape().num_elements() or 0
        n_bytes = size * var.dtype.size
        total += size
        total_bytes += n_bytes
        if print_info:
            print(var.name, tensor_description(var), f"[{size}, bytes: {n_bytes}]")
    if print_info:
        print(f"Total size of variables: {total}")
        print(f"Total bytes of variables: {total_bytes}")
    return total, total_bytes
