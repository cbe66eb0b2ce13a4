"""`tf.contrib.reduce_slice_ops`: reductions of slices along an axis."""
