"""`tf.contrib.quantize`: graphs that compute as their quantized form will."""
