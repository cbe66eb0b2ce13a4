"""The recorded program: dtypes, shapes, op definitions, graphs.  Knows no JAX and no op by name."""
