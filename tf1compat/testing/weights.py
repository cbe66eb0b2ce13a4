"""Which weight of a graph is which of a rewrite: by shape, then by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np


def match_weights(params: Any, weights: Mapping[str, Any]) -> Any:
    """Fills the params of a rewrite with the weights of a graph.

    Each leaf takes a weight of its own shape, and of those the one whose name is most like the
    leaf's path; a leaf that cannot be told from another one is an error.

    Args:
      params: a pytree of arrays, or of anything with a shape.
      weights: arrays by variable name, as `to_jax` gives them.

    Returns:
      `params` with weights for leaves; they keep their dtypes.

    Raises:
      ValueError: a leaf has no weight, or more than one that is as good.
    """
    leaves, tree = jax.tree_util.tree_flatten_with_path(params)
    paths = [_words(jax.tree_util.keystr(path)) for path, _ in leaves]
    named = {name: _words(name) for name in weights}
    scores = [
        (_likeness(paths[i], named[name]), i, name)
        for i, (_, leaf) in enumerate(leaves)
        for name, weight in weights.items()
        if np.shape(leaf) == np.shape(weight)
    ]
    chosen: dict[int, str] = {}
    taken: set[str] = set()
    for score, i, name in sorted(scores, key=lambda item: -item[0]):
        if i in chosen or name in taken:
            continue
        rivals = [
            other
            for other_score, j, other in scores
            if j == i and other_score == score and other not in taken and other != name
        ]
        if rivals:
            where = jax.tree_util.keystr(leaves[i][0])
            raise ValueError(f"params{where} may be {name} or {', '.join(rivals)}: name it alike")
        chosen[i] = name
        taken.add(name)
    for i, (path, leaf) in enumerate(leaves):
        if i not in chosen:
            left = ", ".join(
                f"{name} {list(np.shape(weight))}"
                for name, weight in weights.items()
                if name not in taken
            )
            raise ValueError(
                f"params{jax.tree_util.keystr(path)} of shape {list(np.shape(leaf))} has no weight "
                f"in the graph; left are: {left or 'none'}"
            )
    return jax.tree.unflatten(tree, [weights[chosen[i]] for i in range(len(leaves))])


def _words(path: str) -> str:
    return "/".join(re.findall(r"[a-z0-9_]+", path.lower()))


def _likeness(path: str, name: str) -> float:
    return difflib.SequenceMatcher(None, path, name, autojunk=False).ratio()
