"""What is known of a tensor's value while recording, as `tensorflow.python.framework.tensor_util`
tells it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import constants, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor, TensorBase, is_dense_tensor_like
from tf1compat.core.tensor_proto import MakeNdarray, make_tensor_proto
from tf1compat.core.tensor_shape import TensorShape

__all__ = [
    "MakeNdarray",
    "constant_value",
    "constant_value_as_shape",
    "is_tensor",
    "make_tensor_proto",
    "maybe_set_static_shape",
    "shape_tensor",
]

# What records differently when a value is known (static shapes set, nodes left out) depends on
# these op types in TF 1.15's Python, and on no others, though more can be known.
_EVALUATED = {
    "Const", "Shape", "Size", "Rank", "Range", "Cast", "Concat", "ConcatV2", "ConcatOffset", "Pack",
    "Fill", "Equal", "NotEqual",
}  # fmt: skip


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor, a sparse tensor, indexed slices or a variable."""
    if isinstance(x, TensorBase) or is_dense_tensor_like(x):
        return True
    return bool(getattr(x, "is_tensor_like", False))


tf_export("is_tensor", "contrib.framework.is_tensor")(is_tensor)


@tf_export("get_static_value", "contrib.util.constant_value")
def constant_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a constant tensor, as TF 1.15 finds it while recording.

    Args:
      tensor: a tensor.
      partial: for a Pack of which only some elements are known, a list with None for the others.

    Returns:
      A NumPy array, or None if the value is not known; what is no tensor, as it is.
    """
    if not isinstance(tensor, Tensor):
        return None if is_tensor(tensor) else tensor
    if tensor._is_eager:
        return tensor.numpy()  # pyright: ignore[reportAttributeAccessIssue]
    value = _value(tensor, partial)
    if value is not None:
        # What was recorded now depends on the value.
        tensor.graph.prevent_feeding(tensor)
    return value


def _value(tensor: Tensor, partial: bool) -> Any:
    op = tensor.op
    if op.type == "Pack":
        if not op.inputs or op._attrs["axis"] != 0:
            return None
        if partial:
            values = [constant_value(item, True) for item in op.inputs]
            known = all(value is not None for value in values)
            return np.array(values, None if known else object)
    if op.type not in _EVALUATED:
        return None
    if op.type not in ("Shape", "Size", "Rank"):
        for item in op.inputs:
            if constant_value(item) is None:
                return None
    found = constants.known_value(tensor)
    return None if found is None else np.array(found)


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """A constant (or partly constant) int vector read as a shape.

    Raises:
      ValueError: the tensor can't be a shape.
    """
    if isinstance(tensor, Tensor) and tensor._is_eager:
        value: Any = tensor.numpy()  # pyright: ignore[reportAttributeAccessIssue]
        return TensorShape([None if d == -1 else d for d in value])
    if tensor._shape == ():
        value = constant_value(tensor)
        if value is None:
            raise ValueError(
                "Received a scalar with unknown value as shape; require a statically known scalar "
                "with value '-1' to describe an unknown shape."
            )
        if value != -1:
            raise ValueError(
                f"Received a scalar value '{value}' as shape; require a statically known scalar "
                "with value '-1' to describe an unknown shape."
            )
        return tensor_shape.unknown_shape()
    length = tensor.shape.with_rank(1).as_list()[0]
    found = _partial_shape(tensor) if length != 0 else TensorShape([])
    if found is not None:
        return found
    value = constant_value(tensor)
    if value is None:
        return tensor_shape.unknown_shape(length)
    return TensorShape([d if d >= 0 else None for d in value])


def _partial_shape(tensor: Tensor) -> TensorShape | None:
    """A shape that ops made of parts which are not all known; None for other ops."""
    op = tensor.op
    if op.type == "Shape":
        return op.inputs[0].get_shape()
    if op.type == "Pack":
        sizes = [constant_value(item) for item in op.inputs]
        return TensorShape([None if size is None or size < 0 else int(size) for size in sizes])
    if op.type in ("Concat", "ConcatV2"):
        parts = op.inputs[1:] if op.type == "Concat" else op.inputs[:-1]
        result = TensorShape([])
        for part in parts:
            result = result.concatenate(constant_value_as_shape(part))
        return result
    if op.type == "StridedSlice":
        return _sliced_shape(op)
    graph = tensor.graph
    if op.type == "Placeholder" and graph.building_function and hasattr(graph, "internal_captures"):
        for inside, outside in zip(graph.internal_captures, graph.external_captures, strict=True):
            if inside is tensor:
                return constant_value_as_shape(outside)
    return None


def _sliced_shape(op: Any) -> TensorShape | None:
    bounds = [constant_value(bound) for bound in op.inputs[1:]]
    masks = {name: op._attrs[f"{name}_mask"] for name in ("begin", "end")}
    others = [op._attrs[f"{name}_mask"] for name in ("ellipsis", "new_axis", "shrink_axis")]
    if any(bound is None for bound in bounds) or any(others) or max(masks.values()) > 1:
        return None
    begin, end, step = (int(bound[0]) for bound in bounds)
    whole = constant_value_as_shape(op.inputs[0])
    try:
        part = slice(None if masks["begin"] else begin, None if masks["end"] else end, step)
        return TensorShape(whole[part])
    except (ValueError, TypeError):
        return None


def maybe_set_static_shape(tensor: Any, shape: Any) -> None:
    """Refines the static shape of `tensor` by what `shape` is known to be, inside functions."""
    if tensor._is_eager or not tensor.graph.building_function:
        return
    if not tensor.shape.is_fully_defined() and isinstance(shape, Tensor):
        tensor.set_shape(constant_value_as_shape(shape))


def named_tensors(dtype: Any, **values: Any) -> list[Any]:
    """Tensors of `dtype` (None: of their own), each named by its keyword."""
    from tf1compat.core import conversion

    return [conversion.convert(value, dtype=dtype, name=key) for key, value in values.items()]


def shape_tensor(shape: Any) -> Any:
    """A shape as an int32 or int64 vector tensor named "shape"; int32 if it is empty."""
    from tf1compat.core import conversion, dtypes

    dtype = None
    if isinstance(shape, tuple | list):
        if shape:
            shape = tuple(map(tensor_shape.dimension_value, shape))
        else:
            dtype = dtypes.int32
    return conversion.convert(shape, dtype=dtype, name="shape")
