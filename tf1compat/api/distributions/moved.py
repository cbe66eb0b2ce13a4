"""What TF 1.15 says at the first use of each part of its distributions library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.util.deprecation import deprecated

_TEXT = (
    "The TensorFlow Distributions library has moved to TensorFlow Probability "
    "(https://github.com/tensorflow/probability). You should update all references to use "
    "`tfp.distributions` instead of `{}`."
)


def moved(module: str, library: str = "tf.distributions") -> Callable[[Any], Any]:
    """Decorator of a function or constructor: its first call says that the library has moved.

    Args:
      module: the last part of the name of TF's module that defines it.
      library: the public module that it is in.

    Returns:
      The decorator.
    """
    contrib = library.startswith("tf.contrib")
    area = "tensorflow.contrib.distributions.python.ops" if contrib else _CORE
    date = "2018-10-01" if contrib else "2019-01-01"
    return deprecated(date, _TEXT.format(library), module=f"{area}.{module}")


def replaced(module: str, instructions: str) -> Callable[[Any], Any]:
    """Decorator of a constructor that TF 1.15 calls deprecated for another reason."""
    return deprecated("2019-01-01", instructions, module=f"{_CORE}.{module}")


_CORE = "tensorflow.python.ops.distributions"
