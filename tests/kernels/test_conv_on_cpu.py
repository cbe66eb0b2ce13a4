"""The forms of convolutions for CPUs give what the convolutions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf1compat import set_tier
from tf1compat.kernels.nn import conv, conv_on_cpu

# Input, filter, strides, padding, dilations; the filter's last but one size is the channels.
CASES = [
    ((2, 5, 6, 3), (1, 1, 3, 4), 1, "SAME", 1),
    ((3, 7, 4, 2), (1, 1, 2, 3), 3, "VALID", 1),
    ((2, 2, 2, 3), (3, 3, 3, 5), 1, "SAME", 1),
    ((2, 2, 3, 3), (5, 3, 3, 5), 2, "SAME", 1),
    ((2, 4, 4, 3), (3, 3, 3, 40), 1, "SAME", 1),
    ((1, 4, 5, 3), (3, 2, 3, 40), 2, "VALID", 1),
    ((2, 8, 9, 1), (3, 2, 1, 4), 2, "VALID", 2),
    ((2, 9, 8, 1), (3, 3, 1, 2), 1, "SAME", 3),
    ((2, 7, 6, 3), (3, 4, 3, 2), 2, "VALID", 1),
    ((2, 5, 6, 3), (3, 3, 3, 4), 1, "SAME", 1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("how", ["", "depthwise", "by rows"])
def test_same_as_convolutions(
    tf: Any, monkeypatch: pytest.MonkeyPatch, case: Any, how: str
) -> None:
    size, window, stride, padding, dilation = case
    depthwise = how == "depthwise"
    if how == "by rows":  # As large ones are.
        monkeypatch.setattr(conv_on_cpu, "_MANY_TERMS", 1)
        monkeypatch.setattr(conv_on_cpu, "_LARGE_BLOCK", 1)
    if depthwise:
        dilation, window = 1, (*window[:3], 2)
    rng = np.random.RandomState(0)
    image, filter = rng.normal(size=size), rng.normal(size=window)

    def run() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            set_tier("xla", session)
            x, w = tf.constant(image), tf.constant(filter)
            x, w = tf.placeholder_with_default(x, size), tf.placeholder_with_default(w, window)
            strides = [1, stride, stride, 1]
            if depthwise:
                y = tf.nn.depthwise_conv2d(x, w, strides, padding)
            else:
                y = tf.nn.conv2d(x, w, strides, padding, dilations=[1, dilation, dilation, 1])
            weights = tf.cos(tf.reshape(tf.range(tf.cast(tf.size(y), tf.float64)), tf.shape(y)))
            return session.run([y, *tf.gradients(y * weights, [x, w])])

    monkeypatch.setattr(conv, "on_cpu", lambda: True)
    found = run()
    monkeypatch.setattr(conv, "on_cpu", lambda: False)
    for made, wanted in zip(found, run(), strict=True):
        np.testing.assert_allclose(made, wanted, 1e-10, 1e-10)


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_an_image_smaller_than_the_filter_by_one_gives_nothing(tf: Any, tier: str) -> None:
    """As TensorFlow's kernels do, where shapes are known in the run alone."""
    x = tf.placeholder(tf.float32, [None, None, None, 1])
    w = tf.placeholder(tf.float32)
    convolutions = [
        tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID"),
        tf.nn.depthwise_conv2d_native(x, w, [1, 1, 1, 1], "VALID"),
    ]
    with tf.Session() as session:
        set_tier(tier, session)
        found = session.run(convolutions, {x: np.ones((1, 3, 3, 1)), w: np.ones((4, 4, 1, 1))})
    assert [y.shape for y in found] == [(1, 0, 0, 1)] * 2
