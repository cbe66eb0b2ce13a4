"""Eager execution: differentiation with tapes."""
