"""Whether a JAX function does what a TensorFlow 1 graph does."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.api.training import checkpoint_utils
from tf1compat.core import context
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.params import RANDOM
from tf1compat.migrate.to_jax import to_jax
from tf1compat.testing.weights import match_weights

# Where functions have corners, and what tells a factor from a sum.
_EDGES = (0.0, 1.0, -1.0, 0.5, -2.0)
# Sizes of dimensions that the graph leaves open.
_SIZES = (1, 3)


class Mismatch(AssertionError):
    """A function and a graph part."""


def assert_same(
    jax_fn: Callable[..., Any],
    fetches: Any,
    inputs: Sequence[Tensor] | Mapping[Tensor, tuple[float, float]],
    params: Any = None,
    *,
    session: Any = None,
    gradients: bool = True,
    rtol: float = 1e-5,
    examples: int = 20,
) -> None:
    """Checks that a JAX function gives what a graph gives, on random inputs and edge cases.

    Args:
      jax_fn: is called as `jax_fn(params, *inputs)`, or `jax_fn(*inputs)` if `params` is None.
      fetches: a tensor, or a nested structure like what `jax_fn` returns.
      inputs: the placeholders, in order; or each with the range of its values, (-2, 2) by default
        and (0, 1) for integers. Dimensions of unknown size get the same sizes in all of them.
      params: what the function takes, with arrays or forms for leaves; `match_weights` fills it
        with the session's weights.
      session: has the weights; the default session if None.
      gradients: whether `jax.grad` of the function has to be `tf.gradients`, with respect to float
        inputs and params.
      rtol: how much a value may differ, relative to the largest of its array.
      examples: how many inputs to try.

    Raises:
      Mismatch: they part; it says at which fetch or gradient, where in it, and for which inputs.
      ValueError: the weights can't be matched (see `match_weights`).
    """
    ranges = dict(inputs) if isinstance(inputs, Mapping) else dict.fromkeys(inputs)
    session = session if session is not None else context.default_session()
    graph_fn, weights = to_jax(fetches, list(ranges), session)
    trained = {name: value for name, value in weights.items() if not name.startswith(RANDOM)}
    matched = None
    names = None
    if params is not None:
        matched = match_weights(params, trained)
        names = match_weights(params, {name: _Named(name, v) for name, v in trained.items()})

    def of_graph(matched: Any, *values: Any) -> Any:
        given = dict(weights)
        if matched is not None:
            pairs = zip(jax.tree.leaves(names), jax.tree.leaves(matched), strict=True)
            given.update((leaf.name, value) for leaf, value in pairs)
        return graph_fn(given, *values)

    def of_rewrite(matched: Any, *values: Any) -> Any:
        return jax_fn(*values) if matched is None else jax_fn(matched, *values)

    wanted_of, found_of = (_evaluated(fn, gradients) for fn in (of_graph, of_rewrite))
    labels = [tensor.name for tensor in ranges]

    def check(values: list[np.ndarray]) -> None:
        wanted, found = wanted_of(matched, values), found_of(matched, values)
        for (where, a), (_, b) in zip(_leaves(wanted, labels), _leaves(found, labels), strict=True):
            _compare(where, np.asarray(a), np.asarray(b), rtol, dict(zip(labels, values)))

    _try(check, ranges, examples)


class _Named:
    """A weight's name, with its shape."""

    def __init__(self, name: str, value: Any):
        self.name = name
        self.shape = np.shape(value)


def _evaluated(fn: Callable[..., Any], gradients: bool) -> Callable[..., Any]:
    """A compiled function that gives what `fn` returns, and the gradients of a sum of it."""

    def total(floats: Any, matched: Any, values: list[Any]) -> tuple[Any, Any]:
        floating, weights = floats
        merged = [floating.get(i, value) for i, value in enumerate(values)]
        outputs = fn(weights if matched is not None else None, *merged)
        parts = [x for x in jax.tree.leaves(outputs) if jnp.issubdtype(x.dtype, jnp.floating)]
        # Each element counts otherwise, so that none can stand in for another.
        weighed = (jnp.sum(x * jnp.cos(jnp.arange(x.size)).reshape(x.shape)) for x in parts)
        return sum(weighed, jnp.float32(0.0)), outputs

    def run(matched: Any, values: list[Any]) -> Any:
        floating = {i: v for i, v in enumerate(values) if jnp.issubdtype(v.dtype, jnp.floating)}
        if not gradients:
            return total((floating, matched), matched, values)[1], ({}, None)
        grads, outputs = jax.grad(total, has_aux=True, allow_int=True)(
            (floating, matched), matched, values
        )
        return outputs, grads

    return jax.jit(run)


