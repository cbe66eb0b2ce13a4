"""The base of all layers."""
