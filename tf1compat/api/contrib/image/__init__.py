"""tf.contrib.image: projective transformations of images."""
