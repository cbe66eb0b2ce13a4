"""What is known of the elements of a dataset, and the flat lists of tensors that stand for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.control_flow.tensor_array_ops import TensorArray, TensorArraySpec
from tf1compat.api.data.util import nest
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import export, ops, sparse_tensor, tensor_shape, type_spec
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, ShapeLike

_MODULE = "tensorflow.python.data.util.structure"


@tf_export("data.experimental.TensorStructure")
@deprecated(None, "Use `tf.TensorSpec` instead.", module=_MODULE)
def _TensorStructure(dtype: DTypeLike, shape: ShapeLike) -> Any:
    """A `tf.TensorSpec`.

    Args:
      dtype: the dtype.
      shape: the shape.

    Returns:
      A `TensorSpec`.
    """
    return type_spec.TensorSpec(shape, dtype)


@tf_export("data.experimental.SparseTensorStructure")
@deprecated(None, "Use `tf.SparseTensorSpec` instead.", module=_MODULE)
def _SparseTensorStructure(dtype: DTypeLike, shape: ShapeLike) -> Any:
    """A `tf.SparseTensorSpec`.

    Args:
      dtype: the dtype of the values.
      shape: the dense shape.

    Returns:
      A `SparseTensorSpec`.
    """
    return sparse_tensor.SparseTensorSpec(shape, dtype)


@tf_export("data.experimental.TensorArrayStructure")
@deprecated(None, "Use `tf.TensorArraySpec` instead.", module=_MODULE)
def _TensorArrayStructure(
    dtype: DTypeLike, element_shape: ShapeLike, dynamic_size: Any, infer_shape: Any
) -> Any:
    """A `tf.TensorArraySpec`.

    Args:
      dtype: the elements' dtype.
      element_shape: the elements' shape.
      dynamic_size: whether it grows.
      infer_shape: whether the elements have one shape.

    Returns:
      A `TensorArraySpec`.
    """
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)


@tf_export("data.experimental.RaggedTensorStructure")
@deprecated(None, "Use `tf.RaggedTensorSpec` instead.", module=_MODULE)
def _RaggedTensorStructure(dtype: DTypeLike, shape: ShapeLike, ragged_rank: Any) -> Any:
    """A `tf.RaggedTensorSpec`.

    Args:
      dtype: the dtype of the values.
      shape: the shape.
      ragged_rank: how many dimensions are ragged.

    Returns:
      A `RaggedTensorSpec`.
    """
    return export.required("RaggedTensorSpec")(shape, dtype, ragged_rank)


def normalize_element(element: Any) -> Any:
    """An element with tensors in place of what converts to them."""
    components = nest.flatten(element)
    found = []
    with ops.name_scope("normalize_element"):
        for i, value in enumerate(components):
            found.append(_normalized(value, f"component_{i}"))
    return nest.pack_sequence_as(element, found)


def _normalized(value: Any, name: str) -> Any:
    try:
        spec = type_spec_from_value(value, use_fallback=False)
    except TypeError:
        return ops.convert_to_tensor(value, name=name)
    if isinstance(spec, sparse_tensor.SparseTensorSpec):
        return sparse_tensor.SparseTensor.from_value(value)
    if _is_composite(value) or isinstance(spec, TensorArraySpec):
        return value
    return ops.convert_to_tensor(value, name=name)


def _is_composite(value: Any) -> bool:
    return hasattr(type(value), "_type_spec")


def convert_legacy_structure(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """The structure of `TypeSpec`s that dtypes, shapes and classes of components stand for.

    Raises:
      TypeError: there is none for a class.
    """
    flat = zip(
        nest.flatten(output_types), nest.flatten(output_shapes), nest.flatten(output_classes)
    )
    return nest.pack_sequence_as(output_classes, [_spec_for(*parts) for parts in flat])


def _spec_for(dtype: Any, shape: Any, kind: Any) -> Any:
    if isinstance(kind, type_spec.TypeSpec):
        return kind
    if issubclass(kind, sparse_tensor.SparseTensor):
        return sparse_tensor.SparseTensorSpec(shape, dtype)
    if issubclass(kind, ops.Tensor):
        return type_spec.TensorSpec(shape, dtype)
    if issubclass(kind, TensorArray):
        dynamic, infer = (bool(tensor_shape.dimension_value(shape[i])) for i in (0, 1))
        return TensorArraySpec(shape[2:], dtype, dynamic_size=dynamic, infer_shape=infer)
    raise TypeError(f"Could not build a structure for output class {kind!r}")


def _decoded(decode: Any, element_spec: Any, tensor_list: Any) -> Any:
    specs = nest.flatten(element_spec)
    lengths = [len(spec._flat_tensor_specs) for spec in specs]
    if sum(lengths) != len(tensor_list):
        raise ValueError(f"Expected {sum(lengths)} tensors but got {len(tensor_list)}.")
    found, at = [], 0
    for spec, length in zip(specs, lengths):
        found.append(decode(spec, list(tensor_list[at : at + length])))
        at += length
    return nest.pack_sequence_as(element_spec, found)


def from_compatible_tensor_list(element_spec: Any, tensor_list: Any) -> Any:
    """The element that a flat list of tensors stands for; they are known to fit."""
    return _decoded(lambda s, v: s._from_compatible_tensor_list(v), element_spec, tensor_list)


def from_tensor_list(element_spec: Any, tensor_list: Any) -> Any:
    """The element that a flat list of tensors stands for.

    Raises:
      ValueError: they do not fit.
    """
    return _decoded(lambda s, v: s._from_tensor_list(v), element_spec, tensor_list)


def get_flat_tensor_specs(element_spec: Any) -> list[Any]:
    """The specs of the tensors that stand for an element."""
    return [s for spec in nest.flatten(element_spec) for s in spec._flat_tensor_specs]


def get_flat_tensor_shapes(element_spec: Any) -> list[Any]:
    """The shapes of the tensors that stand for an element."""
    return [spec.shape for spec in get_flat_tensor_specs(element_spec)]


def get_flat_tensor_types(element_spec: Any) -> list[Any]:
    """The dtypes of the tensors that stand for an element."""
    return [spec.dtype for spec in get_flat_tensor_specs(element_spec)]


def _encoded(encode: Any, element_spec: Any, element: Any) -> list[Any]:
    nest.assert_same_structure(element_spec, element)
    pairs = zip(nest.flatten(element_spec), nest.flatten(element))
    return [tensor for spec, value in pairs for tensor in encode(spec, value)]


def to_batched_tensor_list(element_spec: Any, element: Any) -> list[Any]:
    """The tensors that stand for an element whose first dimension is that of a batch."""
    return _encoded(lambda spec, v: spec._to_batched_tensor_list(v), element_spec, element)


def to_tensor_list(element_spec: Any, element: Any) -> list[Any]:
    """The tensors that stand for an element."""
    return _encoded(lambda spec, v: spec._to_tensor_list(v), element_spec, element)


def are_compatible(spec1: Any, spec2: Any) -> bool:
    """Whether two structures of specs describe the same elements, as far as is known."""
    try:
        nest.assert_same_structure(spec1, spec2)
    except (TypeError, ValueError):
        return False
    pairs = zip(nest.flatten(spec1), nest.flatten(spec2))
    return all(a.is_compatible_with(b) and b.is_compatible_with(a) for a, b in pairs)


def type_spec_from_value(element: Any, use_fallback: bool = True) -> Any:
    """The structure of specs of an element.

    Args:
      element: tensors, sparse tensors, datasets… in a structure.
      use_fallback: whether what converts to a tensor has a spec too.

    Raises:
      TypeError: a component has none.
    """
    spec = _own_spec(element)
    if spec is not None:
        return spec
    if isinstance(element, np.ndarray):
        return type_spec.TensorSpec(element.shape, element.dtype)
    if isinstance(element, dict):
        result = element.copy()
        for key in element:
            result[key] = type_spec_from_value(element[key])
        return result
    if isinstance(element, tuple):
        parts = [type_spec_from_value(part) for part in element]
        return type(element)(*parts) if hasattr(element, "_fields") else tuple(parts)
    if use_fallback:
        try:
            return type_spec_from_value(ops.convert_to_tensor(element))
        except (ValueError, TypeError):
            pass
    raise TypeError(
        f"Could not build a TypeSpec for {element!r} with type {type(element).__name__}"
    )


def _own_spec(value: Any) -> Any:
    if isinstance(value, ops.Tensor):
        return type_spec.TensorSpec(value.shape, value.dtype)
    if isinstance(value, sparse_tensor.SparseTensorValue):
        return sparse_tensor.SparseTensorSpec.from_value(value)
    if isinstance(value, TensorArray):
        return TensorArraySpec.from_value(value)
    if _is_composite(value):
        return value._type_spec
    if isinstance(value, list) and value:
        return _list_spec([_own_spec(item) for item in value])
    return None


def _list_spec(specs: list[Any]) -> Any:
    """The spec of a list of values with these specs; None where they do not make one batch."""
    merged = specs[0]
    if not hasattr(merged, "_batch"):
        return None
    try:
        for spec in specs[1:]:
            merged = merged.most_specific_compatible_type(spec)
    except (ValueError, TypeError, AttributeError):
        return None
    return merged._batch(len(specs))
