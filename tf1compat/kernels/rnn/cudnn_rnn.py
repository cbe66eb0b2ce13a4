"""cuDNN's nets, computed by XLA on any device, and the buffer that holds all their parameters.

The buffer has cuDNN's order: first the weights of each layer and direction (of the inputs, of the
state before, of the projection), then their biases in the same order. The gates are those of
cuDNN: input, forget, candidate, output; or reset, update, candidate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend import jnp, lax, nn
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import jnp_dtype, refuse, text_of_shape
from tf1compat.kernels.random import philox

# The cells: what follows in a step once the products are known. Their derivatives are JAX's own.


def _lstm(sums: Any, h: Any, c: Any) -> tuple[Any, Any]:
    i, f, candidate, o = jnp.split(sums, 4, axis=-1)
    c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(candidate)
    return nn.sigmoid(o) * jnp.tanh(c), c


def _gru(sums: Any, h: Any, c: Any) -> tuple[Any, Any]:
    r, u, from_x, from_h = jnp.split(sums, 4, axis=-1)
    u = nn.sigmoid(u)
    return (1 - u) * jnp.tanh(from_x + nn.sigmoid(r) * from_h) + u * h, c


# Their gradients: of (sums, h, c), given those of what the cell returns.


def _lstm_grad(sums: Any, h: Any, c: Any, h_grad: Any, c_grad: Any) -> tuple[Any, Any, Any]:
    i, f, candidate, o = jnp.split(sums, 4, axis=-1)
    i, f, candidate, o = nn.sigmoid(i), nn.sigmoid(f), jnp.tanh(candidate), nn.sigmoid(o)
    shown = jnp.tanh(f * c + i * candidate)
    c_grad = c_grad + h_grad * o * (1 - shown * shown)
    parts = [
        c_grad * candidate * i * (1 - i),
        c_grad * c * f * (1 - f),
        c_grad * i * (1 - candidate * candidate),
        h_grad * shown * o * (1 - o),
    ]
    return jnp.concatenate(parts, axis=-1), jnp.zeros_like(h), c_grad * f


def _gru_grad(sums: Any, h: Any, c: Any, h_grad: Any, c_grad: Any) -> tuple[Any, Any, Any]:
    r, u, from_x, from_h = jnp.split(sums, 4, axis=-1)
    r, u = nn.sigmoid(r), nn.sigmoid(u)
    candidate = jnp.tanh(from_x + r * from_h)
    inner = h_grad * (1 - u) * (1 - candidate * candidate)
    parts = [
        inner * from_h * r * (1 - r),
        h_grad * (h - candidate) * u * (1 - u),
        inner,
        inner * r,
    ]
    return jnp.concatenate(parts, axis=-1), h_grad * u, c_grad


def _tanh_grad(sums: Any, h: Any, c: Any, h_grad: Any, c_grad: Any) -> tuple[Any, Any, Any]:
    after = jnp.tanh(sums)
    return h_grad * (1 - after * after), jnp.zeros_like(h), c_grad


def _relu_grad(sums: Any, h: Any, c: Any, h_grad: Any, c_grad: Any) -> tuple[Any, Any, Any]:
    return jnp.where(sums > 0, h_grad, jnp.zeros_like(h_grad)), jnp.zeros_like(h), c_grad


def _sum(from_x: Any, from_h: Any) -> Any:
    return from_x + from_h


def _gru_sums(from_x: Any, from_h: Any) -> Any:
    """Those of the two gates; the candidate's parts stay apart, for the reset gate is applied to
    one of them."""
    gates, candidate = _cut(from_x)
    gates_h, candidate_h = _cut(from_h)
    return jnp.concatenate([gates + gates_h, candidate, candidate_h], axis=-1)


def _cut(values: Any) -> tuple[Any, Any]:
    units = values.shape[-1] // 3
    return values[..., : 2 * units], values[..., 2 * units :]


def _gru_parts(sums: Any) -> tuple[Any, Any]:
    """The gradients of `_gru_sums`' arguments."""
    units = sums.shape[-1] // 4
    gates, from_x, from_h = jnp.split(sums, (2 * units, 3 * units), axis=-1)
    return jnp.concatenate([gates, from_x], axis=-1), jnp.concatenate([gates, from_h], axis=-1)


