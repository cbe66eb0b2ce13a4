"""tf.contrib.losses: the losses as they were before `tf.losses`."""
