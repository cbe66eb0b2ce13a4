"""tf.estimator.experimental: hooks."""
