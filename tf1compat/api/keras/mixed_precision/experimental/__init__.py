"""`tensorflow.python.keras.mixed_precision.experimental`."""
