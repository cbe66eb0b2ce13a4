"""Data sets, which are downloaded (`tensorflow.python.keras.datasets`)."""
