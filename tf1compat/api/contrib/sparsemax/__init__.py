"""`tf.contrib.sparsemax`."""
