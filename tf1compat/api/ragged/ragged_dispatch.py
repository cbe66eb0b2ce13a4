"""`tensorflow.python.ops.ragged.ragged_dispatch`: what functions of `tf` do with ragged tensors.

A function is tried first; if it refuses its arguments, one of these takes them
(`api/util/dispatch.py`). That is also why names of operations skip a number, as in TF.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import numerics
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import bitwise_ops, clip_ops, math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.ragged import (
    ragged_array_ops,
    ragged_batch_gather_ops,
    ragged_concat_ops,
    ragged_gather_ops,
    ragged_math_ops,
    ragged_squeeze_op,
    ragged_string_ops,
    ragged_tensor_shape,
    ragged_util,
    ragged_where_op,
)
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.api.ragged.ragged_tensor_shape import RaggedTensorDynamicShape
from tf1compat.api.text import string_ops
from tf1compat.api.util.deprecation import renamed
from tf1compat.api.util.dispatch import OpDispatcher
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


def _is_convertible_to_tensor(value: Any) -> bool:
    plain = Tensor | variables.Variable | np.ndarray | int | float | str
    if value is None or isinstance(value, plain):
        return True
    if isinstance(value, SparseTensor):
        return False
    try:
        ops.convert_to_tensor(value)
    except (TypeError, ValueError):
        return False
    return True


class UnaryRaggedElementwiseDispatcher(OpDispatcher):
    """Calls a function with the values of its first argument (or of a list of ragged tensors of
    the same rows)."""

    def __init__(self, original_op: Callable[..., Any], arg_is_list: bool = False):
        self._op = original_op
        self._arg_is_list = arg_is_list
        self._x = _parameters(original_op)[0]

    def handle(self, args: Any, kwargs: Any) -> Any:
        if args:
            x, args = args[0], args[1:]
        else:
            kwargs = dict(kwargs)
            x = kwargs.pop(self._x, None)
        if x is None:
            return self.NOT_SUPPORTED
        if self._arg_is_list:
            if not isinstance(x, list | tuple):
                return self.NOT_SUPPORTED
            return self._of_list(x, args, kwargs)
        if not is_ragged(x):
            return self.NOT_SUPPORTED
        return x.with_flat_values(self._op(x.flat_values, *args, **kwargs))

    def _of_list(self, x: Any, args: Any, kwargs: Any) -> Any:
        found = False
        for item in x:
            if is_ragged(item):
                found = True
            elif not _is_convertible_to_tensor(item):
                return self.NOT_SUPPORTED
        if not found:
            return self.NOT_SUPPORTED
        x = match_row_splits_dtypes(*x)
        splits = [item.nested_row_splits for item in x if is_ragged(item)]
        values = [item.flat_values if is_ragged(item) else item for item in x]
        with ops.control_dependencies(ragged_util.assert_splits_match(splits)):
            return RaggedTensor.from_nested_row_splits(
                self._op(values, *args, **kwargs), splits[0], validate=False
            )


class BinaryRaggedElementwiseDispatcher(OpDispatcher):
    """Calls a function with the values of its first two arguments, broadcast to each other."""

    def __init__(self, original_op: Callable[..., Any]):
        self._op = original_op
        self._x, self._y = _parameters(original_op)[:2]

    def _converted(self, value: Any, name: str, other: Any) -> Any:
        return ops.convert_to_tensor(value, name=name, preferred_dtype=other.dtype)

    def handle(self, args: Any, kwargs: Any) -> Any:
        kwargs = dict(kwargs)
        x: Any = args[0] if args else kwargs.pop(self._x, None)
        y: Any = args[1] if len(args) > 1 else kwargs.pop(self._y, None)
        args = args[2:]
        if not (is_ragged(x) or is_ragged(y)):
            return self.NOT_SUPPORTED
        both = is_ragged(x) and is_ragged(y)
        try:
            if not is_ragged(x):
                x = self._converted(x, self._x, y)
            if not is_ragged(y):
                y = self._converted(y, self._y, x)
        except (TypeError, ValueError):
            return self.NOT_SUPPORTED
        if both:
            x, y = match_row_splits_dtypes(x, y)
        # What has fewer dimensions than the values broadcasts with them as it is.
        if (
            both
            or (is_ragged(x) and x.flat_values.shape.ndims <= y.shape.ndims)
            or (is_ragged(y) and y.flat_values.shape.ndims <= x.shape.ndims)
        ):
            shape = ragged_tensor_shape.broadcast_dynamic_shape(
                RaggedTensorDynamicShape.from_tensor(x), RaggedTensorDynamicShape.from_tensor(y)
            )
            x = ragged_tensor_shape.broadcast_to(x, shape, broadcast_inner_dimensions=False)
            y = ragged_tensor_shape.broadcast_to(y, shape, broadcast_inner_dimensions=False)
        x_values = x.flat_values if is_ragged(x) else x
        y_values = y.flat_values if is_ragged(y) else y
        values = self._op(x_values, y_values, *args, **kwargs)
        return (x if is_ragged(x) else y).with_flat_values(values)


class RaggedDispatcher(OpDispatcher):
    """Calls another function of the same parameters, if one of its arguments is ragged.

    Args:
      original_op: the function.
      ragged_op: what takes its place.
      ragged_args: the parameters that may be ragged; in brackets, lists of such.
    """

    def __init__(
        self, original_op: Callable[..., Any], ragged_op: Callable[..., Any], ragged_args: list[str]
    ):
        names = _parameters(original_op)
        if names != _parameters(ragged_op):
            raise AssertionError(
                f"Signature must exactly match when overriding {original_op} with {ragged_op}: "
                f"{names} vs {_parameters(ragged_op)}"
            )
        self._op = ragged_op
        self._args = [
            (name.strip("[]"), names.index(name.strip("[]")), name.startswith("["))
            for name in ragged_args
        ]

    def handle(self, args: Any, kwargs: Any) -> Any:
        if not self.is_supported(args, kwargs):
            return self.NOT_SUPPORTED
        return self._op(*args, **kwargs)

    def is_supported(self, args: Any, kwargs: Any) -> bool:
        """Whether one of the arguments is ragged, and the others are tensors."""
        found = False
        for name, position, is_list in self._args:
            value = args[position] if position < len(args) else kwargs.get(name)
            if is_list and not isinstance(value, list | tuple):
                return False
            items: Any = value if is_list else [value]
            for item in items:
                if is_ragged(item):
                    found = True
                elif not _is_convertible_to_tensor(item):
                    return False
        return found


def _named(module: ModuleType, names: str) -> list[Callable[..., Any]]:
    return [getattr(module, name) for name in names.split()]


_UNARY_OPS = [
    numerics.check_numerics,
    bitwise_ops.invert,
    clip_ops.clip_by_value,
    parsing_ops.decode_compressed,
    *_named(array_ops, "identity ones_like ones_like_v2 zeros_like zeros_like_v2"),
    *_named(math_ops, "acos acosh asin asinh atan atanh cos cosh sin sinh tan"),
    *_named(math_ops, "digamma erf erfc exp expm1 lgamma log log1p log_sigmoid rsqrt sqrt square"),
    *_named(math_ops, "abs negative reciprocal sign logical_not is_finite is_inf is_nan"),
    *_named(math_ops, "cast saturate_cast ceil floor rint round angle conj imag real"),
    *_named(string_ops, "as_string decode_base64 encode_base64 string_to_number unicode_script"),
    *_named(string_ops, "regex_full_match regex_replace string_strip substr substr_v2"),
    *_named(string_ops, "string_length string_length_v2 string_to_hash_bucket"),
    *_named(string_ops, "string_to_hash_bucket_fast string_to_hash_bucket_strong"),
]
_UNARY_LIST_OPS = [math_ops.add_n, string_ops.string_join]
_BINARY_OPS = [
    *_named(bitwise_ops, "bitwise_and bitwise_or bitwise_xor left_shift right_shift"),
    *_named(math_ops, "add subtract multiply divide div_no_nan realdiv truediv floordiv"),
    *_named(math_ops, "floormod truncatediv truncatemod pow atan2 complex squared_difference"),
    *_named(math_ops, "maximum minimum logical_and logical_or logical_xor"),
    *_named(math_ops, "equal not_equal greater greater_equal less less_equal"),
]


def _dynamic_partition(
    data: Any, partitions: Any, num_partitions: Any, name: Name = None
) -> list[Any]:
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    result = ragged_array_ops.stack_dynamic_partitions(data, partitions, num_partitions, name)
    return [result[i] for i in range(num_partitions)]


def _expand_dims_v1(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: Name = None,
    dim: TensorLike | None = None,
) -> Any:
    return ragged_array_ops.expand_dims(input, axis if dim is None else dim, name)


def _size_v1(input: TensorLike, name: Name = None, out_type: DTypeLike = dtypes.int32) -> Tensor:
    return ragged_array_ops.size(input, out_type, name)


def _squeeze_v1(
    input: TensorLike, axis: TensorLike | None = None, name: Name = None, squeeze_dims: Any = None
) -> Any:
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    return ragged_squeeze_op.squeeze(input, axis, name)


def _gather_v1(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: Any = None,
    name: Name = None,
    axis: TensorLike = 0,
    batch_dims: TensorLike = 0,
) -> Any:
    return ragged_gather_ops.gather(params, indices, validate_indices, axis, batch_dims, name)


def _gather_nd_v1(
    params: TensorLike, indices: TensorLike, name: Name = None, batch_dims: TensorLike = 0
) -> Any:
    return ragged_gather_ops.gather_nd(params, indices, batch_dims, name)


# What takes the place of what, by the parameters that may be ragged.
_OTHER_OPS: dict[tuple[str, ...], list[tuple[Callable[..., Any], Callable[..., Any]]]] = {
    ("[values]",): [
        (array_ops.concat, ragged_concat_ops.concat),
        (array_ops.stack, ragged_concat_ops.stack),
    ],
    ("condition", "x", "y"): [(array_ops.where, ragged_where_op.where)],
    ("data", "partitions"): [(data_flow_ops.dynamic_partition, _dynamic_partition)],
    ("data", "segment_ids"): [
        (getattr(math_ops, f"unsorted_segment_{kind}"), getattr(ragged_math_ops, f"segment_{kind}"))
        for kind in ("sum", "prod", "min", "max", "mean", "sqrt_n")
    ],
    ("indices",): [(array_ops.one_hot, ragged_array_ops.ragged_one_hot)],
    ("input",): [
        (array_ops.expand_dims, _expand_dims_v1),
        (array_ops.size, _size_v1),
        (array_ops.squeeze, _squeeze_v1),
        (array_ops.expand_dims_v2, ragged_array_ops.expand_dims),
        (array_ops.size_v2, ragged_array_ops.size),
        (array_ops.squeeze_v2, ragged_squeeze_op.squeeze),
        (array_ops.rank, ragged_array_ops.rank),
        (array_ops.tile, ragged_array_ops.tile),
    ],
    ("input_tensor",): [
        (getattr(math_ops, f"reduce_{kind}"), getattr(ragged_math_ops, f"reduce_{kind}"))
        for kind in ("sum", "prod", "min", "max", "mean", "any", "all")
    ],
    ("inputs",): [(string_ops.reduce_join_v2, ragged_string_ops.reduce_join)],
    ("params", "indices"): [
        (array_ops.gather, _gather_v1),
        (array_ops.gather_nd, _gather_nd_v1),
        (array_ops.gather_v2, ragged_gather_ops.gather),
        (array_ops.gather_nd_v2, ragged_gather_ops.gather_nd),
        (array_ops.batch_gather, ragged_batch_gather_ops.batch_gather),
    ],
}


def register_dispatchers() -> None:
    """Teaches all these functions what to do with ragged tensors."""
    for op in _UNARY_OPS:
        UnaryRaggedElementwiseDispatcher(op).register(op)
    for op in _UNARY_LIST_OPS:
        UnaryRaggedElementwiseDispatcher(op, arg_is_list=True).register(op)
    for op in _BINARY_OPS:
        BinaryRaggedElementwiseDispatcher(op).register(op)
    for ragged_args, pairs in _OTHER_OPS.items():
        for op, ragged_op in pairs:
            RaggedDispatcher(op, ragged_op, list(ragged_args)).register(op)


register_dispatchers()
