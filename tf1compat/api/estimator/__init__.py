"""tf.estimator: models with their training, evaluation and prediction. Loaded on first use."""
