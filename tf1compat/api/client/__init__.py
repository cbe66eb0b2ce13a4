"""What client code takes from `tensorflow.python.client` besides the session."""
