"""tf.contrib.feature_column: sequences as columns of the old kind."""
