"""`tf.contrib.copy_graph`: operations and variables copied into another graph."""
