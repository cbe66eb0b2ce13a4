"""What a run makes takes none of the numbers that name functions recorded after it."""

from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import function, ops


@function.Defun(tf.float32)
def twice(x):
    return x * 2.0


def numbered(what, call):
    before = ops.uid()
    call()
    print(what, ops.uid() - before)


texts = tf.data.Dataset.from_tensor_slices(["1", "2", "x"])
datasets = {
    "one result": texts.map(tf.string_to_number),
    "three results": texts.map(lambda text: (text, text, tf.strings.length(text))),
    "filtered": texts.filter(lambda text: tf.strings.length(text) > 0).batch(2),
    "flat": texts.flat_map(lambda text: tf.data.Dataset.from_tensors(text)),
    "of Python": texts.map(lambda text: tf.py_func(lambda t: t, [text], tf.string)),
}
x = tf.placeholder(tf.float32)
fetched = {
    "function": twice(x),
    "tf.function": tf.function(tf.abs)(x),
    "loop": tf.while_loop(lambda i: i < x, lambda i: i + 1.0, [0.0]),
    "map": tf.map_fn(lambda e: e * x, np.arange(3, dtype=np.float32)),
    "py_func": tf.py_func(lambda v: np.sin(v), [x], tf.float32),
}
iterators = [
    (name, tf.data.make_initializable_iterator(datasets[name])) for name in sorted(datasets)
]
elements = [(name, iterator, iterator.get_next()) for name, iterator in iterators]
with tf.Session() as session:
    for name, iterator, element in elements:
        numbered(name + ", initialized", lambda: session.run(iterator.initializer))
        numbered(name + ", run", lambda: session.run(element))
    for name in sorted(fetched):
        for _ in range(2):
            numbered(name, lambda: session.run(fetched[name], {x: 2.0}))
