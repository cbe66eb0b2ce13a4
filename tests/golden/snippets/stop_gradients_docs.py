import tensorflow as tf

a = tf.constant(0.0)
b = 2 * a
g = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
h = tf.gradients(a + b, [a, b])

a2 = tf.stop_gradient(tf.constant(0.0))
b2 = tf.stop_gradient(2 * a2)
i = tf.gradients(a2 + b2, [a2, b2])

with tf.Session() as sess:
    print(sess.run(g))
    print(sess.run(h))
    print(sess.run(i))
print(g)
print(h)
