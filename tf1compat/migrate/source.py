"""A graph as Python source: a function for each variable scope, with its weights and a test."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate.source_body import Body
from tf1compat.migrate.source_layers import HELPERS
from tf1compat.migrate.source_module import IMPORTS, Module, paths, steps_of
from tf1compat.migrate.source_needs import CannotWrite as CannotWrite
from tf1compat.migrate.source_text import Expr, free_name, function, returning
from tf1compat.migrate.to_jax import to_jax

# How much the source may differ, relative to the largest element.
_RTOL = 1e-6

_HEAD = '''"""{title}

Written by `python -m tf1compat migrate`; it needs JAX and NumPy alone.
"""

{imports}

WEIGHTS = Path(__file__).with_name("{weights}")
'''

_LOAD = '''def load_params(path=WEIGHTS):
    """The weights, as a nested dict by variable scope."""
    params = {}
    with np.load(path) as data:
        for i, name in enumerate(data["names"]):
            *scopes, last = str(name).split("|")
            at = params
            for scope in scopes:
                at = at.setdefault(scope, {})
            at[last] = jnp.asarray(data[str(i)])
    return params'''

_TEST = '''"""Compares {module}.py with the graph that it was written from, on recorded batches."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import {module}

RTOL = {rtol}  # relative to the largest element
BATCHES = Path(__file__).with_name("{batches}")


