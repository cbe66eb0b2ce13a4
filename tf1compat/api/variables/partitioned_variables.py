"""Variables cut into parts along one dimension, and the functions that say how to cut them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_base
from tf1compat.core import dtypes, export, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Initializer

Partitioner = Callable[..., Sequence[int]]


@export.internal_class("tensorflow.python.ops.variables")
class PartitionedVariable:
    """A variable made of parts, as `tf.get_variable(partitioner=...)` gives it.

    Converts to a tensor, the parts joined.

    Args:
      name: the name of the whole.
      shape: the shape of the whole.
      dtype: the element type.
      variable_list: the parts, each with its `SaveSliceInfo`.
      partitions: the number of parts along each dimension.

    Raises:
      TypeError: `variable_list` or `partitions` is no list.
      ValueError: the parts don't make up the whole.
    """

    # There is a graph of nodes behind it, not one that replicas keep copies of.
    _distribute_strategy = None

    def __init__(
        self,
        name: str,
        shape: Any,
        dtype: Any,
        variable_list: Sequence[variable_base.Variable],
        partitions: Sequence[int],
    ):
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if not all(p >= 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        infos: dict[Any, Any] = {part: part._get_save_slice_info() for part in variable_list}
        if None in infos.values():
            raise ValueError(
                "All variables must have a save_slice_info available: "
                f"{[part.name for part in variable_list]}"
            )
        if len(shape) != len(partitions):
            raise ValueError(f"len(shape) != len(partitions): {shape} vs. {partitions}")
        for info in infos.values():
            if info.full_shape != shape:
                raise ValueError(
                    f"All variables' full shapes must match shape: {shape}; "
                    f"but full shapes were: {[info.full_shape]}"
                )
        self._variable_list = sorted(variable_list, key=lambda part: infos[part].var_offset)
        self._name = name
        self._shape = shape
        self._dtype = dtype
        self._partitions = partitions

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    name: str = attribute("_name", "The name of the whole variable.")
    dtype: dtypes.DType = attribute("_dtype", "The element type.")
    shape: TensorShape = attribute("_shape", "The shape of the whole variable.")

    def get_shape(self) -> TensorShape:
        """The shape of the whole variable."""
        return self._shape

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Sequence[int]:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        """The axes that are cut; [0] if none is."""
        return [axis for axis, count in enumerate(self._partitions) if count > 1] or [0]

    def _single_axis(self, what: str) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(what.format(axes))
        return axes[0]

    def _concat(self) -> ops.Tensor:
        if len(self._variable_list) == 1:
            with ops.name_scope(None):
                return raw_ops.Identity(self._variable_list[0], name=self._name)
        axis = self._single_axis(
            "Cannot concatenate along more than one dimension: {}.  "
            "Multi-axis partition concat is not supported"
        )
        with ops.name_scope(self._name + "/ConcatPartitions/"):
            joined = array_ops.concat(self._variable_list, axis)
        with ops.name_scope(None):
            return raw_ops.Identity(joined, name=self._name)

    def as_tensor(self) -> ops.Tensor:
        """The whole value: the parts joined."""
        # A parts' join made under someone's control dependencies would drag them into every use.
        with ops.control_dependencies(None):
            return self._concat()

    def _assign(self, method: str, value: Any, read_value: bool, **options: Any) -> list[Any]:
        """Calls `method` of each part with its share of `value`."""
        axis = self._single_axis(
            "Cannot do assign action along more than one dimension: {}.  "
            "Multi-axis partition assign action is not supported "
        )
        if isinstance(value, list):
            assert len(value) == len(self._variable_list)
            shares = value
        elif isinstance(value, PartitionedVariable):
            shares = list(value)
        else:
            sizes = [part.shape.as_list()[axis] for part in self._variable_list]
            shares = array_ops.split(value, sizes, axis=axis)
        done = [
            getattr(part, method)(share, read_value=read_value, **options)
            for part, share in zip(self._variable_list, shares)
        ]
        return done if read_value else [assigned.op for assigned in done]

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:
        """Assigns to all parts; `value` is a tensor to be cut, a list or a PartitionedVariable."""
        return self._assign("assign", value, read_value, use_locking=use_locking, name=name)

    def assign_add(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:
        """Adds to all parts; `value` is as in `assign`."""
        return self._assign("assign_add", value, read_value, use_locking=use_locking, name=name)

    def assign_sub(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list[Any]:
        """Subtracts from all parts; `value` is as in `assign`."""
        return self._assign("assign_sub", value, read_value, use_locking=use_locking, name=name)


def _to_tensor(
    whole: PartitionedVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> ops.Tensor:
    def read() -> ops.Tensor:
        if as_ref:
            raise NotImplementedError(
                "PartitionedVariable doesn't support being used as a reference."
            )
        return whole.as_tensor()

    return variable_base.convert_variable(whole, dtype, read)


ops.register_tensor_conversion_function(PartitionedVariable, _to_tensor)


@tf_export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(
    max_shard_bytes: int,
    axis: int = 0,
    bytes_per_string_element: int = 16,
    max_shards: int | None = None,
) -> Partitioner:
    """A partitioner that keeps parts below a size.

    Args:
      max_shard_bytes: the most bytes a part may have.
      axis: the axis to cut.
      bytes_per_string_element: what a string counts.
      max_shards: the most parts, if given.

    Returns:
      A partitioner for `tf.get_variable`.

    Raises:
      ValueError: a limit is not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def _partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if not isinstance(shape, TensorShape):
            raise ValueError(f"shape is not a TensorShape: {shape}")
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        if not isinstance(dtype, dtypes.DType):
            raise ValueError(f"dtype is not a DType: {dtype}")
        size = _size(shape, axis)
        element = _element_size(dtype, bytes_per_string_element)
        slice_bytes = _elements(shape) / size * element
        slices_per_part = max(1, math.floor(max_shard_bytes / slice_bytes))
        count = math.ceil(size / slices_per_part)
        return _cut(shape, axis, min(max_shards, count) if max_shards else count)

    return _partitioner


