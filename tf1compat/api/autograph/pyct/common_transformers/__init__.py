"""Rewritings of code that are not AutoGraph's alone."""
