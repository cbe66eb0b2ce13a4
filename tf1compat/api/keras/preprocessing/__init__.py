"""Data in the form that models take (`tensorflow.python.keras.preprocessing`)."""
