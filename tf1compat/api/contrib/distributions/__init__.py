"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and more of the kind."""
