"""tf.contrib.layers: layers as functions, with initializers, regularizers and collections."""