class _Mode(NamedTuple):
    """How a kind of net computes a step.

    Attributes:
      gates: how many products there are of inputs, and of the state.
      cell: (sums, h, c) -> (h, c).
      grad: (sums, h, c, and the gradients of what `cell` returns) -> the gradients of sums, h, c.
      sums: (products of the inputs, products of the state) -> what `cell` takes.
      parts: the gradient of the sums -> those of the products.
      width: how many units wide the sums are.
    """

    gates: int
    cell: Callable[[Any, Any, Any], tuple[Any, Any]]
    grad: Callable[[Any, Any, Any, Any, Any], tuple[Any, Any, Any]]
    sums: Callable[[Any, Any], Any] = _sum
    parts: Callable[[Any], tuple[Any, Any]] = lambda sums: (sums, sums)
    width: int = 1


_MODES = {
    "lstm": _Mode(4, _lstm, _lstm_grad, width=4),
    "gru": _Mode(3, _gru, _gru_grad, _gru_sums, _gru_parts, width=4),
    "rnn_tanh": _Mode(1, lambda sums, h, c: (jnp.tanh(sums), c), _tanh_grad),
    "rnn_relu": _Mode(1, lambda sums, h, c: (nn.relu(sums), c), _relu_grad),
}


class _Net(NamedTuple):
    """The sizes of a net."""

    mode: str
    layers: int
    units: int
    input_size: int
    directions: int
    skips: bool
    projection: int

    @property
    def gates(self) -> int:
        """How many weights of inputs each layer and direction has, and of the state."""
        return _MODES[self.mode].gates

    @property
    def outputs(self) -> int:
        """The size of a direction's output."""
        return self.projection or self.units

    @property
    def parts(self) -> list[int]:
        """The layers that the parts (layer and direction) belong to, in order."""
        return [layer for layer in range(self.layers) for _ in range(self.directions)]

    def weights(self, layer: int) -> list[tuple[int, int]]:
        """The shapes of the weights of inputs, state and projection in a layer's direction, all
        gates below one another."""
        rows = self.gates * self.units
        columns = self.input_size if layer == 0 else self.directions * self.outputs
        found = [(0 if self.skips and layer == 0 else rows, columns), (rows, self.outputs)]
        return found + ([(self.projection, self.units)] if self.projection else [])

    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of all weights, then of all biases."""
        weights = [shape for layer in self.parts for shape in self.weights(layer)]
        return weights + [(self.gates * self.units,)] * (2 * len(self.parts))

    def canonical(self) -> tuple[list[tuple[int, int]], list[tuple[int]]]:
        """The shapes of the weights and of the biases, each gate by itself."""
        weights = []
        for layer in self.parts:
            inputs, state, *projection = self.weights(layer)
            for rows, columns in (inputs, state):
                weights += [(rows // self.gates, columns)] * self.gates
            weights += projection
        return weights, [(self.units,)] * (2 * self.gates * len(self.parts))

    def size(self) -> int:
        """How many parameters there are."""
        return sum(math.prod(shape) for shape in self.shapes())


def _net(
    ctx: LoweringContext, rnn_mode: str, input_mode: str, direction: str, num_proj: int,
    layers: int,
    units: int, input_size: int,
) -> _Net:  # fmt: skip
    if input_mode == "skip_input" and units != input_size:
        refuse(
            ctx,
            "The inputs can be passed on to the cells (skip_input) only if input_size equals "
            f"num_units: {input_size} vs. {units}",
        )
    if num_proj and rnn_mode != "lstm":
        refuse(ctx, f"Only an lstm has a projection, found {rnn_mode} with num_proj = {num_proj}")
    skips = input_mode != "linear_input" and units == input_size
    directions = 2 if direction == "bidirectional" else 1
    return _Net(rnn_mode, layers, units, input_size, directions, skips, num_proj)


def _take(flat: Any, wanted: list[tuple[int, ...]]) -> list[Any]:
    """The arrays of these shapes that lie one behind the other in a vector."""
    found, start = [], 0
    for shape in wanted:
        size = math.prod(shape)
        found.append(flat[start : start + size].reshape(shape))
        start += size
    return found


def _join(arrays: list[Any]) -> Any:
    """What `_take` takes apart."""
    return jnp.concatenate([jnp.ravel(array) for array in arrays])


class _Part(NamedTuple):
    """The parameters of a layer's direction; `projection` is None where there is none."""

    inputs: Any
    state: Any
    projection: Any
    input_bias: Any
    state_bias: Any


