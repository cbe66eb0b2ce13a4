"""`tf.compat.v2`: what TF 1.15 has there and not, in that form, under `tf`."""
