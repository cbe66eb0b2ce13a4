"""Facts about dtypes, those of `ml_dtypes` included: JAX's own, kept."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy


@functools.cache
def issubdtype(dtype: Any, of: Any) -> bool:
    return bool(jax.numpy.issubdtype(dtype, of))


@functools.cache
def finfo(dtype: Any) -> Any:
    return jax.numpy.finfo(dtype)


@functools.cache
def iinfo(dtype: Any) -> Any:
    return jax.numpy.iinfo(dtype)
