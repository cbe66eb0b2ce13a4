"""`tf.contrib.distributions.Independent`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution as base
from tf1compat.api.distributions import kullback_leibler
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Name, TensorLike


def _rank_of_batch(shape: Any) -> Any:
    """The length of a shape: a number if it is known, else a tensor."""
    known = dimension_value(shape.shape.with_rank_at_least(1)[0])
    return array_ops.shape(shape)[0] if known is None else known


@tf_export("contrib.distributions.Independent")
class Independent(base.Distribution):
    """A batch of distributions as one over all of them: the last batch dimensions become dimensions
    of the event."""

    @moved("independent", "tf.contrib.distributions")
    def __init__(
        self,
        distribution: Any,
        reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False,
        name: Name = None,
    ) -> None:
        """A distribution of independent parts.

        Args:
          distribution: the batch of distributions.
          reinterpreted_batch_ndims: how many of its batch dimensions become those of the event; by
            default all but the first.
          validate_args: whether that number is checked.
          name: scope of the ops; by default "Independent" and the name of the distribution.

        Raises:
          ValueError: there are not that many batch dimensions.
        """
        parameters = dict(locals())
        self._distribution = distribution
        with ops.name_scope(name or f"Independent{distribution.name}") as name:
            count = reinterpreted_batch_ndims
            if count is None:
                rank = distribution.batch_shape.ndims
                if rank is None:
                    rank = array_ops.shape(distribution.batch_shape_tensor())[0]
                    count = math_ops.maximum(0, rank - 1)
                else:
                    count = np.maximum(0, rank - 1)
            count = ops.convert_to_tensor(
                count, dtype=dtypes.int32, name="reinterpreted_batch_ndims"
            )
            known = tensor_util.constant_value(count)
            self._static_reinterpreted_batch_ndims = known
            self._reinterpreted_batch_ndims = count if known is None else known
            super().__init__(
                distribution.dtype,
                distribution.reparameterization_type,
                validate_args,
                distribution.allow_nan_stats,
                parameters,
                [count, *distribution._graph_parents],
                name,
            )
            self._runtime_assertions = self._checks(count)

    def _checks(self, count: Any) -> list[Any]:
        known, rank = self._static_reinterpreted_batch_ndims, self.distribution.batch_shape.ndims
        if known is not None and rank is not None:
            if known > rank:
                raise ValueError(
                    f"reinterpreted_batch_ndims({known}) cannot exceed "
                    f"distribution.batch_ndims({rank})"
                )
            return []
        if not self.validate_args:
            return []
        rank = _rank_of_batch(self.distribution.batch_shape_tensor())
        text = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
        return [check_ops.assert_less_equal(count, rank, message=text)]

    distribution = attribute("_distribution", "The batch of distributions.")
    reinterpreted_batch_ndims = attribute(
        "_reinterpreted_batch_ndims",
        "How many of its batch dimensions are dimensions of the event.",
    )

    def _checked(self) -> Any:
        return ops.control_dependencies(self._runtime_assertions)

    def _batch_shape_tensor(self) -> Any:
        with self._checked():
            shape = self.distribution.batch_shape_tensor()
            return shape[: _rank_of_batch(shape) - self.reinterpreted_batch_ndims]

    def _split(self) -> tuple[TensorShape, TensorShape]:
        """The static batch shape, and what of it is of the event."""
        shape, count = self.distribution.batch_shape, self._static_reinterpreted_batch_ndims
        if count is None or shape.ndims is None:
            return TensorShape(None), TensorShape(None)
        return shape[: shape.ndims - count], shape[shape.ndims - count :]

    def _batch_shape(self) -> Any:
        return self._split()[0]

    def _event_shape_tensor(self) -> Any:
        with self._checked():
            shape = self.distribution.batch_shape_tensor()
            moved_part = shape[_rank_of_batch(shape) - self.reinterpreted_batch_ndims :]
            own_part = self.distribution.event_shape_tensor()
            return array_ops.concat([moved_part, own_part], axis=0)

    def _event_shape(self) -> Any:
        return self._split()[1].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        with self._checked():
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: TensorLike) -> Any:
        with self._checked():
            return self._reduce_sum(self.distribution.log_prob(x))

    def _entropy(self) -> Any:
        with self._checked():
            return self._reduce_sum(self.distribution.entropy())

    def _mean(self) -> Any:
        with self._checked():
            return self.distribution.mean()

    def _variance(self) -> Any:
        with self._checked():
            return self.distribution.variance()

    def _stddev(self) -> Any:
        with self._checked():
            return self.distribution.stddev()

    def _mode(self) -> Any:
        with self._checked():
            return self.distribution.mode()

    def _reduce_sum(self, value: TensorLike) -> Any:
        known = self._static_reinterpreted_batch_ndims
        if known is None:
            axes = math_ops.range(self._reinterpreted_batch_ndims)
        else:
            axes = np.arange(known)
        return math_ops.reduce_sum(value, axis=-1 - axes)


@kullback_leibler.registers_kl(Independent, Independent)
def _kl_independent(a: Independent, b: Independent, name: str = "kl_independent") -> Any:
    p, q = a.distribution, b.distribution
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError(
                "KL between Independents with different event shapes not supported."
            )
        count = a.event_shape.ndims - p.event_shape.ndims
        kl = kullback_leibler.kl_divergence(p, q, name=name)
        return math_ops.reduce_sum(kl, axis=[-i - 1 for i in range(count)])
    checks = [
        check_ops.assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        check_ops.assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with ops.control_dependencies(checks):
        count = array_ops.shape(a.event_shape_tensor()[0])
        count -= array_ops.shape(p.event_shape_tensor()[0])
        axes = math_ops.range(-count - 1, -1, 1)
        kl = kullback_leibler.kl_divergence(p, q, name=name)
        return math_ops.reduce_sum(kl, axis=axes)
