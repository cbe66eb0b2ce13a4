"""Special functions, and the few that neural networks have of their own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax import lax
from jax.scipy import special

from tf1compat.backend.on_numpy.by_jax import by_jax, elementwise_by_jax
from tf1compat.backend.on_numpy.elementwise import logistic, maximum
from tf1compat.backend.on_numpy.promotion import wide

Array = Any

# Up to this size Python's own functions are quicker than a call of a compiled one.
_SMALL = 256


def _of_python(function: Any, by_jax: Any) -> Any:
    """A function of real numbers that Python has for one."""
    of_each = np.frompyfunc(function, 1, 1)

    def call(x: Any) -> Array:
        x = np.asarray(x)
        if x.size > _SMALL or x.dtype.kind != "f":
            return by_jax(x)
        return np.asarray(of_each(x)).astype(x.dtype)

    return call


erf = _of_python(math.erf, elementwise_by_jax(lax.erf))
erfc = _of_python(math.erfc, elementwise_by_jax(lax.erfc))
erf_inv = elementwise_by_jax(lax.erf_inv)
lgamma = elementwise_by_jax(lax.lgamma)
digamma = elementwise_by_jax(lax.digamma)
igamma = elementwise_by_jax(lax.igamma)
igammac = elementwise_by_jax(lax.igammac)
igamma_grad_a = elementwise_by_jax(lax.igamma_grad_a)
random_gamma_grad = by_jax(lax.random_gamma_grad)
betainc = elementwise_by_jax(lax.betainc)
zeta = elementwise_by_jax(lax.zeta)
i0e = elementwise_by_jax(special.i0e)
i1e = elementwise_by_jax(special.i1e)

sigmoid = logistic


def relu(x: Any) -> Array:
    return maximum(x, np.zeros((), np.asarray(x).dtype))


def softmax(x: Any, axis: int = -1) -> Array:
    x = np.asarray(x)
    shifted = x.astype(wide(x.dtype), copy=False)
    made = np.exp(shifted - np.maximum.reduce(shifted, axis, keepdims=True))
    made /= np.add.reduce(made, axis, keepdims=True)
    return made.astype(x.dtype, copy=False)


def log_softmax(x: Any, axis: int = -1) -> Array:
    x = np.asarray(x)
    shifted = x.astype(wide(x.dtype), copy=False)
    shifted = shifted - np.maximum.reduce(shifted, axis, keepdims=True)
    shifted -= np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))
    return shifted.astype(x.dtype, copy=False)
