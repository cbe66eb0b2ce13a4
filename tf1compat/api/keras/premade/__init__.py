"""`tensorflow.python.keras.premade`: models that are ready made."""
