"""Arithmetic of NumPy's scalars and arrays with numbers, whose types NumPy 2 decides otherwise."""

import numpy as np
import tensorflow as tf


def show(*values):
    print(*["{} {!r}".format(getattr(v, "dtype", type(v).__name__), v) for v in values], sep="; ")


narrow, byte, small = np.float32(0.1), np.uint8(200), np.int32(5)
show(narrow / 3, narrow * 2.0, narrow**2, narrow % 2.0, 2.0 - narrow, narrow // 1.0, -0.5 * narrow)
show(byte << 1, byte / 3, byte**2, byte * 1.5, small / 2**70, narrow / 10**30, narrow * 2j)
show(small + 1.5, narrow + np.float64(1), np.float16(1) + np.abs(narrow), np.bool_(True) / 2)

floats, bytes_ = np.ones(2, np.float32), np.array([1, 2], np.uint8)
show(floats * np.float64(2), floats + np.int64(2), floats * 1e60, floats * np.float64(1e60))
show(bytes_ + np.int64(2), bytes_ + np.int64(300), np.abs(bytes_) + 300, np.abs(bytes_) * -1)
show(bytes_ * 1.5, bytes_ / 2, bytes_ * np.float64(1.5), np.ones(2, np.int8) + 200, bytes_**2)
show(np.float32(1) * np.ones(1), np.float32(1) + np.array([1]), np.ones(2, np.int32) - 2**40 > 0)
show(floats * np.array(2.0), np.array(2.0, np.float32) * 3.0, floats ** np.int64(2), floats + 2j)
show(floats / floats, bytes_ / floats, np.array(["a"], object) + "b", floats / np.sqrt(2.0))

total, mean, counts = 0, 0.0, {"loss": 0.0}
losses = [np.float32(v) for v in (0.1, 0.2, 0.3)]


class Meter(object):
    def __init__(self):
        self.total = 0.0
        self.__hidden = 0
        self.inner = self

    def add(self, value):
        self.total += value
        self.__hidden += value
        self.inner.inner.total += value
        self.inner.inner.__hidden -= value / 2
        return self.__hidden


meter = Meter()
for loss in losses:
    total += loss
    mean = 0.9 * mean + 0.1 * loss
    counts["loss"] += loss
    meter.add(loss)
show(total, mean, counts["loss"], meter.total, meter.add(losses[0]), sum(losses) / len(losses))
show(sum(losses, 1), sum(v for v in losses), sum([[1], [2]], []), sum(iter([1, 2])))
rate = np.float32(0.5)
rate *= 0.1
held = floats
held *= np.float64(3)
held += 1
items = [1]
alias = items
items += (2,)
show(rate, held, held is floats, alias is items)
show(np.floor(7) / 2, np.ceil(np.array([1, 2], np.int16)), np.trunc(np.uint8(3)), np.floor(2.5))

x = tf.placeholder(tf.float32, [], name="x")
y = np.float32(2) * x + narrow / 3
y -= x / 4
with tf.Session() as sess:
    value = sess.run(y, {x: 0.5})
    print(y.op.name, [op.name for op in tf.get_default_graph().get_operations()])
    show(value, value / 3, value * 2.0, value + np.sum(sess.run(tf.constant([1.0, 2.0]))))
try:
    floats / "a"
except Exception as error:
    print(type(error).__name__)
try:
    undefined_total += value
except NameError as error:
    print(error)
