"""TF's command line tools for graphs and checkpoints, as the functions that scripts import."""
