"""What tests of `tf.data.experimental` have in common, as in TF 1.15."""
