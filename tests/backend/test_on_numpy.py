"""Every name of `backend.on_numpy` against JAX's own, on tables of arguments; and that every name
which kernels use is there."""

from __future__ import annotations

import ast
import functools
import operator
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import ml_dtypes
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

import quick_compilation

from tf1compat import backend
from tf1compat.backend import on_numpy

KERNELS = Path(__file__).parents[2] / "tf1compat" / "kernels"
BFLOAT16 = ml_dtypes.bfloat16
NAN, INF = np.nan, np.inf

# In units of the last place, of what the two libraries round their own way.
ULPS = {"float16": 2, "bfloat16": 2, "float32": 16, "float64": 64}


class Call(NamedTuple):
    """A computation that both can do.

    Attributes:
      label: what it is called.
      function: the computation: of a backend and of `arrays`.
      arrays: what it is given.
    """

    label: str
    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]


def program(label: str, function: Callable[..., Any], *arrays: Any) -> Call:
    """A computation with the names of a backend, which it is given first."""
    return Call(label, function, tuple(np.asarray(a) for a in arrays))


def call(name: str, *args: Any, **keywords: Any) -> Call:
    """A call of the function `name`, like "jnp.add"."""
    leaves, form = jax.tree.flatten((args, keywords))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray | np.generic)]

    def function(of: Any, *arrays: Any) -> Any:
        given = list(leaves)
        for i, value in zip(places, arrays):
            given[i] = value
        args, keywords = jax.tree.unflatten(form, given)
        return operator.attrgetter(name)(of)(*args, **keywords)

    shown = [_shown(arg) for arg in args]
    shown += [f"{name}={_shown(value)}" for name, value in keywords.items()]
    label = f"{name}({', '.join(shown)})".replace("[", "(").replace("]", ")")
    return Call(label, function, tuple(leaves[i] for i in places))


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, list | tuple) and any(isinstance(v, np.ndarray) for v in value):
        return f"{len(value)} arrays"
    return getattr(value, "__name__", str(value))


def array(values: Any, dtype: Any = np.float32) -> np.ndarray:
    return np.array(values, dtype)


REALS = {
    "float32": array([1.5, -2.5, 0.5, 0.0, -0.0, NAN, INF, -INF, 1e30, 0.25]),
    "float64": array([1.5, -2.5, 0.5, 0.0, -0.0, NAN, INF, -INF, 1e300, 0.25], np.float64),
    "float16": array([1.5, -2.5, 0.5, 0.0, NAN, INF, 3.25], np.float16),
    "bfloat16": array([1.5, -2.5, 0.5, 0.0, NAN, INF, 3.25], BFLOAT16),
}
INTEGERS = {
    "int32": array([0, 1, -1, 7, -8, 2**31 - 1, -(2**31)], np.int32),
    "int64": array([0, 1, -1, 7, -8, 2**62], np.int64),
    "uint8": array([0, 1, 7, 255], np.uint8),
}
COMPLEX = {"complex64": array([1 + 2j, -0.5j, 0.25, -3 + 1j], np.complex64)}
BOOLS = {"bool": array([True, False], bool)}
EMPTY = {"empty": np.zeros((0, 3), np.float32)}


def _unary() -> Iterator[Call]:
    of_reals = (
        "exp expm1 log log1p sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh "
        "arctanh reciprocal exp2"
    ).split()
    for name in of_reals:
        for values in (*REALS.values(), INTEGERS["int32"], *EMPTY.values()):
            # Of large angles each library gives what it likes.
            yield call(
                f"jnp.{name}",
                np.where(np.abs(values.astype(float)) > 1e9, 1, values).astype(values.dtype),
            )
    for name in ("exp", "log", "sqrt", "sin", "cos", "tanh", "reciprocal"):
        yield call(f"jnp.{name}", COMPLEX["complex64"])
    for name in ("rint", "isnan", "isinf", "isfinite", "abs", "square", "conj", "real", "imag"):
        for values in (*REALS.values(), *INTEGERS.values(), *COMPLEX.values()):
            yield call(f"jnp.{name}", values)
    for name in ("floor", "ceil", "trunc"):
        for values in (*REALS.values(), *INTEGERS.values()):
            yield call(f"jnp.{name}", values)
    for name in ("negative", "sign", "round"):
        for values in (*REALS.values(), *INTEGERS.values(), *COMPLEX.values()):
            yield call(f"jnp.{name}", values)
    for values in (*INTEGERS.values(), *BOOLS.values()):
        yield call("jnp.bitwise_not", values)
    for values in (*BOOLS.values(), *INTEGERS.values(), REALS["float32"]):
        yield call("jnp.logical_not", values)
    yield call("jnp.angle", COMPLEX["complex64"])
    for name in ("rsqrt", "logistic", "sqrt"):
        for values in (*REALS.values(), *EMPTY.values()):
            yield call(f"lax.{name}", values)
    for values in INTEGERS.values():
        yield call("lax.population_count", values)
    for values in (REALS["float32"], REALS["float64"], REALS["float16"]):
        yield call("lax.reduce_precision", values, exponent_bits=5, mantissa_bits=10)
    yield call("lax.reduce_precision", REALS["float64"], exponent_bits=8, mantissa_bits=23)
    yield call("lax.stop_gradient", REALS["float32"])


