"""Rewritings of jumps to what AutoGraph converts."""
