"""Layers and cells whose weights are masked."""
