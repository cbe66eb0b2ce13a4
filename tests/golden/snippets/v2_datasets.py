"""What datasets remember from one iterator to the next under TF 2's behaviour, and other things
that ask for it."""

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
calls = []


def f(x):
    calls.append(int(x))
    return x


d = tf.data.Dataset.range(4).map(lambda x: tf.py_function(f, [x], tf.int64)).cache()
for i in range(3):
    print([int(x) for x in d], len(calls))
print([int(x) for x in d.repeat(2)], len(calls))
it = iter(d)
print(int(next(it)), len(calls))
print([int(x) for x in d.take(2)], len(calls))
d = tf.data.Dataset.range(4).map(lambda x: tf.py_function(f, [x], tf.int64)).cache()
del calls[:]
print([int(x) for x in d.take(2)], len(calls))
print([int(x) for x in d.take(2)], len(calls))
print([int(x) for x in d], len(calls))
print([int(x) for x in d], len(calls))


# in function
@tf.function
def g(n):
    s = tf.constant(0, tf.int64)
    k = tf.constant(1, tf.int64)
    for x in tf.data.Dataset.range(6).shuffle(6, seed=4).cache():
        s += k * x
        k *= 10
    return s


g.get_concrete_function(1)
print([o.type for o in g.get_concrete_function(1).graph.get_operations()])
print(int(g(1)), int(g(1)), int(g(1)))
d = tf.data.Dataset.range(6).shuffle(6, seed=4)


@tf.function
def h(d):
    s = tf.constant(0, tf.int64)
    k = tf.constant(1, tf.int64)
    for x in d:
        s += k * x
        k *= 10
    return s


print(int(h(d)), int(h(d)), int(h(d)))
d2 = tf.data.Dataset.range(2).flat_map(lambda i: tf.data.Dataset.range(4).shuffle(4, seed=4))
print([int(x) for x in d2], [int(x) for x in d2])
d2 = tf.data.Dataset.range(2).interleave(
    lambda i: tf.data.Dataset.range(4).shuffle(4, seed=4).cache(), cycle_length=2
)
print([int(x) for x in d2], [int(x) for x in d2])
d = tf.data.Dataset.range(6).shuffle(6, seed=4)
z = tf.data.Dataset.zip((d, d))
print([(int(a), int(b)) for a, b in z], [(int(a), int(b)) for a, b in z])
i1 = iter(d)
i2 = iter(d)
print(
    [int(next(i1)) for _ in range(3)],
    [int(next(i2)) for _ in range(3)],
    [int(next(i1)) for _ in range(3)],
)
m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(1,))])
m.compile("sgd", "mse")
rows = []
ds = (
    tf.data.Dataset.range(6)
    .shuffle(6, seed=4)
    .map(lambda x: (tf.reshape(tf.cast(x, tf.float32), [1, 1]), tf.zeros([1, 1])))
)


class C(tf.keras.callbacks.Callback):
    def on_batch_end(self, b, logs=None):
        rows.append(round(float(logs["loss"]), 3))


h = m.fit(ds, epochs=3, verbose=0, callbacks=[C()])
print(rows)
it = iter(d)
ck = tf.train.Checkpoint(it=it)
try:
    next(it)
    p = ck.save(os.path.join(tempfile.mkdtemp(), "c"))
    a = [int(next(it)) for _ in range(3)]
    ck.restore(p)
    print(a == [int(next(it)) for _ in range(3)])
except Exception as e:
    print(type(e).__name__, str(e)[:300])
with tf.Graph().as_default():
    d = tf.data.Dataset.range(6).shuffle(6, seed=4).cache()
    print([o.type for o in tf.compat.v1.get_default_graph().get_operations()])


# module
class M(tf.Module):
    def __init__(self):
        super(M, self).__init__(name="mm")
        with self.name_scope:
            self.v = tf.Variable(1.0, name="v")
        with self.name_scope:
            self.w = tf.Variable(1.0, name="w")


m = M()
print(
    m.v.name,
    m.w.name,
    m.name_scope.name if hasattr(m.name_scope, "name") else None,
    type(m.name_scope).__name__,
)
with tf.name_scope("outer"):
    m = M()
    print(m.v.name, m.w.name, type(m.name_scope).__name__, m.name_scope is m.name_scope)
# moving average
v = tf.Variable(1.0)
tf.keras.backend.moving_average_update(v, tf.constant(3.0), 0.5)
print(v.numpy())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
p = tempfile.mkdtemp()
model.save(os.path.join(p, "x"))
print(sorted(os.listdir(os.path.join(p, "x"))) if os.path.isdir(os.path.join(p, "x")) else "file")
s = tf.SparseTensorSpec([2, 2], tf.float32)
c = s._from_components(
    [np.array([[0, 0]], np.int64), np.array([1.0], np.float32), np.array([2, 2], np.int64)]
)
print(type(c).__name__)
c = tf.RaggedTensorSpec([2, None], tf.float32)._from_components(
    [np.array([1.0, 2.0], np.float32), np.array([0, 1, 2], np.int64)]
)
print(type(c).__name__)
c = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
c = c._type_spec._from_components([np.array([1.0]), np.array([0])])
print(type(c).__name__)
for kw in ({}, {"reshuffle_each_iteration": False}):
    d = tf.data.Dataset.range(8).shuffle(8, seed=3, **kw)
    b = d.batch(4)
    for e in range(3):
        print([x.numpy().tolist() for x in b.take(2)])
    print([int(x) for x in d.repeat(3)])