def _binary() -> Iterator[Call]:
    arithmetic = ("add", "subtract", "multiply", "maximum", "minimum")
    compared = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
    for name in (*arithmetic, *compared):
        for values in (*REALS.values(), *INTEGERS.values()):
            yield call(f"jnp.{name}", values, values[::-1].copy())
        for x, y in _mixed():
            yield call(f"jnp.{name}", x, y)
    nonzero = {k: np.where(v == 0, 3, v).astype(v.dtype) for k, v in INTEGERS.items()}
    for name in ("true_divide", "floor_divide", "mod"):
        for kind, values in INTEGERS.items():
            yield call(f"jnp.{name}", values, nonzero[kind][::-1].copy())
        yield call(f"jnp.{name}", array([7.5, -7.5, 1, 0]), array([2, 2, -0.5, 3]))
        yield call(f"jnp.{name}", array([7, -7], np.int32), array([2.0, 2.0]))
    zeros = array([3, 0, -2], np.int32), array([0, 0, 0], np.int32)
    yield call("jnp.floor_divide", *zeros)
    for name in ("div", "rem"):
        yield call(f"lax.{name}", *zeros)
        for kind, values in INTEGERS.items():
            yield call(f"lax.{name}", values, nonzero[kind][::-1].copy())
        yield call(f"lax.{name}", array([7.5, -7.5, 1, 0, 1]), array([2, 2, -0.5, 3, 0]))
    yield call("jnp.power", array([2, 3, -1, 0], np.int32), array([3, 2, 5, 0], np.int32))
    yield call("jnp.power", array([2, 3, -1], np.int64), array([-1, -2, -3], np.int64))
    yield call("jnp.power", array([2, 0, -1, -8]), array([0.5, -1, 2, 1 / 3]))
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        yield call("jnp.arctan2", REALS[dtype], REALS[dtype][::-1].copy())
    yield call("jnp.nextafter", array([1, 0, -1]), array([2, -1, -1]))
    for name in ("logical_and", "logical_or"):
        yield call(f"jnp.{name}", array([1, 1, 0, 0], bool), array([1, 0, 1, 0], bool))
        yield call(f"jnp.{name}", array([1, 2, 0], np.int32), array([1, 0, 0], np.int32))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        for values in INTEGERS.values():
            yield call(f"jnp.{name}", values, values[::-1].copy())
    amounts = array([0, 1, 31, 32, 40, -1], np.int32)
    numbers = array([-8, 8, 1, 3, -1, 5], np.int32)
    for name in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
        yield call(f"lax.{name}", numbers, amounts)
        yield call(f"lax.{name}", array([200, 3], np.uint8), array([9, 1], np.uint8))
    for dtype in (np.uint32, np.int32, np.uint64, np.int64):
        info = np.iinfo(dtype)
        values = array([0, 3, info.max, info.min, info.max // 3], dtype)
        yield call("lax.mulhi", values, values[::-1].copy())
    yield call("lax.complex", array([1, 2]), array([3, -4]))
    for name in ("max", "min", "add"):
        yield call(f"lax.{name}", REALS["float32"], REALS["float32"][::-1].copy())
    for limits in ((-1, 2), (3, 0), (None, 1.5), (0, None)):
        yield call("jnp.clip", REALS["float32"], *limits)
        yield call("jnp.clip", INTEGERS["int32"], *[x and int(x) for x in limits])
    for x, y in _mixed():
        yield call("jnp.where", array([True, False, True], bool)[: np.size(x)], x, y)
    yield call("jnp.where", array([0, 2, 0], np.int32), 1.0, 2)


def _mixed() -> Iterator[tuple[Any, Any]]:
    """Operands that are promoted."""
    ints, halves = array([1, 2, 3], np.int32), array([1, 2, 3], np.float16)
    yield ints, array([0.5, 1.5, 2])
    yield ints, 0.5
    yield array([0.5, 1.5, 2]), 2
    yield halves, 0.5
    yield array([1, 2, 3], BFLOAT16), 0.5
    yield halves, array([1, 2, 3], BFLOAT16)
    yield array([1, 2, 3], np.int8), array([1, 2, 300], np.int64)
    yield array([1, 2, 3], np.uint8), array([1, -2, 3], np.int8)
    yield ints, array([1, 2, 3], np.uint32)
    yield array([True, False, True], bool), ints
    yield array(2), array([1, 2, 3], np.float64)


def _reductions() -> Iterator[Call]:
    grid = (np.arange(24) % 7 - 3).reshape(2, 3, 4)
    for dtype in ("float32", "float16", BFLOAT16, "int32", "int8", "uint8", "bool", "complex64"):
        values = grid.astype(dtype)
        for axis in (None, 1, (0, 2), -1, ()):
            for name in ("sum", "prod", "mean"):
                yield call(f"jnp.{name}", values, axis=axis)
            if dtype != "complex64":
                yield call("jnp.max", values, axis=axis, keepdims=True)
                yield call("jnp.min", values, axis=axis)
                yield call("jnp.any", values, axis=axis)
                yield call("jnp.all", values, axis=axis, keepdims=True)
        if dtype != "complex64":
            yield call("jnp.argmax", values, 1)
            yield call("jnp.argmin", values)
        if dtype != "bool":
            yield call("jnp.cumprod", values, axis=1)
        yield call("jnp.cumsum", values, axis=1)
        yield call("jnp.cumsum", values)
        if dtype not in ("bool", "complex64"):
            for name in ("cummin", "cummax"):
                yield call(f"lax.{name}", values, 1, reverse=True)
    yield call("jnp.sum", grid.astype("int32"), 0, dtype=np.int32)
    yield call("jnp.sum", array([0.4, 300.7]), dtype=np.int32)
    yield call("jnp.max", np.zeros((0, 2), np.float32), 0, initial=-INF)
    yield call("jnp.max", array([[NAN, 1, 2]]), 1)
    yield call("jnp.sum", np.zeros((0, 2), np.float32), 0)
    yield call("jnp.mean", np.zeros((0, 2), np.float32), 0)
    yield call("jnp.argmax", array([1, NAN, 3, NAN]))
    yield call("jnp.argmin", array([1, NAN, 3, NAN]))
    yield call("lax.argmax", array([[1, 5, 5]]), 1, np.int32)
    for values in (array([[1, 2, NAN, 0.5]]), array([[-INF, -INF, 0.0, 1.0]])):
        yield call("lax.cumlogsumexp", values, 1)
    unsorted = array([[3, NAN, -1, 1, 0.0, 3, -INF], [1, 1, 2, 2, 0, 0, NAN]])
    yield call("jnp.sort", unsorted, axis=1)
    yield call("jnp.argsort", unsorted, axis=1)
    yield call("jnp.argsort", array([2, 1, 2, 0], np.int32), stable=True)
    yield call("jnp.lexsort", (array([1, 0, 1, 0]), array([2, 2, 1, 1])))
    for k in (1, 2, 7):
        yield call("lax.top_k", unsorted, k)
    yield call("lax.top_k", array([0, 3, 3, 255], np.uint8), 3)
    for shape in ((3, 0), (0, 4), (2, 0, 3), (2, 3, 4)):
        yield call("lax.top_k", np.zeros(shape, np.float32), shape[-1] // 2)
    long = (np.arange(1200) % 37).reshape(2, 2, 300).astype(np.float32)
    long[0, 1, 7:9] = NAN
    yield call("lax.top_k", long, 20)
    for side in ("left", "right"):
        edges = array([0, 1, 1, 2])
        yield call("jnp.searchsorted", edges, array([-1, 1, 1.5, 3]), side=side)
    yield call("jnp.unravel_index", array([0, 5, 3], np.int32), (2, 3))


def _arrays() -> Iterator[Call]:
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    yield call("jnp.asarray", [1, 2])
    yield call("jnp.asarray", 3)
    yield call("jnp.asarray", 1.5)
    beyond = array([NAN, INF, -INF, 3e9, -3e9, -1.5, 300, 1e20])
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64", "bool", "float16"):
        yield call("jnp.asarray", beyond, dtype)
        yield call("jnp.asarray", INTEGERS["int64"], dtype)
    yield call("jnp.array", [1.5, 2.5], np.int32)
    for args in ((5,), (1, 7), (0, 10, 3), (3.0,)):
        yield call("jnp.arange", *args)
    yield call("jnp.arange", 4, dtype=np.int32)
    yield call("lax.iota", np.uint32, 5)
    for name in ("zeros", "ones"):
        yield call(f"jnp.{name}", (2, 3))
        yield call(f"jnp.{name}", (2, 3), np.int32)
        yield call(f"jnp.{name}_like", grid)
    for value in (1, 1.5, True, np.float32(2)):
        yield call("jnp.full", (2,), value)
    yield call("jnp.full", (2,), 1, np.float16)
    yield call("lax.full_like", grid, 7)
    yield call("jnp.eye", 3, dtype=np.float32)
    yield call("jnp.concatenate", [grid, grid[:1]])
    yield call("jnp.concatenate", [grid, array([[1]] * 3, np.int32)], axis=1)
    yield call("jnp.stack", [grid, grid], -1)
    yield call("jnp.stack", [array(1), array(2, np.int32)])
    yield call("jnp.split", grid, 2, axis=1)
    yield call("jnp.split", grid, [1, 1, 3])
    yield call("jnp.split", np.zeros((0, 2)), 2)
    yield call("jnp.expand_dims", grid, (0, -1))
    yield call("jnp.squeeze", grid[None], 0)
    yield call("jnp.squeeze", grid[None, :1])
    yield call("jnp.flip", grid, (0, 1))
    yield call("jnp.flip", grid, 1)
    yield call("jnp.ravel", grid.T)
    yield call("jnp.reshape", grid, (2, -1))
    yield call("jnp.transpose", grid, (1, 0))
    yield call("jnp.swapaxes", grid[None], 0, 2)
    yield call("jnp.moveaxis", grid[None], 0, -1)
    yield call("jnp.tile", grid, (2, 1))
    yield call("jnp.roll", grid, (1, -1), (0, 1))
    yield call("jnp.tril", grid)
    yield call("jnp.tril", grid, -1)
    yield call("jnp.diag", array([1, 2]))
    yield call("jnp.diagonal", np.arange(8.0).reshape(2, 2, 2), axis1=1, axis2=2)
    yield call("jnp.cross", array([1, 2, 3]), array([0, 1, -1]))
    yield call("jnp.repeat", grid, 2, 1)
    for length in (2, 3, 6):
        repeats = array([0, 2, 1], np.int32)
        yield call("jnp.repeat", array([1, 2, 3]), repeats, total_repeat_length=length)
    yield call("jnp.broadcast_to", array([1, 2]), (3, 2))
    yield call("jnp.broadcast_arrays", array([1, 2]), array([[1], [2]], np.int32))
    for mode in ("constant", "reflect", "symmetric", "edge"):
        yield call("jnp.pad", grid, [(1, 2), (0, 3)], mode=mode)
    for config in (
        [(1, 2, 0), (0, 0, 1)], [(-1, 0, 0), (-2, 3, 2)], [(0, -3, 0), (0, 0, 0)],
        [(-2, -1, 0), (0, 0, 0)], [(5, -7, 1), (-3, -3, 1)],
    ):  # fmt: skip
        yield call("lax.pad", grid, np.float32(9), config)
    yield call("lax.pad", np.zeros((0, 2), np.float32), np.float32(9), [(2, 1, 1), (0, 0, 0)])
    yield call("lax.slice", grid, (0, 1), (3, 4), (2, 2))
    yield call("lax.slice_in_dim", grid, 1, None, 2, 1)
    yield call("lax.slice_in_dim", grid, -2, -1, axis=1)
    for dtype in (np.int32, np.uint8, np.float16, np.int64):
        values = array([[1.5, -2], [0, 3]])
        if np.dtype(dtype).itemsize == 8:
            yield call("lax.bitcast_convert_type", values, dtype)
        else:
            yield call("lax.bitcast_convert_type", values, dtype)


def _indexing() -> Iterator[Call]:
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    far = array([0, 5, -1, -9, 2], np.int32)
    for mode in (None, "clip", "fill"):
        for axis in (0, 1, None):
            for values in (grid, grid.astype(np.int32), grid.astype(np.uint8)):
                yield call("jnp.take", values, far, axis=axis, mode=mode)
    yield call("jnp.take_along_axis", grid, array([[0], [3], [1]], np.int32), 1)
    yield call("jnp.take_along_axis", grid, array([[9, -9, -1, 0]], np.int32), axis=0)
    yield call("lax.dynamic_slice", grid, (np.int32(2), np.int32(-1)), (2, 3))
    yield call("lax.dynamic_slice", grid, (-9, 9), (2, 3))
    for index in (-9, -1, 1, 9):
        yield call("lax.dynamic_index_in_dim", grid, np.int32(index), 1, keepdims=False)
        yield call("lax.dynamic_index_in_dim", grid, index)
        yield call("lax.dynamic_slice_in_dim", grid, np.int32(index), 2, axis=1)
        yield call("lax.dynamic_update_index_in_dim", grid, array([7] * 3), np.int32(index), 1)
        yield call("lax.dynamic_update_index_in_dim", grid, array([[7] * 4]), index, 0)


def _changes() -> Iterator[Call]:
    """`at(x)[index]`."""
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    rows = array([2, 0, 2, 1], np.int32)
    far = array([2, -1, 7, -9, 2], np.int32)
    indices: list[tuple[Any, np.ndarray]] = [
        (lambda i: i, rows),
        (lambda i: i, far),
        (lambda i: (slice(None), i), far),
        (lambda i: (i, i), far),
        (lambda i: (i[:, None], i[None]), far),
        (lambda i: (Ellipsis, i), rows),
        (lambda i: (slice(1, None), i), far),
        (lambda i: (i[0], slice(None, None, 2)), rows),
        (lambda i: (Ellipsis, slice(-1, None), slice(None)), rows),
        (lambda i: 1, rows),
    ]
    hows: list[dict[str, Any]] = [
        {},
        {"mode": "drop"},
        {"mode": "clip"},
        {"mode": "drop", "wrap_negative_indices": False},
    ]
    for method in ("add", "subtract", "multiply", "min", "max"):
        for number, (index, i) in enumerate(indices):
            for how in hows:
                yield program(
                    f"at.{method}/{number}/{how}",
                    lambda b, x, i, method=method, index=index, how=how: getattr(
                        b.at(x)[index(i)], method
                    )(b.jnp.full((), 2, x.dtype), **how),
                    grid,
                    i,
                )
    for number, (index, i) in enumerate(indices):
        for how in hows:
            yield program(
                f"at.set/{number}/{how}",
                lambda b, x, i, index=index, how=how: b.at(x)[index(i)].set(-1.5, **how),
                grid,
                i,
            )
        for mode in (None, "clip", "fill"):
            yield program(
                f"at.get/{number}/{mode}",
                lambda b, x, i, index=index, mode=mode: b.at(x)[index(i)].get(mode=mode),
                grid,
                i,
            )
    more = array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [0.5] * 4])
    yield program("at.add/rows", lambda b, x, i, v: b.at(x)[i].add(v), grid, rows, more)
    yield program("at.add/ints", lambda b, x, i: b.at(x)[i].add(1), grid.astype(np.int8), rows)
    yield program("at.add/outside", lambda b, x, i, v: b.at(x)[i].add(v), grid, far[:4], more)
    yield program("at.set/mask", lambda b, x: b.at(x)[np.eye(3, 4, dtype=bool)].set(0), grid)
    yield program("at.set/scalar", lambda b, x: b.at(x)[()].set(3), array(2))
    yield program("at.divide", lambda b, x, i: b.at(x)[i].divide(2.0), grid, rows[1:])


def _control() -> Iterator[Call]:
    def program_of(function: Callable[..., Any], *arrays: Any) -> Call:
        return program(f"control/{function.__name__}", function, *arrays)

    def while_loop(b: Any, x: Any) -> Any:
        return b.lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2), (0, x))[1]

    def fori_loop(b: Any, x: Any) -> Any:
        return b.lax.fori_loop(1, 4, lambda i, s: b.at(s)[i].set(s[i - 1] + i), x)

    def fori_index(b: Any, x: Any) -> Any:
        return b.lax.fori_loop(0, 2, lambda i, s: i + 0 * s, b.jnp.zeros((), np.int64))

    def scan(b: Any, x: Any) -> Any:
        return b.lax.scan(lambda s, row: (s + row, {"sum": s, "row": row}), x[0], x)[0]

    def scan_outputs(b: Any, x: Any) -> Any:
        return b.lax.scan(lambda s, row: (s + row, (s, row * 2)), x[0], x, reverse=True)[1]

    def scan_of_length(b: Any, x: Any) -> Any:
        return b.lax.scan(lambda s, _: (s * 2, s), x, None, length=3)

    def scan_of_nothing(b: Any, x: Any) -> Any:
        return b.lax.scan(lambda s, row: (s + row, row > 1), x[0], x[:0])

    def mapped(b: Any, x: Any) -> Any:
        return b.lax.map(lambda row: (row.sum(), row + 1), x)

    def vmap(b: Any, x: Any) -> Any:
        return b.jax.vmap(b.jax.vmap(lambda p, q: p - q))(x, x * 2)

    def vectorize(b: Any, x: Any) -> Any:
        return b.jnp.vectorize(lambda m: m.T * 2, signature="(n,n)->(n,n)")(x[None, :2, :2])

    def cond(b: Any, x: Any) -> Any:
        return b.lax.cond(x[0, 0] > 1, lambda x: x + 1, lambda x: x - 1, x)

    def switch(b: Any, x: Any) -> Any:
        ways = [lambda x: x, lambda x: x + 1, lambda x: x + 2]
        return [b.lax.switch(b.jnp.asarray(i, np.int32), ways, x) for i in (-3, 1, 9)]

    def platform(b: Any, x: Any) -> Any:
        return b.lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x)

    def jit(b: Any, x: Any) -> Any:
        doubled = functools.partial(b.jax.jit, static_argnames=("n",))(lambda x, n: x * n)
        return doubled(x, n=2)

    def tree(b: Any, x: Any) -> Any:
        leaves, form = b.jax.tree.flatten({"a": x, "b": (x, None)})
        changed = b.jax.tree.map(lambda leaf: leaf + 1, b.jax.tree.unflatten(form, leaves))
        return b.jax.tree.leaves(changed)

    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    yield program_of(fori_loop, array([1, 0, 0, 0]))
    yield program_of(switch, array([1, 2]))
    for function in (
        while_loop, fori_index, scan, scan_outputs, scan_of_length, scan_of_nothing, mapped, vmap,
        vectorize, cond, platform, jit, tree,
    ):  # fmt: skip
        yield program_of(function, grid)


