"""`tf.contrib.copy_graph`."""
