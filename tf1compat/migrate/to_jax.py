"""A recorded graph as a pure JAX function whose `jax.grad` is `tf.gradients`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from tf1compat.core import context, ops
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate.part import Part
from tf1compat.runtime import fetches as fetches_lib


def to_jax(
    fetches: Any,
    inputs: Any,
    session: Any = None,
    *,
    random: Literal["state", "keys"] = "state",
    checks: Literal["drop", "checkify"] = "drop",
    returns_params: bool | None = None,
    most_iterations: int | None = None,
    padded: bool = False,
    most_segments: int | None = None,
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Turns a part of a recorded graph into a pure JAX function.

    What writes variables (a training operation, an initializer) becomes a step
    `fn(params, *inputs) -> (params, fetches)`; the variables of optimizers are among the params.
    What only reads them becomes `fn(params, *inputs) -> fetches`.

    `tf.stop_gradient` becomes `lax.stop_gradient`; an op whose gradient is not JAX's own (an
    override, a registered or custom gradient, TF's choice at a kink) becomes a `jax.custom_vjp`
    with the gradient that `tf.gradients` records. `jax.jit`, `jax.grad` and `jax.vmap` work on the
    function (`jax.grad` of all params wants `allow_int=True` where a generator is among them). Its
    float64 and int64 are real if `jax_enable_x64` is set.

    Args:
      fetches: what `Session.run` takes: a tensor, operation or variable, or a nested structure.
      inputs: the tensors (usually placeholders) that become arguments: one, or a list. An argument
        of integers or bools that is no JAX array is known when the function is traced, and may
        decide shapes and branches.
      session: holds the variables' values; the default session if None.
      random: "state": the generators of random ops are in `params`, as in the session, so the step
        draws the session's numbers (a function that returns no params draws the same ones in every
        call). "keys": the function takes a key of `jax.random` after `params`, and draws other
        numbers for each.
      checks: what becomes of what TF checks while it runs (an index out of range, `tf.Assert`).
        "drop": nothing is checked, and JAX's rules for such values hold. "checkify": a failed check
        is an error of `jax.experimental.checkify`, to which the function is to be given.
      returns_params: whether the function returns new params before its results; None: if it writes
        variables.
      most_iterations: how often those loops run at most of which only the run tells, so that what
        they fill has that much room; a run that needs more fails a check.
      padded: whether the arrays that such loops fill, one element after the other, count as
        `most_iterations` long: behind what a run wrote are zeros. So `dynamic_decode`, whose
        results are as long as the longest row, can be compiled. What counts all elements (a mean
        over the steps) gets the zeros too.
      most_segments: how many rows `tf.segment_sum`, `tf.sparse_segment_mean` and the like give
        where only the last segment id tells, which only the run knows; for
        `tf.nn.embedding_lookup_sparse` that is the batch's size. Behind the last segment are the
        rows of empty ones; a run that has more segments fails a check.

    Returns:
      (fn, params): `params` maps variable names (and, for random ops, "random:" and the op's name)
      to arrays. The function also takes `by_scope(params)`, and then returns the like; its
      attribute `returns_params` tells which form it has.

    Raises:
      ValueError: a variable or table has no value, or there is no session to read it from.
      NotImplementedError: something is not a function of arrays (strings, files, Python with side
        effects), or on the host with shapes that are not known; it is named, with its line.
    """
    if random not in ("state", "keys") or checks not in ("drop", "checkify"):
        raise ValueError(f"No such way: random={random!r}, checks={checks!r}")
    if padded and most_iterations is None:
        raise ValueError("`padded` arrays are as long as `most_iterations`, which is not given")
    feeds = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    graph = feeds[0].graph if feeds else graph_of(fetches)
    fetch = fetches_lib.fetch_of(graph, fetches)
    part = Part(fetch.elements, feeds, most_iterations, padded, most_segments)
    session = session if session is not None else context.default_session()
    params = part.params(session, random == "state")
    keyed = random == "keys" and bool(part.random)
    returned = part.writes if returns_params is None else returns_params

    def fn(params: dict[str, Any], *args: Any) -> Any:
        if len(args) != len(feeds) + keyed:
            raise TypeError(f"expected {'a key and ' * keyed}{len(feeds)} inputs, got {len(args)}")
        key, args = (args[0], args[1:]) if keyed else (None, args)
        made, values = part(params_lib.flat(params), args, key, checks == "checkify")
        results = fetch.build(values)
        return (params_lib.like(params, made), results) if returned else results

    fn.returns_params = returned  # pyright: ignore[reportFunctionMemberAccess]
    return fn, params


def graph_of(fetches: Any) -> Any:
    """The graph of the first fetch that has one; else the default graph."""
    stack = [fetches]
    while stack:
        item = stack.pop()
        if isinstance(item, list | tuple):
            stack.extend(reversed(list(item)))
        elif isinstance(item, Mapping):
            stack.extend(reversed(list(item.values())))
        elif getattr(item, "graph", None) is not None:
            return item.graph
    return ops.get_default_graph()
