"""`tf.contrib.metrics`: the metrics of before `tf.metrics`, and some more."""
