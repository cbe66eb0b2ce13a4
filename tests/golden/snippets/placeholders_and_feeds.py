import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, shape=(None, 2), name="x")
y = tf.reduce_sum(x, axis=1)
d = tf.placeholder_with_default([1, 2], [None])
with tf.Session() as sess:
    print(sess.run(y, feed_dict={x: [[1, 2], [3, 4]]}))
    print(sess.run(y, {"x:0": np.ones((3, 2))}))
    print(sess.run([d, d * 2], {d: [7]}), sess.run(d))
    print(sess.run(y, {y: [9.0]}), sess.run(y + 1, {y: np.float32([1.0])}))
    for feed in (
        {},
        {x: [[1.0]]},
        {x: "text"},
        {x: None},
        {"z:0": 1.0},
        {x: x},
        {3: 1},
    ):
        try:
            print(sess.run(y, feed))
        except Exception as e:
            print(type(e).__name__ + ":", str(e).split("\n")[0])
    print(type(sess.run(y, {x: [[1, 2]]})), type(sess.run(tf.constant(1.0))))
