# `sum` adds what a generator gives before it asks for more: that is the order of the nodes, and
# so decides what unseeded random operations draw.
import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
total = sum(tf.random_normal([2]) for _ in range(3))
of_numpy = np.sum(tf.random_normal([2]) for _ in range(2))
mapped = sum(map(tf.abs, [1, -2]), tf.constant(1))
listed = sum([tf.random_normal([2]) for _ in range(2)])
with tf.Session() as sess:
    for values in sess.run([total, of_numpy, mapped, listed]):
        print(values.tolist())
for op in tf.get_default_graph().get_operations():
    print(op.name, op.type, [t.name for t in op.inputs])
print(repr(sum(np.float32(x) for x in (0.1, 0.2))), sum([0.1] * 10), sum(x for x in (1, 2)))
