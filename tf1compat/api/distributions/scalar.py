"""Distributions over single numbers whose parameters broadcast against each other."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from tf1compat.api.distributions.kept import parameter as parameter
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.typing import TensorLike


def positive_uniform(shape: Any, dtype: Any, seed: Any) -> Any:
    """Draws from the smallest normal number to 1: the logarithm of 0 would be infinite."""
    least = np.finfo(dtype.as_numpy_dtype).tiny
    return random_ops.random_uniform(shape, minval=least, maxval=1.0, dtype=dtype, seed=seed)


class ScalarEvent(Distribution):
    """A distribution of which one draw is a scalar."""

    def _shape_of_draws(self, n: TensorLike) -> Any:
        """That of `n` draws from the whole batch."""
        return array_ops.concat([[n], self.batch_shape_tensor()], 0)

    def _event_shape_tensor(self) -> Any:
        return constant_op.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> Any:
        return tensor_shape.TensorShape([])


class Broadcasting(ScalarEvent):
    """One whose batch shape is that of its parameters broadcast."""

    _broadcast: ClassVar[tuple[str, ...]]  # the parameters, in the constructor's order
    _positive: ClassVar[tuple[str, ...]] = ()  # those that must be, of these

    def _set_up(
        self, arguments: dict[str, Any], reparameterization: Any = FULLY_REPARAMETERIZED
    ) -> None:
        """What the constructor of one does whose parameters are of the same float type.

        Args:
          arguments: the constructor's, by name, `self` among them.
          reparameterization: see `Distribution`.

        Raises:
          TypeError: the parameters are of different dtypes.
        """
        given = {name: arguments[name] for name in self._broadcast}
        validate_args = arguments["validate_args"]
        with ops.name_scope(arguments["name"], values=list(given.values())) as scope:
            checks = self._checks(given) if validate_args else []
            with ops.control_dependencies(checks):
                kept = [array_ops.identity(value, name=name) for name, value in given.items()]
                check_ops.assert_same_float_dtype(kept)
        for name, tensor in zip(given, kept, strict=True):
            setattr(self, f"_{name}", tensor)
        super().__init__(
            kept[0].dtype,
            reparameterization,
            validate_args,
            arguments["allow_nan_stats"],
            arguments,
            kept,
            scope,
        )

    def _checks(self, given: dict[str, Any]) -> list[Any]:
        """What is asserted of the parameters where arguments are checked."""
        return [check_ops.assert_positive(given[name]) for name in self._positive]

    def _batch_shape_tensor(self) -> Any:
        shapes = [array_ops.shape(getattr(self, f"_{name}")) for name in self._broadcast]
        return functools.reduce(
            lambda right, left: array_ops.broadcast_dynamic_shape(left, right), reversed(shapes)
        )

    def _batch_shape(self) -> Any:
        shapes = [getattr(self, f"_{name}").get_shape() for name in self._broadcast]
        return functools.reduce(array_ops.broadcast_static_shape, shapes)

    @classmethod
    def _param_shapes(cls, sample_shape: TensorLike) -> Any:
        shape = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)
        return dict.fromkeys(cls._broadcast, shape)
