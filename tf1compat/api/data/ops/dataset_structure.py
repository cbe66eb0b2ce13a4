"""What the elements of a dataset or an iterator are made of (a part of TF's dataset_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.util import nest
from tf1compat.core.export import tf_export


@tf_export("data.experimental.get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of `TypeSpec`s of the elements of a dataset or an iterator.

    Args:
      dataset_or_iterator: a `Dataset` or an iterator.

    Returns:
      A structure of `TypeSpec`s.

    Raises:
      TypeError: it is neither.
    """
    try:
        return dataset_or_iterator.element_spec
    except AttributeError:
        raise TypeError(
            "`dataset_or_iterator` must be a Dataset or Iterator object, but got "
            f"{type(dataset_or_iterator)}."
        ) from None


@tf_export("data.get_output_classes")
def get_legacy_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the components of a dataset's or iterator's elements.

    Args:
      dataset_or_iterator: a `Dataset` or an iterator.

    Returns:
      A structure of classes, such as `tf.Tensor`.
    """
    spec = get_structure(dataset_or_iterator)
    return nest.map_structure(lambda s: s._to_legacy_output_classes(), spec)


@tf_export("data.get_output_shapes")
def get_legacy_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of the components of a dataset's or iterator's elements.

    Args:
      dataset_or_iterator: a `Dataset` or an iterator.

    Returns:
      A structure of `TensorShape`s.
    """
    spec = get_structure(dataset_or_iterator)
    return nest.map_structure(lambda s: s._to_legacy_output_shapes(), spec)


@tf_export("data.get_output_types")
def get_legacy_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of the components of a dataset's or iterator's elements.

    Args:
      dataset_or_iterator: a `Dataset` or an iterator.

    Returns:
      A structure of `DType`s.
    """
    spec = get_structure(dataset_or_iterator)
    return nest.map_structure(lambda s: s._to_legacy_output_types(), spec)


def _legacy_structure(dataset: Any) -> tuple[Any, Any, Any]:
    """The dtypes, shapes and classes of a dataset's elements."""
    return (
        get_legacy_output_types(dataset),
        get_legacy_output_shapes(dataset),
        get_legacy_output_classes(dataset),
    )
