"""Calls of library functions with other arguments than they take, and conditions of several."""

import tensorflow as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import data_flow_ops, functional_ops


@function.Defun(tf.float32)
def doubled(x):
    return x * 2


@function.Defun(tf.float32)
def increased(x):
    return x + 1


@function.Defun(tf.int32, tf.float32)
def is_small(i, x):
    return i < 3


@function.Defun(tf.int32, tf.float32)
def turn(i, x):
    return i + 1, x * 2


@function.Defun(tf.int32, tf.float32)
def other_turn(i, x):
    return tf.cast(i + 1, tf.float32), x * 2


def show(make):
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            print(session.run(make()))
        except (ValueError, TypeError, tf.errors.OpError) as error:
            print("{}: {}".format(type(error).__name__, str(error).split("\n")[0]))


def chosen(*args):
    return functional_ops.If(tf.constant(True), list(args), doubled, increased)


show(lambda: chosen(3.0))
show(lambda: chosen(3))
show(lambda: chosen(3.0, 4.0))
show(lambda: functional_ops.While([0, 1.0], is_small, turn))
show(lambda: functional_ops.While([0, 1.0], is_small, other_turn))
show(lambda: functional_ops.While([0, 1], is_small, turn))

one = tf.data.make_one_shot_iterator
other = tf.data.Iterator.from_string_handle


def by_handle(types):
    handle = one(tf.data.Dataset.range(3)).string_handle()
    return other(handle, types).get_next()


show(lambda: by_handle(tf.int64))
show(lambda: by_handle((tf.int64, tf.int64)))
show(lambda: by_handle(tf.float32))
show(lambda: tf.dynamic_stitch([[0, 2], [1]], [[1, 2]]))

for shapes, options in (
    ([[1], None], {}),
    ([[1]], {}),
    ([[None]], {}),
    ([[None]], {"unknown_dim_allowed": True}),
    ([tf.TensorShape(None)], {"unknown_dim_allowed": True}),
    ([tf.TensorShape(None)], {"unknown_dim_allowed": True, "unknown_rank_allowed": True}),
    (3, {}),
):
    try:
        print(data_flow_ops._as_shape_list(shapes, [tf.int32], **options))
    except (ValueError, TypeError) as error:
        print(error)

tf.enable_control_flow_v2()
for condition in ([True, True], [False], [True]):
    show(
        lambda: tf.while_loop(
            lambda i: tf.logical_and(condition, i < 3),
            lambda i: i + 1,
            [0],
        )
    )
