"""`tf.contrib.resampler`."""
