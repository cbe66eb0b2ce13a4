"""tf.distribute.cluster_resolver."""
