"""tf.contrib.training: training steps, resampling, hyperparameters, placement."""