def _numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    size = int(np.prod(shape))
    return (np.sin(np.arange(size) * 1.7 + 0.3) * 3).reshape(shape).astype(dtype)


def _convolutions() -> Iterator[Call]:
    """Forward, the gradients of the input and of the filter, grouped, dilated, in all formats."""
    image, filter = _numbers(3, 7, 6, 4), _numbers(3, 2, 4, 6)
    formats = ("NHWC", "HWIO", "NHWC")

    def conv(lhs: Any, rhs: Any, strides: Any, padding: Any, **how: Any) -> Call:
        how.setdefault("dimension_numbers", formats)
        return program(
            f"conv {lhs.dtype}{list(lhs.shape)}{list(rhs.shape)} {strides} {padding} {how}",
            lambda b, x, w: b.lax.conv_general_dilated(
                x, w, strides, padding, precision=b.lax.Precision.HIGHEST, **how
            ),
            lhs,
            rhs,
        )

    none = [(0, 0), (0, 0)]
    yield conv(image, filter, (1, 1), none)
    yield conv(image, filter, (2, 3), [(1, 2), (0, 1)])
    yield conv(image, filter, (1, 1), [(-1, 2), (1, -2)])
    yield conv(image, filter, (1, 2), [(2, 2), (0, 1)], rhs_dilation=(2, 3))
    yield conv(image, _numbers(1, 1, 4, 5), (1, 1), none)
    yield conv(image, _numbers(1, 1, 4, 5), (2, 2), none)
    yield conv(image, _numbers(3, 2, 2, 6), (1, 2), [(1, 1), (1, 0)], feature_group_count=2)
    yield conv(image, _numbers(3, 2, 1, 8), (2, 1), [(1, 1), (1, 0)], feature_group_count=4)
    for up in ((2, 2), (1, 3)):
        yield conv(image, filter, (1, 1), [(2, 1), (1, 1)], lhs_dilation=up)
        yield conv(image, filter, (1, 1), [(-1, 3), (1, -1)], lhs_dilation=up, rhs_dilation=(2, 1))
        yield conv(image, _numbers(3, 2, 1, 8), (1, 1), [(2, 1), (1, 1)], lhs_dilation=up,
                   feature_group_count=4)  # fmt: skip
        yield conv(image, _numbers(3, 2, 2, 4), (1, 1), [(2, 1), (1, 1)], lhs_dilation=up,
                   feature_group_count=2)  # fmt: skip
    yield conv(image, filter, (2, 1), [(2, 1), (1, 1)], lhs_dilation=(2, 2))
    # Batch and channels in each other's place, as for the gradient of a filter.
    swapped = {"dimension_numbers": ("CHWN", "IHWO", "HWNC")}
    for steps in ((1, 1), (2, 2)):
        grad = _numbers(3, 3, 2, 5)
        yield conv(image, grad, (1, 1), [(1, 1), (0, 1)], rhs_dilation=steps, **swapped)
        yield conv(image, _numbers(3, 3, 2, 8), (1, 1), [(1, 1), (0, 1)], rhs_dilation=steps,
                   batch_group_count=4, **swapped)  # fmt: skip
        yield conv(image, _numbers(3, 3, 2, 6), (1, 1), [(1, 1), (0, 1)], rhs_dilation=steps,
                   batch_group_count=2, **swapped)  # fmt: skip
    first = {"dimension_numbers": ("NCHW", "HWIO", "NCHW")}
    yield conv(_numbers(2, 4, 5, 5), filter, (1, 2), [(1, 1), (0, 1)], **first)
    yield conv(_numbers(2, 4, 5, 5), filter, (1, 1), [(1, 1), (0, 1)], lhs_dilation=(2, 2), **first)
    swapped_first = {"dimension_numbers": ("CNHW", "IOHW", "HWNC")}
    yield conv(_numbers(3, 4, 5, 5), _numbers(3, 5, 3, 3), (1, 1), none, **swapped_first)
    line = {"dimension_numbers": ("NWC", "WIO", "NWC")}
    yield conv(_numbers(2, 9, 3), _numbers(4, 3, 2), (2,), [(1, 0)], **line)
    volume = {"dimension_numbers": ("NDHWC", "DHWIO", "NDHWC")}
    yield conv(_numbers(1, 4, 5, 3, 2), _numbers(2, 3, 1, 2, 3), (1, 2, 1), [(1, 0)] * 3, **volume)
    yield conv(_numbers(1, 4, 5, 3, 2), _numbers(2, 3, 1, 2, 3), (1, 1, 1), [(1, 0)] * 3,
               lhs_dilation=(1, 2, 2), **volume)  # fmt: skip
    for dtype in (np.float16, BFLOAT16, np.float64):
        yield conv(
            _numbers(1, 4, 4, 2, dtype=dtype), _numbers(2, 2, 2, 3, dtype=dtype), (1, 1), none
        )
    yield conv(np.zeros((0, 5, 5, 4), np.float32), filter, (1, 1), none)
    yield conv(np.zeros((2, 5, 5, 0), np.float32), np.zeros((2, 2, 0, 3), np.float32), (1, 1), none)
    for name, start in (("max", -INF), ("min", INF), ("add", 0.0)):
        for axes in ((0,), (1, 3), ()):
            yield program(
                f"reduce/{name}/{axes}",
                lambda b, x, name=name, start=start, axes=axes: b.lax.reduce(
                    x, np.float32(start), getattr(b.lax, name), axes
                ),
                image,
            )
        for dims, strides, padding in (
            ((1, 2, 2, 1), (1, 2, 2, 1), [(0, 0), (0, 1), (0, 0), (0, 0)]),
            ((1, 3, 2, 1), (1, 1, 2, 1), [(0, 0), (1, 1), (1, 1), (0, 0)]),
            ((1, 1, 1, 3), (1, 2, 1, 1), [(0, 0)] * 4),
        ):
            yield program(
                f"reduce_window/{name}/{dims}",
                lambda b, x, name=name, start=start, dims=dims, strides=strides, padding=padding: (
                    b.lax.reduce_window(
                        x, np.float32(start), getattr(b.lax, name), dims, strides, padding
                    )
                ),
                image,
            )


