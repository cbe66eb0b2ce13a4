"""Models in distribution strategies (`tensorflow.python.keras.distribute`)."""
