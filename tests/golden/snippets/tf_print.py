import sys

import tensorflow as tf

a = tf.constant([1.0, 2.5])
shown = tf.print("a is", a, [1, 2], output_stream=sys.stdout, summarize=3)
with tf.control_dependencies([shown]):
    b = a * 2
with tf.Session() as sess:
    print(sess.run(b))
    sys.stdout.flush()
print(tf.Print(a, [a], "message: "))
print(shown.name, shown.type)
