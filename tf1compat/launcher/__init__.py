"""Running TF1 scripts unchanged: the import hook, Python 2 sources, names that others removed."""
