"""tf.estimator.export: what a model exports and how it is fed."""
