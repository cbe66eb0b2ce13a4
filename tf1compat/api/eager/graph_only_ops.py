"""`tensorflow.python.eager.graph_only_ops`: nodes of the graph that is current, in any mode."""

from __future__ import annotations

from typing import Any

from tf1compat.core import context, dtypes, ops, tensor_shape
from tf1compat.core.typing import DTypeLike, ShapeLike


def graph_zeros_like(tensor: Any) -> Any:
    """A ZerosLike node in the default graph."""
    graph = context.default_graph()
    with graph.as_default(), context.mode(False):
        dtype = dtypes.as_dtype(tensor.dtype).base_dtype
        return graph.create_op("ZerosLike", [tensor], [dtype], name="zeros_like",
                               attrs={"T": dtype}).outputs[0]  # fmt: skip


def graph_placeholder(dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> ops.Tensor:
    """A Placeholder node in the default graph.

    Args:
      dtype: its dtype.
      shape: its shape, or what makes one.
      name: the node's name.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    attrs = {"dtype": dtype, "shape": tensor_shape.as_shape(shape)}
    graph = context.default_graph()
    return graph.create_op("Placeholder", [], [dtype], name=name, attrs=attrs).outputs[0]
