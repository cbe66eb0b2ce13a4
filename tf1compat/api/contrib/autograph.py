"""`tf.contrib.autograph`: AutoGraph under its first name."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.autograph.core.converter import ConversionOptions, Feature
from tf1compat.api.autograph.impl import api
from tf1compat.api.autograph.impl.errors import AutoGraphError
from tf1compat.api.autograph.lang import directives
from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import list_ops
from tf1compat.core import tensor_util
from tf1compat.core.export import export_constant, tf_export

for _name, _value in {
    "AutoGraphError": AutoGraphError,
    "ConversionOptions": ConversionOptions,
    "Feature": Feature,
    "convert": api.convert,
    "converted_call": api.converted_call,
    "do_not_convert": api.do_not_convert,
    "set_element_type": directives.set_element_type,
    "set_loop_options": directives.set_loop_options,
}.items():
    export_constant(f"contrib.autograph.{_name}", _value)


@tf_export("contrib.autograph.to_graph")
def to_graph(
    entity: Any, recursive: bool = True, experimental_optional_features: Any = None
) -> Any:
    """As `tf.autograph.to_graph`.

    Args:
      entity, recursive, experimental_optional_features: as in `tf.autograph.to_graph`.

    Returns:
      As `tf.autograph.to_graph`.
    """
    return api.to_graph(entity, recursive, None, None, experimental_optional_features)


@tf_export("contrib.autograph.to_code")
def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """As `tf.autograph.to_code`.

    Args:
      entity, recursive, experimental_optional_features: as in `tf.autograph.to_code`.

    Returns:
      As `tf.autograph.to_code`.
    """
    return api.to_code(entity, recursive, None, None, "  ", experimental_optional_features)


@tf_export("contrib.autograph.stack")
def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list as one tensor.

    Args:
      list_or_tensor: a list of tensors, as a Python list, a TensorArray or a list in a tensor.
      element_dtype: of the elements of a list in a tensor.
      strict: whether anything else is refused; otherwise it is returned as it is.

    Returns:
      A tensor [n, ...] of the list's n elements; what was given where it is a tensor, or no list
      and not `strict`.

    Raises:
      ValueError: the type of the elements is not known.
    """
    if tensors.is_tensor_array(list_or_tensor):
        return list_or_tensor.stack()
    if tensors.is_tensor_list(list_or_tensor):
        if element_dtype is None:
            raise ValueError(
                "cannot stack a list without knowing its element type; use set_element_type to "
                "annotate it"
            )
        return list_ops.tensor_list_stack(list_or_tensor, element_dtype=element_dtype)
    if tensor_util.is_tensor(list_or_tensor) or (
        not strict and not isinstance(list_or_tensor, list | tuple)
    ):
        return list_or_tensor
    return array_ops.stack(list_or_tensor)
