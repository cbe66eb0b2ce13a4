"""Accumulators of gradients: they live in the session, on the host, as queues do.

A gradient that was computed at an older global step than the accumulator's is dropped. Who takes
the gradients waits until there are enough, and holds no lock of the session meanwhile.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.core.waiting import wait
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources


class _Accumulator:
    """What both kinds share: the count of gradients and the global step.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        self.dtype = source._attrs["dtype"]
        self.shape: Shape = source._attrs["shape"].to_tuple()
        self.takes_mean = source._attrs["reduction_type"] == b"MEAN"
        self.count = 0
        self.global_step = 0
        self._changed = threading.Condition()

    def check(self, gradient: Any) -> None:
        """Fails where a gradient does not have the accumulator's shape."""
        raise NotImplementedError

    def add(self, gradient: Any) -> None:
        """Adds a gradient to the others, or keeps it as the first one."""
        raise NotImplementedError

    def reduced(self) -> list[np.ndarray]:
        """The sum or the mean of the gradients."""
        raise NotImplementedError

    def apply(self, gradient: Any, local_step: int) -> None:
        """Adds a gradient of some step, unless it is stale."""
        with self._changed:
            if local_step < self.global_step:
                return
            self.check(gradient)
            self.add(gradient)
            self.count += 1
            self._changed.notify_all()

    def take(self, number: int, session: Any) -> list[np.ndarray]:
        """The reduced gradients, once there are `number`; there are none then.

        Raises:
          CancelledError: the session is closed.
        """
        if number <= 0:
            raise invalid(f"Argument num_required must be positive, but was {number}")
        with self._changed:
            wait(
                self._changed,
                session,
                lambda: self.count >= number,
                "TakeGrad operation was cancelled",
            )
            found = self.reduced()
            self.count = 0
            self.global_step += 1
            return found


class _Dense(_Accumulator):
    """Adds tensors."""

    def __init__(self, source: Any):
        super().__init__(source)
        self._sum = np.zeros(0)

    def check(self, gradient: Any) -> None:
        for expected in (self.shape, self._sum.shape if self.count else None):
            if not shapes.compatible(expected, gradient.shape):
                raise invalid(
                    f"Shape mismatch: expected {shapes.to_string(expected)}, "
                    f"got {shapes.to_string(gradient.shape)}"
                )

    def add(self, gradient: Any) -> None:
        self._sum = self._sum + gradient if self.count else np.array(gradient)

    def reduced(self) -> list[np.ndarray]:
        if not self.takes_mean:
            return [self._sum]
        return [(self._sum / np.asarray(self.count, self._sum.dtype)).astype(self._sum.dtype)]


