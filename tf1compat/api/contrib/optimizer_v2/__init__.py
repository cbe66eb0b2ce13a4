"""`tensorflow.contrib.optimizer_v2`."""
