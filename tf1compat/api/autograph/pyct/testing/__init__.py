"""Functions and decorators to try the toolbox on."""
