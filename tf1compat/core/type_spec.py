"""`tf.TypeSpec` and `tf.TensorSpec`: what is known of a value before there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike


@tf_export("TypeSpec", "data.experimental.Structure")
class TypeSpec:
    """Describes values of one type (tensors, sparse tensors…); a subclass describes itself by
    `_serialize`.
    """

    @property
    def value_type(self) -> type:
        """The Python type of the values."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    @property
    def _component_specs(self) -> Any:
        """The specs of the tensors that a value consists of."""
        raise NotImplementedError(f"{type(self).__name__}._component_specs")

    def _to_components(self, value: Any) -> Any:
        """The tensors that `value` consists of, structured as `_component_specs`."""
        raise NotImplementedError(f"{type(self).__name__}._to_components()")

    def _from_components(self, components: Any) -> Any:
        """The value that consists of `components`."""
        raise NotImplementedError(f"{type(self).__name__}._from_components()")

    # A value as the flat list of tensors that a dataset or a function carries.

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        """The specs of the tensors of `_to_tensor_list`."""
        from tf1compat.core import nest

        return nest.flatten(self._component_specs, expand_composites=True)

    def _to_tensor_list(self, value: Any) -> list[Any]:
        """The tensors that stand for `value`."""
        from tf1compat.core import nest

        return nest.flatten(self._to_components(value), expand_composites=True)

    def _from_tensor_list(self, tensor_list: list[Any]) -> Any:
        """The value that tensors stand for.

        Raises:
          ValueError: they do not fit this spec.
        """
        expected = self._flat_tensor_specs
        if len(tensor_list) != len(expected):
            raise ValueError("Incompatible input: wrong number of tensors")
        for i, (tensor, spec) in enumerate(zip(tensor_list, expected)):
            if not type_spec_from_value(tensor).is_compatible_with(spec):
                raise ValueError(
                    f"Incompatible input: tensor {i} ({tensor!s}) is incompatible with {spec}"
                )
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        """As `_from_tensor_list`, of tensors that are known to fit."""
        from tf1compat.core import nest

        return self._from_components(
            nest.pack_sequence_as(self._component_specs, tensor_list, expand_composites=True)
        )

    def _serialize(self) -> tuple[Any, ...]:
        """All that tells this spec from another of its class: what the constructor takes."""
        raise NotImplementedError(f"{type(self).__name__}._serialize()")

    @classmethod
    def _deserialize(cls, serialization: tuple[Any, ...]) -> TypeSpec:
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value (or the values of a spec) may stand where this spec is asked for."""
        if not isinstance(spec_or_value, TypeSpec):
            spec_or_value = type_spec_from_value(spec_or_value)
        if type(self) is not type(spec_or_value):
            return False
        return _compatible(self._serialize(), spec_or_value._serialize())

    def most_specific_compatible_type(self, other: TypeSpec) -> TypeSpec:
        """The narrowest spec that covers both.

        Raises:
          ValueError: there is none.
        """
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self._deserialize(_widen(self._serialize(), other._serialize()))

    def _to_legacy_output_types(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_types()")

    def _to_legacy_output_shapes(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_shapes()")

    def _to_legacy_output_classes(self) -> Any:
        return self.value_type

    def _key(self) -> Any:
        return _hashable(self._serialize())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()  # pyright: ignore

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


class BatchableTypeSpec(TypeSpec):
    """A spec of values that can be batched: of a batch there is a spec, too."""

    def _batch(self, batch_size: int | None) -> TypeSpec:
        """The spec of a batch of such values; None for any number of them."""
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self) -> TypeSpec:
        """The spec of what such values are a batch of."""
        raise NotImplementedError(f"{type(self).__name__}._unbatch")

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        """Tensors of a batch: their first dimension is the batch's."""
        raise NotImplementedError(f"{type(self).__name__}._to_batched_tensor_list")


@tf_export("TensorSpec")
class TensorSpec(BatchableTypeSpec):
    """Describes a `tf.Tensor`: a shape, a dtype and perhaps a name.

    Args:
      shape: anything that converts to a `TensorShape`.
      dtype: anything that converts to a `DType`.
      name: an optional name.
    """

    def __init__(self, shape: Any, dtype: DTypeLike = dtypes.float32, name: str | None = None):
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """As `spec`, renamed to `name` if that is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor.

        Raises:
          ValueError: it is not a tensor.
        """
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        if name is None and not tensor._is_eager:
            name = tensor.op.name
        return TensorSpec(tensor.shape, tensor.dtype, name)

    shape: TensorShape = attribute("_shape", "The `TensorShape`.")
    dtype = attribute("_dtype", "The `DType`.")
    name: str | None = attribute("_name", "The name, or None.")

    @property
    def value_type(self) -> type:
        return Tensor

    @property
    def _component_specs(self) -> Any:
        return self

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether dtype and shape of a tensor or of another spec fit this one."""
        return (
            isinstance(spec_or_tensor, TensorSpec | Tensor)
            and self._dtype.is_compatible_with(spec_or_tensor.dtype)
            and self._shape.is_compatible_with(spec_or_tensor.shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The narrowest spec that covers both.

        Raises:
          ValueError: the dtypes differ.
        """
        if type(self) is not type(other) or self._dtype != other.dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other.shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other.name else None)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name

    def _to_components(self, value: Any) -> Any:
        from tf1compat.core.conversion import convert_to_tensor

        problem = (
            f"Value {value!r} is not convertible to a tensor with dtype {self._dtype} "
            f"and shape {self._shape}."
        )
        try:
            value = convert_to_tensor(value, self._dtype)
        except (TypeError, ValueError):
            raise ValueError(problem) from None
        if not value.shape.is_compatible_with(self._shape):
            raise ValueError(problem)
        return value

    def _from_components(self, components: Any) -> Any:
        return components

    def _to_legacy_output_types(self) -> Any:
        return self._dtype

    def _to_legacy_output_shapes(self) -> Any:
        return self._shape

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        tensor = self._to_components(value)
        if tensor.shape.ndims == 0:
            raise ValueError(f"Value {value!s} has insufficient rank for batching.")
        return [tensor]

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TensorSpec:
        if self._shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return TensorSpec(self._shape[1:], self._dtype)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and self._shape.to_tuple() == other._shape.to_tuple()  # pyright: ignore
            and self._dtype == other._dtype  # pyright: ignore
            and self._name == other._name  # pyright: ignore
        )

    def __hash__(self) -> int:
        return hash((self._shape.to_tuple(), self._dtype))


