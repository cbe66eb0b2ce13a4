"""Regions of operations as compiled XLA programs, and the state that they update."""
