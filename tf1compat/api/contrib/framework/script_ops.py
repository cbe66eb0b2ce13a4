"""`tf.contrib.framework.py_func` (`tensorflow.contrib.framework.python.ops.script_ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.functions import script_ops
from tf1compat.core import nest, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

__all__ = ["py_func"]


@tf_export("contrib.framework.py_func")
def py_func(
    func: Callable[..., Any], args: Any = (), kwargs: Any = None, output_types: Any = None,
    output_shapes: Any = None, stateful: bool = True, name: Name = None,
) -> Any:  # fmt: skip
    """Calls a Python function on the values of tensors, with nested arguments and results.

    Args:
      func: a function of NumPy arrays.
      args: its arguments, (nests of) tensors, as a list or tuple.
      kwargs: its keyword arguments.
      output_types: the dtypes of what it returns, nested as that is; or a function of the
        arguments that gives them.
      output_shapes: the static shapes, nested in the same way, or a function; None if unknown.
      stateful: whether a call may give something else for the same values.
      name: a name for the operation.

    Returns:
      Tensors, nested as `output_types`.

    Raises:
      TypeError: `args` is no list or tuple, or `kwargs` no dict.
    """
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(args, list | tuple):
        raise TypeError(f"args must be list and not {type(args)}. args: {args}")
    if not isinstance(kwargs, dict):
        raise TypeError(f"kwargs must be dict and not {type(kwargs)}. args: {kwargs}")
    if callable(output_types):
        output_types = output_types(*args, **kwargs)
    if callable(output_shapes):
        output_shapes = output_shapes(*args, **kwargs)
    structure = (args, kwargs)

    def call(*flat: Any) -> list[Any]:
        values, named = nest.pack_sequence_as(structure, flat)
        found = func(*values, **named)
        nest.assert_shallow_structure(output_types, found)
        return nest.flatten(found)

    flat_types = nest.flatten(output_types)
    outputs = script_ops.py_func(
        call, nest.flatten(structure), flat_types, stateful=stateful, name=name
    )
    if output_shapes is not None:
        shapes = nest.map_structure_up_to(output_types, tensor_shape.as_shape, output_shapes)
        for output, shape in zip(outputs, nest.flatten(shapes)):
            output.set_shape(shape)
    return nest.pack_sequence_as(output_types, outputs)
