"""tf.contrib.learn, as far as it is supported."""
