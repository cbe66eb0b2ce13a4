"""tf.contrib.learn.estimators."""
