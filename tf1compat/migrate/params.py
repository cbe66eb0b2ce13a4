"""What an exported function takes as `params`: arrays by variable name, flat or by scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The generator of a random op is a parameter of this name and the op's.
RANDOM = "random:"


def by_scope(params: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays by variable name as a nested dict by variable scope.

    A name below that of another variable stays one key: with "dense/kernel" and its slot
    "dense/kernel/Adam" there is `{"dense": {"kernel": ..., "kernel/Adam": ...}}`. Generators of
    random ops ("random:" and a name) stay at the top.

    Args:
      params: arrays by name, as `to_jax` gives them.

    Returns:
      The nested dict. Functions of `to_jax` take it as well, and `flat` takes it apart again.
    """
    nested: dict[str, Any] = {}
    for name in sorted(params):
        at, rest = nested, name
        while not rest.startswith(RANDOM):
            scope, slash, below = rest.partition("/")
            inside = at.get(scope, {})
            if not slash or not isinstance(inside, dict):
                break
            at, rest = at.setdefault(scope, inside), below
        at[rest] = params[name]
    return nested


def flat(params: Mapping[str, Any]) -> dict[str, Any]:
    """What `by_scope` nested, by variable name again; what is flat stays as it is."""
    found: dict[str, Any] = {}
    for name, value in params.items():
        if isinstance(value, Mapping):
            found.update((f"{name}/{below}", inner) for below, inner in flat(value).items())
        else:
            found[name] = value
    return found


def like(params: Mapping[str, Any], updated: Mapping[str, Any]) -> dict[str, Any]:
    """`params` with other values, in its own form: flat or nested."""
    nested = any(isinstance(value, Mapping) for value in params.values())
    whole = {**flat(params), **updated}
    return by_scope(whole) if nested else whole
