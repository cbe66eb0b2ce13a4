"""Calls of `tf.gradients` as `jax.grad` and `jax.vjp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import Slope, refuse, variable_of
from tf1compat.migrate.source_text import Expr, function, returning, short_name, tupled

if TYPE_CHECKING:
    from tf1compat.migrate.source_body import Body


def write(body: Body, slope: Slope, used: set[Tensor]) -> None:
    """Adds a call of `tf.gradients`: a function of the xs, and its derivative."""
    variables = [x for x in slope.xs if variable_of(x) is not None]
    if variables and body.module.flax and not body.functional:
        refuse(slope, "with respect to variables, as Flax's modules")
    plain = [x for x in slope.xs if variable_of(x) is None]
    names = set(body.names)
    arguments = ["params"] if variables else []
    given: dict[Tensor, Expr] = {}
    for x in plain:
        name = body.module.free(short_name(x), names)
        given[x] = Expr(name)
        arguments.append(name)
    inner = body.inside(given, names)
    made = {tensor for step in slope.steps for tensor in step._outputs}
    inner.write(slope.steps, set(slope.ys), set(inner.values) - made)
    value = tupled(inner.value(y).text for y in slope.ys)
    name = body.module.free(f"{short_name(slope.ys[0])}_of", body.names)
    lines = returning(inner.finished(), value, inner.depth)
    if variables:
        lines = body.module.of_params(lines)
    body.add_lines(function(name, ", ".join(arguments), "", lines))

    values = [*(["params"] if variables else []), *(body.value(x).text for x in plain)]
    seen = [y in used and y not in body.values for y in slope.ys]
    found = [body.module.free("slopes", body.names)] if variables else []
    outs = {x: t for x, t in zip(slope.xs, slope.results, strict=True) if t is not None}
    for x in plain:
        out = outs.get(x)
        wanted = f"{short_name(slope.ys[0])}_{short_name(x)}"
        found.append(body.named(out, wanted) if out in used else "_")
    if len(slope.ys) == 1 and slope.ys[0]._shape == ():
        count = len(values)
        which = "" if count == 1 else f", argnums={tuple(range(count))}"
        which += ", allow_int=True" if variables and body.module.has_integers else ""
        if seen[0]:
            result = body.named(slope.ys[0])
            both = f"jax.value_and_grad({name}{which})"
            if count > 1:
                function_of = body.module.free("slopes_of", body.names)
                body.add(function_of, both)
                both = function_of
            body.add(f"{result}, {tupled(found)}", f"{both}({', '.join(values)})")
        else:
            body.add(", ".join(found), f"jax.grad({name}{which})({', '.join(values)})")
    else:
        results = [
            body.named(y) if new else body.module.free(short_name(y), body.names)
            for y, new in zip(slope.ys, seen, strict=True)
        ]
        pull = body.module.free("pull_back", body.names)
        body.add(f"{tupled(results)}, {pull}", f"jax.vjp({name}, {', '.join(values)})")
        ones = tupled(f"jnp.ones_like({result})" for result in results)
        targets = f"({found[0]},)" if len(found) == 1 else ", ".join(found)
        body.add(targets, f"{pull}({ones})")
    for x in variables:
        variable = variable_of(x) or ""
        if body.scope and not variable.startswith(f"{body.scope}/"):
            refuse(slope, "with respect to a variable of another scope")
        if x in outs:
            body.values[outs[x]] = Expr(found[0] + body.module.path(variable, body.scope))
