"""`tensorflow.python.keras.mixed_precision`."""
