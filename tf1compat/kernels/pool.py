"""Pooling and its gradients."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.kernels.conv import Layout, output_size, pads


class _Window:
    """Window sizes, strides and padding of a pooling op, one item for each dimension."""

    def __init__(self, op: Any):
        attrs = op._attrs
        self.ksize: list[int] = attrs["ksize"]
        self.strides: list[int] = attrs["strides"]
        self.padding = attrs["padding"].decode()
        self.layout = Layout(attrs["data_format"].decode())

    def output_shape(self, input: Any) -> Any:
        input = shapes.with_rank(input, len(self.ksize))
        return tuple(
            output_size(size, window, stride, self.padding) if window != 1 or stride != 1 else size
            for size, window, stride in zip(input, self.ksize, self.strides, strict=True)
        )

    def pads(self, shape: Any) -> list[tuple[int, int]]:
        return [
            pads(size, window, stride, self.padding)
            for size, window, stride in zip(shape, self.ksize, self.strides, strict=True)
        ]

    def tiles(self, shape: Any) -> bool:
        """Whether the windows cut the input into tiles: no overlap, no gap, no padding, no rest."""
        return self.ksize == self.strides and all(
            size % window == 0 for size, window in zip(shape, self.ksize, strict=True)
        )

    def split(self, shape: Any) -> list[int]:
        """Each dimension of an input cut into tiles as two: which tile, the place within it."""
        sizes: list[int] = []
        for size, window in zip(shape, self.ksize, strict=True):
            sizes += [size // window, window]
        return sizes


def _lowest(dtype: Any) -> Any:
    return -jnp.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min


def _max_pool(input: Any, window: _Window) -> Any:
    return lax.reduce_window(
        input,
        jnp.asarray(_lowest(input.dtype), input.dtype),
        lax.max,
        window.ksize,
        window.strides,
        window.pads(input.shape),
    )


_ATTRS = ("ksize", "strides", "padding", "data_format")


def _attrs_of(op: Any) -> dict[str, Any]:
    return {name: op._attrs[name] for name in _ATTRS}


def _no_gradient_for(tensor: Any) -> Any:
    from tf1compat.api import array_ops

    return array_ops.zeros(shape=array_ops.shape(tensor), dtype=tensor.dtype)


@op("MaxPool")
class MaxPool:
    def shape(input: Any, *, op: Any) -> Any:
        return _Window(op).output_shape(input)

    def lower(input: Any, *, op: Any) -> Any:
        return _max_pool(jnp.asarray(input), _Window(op))

    def gradient(op: Any, grad: Any) -> Any:
        return raw_ops.MaxPoolGrad(op.inputs[0], op.outputs[0], grad, **_attrs_of(op))


def _parts(value: Any, window: _Window, fill: Any) -> list[Any]:
    """For each place of the window, what all windows hold there, in the output's shape; what is
    outside the input is `fill`."""
    padded = lax.pad(
        value, jnp.asarray(fill, value.dtype), [(a, b, 0) for a, b in window.pads(value.shape)]
    )
    out = [
        (size - k) // s + 1
        for size, k, s in zip(padded.shape, window.ksize, window.strides, strict=True)
    ]
    parts = []
    for place in np.ndindex(*window.ksize):
        limits = [p + (n - 1) * s + 1 for p, n, s in zip(place, out, window.strides, strict=True)]
        parts.append(lax.slice(padded, place, limits, window.strides))
    return parts


def _joined(parts: list[Any], shape: Any, window: _Window) -> Any:
    """Adds windows up where they came from: the transpose of `_parts`."""
    widths = window.pads(shape)
    full = [size + a + b for size, (a, b) in zip(shape, widths, strict=True)]
    total = jnp.zeros(full, parts[0].dtype)
    for place, part in zip(np.ndindex(*window.ksize), parts, strict=True):
        spread = [(n - 1) * s + 1 for n, s in zip(part.shape, window.strides, strict=True)]
        rest = [f - p - s for f, p, s in zip(full, place, spread, strict=True)]
        config = [(p, r, s - 1) for p, r, s in zip(place, rest, window.strides, strict=True)]
        total = total + lax.pad(part, jnp.zeros((), part.dtype), config)
    limits = [a + size for size, (a, _) in zip(shape, widths, strict=True)]
    return lax.slice(total, [a for a, _ in widths], limits)


def _winners(x: Any, y: Any, window: _Window) -> Any:
    """The number of the place that gives each window's maximum: the first of equal ones, as in TF.

    Comparing place after place stays elementwise, which XLA runs much faster than an argmax.
    """
    winner = jnp.full(y.shape, -1, jnp.int32)  # no place equals a NaN
    parts = _parts(x, window, _lowest(x.dtype))
    for i, part in reversed(list(enumerate(parts))):
        winner = jnp.where(part == y, i, winner)
    return winner


def _pick(winner: Any, values: list[Any]) -> list[Any]:
    """For each place its value where it is the winner, else 0."""
    return [jnp.where(winner == i, v, jnp.zeros((), v.dtype)) for i, v in enumerate(values)]


@op("MaxPoolGrad")
class MaxPoolGrad:
    def shape(orig_input: Any, orig_output: Any, grad: Any) -> Any:
        return orig_input

    def lower(orig_input: Any, orig_output: Any, grad: Any, *, op: Any) -> Any:
        window = _Window(op)
        x, y = jnp.asarray(orig_input), jnp.asarray(orig_output)
        winner = _winners(x, y, window)
        count = int(np.prod(window.ksize))
        if window.tiles(x.shape):
            within = tuple(range(1, 2 * x.ndim, 2))
            place = jnp.expand_dims(
                jnp.arange(count).reshape(window.ksize), range(0, 2 * x.ndim, 2)
            )
            hit = jnp.expand_dims(winner, within) == place
            spread = jnp.where(hit, jnp.expand_dims(grad, within), jnp.zeros((), grad.dtype))
            return spread.reshape(x.shape)
        return _joined(_pick(winner, [grad] * count), x.shape, window)

    def gradient(op: Any, grad: Any) -> Any:
        x, y = op.inputs[0], op.inputs[1]
        return [
            _no_gradient_for(x),
            _no_gradient_for(y),
            raw_ops.MaxPoolGradGrad(x, y, grad, **_attrs_of(op)),
        ]


@op("MaxPoolGradGrad")
class MaxPoolGradGrad:
    def shape(orig_input: Any, orig_output: Any, grad: Any) -> Any:
        return orig_output

    def lower(orig_input: Any, orig_output: Any, grad: Any, *, op: Any) -> Any:
        window = _Window(op)
        x, y = jnp.asarray(orig_input), jnp.asarray(orig_output)
        return sum(_pick(_winners(x, y, window), _parts(grad, window, 0)))

    def gradient(op: Any, grad: Any) -> Any:
        x, y = op.inputs[0], op.inputs[1]
        return [
            _no_gradient_for(x),
            _no_gradient_for(y),
            raw_ops.MaxPoolGrad(x, y, grad, **_attrs_of(op)),
        ]


def _counts(shape: Any, window: _Window, dtype: Any) -> Any:
    """How many elements of the input each window holds."""
    ones = np.ones(shape, np.float64)
    padded = np.pad(ones, window.pads(shape))
    view = np.lib.stride_tricks.sliding_window_view(padded, window.ksize)
    steps = tuple(slice(None, None, s) for s in window.strides)
    totals = view[steps].sum(axis=tuple(range(len(shape), 2 * len(shape))))
    return jnp.asarray(totals, dtype)


def _space_counts(shape: Any, window: _Window, dtype: Any) -> Any:
    """`_counts` with sizes 1 for batch and channels."""
    small = [1 if i not in window.layout.space else size for i, size in enumerate(shape)]
    return _counts(small, window, dtype)


@op("AvgPool", autodiff=True)
class AvgPool:
    def shape(value: Any, *, op: Any) -> Any:
        return _Window(op).output_shape(value)

    def lower(value: Any, *, op: Any) -> Any:
        window = _Window(op)
        value = jnp.asarray(value)
        # A constant, by which JAX knows this for a sum, and can differentiate it.
        zero = np.zeros((), value.dtype)
        total = lax.reduce_window(
            value, zero, lax.add, window.ksize, window.strides, window.pads(value.shape)
        )
        return total / _space_counts(value.shape, window, value.dtype)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return raw_ops.AvgPoolGrad(array_ops.shape(op.inputs[0]), grad, **_attrs_of(op))


@op("AvgPoolGrad", const=(0,), autodiff=True)
class AvgPoolGrad:
    def shape(orig_input_shape: Any, grad: Any, *, op: Any) -> Any:
        return op.shape_input(0) or (None,) * 4

    def lower(orig_input_shape: Any, grad: Any, *, op: Any) -> Any:
        window = _Window(op)
        shape = tuple(int(v) for v in orig_input_shape)
        share = grad / _space_counts(shape, window, grad.dtype)
        if window.tiles(shape):
            within = tuple(range(1, 2 * len(shape), 2))
            return jnp.broadcast_to(jnp.expand_dims(share, within), window.split(shape)).reshape(
                shape
            )
        return _joined([share] * int(np.prod(window.ksize)), shape, window)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return [
            array_ops.stop_gradient(op.inputs[0]),
            raw_ops.AvgPool(grad, **_attrs_of(op)),
        ]
