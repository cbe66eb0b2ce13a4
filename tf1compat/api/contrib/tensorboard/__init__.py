"""`tf.contrib.tensorboard`."""
