"""What tests of operations have in common, as in TF 1.15."""
