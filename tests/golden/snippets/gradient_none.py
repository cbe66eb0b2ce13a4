import tensorflow as tf

a = tf.Variable(2.0)
b = tf.Variable(3.0, name="unrelated")
loss = a * a
grads = tf.gradients(loss, [a, b])
print(grads)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grads[0]))
    try:
        sess.run(grads)
    except TypeError as e:
        print("TypeError:", e)
    try:
        tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[b])
    except ValueError as e:
        print("ValueError:", e)
