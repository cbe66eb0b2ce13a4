"""Random operations with keys of `jax.random`."""

from __future__ import annotations

from collections.abc import Callable

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