def _products() -> Iterator[Call]:
    for dtype in ("float32", "float64", "float16", BFLOAT16, "int32", "complex64"):
        x, y = _numbers(2, 3, 4).astype(dtype), _numbers(4, 5).astype(dtype)
        yield call("jnp.matmul", x, y)
        yield call("jnp.einsum", "abc,cd->dab", x, y)
    x = _numbers(2, 3, 4)
    yield call("jnp.matmul", x[0], x[0, 0])
    yield call("jnp.matmul", x, np.zeros((4, 0), np.float32))
    yield call("jnp.dot", x, x[0, 0])
    for equation, shapes in (
        ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))), ("bij,bkj->bki", ((2, 3, 4), (2, 5, 4))),
        ("tbp,tbu->pu", ((3, 2, 4), (3, 2, 5))), ("ij,ij->", ((3, 4), (3, 4))),
        ("ij,k->kij", ((3, 4), (2,))), ("ii->i", ((3, 3),)), ("ij->ji", ((3, 4),)),
        ("ij,jk,kl->il", ((2, 3), (3, 4), (4, 2))), ("ij,j->i", ((3, 4), (4,))),
        ("ii,ij->j", ((3, 3), (3, 2))), ("ij,kl->i", ((3, 4), (2, 2))),
        ("...ij,...jk->...ik", ((2, 3, 4), (2, 4, 2))), ("abc,abd->abcd", ((2, 3, 4), (2, 3, 2))),
    ):  # fmt: skip
        yield call("jnp.einsum", equation, *[_numbers(*shape) for shape in shapes])
    signal = _numbers(2, 6)
    for dtype in ("complex64", "complex128"):
        yield call("jnp.fft.fftn", signal.astype(dtype), axes=(1,))
        yield call("jnp.fft.ifftn", signal.astype(dtype), axes=(0, 1))
        yield call("jnp.fft.irfftn", signal.astype(dtype), (2, 8), (0, 1))
    for dtype in ("float32", "float64"):
        yield call("jnp.fft.rfftn", signal.astype(dtype), (2, 8), (0, 1))
        yield call("jnp.fft.rfft", signal.astype(dtype), 8)


