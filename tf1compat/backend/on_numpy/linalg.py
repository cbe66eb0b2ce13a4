"""Factors of matrices and solutions of linear equations. What has none is NaN; nothing raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.backend.on_numpy.by_jax import by_jax

Array = Any


def _or_by_jax(function: Callable[..., Any], jax_function: Callable[..., Any]) -> Any:
    """NumPy's function, where it refuses a matrix JAX's, which gives infinities or NaNs."""
    other = by_jax(jax_function)

    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except np.linalg.LinAlgError:
            return other(*args, **keywords)

    return call


inv = _or_by_jax(np.linalg.inv, jnp.linalg.inv)
svd = _or_by_jax(np.linalg.svd, jnp.linalg.svd)
solve = _or_by_jax(np.linalg.solve, jnp.linalg.solve)
qr = np.linalg.qr
expm = by_jax(jax.scipy.linalg.expm)
lu = by_jax(lax.linalg.lu)
schur = by_jax(lax.linalg.schur)


def _adjoint(x: Array) -> Array:
    return np.conj(np.swapaxes(x, -1, -2))


def eigh(x: Any, *, lower: bool = True, symmetrize_input: bool = True) -> list[Array]:
    """Eigenvectors and eigenvalues, smallest first."""
    if symmetrize_input:
        x = (x + _adjoint(x)) / np.asarray(2, x.dtype)
    try:
        values, vectors = np.linalg.eigh(x, "L" if lower else "U")
    except np.linalg.LinAlgError:
        return list(by_jax(lax.linalg.eigh)(x, lower=lower, symmetrize_input=False))
    return [vectors, values]


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Array:
    """The lower triangular factor; NaN for a matrix that isn't positive definite."""
    if symmetrize_input:
        x = (x + _adjoint(x)) / np.asarray(2, x.dtype)
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return by_jax(lax.linalg.cholesky)(x, symmetrize_input=False)


def triangular_solve(
    a: Any,
    b: Any,
    *,
    left_side: bool = False,
    lower: bool = False,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Array:
    """The solution x of `a x = b`, or `x a = b` without `left_side`, a row after the other."""
    if conjugate_a:
        a = np.conj(a)
    if transpose_a:
        a, lower = np.swapaxes(a, -1, -2), not lower
    if not left_side:
        a, b, lower = np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), not lower
    size = a.shape[-1]
    x = np.array(np.broadcast_to(b, np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:]))
    for i in range(size) if lower else reversed(range(size)):
        solved = slice(0, i) if lower else slice(i + 1, size)
        row = x[..., i, :]
        if solved.stop > solved.start:
            row = row - (a[..., i : i + 1, solved] @ x[..., solved, :])[..., 0, :]
        x[..., i, :] = row if unit_diagonal else row / a[..., i, i, None]
    return x if left_side else np.swapaxes(x, -1, -2)
