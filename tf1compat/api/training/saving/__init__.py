"""Saving and restoring."""
