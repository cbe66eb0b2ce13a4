"""tf.contrib.mixed_precision: losses that are scaled so that float16 gradients don't vanish."""
