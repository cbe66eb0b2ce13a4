"""Fixtures that every test may use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The golden recorders also run under TensorFlow 1.15, outside any package.
sys.path.insert(0, str(Path(__file__).parent / "golden"))


@pytest.fixture(scope="session")
def tensorflow():
    """The `tensorflow` module as scripts import it."""
    from tf1compat import namespace

    return namespace.tensorflow()


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module, with an empty default graph."""
    tensorflow.reset_default_graph()
    return tensorflow
