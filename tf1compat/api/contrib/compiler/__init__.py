"""tf.contrib.compiler: XLA."""
