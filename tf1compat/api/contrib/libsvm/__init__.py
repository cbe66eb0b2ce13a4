"""`tf.contrib.libsvm`: LIBSVM's text format."""
