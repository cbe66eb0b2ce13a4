"""Neural nets: convolutions, pooling, activations, losses."""
