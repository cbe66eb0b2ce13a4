"""tf.contrib.rnn.python.tools."""
