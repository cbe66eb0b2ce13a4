"""Orders of repeated datasets whose seeds outlast an iterator."""

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
for n in (1, 2, -1, 0):
    d = tf.data.Dataset.range(6).shuffle(6, seed=3).repeat(n)
    for _ in range(3):
        print(n, [int(x) for x in d.take(14)])
    for _ in range(2):
        print(n, [int(x) for x in d.take(6)])
d = tf.data.Dataset.range(6).shuffle(6, seed=3).repeat(2).batch(4).prefetch(1)
for _ in range(3):
    print([x.numpy().tolist() for x in d])
