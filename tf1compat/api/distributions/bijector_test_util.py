"""What tests of bijectors have in common, TF's own ones too."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.distributions import uniform
from tf1compat.api.math import math_ops
from tf1compat.core.scopes import get_default_session


def assert_finite(array: Any) -> None:
    """Fails if an element is infinite or NaN."""
    if not np.isfinite(array).all():
        raise AssertionError(f"array was not all finite. {array[:15]}")


def assert_strictly_increasing(array: Any) -> None:
    """Fails if an element is not larger than the one before it."""
    np.testing.assert_array_less(0.0, np.diff(array))


def assert_strictly_decreasing(array: Any) -> None:
    """Fails if an element is not smaller than the one before it."""
    np.testing.assert_array_less(np.diff(array), 0.0)


def assert_strictly_monotonic(array: Any) -> None:
    """Fails if the elements neither all rise nor all fall."""
    rises = array[0] < array[-1]
    (assert_strictly_increasing if rises else assert_strictly_decreasing)(array)


def assert_scalar_congruency(
    bijector: Any,
    lower_x: Any,
    upper_x: Any,
    n: int = 10000,
    rtol: float = 0.01,
    sess: Any = None,
) -> None:
    """Fails if a bijector of scalars is not monotonic, its inverse is another function's, or its
    Jacobian is not the slope.

    Args:
      bijector: the bijector.
      lower_x, upper_x: floats, between which it is looked at.
      n: how many samples the integral of the slope is made of.
      rtol: how far that may be off.
      sess: a session; by default the current one.
    """
    sess = sess or get_default_session()
    dtype = np.float32 if bijector.dtype is None else bijector.dtype.as_numpy_dtype
    points = np.linspace(lower_x, upper_x, num=10).astype(np.float32).astype(dtype)
    on_points = bijector.forward(points)
    lower_y, upper_y = sorted(sess.run([bijector.forward(x) for x in (lower_x, upper_x)]))
    x = uniform.Uniform(low=lower_x, high=upper_x).sample(n, seed=0)
    y = uniform.Uniform(low=lower_y, high=upper_y).sample(n, seed=1)
    x_again = bijector.inverse(bijector.forward(x))
    y_again = bijector.forward(bijector.inverse(y))
    dx_dy = math_ops.exp(bijector.inverse_log_det_jacobian(y, event_ndims=0))
    width = (upper_y - lower_y) * math_ops.reduce_mean(dx_dy)
    dy_dx = math_ops.exp(bijector.forward_log_det_jacobian(bijector.inverse(y), event_ndims=0))
    fetches = [on_points, x, x_again, y, y_again, width, dx_dy, dy_dx]
    on_points, x, x_again, y, y_again, width, dx_dy, dy_dx = sess.run(fetches)
    assert_strictly_monotonic(on_points)
    np.testing.assert_allclose(x_again, x, atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(y_again, y, atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(upper_x - lower_x, width, atol=0, rtol=rtol)
    np.testing.assert_allclose(dx_dy, 1.0 / dy_dx, atol=1e-5, rtol=1e-3)


def assert_bijective_and_finite(
    bijector: Any,
    x: Any,
    y: Any,
    event_ndims: int,
    atol: float = 0,
    rtol: float = 1e-5,
    sess: Any = None,
) -> None:
    """Fails if a bijector's inverse is another function's, at x and y, or anything is not finite.

    Args:
      bijector: the bijector.
      x, y: arrays, values of both sides; they need not belong together.
      event_ndims: how many of their dimensions are one event.
      atol, rtol: how far values may be off.
      sess: a session; by default the current one.
    """
    sess = sess or get_default_session()
    assert_finite(x)
    assert_finite(y)
    of_x, of_y = bijector.forward(x), bijector.inverse(y)

    def inverse_log_det(y: Any) -> Any:
        return bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims)

    def forward_log_det(x: Any) -> Any:
        return bijector.forward_log_det_jacobian(x, event_ndims=event_ndims)

    values = sess.run(
        [
            bijector.inverse(of_x),
            bijector.forward(of_y),
            inverse_log_det(of_x),
            forward_log_det(x),
            inverse_log_det(y),
            forward_log_det(of_y),
            of_x,
            of_y,
        ]
    )
    for value in values:
        assert_finite(value)
    pairs = ((values[0], x), (values[1], y), (-values[2], values[3]), (-values[4], values[5]))
    for found, wanted in pairs:
        np.testing.assert_allclose(found, wanted, atol=atol, rtol=rtol)
