import tensorflow as tf

w1 = tf.Variable(2.0)
w2 = tf.Variable(2.0)
a = tf.multiply(w1, 3.0)
a_stoped = tf.stop_gradient(a)
b = tf.multiply(a_stoped, w2)
gradients = tf.gradients(b, xs=[w1, w2])
print(gradients)

c = tf.multiply(a, w2)
print(tf.gradients(c, xs=[w1, w2]))
print(tf.gradients(tf.stop_gradient(c), w1))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(gradients[1]))
