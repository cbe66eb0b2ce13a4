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

    def views(self, x: Any) -> list[Any]:
        """What lies under each place of the window, as arrays (N, *out, C)."""
        reach = [(o - 1) * s + 1 for o, s in zip(self.out, self.strides)]
        ends = [
            r + (w - 1) * d - size - before
            for r, w, d, size, before in zip(
                reach, self.window, self.dilations, self.space, self.pads
            )
        ]
        whole = (0, 0, 0)
        pads = [(before, end, 0) for before, end in zip(self.pads, ends)]
        padded = lax.pad(x, x.dtype.type(0), [whole, *pads, whole])
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
