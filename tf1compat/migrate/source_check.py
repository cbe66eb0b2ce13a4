"""Whether what was written does what the graph does: looked at before any file is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.migrate import params as params_lib
from tf1compat.migrate.source_needs import CannotWrite
from tf1compat.migrate.source_random import same_in_each_step
from tf1compat.migrate.source_step import STEPS, compiled

# How much the source may differ, relative to the largest element.
RTOL = 1e-6


def floats(tree: Any) -> list[Any]:
    """The leaves of a tree that are floats."""
    return [x for x in jax.tree.leaves(tree) if jnp.issubdtype(x.dtype, jnp.floating)]


def namespace_of(text: str) -> dict[str, Any]:
    """What a written module has."""
    found: dict[str, Any] = {"__file__": "model.py"}
    exec(compile(text, "<the source>", "exec"), found)
    return found


def model_of(namespace: dict[str, Any]) -> Any:
    """The function of the whole graph in a written module."""
    return namespace.get("model") or (lambda params, *args: namespace["Model"](params)(*args))


def check(text: str, written: Any, recorded: Mapping[str, Any], batches: int) -> None:
    """Raises CannotWrite unless the source does what its test wants."""
    namespace = namespace_of(text)
    if written.draws_in_loops:
        same_in_each_step(namespace)
    model = model_of(namespace)
    params, has_slopes = params_lib.by_scope(written.weights), written.has_slopes
    leaves = jax.tree_util.tree_leaves_with_path(params)
    names = [
        jax.tree_util.keystr(path)
        for path, value in (leaves if has_slopes else ())
        if jnp.issubdtype(value.dtype, jnp.floating)
    ]
    run = values_and_slopes(model)
    plain = compiled(model)
    if written.is_direct:
        _check_gradients(namespace["gradients"], params, written, recorded)
    if written.trains:
        _check_optimizer(namespace, params, written, recorded)
    for batch in range(batches):
        inputs, wanted, rounding = (
            [value for key, value in recorded.items() if key.startswith(f"{batch}_{kind}_")]
            for kind in ("input", "wanted", "rounding")
        )
        inputs = [inputs[i] for i in written.model_inputs]
        if written.draws:
            inputs.insert(0, jax.random.key(batch))
        outputs, slopes = run(params, inputs) if has_slopes else (plain(params, inputs), {})
        found = [*jax.tree.leaves(outputs), *floats(slopes)]
        count = len(found) - len(names)
        labels = [*(f"result {i}" for i in range(count)), *(f"gradient of {p}" for p in names)]
        for name, value, want, room in zip(labels, found, wanted, rounding, strict=True):
            scale = float(np.abs(want).max(initial=0))
            far = np.abs(np.asarray(value, want.dtype) - want).max(initial=0)
            if not far <= RTOL * scale + room:
                raise differs(written, f"its {name} differs by {far:.1e}, of {scale:.1e}")


def _check_gradients(
    gradients: Any, params: Any, written: Any, recorded: Mapping[str, Any]
) -> None:
    """Raises CannotWrite unless the source gives the optimizer what the graph gives it."""
    inputs = [value for key, value in recorded.items() if key.startswith("0_input_")]
    if written.draws:
        inputs.insert(0, jax.random.key(0))
    for name, value in params_lib.flat(compiled(gradients)(params, inputs)[1]).items():
        want = recorded.get(f"step 0 gradient {name}", np.zeros_like(value))
        room = recorded.get(f"rounding gradient {name}", 0)
        far = np.abs(np.asarray(value) - want).max(initial=0)
        if not far <= RTOL * np.abs(want).max(initial=0) + room:
            raise differs(written, f"its gradient of {name} differs by {far:.1e}")


def _check_optimizer(
    namespace: dict[str, Any], params: Any, written: Any, recorded: Mapping[str, Any]
) -> None:
    """Raises CannotWrite unless the optimizer walks as the graph, and the rest changes as there."""
    optimizer = namespace["optimizer"]
    state = optimizer.init(params)
    applied = namespace.get("applied", lambda grads: grads)
    walked = params
    # Not compiled, as in the test: XLA rounds otherwise.
    for i in range(STEPS):
        given, rows, after, rounding = (
            {k.removeprefix(prefix): v for k, v in recorded.items() if k.startswith(prefix)}
            for prefix in (
                f"step {i} {kind} " for kind in ("gradient", "rows", "after", "rounding")
            )
        )
        flat = params_lib.flat(walked)
        grads = {name: given.get(name, jnp.zeros_like(value)) for name, value in flat.items()}
        grads = applied(params_lib.by_scope(grads))
        more: dict[str, Any] = {"rows": rows} if rows else {}
        if f"step {i} learning_rate" in recorded:
            more["learning_rate"] = recorded[f"step {i} learning_rate"]
        updates, state = optimizer.update(grads, state, walked, **more)
        walked = jax.tree.map(jnp.add, walked, updates)
        where = f"step {i} of its optimizer"
        _check_near(written, where, params_lib.flat(walked), after, rounding)
    moved = {k.removeprefix("moved "): v for k, v in recorded.items() if k.startswith("moved ")}
    if moved:
        inputs = [v for k, v in recorded.items() if k.startswith(("0_input_", "0_rate_"))]
        key = [jax.random.key(0)] if written.draws else []
        run = compiled(lambda params, *args: namespace["train_step"](*params, *args))
        new, _, _ = run((params, optimizer.init(params)), [*key, *inputs])
        _check_near(written, "its training step", params_lib.flat(new), moved)


def differs(written: Any, how: str) -> CannotWrite:
    """What is raised where the source is not the graph."""
    op = written.about
    text = (
        f"Source of operation '{op.name}' ({op.type}), which was written, is not the graph: {how}"
    )
    return CannotWrite(op._graph.error_text(op, text))


def _check_near(
    written: Any,
    where: str,
    found: Mapping[str, Any],
    wanted: Mapping[str, Any],
    rounding: Mapping[str, Any] | None = None,
) -> None:
    for name, want in wanted.items():
        far = np.abs(np.asarray(found[name]) - want).max(initial=0)
        room = (rounding or {}).get(name, 0)
        if not far <= RTOL * np.abs(want).max(initial=0) + room:
            raise differs(written, f"after {where} {name} differs by {far:.1e}")


def values_and_slopes(fn: Any) -> Any:
    """A function that gives what `fn` does, and the gradients of the `total` of it."""

    def both(params: Any, *inputs: Any) -> Any:
        outputs = fn(params, *inputs)
        return total(outputs), outputs

    slope = compiled(jax.grad(both, has_aux=True, allow_int=True))
    return lambda params, inputs: slope(params, inputs)[::-1]


def total(outputs: Any) -> Any:
    """A sum of floats in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    weighed = (jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)
    return sum(weighed, jnp.float32(0.0))
