import tensorflow as tf


@tf.function
def example():
    a = tf.ones([1, 2])
    b = tf.ones([3, 1])
    print(tf.gradients([b], [a], unconnected_gradients="none"))
    return tf.gradients([b], [a], unconnected_gradients="zero")


zeros = example()
print(zeros)
with tf.Session() as sess:
    print(sess.run(zeros))

x = tf.ones([2, 2])
y = tf.constant(3.0)
print(tf.gradients(y, x))
zero = tf.gradients(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
print(zero)
print(tf.UnconnectedGradients.ZERO, tf.UnconnectedGradients("none"))
try:
    tf.gradients(y, x, unconnected_gradients="nonsense")
except ValueError as e:
    print(e)
