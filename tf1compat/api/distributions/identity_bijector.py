"""The bijector that changes nothing."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.distributions.bijectors.Identity")
class Identity(Bijector):
    """y = x.

    Args:
      validate_args: not used.
      name: scope of the ops.
    """

    @moved("identity_bijector")
    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(
            forward_min_event_ndims=0,
            is_constant_jacobian=True,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: TensorLike) -> Any:
        return x

    def _inverse(self, y: TensorLike) -> Any:
        return y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return constant_op.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return constant_op.constant(0.0, dtype=x.dtype)
