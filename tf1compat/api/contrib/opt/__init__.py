"""`tf.contrib.opt`: more optimizers."""
