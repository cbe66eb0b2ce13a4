"""What the modules of `tf.data` share."""
