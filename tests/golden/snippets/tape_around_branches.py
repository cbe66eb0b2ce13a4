"""Gradients of variables that only branches and loops of a function read; lists of strings."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()


def dense():
    return tf.keras.layers.Dense(1, kernel_initializer="ones")


def show(name, tape, layer, value):
    print(name, sorted(v.name.split("/")[-1] for v in tape.watched_variables()))
    return tape.gradient(value, layer.trainable_variables)


in_branch, in_loop, in_map, in_inner, in_array = (dense() for _ in range(5))


@tf.function
def branch(x):
    with tf.GradientTape() as tape:
        if tf.reduce_sum(x) > 0:
            s = tf.reduce_sum(in_branch(x))
        else:
            s = tf.constant(0.0)
    return show("branch", tape, in_branch, s)


@tf.function
def loop(x):
    with tf.GradientTape() as tape:
        s = tf.constant(0.0)
        for i in tf.range(3):
            s += tf.reduce_sum(in_loop(x)) * tf.cast(i, tf.float32)
    return show("loop", tape, in_loop, s)


@tf.function
def mapped(x):
    with tf.GradientTape() as tape:
        s = tf.reduce_sum(tf.map_fn(lambda row: tf.reduce_sum(in_map(row[None])), x))
    return show("map", tape, in_map, s)


@tf.function
def of_inner(x):
    return tf.reduce_sum(in_inner(x))


@tf.function
def inner(x):
    with tf.GradientTape() as tape:
        s = of_inner(x)
    return show("inner", tape, in_inner, s)


@tf.function
def array(x):
    with tf.GradientTape() as tape:
        found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(5):
            found = found.write(i, tf.reduce_sum(in_array(x)))
            if i > 2:
                break
        s = tf.reduce_sum(found.stack())
    return show("array", tape, in_array, s)


for run in (branch, loop, mapped, inner, array):
    for x in (tf.ones([2, 2]), tf.ones([2, 2]) * 2.0):
        print([None if g is None else g.numpy().tolist() for g in run(x)])


@tf.function
def words(count):
    found = tf.TensorArray(tf.string, size=count)
    for i in tf.range(count):
        if i % 3 == 0:
            word = "Fizz"
        else:
            word = tf.strings.as_string(i)
        found = found.write(i, word)
    return found.stack(), found.gather([1, 0]), found.read(1)


print([x.numpy() for x in words(tf.constant(4))])


@tf.function
def shortened(x):
    return tf.map_fn(
        lambda s: tf.cond(tf.strings.length(s) > 1, lambda: s, lambda: tf.constant("short")), x
    )


print(shortened(tf.constant(["aa", "b"])).numpy())
