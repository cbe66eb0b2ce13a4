import tensorflow as tf

K = tf.keras.backend

x = tf.constant([-1.6, -0.4, 0.4, 0.6, 2.2])
rounded = x + K.stop_gradient(K.round(x) - x)
grad = tf.gradients(rounded, x)[0]


def binarize(t):
    g = tf.get_default_graph()
    with g.gradient_override_map({"Sign": "Identity"}):
        return tf.sign(t)


clipped = tf.clip_by_value(x, -1.0, 1.0)
binary = clipped + tf.stop_gradient(tf.sign(clipped) - clipped)

with tf.Session() as sess:
    print(sess.run(rounded))
    print(sess.run(grad))
    print(sess.run(tf.gradients(tf.round(x) * 2.0, x, unconnected_gradients="zero")))
    print(sess.run(tf.gradients(binarize(x), x)))
    print(sess.run([binary, tf.gradients(binary, x)[0]]))
print(tf.gradients(tf.round(x), x), tf.gradients(tf.sign(x), x))
print(K.round(x), K.stop_gradient(x), sep="\n")
