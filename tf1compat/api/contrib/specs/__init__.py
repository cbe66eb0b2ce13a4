"""`tf.contrib.specs`: networks written as expressions, such as `Cr(64, [3, 3]) | Flat | Fm(10)`."""
