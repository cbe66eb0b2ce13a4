"""Iterators of datasets in and around functions."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()


def t(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e)[:200].split("\n")[0])


d = tf.data.Dataset.range(6)


@tf.function
def a():
    it = iter(d)
    x = next(it)
    y = next(it)
    return x * 10 + y


t("iter in function", lambda: int(a()))
t("ops", lambda: [(o.name, o.type) for o in a.get_concrete_function().graph.get_operations()])


@tf.function
def b(it):
    return next(it) * 10 + next(it)


it = iter(d)
t("passed", lambda: (int(b(it)), int(b(it))))
t("sig", lambda: b.get_concrete_function(it).structured_input_signature)
it2 = iter(d)


@tf.function
def c():
    return it2.get_next() + 100


t("captured", lambda: (int(c()), int(c()), int(next(it2))))


@tf.function
def e(it):
    s = tf.constant(0, tf.int64)
    for x in it:
        s = s * 10 + x
    return s


it3 = iter(d)
next(it3)
t("for in it", lambda: int(e(it3)))
t("after", lambda: int(next(it3)))
t("end", lambda: int(b(it3)))


@tf.function
def g(it):
    for _ in tf.range(2):
        tf.print(next(it))
    return 1


it = iter(tf.data.Dataset.range(10).map(lambda x: {"a": x, "b": (x, x + 1)}))


@tf.function
def h(it):
    s = tf.constant(0, tf.int64)
    for _ in tf.range(3):
        e = next(it)
        s += e["a"] + e["b"][1]
    return s


t("dict", lambda: (int(h(it)), int(h(it)), int(h(it))))
t("dictend", lambda: int(h(it)))
t("spec", lambda: (it.element_spec, it._type_spec))
t("opt", lambda: tf.data.experimental.get_next_as_optional(it).has_value())


@tf.function
def o(it):
    opt = tf.data.experimental.get_next_as_optional(it)
    s = tf.constant(0, tf.int64)
    while opt.has_value():
        s += opt.get_value()
        opt = tf.data.experimental.get_next_as_optional(it)
    return s


t("opt in f", lambda: int(o(iter(d))))


@tf.function
def k(n):
    r = []
    for i in range(n):
        it = iter(tf.data.Dataset.range(i + 1))
        r.append(next(it))
    return r


t("k", lambda: [int(x) for x in k(3)])


@tf.function
def nested():
    return b(iter(d))


t("nested", lambda: int(nested()))
