"""`tf.contrib.distributions.BatchReshape`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution as base
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, ShapeLike, TensorLike


@tf_export("contrib.distributions.BatchReshape")
class BatchReshape(base.Distribution):
    """A batch of distributions in another batch shape."""

    @moved("batch_reshape", "tf.contrib.distributions")
    def __init__(
        self,
        distribution: Any,
        batch_shape: ShapeLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = None,
    ) -> None:
        """A batch of distributions in another batch shape.

        Args:
          distribution: the batch.
          batch_shape: int vector, the new batch shape, of which one element may be -1.
          validate_args: whether shapes are checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops; by default "BatchReshape" and the name of the distribution.

        Raises:
          ValueError: `batch_shape` is no vector, has elements below -1, or is of another size.
        """
        parameters = dict(locals())
        name = name or f"BatchReshape{distribution.name}"
        with ops.name_scope(name, values=[batch_shape]) as name:
            given = ops.convert_to_tensor(batch_shape, dtype=dtypes.int32, name="batch_shape")
            self._batch_shape_unexpanded = given
            validate_init_args_statically(distribution, given)
            self._distribution = distribution
            self._batch_shape_, self._batch_shape_static, self._runtime_assertions = (
                calculate_reshape(distribution.batch_shape_tensor(), given, validate_args)
            )
            super().__init__(
                distribution.dtype,
                distribution.reparameterization_type,
                validate_args,
                allow_nan_stats,
                parameters,
                [given, *distribution._graph_parents],
                name,
            )

    @property
    def distribution(self) -> Any:
        """The batch of distributions."""
        return self._distribution

    def _checked(self) -> Any:
        return ops.control_dependencies(self._runtime_assertions)

    def _batch_shape_tensor(self) -> Any:
        with self._checked():
            return array_ops.identity(self._batch_shape_)

    def _batch_shape(self) -> Any:
        return self._batch_shape_static

    def _event_shape_tensor(self) -> Any:
        with self._checked():
            return array_ops.identity(self.distribution.event_shape_tensor())

    def _event_shape(self) -> Any:
        return self.distribution.event_shape

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        with self._checked():
            x = self.distribution.sample(sample_shape=n, seed=seed)
            shape = [[n], self._batch_shape_unexpanded, self.event_shape_tensor()]
            return array_ops.reshape(x, array_ops.concat(shape, axis=0))

    # ---- Functions of a value ----------

    def _log_prob(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.log_prob, x)

    def _prob(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.prob, x)

    def _log_cdf(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.log_cdf, x)

    def _cdf(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.cdf, x)

    def _log_survival_function(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.log_survival_function, x)

    def _survival_function(self, x: TensorLike) -> Any:
        return self._of_value(self.distribution.survival_function, x)

    def _of_value(self, function: Callable[[Any], Any], x: Any) -> Any:
        """A function of the distribution, of a value in the new batch shape."""
        with ops.control_dependencies(self._runtime_assertions + self._value_checks(x)):
            count = self._sample_ndims(x)
            known = x.shape[:count] if isinstance(count, int) else TensorShape(None)
            if known.is_fully_defined():
                sample = np.array(known.as_list(), np.int32)
            else:
                sample = array_ops.shape(x)[:count]
            own = [sample, self.distribution.batch_shape_tensor(), self.event_shape_tensor()]
            result = function(array_ops.reshape(x, array_ops.concat(own, axis=0)))
            shape = array_ops.concat([sample, self._batch_shape_unexpanded], axis=0)
            result = array_ops.reshape(result, shape)
            if known.ndims is not None and self.batch_shape.ndims is not None:
                static = known.concatenate(self.batch_shape)
                result.set_shape(result.shape.merge_with(static))
            return result

    def _ranks(self, x: Any) -> tuple[Any, Any]:
        """The rank of a value, and how many dimensions batch and event have."""
        rank = array_ops.rank(x) if x.shape.ndims is None else x.shape.ndims
        event, batch = self.event_shape.ndims, self.batch_shape.ndims
        event = array_ops.size(self.event_shape_tensor()) if event is None else event
        batch = array_ops.size(self._batch_shape_unexpanded) if batch is None else batch
        return rank, (batch, event)

    def _sample_ndims(self, x: TensorLike) -> Any:
        rank, (batch, event) = self._ranks(x)
        return rank - batch - event

    def _value_checks(self, x: Any) -> list[Any]:
        """The checks, for the run, that a value needs no broadcasting."""
        text = "Broadcasting is not supported; {}"
        with ops.name_scope(name="validate_sample_arg", values=[x]):
            rank, (batch, event) = self._ranks(x)
            least = batch + event
            checks = []
            if isinstance(rank, int) and isinstance(least, int):
                if rank < least:
                    few = f"too few batch and event dims (expected at least {least}, saw {rank})."
                    raise NotImplementedError(text.format(few))
            elif self.validate_args:
                checks.append(
                    check_ops.assert_greater_equal(
                        rank,
                        least,
                        message=text.format("too few batch and event dims."),
                        name="assert_batch_and_event_ndims_large_enough",
                    )
                )
            if self.batch_shape.is_fully_defined() and self.event_shape.is_fully_defined():
                wanted = np.array(
                    self.batch_shape.concatenate(self.event_shape).as_list(), np.int32
                )
            else:
                shapes = [self.batch_shape_tensor(), self.event_shape_tensor()]
                wanted = array_ops.concat(shapes, axis=0)
            count = rank - least
            if isinstance(count, int) and x.shape[max(count, 0) :].is_fully_defined():
                found = np.array(x.shape[max(count, 0) :].as_list(), np.int32)
            else:
                count = max(count, 0) if isinstance(count, int) else count
                found = array_ops.shape(x)[math_ops.maximum(count, 0) :]
            if isinstance(wanted, np.ndarray) and isinstance(found, np.ndarray):
                if any(wanted != found):
                    other = f"unexpected batch and event shape (expected {wanted}, saw {found})."
                    raise NotImplementedError(text.format(other))
                return checks
            if not self.validate_args:
                return []
            with ops.control_dependencies(checks):
                return [
                    check_ops.assert_equal(
                        wanted,
                        found,
                        message=text.format("unexpected batch and event shape."),
                        name="assert_batch_and_event_shape_same",
                    )
                ]

    # ---- Statistics ----------

    def _entropy(self) -> Any:
        return self._of_batch(self.distribution.entropy, [], [])

    def _mean(self) -> Any:
        return self._of_batch(self.distribution.mean)

    def _mode(self) -> Any:
        return self._of_batch(self.distribution.mode)

    def _stddev(self) -> Any:
        return self._of_batch(self.distribution.stddev)

    def _variance(self) -> Any:
        return self._of_batch(self.distribution.variance)

    def _covariance(self) -> Any:
        shape = self.event_shape_tensor()
        return self._of_batch(self.distribution.covariance, [shape, shape], [self.event_shape] * 2)

    def _of_batch(
        self, function: Callable[[], Any], shapes: Any = None, static_shapes: Any = None
    ) -> Any:
        """A statistic, in the new batch shape and that of an event, or the one given."""
        with self._checked():
            shapes = [self._event_shape_tensor()] if shapes is None else shapes
            static_shapes = [self.event_shape] if static_shapes is None else static_shapes
            shape = array_ops.concat([self._batch_shape_unexpanded, *shapes], axis=0)
            result = array_ops.reshape(function(), shape)
            if self.batch_shape.ndims is not None and self.event_shape.ndims is not None:
                static = self.batch_shape
                for part in static_shapes:
                    static = static.concatenate(part)
                result.set_shape(result.shape.merge_with(static))
            return result


def calculate_reshape(
    original_shape: Any, new_shape: ShapeLike, validate: bool = False, name: Name = None
) -> tuple[Any, TensorShape, list[Any]]:
    """A shape without its -1, that shape as far as it is known, and the checks for the run.

    Args:
      original_shape: int vector, of the same size.
      new_shape: int vector, of which one element may be -1.
      validate: whether there are checks.
      name: scope of the ops.
    """
    known = tensor_util.constant_value_as_shape(new_shape)
    if known.is_fully_defined():
        return np.array(known.as_list(), np.int32), known, []
    with ops.name_scope(name, "calculate_reshape", [original_shape, new_shape]):
        size = math_ops.reduce_prod(original_shape)
        free = math_ops.equal(new_shape, -1)
        rest = size // math_ops.maximum(1, -math_ops.reduce_prod(new_shape))
        rank = array_ops.shape(new_shape)
        expanded = array_ops.where_v2(free, array_ops.fill(rank, rest), new_shape)
        if not validate:
            return expanded, known, []
        checks = [
            check_ops.assert_rank(original_shape, 1, message="Original shape must be a vector."),
            check_ops.assert_rank(new_shape, 1, message="New shape must be a vector."),
            check_ops.assert_less_equal(
                math_ops.count_nonzero(free, dtype=dtypes.int32),
                1,
                message="At most one dimension can be unknown.",
            ),
            check_ops.assert_positive(expanded, message="Shape elements must be >=-1."),
            check_ops.assert_equal(
                math_ops.reduce_prod(expanded), size, message="Shape sizes do not match."
            ),
        ]
        return expanded, known, checks


def validate_init_args_statically(distribution: Any, batch_shape: Any) -> None:
    """Refuses a batch shape that is known not to fit.

    Raises:
      ValueError: it is no vector, has elements below -1, or is of another size.
    """
    rank = batch_shape.shape.ndims
    if rank is not None and rank != 1:
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {rank}).")
    known = tensor_util.constant_value_as_shape(batch_shape)
    size, own = known.num_elements(), distribution.batch_shape.num_elements()
    if size is not None and own is not None and size != own:
        raise ValueError(
            f"`batch_shape` size ({size}) must match `distribution.batch_shape` size ({own})."
        )
    if known.ndims is not None and any(d is not None and d < 1 for d in known.as_list()):
        raise ValueError("`batch_shape` elements must be >=-1.")