class _Sparse(_Accumulator):
    """Adds slices of tensors; the mean of a slice is over the gradients that have it."""

    def __init__(self, source: Any):
        super().__init__(source)
        self._rows: list[int] = []
        self._slices: list[np.ndarray] = []
        self._counts: list[int] = []
        self._slice_shape: tuple[int, ...] = ()

    def check(self, gradient: Any) -> None:
        indices, values, shape = gradient
        if indices.ndim != 1:
            found = shapes.to_string(indices.shape)
            raise invalid(f"Input indices should be vector but received shape: {found}")
        if not values.ndim:
            raise invalid("Values cannot be 0-dimensional.")
        if len(values) != len(indices):
            raise invalid(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        own: tuple[Any, ...] = self.shape or ()
        rank = len(own)
        if shape is not None:
            if rank and rank != len(shape):
                raise invalid(f"Shape mismatch: expected shape rank {rank}, got {len(shape)}")
            self._compare("shape", own, shape, 0)
        if rank > values.ndim:
            raise invalid(
                f"Shape mismatch: expected values rank at least {rank}, got {values.ndim}"
            )
        self._compare("values", own, values.shape, 1)
        if self.count:
            if values.ndim != len(self._slice_shape) + 1:
                raise invalid(
                    f"Shape mismatch: expected values rank {len(self._slice_shape) + 1}, "
                    f"got {values.ndim}"
                )
            self._compare("values", (None, *self._slice_shape), values.shape, 1)
        if rank and own[0] is not None:
            for i, row in enumerate(indices):
                if row >= own[0]:
                    raise invalid(
                        f"Shape mismatch: index of slice {i} exceeded limits of shape; index is "
                        f"{row} exceeded {own[0]}"
                    )

    def _compare(self, what: str, expected: Any, found: Any, start: int) -> None:
        for i in range(start, min(len(expected), len(found))):
            if expected[i] is not None and expected[i] != found[i]:
                raise invalid(
                    f"Shape mismatch: expected {what} dim {i} to be {expected[i]}, got {found[i]}"
                )

    def add(self, gradient: Any) -> None:
        indices, values, _ = gradient
        rows, slices = [int(i) for i in indices], [np.array(value) for value in values]
        if not self.count:
            self._rows, self._slices, self._counts = rows, slices, [1] * len(rows)
            self._slice_shape = values.shape[1:]
            return
        # TF merges both lists as if they were sorted, and that shows in the order of the result.
        old = list(zip(self._rows, self._slices, self._counts))
        new = list(zip(rows, slices, [1] * len(rows)))
        merged, i, j = [], 0, 0
        while i < len(old) and j < len(new):
            if old[i][0] == new[j][0]:
                row, value, count = old[i]
                merged.append((row, value + new[j][1], count + 1))
                i, j = i + 1, j + 1
            elif old[i][0] < new[j][0]:
                merged.append(old[i])
                i += 1
            else:
                merged.append(new[j])
                j += 1
        merged += old[i:] + new[j:]
        self._rows = [row for row, _, _ in merged]
        self._slices = [value for _, value, _ in merged]
        self._counts = [count for _, _, count in merged]

    def reduced(self) -> list[np.ndarray]:
        dtype = self.dtype.as_numpy_dtype
        values = np.zeros((len(self._rows), *self._slice_shape), dtype)
        for i, (value, count) in enumerate(zip(self._slices, self._counts)):
            values[i] = value / np.asarray(count, dtype) if self.takes_mean else value
        shape = self.shape or (None, *self._slice_shape)
        sizes = np.array([-1 if size is None else size for size in shape], np.int64)
        return [np.array(self._rows, np.int64), values, sizes]


_CLASSES: dict[str, type[_Accumulator]] = {
    "ConditionalAccumulator": _Dense,
    "ResourceConditionalAccumulator": _Dense,
    "SparseConditionalAccumulator": _Sparse,
}


def _handle_shape() -> Shape:
    return (2,)


for _name in _CLASSES:
    register(_name, shape=_handle_shape, source=True, host=True)


def _find(ctx: LoweringContext, handle: Any) -> Any:
    return resources.find(ctx, handle, lambda source: _CLASSES[source.type](source))


@op(
    "AccumulatorApplyGradient",
    "ResourceAccumulatorApplyGradient",
    host=True,
    reads=(0,),
    effect=True,
)
class AccumulatorApplyGradient:
    def shape(handle: Any, local_step: Shape, gradient: Shape) -> None:
        shapes.with_rank(local_step, 0)

    def lower(
        handle: Any, local_step: np.ndarray, gradient: np.ndarray, *, ctx: LoweringContext
    ) -> None:
        _find(ctx, handle).apply(np.asarray(gradient), int(local_step))


@op(
    "AccumulatorTakeGradient",
    "ResourceAccumulatorTakeGradient",
    host=True,
    reads=(0,),
    effect=True,
)
class AccumulatorTakeGradient:
    def shape(handle: Any, num_required: Shape) -> Shape:
        shapes.with_rank(num_required, 0)
        return None

    def lower(handle: Any, num_required: np.ndarray, *, ctx: LoweringContext) -> Any:
        return _find(ctx, handle).take(int(num_required), ctx.session)[0]


@op("SparseAccumulatorApplyGradient", host=True, reads=(0,), effect=True)
class SparseAccumulatorApplyGradient:
    def shape(
        handle: Any,
        local_step: Shape,
        gradient_indices: Shape,
        gradient_values: Shape,
        gradient_shape: Shape,
    ) -> None:
        shapes.with_rank(local_step, 0)

    def lower(
        handle: Any,
        local_step: np.ndarray,
        gradient_indices: np.ndarray,
        gradient_values: np.ndarray,
        gradient_shape: np.ndarray,
        *,
        has_known_shape: bool,
        ctx: LoweringContext,
    ) -> None:
        shape = tuple(int(n) for n in gradient_shape) if has_known_shape else None
        gradient = np.asarray(gradient_indices), np.asarray(gradient_values), shape
        _find(ctx, handle).apply(gradient, int(local_step))


@op("SparseAccumulatorTakeGradient", host=True, reads=(0,), effect=True)
class SparseAccumulatorTakeGradient:
    def shape(handle: Any, num_required: Shape) -> list[Shape]:
        shapes.with_rank(num_required, 0)
        return [None, None, None]

    def lower(handle: Any, num_required: np.ndarray, *, ctx: LoweringContext) -> list[Any]:
        return _find(ctx, handle).take(int(num_required), ctx.session)


@op(
    "AccumulatorNumAccumulated",
    "ResourceAccumulatorNumAccumulated",
    host=True,
    reads=(0,),
    effect=True,
)
class AccumulatorNumAccumulated:
    def shape(handle: Any) -> Shape:
        return ()

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, handle).count, np.int32)


@op(
    "AccumulatorSetGlobalStep",
    "ResourceAccumulatorSetGlobalStep",
    host=True,
    reads=(0,),
    effect=True,
)
class AccumulatorSetGlobalStep:
    def shape(handle: Any, new_global_step: Shape) -> None:
        shapes.with_rank(new_global_step, 0)

    def lower(handle: Any, new_global_step: np.ndarray, *, ctx: LoweringContext) -> None:
        _find(ctx, handle).global_step = int(new_global_step)
