"""How many numbers TF takes for tensors, functions and graphs: names of functions end with one."""

import tensorflow as tf
from tensorflow.python.framework import function, ops

tf.get_default_graph()
last = ops.uid()


def taken(name):
    global last
    number = ops.uid()
    print(name, number - last)
    last = number


numbers = tf.data.Dataset.range(6)
taken("range")
numbers = numbers.map(lambda v: v + 1)
taken("map")
numbers = numbers.filter(lambda v: v > 1)
taken("filter")
numbers.batch(2).make_one_shot_iterator().get_next()
taken("one shot")
numbers.flat_map(tf.data.Dataset.range)
taken("flat_map")
tf.data.Dataset.from_generator(lambda: [1], tf.int32)
taken("generator")
numbers.map(lambda v: tf.cond(v > 1, lambda: v, lambda: v + 1))
taken("cond in map")
numbers.map(lambda v: tf.while_loop(lambda i: i < v, lambda i: i + 1, [tf.constant(0, tf.int64)]))
taken("while in map")
numbers.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)
taken("reduce")


@tf.function
def twice(x):
    return x * 2


@function.Defun(tf.float32)
def more(x):
    return x + 1


x = tf.constant(2.0)
taken("constant")
y = twice(x)
taken("function")
twice(x)
taken("again")
twice.get_concrete_function(tf.TensorSpec([2], tf.float32))
taken("concrete function")
tf.gradients(y, x)
taken("gradients")
more(1.0)
taken("Defun")
with tf.Graph().as_default():
    taken("graph")
numbers.map(lambda v: twice(tf.cast(v, tf.float32)))
taken("function in map")
tf.map_fn(lambda v: v, tf.ones([3]))
taken("map_fn")
