"""Op types about the update rules of optimizers."""
