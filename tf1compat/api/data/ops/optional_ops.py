"""`tf.data.experimental.Optional`: a value, or none."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.util import structure
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import tf_export
from tf1compat.core.type_spec import TensorSpec, TypeSpec


@tf_export("data.experimental.Optional")
class Optional(CompositeTensor):
    """A value that may be missing (as `tf.data.experimental.Optional` in TF 1.15)."""

    def has_value(self, name: str | None = None) -> Any:
        """A bool tensor: whether there is a value."""
        raise NotImplementedError("Optional.has_value()")

    def get_value(self, name: str | None = None) -> Any:
        """The value; what evaluates it fails if there is none."""
        raise NotImplementedError("Optional.get_value()")

    @property
    def value_structure(self) -> Any:
        """The structure of `TypeSpec`s of the value."""
        raise NotImplementedError("Optional.value_structure")

    @staticmethod
    def from_value(value: Any) -> Any:
        """An `Optional` that has a value, a structure of tensors."""
        with ops.name_scope("optional") as scope:
            with ops.name_scope("value"):
                spec = structure.type_spec_from_value(value)
                encoded = structure.to_tensor_list(spec, value)
            return _OptionalImpl(raw_ops.OptionalFromValue(encoded, name=scope), spec)

    @staticmethod
    def none_from_structure(value_structure: Any) -> Any:
        """An `Optional` without a value, which would have this structure of `TypeSpec`s."""
        return _OptionalImpl(raw_ops.OptionalNone(), value_structure)


class _OptionalImpl(Optional):
    """The `Optional` that a variant tensor stands for."""

    def __init__(self, variant_tensor: Any, value_structure: Any):
        self._variant_tensor = variant_tensor
        self._value_structure = value_structure

    def has_value(self, name: str | None = None) -> Any:
        return raw_ops.OptionalHasValue(self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        with ops.name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            flat = raw_ops.OptionalGetValue(
                self._variant_tensor,
                name=scope,
                output_types=structure.get_flat_tensor_types(self._value_structure),
                output_shapes=structure.get_flat_tensor_shapes(self._value_structure),
            )
            return structure.from_tensor_list(self._value_structure, flat)

    @property
    def value_structure(self) -> Any:
        return self._value_structure

    @property
    def _type_spec(self) -> Any:
        return OptionalSpec.from_value(self)


@tf_export("OptionalSpec", "data.experimental.OptionalStructure")
class OptionalSpec(TypeSpec):
    """Describes a `tf.data.experimental.Optional`.

    Args:
      value_structure: the structure of `TypeSpec`s of its value.
    """

    def __init__(self, value_structure: Any):
        self._value_structure = value_structure

    @property
    def value_type(self) -> type:
        return _OptionalImpl

    def _serialize(self) -> tuple[Any, ...]:
        return (self._value_structure,)

    @property
    def _component_specs(self) -> Any:
        return [TensorSpec((), dtypes.variant)]

    def _to_components(self, value: Any) -> Any:
        return [value._variant_tensor]

    def _from_components(self, components: Any) -> Any:
        return _OptionalImpl(components[0], self._value_structure)

    @staticmethod
    def from_value(value: Any) -> Any:
        """The spec of an `Optional`."""
        return OptionalSpec(value.value_structure)

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self
