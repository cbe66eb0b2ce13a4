"""Layers that look at data before a model is trained."""