# (type, spec of a value, whether subclasses count), the newest first.
_converters: list[tuple[type, Callable[[Any], TypeSpec], bool]] = []


def register_type_spec_from_value_converter(
    type_object: type, converter_fn: Callable[[Any], TypeSpec], allow_subclass: bool = False
) -> None:
    """Says what the spec of values of a type is."""
    _converters.insert(0, (type_object, converter_fn, allow_subclass))


def type_spec_from_value(value: Any) -> TypeSpec:
    """The spec of a value.

    Raises:
      TypeError: values of this type have none.
    """
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    spec = getattr(value, "_type_spec", None)
    if spec is not None:
        return spec
    for kind, converter, allow_subclass in _converters:
        if type(value) is kind or (allow_subclass and isinstance(value, kind)):
            return converter(value)
    from tf1compat.core.conversion import convert_to_tensor

    if isinstance(value, np.ndarray):
        return TensorSpec(value.shape, value.dtype)
    try:
        converted = convert_to_tensor(value)
    except (TypeError, ValueError):
        kind = type(value).__name__
        raise TypeError(f"Could not build a TypeSpec for {value!r} with type {kind}") from None
    return TensorSpec(converted.shape, converted.dtype)


def _compatible(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(_compatible(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_compatible(a[key], b[key]) for key in a)
    if isinstance(a, TypeSpec | TensorShape | dtypes.DType):
        return a.is_compatible_with(b)
    return a == b


def _widen(a: Any, b: Any) -> Any:
    problem = f"Types are not compatible: {a!r} vs {b!r}"
    if type(a) is not type(b):
        raise ValueError(problem)
    if isinstance(a, tuple):
        if len(a) != len(b):
            raise ValueError(problem)
        return tuple(_widen(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        if a.keys() != b.keys():
            raise ValueError(problem)
        return {key: _widen(a[key], b[key]) for key in a}
    if isinstance(a, TensorShape):
        return a.most_specific_compatible_shape(b)
    if isinstance(a, TypeSpec):
        return a.most_specific_compatible_type(b)
    if a != b:
        raise ValueError(problem)
    return a


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, _hashable(value[key])) for key in sorted(value))
    if isinstance(value, tuple | list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, TensorShape):
        return TensorShape, value.to_tuple()
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, _hashable(value.tolist())
    return value


@tf_export("contrib.framework.BoundedTensorSpec")
class BoundedTensorSpec(TensorSpec):
    """Describes a `tf.Tensor` whose values have bounds, which belong to them.

    Args:
      shape, dtype, name: as of `TensorSpec`.
      minimum, maximum: the bounds; they broadcast to `shape`.

    Raises:
      ValueError: one is missing, or doesn't broadcast.
    """

    def __init__(
        self, shape: Any, dtype: DTypeLike, minimum: Any, maximum: Any, name: str | None = None
    ):
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError(
                f"minimum and maximum must be provided; but saw '{minimum}' and '{maximum}'"
            )
        self._minimum = self._bound("minimum", minimum)
        self._maximum = self._bound("maximum", maximum)

    def _bound(self, which: str, value: Any) -> np.ndarray:
        mine, wanted = np.shape(value)[::-1], (self._shape.to_tuple() or ())[::-1]
        if any(a != b and 1 not in (a, b) and b is not None for a, b in zip(mine, wanted)):
            inner = ValueError(
                "Incompatible shapes for broadcasting: "
                f"{TensorShape(np.shape(value))} and {self._shape}"
            )
            raise ValueError(f"{which} is not compatible with shape. Message: {inner!r}.")
        array = np.array(value, dtype=self._dtype.as_numpy_dtype())
        array.setflags(write=False)
        return array

    @classmethod
    def from_spec(cls, spec: Any) -> BoundedTensorSpec:  # pyright: ignore
        """As `spec`, with its bounds or those of its dtype."""
        dtype = dtypes.as_dtype(spec.dtype)
        minimum = getattr(spec, "minimum", dtype.min)
        maximum = getattr(spec, "maximum", dtype.max)
        return BoundedTensorSpec(spec.shape, dtype, minimum, maximum, spec.name)

    minimum: np.ndarray = attribute("_minimum", "The least values.")
    maximum: np.ndarray = attribute("_maximum", "The greatest values.")

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )

    def __eq__(self, other: object) -> bool:
        return (
            super().__eq__(other)
            and isinstance(other, BoundedTensorSpec)
            and np.allclose(self.minimum, other.minimum)
            and np.allclose(self.maximum, other.maximum)
        )

    __hash__ = TensorSpec.__hash__

    def __reduce__(self) -> Any:
        bounds = (self._minimum, self._maximum)
        return BoundedTensorSpec, (self._shape, self._dtype, *bounds, self._name)
