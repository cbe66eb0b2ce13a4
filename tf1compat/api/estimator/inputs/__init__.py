"""tf.estimator.inputs: features and labels of arrays and tables."""
