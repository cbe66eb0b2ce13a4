"""Where constants met: huge ones that cancel, quotients, losses of what is saturated."""

import numpy as np
import tensorflow as tf

SUMS = {
    "x+c": lambda x, c: x + c,
    "c+x": lambda x, c: c + x,
    "x-c": lambda x, c: x - c,
    "c-x": lambda x, c: c - x,
}
PRODUCTS = {
    "x*c": lambda x, c: x * c,
    "c*x": lambda x, c: c * x,
    "x/c": lambda x, c: x / c,
    "c/x": lambda x, c: c / x,
}
HUGE = {tf.float16: (30000.0, 300.0), tf.float32: (1e8, 1e25), tf.float64: (1e17, 1e200)}
LARGE = {tf.float16: 250.0, tf.float32: 1e20, tf.float64: 1e150}


def values(x, y, value, more=()):
    with tf.Session() as session:
        return ["%.4g" % v for v in np.ravel(session.run([y, *more], {x: value})[0])]


for dtype in HUGE:
    for forms, huge, value in (
        (SUMS, HUGE[dtype][0], 0.3),
        (PRODUCTS, HUGE[dtype][1], LARGE[dtype]),
    ):
        for first in forms:
            for second in forms:
                found = []
                for other in (huge, -huge if forms is SUMS else 1 / huge):
                    tf.reset_default_graph()
                    x = tf.placeholder(dtype, [1])
                    inner = forms[first](x, tf.constant(huge, dtype))
                    y = forms[second](inner, tf.constant(other, dtype))
                    found += values(x, y, [value])
                print(dtype.name, first, second, *found)

# What else needs the value in between, and what lies between the two.
CASES = {
    "vectors": lambda x: x + tf.constant([1e8, 1e8, 1e8]) - tf.constant([1e8, 0.0, 1e8]),
    "wider": lambda x: tf.reshape(x, [3, 1]) + [[1e8]] + [[-1e8, 1.0]],
    "three": lambda x: x + 1e8 + 3.0 - 1e8,
    "identity": lambda x: tf.identity(x + 1e8) - 1e8,
    "reshaped": lambda x: tf.reshape(x + 1e8, [3]) - 1e8,
    "branch": lambda x: tf.cond(x[0] < 1, lambda: x + 1e8 - 1e8, lambda: x),
    "loop": lambda x: tf.while_loop(
        lambda i, y: i < 2, lambda i, y: (i + 1, y + 1e8 - 1e8), [0, x]
    )[1],
    "map": lambda x: tf.map_fn(lambda e: e + 1e8 - 1e8, x),
    "by zero": lambda x: x / [0.0, 1.0, 3.0],
    "cross entropy": lambda x: -tf.log(1.0 - tf.minimum(x + 1.0, 1.0) + 1e-8),
    "clipped": lambda x: tf.keras.losses.binary_crossentropy(
        tf.zeros([1, 3]), tf.clip_by_value(x[tf.newaxis] * 5, 0, 1) * tf.ones([1, 3])
    ),
}
for name, case in CASES.items():
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [3])
    print(name, *values(x, case(x), [0.3, 1e-9, 0.9]))
for use in (tf.identity, tf.sin):
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [3])
    inner = x + 1e8
    print("used twice", *values(x, inner - 1e8, [0.3, 1e-9, 0.9], [use(inner), inner]))
tf.reset_default_graph()
x = tf.placeholder(tf.float32, [2])
y = x / 3.0
print("few operations", [float(v) for v in tf.Session().run(y, {x: [0.3, 0.7]})])
z = tf.negative(y)
print("more", [float(v) for v in tf.Session().run(z, {x: [0.3, 0.7]})])
