"""`tf.compat.v2.test.compute_gradient`: gradients of functions against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.eager import backprop
from tf1compat.api.gradients.gradient_checker import (
    _ALLOWED,
    _product,
    fill_jacobian,
    fill_numeric_jacobian,
)
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _to_numpy(value: Any) -> Any:
    """The value of a tensor, or of the gradient that `tf.gather` gives."""
    if hasattr(value, "numpy"):
        return value.numpy()
    if isinstance(value, ops.Tensor):
        return ops.get_default_session().run(value)
    if isinstance(value, ops.IndexedSlices) and ops.executing_eagerly():
        parts = (value.values, value.indices, value.dense_shape)
        return ops.IndexedSlicesValue(*(None if part is None else part.numpy() for part in parts))
    return value


def _prepare(f: Callable[..., Any], xs_dtypes: Sequence[Any]) -> Callable[..., Any]:
    """A function of arrays: called at once, or recorded and run in the default session."""
    if ops.executing_eagerly():
        return lambda *data: _to_numpy(f(*map(ops.convert_to_tensor, data)))
    xs = [array_ops.placeholder(dtype) for dtype in xs_dtypes]
    y = f(*xs)
    session = ops.get_default_session()
    return lambda *data: session.run(y, feed_dict=dict(zip(xs, map(_to_numpy, data))))


def _compute_gradient(
    f: Callable[..., Any], y: np.ndarray, y_dtype: Any, xs: list[Any], param: int, delta: float
) -> tuple[np.ndarray, np.ndarray]:
    x = xs[param]
    for dtype, what in ((x.dtype, f"argument {param}"), (y_dtype, "y")):
        assert dtype.base_dtype in _ALLOWED, (
            f"Cannot compute gradient for unsupported type {dtype.name} of {what}"
        )
    grad = backprop.gradients_function(f, [param])
    xs_dtypes = [other.dtype for other in xs]
    grad_fn = _prepare(lambda dy, *args: grad(*args, dy=dy)[0], [y_dtype, *xs_dtypes])
    theoretical = fill_jacobian(x, x.shape.as_list(), y_dtype, y.shape, lambda dy: grad_fn(dy, *xs))
    function = f
    if y_dtype == dtypes.bfloat16:
        y_dtype = dtypes.float32

        def function(*args: Any) -> Any:
            return math_ops.cast(f(*args), dtypes.float32)

    prepared = _prepare(function, xs_dtypes)
    data = [np.asarray(_to_numpy(other)) for other in xs]
    numeric = fill_numeric_jacobian(
        x.dtype,
        data[param],
        y_dtype,
        _product(y.shape),
        delta,
        lambda value: prepared(*data[:param], value, *data[param + 1 :]),
    )
    return theoretical, numeric


@tf_export("compat.v2.test.compute_gradient")
def compute_gradient(f: Callable[..., Any], x: TensorLike, delta: float = 1e-3) -> Iterator[Any]:
    """The Jacobians of a function to its arguments, by backpropagation and by differences.

    Args:
      f: a function of tensors that gives one.
      x: a list of its arguments.
      delta: the step of the differences.

    Returns:
      An iterator over two tuples: the theoretical and the numeric Jacobians to each argument, each
      an array [elements of x, elements of y], where a complex number is two elements.

    Raises:
      ValueError: `x` is no list.
    """
    if not isinstance(x, list):
        raise ValueError(f"`x` must be a list of Tensors (arguments to `f`), not a {type(x)}")
    xs = [ops.convert_to_tensor(value) for value in x]
    y = _prepare(f, [value.dtype for value in xs])(*xs)
    dtype = dtypes.as_dtype(y.dtype)
    return zip(*[_compute_gradient(f, y, dtype, xs, i, delta) for i in range(len(xs))])


def max_error(grad1: Any, grad2: Any) -> Any:
    """The largest difference between two tuples of Jacobians."""
    error: Any = 0
    for one, other in zip(grad1, grad2):
        if one.size or other.size:
            error = np.maximum(error, np.fabs(one - other).max())
    return error
