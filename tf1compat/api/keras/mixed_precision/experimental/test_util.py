"""`tensorflow.python.keras.mixed_precision.experimental.test_util`: gradients that are looked at,
or spoilt, on their way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.gradients.custom_gradient import custom_gradient
from tf1compat.core import ops
from tf1compat.core.typing import DTypeLike


def create_identity_with_grad_check_fn(
    expected_gradient: Any, expected_dtype: DTypeLike | None = None
) -> Callable[[Any], Any]:
    """An identity whose gradient checks the gradient that it hands on.

    Args:
      expected_gradient: what it must be.
      expected_dtype: its type, or None for any.
    """

    @custom_gradient
    def identity_with_grad_check(x: Any) -> Any:
        def grad(dx: Any) -> Any:
            if expected_dtype:
                said = f"dx.dtype should be {expected_dtype} but is: {dx.dtype}"
                assert dx.dtype == expected_dtype, said
            expected = ops.convert_to_tensor(
                expected_gradient, dtype=dx.dtype, name="expected_gradient"
            )
            with ops.control_dependencies([check_ops.assert_equal(dx, expected)]):
                return array_ops.identity(dx)

        return array_ops.identity(x), grad

    return identity_with_grad_check


def create_identity_with_nan_gradients_fn(have_nan_gradients: Any) -> Callable[[Any], Any]:
    """An identity whose gradient is NaN where a tensor says so.

    Args:
      have_nan_gradients: a scalar bool tensor.
    """

    @custom_gradient
    def identity_with_nan_gradients(x: Any) -> Any:
        def grad(dx: Any) -> Any:
            # So that no NaN is there before what was to be the gradient.
            with ops.control_dependencies([dx]):
                nan = constant_op.constant(float("NaN"), dtype=dx.dtype)
            return control_flow_ops.cond(
                have_nan_gradients,
                lambda: array_ops.fill(array_ops.shape(dx), nan),
                lambda: dx,
            )

        return array_ops.identity(x), grad

    return identity_with_nan_gradients
