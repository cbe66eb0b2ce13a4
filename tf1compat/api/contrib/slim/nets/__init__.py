"""`tf.contrib.slim.nets`: well-known convolutional nets, one file each."""
