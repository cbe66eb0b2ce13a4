"""What the layers of `tf.layers` and `tf.keras.layers` compute."""
