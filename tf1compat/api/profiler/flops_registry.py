"""How many float operations an operation takes
(`tensorflow.python.profiler.internal.flops_registry`): TF 1.15's formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.framework.ops import OpStats, RegisterStatistics
from tf1compat.core.graph import Graph

Count = Callable[[Any, Any], Any]


def _shape(graph: Any, name: str) -> list[int]:
    shape = graph.get_tensor_by_name(name if ":" in name else f"{name}:0").get_shape()
    shape.assert_is_fully_defined()
    return shape.as_list()


# The op types that have a formula.
IMPLEMENTED_OPS: set[str] = set()


def _register(op_types: str, count: Count) -> None:
    IMPLEMENTED_OPS.update(op_types.split())
    for op_type in op_types.split():
        RegisterStatistics(op_type, "flops")(lambda g, n: OpStats("flops", count(g, n)))


def _of_input(each: int = 1, more: int = 0) -> Count:
    return lambda graph, node: math.prod(_shape(graph, node.input[0])) * each + more


def _of_output(each: int = 1) -> Count:
    return lambda graph, node: math.prod(_shape(graph, node.name)) * each


def _reduction(finalize: int = 0) -> Count:
    def count(graph: Graph, node: Any) -> int:
        reduced = math.prod(_shape(graph, node.input[0]))
        return reduced + math.prod(_shape(graph, node.name)) * (finalize - 1)

    return count


def _check_format(node: Any) -> None:
    if node.attr["data_format"].s != b"NHWC":
        raise ValueError("Only NHWC format is supported in flops computations")


def _window(node: Any) -> int:
    _check_format(node)
    return math.prod(node.attr["ksize"].list.i)


def _convolution(dims: int) -> Count:
    """Two for each weight of the filter's first `dims` dimensions and each output."""

    def count(graph: Graph, node: Any) -> int:
        _shape(graph, node.input[0])
        weights = math.prod(_shape(graph, node.input[1])[:dims])
        return math.prod(_shape(graph, node.name)) * weights * 2

    return count


def _back_convolution(image: Callable[[Any], str], kernel: Callable[[Any], str]) -> Count:
    def count(graph: Graph, node: Any) -> float:
        _check_format(node)
        pixels, weights = _shape(graph, image(node)), _shape(graph, kernel(node))
        strides = node.attr["strides"].list.i
        share = pixels[-1] * strides[1] * strides[2]
        return 2 * math.prod(pixels) * math.prod(weights) / share

    return count


def _product(row: int, column: int) -> Count:
    def count(graph: Graph, node: Any) -> int:
        a = _shape(graph, node.input[0])
        inner = a[row if node.attr["transpose_a"].b else column]
        return inner * math.prod(_shape(graph, node.name)) * 2

    return count


def _sum_of_all(graph: Graph, node: Any) -> int:
    return _of_input(len(node.input) - 1)(graph, node) if node.input else 0


_register("Reciprocal Square Log Neg AssignSub AssignAdd BiasAdd", _of_input())
_register("Rsqrt", _of_input(2))
_register("L2Loss", _of_input(3, -1))
_register("Softmax", _of_input(5))
_register(
    "Add Sub Mul RealDiv Maximum Minimum Pow GreaterEqual Greater LessEqual Less Equal NotEqual",
    _of_output(),
)
_register("SquaredDifference", _of_output(2))
_register("RsqrtGrad", _of_output(4))
_register("Mean", _reduction(1))
_register("Sum ArgMax ArgMin BiasAddGrad", _reduction())
_register("AvgPool MaxPool", lambda g, n: _window(n) * math.prod(_shape(g, n.name)))
_register("AvgPoolGrad", lambda g, n: _window(n) * math.prod(_shape(g, n.input[1])) * 2)
_register("MaxPoolGrad", lambda g, n: (_window(n) + 1) * math.prod(_shape(g, n.input[1])))
_register("Conv2D", _convolution(3))
_register("Conv3D", _convolution(4))
_register("DepthwiseConv2dNative Dilation2D", _convolution(2))
_register("Conv2DBackpropInput", _back_convolution(lambda n: n.name, lambda n: n.input[1]))
_register("Conv2DBackpropFilter", _back_convolution(lambda n: n.input[0], lambda n: n.name))
_register("MatMul", _product(0, 1))
_register("BatchMatMul", _product(-2, -1))
_register("AddN", _sum_of_all)

# TF's list of them lacks two.
IMPLEMENTED_OPS -= {"BatchMatMul", "Conv3D"}
