"""tf.contrib.tfprof, as far as it is supported."""
