import tensorflow as tf

x = tf.Variable(2.0)
y = x**2 + x - 1

grad = tf.gradients(y, x)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grad))
    print(sess.run(y))
    print(sess.run([y, grad]))
    print(sess.run({"y": y, "slope": grad[0]}))
print(y, grad)
