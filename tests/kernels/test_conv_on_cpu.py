"""The forms of convolutions for CPUs give what the convolutions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf1compat.kernels.nn import conv

# Input, filter, strides, padding, dilations; the filter's last but one size is the channels.
CASES = [
    ((2, 5, 6, 3), (1, 1, 3, 4), 1, "SAME", 1),
    ((2, 5, 6, 3), (1, 1, 3, 4), 2, "SAME", 1),
    ((3, 7, 4, 2), (1, 1, 2, 3), 3, "VALID", 1),
    ((2, 2, 2, 3), (3, 3, 3, 5), 1, "SAME", 1),
    ((2, 2, 3, 3), (5, 3, 3, 5), 2, "SAME", 1),
    ((2, 4, 4, 3), (3, 3, 3, 40), 1, "SAME", 1),
    ((1, 4, 5, 3), (3, 2, 3, 40), 2, "VALID", 1),
    ((2, 8, 9, 1), (3, 5, 1, 4), 1, "SAME", 1),
    ((2, 8, 9, 1), (3, 2, 1, 4), 2, "VALID", 2),
    ((2, 9, 8, 1), (3, 3, 1, 2), 1, "SAME", 3),
]


def every_one(monkeypatch: pytest.MonkeyPatch, on_cpu: bool, run: Any) -> Any:
    monkeypatch.setattr(conv, "on_cpu", lambda: on_cpu)
    return run()


@pytest.mark.parametrize("depthwise", [False, True])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_convolutions(
    tf: Any, monkeypatch: pytest.MonkeyPatch, case: Any, depthwise: bool
) -> None:
    size, window, stride, padding, dilation = case
    if depthwise:
        dilation = 1
        window = (*window[:3], 2)
    tf1compat_name = "depthwise_conv2d" if depthwise else "conv2d"
    rng = np.random.RandomState(0)
    image, filter = rng.normal(size=size), rng.normal(size=window)

    def run() -> Any:
        from tf1compat import set_tier

        with tf.Graph().as_default(), tf.Session() as session:
            set_tier("xla", session)
            x, w = tf.constant(image), tf.constant(filter)
            x, w = tf.placeholder_with_default(x, size), tf.placeholder_with_default(w, window)
            options: Any = {} if depthwise else {"dilations": [1, dilation, dilation, 1]}
            y = getattr(tf.nn, tf1compat_name)(x, w, [1, stride, stride, 1], padding, **options)
            weights = tf.cos(tf.reshape(tf.range(tf.cast(tf.size(y), tf.float64)), tf.shape(y)))
            return session.run([y, *tf.gradients(y * weights, [x, w])])

    plain = every_one(monkeypatch, False, run)
    for made, wanted in zip(every_one(monkeypatch, True, run), plain, strict=True):
        np.testing.assert_allclose(made, wanted, 1e-10, 1e-10)
