"""`tensorflow.python.distribute.model_collection`: models for tests of strategies."""
