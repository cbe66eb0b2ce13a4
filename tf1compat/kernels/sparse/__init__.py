"""Op types about sparse tensors."""
