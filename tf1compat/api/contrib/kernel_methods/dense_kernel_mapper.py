"""What maps features to where a kernel is a product."""

from __future__ import annotations

import abc
from typing import Any


class InvalidShapeError(Exception):
    """A tensor has not the shape that a mapper takes."""


class DenseKernelMapper(metaclass=abc.ABCMeta):
    """Maps dense tensors to dense tensors."""

    @abc.abstractmethod
    def map(self, input_tensor: Any) -> Any:
        """Maps [batch, input_dim] to [batch, output_dim]."""
        raise NotImplementedError(f"map is not implemented for {self}.")

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The mapper's name."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """The width of what it gives."""
