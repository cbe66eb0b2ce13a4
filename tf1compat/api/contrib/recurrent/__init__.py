"""`tf.contrib.recurrent`: recurrent networks as loops of functions."""
