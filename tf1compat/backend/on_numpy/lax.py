"""The names of `jax.lax`."""

# ruff: noqa: F401

from jax.lax import Precision

from tf1compat.backend.on_numpy import linalg
from tf1compat.backend.on_numpy.array import full_like, iota, pad, slice_in_dim
from tf1compat.backend.on_numpy.array import slice_ as slice
from tf1compat.backend.on_numpy.bits import (
    bitcast_convert_type,
    mulhi,
    population_count,
    reduce_precision,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
)
from tf1compat.backend.on_numpy.control import (
    cond,
    fori_loop,
    optimization_barrier,
    platform_dependent,
    scan,
    switch,
    while_loop,
)
from tf1compat.backend.on_numpy.control import map_ as map
from tf1compat.backend.on_numpy.convolution import conv_general_dilated
from tf1compat.backend.on_numpy.elementwise import add, div, logistic, rem, rsqrt, sqrt
from tf1compat.backend.on_numpy.elementwise import complex_ as complex
from tf1compat.backend.on_numpy.elementwise import maximum as max
from tf1compat.backend.on_numpy.elementwise import minimum as min
from tf1compat.backend.on_numpy.functions import (
    betainc,
    digamma,
    erf,
    erf_inv,
    erfc,
    igamma,
    igamma_grad_a,
    igammac,
    lgamma,
    random_gamma_grad,
    zeta,
)
from tf1compat.backend.on_numpy.indexing import (
    dynamic_index_in_dim,
    dynamic_slice,
    dynamic_slice_in_dim,
    dynamic_update_index_in_dim,
)
from tf1compat.backend.on_numpy.reduction import argmax_of_dtype as argmax
from tf1compat.backend.on_numpy.reduction import cumlogsumexp, cummax, cummin, top_k
from tf1compat.backend.on_numpy.windows import reduce, reduce_window


def stop_gradient(x):
    """`x`: nothing is differentiated."""
    return x
