"""What reads data sets for `tf.contrib.slim`."""
