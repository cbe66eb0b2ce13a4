"""`tf.contrib.constrained_optimization.ConstrainedMinimizationProblem`."""

from __future__ import annotations

import abc
import math
from typing import Any

from tf1compat.core.export import tf_export


@tf_export("contrib.constrained_optimization.ConstrainedMinimizationProblem")
class ConstrainedMinimizationProblem(metaclass=abc.ABCMeta):
    """What is minimized, and what must not be positive."""

    @property
    @abc.abstractmethod
    def objective(self) -> Any:
        """What is minimized, a scalar tensor."""

    @property
    @abc.abstractmethod
    def constraints(self) -> Any:
        """A tensor none of whose elements shall be positive."""

    @property
    def num_constraints(self) -> int:
        """How many constraints there are.

        Raises:
          ValueError: shapes are unknown, or not the same.
        """
        shape = self.constraints.get_shape()
        # Looked at twice, as in TF: a property may record operations each time.
        if self.proxy_constraints is None:
            proxy_shape = shape
        else:
            proxy_shape = self.proxy_constraints.get_shape()
        if not (shape.is_fully_defined() and proxy_shape.is_fully_defined()):
            raise ValueError("constraints and proxy_constraints must have fully-known shapes")
        if shape != proxy_shape:
            raise ValueError("constraints and proxy_constraints must have the same shape")
        return math.prod(shape.as_list())

    @property
    def proxy_constraints(self) -> Any:
        """What is differentiated instead of the constraints; None for these."""
        return None

    @property
    def pre_train_ops(self) -> Any:
        """What is run before each step; None for nothing."""
        return None
