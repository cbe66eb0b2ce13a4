"""tf.contrib.learn.io: input functions."""
