"""`tf.keras`: loaded on first use."""
