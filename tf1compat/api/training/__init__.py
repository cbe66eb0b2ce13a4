"""`tf.train`: optimizers, sessions with hooks, checkpoints."""
