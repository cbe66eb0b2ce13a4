"""A function's random numbers, for inputs of several shapes."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
tf.compat.v2.random.set_seed(3)


@tf.function
def a(n):
    return tf.random.uniform([n])


print("value", [a(tf.constant(n)).numpy()[:2].tolist() for n in (2, 3, 3, 2)])


@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def b(x):
    return tf.random.uniform([2])


print("rank", [b(tf.ones(s)).numpy()[:2].tolist() for s in ([2], [2, 2], [2], [3])])


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([None], tf.float32)])
def c(x, y):
    return tf.random.uniform([2])


print(
    "two",
    [
        c(tf.ones([s]), tf.ones([t])).numpy()[:2].tolist()
        for s, t in ((2, 2), (2, 3), (3, 2), (2, 2))
    ],
)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def d(x):
    return e(x)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def e(x):
    return tf.random.uniform([2])


print("nested", [d(tf.ones([s])).numpy()[:2].tolist() for s in (2, 3, 3, 2)])
print("nested", [e(tf.ones([s])).numpy()[:2].tolist() for s in (2, 3, 3, 2)])
v = tf.Variable(tf.ones([2]), shape=tf.TensorShape(None))


@tf.function
def g():
    return tf.random.uniform([2]) + 0 * tf.reduce_sum(v)


r = []
for n in (2, 3, 3, 2):
    v.assign(tf.ones([n]))
    r.append(g().numpy().tolist())
print("var", r)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def h(x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.nn.dropout(x, rate=0.5)
    return y, t.gradient(y, x)


print("grad", [[z.numpy().tolist() for z in h(tf.ones([n]))] for n in (2, 3, 3, 2)])


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def k(x):
    return tf.nn.dropout(x, rate=0.5)


r = []
for n in (2, 3, 3, 2):
    x = tf.ones([n])
    with tf.GradientTape() as t:
        t.watch(x)
        y = k(x)
    r.append((y.numpy().tolist(), t.gradient(y, x).numpy().tolist()))
print("grad2", r)
w = tf.compat.v1.wrap_function(
    lambda x: tf.random.uniform([2]), [tf.TensorSpec([None], tf.float32)]
)
print("wrap", [w(tf.ones([s])).numpy()[:2].tolist() for s in (2, 3, 3, 2)])
cf = e.get_concrete_function()
print("concrete", [cf(tf.ones([s])).numpy()[:2].tolist() for s in (2, 3, 3, 2)])
print(
    "map",
    [
        list(map(float, tf.map_fn(lambda i: tf.random.uniform([]), tf.ones([s]))))
        for s in (2, 3, 3, 2)
    ],
)


@tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
def q(x):
    i = 0
    s = 0.0
    while tf.less(i, 2):
        i += 1
        s += tf.random.uniform([])
    return s


print("loop", [float(q(tf.ones([s], tf.int32))) for s in (2, 3, 3, 2)])


@tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
def z(x):
    return tf.random.uniform([2])


print("string", [z(tf.constant(["a"] * s)).numpy().tolist() for s in (2, 3, 3, 2)])
