"""What tests of `tf.data` have in common, as in TF 1.15."""
