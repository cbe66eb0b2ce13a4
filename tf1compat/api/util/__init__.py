"""Helpers that client code takes from `tensorflow.python.util`."""
