"""Clustering and coordinate ascent."""