def _parts(net: _Net, params: Any) -> list[_Part]:
    arrays = _take(params, net.shapes())
    count = 3 if net.projection else 2
    found = []
    for i in range(len(net.parts)):
        weights = [*arrays[i * count : (i + 1) * count], None][:3]
        biases = arrays[count * len(net.parts) + 2 * i :][:2]
        found.append(_Part(*weights, *biases))
    return found


def _joined_parts(parts: list[_Part]) -> Any:
    weights = [w for part in parts for w in part[:3] if w is not None]
    return _join(weights + [bias for part in parts for bias in part[3:]])


# All steps of a layer in one direction. Arrays of all steps are [time, batch, size]; `active` tells
# for each step which sequences still run, [time, batch, 1], or is None if all do.


def _where(active: Any, value: Any, other: Any) -> Any:
    return value if active is None or value is None else jnp.where(active, value, other)


def _from_inputs(net: _Net, part: _Part, x: Any, skips: bool) -> Any:
    """What the inputs add to the sums: one product for all steps."""
    products = jnp.tile(x, net.gates) if skips else x @ part.inputs.T
    return products + part.input_bias


def _run_direction(
    net: _Net, part: _Part, x: Any, h: Any, c: Any, active: Any, skips: bool, reverse: bool
) -> tuple[Any, Any, Any, list[Any]]:
    """Outputs, last h and c, and what the gradient needs: the sums and an LSTM's c of each step."""
    mode = _MODES[net.mode]

    def step(state: Any, inputs: Any) -> Any:
        h, c = state
        from_x, active = inputs
        sums = mode.sums(from_x, h @ part.state.T + part.state_bias)
        new_h, new_c = mode.cell(sums, h, c)
        if part.projection is not None:
            new_h = new_h @ part.projection.T
        y = _where(active, new_h, jnp.zeros_like(new_h))
        return (_where(active, new_h, h), _where(active, new_c, c)), (y, sums, new_c)

    inputs = (_from_inputs(net, part, x, skips), active)
    (h, c), (y, sums, cs) = lax.scan(step, (h, c), inputs, reverse=reverse)
    return y, h, c, [sums] if cs is None else [sums, cs]


def _before(values: Any, first: Any, active: Any, reverse: bool) -> Any:
    """The state that each step began with."""
    if values is None:
        return None

    def shifted(values: Any, first: Any) -> Any:
        parts = [values[1:], first[None]] if reverse else [first[None], values[:-1]]
        return jnp.concatenate(parts)

    found = shifted(values, first)
    if active is None:
        return found
    return jnp.where(shifted(active, jnp.zeros_like(active[0])), found, first)


