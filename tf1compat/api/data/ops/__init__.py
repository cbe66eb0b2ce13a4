"""`tf.data.Dataset`, iterators and readers."""
