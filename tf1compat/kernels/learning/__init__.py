"""Op types about clusters, factors of matrices and linear models."""
