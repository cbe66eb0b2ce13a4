"""Linear algebra."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from tf1compat.core import shapes
from tf1compat.core.op_registry import op


@op("Qr")
class Qr:
    def shape(input: Any, *, full_matrices: bool) -> Any:
        input = shapes.with_rank_at_least(input, 2)
        if input is None:
            return [None, None]
        *batch, rows, columns = input
        small = None if rows is None or columns is None else min(rows, columns)
        if full_matrices:
            return [(*batch, rows, rows), (*batch, rows, columns)]
        return [(*batch, rows, small), (*batch, small, columns)]

    def lower(input: Any, *, full_matrices: bool) -> Any:
        q, r = jnp.linalg.qr(input, mode="complete" if full_matrices else "reduced")
        return [q, r]
