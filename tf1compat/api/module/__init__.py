"""`tf.Module`."""
