"""Conditionals, loops, and the arrays and lists that they carry."""
