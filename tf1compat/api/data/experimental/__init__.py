"""`tf.data.experimental`."""
