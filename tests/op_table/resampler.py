"""Rows of tf.contrib.resampler."""

from __future__ import annotations

from op_table.case import Case, arr, val


def _resampled(tf, data, warp):
    return tf.contrib.resampler.resampler(data, warp)


CASES = [
    Case("Resampler", _resampled, [arr(2, 4, 5, 3), arr(2, 6, 2, low=-2.5, high=6.5)], "points"),
    Case("Resampler", _resampled, [arr(1, 3, 3, 1), arr(1, 2, 3, 2, low=0.0, high=2.0)], "grid"),
    Case("Resampler", _resampled, [arr(2, 4, 5, 3), arr(1, 6, 2)], "other_batch", raises=True),
    Case(
        "Resampler",
        _resampled,
        [arr(1, 2, 2, 1), val([[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [-1.0, 0.0]]])],
        "edges",
        grad=(),
    ),
]
