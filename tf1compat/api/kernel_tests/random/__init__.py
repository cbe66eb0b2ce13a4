"""What tests of random operations have in common, as in TF 1.15."""
