"""Checks of values, shapes and numbers."""
