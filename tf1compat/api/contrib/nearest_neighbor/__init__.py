"""`tf.contrib.nearest_neighbor`: hashes of points that are near each other."""