def _linear_algebra() -> Iterator[Call]:
    square = _numbers(2, 3, 3) + 4 * np.eye(3, dtype=np.float32)
    positive = square @ np.swapaxes(square, -1, -2) + np.eye(3, dtype=np.float32)
    right = _numbers(2, 3, 2)
    yield call("jnp.linalg.inv", square)
    yield call("jnp.linalg.solve", square, right)
    yield call("jnp.linalg.svd", square, compute_uv=False)
    yield call("lax.linalg.cholesky", positive, symmetrize_input=False)
    yield call("lax.linalg.cholesky", positive, symmetrize_input=True)
    yield call("lax.linalg.cholesky", np.stack([-np.eye(2), np.eye(2)]).astype(np.float32))
    yield call("lax.linalg.lu", square)
    yield call("jax.scipy.linalg.expm", square * np.float32(0.1))
    for side in (True, False):
        for lower in (True, False):
            for how in (
                {}, {"transpose_a": True}, {"transpose_a": True, "conjugate_a": True},
                {"unit_diagonal": True},
            ):  # fmt: skip
                matrix = square if "conjugate_a" not in how else square.astype(np.complex64)
                yield call(
                    "lax.linalg.triangular_solve",
                    matrix * (1 + (1j if "conjugate_a" in how else 0)),
                    (right if side else np.swapaxes(right, -1, -2).copy()).astype(matrix.dtype),
                    left_side=side,
                    lower=lower,
                    **how,
                )
    symmetric = positive[0]
    yield program(
        "eigh",
        lambda b, x: (lambda v, w: [w, b.jnp.matmul(v * w, v.T)])(
            *b.lax.linalg.eigh(x, lower=True, symmetrize_input=False)
        ),
        symmetric,
    )
    yield program(
        "qr",
        lambda b, x: (lambda q, r: [b.jnp.matmul(q, r), b.jnp.matmul(q.T, q), b.jnp.abs(r)])(
            *b.jnp.linalg.qr(x, mode="reduced")
        ),
        _numbers(4, 3),
    )
    yield program(
        "schur",
        lambda b, x: (lambda t, z: b.jnp.matmul(b.jnp.matmul(z, t), z.T))(*b.lax.linalg.schur(x)),
        square[0],
    )