@tf_export("min_max_variable_partitioner")
def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Partitioner:
    """A partitioner that makes as many parts as it may, none smaller than a size.

    Args:
      max_partitions: the most parts.
      axis: the axis to cut.
      min_slice_size: the fewest bytes a part should have.
      bytes_per_string_element: what a string counts.

    Returns:
      A partitioner for `tf.get_variable`.
    """

    def _partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(
                f"Can not partition variable along axis {axis} when shape is only {shape}"
            )
        size = _elements(shape) * _element_size(dtype, bytes_per_string_element)
        count = math.ceil(size / min_slice_size)
        return _cut(shape, axis, max(1, min(_size(shape, axis), max_partitions, count)))

    return _partitioner


@tf_export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """A partitioner that makes `num_shards` parts along `axis`, or as many as there are rows.

    Args:
      num_shards: how many parts.
      axis: the axis that is split.

    Returns:
      A function of (shape, dtype) that gives the number of parts along each axis.
    """

    def _partitioner(shape: TensorShape, **unused_args: Any) -> list[int]:
        return _cut(shape, axis, min(num_shards, _size(shape, axis)))

    return _partitioner


def _size(shape: TensorShape, axis: int) -> int:
    return shape.as_list()[axis]  # type: ignore[return-value]


def _elements(shape: TensorShape) -> int:
    return shape.num_elements()  # type: ignore[return-value]


def _element_size(dtype: dtypes.DType, bytes_per_string_element: int) -> int:
    return bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size


def _cut(shape: TensorShape, axis: int, count: int) -> list[int]:
    partitions = [1] * len(shape)
    partitions[axis] = count
    return partitions


@tf_export("create_partitioned_variables")
@deprecated(None, "Use `tf.get_variable` with a partitioner set.")
def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Initializer,
    dtype: Any = dtypes.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: bool | None = None,
) -> list[Any]:
    """Makes the parts of a variable.

    Args:
      shape: the shape of the whole.
      slicing: the number of parts along each dimension.
      initializer: a tensor of shape `shape`, or an initializer.
      dtype: the element type.
      trainable, collections: as in `tf.Variable`.
      name: the name of the whole, "PartitionedVariable" by default.
      reuse: whether to get existing parts.

    Returns:
      The parts.

    Raises:
      ValueError: `slicing` does not fit `shape`.
    """
    from tf1compat.api.variables import variable_scope

    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope.variable_scope(name, "PartitionedVariable", reuse=reuse):
        whole = variable_scope._get_partitioned_variable(
            name=None,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=trainable,
            partitioner=lambda **unused: slicing,
            collections=collections,
        )
        return list(whole)
