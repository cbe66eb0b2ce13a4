"""`tensorflow.python.ops.ragged.ragged_tensor_shape`: shapes of ragged tensors, at run time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_array_ops, ragged_util
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
)
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, TensorLike


class RaggedTensorDynamicShape:
    """The sizes of the dimensions of a tensor that may be ragged.

    Args:
      partitioned_dim_sizes: of each dimension down to the last ragged one: a scalar, or for a
        ragged one the vector of its lengths.
      inner_dim_sizes: a vector: the sizes of the dimensions below.
      dim_size_dtype: int32 or int64.

    Raises:
      ValueError: the sizes do not fit each other.
    """

    def __init__(
        self, partitioned_dim_sizes: Any, inner_dim_sizes: Any, dim_size_dtype: Any = None
    ):
        assert isinstance(partitioned_dim_sizes, list | tuple)
        given = (partitioned_dim_sizes, inner_dim_sizes)
        with ops.name_scope(None, "RaggedTensorDynamicShape", given):
            sizes = tuple(
                ops.convert_to_tensor(size, name=f"partitioned_dimension_size_{i}")
                for i, size in enumerate(partitioned_dim_sizes)
            )
            inner = ops.convert_to_tensor(inner_dim_sizes, name="inner_dim_sizes")
            for axis, size in enumerate(sizes):
                if size.shape.ndims is None:
                    raise ValueError(f"rank of partitioned_dim_sizes[{axis}] is unknown")
                size.shape.with_rank_at_most(1)
            if sizes and sizes[0].shape.ndims == 1:
                raise ValueError("outermost partitioned dimension must be uniform")
            if sizes and sizes[-1].shape.ndims == 0:
                raise ValueError("innermost partitioned dimension must be ragged")
            inner.shape.assert_has_rank(1)
            if dim_size_dtype is None:
                found = {size.dtype for size in sizes if size.shape.ndims == 1}
                if len(found) > 1:
                    raise ValueError("partitioned_dim_sizes must have matching dtypes")
                dim_size_dtype = found.pop() if found else dtypes.int64
            self._partitioned_dim_sizes = tuple(
                math_ops.cast(size, dim_size_dtype) for size in sizes
            )
            self._inner_dim_sizes = math_ops.cast(inner, dim_size_dtype)

    def __repr__(self) -> str:
        return (
            f"RaggedTensorDynamicShape(partitioned_dim_sizes={self._partitioned_dim_sizes!r}, "
            f"inner_dim_sizes={self._inner_dim_sizes!r})"
        )

    @staticmethod
    def from_dim_sizes(dim_sizes: Any) -> RaggedTensorDynamicShape:
        """Of the size of each dimension: a scalar, or the vector of its lengths."""
        with ops.name_scope(None, "RaggedTensorDynamicShapeFromDimensionSizes", [dim_sizes]):
            sizes = tuple(
                ops.convert_to_tensor(size, preferred_dtype=dtypes.int64, name="dim_sizes")
                for size in dim_sizes
            )
            split = 0
            for dim, size in enumerate(sizes):
                if size.shape.ndims == 1:
                    split = dim + 1
                elif size.shape.ndims != 0:
                    raise ValueError("Each dim_size must be a scalar or a vector")
            return RaggedTensorDynamicShape(sizes[:split], sizes[split:])

    @classmethod
    def from_tensor(cls, rt_input: Any, dim_size_dtype: Any = None) -> RaggedTensorDynamicShape:
        """The shape of a tensor or ragged tensor."""
        with ops.name_scope(None, "RaggedTensorDynamicShapeFromTensor", [rt_input]):
            value = convert_to_tensor_or_ragged_tensor(rt_input)
            if not is_ragged(value):
                return cls([], array_ops.shape(value))
            sizes = (value.nrows(), *value.nested_row_lengths())
            inner = array_ops.shape(value.flat_values)[1:]
            return RaggedTensorDynamicShape(sizes, inner, dim_size_dtype=dim_size_dtype)

    def dimension_size(self, axis: int) -> Tensor:
        """The size of a dimension: a scalar, or the vector of its lengths."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        count = len(self._partitioned_dim_sizes)
        if axis < count:
            return self._partitioned_dim_sizes[axis]
        return self._inner_dim_sizes[axis - count]

    def is_ragged(self, axis: int) -> bool:
        """Whether a dimension is ragged."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        if axis < 0:
            raise ValueError("Negative axis values are not supported")
        rank = self.rank
        if rank is not None and axis >= rank:
            raise ValueError(f"Expected axis={axis} < rank={rank}")
        sizes = self._partitioned_dim_sizes
        return 0 < axis < len(sizes) and sizes[axis].shape.ndims == 1

    @property
    def rank(self) -> int | None:
        """The number of dimensions; None if it is unknown."""
        inner = self.num_inner_dimensions
        return None if inner is None else len(self._partitioned_dim_sizes) + inner

    partitioned_dim_sizes: tuple[Tensor, ...] = attribute(
        "_partitioned_dim_sizes", "The sizes of the dimensions down to the last ragged one."
    )
    inner_dim_sizes: Tensor = attribute(
        "_inner_dim_sizes", "The sizes of the dimensions below the last ragged one."
    )

    @property
    def num_partitioned_dimensions(self) -> int:
        """How many dimensions there are down to the last ragged one."""
        return len(self._partitioned_dim_sizes)

    @property
    def num_inner_dimensions(self) -> int | None:
        """How many dimensions are below the last ragged one."""
        return dimension_value(self._inner_dim_sizes.shape[0])

    dim_size_dtype: dtypes.DType = attribute("_inner_dim_sizes.dtype", "The dtype of the sizes.")

    def broadcast_to_rank(self, rank: int) -> RaggedTensorDynamicShape:
        """The shape with dimensions of size 1 put before it, up to a rank."""
        own = self.rank
        if own is None:
            raise ValueError("Unable to broadcast: self.rank is unknown")
        missing = rank - own
        if missing < 0:
            raise ValueError(
                f"Unable to broadcast: rank={rank} must be greater than self.rank={own}."
            )
        if missing == 0:
            return self
        if self._partitioned_dim_sizes:
            sizes = (1,) * missing + self._partitioned_dim_sizes
            return RaggedTensorDynamicShape(sizes, self._inner_dim_sizes)
        ones = array_ops.ones([missing], self.dim_size_dtype)
        inner = array_ops.concat([ones, self.inner_dim_sizes], axis=0)
        return RaggedTensorDynamicShape([], inner)

    def broadcast_dimension(self, axis: int, lengths: TensorLike) -> RaggedTensorDynamicShape:
        """The shape with one dimension broadcast to `lengths` (a scalar, or a ragged one's
        vector); at run time it is checked that this can be done."""
        lengths = ragged_util.convert_to_int_tensor(
            lengths, name="lengths", dtype=self.dim_size_dtype
        )
        if lengths.shape.ndims is None:
            raise ValueError("lengths must have a known rank.")
        if lengths.shape.ndims > 1:
            raise ValueError("lengths must be a scalar or vector")
        to_scalar = lengths.shape.ndims == 0
        ragged = self.is_ragged(axis)
        holds = self._can_broadcast_dimension(axis, lengths)
        problem: list[Any] = ["Unable to broadcast: dimension size mismatch in dimension", axis]
        problem += ["lengths=", lengths, "dim_size=", self.dimension_size(axis)]
        check = control_flow_ops.Assert(holds, data=problem, summarize=10)
        with ops.control_dependencies([check]):
            if axis < self.num_partitioned_dimensions:
                if ragged:
                    # Of the same lengths already; what follows depends on the check.
                    inner = array_ops.identity(self.inner_dim_sizes)
                    return RaggedTensorDynamicShape(self._partitioned_dim_sizes, inner)
                return self._broadcast_uniform_partitioned_dimension(axis, lengths)
            if to_scalar:
                return self._broadcast_inner_dimension_to_uniform(axis, lengths)
            if axis == 0:
                raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
            return self._broadcast_inner_dimension_to_ragged(axis, lengths)

    def _can_broadcast_dimension(self, axis: int, lengths: Tensor) -> Tensor:
        to_scalar = lengths.shape.ndims == 0
        if self.is_ragged(axis):
            if to_scalar:
                return math_ops.equal(lengths, 1)
            return math_ops.reduce_all(math_ops.equal(lengths, self.dimension_size(axis)))
        size = self.dimension_size(axis)
        if not to_scalar:
            return math_ops.equal(size, 1)
        one = math_ops.equal(lengths, 1) | math_ops.equal(size, 1)
        return one | math_ops.equal(size, lengths)

    def num_slices_in_dimension(self, axis: int) -> Tensor:
        """How many slices there are down to a dimension, in all."""
        if axis < 0:
            return constant(1, dtype=self.dim_size_dtype)
        if self.is_ragged(axis):
            return math_ops.reduce_sum(self._partitioned_dim_sizes[axis])
        return self.dimension_size(axis) * self.num_slices_in_dimension(axis - 1)

    def _broadcast_uniform_partitioned_dimension(
        self, axis: int, lengths: Tensor
    ) -> RaggedTensorDynamicShape:
        lengths, splits, repeats = self._lengths_splits_repeats(axis, lengths)
        above, below = self._partitioned_dim_sizes[:axis], self._partitioned_dim_sizes[axis + 1 :]
        sizes = [*above, lengths, *_repeated_sizes(below, splits, repeats)]
        return RaggedTensorDynamicShape(sizes, self._inner_dim_sizes)

    def _lengths_splits_repeats(self, axis: int, lengths: Tensor) -> tuple[Tensor, Tensor, Any]:
        """How long the rows become, where they start and end, how often each is repeated."""
        if lengths.shape.ndims:
            count = array_ops.size(lengths, out_type=self.dim_size_dtype)
            return lengths, math_ops.range(count + 1), lengths
        size = self.dimension_size(axis)
        lengths = array_ops.where(math_ops.equal(size, 1), lengths, size)
        repeats = array_ops.where(math_ops.equal(size, 1), lengths, 1)
        return lengths, array_ops.stack([0, self.num_slices_in_dimension(axis)]), repeats

    def _broadcast_inner_dimension_to_uniform(
        self, axis: int, length: Tensor
    ) -> RaggedTensorDynamicShape:
        size = self.dimension_size(axis)
        inner_axis = axis - self.num_partitioned_dimensions
        before = self._inner_dim_sizes[:inner_axis]
        broadcast = array_ops.where(math_ops.equal(size, 1), length, size)
        after = self._inner_dim_sizes[inner_axis + 1 :]
        inner = array_ops.concat([before, [broadcast], after], axis=0)
        return RaggedTensorDynamicShape(self._partitioned_dim_sizes, inner)

    def _broadcast_inner_dimension_to_ragged(
        self, axis: int, lengths: Tensor
    ) -> RaggedTensorDynamicShape:
        inner_axis = axis - self.num_partitioned_dimensions
        between = tuple(self._inner_dim_sizes[i] for i in range(inner_axis))
        sizes = (*self._partitioned_dim_sizes, *between, lengths)
        return RaggedTensorDynamicShape(sizes, self._inner_dim_sizes[inner_axis + 1 :])

    def with_dim_size_dtype(self, dtype: DTypeLike) -> RaggedTensorDynamicShape:
        """The shape with sizes of another dtype (int32 or int64)."""
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("dtype must be int32 or int64")
        if self.dim_size_dtype == dtype:
            return self
        sizes = [math_ops.cast(size, dtype) for size in self._partitioned_dim_sizes]
        return RaggedTensorDynamicShape(sizes, math_ops.cast(self._inner_dim_sizes, dtype))


def _repeated_sizes(sizes: Sequence[Tensor], splits: Tensor, repeats: Any) -> Iterator[Tensor]:
    """The sizes of the dimensions below one whose slices, between `splits`, are repeated."""
    for size in sizes:
        if size.shape.ndims == 0:
            yield size
            splits *= size
        else:
            yield ragged_util.repeat_ranges(size, splits, repeats)
            splits = array_ops.gather(ragged_util.lengths_to_splits(size), splits)


def _check_dynamic_shape(shape: Any, name: str) -> None:
    if not isinstance(shape, RaggedTensorDynamicShape):
        raise TypeError(f"{name} must be a RaggedTensorDynamicShape")


def broadcast_dynamic_shape(
    shape_x: RaggedTensorDynamicShape, shape_y: RaggedTensorDynamicShape
) -> RaggedTensorDynamicShape:
    """The shape that both can be broadcast to.

    Raises:
      TypeError, ValueError: they are no such shapes, or of unknown rank.
    """
    _check_dynamic_shape(shape_x, "shape_x")
    _check_dynamic_shape(shape_y, "shape_y")
    ranks: list[Any] = [shape_x.rank, shape_y.rank]
    if None in ranks:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(ranks)
    shape_x, shape_y = shape_x.broadcast_to_rank(rank), shape_y.broadcast_to_rank(rank)
    for axis in range(rank):
        shape_x = shape_x.broadcast_dimension(axis, shape_y.dimension_size(axis))
        shape_y = shape_y.broadcast_dimension(axis, shape_x.dimension_size(axis))
    return shape_x


def broadcast_to(
    rt_input: Any, shape: RaggedTensorDynamicShape, broadcast_inner_dimensions: bool = True
) -> Any:
    """A tensor or ragged tensor broadcast to a shape.

    Args:
      rt_input: the tensor.
      shape: the shape.
      broadcast_inner_dimensions: whether the dimensions below the last ragged one are, too.

    Raises:
      TypeError, ValueError: it can't be.
    """
    _check_dynamic_shape(shape, "shape")
    value = convert_to_tensor_or_ragged_tensor(rt_input)
    if shape.num_partitioned_dimensions > 0:
        return _to_ragged_shape(value, shape, broadcast_inner_dimensions)
    if isinstance(value, RaggedTensor):
        raise ValueError("Incompatible with shape: ragged rank mismatch")
    if broadcast_inner_dimensions:
        return array_ops.broadcast_to(value, shape.inner_dim_sizes)
    return value


def _to_ragged_shape(
    value: Any, shape: RaggedTensorDynamicShape, broadcast_inner_dimensions: bool
) -> Any:
    dtype = shape.dim_size_dtype
    if isinstance(value, RaggedTensor) and value.row_splits.dtype != dtype:
        raise ValueError(
            "rt_input and dst_shape have different row_split dtypes; use "
            "RaggedTensor.with_row_splits_dtype() or "
            "RaggedTensorDynamicShape.with_dim_size_dtype() to convert to a compatible dtype."
        )
    if value.shape.ndims is None or shape.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if value.shape.ndims > shape.rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    if isinstance(value, RaggedTensor):
        if value.ragged_rank >= shape.num_partitioned_dimensions:
            raise ValueError("Incompatible with shape: ragged rank mismatch")
    source = RaggedTensorDynamicShape.from_tensor(value)
    source = source.broadcast_to_rank(shape.rank)
    value = _of_rank(value, shape)
    if is_ragged(value):
        inner: Any = shape.num_inner_dimensions
        excess = value.flat_values.shape.ndims - 1 - inner
        if excess > 0:
            value = value.with_flat_values(
                RaggedTensor.from_tensor(
                    value.flat_values, ragged_rank=excess, row_splits_dtype=dtype
                )
            )
    else:
        value = RaggedTensor.from_tensor(
            value, ragged_rank=shape.num_partitioned_dimensions - 1, row_splits_dtype=dtype
        )
    # First the uniform dimensions, all at once; then each that becomes ragged.
    multiples: list[Any] = [1] * shape.rank
    for axis in range(shape.num_partitioned_dimensions):
        if not source.is_ragged(axis) and not shape.is_ragged(axis):
            size, wanted = source.dimension_size(axis), shape.dimension_size(axis)
            known = tensor_util.constant_value(size)
            if known in (1, None) and tensor_util.constant_value(wanted) != 1:
                multiples[axis] = array_ops.where(math_ops.equal(size, 1), wanted, 1)
    if not all(isinstance(multiple, int) for multiple in multiples):
        value = ragged_array_ops.tile(value, array_ops.stack(multiples, axis=0))
    if broadcast_inner_dimensions:
        flat_shape = array_ops.concat([[-1], shape.inner_dim_sizes], axis=0)
        value = value.with_flat_values(array_ops.reshape(value.flat_values, flat_shape))
    for axis in range(shape.num_partitioned_dimensions):
        if not source.is_ragged(axis) and shape.is_ragged(axis):
            value = _tiled_along(value, axis, shape.dimension_size(axis), dtype)
    return value


def _of_rank(value: Any, shape: RaggedTensorDynamicShape) -> Any:
    """`value` with dimensions of size 1 put before it, up to the rank of `shape`."""
    rank, inner = shape.rank, shape.num_inner_dimensions
    assert rank is not None and inner is not None
    if rank <= value.shape.ndims:
        return value
    if value.shape.ndims < inner + 1:
        flat_shape = array_ops.concat([[-1], shape.inner_dim_sizes], axis=0)
        value = array_ops.reshape(value, flat_shape)
    for _ in range(rank - value.shape.ndims):
        if is_ragged(value):
            nrows = value.nrows()
        else:
            nrows = array_ops.shape(value, out_type=shape.dim_size_dtype)[0]
        value = RaggedTensor.from_row_lengths(value, [nrows], validate=False)
    return value


def _tiled_along(value: Any, axis: int, repeats: Tensor, dtype: dtypes.DType) -> RaggedTensor:
    """`value` with a dimension of size 1 repeated, each slice as often as `repeats` says."""
    assert axis > 0
    if not is_ragged(value):
        value = RaggedTensor.from_tensor(value, ragged_rank=1, row_splits_dtype=dtype)
    if axis > 1:
        return value.with_values(_tiled_along(value.values, axis - 1, repeats, dtype))
    nested_splits = value.nested_row_splits
    nested_lengths = value.nested_row_lengths()
    splits = nested_splits[0]
    lengths = [repeats]
    for dim in range(1, len(nested_lengths)):
        lengths.append(ragged_util.repeat_ranges(nested_lengths[dim], splits, repeats))
        splits = array_ops.gather(nested_splits[dim], splits)
    values = ragged_util.repeat_ranges(value.flat_values, splits, repeats)
    return RaggedTensor.from_nested_row_lengths(values, lengths, validate=False)
