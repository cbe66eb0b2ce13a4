"""How operations are written in JAX: a line of the table each.

What is written has the gradient that `tf.gradients` has, corners included: where JAX's function has
another slope there, it is written otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np

from tf1compat.core.operation import Operation


class Expr(NamedTuple):
    """A Python expression.

    Attributes:
      binds: how strongly its outermost operator binds.
    """

    text: str
    binds: int = 9


ATOM, PRODUCT, SUM, COMPARISON = 9, 5, 4, 1


class CannotWrite(NotImplementedError):
    """There is no source for an operation."""


class Call:
    """An operation that is to be written, and its inputs.

    Args:
      args: the inputs' expressions.
      known: the inputs' values where these are known, else None.
    """

    def __init__(self, op: Operation, args: list[Expr], known: list[Any]):
        self.op = op
        self.args = args
        self.known = known

    def attr(self, name: str) -> Any:
        return self.op.get_attr(name)

    def rank(self, index: int) -> int:
        shape = self.op._inputs[index]._shape
        if shape is None:
            self.refuse("whose rank is not known")
        return len(shape)

    def value(self, index: int) -> Any:
        """A known input, as Python numbers."""
        if self.known[index] is None:
            self.refuse(f"whose input {index} is computed")
        return np.asarray(self.known[index]).tolist()

    def axes(self, index: int) -> str:
        axes = self.value(index)
        return str(axes if isinstance(axes, int) else tuple(axes))

    def inside(self, index: int) -> str:
        """An input as an argument of a call."""
        return self.args[index].text

    def refuse(self, why: str = "") -> NoReturn:
        """Raises CannotWrite."""
        op = self.op
        text = f"Source of operation '{op.name}' ({op.type}){why and ', ' + why}, can't be written"
        raise CannotWrite(op._graph.error_text(op, f"{text} by tf1compat yet"))


def grouped(expr: Expr, binds: int) -> str:
    """An expression as an operand."""
    return expr.text if expr.binds >= binds else f"({expr.text})"


def _binary(sign: str, binds: int) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        left, right = call.args
        return Expr(f"{grouped(left, binds)} {sign} {grouped(right, binds + 1)}", binds)

    return write


def _function(name: str) -> Callable[[Call], Expr]:
    return lambda call: Expr(f"{name}({', '.join(arg.text for arg in call.args)})")


def _reduction(name: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        keep = ", keepdims=True" if call.attr("keep_dims") else ""
        axes = call.value(1)
        everything = not isinstance(axes, int) and sorted(axes) == list(range(call.rank(0)))
        where = "" if everything else f", axis={call.axes(1)}"
        return Expr(f"jnp.{name}({call.inside(0)}{where}{keep})")

    return write


def _matmul(call: Call) -> Expr:
    flags = [call.attr(name) for name in _TRANSPOSES[call.op.type]]
    left, right = (
        Expr(f"{grouped(arg, ATOM)}.{'T' if call.rank(i) == 2 else 'mT'}") if flag else arg
        for i, (arg, flag) in enumerate(zip(call.args, flags))
    )
    return Expr(f"{grouped(left, PRODUCT)} @ {grouped(right, PRODUCT + 1)}", PRODUCT)


_TRANSPOSES = {
    "MatMul": ("transpose_a", "transpose_b"),
    "BatchMatMul": ("adj_x", "adj_y"),
    "BatchMatMulV2": ("adj_x", "adj_y"),
}


def _conv2d(call: Call) -> Expr:
    _channels_last(call)
    strides, dilations = (tuple(call.attr(name)[1:3]) for name in ("strides", "dilations"))
    more = "" if dilations == (1, 1) else f", {dilations}"
    return Expr(f"conv({call.inside(0)}, {call.inside(1)}, {strides}, {_padding(call)}{more})")


def _max_pool(call: Call) -> Expr:
    _channels_last(call)
    sizes, strides = (tuple(call.attr(name)) for name in ("ksize", "strides"))
    return Expr(f"max_pool({call.inside(0)}, {sizes}, {strides}, {_padding(call)})")


def _channels_last(call: Call) -> None:
    if call.attr("data_format") != b"NHWC":
        call.refuse("with channels first")


def _padding(call: Call) -> str:
    padding = call.attr("padding").decode()
    if padding not in ("SAME", "VALID"):
        call.refuse("with explicit padding")
    return f'"{padding}"'


def _bias_add(call: Call) -> Expr:
    _channels_last(call)
    return _binary("+", SUM)(call)


def _batch_norm(call: Call) -> list[Expr]:
    _channels_last(call)
    if call.attr("is_training"):
        call.refuse("while training")
    arguments = ", ".join(arg.text for arg in call.args)
    return [Expr(f"batch_norm({arguments}, {np.float32(call.attr('epsilon'))!s})")]


def _reshape(call: Call) -> Expr:
    shape = call.inside(1) if call.known[1] is None else str(tuple(call.value(1)))
    return Expr(f"{grouped(call.args[0], ATOM)}.reshape({shape})")


def _strided_slice(call: Call) -> Expr:
    op = call.op
    masks = {
        name: op.get_attr(f"{name}_mask")
        for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }
    parts = []
    for i, (first, last, step) in enumerate(zip(*(call.value(j) for j in (1, 2, 3)))):
        bit = 1 << i
        if masks["ellipsis"] & bit:
            parts.append("...")
        elif masks["new_axis"] & bit:
            parts.append("None")
        elif masks["shrink_axis"] & bit:
            parts.append(str(first))
        else:
            start = "" if masks["begin"] & bit else str(first)
            stop = "" if masks["end"] & bit else str(last)
            parts.append(f"{start}:{stop}" + (f":{step}" if step != 1 else ""))
    return Expr(f"{grouped(call.args[0], ATOM)}[{', '.join(parts)}]")


def _squeeze(call: Call) -> Expr:
    axes = call.attr("squeeze_dims")
    return Expr(f"jnp.squeeze({call.inside(0)}{f', axis={tuple(axes)}' if axes else ''})")


def _concat(call: Call) -> Expr:
    parts = ", ".join(arg.text for arg in call.args[:-1])
    return Expr(f"jnp.concatenate([{parts}], axis={call.value(-1)})")


def _stack(call: Call) -> Expr:
    parts = ", ".join(arg.text for arg in call.args)
    if _is_shape(call.op):
        return Expr(f"({parts},)" if len(call.args) == 1 else f"({parts})")
    return Expr(f"jnp.stack([{parts}], axis={call.attr('axis')})")


def _is_shape(op: Operation) -> bool:
    """Whether the numbers that are stacked are dimensions, which Python knows."""
    sources = [tensor._op for tensor in op._inputs if tensor._op.type != "Const"]
    return bool(sources) and all(
        source.type == "StridedSlice" and source._inputs[0]._op.type == "Shape"
        for source in sources
    )


def _split(call: Call) -> list[Expr]:
    parts, axis = call.attr("num_split"), call.value(0)
    whole = f"jnp.split({call.inside(1)}, {parts}, axis={axis})"
    return [Expr(f"{whole}[{i}]") for i in range(parts)]


def _gather(call: Call) -> Expr:
    axis = call.value(2) if call.op.type == "GatherV2" else 0
    return Expr(f"jnp.take({call.inside(0)}, {call.inside(1)}, axis={axis})")


def _one_hot(call: Call) -> Expr:
    if (call.value(2), call.value(3), call.attr("axis")) != (1, 0, -1):
        call.refuse("with other values than 1 and 0 on the last axis")
    return Expr(f"jax.nn.one_hot({call.inside(0)}, {call.value(1)})")


def _cast(call: Call) -> Expr:
    return Expr(f"{grouped(call.args[0], ATOM)}.astype(jnp.{call.attr('DstT').name})")


def _where(condition: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        a, *rest = (grouped(arg, ATOM) for arg in call.args)
        b = rest[0] if rest else ""
        return Expr(condition.format(a=a, b=b, call=call))

    return write


def _leaky_relu(call: Call) -> Expr:
    x, slope = grouped(call.args[0], ATOM), np.float32(call.attr("alpha"))
    return Expr(f"jnp.where({x} > 0, {x}, {slope!s} * {x})")


def _add_n(call: Call) -> Expr:
    return Expr(" + ".join(grouped(arg, SUM) for arg in call.args), SUM)


def _cross_entropy(call: Call) -> list[Expr]:
    logits, labels = call.args
    return [Expr(f"cross_entropy({logits.text}, {labels.text})")]


def _size(call: Call) -> Expr:
    return Expr(f"{grouped(call.args[0], ATOM)}.size")


def _fill(call: Call) -> Expr:
    shape = call.inside(0) if call.known[0] is None else str(tuple(call.value(0)))
    return Expr(f"jnp.full({shape}, {call.inside(1)}, jnp.{call.attr('T').name})")


def _range(call: Call) -> Expr:
    return Expr(f"jnp.arange({', '.join(arg.text for arg in call.args)})")


def _pad(call: Call) -> Expr:
    return Expr(f"jnp.pad({call.inside(0)}, {call.value(1)})")


def _softmax(name: str) -> Callable[[Call], Expr]:
    return lambda call: Expr(f"jax.nn.{name}({call.inside(0)})")


WRITERS: dict[str, Callable[[Call], Expr | list[Expr]]] = {
    "Add": _binary("+", SUM),
    "AddV2": _binary("+", SUM),
    "Sub": _binary("-", SUM),
    "Mul": _binary("*", PRODUCT),
    "RealDiv": _binary("/", PRODUCT),
    "Greater": _binary(">", COMPARISON),
    "GreaterEqual": _binary(">=", COMPARISON),
    "Less": _binary("<", COMPARISON),
    "LessEqual": _binary("<=", COMPARISON),
    "Equal": _binary("==", COMPARISON),
    "NotEqual": _binary("!=", COMPARISON),
    "Neg": lambda call: Expr(f"-{grouped(call.args[0], ATOM)}", PRODUCT),
    "Square": _function("jnp.square"),
    "SquaredDifference": lambda call: Expr(
        f"jnp.square({call.inside(0)} - {grouped(call.args[1], SUM + 1)})"
    ),
    "Sqrt": _function("jnp.sqrt"),
    "Rsqrt": _function("lax.rsqrt"),
    "Reciprocal": lambda call: Expr(f"1 / {grouped(call.args[0], PRODUCT + 1)}", PRODUCT),
    "Exp": _function("jnp.exp"),
    "Log": _function("jnp.log"),
    "Log1p": _function("jnp.log1p"),
    "Sign": _function("jnp.sign"),
    "Floor": _function("jnp.floor"),
    "Sin": _function("jnp.sin"),
    "Cos": _function("jnp.cos"),
    "Erf": _function("jax.scipy.special.erf"),
    "Tanh": _function("jnp.tanh"),
    "Sigmoid": _function("jax.nn.sigmoid"),
    "Relu": _function("jax.nn.relu"),
    "Elu": _function("jax.nn.elu"),
    "Softplus": _function("jax.nn.softplus"),
    "LeakyRelu": _leaky_relu,
    "Softmax": _softmax("softmax"),
    "LogSoftmax": _softmax("log_softmax"),
    # At a corner TF's slope, which is not that of jnp.maximum, jnp.minimum, jnp.abs.
    "Maximum": _where("jnp.where({a} >= {b}, {a}, {b})"),
    "Minimum": _where("jnp.where({a} <= {b}, {a}, {b})"),
    "Abs": _where("{a} * jnp.sign({a})"),
    "Select": _function("jnp.where"),
    "SelectV2": _function("jnp.where"),
    "AddN": _add_n,
    "Mean": _reduction("mean"),
    "Sum": _reduction("sum"),
    "Max": _reduction("max"),
    "Min": _reduction("min"),
    "MatMul": _matmul,
    "BatchMatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "BiasAdd": _bias_add,
    "Conv2D": _conv2d,
    "MaxPool": _max_pool,
    "FusedBatchNorm": _batch_norm,
    "FusedBatchNormV3": _batch_norm,
    "Reshape": _reshape,
    "Transpose": lambda call: Expr(f"jnp.transpose({call.inside(0)}, {call.axes(1)})"),
    "ExpandDims": lambda call: Expr(f"jnp.expand_dims({call.inside(0)}, {call.value(1)})"),
    "Squeeze": _squeeze,
    "ConcatV2": _concat,
    "Pack": _stack,
    "Split": _split,
    "StridedSlice": _strided_slice,
    "Shape": lambda call: Expr(f"{grouped(call.args[0], ATOM)}.shape"),
    "GatherV2": _gather,
    "Gather": _gather,
    "ResourceGather": _gather,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Size": _size,
    "Fill": _fill,
    "Range": _range,
    "SparseSoftmaxCrossEntropyWithLogits": _cross_entropy,
    "Cast": _cast,
    "ZerosLike": _function("jnp.zeros_like"),
    "OnesLike": _function("jnp.ones_like"),
    "StopGradient": _function("lax.stop_gradient"),
    "Identity": lambda call: call.args[0],
    "ArgMax": lambda call: Expr(f"jnp.argmax({call.inside(0)}, axis={call.value(1)})"),
}

# Functions that what is written may call; a module gets those that it does.
HELPERS = {
    "conv": '''def conv(x, kernel, strides, padding, dilations=(1, 1)):
    """A convolution of images with channels last."""
    layout = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(
        x, kernel, strides, padding, rhs_dilation=dilations, dimension_numbers=layout
    )''',
    "max_pool": '''def max_pool(x, sizes, strides, padding):
    """The largest element of each window."""
    return lax.reduce_window(x, -jnp.inf, lax.max, sizes, strides, padding)''',
    "cross_entropy": '''def cross_entropy(logits, labels):
    """The cross entropy of each row with its label."""
    log_shares = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(log_shares, labels[..., None], axis=-1)[..., 0]''',
    "batch_norm": '''def batch_norm(x, scale, offset, mean, variance, epsilon):
    """Normalizes with moments that are given; TensorFlow takes them for constants."""
    mean, variance = lax.stop_gradient((mean, variance))
    return (x - mean) * lax.rsqrt(variance + epsilon) * scale + offset''',
}

# What names an argument more than once: it is given a name.
REPEATS = {"Maximum", "Minimum", "Abs", "LeakyRelu"}