def _differentiate_direction(
    net: _Net, part: _Part, x: Any, h: Any, c: Any, active: Any, skips: bool, reverse: bool,
    y: Any, kept: list[Any], y_grad: Any, h_grad: Any, c_grad: Any,
) -> tuple[Any, Any, Any, _Part]:  # fmt: skip
    """The gradients of x, h, c and the parameters."""
    mode = _MODES[net.mode]
    sums, cs = (*kept, None)[:2]
    h_before, c_before = (_before(v, first, active, reverse) for v, first in ((y, h), (cs, c)))

    def step(state: Any, inputs: Any) -> Any:
        later_h, later_c = state
        y_grad, sums, h_before, c_before, active = inputs
        out_grad = later_h + y_grad
        cell_grad = out_grad if part.projection is None else out_grad @ part.projection
        sums_grad, h_grad, c_grad = mode.grad(sums, h_before, c_before, cell_grad, later_c)
        h_grad = h_grad + mode.parts(sums_grad)[1] @ part.state
        sums_grad = _where(active, sums_grad, jnp.zeros_like(sums_grad))
        out_grad = _where(active, out_grad, jnp.zeros_like(out_grad))
        state = _where(active, h_grad, later_h), _where(active, c_grad, later_c)
        return state, (sums_grad, None if part.projection is None else out_grad)

    inputs = (y_grad, sums, h_before, c_before, active)
    (h_grad, c_grad), (sums_grad, out_grad) = lax.scan(
        step, (h_grad, c_grad), inputs, reverse=not reverse
    )
    from_x, from_h = mode.parts(sums_grad)
    projection = None
    if part.projection is not None:
        outputs, _ = mode.cell(sums, h_before, c_before)
        projection = jnp.einsum("tbp,tbu->pu", out_grad, outputs)
    grads = _Part(
        part.inputs if skips else jnp.einsum("tbg,tbi->gi", from_x, x),
        jnp.einsum("tbg,tbh->gh", from_h, h_before),
        projection,
        jnp.sum(from_x, (0, 1)),
        jnp.sum(from_h, (0, 1)),
    )
    if skips:
        x_grad = sum(jnp.split(from_x, net.gates, axis=-1))
    else:
        x_grad = from_x @ part.inputs
    return x_grad, h_grad, c_grad, grads


# A whole net. What the backward pass needs of the forward pass goes through `reserve_space`: for
# each layer but the last its outputs and its dropout mask, for each direction what it kept.


def _reserved(net: _Net, time: int, batch: int, drops: bool) -> list[tuple[int, ...]]:
    outputs = (time, batch, net.directions * net.outputs)
    width = _MODES[net.mode].width * net.units
    kept = [(time, batch, width)] + [(time, batch, net.units)] * (net.mode == "lstm")
    between = [outputs] * (2 if drops else 1)
    return (kept * net.directions + between) * (net.layers - 1) + kept * net.directions


def _run(
    net: _Net, parts: list[_Part], x: Any, h: Any, c: Any, active: Any, masks: Any
) -> tuple[Any, Any, Any, list[Any]]:
    """Outputs, last h and c (None where there is none), and what is reserved."""
    reserved, hs, cs = [], [], []
    for layer in range(net.layers):
        outputs = []
        for direction in range(net.directions):
            i = layer * net.directions + direction
            y, last_h, last_c, kept = _run_direction(
                net, parts[i], x, h[i], None if c is None else c[i], active,
                net.skips and layer == 0, direction == 1,
            )  # fmt: skip
            outputs.append(y)
            hs.append(last_h)
            cs.append(last_c)
            reserved += kept
        x = jnp.concatenate(outputs, axis=-1)
        if layer < net.layers - 1:
            reserved.append(x)
            if masks is not None:
                x = x * masks[layer]
                reserved.append(masks[layer])
    return x, jnp.stack(hs), None if c is None else jnp.stack(cs), reserved


