import numpy as np
import tensorflow as tf

np.random.seed(0)
X = tf.Variable(np.random.rand(3, 3).astype(np.float32))
X_sum = tf.reduce_sum(X)
y = X_sum**2 + X_sum - 1
grad = tf.gradients(y, X)
print(X, X_sum, y, sep="\n")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    grad_value = sess.run(grad)
    print(grad_value)
    print(grad_value[0].dtype, grad_value[0].shape)
    print(sess.run(X))
