"""A step, or all steps, of a recurrent net as one op: the cells of `tf.contrib.rnn`'s blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jnp, lax, nn
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse


def _check_sizes(ctx: LoweringContext, sizes: dict[str, tuple[int, int, str]]) -> None:
    """Refuses inputs that don't fit together.

    Args:
      ctx: the context of the lowering.
      sizes: what TF calls a size -> (the size, the one it must be, what TF calls that one).
    """
    for name, (found, wanted, text) in sizes.items():
        if found != wanted:
            refuse(ctx, f"{name} != {text}: {found} vs. {wanted}")


# The long short-term memory.

# Where the gates lie in the kernel, said for input, candidate, forget and output gate: either order
# is its own inverse.
_ICFO, _IFCO = (0, 1, 2, 3), (0, 2, 1, 3)


def _gates(values: Any, order: tuple[int, ...]) -> list[Any]:
    """Input, candidate, forget and output gate."""
    parts = jnp.split(values, 4, axis=-1)
    return [parts[place] for place in order]


def _joined(gates: list[Any], order: tuple[int, ...]) -> Any:
    """What `_gates` took apart."""
    return jnp.concatenate([gates[place] for place in order], axis=-1)


def _check_lstm(
    ctx: LoweringContext, x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any, peepholes: Any
) -> None:
    batch, depth = np.shape(x)[-2:]
    cell = np.shape(cs_prev)[1]
    sizes = {
        "cs_prev.dims(0)": (np.shape(cs_prev)[0], batch, "batch_size"),
        "h_prev.dims(0)": (np.shape(h_prev)[0], batch, "batch_size"),
        "h_prev.dims(1)": (np.shape(h_prev)[1], cell, "cell_size"),
        "w.dim_size(0)": (np.shape(w)[0], depth + cell, "input_size + cell_size"),
        "w.dim_size(1)": (np.shape(w)[1], 4 * cell, "cell_size * 4"),
        "b.dim_size(0)": (np.shape(b)[0], 4 * cell, "cell_size * 4"),
    }
    for name, weights in zip(("wci", "wcf", "wco"), peepholes):
        sizes[f"{name}.dim_size(0)"] = (np.shape(weights)[0], cell, "cell_size")
    _check_sizes(ctx, sizes)


def _lstm_step(
    gates: Any, cs_prev: Any, peepholes: Any, forget_bias: float, cell_clip: float,
    order: tuple[int, ...] = _ICFO,
) -> tuple[Any, ...]:  # fmt: skip
    """i, cs, f, o, ci, co and h of a step.

    Args:
      gates: the inputs of the gates [batch, 4 cell].
      cs_prev: the memory.
      peepholes: the weights of the memory at the input, forget and output gate; or None.
      forget_bias: added to the forget gate's input.
      cell_clip: the limit of the memory if positive.
      order: where the gates lie.
    """
    wci, wcf, wco = peepholes or (0.0, 0.0, 0.0)
    i, ci, f, o = _gates(gates, order)
    i = nn.sigmoid(i + cs_prev * wci)
    f = nn.sigmoid(f + forget_bias + cs_prev * wcf)
    ci = jnp.tanh(ci)
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        cs = jnp.clip(cs, -cell_clip, cell_clip)
    o = nn.sigmoid(o + cs * wco)
    co = jnp.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _lstm_step_gradient(
    cs_prev: Any, peepholes: Any, i: Any, f: Any, o: Any, ci: Any, co: Any, cs_grad: Any,
    h_grad: Any, order: tuple[int, ...] = _ICFO,
) -> tuple[Any, Any]:  # fmt: skip
    """The gradients of the gates' inputs and of the memory before; the clipping has gradient 1."""
    wci, wcf, wco = peepholes or (0.0, 0.0, 0.0)
    do = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad + do * wco
    dci = (1 - ci * ci) * dcs * i
    df = f * (1 - f) * dcs * cs_prev
    di = i * (1 - i) * dcs * ci
    return _joined([di, dci, df, do], order), dcs * f + di * wci + df * wcf


def _peephole_gradients(
    dgates: Any, cs_prev: Any, cs: Any, use_peephole: bool, order: tuple[int, ...] = _ICFO
) -> list[Any]:
    """Those of the weights of the memory at the input, forget and output gate."""
    if not use_peephole:
        return [jnp.zeros(cs.shape[-1], cs.dtype)] * 3
    di, _, df, do = _gates(dgates, order)
    axes = tuple(range(di.ndim - 1))
    return [jnp.sum(di * cs_prev, axes), jnp.sum(df * cs_prev, axes), jnp.sum(do * cs, axes)]


