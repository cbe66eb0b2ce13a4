import numpy as np
import tensorflow as tf


def entry_stop_gradients(target, mask):
    mask_h = tf.abs(mask - 1)
    return tf.stop_gradient(mask_h * target) + mask * target


mask = np.array([1.0, 0, 1, 1, 0, 0, 0, 1, 1, 1])
mask_h = np.abs(mask - 1)

emb = tf.constant(np.ones([10, 5]))
matrix = entry_stop_gradients(emb, tf.expand_dims(mask, 1))

parm = np.random.RandomState(1).randn(5, 1)
t_parm = tf.constant(parm)
loss = tf.reduce_sum(tf.matmul(matrix, t_parm))
grad1 = tf.gradients(loss, emb)
grad2 = tf.gradients(loss, matrix)
print(matrix)
with tf.Session() as sess:
    print(sess.run(loss))
    print(sess.run([grad1, grad2]))