def _special() -> Iterator[Call]:
    for dtype in ("float32", "float64"):
        x = array([0.1, 0.5, 1, 2.5, 10, -0.3], dtype)
        positive = np.abs(x)
        large = np.linspace(-3, 3, 300).astype(dtype)
        for name in ("erf", "erfc"):
            yield call(f"lax.{name}", x)
            yield call(f"lax.{name}", large)
        for name in ("lgamma", "digamma"):
            yield call(f"lax.{name}", x)
        for name in ("i0e", "i1e"):
            yield call(f"special.{name}", x)
        for name in ("igamma", "igammac", "igamma_grad_a", "random_gamma_grad"):
            yield call(f"lax.{name}", positive, positive[::-1].copy())
        yield call("lax.zeta", positive + dtype_of(positive, 1), positive)
        yield call("lax.betainc", positive, positive[::-1].copy(), np.full(6, 0.25, dtype))
        yield call("lax.erf_inv", np.clip(x, -0.9, 0.9))
        yield call("nn.relu", x)
        yield call("nn.sigmoid", x)
        for values in (x.reshape(2, 3), array([[INF, 1], [-INF, -INF], [NAN, 0]], dtype)):
            yield call("nn.softmax", values, axis=-1)
            yield call("nn.softmax", values, axis=0)
            yield call("nn.log_softmax", values, axis=-1)
    halves = array([0.5, 1, 2, -3], np.float16)
    for name in ("softmax", "log_softmax", "sigmoid", "relu"):
        yield call(f"nn.{name}", halves)


