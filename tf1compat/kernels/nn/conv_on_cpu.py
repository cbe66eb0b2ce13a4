"""Forms of 2-D convolutions (NHWC) that XLA computes faster on a CPU than the convolutions.

XLA has one slow loop nest for convolutions of each channel by itself, and for windows that are
larger than what they slide over; its 1x1 convolutions don't reach its matrix products. Measured on
two cores: a depthwise 3x3 convolution and its gradients take 1/10 to 1/200 of the time as shifted
products, a 3x3 convolution of 2 x 2 images 1/25 as a matrix product of patches.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tf1compat.backend import PRECISION, jnp, lax

# From which sizes on filter gradients are added up: see `adds_up_rows`.
_MANY_TERMS = 10_000
_LARGE_BLOCK = 200_000


class Windows(NamedTuple):
    """Where the windows of a convolution lie.

    Attributes:
      space: the input's sizes in space.
      window: the filter's.
      out: the output's.
      strides, dilations: in space.
      pads: how far the first window lies before the input's begin.
    """

    space: Sequence[int]
    window: Sequence[int]
    out: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    pads: Sequence[int]

    @property
    def is_pointwise(self) -> bool:
        """Whether windows are single elements of the input, and all lie within it."""
        return math.prod(self.window) == 1 and not any(self.pads)

    @property
    def _starts(self) -> Iterable[tuple[int, ...]]:
        """Where in the padded input each place of the first window lies."""
        return itertools.product(*(range(0, w * d, d) for w, d in zip(self.window, self.dilations)))

    def padded(self, x: Any) -> Any:
        """`x` (N, H, W, C) with what the windows reach over, and no more than they reach."""
        ends = [
            (o - 1) * s + (w - 1) * d + 1 - size - before
            for o, s, w, d, size, before in zip(
                self.out, self.strides, self.window, self.dilations, self.space, self.pads
            )
        ]
        whole = (0, 0, 0)
        pads = [(before, end, 0) for before, end in zip(self.pads, ends)]
        return lax.pad(x, x.dtype.type(0), [whole, *pads, whole])

    def views(self, x: Any) -> list[Any]:
        """What lies under each place of the window, as arrays (N, *out, C)."""
        reach = [(o - 1) * s + 1 for o, s in zip(self.out, self.strides)]
        padded = self.padded(x)
        n, c = x.shape[0], x.shape[-1]
        return [
            lax.slice(
                padded,
                (0, *at, 0),
                (n, *(a + r for a, r in zip(at, reach)), c),
                (1, *self.strides, 1),
            )
            for at in self._starts
        ]

    def summed(self, parts: Iterable[Any]) -> Any:
        """The reverse of `views`: the sum of the parts, each put where it would have been taken
        from."""
        total: Any = None
        for at, part in zip(self._starts, parts):
            pads = [
                (a - before, size - (a - before) - ((o - 1) * s + 1), s - 1)
                for a, before, size, o, s in zip(at, self.pads, self.space, self.out, self.strides)
            ]
            put = lax.pad(part, part.dtype.type(0), [(0, 0, 0), *pads, (0, 0, 0)])
            total = put if total is None else total + put
        return total

    def reaches_over(self, sizes: Sequence[int]) -> bool:
        """Whether the window is larger than these sizes."""
        spans = ((w - 1) * d + 1 for w, d in zip(self.window, self.dilations))
        return any(span > size for span, size in zip(spans, sizes))


# As one matrix product.


def multiplies(windows: Windows) -> bool:
    """Whether `product` pays."""
    return windows.is_pointwise or windows.reaches_over(windows.space)


def product(x: Any, filter: Any, windows: Windows) -> Any:
    """The convolution of `x` (N, H, W, I) by a filter (h, w, I, O)."""
    outputs = filter.shape[-1]
    made = jnp.matmul(_patches(x, windows), filter.reshape(-1, outputs), precision=PRECISION)
    return made.reshape(x.shape[0], *windows.out, outputs)


def multiplies_back(windows: Windows, grad: Any) -> bool:
    """Whether `product_input_gradient` pays: also where there are fewer patches than channels."""
    few = math.prod(grad.shape[:-1]) < grad.shape[-1]
    return windows.is_pointwise or windows.reaches_over(windows.out) or few


def product_input_gradient(filter: Any, grad: Any, windows: Windows) -> Any:
    """The gradient of `product` by its input; `grad` is (N, H, W, O)."""
    *_, inputs, outputs = filter.shape
    rows = filter.reshape(-1, outputs).T
    parts = jnp.matmul(grad.reshape(-1, outputs), rows, precision=PRECISION)
    parts = parts.reshape(*grad.shape[:-1], -1, inputs)
    return windows.summed(parts[..., i, :] for i in range(parts.shape[-2]))


def multiplies_for_filter(windows: Windows, x: Any, grad: Any) -> bool:
    """Whether `product_filter_gradient` pays: also for one input channel."""
    few = math.prod(grad.shape[:-1]) < grad.shape[-1]
    return windows.is_pointwise or few or x.shape[-1] == 1


def product_filter_gradient(x: Any, grad: Any, windows: Windows) -> Any:
    """The gradient of `product` by its filter."""
    inputs, outputs = x.shape[-1], grad.shape[-1]
    rows = grad.reshape(-1, outputs)
    if inputs == 1:
        patches = jnp.stack(windows.views(x)).reshape(-1, rows.shape[0])
    else:
        patches = _patches(x, windows).T
    made = jnp.matmul(patches, rows, precision=PRECISION)
    return made.reshape(*windows.window, inputs, outputs)


def adds_up_rows(windows: Windows, x: Any, grad: Any) -> bool:
    """Whether `filter_gradient_by_rows` pays: for sums of many terms, of large products.

    XLA's convolution slows down as `grad`, its filter, grows beyond a cache. Measured: 0.35 to 0.85
    of its time from that many terms on (0.41 with 128 channels of 16 x 28 x 28). With smaller
    blocks it takes longer, and half-precise numbers would be rounded at every addition.
    """
    block = math.prod(windows.window) * x.shape[-1] * grad.shape[0] * grad.shape[2]
    pays = math.prod(grad.shape[:-1]) >= _MANY_TERMS and block >= _LARGE_BLOCK
    return pays and windows.dilations[0] == 1 and x.dtype.itemsize >= 4


def filter_gradient_by_rows(x: Any, grad: Any, windows: Windows) -> Any:
    """The gradient of a convolution by its filter, as a sum of products, one a row of outputs.

    In the order (H, w, C, N, W) what lies under the windows of such a row is one block: the window
    is taken apart in one direction alone, for `w` copies of the input instead of h * w.
    """
    (height, width), (step, stride) = windows.window, windows.strides
    n, high, wide, outputs = grad.shape
    inputs = x.shape[-1]
    rows = lax.optimization_barrier(windows.padded(x).transpose(1, 3, 0, 2))
    reach = (wide - 1) * stride + 1
    starts = range(0, width * windows.dilations[1], windows.dilations[1])
    blocks = jnp.stack([rows[..., at : at + reach : stride] for at in starts], axis=1)
    blocks = blocks.reshape(blocks.shape[0], -1, n * wide)
    grads = grad.transpose(1, 0, 2, 3).reshape(high, n * wide, outputs)

    def add(total: Any, row: tuple[Any, Any]) -> tuple[Any, None]:
        first, grad = row
        block = lax.dynamic_slice_in_dim(blocks, first, height).reshape(-1, n * wide)
        return total + jnp.matmul(block, grad, precision=PRECISION), None

    zeros = jnp.zeros((height * width * inputs, outputs), grad.dtype)
    firsts = jnp.arange(0, high * step, step)
    total, _ = lax.scan(add, zeros, (firsts, grads))
    return total.reshape(height, width, inputs, outputs)


def _patches(x: Any, windows: Windows) -> Any:
    """What lies under each window, as a row."""
    views = windows.views(x)
    rows = views[0] if len(views) == 1 else jnp.concatenate(views, axis=-1)
    return rows.reshape(-1, rows.shape[-1])


# Each channel by itself: the filter is (h, w, C, M).


def depthwise(x: Any, filter: Any, windows: Windows) -> Any:
    """The depthwise convolution of `x` (N, H, W, C)."""
    *_, channels, multiplier = filter.shape
    taps = filter.reshape(-1, channels, multiplier)
    total: Any = None
    for i, view in enumerate(windows.views(x)):
        made = view[..., None] * taps[i]
        total = made if total is None else total + made
    return total.reshape(x.shape[0], *windows.out, channels * multiplier)


def depthwise_input_gradient(filter: Any, grad: Any, windows: Windows) -> Any:
    """The gradient of `depthwise` by its input."""
    *_, channels, multiplier = filter.shape
    taps = filter.reshape(-1, channels, multiplier)
    # It is looked at for each place of the window, and would be computed anew for each.
    grad = lax.optimization_barrier(grad)
    grad = grad.reshape(*grad.shape[:-1], channels, multiplier)
    return windows.summed((grad * taps[i]).sum(-1) for i in range(taps.shape[0]))


def depthwise_filter_gradient(x: Any, grad: Any, windows: Windows) -> Any:
    """The gradient of `depthwise` by its filter.

    Image by image: so the sums, one for each place of the output, stay in the cache.
    """
    channels = x.shape[-1]
    grad = grad.reshape(*grad.shape[:-1], channels, -1)
    places = math.prod(windows.window)
    zeros = [jnp.zeros(grad.shape[1:], grad.dtype)] * places

    def add(sums: list[Any], image: tuple[Any, Any]) -> tuple[list[Any], None]:
        x, grad = image
        views = windows.views(x[None])
        return [s + view[0, ..., None] * grad for s, view in zip(sums, views)], None

    sums, _ = lax.scan(add, zeros, (x, grad))
    # Apart from the loop's last turn, or XLA adds up slowly.
    made = [lax.optimization_barrier(each).sum((0, 1)) for each in sums]
    return jnp.stack(made).reshape(*windows.window, channels, -1)
