"""`tensorflow.python.ops.parallel_for`: a function of a loop index, for all of its values."""
