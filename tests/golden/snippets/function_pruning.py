"""What runs of a function's body: its results, and what the call or the signature ask for."""

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import function as eager_function
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops, gen_functional_ops

ONES = np.ones(4, np.float32)


def body(x, unread):
    missing = tf.placeholder(tf.float32, [4])
    if unread == "random":
        tf.random.gamma([2], missing)
        tf.multinomial(missing[None], 2)
    if unread == "print":
        tf.Print(missing, [missing])
    if unread == "pure":
        tf.sqrt(missing)
    return x + 1


def attempt(what, make):
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            print(what, np.ravel(session.run(make())))
        except tf.errors.InvalidArgumentError:
            print(what, "refused")


def mapped(x, unread):
    dataset = tf.data.Dataset.from_tensors(x).map(lambda element: body(element, unread))
    return tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()


for unread in ("pure", "random", "print"):

    @function.Defun(tf.float32)
    def defined(x):
        return body(x, unread)

    def traced(x):
        return eager_function.defun(lambda given: body(given, unread))(x)

    attempt(f"{unread}: traced", lambda: traced(ONES))
    attempt(f"{unread}: called", lambda: defined(ONES))
    attempt(
        f"{unread}: PartitionedCall",
        lambda: gen_functional_ops.partitioned_call([ONES], [tf.float32], defined),
    )
    attempt(
        f"{unread}: StatefulPartitionedCall",
        lambda: gen_functional_ops.stateful_partitioned_call([ONES], [tf.float32], defined),
    )
    attempt(
        f"{unread}: If",
        lambda: functional_ops.If(tf.constant(True), [ONES], defined, defined),
    )
    attempt(f"{unread}: dataset", lambda: mapped(ONES, unread))
