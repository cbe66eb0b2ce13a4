"""`tf.contrib.bayesflow`."""
