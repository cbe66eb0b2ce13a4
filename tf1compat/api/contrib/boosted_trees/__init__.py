"""`tf.contrib.boosted_trees`: losses of examples, sums of gradients, quantiles of features."""
