"""What tests of saved iterators have in common, as in TF 1.15."""
