"""tf.contrib.receptive_field: which part of an image a feature of a net depends on."""
