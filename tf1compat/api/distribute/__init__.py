"""tf.distribute: where the processes of a cluster are."""