def _differentiate(
    net: _Net, parts: list[_Part], x: Any, h: Any, c: Any, active: Any, drops: bool, y: Any,
    reserved: list[Any], y_grad: Any, h_grad: Any, c_grad: Any,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """The gradients of x, h, c and the parameters, from the last layer to the first."""
    kept_count = 2 if net.mode == "lstm" else 1
    reserved = list(reserved)
    found: list[Any] = []
    for layer in reversed(range(net.layers)):
        kept = reserved[-net.directions * kept_count :]
        del reserved[-net.directions * kept_count :]
        inputs, mask = x, None
        if layer > 0:
            mask = reserved.pop() if drops else None
            below = reserved.pop()
            inputs = below if mask is None else below * mask
        grads = []
        for direction in range(net.directions):
            i = layer * net.directions + direction
            columns = slice(direction * net.outputs, (direction + 1) * net.outputs)
            grads.append(
                _differentiate_direction(
                    net,
                    parts[i],
                    inputs,
                    h[i],
                    None if c is None else c[i],
                    active,
                    net.skips and layer == 0,
                    direction == 1,
                    y[..., columns],
                    kept[direction * kept_count :][:kept_count],
                    y_grad[..., columns],
                    h_grad[i],
                    None if c is None else c_grad[i],
                )
            )
        found = grads + found
        y_grad = sum(grad[0] for grad in grads)
        if layer > 0:
            y, y_grad = below, y_grad if mask is None else y_grad * mask
    _, hs, cs, part_grads = zip(*found, strict=True)
    c_grad = None if c is None else jnp.stack(cs)
    return y_grad, jnp.stack(hs), c_grad, _joined_parts(list(part_grads))


class _Call(NamedTuple):
    """The inputs of a net in the form in which it runs: time first, c only where there is one."""

    net: _Net
    parts: list[_Part]
    x: Any
    h: Any
    c: Any
    active: Any


def _prepared(
    ctx: LoweringContext, x: Any, h: Any, c: Any, params: Any, lengths: Any, rnn_mode: str,
    input_mode: str,
    direction: str, time_major: bool, num_proj: int,
) -> _Call:  # fmt: skip
    if np.ndim(x) != 3 or np.ndim(h) != 3:
        refuse(ctx, "RNN input must be a 3-D vector.")
    x, h, c, params = (jnp.asarray(value) for value in (x, h, c, params))
    given_h, given_c = np.shape(h), np.shape(c)
    if not time_major:
        x, h = jnp.swapaxes(x, 0, 1), jnp.swapaxes(h, 0, 1)
        c = jnp.swapaxes(c, 0, 1) if rnn_mode == "lstm" and c.ndim == 3 else c
    time, batch, input_size = x.shape
    directions = 2 if direction == "bidirectional" else 1
    units = c.shape[-1] if num_proj and c.ndim else h.shape[2]
    net = _net(
        ctx, rnn_mode, input_mode, direction, num_proj, h.shape[0] // directions, units, input_size
    )
    states = (net.directions * net.layers, batch, net.outputs)
    if h.shape != states:
        wanted = states if time_major else (batch, states[0], states[2])
        refuse(ctx, f"Invalid input_h shape: {_sizes(given_h)} {_sizes(wanted)}")
    if rnn_mode != "lstm":
        c = None
    elif c.shape != (*states[:2], units):
        refuse(
            ctx,
            f"input_h and input_c must have the same shape: {_sizes(given_h)} {_sizes(given_c)}",
        )
    if params.shape != (net.size(),):
        refuse(
            ctx,
            f"Params must be a vector of size {net.size()}, but its shape is "
            f"{text_of_shape(params)}",
        )
    active = None
    if lengths is not None:
        if np.shape(lengths) != (batch,):
            refuse(
                ctx,
                f"sequence_lengths must be a vector of size {batch}, but its shape is "
                f"{text_of_shape(lengths)}",
            )
        active = (np.arange(time, dtype=np.int32)[:, None] < jnp.asarray(lengths))[..., None]
    return _Call(net, _parts(net, params), x, h, c, active)


def _sizes(shape: tuple[int, ...]) -> str:
    return shapes.to_string(shape)


def _masks(
    ctx: LoweringContext, net: _Net, time: int, batch: int, dropout: float, dtype: Any
) -> Any:
    """What the outputs of each layer but the last are multiplied by."""
    shape = (net.layers - 1, time, batch, net.directions * net.outputs)
    count = math.prod(shape)
    key, counter = ctx.rng(philox.RESERVED_PER_OUTPUT * count)
    draws = philox.uniform(key, counter, count, np.float32).reshape(shape)
    scale = 1 / (1 - dropout) if dropout < 1 else 0.0
    return jnp.where(draws >= dropout, jnp.asarray(scale, dtype), jnp.asarray(0, dtype))


def _forward(
    ctx: LoweringContext, x: Any, h: Any, c: Any, params: Any, lengths: Any = None, *,
    is_training: bool,
    dropout: float, time_major: bool = True, **settings: Any,
) -> list[Any]:  # fmt: skip
    """output, output_h, output_c, reserve_space and host_reserved."""
    settings.setdefault("num_proj", 0)
    call = _prepared(ctx, x, h, c, params, lengths, time_major=time_major, **settings)
    net, _, x, *_ = call
    masks = None
    if is_training and dropout > 0 and net.layers > 1:
        time, batch, _ = x.shape
        masks = _masks(ctx, net, time, batch, dropout, x.dtype)
    y, h, c, reserved = _run(*call, masks)
    if not time_major:
        y, h, c = (v if v is None else jnp.swapaxes(v, 0, 1) for v in (y, h, c))
    nothing = jnp.zeros((), x.dtype)
    space = _join(reserved) if is_training else nothing
    return [y, h, nothing if c is None else c, space, np.zeros(0, np.int8)]


def _backward(
    ctx: LoweringContext, x: Any, h: Any, c: Any, params: Any, lengths: Any, y: Any, y_grad: Any,
    h_grad: Any,
    c_grad: Any, space: Any, *, dropout: float, time_major: bool = True, **settings: Any,
) -> list[Any]:  # fmt: skip
    """The gradients of input, input_h, input_c and params."""
    settings.setdefault("num_proj", 0)
    call = _prepared(ctx, x, h, c, params, lengths, time_major=time_major, **settings)
    values = [y, y_grad, h_grad, c_grad if call.c is not None else None]
    y, y_grad, h_grad, c_grad = (v if v is None else jnp.asarray(v) for v in values)
    if not time_major:
        y, y_grad, h_grad, c_grad = (
            v if v is None else jnp.swapaxes(v, 0, 1) for v in (y, y_grad, h_grad, c_grad)
        )
    net, (time, batch, _) = call.net, call.x.shape
    drops = dropout > 0 and net.layers > 1
    wanted = _reserved(net, time, batch, drops)
    size = sum(math.prod(shape) for shape in wanted)
    if np.shape(space) != (size,):
        refuse(ctx, "reserve_space is not that of a forward pass which trains")
    grads = _differentiate(
        *call, drops, y, _take(jnp.asarray(space), wanted), y_grad, h_grad, c_grad
    )
    x_grad, first_h, first_c, params_grad = grads
    if not time_major:
        x_grad, first_h, first_c = (
            v if v is None else jnp.swapaxes(v, 0, 1) for v in (x_grad, first_h, first_c)
        )
    # What has no c is given an array that counts for nothing.
    first_c = jnp.zeros_like(jnp.asarray(c)) if first_c is None else first_c
    return [x_grad, first_h, first_c, params_grad]


# The op types.


def _shape(x: Any, h: Any, c: Any, params: Any, *rest: Any, op: Any) -> Any:
    attrs = op._attrs
    time, batch = (None, None) if x is None else x[:2]
    units = None if h is None else h[2]
    if units is not None and attrs["direction"] == b"bidirectional":
        units *= 2
    last_c = c if op.type == "CudnnRNNV3" else h
    last_c = last_c if attrs["rnn_mode"] == b"lstm" else ()
    return [(time, batch, units), h, last_c, None] + [None] * (len(op.op_def.output_arg) - 4)


def _gradient(op: Any, *grads: Any) -> Any:
    if not op.get_attr("is_training"):
        raise ValueError(f"To use {op.type} in gradients, is_training must be set to True.")
    backprop = getattr(raw_ops, op.type.replace("CudnnRNN", "CudnnRNNBackprop"))
    names = ["dropout", "seed", "seed2", "rnn_mode", "input_mode", "direction"]
    with_lengths = op.type == "CudnnRNNV3"
    names += ["time_major", "num_proj"] if with_lengths else []
    found = backprop(
        *op.inputs, *op.outputs[:3], *grads[:3], *op.outputs[3:],
        **{name: op.get_attr(name) for name in names},
    )  # fmt: skip
    return [*found, None] if with_lengths else list(found)


@op("CudnnRNN", "CudnnRNNV2", random=True, gpu_only=True)
class CudnnRNN:
    shape = _shape
    gradient = _gradient

    def lower(
        x: Any, h: Any, c: Any, params: Any, *, rnn_mode: str, input_mode: str, direction: str,
        dropout: float, is_training: bool, op: Any, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        found = _forward(
            ctx, x, h, c, params, rnn_mode=rnn_mode, input_mode=input_mode, direction=direction,
            dropout=dropout, is_training=is_training,
        )  # fmt: skip
        return found if op.type == "CudnnRNNV2" else found[:4]


@op("CudnnRNNV3", random=True, gpu_only=True)
class CudnnRNNV3:
    shape = _shape
    gradient = _gradient

    def lower(
        x: Any, h: Any, c: Any, params: Any, sequence_lengths: Any, *, rnn_mode: str,
        input_mode: str, direction: str, dropout: float, is_training: bool, time_major: bool,
        num_proj: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        return _forward(
            ctx, x, h, c, params, sequence_lengths, rnn_mode=rnn_mode, input_mode=input_mode,
            direction=direction, dropout=dropout, is_training=is_training, time_major=time_major,
            num_proj=num_proj,
        )  # fmt: skip


def _backprop_shape(x: Any, h: Any, c: Any, params: Any, *rest: Any) -> Any:
    return [x, h, c, params]


@op("CudnnRNNBackprop", "CudnnRNNBackpropV2", gpu_only=True)
class CudnnRNNBackprop:
    shape = _backprop_shape

    def lower(
        x: Any, h: Any, c: Any, params: Any, y: Any, last_h: Any, last_c: Any, y_grad: Any,
        h_grad: Any, c_grad: Any, space: Any, *rest: Any, rnn_mode: str, input_mode: str,
        direction: str, dropout: float, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        return _backward(
            ctx, x, h, c, params, None, y, y_grad, h_grad, c_grad, space, rnn_mode=rnn_mode,
            input_mode=input_mode, direction=direction, dropout=dropout,
        )  # fmt: skip


@op("CudnnRNNBackpropV3", gpu_only=True)
class CudnnRNNBackpropV3:
    shape = _backprop_shape

    def lower(
        x: Any, h: Any, c: Any, params: Any, sequence_lengths: Any, y: Any, last_h: Any,
        last_c: Any, y_grad: Any, h_grad: Any, c_grad: Any, space: Any, host: Any, *,
        rnn_mode: str, input_mode: str, direction: str, dropout: float, time_major: bool,
        num_proj: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        return _backward(
            ctx, x, h, c, params, sequence_lengths, y, y_grad, h_grad, c_grad, space,
            rnn_mode=rnn_mode, input_mode=input_mode, direction=direction, dropout=dropout,
            time_major=time_major, num_proj=num_proj,
        )  # fmt: skip


def _net_of_sizes(
    ctx: LoweringContext, layers: Any, units: Any, input_size: Any, rnn_mode: str, input_mode: str,
    direction: str, num_proj: int = 0,
) -> _Net:  # fmt: skip
    sizes = (int(np.reshape(value, ())) for value in (layers, units, input_size))
    return _net(ctx, rnn_mode, input_mode, direction, num_proj, *sizes)


@op("CudnnRNNParamsSize", const=(0, 1, 2), gpu_only=True)
class CudnnRNNParamsSize:
    def shape(num_layers: Any, num_units: Any, input_size: Any) -> Any:
        for value in (num_layers, num_units, input_size):
            shapes.with_rank(value, 0)
        return (1,)

    def lower(
        num_layers: Any, num_units: Any, input_size: Any, *, S: Any, rnn_mode: str,
        input_mode: str, direction: str, num_proj: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        net = _net_of_sizes(
            ctx, num_layers, num_units, input_size, rnn_mode, input_mode, direction, num_proj
        )
        return np.array([net.size()], jnp_dtype(S))


def _to_canonical(
    ctx: LoweringContext, net: _Net, params: Any, counts: tuple[int, int]
) -> list[Any]:
    """The weights, then the biases, of each gate."""
    wanted = net.canonical()
    for count, group in zip(counts, wanted, strict=True):
        _check_count(ctx, len(group), count)
    if np.shape(params) != (net.size(),):
        refuse(
            ctx, f"Params size mismatch. Expected {net.size()}, got {math.prod(np.shape(params))}"
        )
    if any(0 in shape for shape in wanted[0]):
        # The layer that has no weights of inputs is asked for them all the same.
        refuse(ctx, f"Params size mismatch. Expected {net.units * net.input_size}, got 0")
    return _take(jnp.asarray(params), [*wanted[0], *wanted[1]])


def _check_count(ctx: LoweringContext, expected: int, found: int) -> None:
    if expected != found:
        refuse(ctx, f"Number of params mismatch. Expected {expected}, got {found}")


def _to_params(ctx: LoweringContext, net: _Net, weights: list[Any], biases: list[Any]) -> Any:
    """The buffer; the order of the gates in it is that of the lists."""
    for wanted, arrays in zip(net.canonical(), (weights, biases), strict=True):
        _check_count(ctx, len(wanted), len(arrays))
        for shape, array in zip(wanted, arrays, strict=True):
            sizes = math.prod(shape), math.prod(np.shape(array))
            if sizes[0] != sizes[1]:
                refuse(ctx, f"Params size mismatch. Expected {sizes[0]}, got {sizes[1]}")
    return _join([*weights, *biases])


def _canonical_shapes(op: Any, weights: str, biases: str) -> Any:
    return [(None, None)] * op._attrs[weights] + [(None,)] * op._attrs[biases]


@op("CudnnRNNParamsToCanonical", const=(0, 1, 2), gpu_only=True)
class CudnnRNNParamsToCanonical:
    def shape(num_layers: Any, num_units: Any, input_size: Any, params: Any, *, op: Any) -> Any:
        return _canonical_shapes(op, "num_params", "num_params")

    def lower(
        num_layers: Any, num_units: Any, input_size: Any, params: Any, *, num_params: int,
        rnn_mode: str, input_mode: str, direction: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        net = _net_of_sizes(ctx, num_layers, num_units, input_size, rnn_mode, input_mode, direction)
        return _to_canonical(ctx, net, params, (num_params, num_params))


@op("CudnnRNNParamsToCanonicalV2", const=(0, 1, 2), gpu_only=True)
class CudnnRNNParamsToCanonicalV2:
    def shape(num_layers: Any, num_units: Any, input_size: Any, params: Any, *, op: Any) -> Any:
        return _canonical_shapes(op, "num_params_weights", "num_params_biases")

    def lower(
        num_layers: Any, num_units: Any, input_size: Any, params: Any, *, num_params_weights: int,
        num_params_biases: int, rnn_mode: str, input_mode: str, direction: str, num_proj: int,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        net = _net_of_sizes(
            ctx, num_layers, num_units, input_size, rnn_mode, input_mode, direction, num_proj
        )
        return _to_canonical(ctx, net, params, (num_params_weights, num_params_biases))


def _params_shape(*_: Any) -> Any:
    return (None,)


@op("CudnnRNNCanonicalToParams", const=(0, 1, 2), gpu_only=True)
class CudnnRNNCanonicalToParams:
    shape = _params_shape

    def lower(
        num_layers: Any, num_units: Any, input_size: Any, weights: Any, biases: Any, *,
        rnn_mode: str, input_mode: str, direction: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        net = _net_of_sizes(ctx, num_layers, num_units, input_size, rnn_mode, input_mode, direction)
        return _to_params(ctx, net, weights, biases)


@op("CudnnRNNCanonicalToParamsV2", const=(0, 1, 2), gpu_only=True)
class CudnnRNNCanonicalToParamsV2:
    shape = _params_shape

    def lower(
        num_layers: Any, num_units: Any, input_size: Any, weights: Any, biases: Any, *,
        rnn_mode: str, input_mode: str, direction: str, num_proj: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        net = _net_of_sizes(
            ctx, num_layers, num_units, input_size, rnn_mode, input_mode, direction, num_proj
        )
        return _to_params(ctx, net, weights, biases)
