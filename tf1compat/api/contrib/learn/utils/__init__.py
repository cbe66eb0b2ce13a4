"""tf.contrib.learn.utils: exports of estimators."""
