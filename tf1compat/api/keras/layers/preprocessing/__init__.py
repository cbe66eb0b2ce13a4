"""`tensorflow.python.keras.layers.preprocessing`: what tests of such layers have in common."""
