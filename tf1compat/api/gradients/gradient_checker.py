"""`tf.test.compute_gradient`: gradients against finite differences, in a session."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_ALLOWED = (
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)
_INSTEAD = (
    "Use tf.test.compute_gradient in 2.0, which has better support for functions. Note that the "
    "two versions have different usage, so code change is needed."
)


def _product(t: Any) -> int:
    return t if isinstance(t, int) else math.prod(t)


def _real(array: np.ndarray, dtype: Any) -> np.ndarray:
    """A C-ordered array as a vector of reals that shares its memory: two for a complex number."""
    return array.reshape(-1).view(dtype.real_dtype.as_numpy_dtype)


def fill_jacobian(
    x: Any, x_shape: Sequence[int], y_dtype: Any, y_shape: Sequence[int], gradient: Any
) -> np.ndarray:
    """The Jacobian by backpropagation: a column for each real number of y.

    Args:
      x: something with the element type of x.
      x_shape: its shape.
      y_dtype, y_shape: of y.
      gradient: from the gradient of y to that of x, an array or IndexedSlicesValue.

    Returns:
      An array [real numbers of x, real numbers of y].

    Raises:
      ValueError: there is a gradient of nothing.
    """
    x_real_shape = (*x_shape, 2) if x.dtype.is_complex else tuple(x_shape)
    row_size = _product(x_real_shape[1:])
    dy = np.zeros(y_shape, dtype=y_dtype.as_numpy_dtype)
    flat_dy = _real(dy, y_dtype)
    jacobian = np.zeros(
        (_product(x_real_shape), flat_dy.size), dtype=x.dtype.real_dtype.as_numpy_dtype
    )
    for column in range(flat_dy.size):
        flat_dy[column] = 1
        found = gradient(dy)
        flat_dy[column] = 0
        if isinstance(found, ops.IndexedSlicesValue):
            for i, row in zip(found.indices, found.values):
                jacobian[i * row_size : (i + 1) * row_size, column] += row.flat
        else:
            jacobian[:, column] = found.ravel().view(jacobian.dtype)
    if not flat_dy.size:
        found = gradient(dy)
        if found.shape != tuple(x_shape):
            raise ValueError(
                f"Empty gradient has wrong shape: expected {tuple(x_shape)}, got {found.shape}"
            )
        if np.any(found):
            raise ValueError("Empty tensor with nonzero gradients")
    logging.vlog(1, "Theoretical Jacobian =\n%s", jacobian)
    return jacobian


def fill_numeric_jacobian(
    x_dtype: Any, x_data: np.ndarray, y_dtype: Any, y_size: int, delta: float, function: Any
) -> np.ndarray:
    """The Jacobian by central differences: a row for each real number of x."""
    x_data = np.array(x_data, dtype=x_dtype.as_numpy_dtype, order="C")
    flat_x = _real(x_data, x_dtype)
    y_real = y_dtype.real_dtype.as_numpy_dtype
    scale = np.asarray(2 * delta, dtype=y_real)[()]
    reals = y_size * (2 if y_dtype.is_complex else 1)
    jacobian = np.zeros((flat_x.size, reals), dtype=flat_x.dtype)
    for row in range(flat_x.size):
        before = flat_x[row]
        flat_x[row] += delta
        after = function(x_data)
        flat_x[row] = before
        flat_x[row] -= delta
        difference = (after - function(x_data)) / scale
        flat_x[row] = before
        jacobian[row, :] = difference.ravel().view(y_real)
    logging.vlog(1, "Numeric Jacobian =\n%s", jacobian)
    return jacobian


def _dx_and_dy(x: Any, y: Any, y_shape: Any) -> tuple[Any, Any]:
    """The gradient of y to x, and what to feed as the gradient of y."""
    with x.graph.as_default():
        original = constant_op.constant_v1(1.0, shape=y_shape, dtype=y.dtype)
        dy = array_ops.identity(original)
    (dx,) = gradients_impl.gradients(y, x, dy)
    return dx, original


def _both_jacobians(
    x: Any,
    x_shape: Any,
    dx: Any,
    y: Any,
    y_shape: Any,
    dy: Any,
    x_init_value: Any,
    delta: float,
    feeds: dict[Any, Any],
) -> tuple[np.ndarray, np.ndarray]:
    for what, tensor in (("x", x), ("y", y)):
        dtype = dtypes.as_dtype(tensor.dtype)
        assert dtype.base_dtype in _ALLOWED, f"Don't support type {dtype.name} for {what}"
    if x_init_value is None:
        x_data = np.asarray(np.random.random_sample(x_shape)).astype(x.dtype.as_numpy_dtype)
        if x.dtype.is_complex:
            x_data.imag = np.random.random_sample(x_shape)
    else:
        shape = list(x_init_value.shape)
        assert list(x_shape) == shape, f"x_shape = {x_shape}, init_data shape = {shape}"
        x_data = x_init_value
    session = ops.get_default_session()

    def gradient(value: np.ndarray) -> Any:
        assert dx is not None or not value.size, "dx = None"
        return session.run(dx, feed_dict={**feeds, x: x_data, dy: value})

    theoretical = fill_jacobian(x, list(x_shape), dy.dtype, y_shape, gradient)
    # There are too few digits in a bfloat16 for differences.
    if x.dtype == dtypes.bfloat16:
        x = math_ops.cast(x, dtypes.float32)
        x_data = x_data.astype(np.float32)
    if y.dtype == dtypes.bfloat16:
        y = math_ops.cast(y, dtypes.float32)
    numeric = fill_numeric_jacobian(
        x.dtype,
        x_data,
        y.dtype,
        _product(y_shape),
        delta,
        lambda value: y.eval(feed_dict={**feeds, x: value}),
    )
    return theoretical, numeric


@tf_export("test.compute_gradient")
@deprecated(None, _INSTEAD)
def compute_gradient(
    x: TensorLike,
    x_shape: Any,
    y: TensorLike,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The Jacobian of y to x, by `tf.gradients` and by differences, in the default session.

    Args:
      x: a tensor or a list of tensors, to be fed.
      x_shape: its shape, or their shapes.
      y: a tensor.
      y_shape: its shape.
      x_init_value: where the Jacobian is computed, or a list for each x; random by default.
      delta: the step of the differences.
      init_targets: operations to run first.
      extra_feed_dict: what is fed besides.

    Returns:
      (theoretical, numeric), two arrays [elements of x, elements of y], where a complex number is
      two elements; a list of such pairs for a list.

    Raises:
      AssertionError: y does not depend on x by what has a gradient.
    """
    feeds = extra_feed_dict or {}
    many = isinstance(x, list)
    xs, shapes = (x, x_shape) if many else ([x], [x_shape])
    values = x_init_value if many and x_init_value is not None else [x_init_value] * len(xs)
    pairs = [_dx_and_dy(xi, y, y_shape) for xi in xs] if many else None
    if init_targets is not None:
        assert isinstance(init_targets, (list, tuple))
        for init in init_targets:
            init.run()
    pairs = pairs or [_dx_and_dy(x, y, y_shape)]
    found = [
        _both_jacobians(xi, shape, dx, y, y_shape, dy, value, delta, feeds)
        for xi, shape, (dx, dy), value in zip(xs, shapes, pairs, values)
    ]
    return found if many else found[0]


def _compute_error(grad: Any) -> Any:
    """The largest difference between Jacobians."""
    error: Any = 0
    for theoretical, numeric in [grad] if isinstance(grad, tuple) else grad:
        if theoretical.size or numeric.size:  # Nothing has no largest element.
            error = max(error, np.float64(np.fabs(theoretical - numeric).max()))
    return error


@tf_export("test.compute_gradient_error")
@deprecated(None, _INSTEAD)
def compute_gradient_error(
    x: TensorLike,
    x_shape: Any,
    y: TensorLike,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The largest difference between the Jacobians that `tf.test.compute_gradient` gives for the
    same arguments.

    Args:
      x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict: as in
        `tf.test.compute_gradient`.

    Returns:
      A float.
    """
    return _compute_error(
        compute_gradient(
            x,
            x_shape,
            y,
            y_shape,
            x_init_value,
            delta,
            init_targets,
            extra_feed_dict=extra_feed_dict,
        )
    )
