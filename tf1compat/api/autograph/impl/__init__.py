"""Conversion of functions."""
