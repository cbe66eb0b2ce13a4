"""Loops, branches, and functions of one element applied to all: done at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

Function = Callable[..., Any]


def while_loop(cond_fun: Function, body_fun: Function, init_val: Any) -> Any:
    while cond_fun(init_val):
        init_val = body_fun(init_val)
    return init_val


def fori_loop(lower: Any, upper: Any, body_fun: Function, init_val: Any) -> Any:
    dtype = getattr(upper, "dtype", np.dtype(np.int64)).type
    for i in range(int(lower), int(upper)):
        init_val = body_fun(dtype(i), init_val)
    return init_val


def cond(pred: Any, true_fun: Function, false_fun: Function, *operands: Any) -> Any:
    return true_fun(*operands) if pred else false_fun(*operands)


def switch(index: Any, branches: Sequence[Function], *operands: Any) -> Any:
    return branches[min(max(int(index), 0), len(branches) - 1)](*operands)


def optimization_barrier(operand: Any) -> Any:
    """Nothing is put in another order here."""
    return operand


def platform_dependent(
    *args: Any, default: Function | None = None, cpu: Function | None = None, **_: Function
) -> Any:
    chosen = default if cpu is None else cpu
    assert chosen is not None
    return chosen(*args)


def _stacked(results: list[Any]) -> Any:
    return jax.tree.map(lambda *leaves: np.stack(leaves), *results)


def scan(
    f: Function, init: Any, xs: Any = None, length: int | None = None, reverse: bool = False
) -> tuple[Any, Any]:
    leaves, form = jax.tree.flatten(xs)
    size = len(leaves[0]) if leaves else int(length or 0)
    if not size:
        # What an element would have given says of what form the empty results are.
        blank = [np.zeros(leaf.shape[1:], leaf.dtype) for leaf in leaves]
        _, y = f(init, jax.tree.unflatten(form, blank))
        return init, jax.tree.map(lambda one: np.zeros((0, *np.shape(one)), one.dtype), y)
    found: list[Any] = [None] * size
    for i in reversed(range(size)) if reverse else range(size):
        init, found[i] = f(init, jax.tree.unflatten(form, [leaf[i] for leaf in leaves]))
    return init, _stacked(found)


def map_(f: Function, xs: Any) -> Any:
    return scan(lambda carry, x: (carry, f(x)), None, xs)[1]


def vmap(fun: Function) -> Function:
    """`fun` of each element of its arguments, along their first dimension."""

    def call(*args: Any) -> Any:
        return map_(lambda one: fun(*one), args)

    return call


def vectorize(pyfunc: Function, *, signature: str) -> Function:
    return np.vectorize(pyfunc, signature=signature)


def jit(fun: Function, **_: Any) -> Function:
    """`fun`: nothing is compiled."""
    return fun


def callback(callback: Function, *args: Any, ordered: bool = False) -> None:
    """`jax.debug.callback`."""
    callback(*args)
