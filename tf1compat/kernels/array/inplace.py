"""Rows that are written over, vectors of image dimensions, and the clock.

TF writes into the buffer of the input; here the output is another value, and the compiled program
decides about buffers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import Array, at, jnp
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _same_shape(x: Any, i: Any, v: Any) -> Any:
    return x


def _inplace(method: str) -> Callable[..., Any]:
    def lower(x: Any, i: Any, v: Any, *, ctx: LoweringContext) -> Any:
        if i.ndim != 1:
            refuse(ctx, f"i must be a vector. {text_of_shape(i)}")
        if x.ndim != v.ndim:
            refuse(ctx, f"x and v shape doesn't match (ranks differ): {_pair(x, v)}")
        for axis in range(1, x.ndim):
            if x.shape[axis] != v.shape[axis]:
                refuse(ctx, f"x and v shape doesn't match at index {axis} : {_pair(x, v)}")
        if i.shape[0] != v.shape[0]:
            refuse(ctx, f"i and x shape doesn't match at index 0: {_pair(i, v)}")
        return getattr(at(jnp.asarray(x))[i % max(x.shape[0], 1)], method)(v)

    return lower


def _pair(a: Any, b: Any) -> str:
    return f"{text_of_shape(a)} vs. {text_of_shape(b)}"


for _name, _method in (("Update", "set"), ("Add", "add"), ("Sub", "subtract")):
    register(f"Inplace{_name}", shape=_same_shape, lower=_inplace(_method))


@op("Empty", const=(0,))
class Empty:
    def shape(shape: Any, *, op: Operation) -> Shape:
        return op.shape_input(0)

    def lower(shape: Any, *, dtype: DType) -> Array:
        # What TF leaves uninitialized is zero, too.
        return jnp.zeros(tuple(int(n) for n in shape), dtype.as_numpy_dtype)


def _check_formats(src_format: str, dst_format: str, ctx: LoweringContext) -> None:
    for name, short, text in (("Source", "src", src_format), ("Destination", "dst", dst_format)):
        if len(text) not in (4, 5):
            refuse(
                ctx,
                f"{name} format must be of length 4 or 5, received {short}_format = {text}",
            )


@op("DataFormatDimMap")
class DataFormatDimMap:
    def shape(x: Any) -> Shape:
        return x

    def lower(x: Any, *, src_format: str, dst_format: str, ctx: LoweringContext) -> Array:
        _check_formats(src_format, dst_format, ctx)
        places = np.array([dst_format.index(letter) for letter in src_format])
        return jnp.asarray(places, x.dtype)[x % len(src_format)]


@op("DataFormatVecPermute")
class DataFormatVecPermute:
    def shape(x: Any) -> Shape:
        return x

    def lower(x: Any, *, src_format: str, dst_format: str, ctx: LoweringContext) -> Array:
        if x.ndim not in (1, 2):
            refuse(ctx, f"input must be a vector or 2D tensor, but got shape {text_of_shape(x)}")
        if x.ndim == 1 and x.shape[0] != 4:
            refuse(ctx, f"1D input must be of size 4, but got shape {text_of_shape(x)}")
        if x.ndim == 2:
            for axis, (word, size) in enumerate((("First", 4), ("Second", 2))):
                if x.shape[axis] != size:
                    refuse(
                        ctx,
                        f"{word} dimension of 2D input must be of size {size}, "
                        f"but got shape {text_of_shape(x)}",
                    )
        order = np.array([src_format.index(letter) for letter in dst_format])
        return jnp.asarray(x)[order]


@op("Timestamp", host=True)
class Timestamp:
    def shape() -> Shape:
        return ()

    def lower() -> Any:
        return np.array(time.time())


not_differentiable("Timestamp")