@op("LSTMBlockCell")
class LSTMBlockCell:
    def shape(
        x: Any,
        cs_prev: Shape,
        h_prev: Shape,
        w: Shape,
        wci: Shape,
        wcf: Shape,
        wco: Shape,
        b: Shape,
    ) -> Any:
        return [(shapes.with_rank(x, 2)[0], shapes.with_rank(cs_prev, 2)[1])] * 7

    def lower(
        x: Any, cs_prev: Array, h_prev: Array, w: Array, wci: Array, wcf: Array, wco: Array,
        b: Array, *,
        forget_bias: float, cell_clip: float, use_peephole: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_lstm(ctx, x, cs_prev, h_prev, w, b, ())
        gates = jnp.concatenate([x, h_prev], 1) @ w + b
        peepholes = (wci, wcf, wco) if use_peephole else None
        return list(_lstm_step(gates, cs_prev, peepholes, forget_bias, cell_clip))

    def gradient(op: Any, *grads: Any) -> Gradients:
        x, cs_prev, h_prev, w, wci, wcf, wco, b = op.inputs
        i, cs, f, o, ci, co, _ = op.outputs
        batch_size = _known(x, 0)
        input_size, cell_size = _known(x, 1), _known(cs_prev, 1)
        if input_size is None:
            raise ValueError("input_size from `x` should not be None.")
        if cell_size is None:
            raise ValueError("cell_size from `cs_prev` should not be None.")
        batch_size = -1 if batch_size is None else batch_size
        cs_prev_grad, dgates, *peephole_grads = raw_ops.LSTMBlockCellGrad(
            x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, grads[1], grads[6],
            use_peephole=op.get_attr("use_peephole"),
        )  # fmt: skip
        xh_grad = math_ops.matmul(dgates, w, transpose_b=True)
        x_grad = array_ops.slice(xh_grad, (0, 0), (batch_size, input_size))
        h_prev_grad = array_ops.slice(xh_grad, (0, input_size), (batch_size, cell_size))
        xh = array_ops.concat([x, h_prev], 1)
        w_grad = math_ops.matmul(xh, dgates, transpose_a=True)
        b_grad = raw_ops.BiasAddGrad(dgates)
        return [x_grad, cs_prev_grad, h_prev_grad, w_grad, *peephole_grads, b_grad]


def _known(tensor: Any, axis: int) -> int | None:
    return tensor.get_shape().with_rank(2).dims[axis].value


@op("LSTMBlockCellGrad")
class LSTMBlockCellGrad:
    def shape(
        x: Any, cs_prev: Shape, h_prev: Shape, w: Shape, wci: Shape, wcf: Shape, wco: Shape,
        b: Shape, i: Shape,
        cs: Shape, f: Shape, o: Shape, ci: Shape, co: Shape, cs_grad: Shape, h_grad: Shape,
    ) -> Any:  # fmt: skip
        batch, cell = shapes.with_rank(x, 2)[0], shapes.with_rank(cs_prev, 2)[1]
        gates = None if cell is None else 4 * cell
        return [(batch, cell), (batch, gates)] + [(cell,)] * 3

    def lower(
        x: Any, cs_prev: Array, h_prev: Array, w: Array, wci: Array, wcf: Array, wco: Array,
        b: Array, i: Array,
        cs: Array, f: Array, o: Array, ci: Array, co: Array, cs_grad: Array, h_grad: Array, *,
        use_peephole: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_lstm(ctx, x, cs_prev, h_prev, w, b, ())
        peepholes = (wci, wcf, wco) if use_peephole else None
        dgates, cs_prev_grad = _lstm_step_gradient(
            cs_prev, peepholes, i, f, o, ci, co, cs_grad, h_grad
        )
        return [
            cs_prev_grad,
            dgates,
            *_peephole_gradients(dgates, cs_prev, jnp.asarray(cs), use_peephole),
        ]


def _all_steps_shape(
    seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any,
    b: Any,
) -> Any:  # fmt: skip
    time, batch, _ = shapes.with_rank(x, 3)
    (gates,) = shapes.with_rank(b, 1)
    if gates is not None and gates % 4:
        raise ShapeError(f"Dimension size must be evenly divisible by 4 but is {gates}")
    return [(time, batch, None if gates is None else gates // 4)] * 7


def _all_steps(
    ctx: LoweringContext, order: tuple[int, ...], forget_bias: float, cell_clip: float,
    use_peephole: bool,
    seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any,
    b: Any,
) -> list[Any]:  # fmt: skip
    if np.ndim(x) != 3:
        refuse(ctx, "x must be 3D")
    _check_lstm(ctx, x, cs_prev, h_prev, w, b, (wci, wcf, wco))
    time, _, depth = np.shape(x)
    peepholes = (wci, wcf, wco) if use_peephole else None
    # What the inputs add to the gates is one product for all steps.
    from_x = x @ w[:depth] + b

    def step(state: Any, inputs: Any) -> Any:
        t, gates = inputs
        cs, h = state
        found = _lstm_step(gates + h @ w[depth:], cs, peepholes, forget_bias, cell_clip, order)
        active = t < seq_len_max
        found = tuple(jnp.where(active, value, jnp.zeros_like(value)) for value in found)
        return (found[1], found[6]), found

    start = (jnp.asarray(cs_prev), jnp.asarray(h_prev))
    _, outputs = lax.scan(step, start, (np.arange(time), from_x))
    return list(outputs)


def _all_steps_gradient(op: Operation, *grads: Any) -> Any:
    # Of either version TF records the gradient of the first, though the gates lie elsewhere.
    found = raw_ops.BlockLSTMGrad(
        *op.inputs, *op.outputs, grads[1], grads[6], use_peephole=op.get_attr("use_peephole")
    )
    return [None, *found]


@op("BlockLSTM")
class BlockLSTM:
    shape = _all_steps_shape
    gradient = _all_steps_gradient

    def lower(
        seq_len_max: Any, x: Array, cs_prev: Array, h_prev: Array, w: Array, wci: Array,
        wcf: Array, wco: Array,
        b: Array, *, forget_bias: float, cell_clip: float, use_peephole: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        return _all_steps(
            ctx, _ICFO, forget_bias, cell_clip, use_peephole,
            seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b,
        )  # fmt: skip


@op("BlockLSTMV2")
class BlockLSTMV2:
    shape = _all_steps_shape
    gradient = _all_steps_gradient

    def lower(
        seq_len_max: Any, x: Array, cs_prev: Array, h_prev: Array, w: Array, wci: Array,
        wcf: Array, wco: Array,
        b: Array, *, cell_clip: float, use_peephole: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        return _all_steps(
            ctx, _IFCO, 0.0, cell_clip, use_peephole,
            seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b,
        )  # fmt: skip


@op("BlockLSTMGrad", "BlockLSTMGradV2")
class BlockLSTMGrad:
    def shape(
        seq_len_max: Any, x: Shape, cs_prev: Shape, h_prev: Shape, w: Shape, wci: Shape,
        wcf: Shape, wco: Shape,
        b: Shape, *rest: Any,
    ) -> Any:  # fmt: skip
        ranks = (3, 2, 2, 2, 1, 1, 1, 1)
        inputs = (x, cs_prev, h_prev, w, wci, wcf, wco, b)
        return [shapes.with_rank(shape, rank) for shape, rank in zip(inputs, ranks)]

    def lower(
        seq_len_max: Any, x: Array, cs_prev: Array, h_prev: Array, w: Array, wci: Array,
        wcf: Array, wco: Array,
        b: Array, i: Array, cs: Array, f: Array, o: Array, ci: Array, co: Array, h: Array,
        cs_grad: Array,
        h_grad: Array, *, use_peephole: bool, op: Operation, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        order = _IFCO if op.type == "BlockLSTMGradV2" else _ICFO
        if np.ndim(x) != 3:
            refuse(ctx, "x must be 3D")
        _check_lstm(ctx, x, cs_prev, h_prev, w, b, (wci, wcf, wco))
        time, _, depth = np.shape(x)
        peepholes = (wci, wcf, wco) if use_peephole else None
        cs_before = jnp.concatenate([jnp.asarray(cs_prev)[None], cs[:-1]])
        h_before = jnp.concatenate([jnp.asarray(h_prev)[None], h[:-1]])

        def step(state: Any, inputs: Any) -> Any:
            t, cs_before, i, f, o, ci, co, cs_grad, h_grad = inputs
            later_cs_grad, later_h_grad = state
            dgates, cs_before_grad = _lstm_step_gradient(
                cs_before, peepholes, i, f, o, ci, co, cs_grad + later_cs_grad,
                h_grad + later_h_grad, order,
            )  # fmt: skip
            active = t < seq_len_max
            found = dgates, cs_before_grad, dgates @ w[depth:].T
            dgates, *state = (jnp.where(active, g, jnp.zeros_like(g)) for g in found)
            return tuple(state), dgates

        zeros = jnp.zeros_like(jnp.asarray(cs_prev))
        inputs = (np.arange(time), cs_before, i, f, o, ci, co, cs_grad, h_grad)
        (cs_prev_grad, h_prev_grad), dgates = lax.scan(step, (zeros, zeros), inputs, reverse=True)
        xh = jnp.concatenate([x, h_before], axis=2)
        return [
            dgates @ w[:depth].T,
            cs_prev_grad,
            h_prev_grad,
            jnp.einsum("tbi,tbg->ig", xh, dgates),
            *_peephole_gradients(dgates, cs_before, jnp.asarray(cs), use_peephole, order),
            jnp.sum(dgates, (0, 1)),
        ]


# The gated recurrent unit.


def _check_gru(
    ctx: LoweringContext, x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any
) -> None:
    batch, depth = np.shape(x)
    cell = np.shape(h_prev)[1]
    sizes = {
        "h_prev.dims(0)": (np.shape(h_prev)[0], batch, "batch_size"),
        "w_ru.dim_size(0)": (np.shape(w_ru)[0], depth + cell, "input_size + cell_size"),
        "w_ru.dim_size(1)": (np.shape(w_ru)[1], 2 * cell, "cell_size * 2"),
        "w_c.dim_size(0)": (np.shape(w_c)[0], depth + cell, "input_size + cell_size"),
        "w_c.dim_size(1)": (np.shape(w_c)[1], cell, "cell_size"),
        "b_ru.dim_size(0)": (np.shape(b_ru)[0], 2 * cell, "cell_size * 2"),
        "b_c.dim_size(0)": (np.shape(b_c)[0], cell, "cell_size"),
    }
    _check_sizes(ctx, sizes)


@op("GRUBlockCell")
class GRUBlockCell:
    def shape(x: Any, h_prev: Shape, w_ru: Shape, w_c: Shape, b_ru: Shape, b_c: Shape) -> Any:
        return [(shapes.with_rank(x, 2)[0], shapes.with_rank(h_prev, 2)[1])] * 4

    def lower(
        x: Any,
        h_prev: Array,
        w_ru: Array,
        w_c: Array,
        b_ru: Array,
        b_c: Array,
        *,
        ctx: LoweringContext,
    ) -> Any:
        _check_gru(ctx, x, h_prev, w_ru, w_c, b_ru, b_c)
        r, u = jnp.split(nn.sigmoid(jnp.concatenate([x, h_prev], 1) @ w_ru + b_ru), 2, axis=1)
        c = jnp.tanh(jnp.concatenate([x, h_prev * r], 1) @ w_c + b_c)
        return [r, u, c, (1 - u) * c + u * h_prev]

    def gradient(op: Any, *grads: Any) -> Gradients:
        x, h_prev, w_ru, w_c, b_ru, b_c = op.inputs
        r, u, c, _ = op.outputs
        d_x, d_h_prev, d_c_bar, d_r_bar_u_bar = raw_ops.GRUBlockCellGrad(
            x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, grads[3]
        )
        x_h_prev = array_ops.concat([x, h_prev], 1)
        d_w_ru = math_ops.matmul(x_h_prev, d_r_bar_u_bar, transpose_a=True)
        d_b_ru = raw_ops.BiasAddGrad(d_r_bar_u_bar)
        x_h_prevr = array_ops.concat([x, h_prev * r], 1)
        d_w_c = math_ops.matmul(x_h_prevr, d_c_bar, transpose_a=True)
        return [d_x, d_h_prev, d_w_ru, d_w_c, d_b_ru, raw_ops.BiasAddGrad(d_c_bar)]


@op("GRUBlockCellGrad")
class GRUBlockCellGrad:
    def shape(
        x: Any, h_prev: Shape, w_ru: Shape, w_c: Shape, b_ru: Shape, b_c: Shape, r: Shape,
        u: Shape, c: Shape,
        d_h: Shape,
    ) -> Any:  # fmt: skip
        batch, depth = shapes.with_rank(x, 2)
        cell, gates = shapes.with_rank(h_prev, 2)[1], shapes.with_rank(w_ru, 2)[1]
        return [(batch, depth), (batch, cell), (batch, cell), (batch, gates)]

    def lower(
        x: Any, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array, r: Array,
        u: Array, c: Array,
        d_h: Array, *, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_gru(ctx, x, h_prev, w_ru, w_c, b_ru, b_c)
        depth = np.shape(x)[1]
        d_c_bar = d_h * (1 - u) * (1 - c * c)
        d_u_bar = d_h * (h_prev - c) * u * (1 - u)
        d_x_h_prevr = d_c_bar @ w_c.T
        d_h_prevr = d_x_h_prevr[:, depth:]
        d_r_bar = d_h_prevr * h_prev * r * (1 - r)
        d_r_bar_u_bar = jnp.concatenate([d_r_bar, d_u_bar], 1)
        d_x_h_prev = d_r_bar_u_bar @ w_ru.T
        d_x = d_x_h_prev[:, :depth] + d_x_h_prevr[:, :depth]
        d_h_prev = d_x_h_prev[:, depth:] + d_h_prevr * r + d_h * u
        return [d_x, d_h_prev, d_c_bar, d_r_bar_u_bar]
