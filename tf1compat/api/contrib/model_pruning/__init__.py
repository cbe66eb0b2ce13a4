"""tf.contrib.model_pruning: masks that hold the smallest weights at zero while a net is trained."""
