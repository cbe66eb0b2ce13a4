"""Distributions of which every draw is the same."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"


class _Deterministic(distribution.Distribution):
    """All mass at `loc`, or within atol + rtol * |loc| of it."""

    loc = parameter("loc", "The value of every draw.")
    atol = parameter("atol", "How far a value may be from it.")
    rtol = parameter("rtol", "How far a value may be from it, as a part of it.")

    @moved("deterministic", _LIBRARY)
    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        is_vector: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "_BaseDeterministic",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, atol, rtol]) as name:
            loc = ops.convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                text, rank = "Argument loc must be at least rank 1.", loc.get_shape().ndims
                if rank is None:
                    check = check_ops.assert_rank_at_least(loc, 1, message=text)
                    loc = control_flow_ops.with_dependencies([check], loc)
                elif rank < 1:
                    raise ValueError(text)
            self._loc = loc
            super().__init__(
                loc.dtype,
                distribution.NOT_REPARAMETERIZED,
                validate_args,
                allow_nan_stats,
                parameters,
                [loc],
                name,
            )
            self._atol = self._tolerance(atol)
            self._rtol = self._tolerance(rtol)
            if rtol is None:
                self._slack = self.atol
            else:
                self._slack = self.atol + self.rtol * math_ops.abs(self.loc)

    def _tolerance(self, value: TensorLike | None) -> Any:
        tensor = ops.convert_to_tensor(0 if value is None else value, dtype=self.loc.dtype)
        if value is None or not self.validate_args:
            return tensor
        text = "Argument 'tol' must be non-negative"
        check = check_ops.assert_non_negative(tensor, message=text)
        return control_flow_ops.with_dependencies([check], tensor)

    def _entropy(self) -> Any:
        return array_ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self) -> Any:
        return array_ops.identity(self.loc)

    def _variance(self) -> Any:
        return array_ops.zeros_like(self.loc)

    def _mode(self) -> Any:
        return self.mean()

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        known = tensor_util.constant_value(ops.convert_to_tensor(n))
        rank = self.loc.get_shape().ndims
        if known is not None and rank is not None:
            multiples: Any = [known] + [1] * rank
        else:
            ones = array_ops.ones_like(array_ops.shape(self.loc))
            multiples = array_ops.concat(([n], ones), axis=0)
        return array_ops.tile(self.loc[None, ...], multiples=multiples)


@tf_export("contrib.distributions.Deterministic")
class Deterministic(_Deterministic):
    """Scalars that are always `loc`."""

    @moved("deterministic", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Deterministic",
    ) -> None:
        """A batch of distributions of scalars.

        Args:
          loc: tensor, the values.
          atol: tensor, how far a value may be from `loc` to have the probability 1; by default 0.
          rtol: tensor, the same as a part of `loc`; by default 0.
          validate_args: whether the tolerances are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        super().__init__(loc, atol, rtol, False, validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.loc)

    def _batch_shape(self) -> Any:
        return self.loc.get_shape()

    def _event_shape_tensor(self) -> Any:
        return constant_op.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> Any:
        return TensorShape([])

    def _prob(self, x: TensorLike) -> Any:
        return math_ops.cast(math_ops.abs(x - self.loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.cast(x >= self.loc - self._slack, dtype=self.dtype)


@tf_export("contrib.distributions.VectorDeterministic")
class VectorDeterministic(_Deterministic):
    """Vectors that are always `loc`."""

    @moved("deterministic", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "VectorDeterministic",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          loc: tensor [..., k], the values.
          atol: tensor, how far an element may be from that of `loc`; by default 0.
          rtol: tensor, the same as a part of `loc`; by default 0.
          validate_args: whether `loc`, the tolerances and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: with `validate_args`, `loc` is a scalar.
        """
        super().__init__(loc, atol, rtol, True, validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.loc)[:-1]

    def _batch_shape(self) -> Any:
        return self.loc.get_shape()[:-1]

    def _event_shape_tensor(self) -> Any:
        return array_ops.shape(self.loc)[-1]

    def _event_shape(self) -> Any:
        return self.loc.get_shape()[-1:]

    def _prob(self, x: TensorLike) -> Any:
        if self.validate_args:
            is_vector = check_ops.assert_rank_at_least(x, 1)
            own = self.event_shape_tensor()
            shape = array_ops.shape(x)
            size = array_ops.gather(shape, array_ops.rank(x) - 1)
            text = "Argument 'x' not defined in the same space R^k as this distribution"
            same_size = check_ops.assert_equal(own, size, message=text)
            with ops.control_dependencies([is_vector]), ops.control_dependencies([same_size]):
                x = array_ops.identity(x)
        near = math_ops.abs(x - self.loc) <= self._slack
        return math_ops.cast(math_ops.reduce_all(near, axis=-1), dtype=self.dtype)
