"""Gradients of what a tape does not follow, in eager execution."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.logging.set_verbosity(tf.logging.ERROR)
x = tf.Variable([1.0, 2.0])
c = tf.constant([3.0, 4.0])


def shown(gradients):
    print(
        [None if g is None else np.round(g.numpy(), 4).tolist() for g in tf.nest.flatten(gradients)]
    )


def gradients(function, *sources, **settings):
    unconnected = settings.pop("unconnected", "none")
    with tf.GradientTape(**settings) as tape:
        result = function()
    shown(tape.gradient(result, list(sources), unconnected_gradients=unconnected))


doubled = c * 2.0
called = tf.function(lambda a: a * c)
two = tf.custom_gradient(lambda a, b: (a * b, lambda dy: (dy * 5.0, dy * 6.0)))
gradients(lambda: x * c, c, x)
gradients(lambda: x * doubled, doubled, c)
gradients(lambda: tf.concat([x, doubled], 0), doubled)
gradients(lambda: x * c, c, unconnected="zero")
gradients(lambda: x * c, c, persistent=True)
gradients(lambda: called(x), c, x)
gradients(lambda: two(x, c), c, x)
gradients(lambda: [c, x * 2.0], c, x)
gradients(lambda: tf.identity(c), c)
gradients(lambda: tf.cond(tf.constant(True), lambda: x * c, lambda: x), c)
dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
gradients(lambda: dense(c[None]), c, *dense.weights)

with tf.GradientTape(persistent=True) as tape:
    late = x * c
    tape.watch(c)
shown(tape.gradient(late, c))

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(c)
        y = x * c * c
    first = inner.gradient(y, c)
shown([first, outer.gradient(first, [x, c])])


@tf.function
def inside(a):
    with tf.GradientTape() as tape:
        y = a * c * x
    return [g for g in tape.gradient(y, [a, c, x]) if g is not None]


shown(inside(c))

# What a function with a gradient of its own is given.
seen = []


@tf.custom_gradient
def scaled(a, b=None):
    seen.append((type(a).__name__, type(b).__name__))
    return tf.convert_to_tensor(a) * 2.0, lambda dy: dy * 10.0


gradients(lambda: scaled(x), x)
shown([scaled(1.0), scaled([1.0, 2.0]), scaled(np.float32(1)), scaled(c, b=x)])
print([(a.replace("ResourceVariable", "Variable"), b[-8:]) for a, b in seen])
try:
    tf.custom_gradient(lambda a: a)(x)
except TypeError as error:
    print(str(error).replace("ResourceVariable", "Variable"))
