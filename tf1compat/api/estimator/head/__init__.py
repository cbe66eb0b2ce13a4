"""Heads: what is above the logits of a model."""