def total(outputs):
    """A sum in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    return sum(jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)


@pytest.mark.parametrize("batch", range({count}))
def test_same_as_the_graph(batch):
    params = {module}.load_params()
    with np.load(BATCHES) as data:
        inputs, outputs, gradients = (
            [data[key] for key in data if key.startswith(f"{{batch}}_{{kind}}_")]
            for kind in ("input", "output", "gradient")
        )

    def loss(params):
        values = {module}.model(params{key}, *inputs)
        return total(values), values

    slopes, values = jax.jit(jax.grad(loss, has_aux=True, allow_int=True))(params)
    found = jax.tree.leaves(values)
    slopes = [x for x in jax.tree.leaves(slopes) if jnp.issubdtype(x.dtype, jnp.floating)]
    for wanted, value in zip(outputs + gradients, found + slopes, strict=True):
        scale = max(float(np.abs(wanted).max(initial=0)), 1e-6)
        np.testing.assert_allclose(value, wanted, rtol=0, atol=RTOL * scale)
'''


def write_source(
    path: str | os.PathLike[str],
    fetches: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    session: Any = None,
    batches: Sequence[Sequence[Any]] = (),
) -> None:
    """Writes a part of a recorded graph as Python source.

    Beside `model.py` are written `model_weights.npz`, `model_batches.npz` and `test_model.py`,
    which compares values and gradients with the graph's. `model(params, *inputs)` is the function;
    it gives an array, or a dict of them for several fetches. If the graph draws random numbers, it
    takes a key of `jax.random` after `params`.

    Args:
      path: the source to write.
      fetches: tensors, by the names of results.
      inputs: placeholders, by the names of arguments.
      session: has the weights; the default session if None.
      batches: values of the inputs for the test; random ones if empty.

    Raises:
      CannotWrite: an operation that there is no source for; it is named, with its line. Nothing is
        written then.
    """
    target = Path(path)
    written = _Written(dict(fetches), dict(inputs), session)
    title = f"The graph of {', '.join(fetches)}, in JAX."
    text = written.text(title, f"{target.stem}_weights.npz")
    batches = batches or [_random_batch(inputs, seed) for seed in range(2)]
    recorded = written.recorded(batches)
    _check(text, params_lib.by_scope(written.weights), recorded, len(batches))
    files = {target: text, target.with_name(f"test_{target.stem}.py"): _test(target.stem, written, len(batches))}
    target.parent.mkdir(parents=True, exist_ok=True)
    _save_weights(target.with_name(f"{target.stem}_weights.npz"), written.weights)
    np.savez(target.with_name(f"{target.stem}_batches.npz"), **recorded)  # pyright: ignore[reportArgumentType]
    for file, content in files.items():
        file.write_text(content)


def _save_weights(path: Path, weights: Mapping[str, Any]) -> None:
    found = paths(params_lib.by_scope(weights))
    numbered: dict[str, Any] = {str(i): np.asarray(v) for i, v in enumerate(found.values())}
    names = np.array(["|".join(path) for path in found], dtype=np.str_)
    np.savez(path, names=names, **numbered)


def _test(module: str, written: _Written, count: int) -> str:
    return _TEST.format(
        module=module,
        batches=f"{module}_batches.npz",
        count=count,
        rtol=_RTOL,
        key=", jax.random.key(batch)" if written.draws else "",
    )


class _Written:
    """A graph and its source.

    Attributes:
      weights: the params by name, and large constants.
      draws: the outputs of random operations in the graph, which the source makes by itself.
    """

    def __init__(self, fetches: dict[str, Tensor], inputs: dict[str, Tensor], session: Any):
        self._fetches, self._inputs = fetches, inputs
        feeds = set(inputs.values())
        graph = next(iter(fetches.values())).graph
        self._steps = steps_of(list(fetches.values()), feeds, graph)
        _, self._params = to_jax(fetches, list(inputs.values()), session, returns_params=False)
        self._params = {
            name: value
            for name, value in self._params.items()
            if not name.startswith(params_lib.RANDOM)
        }
        self._module = Module(set(self._params), self._steps, ("model",))
        self._model = self._function("model", "The whole graph.", self._module, fetches)
        self.draws = [t for op in self._module.random for t in op._outputs]
        self.weights = {**self._params, **self._module.constants}
        self._session = session

    def _function(
        self, name: str, title: str, module: Module, results: Mapping[str, Tensor]
    ) -> list[str]:
        names: set[str] = {"params", "key", "keys"}
        given = {t: Expr(free_name(n, names, module.names)) for n, t in self._inputs.items()}
        body = Body(module, given, "", names)
        body.write(self._steps, set(results.values()))
        values = {key: body.value(tensor).text for key, tensor in results.items()}
        whole = next(iter(values.values()))
        if len(values) > 1:
            items = (f'"{key}": {value}' for key, value in values.items())
            whole = f"{{{', '.join(items)}}}"
        lines = body.finished()
        key = ["key"] if module.random else []
        if module.random:
            lines = [f"keys = jax.random.split(key, {len(module.random)})", *lines]
        arguments = ", ".join(["params", *key, *(e.text for e in given.values())])
        return function(name, arguments, title, returning(lines, whole, 1))

    def text(self, title: str, weights: str) -> str:
        """The source."""
        return _text(title, weights, [_LOAD.split("\n")], self._module, self._model)

    def recorded(self, batches: Sequence[Sequence[Any]]) -> dict[str, np.ndarray]:
        """What the test compares with: the graph's values, given the source's random numbers."""
        tensors = list(self._inputs.values())
        fn, params = to_jax(
            self._fetches, [*tensors, *self.draws], self._session, returns_params=False
        )
        params = {name: params[name] for name in self._params if name in params}
        more = {n: v for n, v in self.weights.items() if n not in params}
        zeros = {name: np.zeros_like(value) for name, value in more.items()}
        found = {}
        for i, batch in enumerate(batches):
            values = [np.asarray(v, t._dtype.as_numpy_dtype) for v, t in zip(batch, tensors)]
            given = [*values, *self._drawn(i, values)]
            outputs, slopes = values_and_slopes(lambda params: fn(params, *given), params)
            slopes = params_lib.by_scope({**slopes, **zeros})
            for kind, parts in (
                ("input", values),
                ("output", jax.tree.leaves(outputs)),
                ("gradient", _floats(slopes)),
            ):
                found.update({f"{i}_{kind}_{j:03}": np.asarray(v) for j, v in enumerate(parts)})
        return found

    def _drawn(self, seed: int, values: list[Any]) -> list[Any]:
        """The random numbers that the source draws."""
        if not self.draws:
            return []
        module = Module(set(self._params), self._steps, ("model",))
        module.random = list(self._module.random)
        results = {str(i): tensor for i, tensor in enumerate(self.draws)}
        lines = self._function("drawn", "", module, results)
        namespace = _namespace(_text("", "none", [], module, lines))
        params = params_lib.by_scope({**self._params, **module.constants})
        found = namespace["drawn"](params, jax.random.key(seed), *values)
        return [found[key] for key in results] if len(results) > 1 else [found]


def _floats(tree: Any) -> list[Any]:
    return [x for x in jax.tree.leaves(tree) if jnp.issubdtype(x.dtype, jnp.floating)]


def _text(
    title: str, weights: str, first: list[list[str]], module: Module, model: list[str]
) -> str:
    parts = ["\n".join(lines) for _, lines in module.functions] + ["\n".join(model)]
    helpers: list[str] = []
    waiting = list(parts)
    while waiting:
        part = waiting.pop()
        for name, helper in HELPERS.items():
            if helper not in helpers and re.search(rf"\b{name}\(", part):
                helpers.append(helper)
                waiting.append(helper)
    helpers.sort(key=list(HELPERS.values()).index)
    parts = ["\n".join(lines) for lines in first] + helpers + parts
    used = [
        line
        for name, line in IMPORTS.items()
        if any(re.search(rf"(?<![.\w]){name}\.", part) for part in parts)
    ]
    standard = [line for line in used if line in ("import functools", "import math")]
    others = [line for line in used if line not in standard]
    imports = "\n".join([*standard, "from pathlib import Path", "", *others])
    head = _HEAD.format(title=title, weights=weights, imports=imports)
    return "\n\n\n".join([head.rstrip("\n"), *parts]) + "\n"


def _namespace(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {"__file__": "model.py"}
    exec(compile(text, "<the source>", "exec"), found)
    return found


def _check(text: str, params: Any, recorded: Mapping[str, Any], batches: int) -> None:
    """Raises CannotWrite unless the source does what its test wants."""
    model = _namespace(text)["model"]
    names = [jax.tree_util.keystr(p) for p, v in jax.tree_util.tree_leaves_with_path(params)]
    for batch in range(batches):
        inputs, outputs, slopes = (
            [value for key, value in recorded.items() if key.startswith(f"{batch}_{kind}_")]
            for kind in ("input", "output", "gradient")
        )
        if "def model(params, key" in text:
            inputs.insert(0, jax.random.key(batch))
        values, grads = values_and_slopes(lambda params: model(params, *inputs), params)
        found, grads = jax.tree.leaves(values), _floats(grads)
        labels = [*(f"result {i}" for i in range(len(found))), *(f"gradient of {p}" for p in names)]
        for name, wanted, value in zip(labels, outputs + slopes, found + grads, strict=False):
            scale = max(float(np.abs(wanted).max(initial=0)), 1e-6)
            if not np.abs(np.asarray(value, wanted.dtype) - wanted).max(initial=0) <= _RTOL * scale:
                worst = np.abs(np.asarray(value, wanted.dtype) - wanted).max(initial=0) / scale
                raise CannotWrite(
                    f"What was written is not the graph: its {name} differs by {worst:.1e}"
                )


def values_and_slopes(fn: Any, params: Any) -> Any:
    """What a function gives, and the gradients of the `total` of it."""

    def both(params: Any) -> Any:
        outputs = fn(params)
        return total(outputs), outputs

    run = jax.jit(jax.grad(both, has_aux=True, allow_int=True))
    slopes, outputs = run(params)
    return outputs, slopes


def total(outputs: Any) -> Any:
    """A sum of floats in which each element counts otherwise."""
    parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
    weighed = (jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)
    return sum(weighed, jnp.float32(0.0))


def _random_batch(inputs: Mapping[str, Tensor], seed: int) -> list[np.ndarray]:
    random = np.random.RandomState(seed)
    values = []
    for tensor in inputs.values():
        shape = [3 if dim is None else dim for dim in tensor._shape or ()]
        dtype = np.dtype(tensor._dtype.as_numpy_dtype)
        whole = dtype.kind in "iub"
        values.append(np.asarray(random.randint(0, 2, shape) if whole else random.randn(*shape)))
        values[-1] = values[-1].astype(dtype)
    return values
