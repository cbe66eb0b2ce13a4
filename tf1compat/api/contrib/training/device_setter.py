"""Which parameter server holds a variable
(`tensorflow.contrib.training.python.training.device_setter`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


@tf_export("contrib.training.RandomStrategy")
class RandomStrategy:
    """Deals variables out by a hash of their names, so that the same one goes to the same server.

    Args:
      num_ps_tasks: the number of servers.
      seed: an int that goes into the hash.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0):
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        """The server's number for an operation."""
        key = f"{op.name}_{self._seed}".encode()
        return int(hashlib.md5(key).hexdigest(), 16) % self._num_tasks


@tf_export("contrib.training.GreedyLoadBalancingStrategy")
class GreedyLoadBalancingStrategy:
    """Gives every variable to the server with the least load so far.

    Args:
      num_tasks: the number of servers.
      load_fn: a function of an operation that gives its load.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], Any]):
        self._num_tasks = num_tasks
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> Any:
        """The server's number for an operation."""
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


@tf_export("contrib.training.byte_size_load_fn")
def byte_size_load_fn(op: Any) -> int:
    """The size of an operation's output in bytes.

    Args:
      op: an operation of one output, of known shape.

    Returns:
      An int.

    Raises:
      ValueError: it has not one output, or one of unknown size.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    output = op.outputs[0]
    shape = output.get_shape()
    if not shape.is_fully_defined():
        # A variable that is not initialised yet says its shape only here.
        shape = TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
