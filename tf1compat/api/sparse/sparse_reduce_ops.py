"""Reductions of sparse tensors (a part of TF's sparse_ops)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_MODULE = "tensorflow.python.ops.sparse_ops"

__all__ = [
    "sparse_reduce_max",
    "sparse_reduce_max_sparse",
    "sparse_reduce_max_v2",
    "sparse_reduce_sum",
    "sparse_reduce_sum_sparse",
    "sparse_reduce_sum_v2",
]

_axes_are_renamed = deprecated_args(
    None, "reduction_axes is deprecated, use axis instead", "reduction_axes", module=_MODULE
)
_keep_dims_is_renamed = deprecated_args(
    None, "keep_dims is deprecated, use keepdims instead", "keep_dims", module=_MODULE
)


def _reduce(
    op_type: str, sp_input: Any, axis: Any, keepdims: Any, reduction_axes: Any = None,
    keep_dims: bool | None = None, name: Name = None,
) -> Any:  # fmt: skip
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    axes = math_ops._ReductionDims(sp_input, axis, reduction_axes)
    return raw_ops.function(op_type)(
        sp_input.indices,
        sp_input.values,
        sp_input.dense_shape,
        axes,
        False if keepdims is None else keepdims,
        name=name,
    )


def _dense(reduction: str) -> Callable[..., Tensor]:
    def function(
        sp_input: Any, axis: TensorLike | None = None, keepdims: bool | None = None,
        reduction_axes: Any = None,
        keep_dims: bool | None = None,
    ) -> Tensor:  # fmt: skip
        return _reduce(
            f"SparseReduce{reduction.title()}", sp_input, axis, keepdims, reduction_axes, keep_dims
        )

    name = function.__name__ = function.__qualname__ = f"sparse_reduce_{reduction}"
    function.__doc__ = f"""The {reduction} over dimensions of a sparse tensor, as a dense one.

    What the tensor lacks does not take part; where nothing does, the result is 0.

    Args:
      sp_input: a SparseTensor of numbers.
      axis: the dimensions, negative from the end; all by default.
      keepdims: keep them, with size 1.
      reduction_axes, keep_dims: the old names of `axis` and `keepdims`.

    Raises:
      ValueError: an argument is given under both names.
    """
    decorated = _keep_dims_is_renamed(_axes_are_renamed(function))
    return tf_export(f"sparse.reduce_{reduction}", name)(decorated)


def _sparse(reduction: str) -> Callable[..., SparseTensor]:
    def function(
        sp_input: Any, axis: TensorLike | None = None, keepdims: bool | None = None,
        reduction_axes: Any = None,
        keep_dims: bool | None = None,
    ) -> SparseTensor:  # fmt: skip
        op_type = f"SparseReduce{reduction.title()}Sparse"
        return SparseTensor(*_reduce(op_type, sp_input, axis, keepdims, reduction_axes, keep_dims))

    name = function.__name__ = function.__qualname__ = f"sparse_reduce_{reduction}_sparse"
    function.__doc__ = f"""As `sparse_reduce_{reduction}`, as a sparse tensor.

    Args:
      sp_input: a SparseTensor of numbers.
      axis: the dimensions, negative from the end; all by default.
      keepdims: keep them, with size 1.
      reduction_axes, keep_dims: the old names of `axis` and `keepdims`.

    Raises:
      ValueError: an argument is given under both names.
    """
    return tf_export(f"sparse.reduce_{reduction}_sparse", name)(_keep_dims_is_renamed(function))


def _v2(reduction: str) -> Callable[..., Any]:
    def function(
        sp_input: Any, axis: TensorLike | None = None, keepdims: bool | None = None,
        output_is_sparse: bool = False,
        name: Name = None,
    ) -> Any:  # fmt: skip
        op_type = f"SparseReduce{reduction.title()}{'Sparse' if output_is_sparse else ''}"
        result = _reduce(op_type, sp_input, axis, keepdims, name=name)
        return SparseTensor(*result) if output_is_sparse else result

    function.__name__ = function.__qualname__ = f"sparse_reduce_{reduction}_v2"
    function.__doc__ = f"""As `sparse_reduce_{reduction}`, or `sparse_reduce_{reduction}_sparse`."""
    return tf_export(f"compat.v2.sparse.reduce_{reduction}")(function)


sparse_reduce_max = _dense("max")
sparse_reduce_sum = _dense("sum")
sparse_reduce_max_sparse = _sparse("max")
sparse_reduce_sum_sparse = _sparse("sum")
sparse_reduce_max_v2 = _v2("max")
sparse_reduce_sum_v2 = _v2("sum")
