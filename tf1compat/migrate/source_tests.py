"""The test that is written with a module."""

from __future__ import annotations

from typing import Any

from tf1compat.migrate import source_check
from tf1compat.migrate.source_step import STEPS
from tf1compat.migrate.source_text import wrapped

_TEST = '''"""Compares {module}.py with the graph that it was written from, on recorded batches."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import {module}

RTOL = {rtol}  # of the largest element; besides, what the last place of the weights decides
BATCHES = Path(__file__).with_name("{batches}")


def total(outputs):
    """A sum in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    return sum(jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)


@jax.jit
def run(params, inputs):
{run}


@pytest.mark.parametrize("batch", range({count}))
def test_same_as_the_graph(batch):
    params = {module}.load_params()
    with np.load(BATCHES) as data:
        inputs, wanted, rounding = (
            [data[key] for key in data if key.startswith(f"{{batch}}_{{kind}}_")]
            for kind in ("input", "wanted", "rounding")
        )
    outputs = run(params, [{key}*{inputs}])
    found = [x for x in jax.tree.leaves(outputs) if x.dtype != jax.dtypes.float0]
    for value, want, room in zip(found, wanted, rounding, strict=True):
        np.testing.assert_allclose(
            value, want, rtol=0, atol=RTOL * np.abs(want).max(initial=0) + room
        )
'''


_SAME_STEPS = """

@pytest.fixture(autouse=True)
def steps_draw_the_same_numbers(monkeypatch):
    \"\"\"In a loop, as the graph was given the numbers of one step.\"\"\"
    monkeypatch.setattr(jax.random, "fold_in", lambda key, step: key)
"""

_SLOPES_COMPARED = """
    def loss(params):
        outputs = {model}(*inputs)
        return total(outputs), outputs

    slopes, outputs = jax.grad(loss, has_aux=True, allow_int=True)(params)
    return outputs, slopes""".strip("\n")

_VALUES_COMPARED = """
    # JAX has no gradient of a loop of which only the run tells how long it is.
    return {model}(*inputs)""".strip("\n")

_TRAINING_TEST = """

def by_name(params, given):
    leaves, tree = jax.tree.flatten_with_path(params)
    named = {{"/".join(key.key for key in path): value for path, value in leaves}}
    return jax.tree.unflatten(
        tree, [given.get(name, jnp.zeros_like(value)) for name, value in named.items()]
    )


def test_optimizer_walks_as_the_graph():
    params = {module}.load_params()
    state = {module}.optimizer.init(params)
    with np.load(BATCHES) as data:
        recorded = dict(data)
    for step in range({steps}):
        prefix = f"step {{step}} gradient "
        given = {{k.removeprefix(prefix): v for k, v in recorded.items() if k.startswith(prefix)}}
        grads = by_name(params, given)
{rows}{update}
        params = jax.tree.map(jnp.add, params, updates)
        for path, value in jax.tree_util.tree_leaves_with_path(params):
            name = "/".join(key.key for key in path)
            if name in given:
                want = recorded[f"step {{step}} after {{name}}"]
                atol = RTOL * np.abs(want).max() + recorded[f"step {{step}} rounding {{name}}"]
                np.testing.assert_allclose(value, want, rtol=0, atol=atol)
"""


_ROWS = """\
        prefix = f"step {step} rows "
        rows = {k.removeprefix(prefix): v for k, v in recorded.items() if k.startswith(prefix)}
"""

_RATE = ', learning_rate=recorded[f"step {step} learning_rate"]'

_GRADIENTS_TEST = """

def test_gradients():
    params = {module}.load_params()
    with np.load(BATCHES) as data:
        recorded = dict(data)
    inputs = [value for key, value in recorded.items() if key.startswith("0_input_")]
    _, grads = {module}.gradients(params, {first_key}*inputs)
    for path, value in jax.tree_util.tree_leaves_with_path(grads):
        name = "/".join(key.key for key in path)
        want = recorded.get(f"step 0 gradient {{name}}", np.zeros_like(value))
        room = recorded.get(f"rounding gradient {{name}}", 0)
        atol = RTOL * np.abs(want).max(initial=0) + room
        np.testing.assert_allclose(value, want, rtol=0, atol=atol)
"""

_STEP_TEST = """

def test_train_step():
    params = {module}.load_params()
    with np.load(BATCHES) as data:
        inputs = [data[key] for key in data if key.startswith({kinds})]
        prefix = "moved "
        moved = {{k.removeprefix(prefix): data[k] for k in data if k.startswith(prefix)}}
    state = {module}.optimizer.init(params)
    params, _, loss = jax.jit({module}.train_step)(params, state, {first_key}*inputs)
    assert jnp.isfinite(loss)
    for path, value in jax.tree_util.tree_leaves_with_path(params):
        name = "/".join(key.key for key in path)
        if name in moved:
            atol = RTOL * np.abs(moved[name]).max()
            np.testing.assert_allclose(value, moved[name], rtol=0, atol=atol)
"""

_INITIAL_TEST = """

def test_new_weights_have_the_form_of_the_old():
    new, old = {module}.init_params({new}), {module}.load_params()
    assert jax.tree.map(jnp.shape, new) == jax.tree.map(jnp.shape, old)
"""


def test_text(module: str, written: Any, count: int) -> str:
    """The test of a written module.

    Args:
      module: its name.
      written: what is known of it.
      count: how many batches there are.
    """
    more = _SAME_STEPS if written.draws_in_loops else ""
    more += _TRAINING_TEST if written.trains else ""
    if written.trains:
        more += (_GRADIENTS_TEST if written.is_direct else "") + _STEP_TEST
    if written.initializes is not None:
        more += _INITIAL_TEST
    model = f"{module}.Model(params)" if written.flax else f"{module}.model"
    given = f"{module}.applied(grads)" if written.changes_gradients else "grads"
    told = f"{', rows=rows' * written.has_rows}{_RATE * written.is_told}"
    update = f"updates, state = {module}.optimizer.update({given}, state, params{told})"
    run = _SLOPES_COMPARED if written.has_slopes else _VALUES_COMPARED
    text = (_TEST + more).format(
        module=module,
        batches=f"{module}_batches.npz",
        count=count,
        rtol=source_check.RTOL,
        run=run.format(model=model).replace("(*", "(*" if written.flax else "(params, *"),
        key="jax.random.key(batch), " if written.draws else "",
        first_key="jax.random.key(0), " if written.draws else "",
        inputs=written.inputs_text,
        steps=STEPS,
        new=written.initializes,
        rows=_ROWS if written.has_rows else "",
        kinds='("0_input_", "0_rate_")' if written.rate_inputs else '"0_input_"',
        update="\n".join(f"        {line}" for line in wrapped(update, 2)),
    )
    return text if written.has_slopes else _without_total(text)


def _without_total(test: str) -> str:
    start = test.index("def total(")
    return test[:start] + test[test.index("@jax.jit") :]
