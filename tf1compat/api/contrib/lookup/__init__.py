"""`tf.contrib.lookup`: tables from keys to values."""
