"""Op types about neural nets: convolutions, pooling, activations, losses."""
