"""`tensorflow.python.training.experimental`: mixed precision."""
