"""Tests of code that takes the place of a TensorFlow 1 graph, a scope at a time.

`pytest_plugins = ["tf1compat.testing.plugin"]` gives the fixtures for pytest.
"""

from tf1compat.testing.same import Mismatch, assert_checkpoint_same, assert_same
from tf1compat.testing.weights import match_weights

__all__ = ["Mismatch", "assert_checkpoint_same", "assert_same", "match_weights"]