def dtype_of(like: np.ndarray, value: Any) -> Any:
    return like.dtype.type(value)


CALLS = [
    one
    for table in (
        _unary(), _binary(), _reductions(), _arrays(), _indexing(), _changes(), _control(),
        _convolutions(), _products(), _linear_algebra(), _special(),
    )
    for one in table
]  # fmt: skip
GROUP = 40


@functools.cache
def _expected(group: int) -> list[Any]:
    """What JAX makes of `GROUP` computations, in one program."""
    calls = CALLS[group * GROUP : (group + 1) * GROUP]

    def compute(given: list[Any]) -> list[Any]:
        return [one.function(backend, *arrays) for one, arrays in zip(calls, given)]

    with jax.enable_x64(True):
        compiled = jax.jit(compute, compiler_options=quick_compilation.options())
        return jax.tree.map(np.asarray, compiled([one.arrays for one in calls]))


def assert_same(found: Any, expected: Any) -> None:
    """Compares form, dtypes, shapes and values."""
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected):
            assert_same(ours, theirs)
        return
    found = np.asarray(found)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    name = str(expected.dtype)
    if expected.dtype.kind in "iub":
        np.testing.assert_array_equal(found, expected)
        return
    part = {"complex64": "float32", "complex128": "float64"}.get(name, name)
    tolerance = ULPS[part] * float(ml_dtypes.finfo(part).eps)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    # Sums are as exact as their largest terms.
    finite = np.abs(expected[np.isfinite(expected)]).astype(np.float64)
    scale = max(float(finite.max()) if finite.size else 1.0, 1.0)
    np.testing.assert_allclose(
        found.astype(wide), expected.astype(wide), tolerance, tolerance * min(scale, 1e3)
    )


