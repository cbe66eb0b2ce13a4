"""What of a tensor's dimensions is sample, batch and event."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.kept import parameter
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.typing import TensorLike


def _known(*tensors: Any) -> bool:
    return all(tensor_util.constant_value(x) is not None for x in tensors)


class _DistributionShape:
    """Takes tensors of sample + batch + event dimensions apart.

    Args:
      batch_ndims: how many dimensions are of the batch, an int32 scalar.
      event_ndims: how many are of one event, an int32 scalar.
      validate_args: whether these are checked when the graph runs.
      name: scope of the ops.

    Raises:
      ValueError: a number is missing, negative, or no scalar.
      TypeError: one is no int32.
    """

    _batch_ndims: Any
    _batch_ndims_static: Any  # the number, if it is known
    _batch_ndims_is_0: Any
    _event_ndims: Any
    _event_ndims_static: Any
    _event_ndims_is_0: Any

    @moved("shape", "tf.contrib.distributions")
    def __init__(
        self,
        batch_ndims: Any = None,
        event_ndims: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "DistributionShape",
    ) -> None:
        given = {"batch_ndims": batch_ndims, "event_ndims": event_ndims}
        for key, value in given.items():
            if value is None:
                raise ValueError(f"{key} cannot be None")
        self._name, self._validate_args = name, validate_args
        with ops.name_scope(name), ops.name_scope("init"):
            for key, value in given.items():
                count = self._checked_count(ops.convert_to_tensor(value, name=key))
                known = tensor_util.constant_value(count)
                is_0 = math_ops.equal(count, 0) if known is None else known == 0
                setattr(self, f"_{key}", count)
                setattr(self, f"_{key}_static", known)
                setattr(self, f"_{key}_is_0", is_0)

    def _checked_count(self, x: TensorLike) -> Any:
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype != dtypes.int32:
            raise TypeError(f"{x.name}.dtype={x.dtype} is not {dtypes.int32}")
        rank, known = x.get_shape().ndims, tensor_util.constant_value(x)
        if rank is not None and known is not None:
            if rank != 0:
                raise ValueError(f"{x.name}.ndims={rank} is not 0 (scalar)")
            if known < 0:
                raise ValueError(f"{x.name}.value={known} cannot be negative")
        elif self._validate_args:
            checks = [check_ops.assert_rank(x, 0), check_ops.assert_non_negative(x)]
            x = control_flow_ops.with_dependencies(checks, x)
        return x

    name = parameter("name", "Scope of the ops.")
    batch_ndims = parameter("batch_ndims", "How many dimensions are of the batch.")
    event_ndims = parameter("event_ndims", "How many dimensions are of one event.")
    validate_args = parameter("validate_args", "Whether arguments are checked when the graph runs.")

    def get_ndims(self, x: TensorLike, name: str = "get_ndims") -> Any:
        """The rank of a tensor, an int32 scalar."""
        with self._name_scope(name, values=[x]):
            x = ops.convert_to_tensor(x, name="x")
            rank = x.get_shape().ndims
            if rank is None:
                return array_ops.rank(x, name="ndims")
            return ops.convert_to_tensor(rank, dtype=dtypes.int32, name="ndims")

    def get_sample_ndims(self, x: TensorLike, name: str = "get_sample_ndims") -> Any:
        """How many dimensions of a tensor are of the sample, an int32 scalar.

        Raises:
          ValueError: the tensor has too few dimensions.
        """
        with self._name_scope(name, values=[x]):
            rank = self.get_ndims(x, name=name)
            counts = rank, self.batch_ndims, self.event_ndims
            if _known(*counts):
                rank, batch, event = map(tensor_util.constant_value, counts)
                rest = rank - batch - event
                if rest < 0:
                    raise ValueError(
                        f"expected batch_ndims({batch}) + event_ndims({event}) <= ndims({rank})"
                    )
                return ops.convert_to_tensor(rest, name="sample_ndims")
            with ops.name_scope(name="sample_ndims"):
                rest = rank - self.batch_ndims - self.event_ndims
                checks = [check_ops.assert_non_negative(rest)] if self.validate_args else []
                return control_flow_ops.with_dependencies(checks, rest) if checks else rest

    def get_dims(self, x: TensorLike, name: str = "get_dims") -> tuple[Any, Any, Any]:
        """Which dimensions of a tensor are of the sample, of the batch and of an event."""
        with self._name_scope(name, values=[x]):

            def dims(before: list[Any], count: Any, name: str) -> Any:
                before = before or [array_ops.zeros([], dtype=dtypes.int32, name="zero")]
                if _known(count, *before):
                    start = sum(tensor_util.constant_value(x) for x in before)
                    numbers = list(range(start, start + tensor_util.constant_value(count)))
                    return ops.convert_to_tensor(numbers, dtype=dtypes.int32, name=name)
                start = sum(before)
                return math_ops.range(start, start + count)

            return self._parts(dims, self.get_sample_ndims(x, name=name), "dims")

    def get_shape(self, x: TensorLike, name: str = "get_shape") -> tuple[Any, Any, Any]:
        """The shapes of the sample, of the batch and of an event."""
        with self._name_scope(name, values=[x]):
            x = ops.convert_to_tensor(x, name="x")

            def sizes(before: list[Any], count: Any, name: str) -> Any:
                before = before or [array_ops.zeros([], dtype=dtypes.int32, name="zero")]
                if x.get_shape().ndims is not None and _known(count, *before):
                    start = sum(tensor_util.constant_value(x) for x in before)
                    end = start + tensor_util.constant_value(count)
                    shape = x.get_shape()[start:end].as_list()
                    if None not in shape:
                        return ops.convert_to_tensor(shape, dtype=dtypes.int32, name=name)
                return array_ops.slice(array_ops.shape(x), [sum(before)], [count])

            return self._parts(sizes, self.get_sample_ndims(x, name=name), "shape")

    def _parts(self, of: Any, sample_ndims: Any, what: str) -> tuple[Any, Any, Any]:
        return (
            of([], sample_ndims, f"sample_{what}"),
            of([sample_ndims], self.batch_ndims, f"batch_{what}"),
            of([sample_ndims, self.batch_ndims], self.event_ndims, f"event_{what}"),
        )

    def make_batch_of_event_sample_matrices(
        self,
        x: TensorLike,
        expand_batch_dim: bool = True,
        name: str = "make_batch_of_event_sample_matrices",
    ) -> tuple[Any, Any]:
        """A tensor with its samples as one last dimension.

        Args:
          x: a tensor of sample + batch + event dimensions.
          expand_batch_dim: whether a dimension of 1 stands for an empty batch.
          name: scope of the ops.

        Returns:
          The tensor of batch + event dimensions and the samples', and the shape of the sample.
        """
        with self._name_scope(name, values=[x]):
            x = ops.convert_to_tensor(x, name="x")
            sample, batch, event = self.get_shape(x)
            event = util.pick_vector(self._event_ndims_is_0, [1], event)
            if expand_batch_dim:
                batch = util.pick_vector(self._batch_ndims_is_0, [1], batch)
            x = array_ops.reshape(x, shape=array_ops.concat([[-1], batch, event], 0))
            return util.rotate_transpose(x, shift=-1), sample

    def undo_make_batch_of_event_sample_matrices(
        self,
        x: Any,
        sample_shape: Any,
        expand_batch_dim: bool = True,
        name: str = "undo_make_batch_of_event_sample_matrices",
    ) -> Any:
        """What `make_batch_of_event_sample_matrices` made of a tensor, in the old shape."""
        with self._name_scope(name, values=[x, sample_shape]):
            x = ops.convert_to_tensor(x, name="x")
            sample_shape = ops.convert_to_tensor(sample_shape, name="sample_shape")
            x = util.rotate_transpose(x, shift=1)
            no_batch, no_event = self._batch_ndims_is_0, self._event_ndims_is_0
            if _known(self.batch_ndims, self.event_ndims):
                dims = ([-1] if no_event else []) + ([1] if no_batch and expand_batch_dim else [])
                if dims:
                    x = array_ops.squeeze(x, axis=dims)
                _, batch, event = self.get_shape(x)
            else:
                known = x.get_shape().is_fully_defined()
                sizes = x.get_shape().as_list() if known else array_ops.shape(x)
                batch = sizes[1 : 1 + self.batch_ndims]
                expanded = math_ops.logical_and(expand_batch_dim, no_batch)
                start = array_ops.where_v2(expanded, 2, 1 + self.batch_ndims)
                event = sizes[start : start + self.event_ndims]
            return array_ops.reshape(x, array_ops.concat([sample_shape, batch, event], 0))

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None, values: Any = None) -> Iterator[str]:
        with ops.name_scope(self.name):
            tensors = (values or []) + [self.batch_ndims, self.event_ndims]
            with ops.name_scope(name, values=tensors) as scope:
                yield scope
