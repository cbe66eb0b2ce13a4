import os

import tensorflow as tf

tf.enable_eager_execution()


@tf.autograph.experimental.do_not_convert
def left(x):
    raise ValueError("left\nas it is")


def inner(x):
    raise ValueError("inner\nof two lines")


def two(a, *, b=1):
    return a


@tf.function
def one_frame(x):
    raise KeyError("x")


@tf.function
def two_frames(x):
    return inner(x)


@tf.function
def too_many(x):
    return inner(x, 1)


@tf.function
def too_few(x):
    return inner()


@tf.function
def unknown(x):
    return inner(y=x)


@tf.function
def keyword(x):
    return two(x, 3)


@tf.function
def in_a_loop(x):
    for _ in tf.range(3):
        raise IndexError("loop")
    return x


@tf.function
def outer(x, y):
    return x


of_lambda = tf.function(lambda x: x.nothing)
through_lambda = tf.function(lambda x: x + inner(x))


def text_of(function, *args, **kwargs):
    try:
        return str(function(*args, **kwargs))
    except Exception as error:
        folder = os.path.dirname(os.path.abspath(__file__))
        return type(error).__name__ + ": " + str(error).replace(folder, "FOLDER")


x = tf.constant(1.0)
for function in (
    one_frame, two_frames, too_many, too_few, unknown, keyword, in_a_loop, of_lambda,
    through_lambda,
):  # fmt: skip
    print(text_of(function, x))
for args, kwargs in (((x,), {}), ((x, x, x), {}), ((x,), {"z": x}), ((), {})):
    print(text_of(outer, *args, **kwargs))


@tf.function
def as_it_is(x):
    return left(x)


print("relative" in text_of(as_it_is, x), text_of(as_it_is, x)[-60:])