def _in_its_group(number: int) -> Any:
    """A computation; those of one program in one worker, where tests run in several."""
    group = pytest.mark.xdist_group(f"on_numpy{number // GROUP}")
    return pytest.param(number, id=CALLS[number].label, marks=group)


@pytest.mark.parametrize("number", [_in_its_group(n) for n in range(len(CALLS))])
def test_computation(number: int) -> None:
    one = CALLS[number]
    expected = _expected(number // GROUP)[number % GROUP]
    before = [array.copy() for array in one.arrays]
    with np.errstate(all="ignore"):
        found = one.function(on_numpy, *one.arrays)
    for leaf in jax.tree.leaves(found):
        assert not isinstance(leaf, jax.Array)
    assert_same(found, expected)
    for array, copy in zip(one.arrays, before):
        assert array.tobytes() == copy.tobytes(), "an argument has changed"


# The names that kernels use.


def _names_of(path: Path) -> set[str]:
    """The dotted names of the backend that a module uses, such as "jnp.linalg.svd"."""
    tree = ast.parse(path.read_text())
    members = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "tf1compat.backend"
        for alias in node.names
    }
    found = set()
    for node in ast.walk(tree):
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in members:
            found.add(".".join([node.id, *reversed(parts)]))
    return found


# It has no rules: it traces those of others.
_NO_TWIN = {"fallback"}


@pytest.mark.parametrize(
    "path", [path for path in sorted(KERNELS.rglob("*.py")) if path.stem not in _NO_TWIN],
    ids=lambda path: path.stem,
)  # fmt: skip
def test_names_are_offered(path: Path) -> None:
    missing = []
    for name in _names_of(path):
        try:
            operator.attrgetter(name)(on_numpy)
        except AttributeError:
            # The last part may be that of an array: `jnp.pi.dtype`.
            missing.append(name)
    assert not missing
