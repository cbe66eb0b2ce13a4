"""Op types about ragged tensors."""
