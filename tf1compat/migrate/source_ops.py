"""How operations are written in JAX: a line of the table each.

What is written has the gradient that `tf.gradients` has, corners included: where JAX's function has
another slope there, it is written otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from tf1compat.migrate.source_call import Call, Written
from tf1compat.migrate.source_control import array_of
from tf1compat.migrate.source_needs import (
    index_of,
    keeps_form,
    known_value,
    resolved,
    takes_each,
    unread_by,
)
from tf1compat.migrate.source_text import (
    ATOM,
    COMPARISON,
    POWER,
    PRODUCT,
    SUM,
    Expr,
    grouped,
    power_text,
    slice_text,
    split_arguments,
)

Writer = Callable[[Call], Written]


def binary(sign: str, binds: int) -> Callable[[Call], Expr]:
    """An operator between two inputs."""

    def write(call: Call) -> Expr:
        left, right = call.args
        return Expr(f"{grouped(left, binds)} {sign} {grouped(right, binds + 1)}", binds)

    return write


def _unless(neutral: int, write: Callable[[Call], Expr]) -> Callable[[Call], Expr]:
    """An operation that does nothing if one of its inputs is a certain number."""

    def shorter(call: Call) -> Expr:
        for i, other in ((0, 1), (1, 0)):
            known = call.known[i]
            if known is None or not known.size or np.any(known != neutral):
                continue
            if known.ndim == 0 or known.shape == call.op._inputs[other]._shape:
                return call.args[other]
        return write(call)

    return shorter


def _sum(call: Call) -> Expr:
    """A sum; a negative number is taken away."""
    left, right = call.args
    if right.text.startswith("-") and call.known[1] is not None and call.known[1].ndim == 0:
        return Expr(f"{grouped(left, SUM)} - {right.text[1:]}", SUM)
    return Expr(f"{grouped(left, SUM)} + {grouped(right, SUM + 1)}", SUM)


def _divided(call: Call) -> Expr:
    known = call.known[1]
    if known is not None and known.size and np.all(known == 1):
        if known.shape in ((), call.op._inputs[0]._shape):
            return call.args[0]
    return binary("/", PRODUCT)(call)


def _function(name: str) -> Callable[[Call], Expr]:
    return lambda call: Expr(f"{name}({', '.join(arg.text for arg in call.args)})")


def _reduction(name: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        keep = ", keepdims=True" if call.attr("keep_dims") else ""
        if call.op._inputs[0]._shape == () and name not in ("all", "any"):
            return call.args[0]  # Of one element.
        if _is_all_axes(call):
            return Expr(f"jnp.{name}({call.inside(0)}{keep})")
        axes = call.value(1)
        if isinstance(axes, list) and len(axes) == 1:
            axes = axes[0]
        where = axes if isinstance(axes, int) else tuple(axes)
        return Expr(f"jnp.{name}({call.inside(0)}, axis={where}{keep})")

    return write


def _is_all_axes(call: Call) -> bool:
    if call.known[1] is not None:
        axes = call.value(1)
        rank = call.rank(0)
        return not isinstance(axes, int) and sorted(a % max(rank, 1) for a in axes) == list(
            range(rank)
        )
    axes = call.op._inputs[1]._op
    if axes.type != "Range":
        return False
    first, rank, step = axes._inputs
    bounds = [known_value(first), known_value(step)]
    whole = [bound is not None and bound == n for bound, n in zip(bounds, (0, 1), strict=True)]
    return all(whole) and rank._op.type == "Rank" and rank._op._inputs[0] is call.op._inputs[0]


def _matmul(call: Call) -> Expr:
    flags = [call.attr(name) for name in _TRANSPOSES[call.op.type]]
    left, right = (
        Expr(f"{grouped(arg, ATOM)}.{'T' if call.rank(i) == 2 else 'mT'}") if flag else arg
        for i, (arg, flag) in enumerate(zip(call.args, flags))
    )
    return product(left, right)


_TRANSPOSES = {
    "MatMul": ("transpose_a", "transpose_b"),
    "BatchMatMul": ("adj_x", "adj_y"),
    "BatchMatMulV2": ("adj_x", "adj_y"),
}


def product(left: Expr, right: Expr) -> Expr:
    """A product of matrices."""
    return Expr(f"{grouped(left, PRODUCT)} @ {grouped(right, PRODUCT + 1)}", PRODUCT)


def _transpose(call: Call) -> Expr:
    axes = call.value(1)
    if axes == list(range(len(axes))):
        return call.args[0]
    return Expr(f"jnp.transpose({call.inside(0)}, {call.axes(1)})")


def _reshape(call: Call) -> Expr:
    if unread_by(call.op) is not None:
        after = call.op._outputs[0]._shape or ()
        shape = str(tuple(-1 if size is None else size for size in after))
    else:
        shape = call.shape(1)
    if _keeps_form(call, shape):
        return call.args[0]
    return call.on(0, f".reshape({shape})")


def _keeps_form(call: Call, shape: str) -> bool:
    """Whether the shape that a tensor is given is its own."""
    before = call.op._inputs[0]._shape
    if before is None or call.op._inputs[1]._shape != (len(before),) or call.plain[0].static:
        return False
    size = len(before)
    return keeps_form(call.op) or shape == f"(-1, *{call.plain[0].text}.shape[1:{size}])"


def _strided_slice(call: Call) -> Expr:
    op = call.op
    masks = {
        name: op.get_attr(f"{name}_mask")
        for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }
    index = index_of(op)
    if index is not None:
        first = [call.value_of(t).text for t in index]
        bounds = zip(first, call.value_at(2), call.value(3), strict=True)
    else:
        bounds = zip(*(call.value(j) for j in (1, 2, 3)), strict=True)
    parts = []
    for i, (first, last, step) in enumerate(bounds):
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
            if last is None and stop:
                call.refuse("whose end is computed")
            parts.append(f"{start}:{stop}" + (f":{step}" if step != 1 else ""))
    return call.on(0, f"[{', '.join(parts)}]")


def _slice(call: Call) -> Expr:
    first, sizes = call.static(1), call.static(2)
    if first is None and sizes is not None:
        begin = call.op._inputs[1]._op
        if begin.type != "Pack" or "-1" in [_item(call, 2, i) for i in range(call.rank(0))]:
            call.refuse("whose bounds are computed")
        return Expr(f"lax.dynamic_slice({call.inside(0)}, {call.inside(1)}, {call.shape(2)})")
    if first is None or sizes is None:
        call.refuse("whose bounds are computed")
    parts = []
    for i in range(call.rank(0)):
        begin = _item(call, 1, i)
        size = _item(call, 2, i)
        if size == "-1":
            end = ""
        elif begin == "0":
            end = size
        else:
            both = begin.isdigit() and size.isdigit()
            end = str(int(begin) + int(size)) if both else f"{begin} + {size}"
        parts.append(slice_text("" if begin == "0" else begin, end))
    while len(parts) > 1 and parts[-1] == ":":
        parts.pop()
    return call.on(0, f"[{', '.join(parts)}]")


def _item(call: Call, index: int, at: int) -> str:
    """One number of an input that Python knows."""
    if call.known[index] is not None:
        return str(call.value(index)[at])
    whole = call.plain[index].text
    if whole.startswith("("):
        return split_arguments(whole[1:-1])[at]
    return f"{whole}[{at}]"


def _squeeze(call: Call) -> Expr:
    axes = call.attr("squeeze_dims")
    return Expr(f"jnp.squeeze({call.inside(0)}{f', axis={tuple(axes)}' if axes else ''})")


def _concat(call: Call) -> Expr:
    parts = ", ".join(arg.text for arg in call.args[:-1])
    return Expr(f"jnp.concatenate([{parts}], axis={call.value(-1)})")


def _stack(call: Call) -> Expr:
    parts = ", ".join(arg.text for arg in call.args)
    axis = call.attr("axis")
    if all(arg.static for arg in call.args):
        return Expr(f"jnp.array([{parts}], jnp.{call.attr('T').name})")
    return Expr(f"jnp.stack([{parts}]{f', axis={axis}' if axis else ''})")


def _unstack(call: Call) -> list[Expr]:
    axis = call.attr("axis") % call.rank(0)
    before = ":, " * axis
    return [call.on(0, f"[{before}{i}]") for i in range(call.attr("num"))]


def _split(call: Call) -> list[Expr]:
    parts, axis = call.attr("num_split"), call.value(0) % call.rank(1)
    size = (call.op._inputs[1]._shape or ())[axis]
    if size is None:
        return [
            Expr(f"jnp.split({call.inside(1)}, {parts}, axis={axis})[{i}]") for i in range(parts)
        ]
    return _pieces(call, 1, axis, [size // parts] * parts)


def _split_sizes(call: Call) -> list[Expr]:
    return _pieces(call, 0, call.value(2) % call.rank(0), call.value(1))


def _pieces(call: Call, index: int, axis: int, sizes: list[int]) -> list[Expr]:
    if -1 in sizes:
        call.refuse("with a size of -1")
    last = len(call.op._inputs[index]._shape or ()) - 1
    before = "..., " if axis == last and last else ":, " * axis
    found, first = [], 0
    for size in sizes:
        end = first + size
        stop = "" if len(found) == len(sizes) - 1 else end
        found.append(call.on(index, f"[{before}{first or ''}:{stop}]"))
        first = end
    return found


def _gather(call: Call) -> Expr:
    axis = call.value(2) if call.op.type == "GatherV2" else 0
    if axis == 0 and takes_each(call.op):
        return call.args[0]
    return Expr(f"jnp.take({call.inside(0)}, {call.inside(1)}, axis={axis})")


def _gather_nd(call: Call) -> Expr:
    return call.on(0, f"[tuple(jnp.moveaxis({call.inside(1)}, -1, 0))]")


def _segment_sum(call: Call) -> Expr:
    return Expr(f"jax.ops.segment_sum({call.inside(0)}, {call.inside(1)}, {call.shape(2)})")


def _one_hot(call: Call) -> Expr:
    dtype = call.attr("T").name
    plain = all(
        known is not None and known == n for known, n in zip(call.known[2:], (1, 0), strict=True)
    )
    axis = "" if call.attr("axis") == -1 else f", axis={call.attr('axis')}"
    if not plain:
        found = f"jax.nn.one_hot({call.inside(0)}, {call.shape(1)}, dtype=bool{axis})"
        values = ", ".join(f"jnp.{dtype}({call.inside(i)})" for i in (2, 3))
        return Expr(f"jnp.where({found}, {values})")
    kind = "" if dtype == "float32" else f", dtype=jnp.{dtype}"
    return Expr(f"jax.nn.one_hot({call.inside(0)}, {call.shape(1)}{kind}{axis})")


def _cast(call: Call) -> Expr:
    if call.args[0].static and call.rank(0) == 0:
        return Expr(f"jnp.{call.attr('DstT').name}({call.args[0].text})")
    return call.on(0, f".astype(jnp.{call.attr('DstT').name})")


def _repeated(text: str, binds: int = ATOM) -> Callable[[Call], Expr]:
    """What names its inputs more than once."""

    def write(call: Call) -> Expr:
        a, *rest = (grouped(arg, ATOM) for arg in call.args)
        return Expr(text.format(a=a, b=rest[0] if rest else ""), binds)

    return write


def _extreme(sign: str, reversed_sign: str) -> Callable[[Call], Expr]:
    """The larger or the smaller one; a number stands on the right of the comparison."""

    def write(call: Call) -> Expr:
        a, b = (grouped(arg, ATOM) for arg in call.args)
        number = call.known[0] is not None and call.known[0].ndim == 0 and call.known[1] is None
        test = f"{b} {reversed_sign} {a}" if number else f"{a} {sign} {b}"
        return Expr(f"jnp.where({test}, {a}, {b})")

    return write


def _leaky_relu(call: Call) -> Expr:
    x, slope = grouped(call.args[0], ATOM), np.float32(call.attr("alpha"))
    return Expr(f"jnp.where({x} > 0, {x}, {slope!s} * {x})")


def _clip(call: Call) -> Expr:
    x, low, high = (arg.text for arg in call.args)
    return Expr(f"jnp.where({x} < {low}, {low}, jnp.where({x} > {high}, {high}, {x}))")


def _same_everywhere(value: np.ndarray | None) -> str | None:
    """The number that all elements of an array are."""
    if value is None or not value.ndim or not value.size or value.dtype.kind not in "fi":
        return None
    first = value.flat[0]
    return str(first) if np.isfinite(first) and np.all(value == first) else None


def _select(call: Call) -> Expr:
    condition, a, b = call.args
    for known, other in ((1, 2), (2, 1)):
        number = _same_everywhere(call.known[known])
        if number is not None and call.known[other] is None:
            a, b = (Expr(number), b) if known == 1 else (a, Expr(number))
    more = call.rank(1) - call.rank(0)
    if call.op.type == "Select" and call.rank(0) == 1 and more:
        condition = Expr(f"{grouped(condition, ATOM)}[:{', None' * more}]")
    return Expr(f"jnp.where({condition.text}, {a.text}, {b.text})")


def _add_n(call: Call) -> Expr:
    return Expr(" + ".join(grouped(arg, SUM) for arg in call.args), SUM)


def _fill(call: Call) -> Expr:
    value = call.args[1].text
    kind = call.op._outputs[0]._dtype.name
    name = {"0.0": "zeros", "1.0": "ones"}.get(value)
    if name and kind == "float32":
        return Expr(f"jnp.{name}({call.shape(0)})")
    return Expr(f"jnp.full({call.shape(0)}, {value}, jnp.{kind})")


def _range(call: Call) -> Expr:
    first, limit, step = (call.shape(i) for i in range(3))
    parts = [first, limit, step] if step != "1" else [first, limit] if first != "0" else [limit]
    return Expr(f"jnp.arange({', '.join(parts)})")


def _pad(call: Call) -> Expr:
    widths = tuple(map(tuple, call.value(1)))
    value = "" if call.op.type == "Pad" else f", constant_values={call.inside(2)}"
    mode = ""
    if call.op.type == "MirrorPad":
        value, mode = "", f', mode="{call.attr("mode").decode().lower()}"'
    return Expr(f"jnp.pad({call.inside(0)}, {widths}{mode}{value})")


def _cumulative(name: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        if call.attr("exclusive"):
            call.refuse("exclusive")
        axis = call.value(1)
        if not call.attr("reverse"):
            return Expr(f"jnp.{name}({call.inside(0)}, axis={axis})")
        from_the_end = f"jnp.flip({call.inside(0)}, {axis})"
        return Expr(f"jnp.flip(jnp.{name}({from_the_end}, axis={axis}), {axis})")

    return write


def _index(name: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        kind = call.attr("output_type").name
        more = "" if kind == "int64" else f".astype(jnp.{kind})"
        return Expr(f"jnp.{name}({call.inside(0)}, axis={call.value(1)}){more}")

    return write


def _top(call: Call) -> list[Expr]:
    return [Expr(f"lax.top_k({call.inside(0)}, {call.shape(1)})[{i}]") for i in range(2)]


def _band(call: Call) -> Expr:
    lower, upper = call.value(1), call.value(2)
    if upper in (0, -1) and lower in (0, -1) and lower != upper:
        return Expr(f"jnp.{'tril' if upper == 0 else 'triu'}({call.inside(0)})")
    return call.refuse("with a band")


def _range_of(op: object, value: str, call: Call) -> bool:
    """Whether indices are 0, 1, ... for all elements of a TensorArray."""
    indices = resolved(call.op._inputs[1])._op
    if indices.type != "Range":
        return False
    first, limit, step = indices._inputs
    return all(
        known_value(t) is not None and known_value(t) == n for t, n in ((first, 0), (step, 1))
    )


def _array_gather(call: Call) -> Expr:
    flow = call.args[2]
    if _range_of(call.op, "", call):
        return flow
    return Expr(f"{grouped(flow, ATOM)}[{call.inside(1)}]")


def _array_scatter(call: Call) -> Expr:
    flow = resolved(call.op._inputs[3])
    if flow._op is not array_of(call.op) or not _range_of(call.op, "", call):
        call.refuse("of some elements of a TensorArray")
    return call.args[2]


def _array_write(call: Call) -> Expr:
    return Expr(f"{grouped(call.args[3], ATOM)}.at[{call.inside(1)}].set({call.inside(2)})")


def _array_size(call: Call) -> Expr:
    array_of(call.op)
    flow = call.args[1]
    return Expr(f"{grouped(flow, ATOM)}.shape[0]", static=True)


WRITERS: dict[str, Writer] = {
    "Add": _unless(0, _sum),
    "AddV2": _unless(0, _sum),
    "Sub": binary("-", SUM),
    "Mul": _unless(1, binary("*", PRODUCT)),
    "RealDiv": _divided,
    "FloorDiv": binary("//", PRODUCT),
    "FloorMod": binary("%", PRODUCT),
    "Pow": lambda call: Expr(
        power_text(*(grouped(arg, ATOM) for arg in call.args)),
        POWER,
    ),
    "Greater": binary(">", COMPARISON),
    "GreaterEqual": binary(">=", COMPARISON),
    "Less": binary("<", COMPARISON),
    "LessEqual": binary("<=", COMPARISON),
    "Equal": binary("==", COMPARISON),
    "NotEqual": binary("!=", COMPARISON),
    "LogicalAnd": _function("jnp.logical_and"),
    "LogicalOr": _function("jnp.logical_or"),
    "LogicalNot": _function("jnp.logical_not"),
    "Neg": lambda call: Expr(f"-{grouped(call.args[0], ATOM)}", PRODUCT),
    "Square": _function("jnp.square"),
    "SquaredDifference": lambda call: Expr(
        f"jnp.square({call.inside(0)} - {grouped(call.args[1], SUM + 1)})"
    ),
    "Sqrt": _function("jnp.sqrt"),
    "Rsqrt": _function("lax.rsqrt"),
    "Reciprocal": lambda call: Expr(f"1 / {grouped(call.args[0], PRODUCT + 1)}", PRODUCT),
    "Inv": lambda call: Expr(f"1 / {grouped(call.args[0], PRODUCT + 1)}", PRODUCT),
    "DivNoNan": _function("div_no_nan"),
    "Exp": _function("jnp.exp"),
    "Expm1": _function("jnp.expm1"),
    "Log": _function("jnp.log"),
    "Log1p": _function("jnp.log1p"),
    "Sign": _function("jnp.sign"),
    "Floor": _function("jnp.floor"),
    "Ceil": _function("jnp.ceil"),
    "Round": _function("jnp.round"),
    "Rint": _function("jnp.round"),
    "IsFinite": _function("jnp.isfinite"),
    "IsNan": _function("jnp.isnan"),
    "Sin": _function("jnp.sin"),
    "Cos": _function("jnp.cos"),
    "Tan": _function("jnp.tan"),
    "Sinh": _function("jnp.sinh"),
    "Cosh": _function("jnp.cosh"),
    "Atan": _function("jnp.arctan"),
    "Atan2": _function("jnp.arctan2"),
    "Asin": _function("jnp.arcsin"),
    "Acos": _function("jnp.arccos"),
    "Asinh": _function("jnp.arcsinh"),
    "Acosh": _function("jnp.arccosh"),
    "Atanh": _function("jnp.arctanh"),
    "Erf": _function("jax.scipy.special.erf"),
    "Erfc": _function("jax.scipy.special.erfc"),
    "Lgamma": _function("jax.scipy.special.gammaln"),
    "Digamma": _function("jax.scipy.special.digamma"),
    "Tanh": _function("jnp.tanh"),
    "Sigmoid": _function("jax.nn.sigmoid"),
    "Relu": _function("jax.nn.relu"),
    "Relu6": _repeated("jnp.where({a} < 6, jax.nn.relu({a}), 6.0)"),
    "Elu": _function("jax.nn.elu"),
    "Selu": _repeated("jnp.where({a} < 0, jax.nn.selu({a}), 1.05070098 * {a})"),
    "Softplus": _function("jax.nn.softplus"),
    "Softsign": _function("jax.nn.soft_sign"),
    "LeakyRelu": _leaky_relu,
    "Softmax": _function("jax.nn.softmax"),
    "LogSoftmax": _function("jax.nn.log_softmax"),
    # At a corner TF's slope, which is not that of jnp.maximum, jnp.minimum, jnp.abs.
    "Maximum": _extreme(">=", "<="),
    "Minimum": _extreme("<=", ">="),
    "Abs": _repeated("{a} * jnp.sign({a})", PRODUCT),
    "ClipByValue": _clip,
    "Select": _select,
    "SelectV2": _select,
    "AddN": _add_n,
    "Mean": _reduction("mean"),
    "Sum": _reduction("sum"),
    "Prod": _reduction("prod"),
    "Max": _reduction("max"),
    "Min": _reduction("min"),
    "All": _reduction("all"),
    "Any": _reduction("any"),
    "Cumsum": _cumulative("cumsum"),
    "Cumprod": _cumulative("cumprod"),
    "MatMul": _matmul,
    "BatchMatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "Reshape": _reshape,
    "Transpose": _transpose,
    "ExpandDims": lambda call: Expr(f"jnp.expand_dims({call.inside(0)}, {call.value(1)})"),
    "Squeeze": _squeeze,
    "ConcatV2": _concat,
    "Pack": _stack,
    "Unpack": _unstack,
    "Split": _split,
    "SplitV": _split_sizes,
    "StridedSlice": _strided_slice,
    "Slice": _slice,
    "Tile": lambda call: Expr(f"jnp.tile({call.inside(0)}, {call.shape(1)})"),
    "BroadcastTo": lambda call: Expr(f"jnp.broadcast_to({call.inside(0)}, {call.shape(1)})"),
    "ReverseV2": lambda call: Expr(f"jnp.flip({call.inside(0)}, {call.axes(1)})"),
    "Shape": lambda call: Expr(f"{grouped(call.args[0], ATOM)}.shape", static=True),
    "ShapeN": lambda call: [Expr(f"{grouped(x, ATOM)}.shape", static=True) for x in call.args],
    "Rank": lambda call: Expr(f"jnp.ndim({call.inside(0)})", static=True),
    "Size": lambda call: Expr(f"{grouped(call.args[0], ATOM)}.size", static=True),
    "GatherV2": _gather,
    "Gather": _gather,
    "ResourceGather": _gather,
    "GatherNd": _gather_nd,
    "UnsortedSegmentSum": _segment_sum,
    "OneHot": _one_hot,
    "Pad": _pad,
    "PadV2": _pad,
    "MirrorPad": _pad,
    "Fill": _fill,
    "Range": _range,
    "MatrixBandPart": _band,
    "TopKV2": _top,
    "Cast": _cast,
    "ZerosLike": _function("jnp.zeros_like"),
    "OnesLike": _function("jnp.ones_like"),
    "StopGradient": _function("lax.stop_gradient"),
    "PreventGradient": lambda call: call.plain[0],
    "Identity": lambda call: call.plain[0],
    "IdentityN": lambda call: list(call.plain),
    "PlaceholderWithDefault": lambda call: call.plain[0],
    "Snapshot": lambda call: call.plain[0],
    "CheckNumerics": lambda call: call.plain[0],
    "Print": lambda call: call.plain[0],
    "ArgMax": _index("argmax"),
    "ArgMin": _index("argmin"),
    "TensorArrayReadV3": lambda call: Expr(f"{grouped(call.args[2], ATOM)}[{call.inside(1)}]"),
    "TensorArrayWriteV3": _array_write,
    "TensorArrayGatherV3": _array_gather,
    "TensorArrayScatterV3": _array_scatter,
    "TensorArraySizeV3": _array_size,
    # What the gradients of operations are made of.
    "ReluGrad": lambda call: Expr(f"jnp.where({call.inside(1)} > 0, {call.inside(0)}, 0)"),
    "TanhGrad": _repeated("{b} * (1 - jnp.square({a}))", PRODUCT),
    "SigmoidGrad": _repeated("{b} * {a} * (1 - {a})", PRODUCT),
}

# What names an input more than once, or is best called on a name.
REPEATS = {
    "Maximum",
    "Minimum",
    "Abs",
    "LeakyRelu",
    "Relu6",
    "Selu",
    "ClipByValue",
    "SigmoidGrad",
    "Shape",
    "ShapeN",
    "Size",
    "Unpack",
    "Split",
    "SplitV",
    "Multinomial",
}


# Dimensions: what Python knows while JAX traces stays a Python number or tuple.


def _static_slice(call: Call) -> Expr | None:
    if any(call.attr(f"{name}_mask") for name in ("ellipsis", "new_axis")):
        return None
    if any(call.known[i] is None for i in (1, 2, 3)) or call.value(3) != [1]:
        return None
    first, last = call.value(1)[0], call.value(2)[0]
    whole = grouped(call.plain[0], ATOM)
    if call.attr("shrink_axis_mask"):
        return Expr(_item(call, 0, first), static=True)
    start = "" if call.attr("begin_mask") or not first else first
    stop = "" if call.attr("end_mask") else last
    return Expr(f"{whole}[{start}:{stop}]", static=True)


def _static_part(call: Call) -> Expr | None:
    if call.known[1] is None or call.known[2] is None:
        return None
    first, size = call.value(1)[0], call.value(2)[0]
    last = "" if size == -1 else first + size
    return Expr(f"{grouped(call.plain[0], ATOM)}[{first or ''}:{last}]", static=True)


def _static_numbers(text: str, binds: int = ATOM) -> Callable[[Call], Expr | None]:
    """What numbers give; tuples are no numbers."""

    def write(call: Call) -> Expr | None:
        numbers = [call.static(i) for i in range(len(call.plain))]
        if any(call.op._inputs[i]._shape != () or n is None for i, n in enumerate(numbers)):
            return None
        least = 0 if binds == ATOM else binds  # Arguments of a call need no brackets.
        a, *rest = (grouped(n, least + (i > 0)) for i, n in enumerate(numbers) if n)
        return Expr(text.format(a=a, b=rest[0] if rest else ""), binds, True)

    return write


def _static_minimum(call: Call) -> Expr | None:
    parts = [call.static(i) for i in range(2)]
    for one, other in (parts, parts[::-1]):
        # No more than itself or something else, as dynamic_rnn has it.
        if one and other and other.text.startswith("max("):
            if one.text in split_arguments(other.text[4:-1]):
                return one
    return _static_numbers("min({a}, {b})")(call)


def _static_tuple(call: Call) -> Expr | None:
    if call.attr("axis"):
        return None
    parts = [call.static(i) for i in range(len(call.plain))]
    if any(p is None or t._shape != () for p, t in zip(parts, call.op._inputs, strict=True)):
        return None
    return Expr(f"({', '.join(p.text for p in parts if p)}{',' * (len(parts) == 1)})", static=True)


def _static_concat(call: Call) -> Expr | None:
    parts = [call.static(i) for i in range(len(call.plain) - 1)]
    if any(p is None or len(t._shape or ()) != 1 for p, t in zip(parts, call.op._inputs)):
        return None
    inside = [
        p.text[1:-1].rstrip(",") if p.text.startswith("(") else f"*{p.text}" for p in parts if p
    ]
    inside = [part for part in inside if part]
    return Expr(f"({', '.join(inside)}{',' * (len(inside) == 1)})", static=True)


def _static_item(call: Call) -> Expr | None:
    if call.known[1] is None or call.op._inputs[0]._shape is None or call.rank(0) != 1:
        return None
    at, whole = call.value(1), grouped(call.plain[0], ATOM)
    if isinstance(at, int):
        return Expr(f"{whole}[{at}]", static=True)
    return Expr(f"({', '.join(f'{whole}[{i}]' for i in at)}{',' * (len(at) == 1)})", static=True)


def _static_product(call: Call) -> Expr | None:
    return Expr(f"math.prod({call.plain[0].text})", static=True)


def _static_broadcast(call: Call) -> Expr | None:
    one, other = (call.static(i) for i in range(2))
    if one is None or other is None:
        return None
    return Expr(f"jnp.broadcast_shapes({one.text}, {other.text})", static=True)


def _wrapped(call: Call) -> Expr | None:
    if call.op._inputs[0]._shape != ():
        return None
    return Expr(f"({call.plain[0].text},)", static=True)


def _only_item(call: Call) -> Expr | None:
    if call.op._inputs[0]._shape != (1,):
        return None
    whole = call.plain[0].text
    # Of a tuple of one, or of a slice of a shape.
    if whole.startswith("(") and whole.endswith(",)"):
        return Expr(whole[1:-2], static=True)
    one = re.fullmatch(r"(.*)\[(\d*):(\d+)\]", whole)
    return Expr(f"{one[1]}[{one[2] or 0}]" if one else f"{whole}[0]", static=True)


def _static_reshape(call: Call) -> Expr | None:
    before, after = call.op._inputs[0]._shape, call.op._outputs[0]._shape
    if before == after:
        return call.plain[0]
    if after == (1,):
        return _wrapped(call)
    return _only_item(call) if after == () else None


def _same(call: Call) -> Expr | None:
    return call.plain[0] if call.op._outputs[0]._dtype.is_integer else None


_STATIC: dict[str, Callable[[Call], Expr | None]] = {
    "StridedSlice": _static_slice,
    "Slice": _static_part,
    "Pack": _static_tuple,
    "ConcatV2": _static_concat,
    "GatherV2": _static_item,
    "Gather": _static_item,
    "Add": _static_numbers("{a} + {b}", SUM),
    "AddV2": _static_numbers("{a} + {b}", SUM),
    "Sub": _static_numbers("{a} - {b}", SUM),
    "Mul": _static_numbers("{a} * {b}", PRODUCT),
    "FloorDiv": _static_numbers("{a} // {b}", PRODUCT),
    "FloorMod": _static_numbers("{a} % {b}", PRODUCT),
    "Maximum": _static_numbers("max({a}, {b})"),
    "Minimum": _static_minimum,
    "Prod": _static_product,
    "BroadcastArgs": _static_broadcast,
    "ExpandDims": _wrapped,
    "Squeeze": _only_item,
    "Reshape": _static_reshape,
    "Identity": _same,
    "Cast": _same,
}


def static_shape(call: Call) -> Expr | None:
    """What an operation on dimensions gives; None if it is on arrays."""
    rule = _STATIC.get(call.op.type)
    some = [e.static for e, k in zip(call.plain, call.known, strict=True) if k is None]
    return rule(call) if rule is not None and some and all(some) else None
