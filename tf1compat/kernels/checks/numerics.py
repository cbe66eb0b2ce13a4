"""The check that numbers are finite."""

from __future__ import annotations

from typing import Any

from tf1compat.api.checks import numerics
from tf1compat.backend import Array, jnp
from tf1compat.core import errors
from tf1compat.core.op_registry import op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import same


@op("CheckNumerics")
class CheckNumerics:
    shape = same

    def lower(tensor: Any, *, message: str, ctx: LoweringContext) -> Array:
        has_nan, has_inf = jnp.isnan(tensor).any(), jnp.isinf(tensor).any()

        def text(has_nan: Any, has_inf: Any) -> str:
            found = " and ".join(["Inf"] * bool(has_inf) + ["NaN"] * bool(has_nan))
            return f"{message} : Tensor had {found} values"

        ctx.check(
            jnp.isfinite(tensor).all(),
            errors.InvalidArgumentError,
            text,
            has_nan=has_nan,
            has_inf=has_inf,
        )
        return tensor

    def gradient(op: Any, grad: Tensor) -> Gradients:
        # TF quotes the bytes as Python 3 shows them.
        message = repr(op.get_attr("message"))
        return numerics.check_numerics(
            grad, f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}"
        )
