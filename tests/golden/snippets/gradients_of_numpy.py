import numpy as np
import tensorflow as tf

x = np.array([1.0, 2.0, 3.0])
y = tf.reduce_sum(x * tf.constant(2.0, tf.float64))
print(tf.gradients(y, x))

t = tf.constant(x)
z = tf.reduce_sum(t * t)
print(tf.gradients(z, [x, t]))
print(tf.gradients(z, t, grad_ys=np.float64(2.0)))
print(tf.gradients(3.0, 4.0))
with tf.Session() as sess:
    print(sess.run(tf.gradients(z, t, grad_ys=[np.float64(2.0)])))
    print(sess.run(tf.gradients(t, t)))
