"""`tf.xla`."""
