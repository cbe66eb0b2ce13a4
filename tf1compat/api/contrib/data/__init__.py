"""`tf.contrib.data`: what has moved to `tf.data` and `tf.data.experimental`."""
