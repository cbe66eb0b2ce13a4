"""`tf.profiler`: parameters and float operations of a graph."""