def _leaves(evaluated: Any, labels: Sequence[str]) -> list[tuple[str, Any]]:
    outputs, (of_inputs, of_params) = evaluated
    found = [
        (f"the fetch{jax.tree_util.keystr(path)}", leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(outputs)
    ]
    found += [(f"the gradient of {labels[i]}", of_inputs[i]) for i in sorted(of_inputs)]
    return found + [
        (f"the gradient of params{jax.tree_util.keystr(path)}", leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(of_params)
        if leaf.dtype != jax.dtypes.float0
    ]


def _compare(
    where: str, wanted: np.ndarray, found: np.ndarray, rtol: float, inputs: dict[str, Any]
) -> None:
    given = "".join(f"\n  {name} = {np.array2string(v)}" for name, v in inputs.items())
    if wanted.shape != found.shape:
        raise Mismatch(
            f"{where} has shape {list(found.shape)}, in the graph {list(wanted.shape)}, for{given}"
        )
    wanted, found = np.atleast_1d(wanted), np.atleast_1d(found)
    finite = np.isfinite(wanted)
    scale = max(np.max(np.abs(wanted), initial=0.0, where=finite), 1e-3)
    with np.errstate(invalid="ignore"):
        error = np.where(wanted == found, 0.0, np.abs(wanted.astype(np.float64) - found) / scale)
    error = np.where(np.isnan(wanted) & np.isnan(found), 0.0, error)
    error = np.where(np.isnan(error), np.inf, error)
    if error.size and error.max() > rtol:
        at = tuple(int(i) for i in np.unravel_index(np.argmax(error), error.shape))
        raise Mismatch(
            f"{where} at {list(at)} is {found[at]!r}, in the graph {wanted[at]!r} (relative error "
            f"{error[at]:.2g}; {int((error > rtol).sum())} of {error.size} elements differ), "
            f"for{given}"
        )


def _try(
    check: Callable[[list[np.ndarray]], None], ranges: dict[Tensor, Any], examples: int
) -> None:
    """Calls `check` with inputs; hypothesis looks for the simplest ones that fail."""
    try:
        import hypothesis
        from hypothesis import strategies
        from hypothesis.extra import numpy as arrays
    except ImportError:
        raise ImportError("assert_same needs hypothesis: pip install hypothesis") from None

    @strategies.composite
    def values(draw: Any) -> list[np.ndarray]:
        size = draw(strategies.sampled_from(_SIZES))
        found = []
        for tensor, limits in ranges.items():
            shape = tuple(size if dim is None else dim for dim in tensor._shape or ())
            dtype = np.dtype(tensor._dtype.as_numpy_dtype)
            found.append(draw(arrays.arrays(dtype, shape, elements=_elements(dtype, limits))))
        return found

    def _elements(dtype: np.dtype, limits: tuple[float, float] | None) -> Any:
        if dtype.kind == "b":
            return strategies.booleans()
        if dtype.kind in "iu":
            low, high = limits or (0, 1)
            return strategies.integers(int(low), int(high))
        low, high = limits or (-2.0, 2.0)
        edges = [edge for edge in _EDGES if low <= edge <= high] or [low]
        numbers = strategies.floats(low, high, width=32, allow_subnormal=False)
        return strategies.sampled_from(edges) | numbers

    every: Any = list(hypothesis.HealthCheck)
    settings = hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=every,
    )
    settings(hypothesis.given(values())(lambda values: check(values)))()


def assert_checkpoint_same(path: str | os.PathLike[str], session: Any, rtol: float = 0.0) -> None:
    """Checks that a session's variables have the values of a checkpoint.

    Args:
      path: the checkpoint's prefix, or its folder.
      rtol: how much a value may differ, relative to the largest of its variable.

    Raises:
      Mismatch: a variable is on one side only, or has another value; all are named.
    """
    reader = checkpoint_utils.load_checkpoint(os.fspath(path))
    saved = set(reader.get_variable_to_shape_map())
    from tf1compat.api.variables import variables

    with session.graph.as_default():
        known = {variable.op.name: variable for variable in variables.global_variables()}
    values = session.run({name: known[name] for name in sorted(saved & set(known))})
    wrong = [f"{name} is in the checkpoint only" for name in sorted(saved - set(known))]
    wrong += [f"{name} is in the session only" for name in sorted(set(known) - saved)]
    for name, value in values.items():
        try:
            _compare(name, np.asarray(reader.get_tensor(name)), np.asarray(value), rtol, {})
        except Mismatch as error:
            wrong.append(str(error).removesuffix(", for").replace("the graph", "the checkpoint"))
    if wrong:
        raise Mismatch("\n".join(wrong))
