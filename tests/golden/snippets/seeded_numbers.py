import tensorflow as tf

tf.set_random_seed(1234)
a = tf.random_uniform([1])
b = tf.random_normal([2])
c = tf.random_uniform([2], seed=1)
with tf.Session() as sess1:
    print(sess1.run(a), sess1.run(a), sess1.run(b))
    print(sess1.run(c))
with tf.Session() as sess2:
    print(sess2.run(a), sess2.run(a))
    print(sess2.run([c, c]))

tf.reset_default_graph()
tf.set_random_seed(0)
w = tf.Variable(tf.truncated_normal([2, 3]), name="w")
shuffled = tf.random_shuffle(tf.range(6))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w))
    print(sess.run(shuffled), sess.run(shuffled))
print(tf.get_seed(None), tf.get_seed(5), tf.get_default_graph().seed)
