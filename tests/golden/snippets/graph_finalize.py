import tensorflow as tf

x = tf.constant(1.0)
g = tf.get_default_graph()
g.finalize()
print(g.finalized)
try:
    tf.constant(2.0)
except RuntimeError as e:
    print(e)
with tf.Session() as sess:
    print(sess.run(x))
tf.reset_default_graph()
print(tf.get_default_graph().finalized)
with tf.Graph().as_default():
    try:
        tf.reset_default_graph()
    except AssertionError as e:
        print(e)
    y = tf.constant(1.0)
    try:
        tf.add(x, y)
    except ValueError as e:
        print(e)
    try:
        tf.add(x, 1.0)
    except RuntimeError as e:
        print(e)
