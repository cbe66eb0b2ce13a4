"""`tf.RaggedTensor`: a tensor whose rows differ in length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_config, ragged_dense, ragged_util, segment_id_ops
from tf1compat.api.ragged.ragged_checks import (
    FactoryChecks,
    assert_without_gaps,
    nrows_of,
    row_count,
)
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import dtypes, ops, raw_ops, session_conversions, sparse_tensor, tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_SPLITS_DTYPES = (dtypes.int32, dtypes.int64)
_MISMATCH = (
    "mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to convert them to "
    "compatible dtypes."
)


def _check_validate(validate: Any) -> None:
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


@tf_export("RaggedTensor")
class RaggedTensor:
    """A tensor with dimensions whose slices differ in length (as `tf.RaggedTensor`).

    It consists of `values`, the rows one after another (a tensor, or a ragged tensor again), and
    `row_splits`, an int32 or int64 vector: row `i` is `values[row_splits[i] : row_splits[i + 1]]`.
    The `from_…` methods make one.

    Args:
      values, row_splits: as above.
      cached_row_lengths, cached_value_rowids, cached_nrows: other forms of the row splits, if they
        are known.
      internal: must be True; the methods below give it.

    Raises:
      ValueError, TypeError: it is constructed directly, or of anything but tensors.
    """

    # Errors of conversions name the class with its module.
    __module__ = "tensorflow.python.ops.ragged.ragged_tensor"
    # NumPy leaves its operators to us.
    __array_priority__ = 100
    # The operators: ragged_operators.py sets them.
    __getitem__: Callable[..., Any]

    def __init__(
        self,
        values: Any,
        row_splits: TensorLike,
        cached_row_lengths: Any = None,
        cached_value_rowids: Any = None,
        cached_nrows: Any = None,
        internal: bool = False,
    ):
        if not internal:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods "
                "instead (e.g., RaggedTensor.from_row_lengths())"
            )
        if not isinstance(row_splits, Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}")
        if not isinstance(values, RaggedTensor | Tensor):
            raise TypeError(f"values must be a Tensor or RaggedTensor, got {values!r}")
        if row_splits.dtype not in _SPLITS_DTYPES:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        if isinstance(values, RaggedTensor):
            assert row_splits.dtype == values.row_splits.dtype
        self._values: Any = values
        self._row_splits = row_splits
        for tensor in (cached_row_lengths, cached_value_rowids, cached_nrows):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if tensor is not None and tensor.dtype not in _SPLITS_DTYPES:
                raise TypeError("Cached value must be int32 or int64.")
        self._cached_row_lengths = cached_row_lengths
        self._cached_value_rowids = cached_value_rowids
        self._cached_nrows = cached_nrows

    # Making one.

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: Any,
        nrows: Any = None,
        name: Name = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Of values and the number of the row of each.

        Args:
          values: a tensor or ragged tensor [values, ...].
          value_rowids: a sorted int32 or int64 vector [values].
          nrows: how many rows there are; the last number and one by default.
          name: a name scope.
          validate: whether operations check that the arguments fit.

        Raises:
          ValueError, TypeError: they don't.
        """
        _check_validate(validate)
        with ops.name_scope(name, "RaggedFromValueRowIds", [values, value_rowids, nrows]):
            values, value_rowids = cls._convert_values_and_row_partition(
                values, value_rowids, "value_rowids"
            )
            nrows, const_nrows = row_count(nrows, value_rowids)
            value_rowids.shape.assert_has_rank(1)
            nrows.shape.assert_has_rank(0)
            values.shape[:1].assert_is_compatible_with(value_rowids.shape)
            if validate:
                checks = FactoryChecks("from_value_rowids")
                of_values, of_rowids = nrows_of(values), nrows_of(value_rowids)
                checks.that(check_ops.assert_rank, value_rowids, 1)
                checks.that(check_ops.assert_rank, nrows, 0)
                checks.that(check_ops.assert_equal, of_values, of_rowids)
                checks.that(check_ops.assert_non_negative, value_rowids[:1])
                checks.rising(value_rowids)
                checks.that(check_ops.assert_less, value_rowids[-1:], nrows)
                value_rowids = checks.before(values, value_rowids)
            row_lengths, row_splits = segment_id_ops.row_lengths_and_splits(
                math_ops.cast(value_rowids, dtypes.int32),
                math_ops.cast(nrows, dtypes.int32),
                value_rowids.dtype,
                const_nrows,
            )
            if const_nrows is not None:
                row_lengths.set_shape([const_nrows])
            return cls(values, row_splits, row_lengths, value_rowids, nrows, internal=True)

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """Of values and where the rows start and end.

        Args:
          values: a tensor or ragged tensor [values, ...].
          row_splits: a sorted int32 or int64 vector [rows + 1], from 0 to the number of values.
          name: a name scope.
          validate: whether operations check that the arguments fit.

        Raises:
          ValueError, TypeError: they don't.
        """
        _check_validate(validate)
        if isinstance(row_splits, list | tuple) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        if isinstance(row_splits, TensorSpec):
            return cls(values, row_splits, internal=True)
        with ops.name_scope(name, "RaggedFromRowSplits", [values, row_splits]):
            values, row_splits = cls._convert_values_and_row_partition(
                values, row_splits, "row_splits"
            )
            row_splits.shape.assert_has_rank(1)
            if validate:
                checks = FactoryChecks("from_row_splits")
                count = nrows_of(values, row_splits.dtype)
                checks.that(check_ops.assert_rank, row_splits, 1)
                checks.zero(row_splits[0])
                checks.rising(row_splits)
                checks.that(check_ops.assert_equal, row_splits[-1], count)
                row_splits = checks.before(values, row_splits)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """Of values and the length of each row.

        Args:
          values: a tensor or ragged tensor [values, ...].
          row_lengths: an int32 or int64 vector [rows].
          name: a name scope.
          validate: whether operations check that the arguments fit.

        Raises:
          ValueError, TypeError: they don't.
        """
        _check_validate(validate)
        with ops.name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
            values, row_lengths = cls._convert_values_and_row_partition(
                values, row_lengths, "row_lengths"
            )
            row_lengths.shape.assert_has_rank(1)
            if validate:
                checks = FactoryChecks("from_row_lengths")
                total = math_ops.reduce_sum(row_lengths)
                count = nrows_of(values, row_lengths.dtype)
                checks.that(check_ops.assert_rank, row_lengths, 1)
                checks.that(check_ops.assert_non_negative, row_lengths)
                checks.that(check_ops.assert_equal, total, count)
                row_lengths = checks.before(values, row_lengths)
            limits = math_ops.cumsum(row_lengths)
            row_splits = array_ops.concat([[0], limits], axis=0)
            return cls(values, row_splits, cached_row_lengths=row_lengths, internal=True)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """Of values and where each row starts.

        Args:
          values: a tensor or ragged tensor [values, ...].
          row_starts: a sorted int32 or int64 vector [rows] that begins with 0.
          name: a name scope.
          validate: whether operations check that the arguments fit.

        Raises:
          ValueError, TypeError: they don't.
        """
        _check_validate(validate)
        with ops.name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
            values, row_starts = cls._convert_values_and_row_partition(
                values, row_starts, "row_starts"
            )
            row_starts.shape.assert_has_rank(1)
            count = nrows_of(values, row_starts.dtype)
            if validate:
                checks = FactoryChecks("from_row_starts")
                checks.that(check_ops.assert_rank, row_starts, 1)
                checks.zero(row_starts[:1])
                checks.rising(row_starts)
                checks.that(check_ops.assert_less_equal, row_starts[-1:], count)
                row_starts = checks.before(values, row_starts)
            row_splits = array_ops.concat([row_starts, [count]], axis=0)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """Of values and where each row ends.

        Args:
          values: a tensor or ragged tensor [values, ...].
          row_limits: a sorted int32 or int64 vector [rows].
          name: a name scope.
          validate: whether operations check that the arguments fit.

        Raises:
          ValueError, TypeError: they don't.
        """
        _check_validate(validate)
        with ops.name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
            values, row_limits = cls._convert_values_and_row_partition(
                values, row_limits, "row_limits"
            )
            row_limits.shape.assert_has_rank(1)
            if validate:
                checks = FactoryChecks("from_row_limits")
                count = nrows_of(values, row_limits.dtype)
                checks.that(check_ops.assert_rank, row_limits, 1)
                checks.that(check_ops.assert_non_negative, row_limits[:1])
                checks.rising(row_limits)
                checks.that(check_ops.assert_equal, row_limits[-1:], count)
                row_limits = checks.before(values, row_limits)
            zero = array_ops.zeros([1], row_limits.dtype)
            row_splits = array_ops.concat([zero, row_limits], axis=0)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: Name = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """`from_value_rowids` for several ragged dimensions, the outermost first."""
        _check_validate(validate)
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError("nested_value_rowids must be a list of Tensors")
        if nested_nrows is None:
            nested_nrows = [None] * len(nested_value_rowids)
        elif isinstance(nested_nrows, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        elif len(nested_nrows) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        parts = [flat_values, *nested_value_rowids, *nested_nrows]
        with ops.name_scope(name, "RaggedFromNestedValueRowIds", parts):
            result = flat_values
            for rowids, nrows in zip(nested_value_rowids[::-1], nested_nrows[::-1], strict=True):
                result = cls.from_value_rowids(result, rowids, nrows, validate=validate)
            return result

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """`from_row_splits` for several ragged dimensions, the outermost first."""
        _check_validate(validate)
        if isinstance(nested_row_splits, Tensor):
            raise TypeError("nested_row_splits must be a list of Tensors")
        with ops.name_scope(name, "RaggedFromNestedRowSplits", [flat_values, *nested_row_splits]):
            result = flat_values
            for splits in nested_row_splits[::-1]:
                result = cls.from_row_splits(result, splits, validate=validate)
            return result

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: Name = None, validate: bool = True
    ) -> RaggedTensor:
        """`from_row_lengths` for several ragged dimensions, the outermost first."""
        _check_validate(validate)
        if isinstance(nested_row_lengths, Tensor):
            raise TypeError("nested_row_lengths must be a list of Tensors")
        with ops.name_scope(name, "RaggedFromNestedRowlengths", [flat_values, *nested_row_lengths]):
            result = flat_values
            for lengths in nested_row_lengths[::-1]:
                result = cls.from_row_lengths(result, lengths, validate=validate)
            return result

    @classmethod
    def _convert_values_and_row_partition(cls, values: Any, partition: Any, name: str) -> Any:
        """The values and what partitions them as tensors, with one dtype of row splits."""
        dtype = None
        if isinstance(values, RaggedTensor):
            dtype = values.row_splits.dtype
            if not isinstance(partition, Tensor):
                partition = ops.convert_to_tensor(partition, dtype, name=name)
        else:
            values = ops.convert_to_tensor(values, name="values")
            is_int32 = isinstance(partition, np.ndarray) and partition.dtype == np.int32
            preferred = None if is_int32 else dtypes.int64
            partition = ops.convert_to_tensor(partition, preferred_dtype=preferred, name=name)
        if partition.dtype not in _SPLITS_DTYPES:
            raise ValueError(f"{name} must have dtype int32 or int64")
        if dtype is not None and dtype != partition.dtype:
            raise ValueError(
                f"dtype mismatch: {name} ({partition.dtype}) vs values.row_splits ({dtype})"
            )
        return values, partition

    # Its parts.

    dtype: dtypes.DType = attribute("_values.dtype", "The dtype of the values.")

    @property
    def shape(self) -> TensorShape:
        """The static shape; None for what differs from row to row, or is unknown."""
        nrows = tensor_shape.dimension_at_index(self._row_splits.shape, 0) - 1
        return TensorShape([nrows, None]).concatenate(self._values.shape[1:])

    @property
    def ragged_rank(self) -> int:
        """How many dimensions are ragged."""
        return len(self.nested_row_splits)

    values = attribute("_values", "The rows, one after another: a tensor or ragged tensor.")
    row_splits: Tensor = attribute(
        "_row_splits", "Where the rows start and end: a vector [rows + 1]."
    )

    @property
    def flat_values(self) -> Any:
        """The tensor of all values."""
        values = self._values
        return values.flat_values if isinstance(values, RaggedTensor) else values

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The row splits of each ragged dimension, the outermost first."""
        values = self._values
        inner = values.nested_row_splits if isinstance(values, RaggedTensor) else ()
        return (self._row_splits, *inner)

    def _scope(self, name: Name, default: str) -> Any:
        return ops.name_scope(name, default, [self])

    def value_rowids(self, name: Name = None) -> Tensor:
        """The number of the row of each of `values`."""
        if self._cached_value_rowids is not None:
            return self._cached_value_rowids
        with self._scope(name, "RaggedValueRowIds"):
            return segment_id_ops.row_splits_to_segment_ids(self.row_splits)

    def nested_value_rowids(self, name: Name = None) -> tuple[Tensor, ...]:
        """The `value_rowids` of each ragged dimension, the outermost first."""
        with self._scope(name, "RaggedNestedValueRowIds"):
            return tuple(part.value_rowids() for part in self._levels())

    def nrows(self, out_type: DTypeLike | None = None, name: Name = None) -> Tensor:
        """How many rows there are: a scalar of `out_type` (by default, that of `row_splits`)."""
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._cached_nrows is not None:
            return math_ops.cast(self._cached_nrows, out_type)
        with self._scope(name, "RaggedNRows"):
            return array_ops.shape(self.row_splits, out_type=out_type)[0] - 1

    def row_starts(self, name: Name = None) -> Tensor:
        """Where each row starts."""
        with self._scope(name, "RaggedRowStarts"):
            return self.row_splits[:-1]

    def row_limits(self, name: Name = None) -> Tensor:
        """Where each row ends."""
        with self._scope(name, "RaggedRowLimits"):
            return self.row_splits[1:]

    def row_lengths(self, axis: int = 1, name: Name = None) -> Any:
        """How long the rows are.

        Args:
          axis: the dimension whose lengths are meant.
          name: a name scope.

        Returns:
          A vector of integers; for inner dimensions, a ragged tensor.
        """
        if self._cached_row_lengths is not None:
            return self._cached_row_lengths
        with self._scope(name, "RaggedRowLengths"):
            axis = ragged_util.get_positive_axis(axis, self.shape.ndims)
            if axis == 0:
                return self.nrows()
            if axis == 1:
                return ragged_util.splits_to_lengths(self.row_splits)
            if isinstance(self.values, RaggedTensor):
                return self.with_values(self.values.row_lengths(axis - 1))
            dtype = self._row_splits.dtype
            shape = array_ops.shape(self.values, out_type=dtype)
            ones = array_ops.ones(shape[: axis - 1], dtype)
            return self.with_values(ones * shape[axis - 1])

    def nested_row_lengths(self, name: Name = None) -> tuple[Tensor, ...]:
        """The `row_lengths` of each ragged dimension, the outermost first."""
        with self._scope(name, "RaggedNestedRowLengths"):
            return tuple(part.row_lengths() for part in self._levels())

    def _levels(self) -> list[RaggedTensor]:
        """This ragged tensor, its values, their values, … as far as they are ragged."""
        found, part = [], self
        while isinstance(part, RaggedTensor):
            found.append(part)
            part = part._values
        return found

    def bounding_shape(
        self, axis: TensorLike | None = None, name: Name = None, out_type: DTypeLike | None = None
    ) -> Tensor:
        """The shape of the smallest tensor that this one fits into.

        Args:
          axis: an int or int tensor: the dimensions that are wanted; None for all.
          name: a name scope.
          out_type: the dtype of the result; that of `row_splits` by default.
        """
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with ops.name_scope(name, "RaggedBoundingBox", [self, axis]):
            nested_splits = self.nested_row_splits
            if isinstance(axis, int) and axis == 0:
                return array_ops.shape(nested_splits[0], out_type=out_type)[0] - 1
            if isinstance(axis, int) and axis == 1:
                return math_ops.maximum(math_ops.reduce_max(self.row_lengths()), 0)
            splits_shape = array_ops.shape(self.row_splits, out_type=out_type)
            values_shape = array_ops.shape(self.flat_values, out_type=out_type)
            ragged_dimensions = array_ops.stack(
                [splits_shape[0] - 1]
                + [
                    math_ops.maximum(math_ops.reduce_max(ragged_util.splits_to_lengths(splits)), 0)
                    for splits in nested_splits
                ]
            )
            box = array_ops.concat([ragged_dimensions, values_shape[1:]], axis=0)
            return box if axis is None else array_ops.gather(box, axis)

    # Others like it.

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values.

        Raises:
          ValueError: their number differs, or the dtype of their row splits.
        """
        new_values.shape.with_rank_at_least(1)
        self.values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor):
            if self._row_splits.dtype != new_values.row_splits.dtype:
                raise ValueError(f"self and new_values have {_MISMATCH}")
        return RaggedTensor(
            new_values,
            self._row_splits,
            self._cached_row_lengths,
            self._cached_value_rowids,
            self._cached_nrows,
            internal=True,
        )

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows, in all dimensions, of other values."""
        if isinstance(self._values, Tensor):
            return self.with_values(new_values)
        return self.with_values(self.values.with_flat_values(new_values))

    def with_row_splits_dtype(self, dtype: DTypeLike) -> RaggedTensor:
        """The same with row splits of another dtype (int32 or int64)."""
        dtype = dtypes.as_dtype(dtype)
        if dtype not in _SPLITS_DTYPES:
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        row_splits = math_ops.cast(self._row_splits, dtype)
        values = self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        row_lengths, rowids = self._cached_row_lengths, self._cached_value_rowids
        if row_lengths is not None:
            row_lengths = math_ops.cast(row_lengths, dtype)
        if rowids is not None:
            # TF converts it twice, and leaves the number of rows as it is.
            rowids = math_ops.cast(math_ops.cast(rowids, dtype), dtype)
        return RaggedTensor(
            values, row_splits, row_lengths, rowids, self._cached_nrows, internal=True
        )

    # From and to other kinds of tensors.

    @classmethod
    def from_tensor(
        cls,
        tensor: TensorLike,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: Name = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:
        """Of a tensor, whole or without what its rows are filled up with.

        Args:
          tensor: of rank `ragged_rank` + 1 or more.
          lengths: how long each row is; the row lengths of each dimension, if it is a list.
          padding: what rows are filled up with.
          ragged_rank: how many dimensions are ragged.
          name: a name scope.
          row_splits_dtype: int32 or int64.

        Raises:
          ValueError, TypeError: the arguments do not fit.
        """
        return ragged_dense.from_tensor(
            cls, tensor, lengths, padding, ragged_rank, name, dtypes.as_dtype(row_splits_dtype)
        )

    def to_tensor(self, default_value: Any = None, name: Name = None) -> Tensor:
        """A tensor whose rows are filled up with `default_value` (0 or "" by default)."""
        return ragged_dense.to_tensor(self, default_value, name)

    @classmethod
    def from_sparse(
        cls, st_input: Any, name: Name = None, row_splits_dtype: Any = dtypes.int64
    ) -> RaggedTensor:
        """Of a sparse matrix whose rows are given from the left on, without gaps.

        Raises:
          TypeError, ValueError: it is no sparse matrix.
          InvalidArgumentError: at run time, if there are gaps.
        """
        dtype = dtypes.as_dtype(row_splits_dtype)
        if not sparse_tensor.is_sparse(st_input):
            raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
        with ops.name_scope(name, "RaggedFromSparse", [st_input]):
            sparse = sparse_tensor.convert_to_tensor_or_sparse_tensor(st_input, name="st_input")
            known = sparse.dense_shape.shape, sparse.indices.shape
            rank = known[0].dims[0].value if known[0].ndims is not None else None
            width = known[1].dims[1].value if known[1].ndims is not None else None
            if rank != 2 and width != 2:
                raise ValueError("rank(st_input) must be 2")
            with ops.control_dependencies(assert_without_gaps(sparse.indices)):
                rowids = math_ops.cast(sparse.indices[:, 0], dtype)
                nrows = math_ops.cast(sparse.dense_shape[0], dtype)
                return cls.from_value_rowids(sparse.values, rowids, nrows, validate=False)

    def to_sparse(self, name: Name = None) -> sparse_tensor.SparseTensor:
        """The same as a SparseTensor."""
        with ops.name_scope(name, "RaggedToSparse", [self]):
            found = raw_ops.RaggedTensorToSparse(
                self.nested_row_splits, self.flat_values, name=name
            )
            return sparse_tensor.SparseTensor(*found)

    @classmethod
    def _from_variant(
        cls,
        variant: Any,
        dtype: DTypeLike,
        output_ragged_rank: int,
        input_ragged_rank: int | None = None,
        name: Name = None,
    ) -> RaggedTensor:
        """Of what `_to_variant` gave."""
        variant = ops.convert_to_tensor(variant, name="variant", dtype=dtypes.variant)
        rank = variant.shape.ndims
        if rank is not None and input_ragged_rank is not None:
            if output_ragged_rank != input_ragged_rank + rank:
                raise ValueError(
                    "output_ragged_rank must be equal to input_ragged_rank +variant.shape.ndims, "
                    f"found variant.shape.ndims: {rank}, input_ragged_rank: {input_ragged_rank}, "
                    f"output_ragged_rank: {output_ragged_rank}"
                )
        given = -1 if input_ragged_rank is None else input_ragged_rank
        scope_values = [variant, dtype, given, output_ragged_rank]
        with ops.name_scope(name, "RaggedFromVariant", scope_values):
            found = raw_ops.RaggedTensorFromVariant(
                variant, given, output_ragged_rank, dtype, dtypes.int64, name
            )
            return cls.from_nested_row_splits(
                found.output_dense_values, found.output_nested_splits, validate=False
            )

    def _to_variant(self, batched_input: bool = False, name: Name = None) -> Tensor:
        """A scalar variant that holds it; of `batched_input`, one for each row."""
        with ops.name_scope(name, "RaggedToVariant", [self, batched_input]):
            return raw_ops.RaggedTensorToVariant(
                self.nested_row_splits, self.flat_values, batched_input, name
            )

    def __repr__(self) -> str:
        if self._is_eager():
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    def to_list(self) -> list[Any]:
        """The values as nested lists, in eager execution.

        Raises:
          ValueError: it is part of a graph.
        """
        if self._is_eager():
            return self._eager_value().to_list()
        raise ValueError(
            "RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the "
            "RaggedTensor first and then use RaggedTensorValue.to_list()."
        )

    def _eager_value(self) -> RaggedTensorValue:
        value: Any = self.flat_values.numpy()
        for row_splits in self.nested_row_splits[::-1]:
            splits: Any = row_splits
            value = RaggedTensorValue(value, splits.numpy())
        return value

    def _is_eager(self) -> bool:
        return all(part._is_eager for part in (*self.nested_row_splits, self.flat_values))

    def __bool__(self) -> NoReturn:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    # What graphs, sessions and structures ask for.

    def _as_graph_element(self) -> Any:
        return self.flat_values

    @property
    def _type_spec(self) -> Any:
        from tf1compat.api.ragged.ragged_tensor_spec import RaggedTensorSpec

        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _shape_invariant_to_type_spec(self, shape: ShapeLike) -> Any:
        from tf1compat.api.ragged.ragged_tensor_spec import RaggedTensorSpec

        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def consumers(self) -> list[Any]:
        """The operations that use one of its tensors."""
        parts = (self.flat_values, *self.nested_row_splits)
        recorded = [part for part in parts if not part._is_eager]
        return list(dict.fromkeys(op for part in recorded for op in part.consumers()))


def is_ragged(value: Any) -> bool:
    """Whether `value` is a RaggedTensor or RaggedTensorValue."""
    return isinstance(value, RaggedTensor | RaggedTensorValue)


def match_row_splits_dtypes(*tensors: Any, return_dtype: bool = False) -> Any:
    """The tensors, whose ragged ones must have row splits of one dtype.

    Args:
      *tensors: ragged tensors and others.
      return_dtype: whether to return (the dtype, the tensors).

    Raises:
      ValueError: the dtypes differ.
    """
    found = {tensor.row_splits.dtype for tensor in tensors if isinstance(tensor, RaggedTensor)}
    if len(found) > 1 and not ragged_config.auto_cast_partition_dtype():
        raise ValueError(f"Input RaggedTensors have {_MISMATCH}")
    dtype = found.pop() if found else dtypes.int64
    return (dtype, tensors) if return_dtype else tensors


def convert_to_tensor_or_ragged_tensor(
    value: Any, dtype: Any = None, preferred_dtype: Any = None, name: Name = None
) -> Any:
    """`value` as a tensor, unless it is a RaggedTensor or RaggedTensorValue.

    Raises:
      ValueError: a ragged tensor of another dtype.
    """
    if isinstance(value, RaggedTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for RaggedTensor with dtype "
                f"{value.dtype.name}: {value!r}"
            )
        return value
    if isinstance(value, RaggedTensorValue):
        with ops.name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat_values = ops.convert_to_tensor(
                value.flat_values, dtype, preferred_dtype=preferred_dtype, name="flat_values"
            )
            return RaggedTensor.from_nested_row_splits(
                flat_values, value.nested_row_splits, validate=False
            )
    return ops.convert_to_tensor(value, dtype, preferred_dtype=preferred_dtype, name=name)


class RaggedTensorType:
    """The dtype of a ragged result of `tf.map_fn`: what stands for it in `dtype`."""

    def __init__(self, dtype: DTypeLike, ragged_rank: int, row_splits_dtype: Any = dtypes.int64):
        self._dtype = dtype
        self._ragged_rank = ragged_rank
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)

    dtype = attribute("_dtype", "The dtype of the values.")
    ragged_rank: int = attribute("_ragged_rank", "How many dimensions are ragged.")
    row_splits_dtype = attribute("_row_splits_dtype", "The dtype of the row splits.")


# What a session fetches and feeds: the row splits, the outermost first, and the values.


def _parts(value: Any) -> tuple[Any, ...]:
    return (*value.nested_row_splits, value.flat_values)


def _value_of_parts(parts: Sequence[Any]) -> Any:
    *nested_row_splits, value = parts
    for row_splits in nested_row_splits[::-1]:
        value = RaggedTensorValue(value, row_splits)
    return value


session_conversions.register_session_run_conversion_functions(
    RaggedTensor,
    lambda fetch: (_parts(fetch), _value_of_parts),
    lambda feed, value: list(zip(_parts(feed), _parts(value))),
    _parts,
)
