"""`tf.distributions`."""
