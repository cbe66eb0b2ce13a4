# Ids count every tensor of the process: only the first is pinned.
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
first = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(first)
print(repr(first))
print(tf.executing_eagerly())
for value in (tf.matmul(first, first), tf.constant("text"), tf.constant(True), tf.zeros([0])):
    print(str(value).split("id=")[0], value.shape, value.dtype, value.numpy())
v = tf.Variable(np.float32(3.5), name="v")
print(v)
v.assign_add(1.0)
print(
    v.numpy(),
    (v * 2).numpy(),
    float(tf.constant(1.5)),
    int(tf.constant(3)),
    bool(tf.constant(False)),
)
print(tf.add(1, 2).numpy(), tf.reduce_sum([1, 2, 3]).numpy(), len(tf.constant([4, 5])))
with tf.GradientTape() as tape:
    loss = v * v
print(tape.gradient(loss, v).numpy())
try:
    tf.placeholder(tf.float32)
except RuntimeError as e:
    print(e)
