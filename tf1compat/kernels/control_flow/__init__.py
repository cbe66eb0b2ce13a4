"""Op types about conditionals, loops, and the arrays and lists that they carry."""
