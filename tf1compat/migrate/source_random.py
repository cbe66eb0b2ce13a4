"""Random operations with keys of `jax.random`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from tf1compat.migrate.source_call import Call, Several, Written
from tf1compat.migrate.source_text import Expr


def _draw(name: str) -> Callable[[Call, str], Expr]:
    def write(call: Call, key: str) -> Expr:
        dtype = call.attr("dtype").name
        more = "" if dtype == "float32" else f", jnp.{dtype}"
        return Expr(f"jax.random.{name}({key}, {call.shape(0)}{more})")

    return write


def _truncated(call: Call, key: str) -> Expr:
    more = "" if call.attr("dtype").name == "float32" else f", jnp.{call.attr('dtype').name}"
    return Expr(f"jax.random.truncated_normal({key}, -2, 2, {call.shape(0)}{more})")


def _integers(call: Call, key: str) -> Expr:
    low, high = call.inside(1), call.inside(2)
    return Expr(
        f"jax.random.randint({key}, {call.shape(0)}, {low}, {high}, jnp.{call.attr('Tout').name})"
    )


def _shuffle(call: Call, key: str) -> Expr:
    return Expr(f"jax.random.permutation({key}, {call.inside(0)})")


def _multinomial(call: Call, key: str) -> Expr:
    logits = call.inside(0)
    kind = call.attr("output_dtype").name
    return Expr(
        f"jax.random.categorical({key}, {logits}[:, None], shape=({logits}.shape[0], "
        f"{call.value(1)})).astype(jnp.{kind})"
    )


def _log_uniform(call: Call, key: str) -> Several:
    if not call.attr("unique"):
        call.refuse("with repetitions")
    count, range_max = call.attr("num_sampled"), call.attr("range_max")
    return Several(f"sampled_classes({key}, {call.inside(0)}, {count}, {range_max})", 3)


# Each is given a call and the expression of its key.
DRAWS: dict[str, Callable[[Call, str], Written]] = {
    "RandomUniform": _draw("uniform"),
    "RandomStandardNormal": _draw("normal"),
    "TruncatedNormal": _truncated,
    "RandomUniformInt": _integers,
    "RandomShuffle": _shuffle,
    "Multinomial": _multinomial,
    "LogUniformCandidateSampler": _log_uniform,
}


class _Proxy:
    """A module with other functions in place of some."""

    def __init__(self, module: Any, **others: Any):
        self.__dict__.update(others)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


_FUNCTIONS = (
    *("uniform", "normal", "truncated_normal", "randint", "permutation", "categorical"),
    "sampled_classes",
)


def _same_key(key: Any, step: Any) -> Any:
    return key


def same_in_each_step(namespace: dict[str, Any]) -> None:
    """Has a written module draw the same numbers in each step of a loop."""
    namespace["jax"] = _Proxy(jax, random=_Proxy(jax.random, fold_in=_same_key))


def draws_of(namespace: dict[str, Any], count: int, seed: int) -> dict[int, Any]:
    """Notes what a written module draws, while nothing is compiled.

    Args:
      namespace: of the module; it is changed, so that both sides of a conditional are run, and
        that each step of a loop draws the same numbers: the graph can be given no others.
      count: how many keys the module makes.
      seed: of the key that it will be given.

    Returns:
      What was drawn by the number of its key, once the module is called.
    """
    keys = np.asarray(jax.random.key_data(jax.random.split(jax.random.key(seed), count)))
    found: dict[int, Any] = {}

    def noting(draw: Callable[..., Any]) -> Callable[..., Any]:
        def call(key: Any, *args: Any, **kwargs: Any) -> Any:
            made = draw(key, *args, **kwargs)
            for i in np.flatnonzero((keys == np.asarray(jax.random.key_data(key))).all(-1)):
                found[int(i)] = made
            return made

        return call

    def cond(pred: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        results = no(), yes()
        return results[int(pred)]

    own = {name: noting(getattr(jax.random, name)) for name in _FUNCTIONS[:-1]}
    own["fold_in"] = _same_key
    namespace["jax"] = _Proxy(jax, random=_Proxy(jax.random, **own))
    namespace["lax"] = _Proxy(jax.lax, cond=cond)
    if "sampled_classes" in namespace:
        namespace["sampled_classes"] = noting(namespace["sampled_classes"])
    return found
