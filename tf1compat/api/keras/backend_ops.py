"""The functions of `tf.keras.backend` that only give an operation another name or signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.backend_config import floatx
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export

__all__ = []


def _export(function: Callable[..., Any], name: str, what: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = what
    tf_export(f"keras.backend.{name}")(function)
    globals()[name] = function
    __all__.append(name)


def _unary(name: str, function: Callable[..., Any], what: str) -> None:
    _export(lambda x: function(x), name, what)


def _binary(name: str, function: Callable[..., Any], what: str) -> None:
    _export(lambda x, y: function(x, y), name, what)


def _reduction(name: str, function: Callable[..., Any], what: str, cast_to: Any = None) -> None:
    """A reduction; bools (or everything, to bool) are cast before."""

    def reduce(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        if cast_to is dtypes.bool:
            x = math_ops.cast(x, dtypes.bool)
        elif cast_to is not None and x.dtype.base_dtype == dtypes.bool:
            x = math_ops.cast(x, cast_to())
        return function(x, axis, keepdims)

    _export(reduce, name, what)


for _row in (
    ("square", math_ops.square, "x * x."),
    ("abs", math_ops.abs, "|x|."),
    ("exp", math_ops.exp, "e to the power of x."),
    ("log", math_ops.log, "The natural logarithm."),
    ("round", math_ops.round, "The nearest integer, halves to even."),
    ("sign", math_ops.sign, "-1, 0 or 1."),
    ("sin", math_ops.sin, "The sine."),
    ("cos", math_ops.cos, "The cosine."),
    ("sigmoid", math_ops.sigmoid, "1 / (1 + exp(-x))."),
    ("tanh", math_ops.tanh, "The hyperbolic tangent."),
    ("softplus", nn_ops.softplus, "log(exp(x) + 1)."),
    ("softsign", nn_ops.softsign, "x / (|x| + 1)."),
    ("transpose", array_ops.transpose, "The transpose."),
):
    _unary(*_row)

for _row in (
    ("equal", math_ops.equal, "x == y."),
    ("not_equal", math_ops.not_equal, "x != y."),
    ("greater", math_ops.greater, "x > y."),
    ("greater_equal", math_ops.greater_equal, "x >= y."),
    ("less", math_ops.less, "x < y."),
    ("less_equal", math_ops.less_equal, "x <= y."),
    ("maximum", math_ops.maximum, "The larger of x and y."),
    ("minimum", math_ops.minimum, "The smaller of x and y."),
):
    _binary(*_row)

_REDUCTIONS: tuple[Any, ...] = (
    ("max", math_ops.reduce_max, "The maximum over axes."),
    ("min", math_ops.reduce_min, "The minimum over axes."),
    ("sum", math_ops.reduce_sum, "The sum over axes."),
    ("prod", math_ops.reduce_prod, "The product over axes."),
    ("var", math_ops.reduce_variance, "The variance over axes.", floatx),
    ("std", math_ops.reduce_std, "The standard deviation over axes.", floatx),
    ("mean", math_ops.reduce_mean, "The mean over axes.", floatx),
    ("any", math_ops.reduce_any, "Whether any is true.", dtypes.bool),
    ("all", math_ops.reduce_all, "Whether all are true.", dtypes.bool),
)
for _row in _REDUCTIONS:
    _reduction(*_row)

for _row in (
    (lambda x, axis=0: math_ops.cumsum(x, axis=axis), "cumsum", "The sums so far."),
    (lambda x, axis=0: math_ops.cumprod(x, axis=axis), "cumprod", "The products so far."),
    (lambda x, axis=-1: math_ops.argmax(x, axis), "argmax", "Where the maximum is."),
    (lambda x, axis=-1: math_ops.argmin(x, axis), "argmin", "Where the minimum is."),
    (lambda x, a: math_ops.pow(x, a), "pow", "x to the power of a."),
    (lambda reference, indices: array_ops.gather(reference, indices), "gather", "Rows."),
    (lambda x, shape: array_ops.reshape(x, shape), "reshape", "Another shape."),
    (
        lambda x, pattern: array_ops.transpose(x, perm=pattern),
        "permute_dimensions",
        "The dimensions in another order.",
    ),
    (lambda x: array_ops.reshape(x, [-1]), "flatten", "A vector of all elements."),
    (lambda x, axis=-1: array_ops.expand_dims(x, axis), "expand_dims", "A new dimension of 1."),
    (lambda x, axis: array_ops.squeeze(x, [axis]), "squeeze", "Without a dimension of 1."),
    (lambda x, axis=0: array_ops.stack(x, axis=axis), "stack", "Stacked along a new axis."),
    (
        lambda indices, num_classes: array_ops.one_hot(indices, depth=num_classes, axis=-1),
        "one_hot",
        "One-hot vectors.",
    ),
    (
        lambda x, n: array_ops.tile(x, [n] if isinstance(n, int) else n),
        "tile",
        "`x`, repeated.",
    ),
    (
        lambda x, axes: array_ops.reverse(x, [axes] if isinstance(axes, int) else axes),
        "reverse",
        "Reversed along axes.",
    ),
):
    _export(*_row)
