import tensorflow as tf

x = tf.constant([1.0, 2.0])
through = 3.0 * x
stopped = tf.stop_gradient(5.0 * x)
total = tf.reduce_sum(x + stopped)
grad = tf.gradients(total, x)[0]
both = tf.gradients(through + stopped, x)[0]
print(grad)
with tf.Session() as sess:
    print(sess.run(grad))
    print(sess.run(both))
    print(list(sess.run(grad)))
    print(sess.run([total, grad]))
