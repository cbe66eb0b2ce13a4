"""Recurrent nets."""
