"""`tf.losses`."""
