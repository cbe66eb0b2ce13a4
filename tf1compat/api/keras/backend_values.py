"""The part of `tf.keras.backend` that reads and sets the values of variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras.backend_names import to_dense
from tf1compat.api.variables import variables
from tf1compat.core import context, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape

__all__ = ["batch_get_value", "batch_set_value", "eval", "get_value", "set_value"]


@tf_export("keras.backend.get_value")
def get_value(x: Any) -> Any:
    """The value of a variable or tensor.

    Args:
      x: a variable or tensor.

    Returns:
      An array.
    """
    if not tensor_util.is_tensor(x) and not isinstance(x, variables.Variable):
        return x
    if getattr(x, "_is_eager", False) or hasattr(x, "numpy") and context.executing_eagerly():
        return x.numpy()  # pyright: ignore[reportAttributeAccessIssue]
    if getattr(getattr(x, "_handle", None), "_is_eager", False):
        with context.mode(True):  # It is asked for in a graph, but isn't of one.
            return x.numpy()  # pyright: ignore[reportAttributeAccessIssue]
    return x.eval(session=backend.get_session((x,)))


@tf_export("keras.backend.batch_get_value")
def batch_get_value(tensors: Any) -> list[Any]:
    """The values of variables or tensors.

    Args:
      tensors: variables or tensors.

    Returns:
      Arrays.
    """
    if context.executing_eagerly():
        return [x.numpy() for x in tensors]
    if ops.inside_function():
        raise RuntimeError("Cannot get value inside Tensorflow graph function.")
    return backend.get_session(tensors).run(tensors) if tensors else []


@tf_export("keras.backend.set_value")
def set_value(x: Any, value: Any) -> None:
    """Gives a variable a value.

    Args:
      x: a variable.
      value: an array of its shape.
    """
    batch_set_value([(x, value)])


@tf_export("keras.backend.batch_set_value")
def batch_set_value(tuples: Any) -> None:
    """Gives variables values: pairs (variable, array).

    Args:
      tuples: (a variable, an array of its shape).
    """
    values = [(x, np.asarray(value, dtype=backend.dtype(x))) for x, value in tuples]
    if context.executing_eagerly():
        for x, value in values:
            x.assign(value)
        return
    assigns, feeds = [], {}
    for x, value in values:
        # One placeholder for all times that the variable is set.
        if not hasattr(x, "_assign_placeholder"):
            shape = TensorShape([None] * value.ndim)
            x._assign_placeholder = array_ops.placeholder(x.dtype.base_dtype, shape=shape)
            x._assign_op = x.assign(x._assign_placeholder)
        assigns.append(x._assign_op)
        feeds[x._assign_placeholder] = value
    if assigns:
        backend.get_session().run(assigns, feed_dict=feeds)


@tf_export("keras.backend.eval")
def eval(x: Any) -> Any:
    """The value of a variable or tensor.

    Args:
      x: a variable or tensor.

    Returns:
      An array.
    """
    return get_value(to_dense(x))


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
