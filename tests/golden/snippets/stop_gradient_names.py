import tensorflow as tf

a = tf.Variable(2.0)
b = tf.Variable(3.0)
c = tf.Variable(4.0)
x = tf.placeholder(tf.float32)

before = tf.multiply(a, x)
after = tf.multiply(tf.stop_gradient(before), b)
print(tf.gradients(after, [a, b]))
print([op.name for op in tf.get_default_graph().get_operations()][-6:])

loss = tf.reduce_sum(after * c)
opt = tf.train.GradientDescentOptimizer(0.5)
grads_and_vars = opt.compute_gradients(loss, [a, b, c])
print(grads_and_vars)
train = opt.apply_gradients(grads_and_vars)
print(train)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(2):
        sess.run(train, feed_dict={x: 1.0})
        print(sess.run([a, b, c]))
