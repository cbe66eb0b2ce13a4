"""`tensorflow.python.ops.sets_impl`: sets in the last dimension."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_VALID_DTYPES = {
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16,
    dtypes.string,
}  # fmt: skip


@tf_export("sets.size", "sets.set_size")
def set_size(a: TensorLike, validate_indices: bool = True) -> Tensor:
    """How many distinct values each row of the last dimension has.

    Args:
      a: a SparseTensor of ints or strings.
      validate_indices: refuse indices that are out of order.

    Returns:
      An int32 tensor of the rank of `a` less 1.

    Raises:
      TypeError: `a` is not sparse, or of another dtype.
    """
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a!s}.")
    if a.values.dtype.base_dtype not in _VALID_DTYPES:
        raise TypeError(f"Invalid dtype {a.values.dtype}.")
    return raw_ops.SetSize(a.indices, a.values, a.dense_shape, validate_indices)


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """The two sets as tensors, a sparse one last, and whether that flipped them."""
    a = convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _VALID_DTYPES:
        raise TypeError(f"'a' invalid dtype {a.dtype}.")
    b = convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        return b, a, True
    return a, b, False


def _set_operation(
    a: TensorLike, b: TensorLike, set_operation: str, validate_indices: bool = True
) -> SparseTensor:
    if isinstance(a, SparseTensor):
        if not isinstance(b, SparseTensor):
            raise ValueError(
                "Sparse,Dense is not supported, but Dense,Sparse is. Please flip the order of "
                "your inputs."
            )
        kind, first = "SparseToSparse", (a.indices, a.values, a.dense_shape)
    else:
        kind, first = "DenseToSparse" if isinstance(b, SparseTensor) else "DenseToDense", (a,)
    second = (b.indices, b.values, b.dense_shape) if isinstance(b, SparseTensor) else (b,)
    record = raw_ops.function(f"{kind}SetOperation")
    return SparseTensor(*record(*first, *second, set_operation, validate_indices))


@tf_export("sets.intersection", "sets.set_intersection")
def set_intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """The values that are in both of two sets, row by row.

    Args:
      a, b: tensors or SparseTensors of ints or strings; all dimensions but the last are equal.
      validate_indices: refuse indices that are out of order.

    Returns:
      A SparseTensor whose rows are sorted.

    Raises:
      TypeError: the dtypes differ, or are others.
    """
    a, b, _ = _operands(a, b)
    return _set_operation(a, b, "intersection", validate_indices)


@tf_export("sets.difference", "sets.set_difference")
def set_difference(
    a: TensorLike, b: TensorLike, aminusb: bool = True, validate_indices: bool = True
) -> SparseTensor:
    """The values that are in one of two sets alone, row by row.

    Args:
      a, b: tensors or SparseTensors of ints or strings; all dimensions but the last are equal.
      aminusb: those of `a`; else those of `b`.
      validate_indices: refuse indices that are out of order.

    Returns:
      A SparseTensor whose rows are sorted.

    Raises:
      TypeError: the dtypes differ, or are others.
    """
    a, b, flipped = _operands(a, b)
    return _set_operation(a, b, "a-b" if aminusb != flipped else "b-a", validate_indices)


@tf_export("sets.union", "sets.set_union")
def set_union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """The values that are in one of two sets or both, row by row.

    Args:
      a, b: tensors or SparseTensors of ints or strings; all dimensions but the last are equal.
      validate_indices: refuse indices that are out of order.

    Returns:
      A SparseTensor whose rows are sorted.

    Raises:
      TypeError: the dtypes differ, or are others.
    """
    a, b, _ = _operands(a, b)
    return _set_operation(a, b, "union", validate_indices)
