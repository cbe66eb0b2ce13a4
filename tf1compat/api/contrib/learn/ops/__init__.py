"""tf.contrib.learn's operations (`tensorflow.contrib.learn.python.learn.ops`)."""
