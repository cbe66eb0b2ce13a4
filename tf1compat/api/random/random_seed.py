"""Random seeds: how a graph seed and an op seed become the two seeds that a random op carries."""

from __future__ import annotations

import random
from typing import Any

from tf1compat.core import context, eager
from tf1compat.core.export import tf_export

# The graph seed of an op that has a seed of its own in a graph that has none.
DEFAULT_GRAPH_SEED = 87654321
_MAX_INT32 = 2**31 - 1


class _EagerSeed:
    """The global seed of eager execution, and the op seeds that it gives to ops without one."""

    def __init__(self) -> None:
        self.given = 0
        self.set(None)

    def set(self, seed: int | None) -> None:
        self.seed = eager.global_seed = seed
        self._op_seeds = random.Random(seed)
        # As in TF 1.15, generators of ops that ran already begin anew.
        if eager.forget_generators is not None:
            eager.forget_generators()

    def next_op_seed(self) -> int:
        return self._op_seeds.randint(0, _MAX_INT32)


_eager = _EagerSeed()


def _truncate_seed(seed: Any) -> int:
    return seed % _MAX_INT32


def given() -> int:
    """How many seeds `get_seed` has given in eager execution."""
    return _eager.given


@tf_export("random.get_seed", "get_seed")
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds for a random op created now (as `tf.get_seed` in TF 1.15).

    Args:
      op_seed: the seed given to the op, or None.

    Returns:
      (graph seed, op seed): both None if neither is set, so that the op draws other numbers in
      every session.  An op without a seed in a graph with one takes the number of operations
      created so far.
    """
    eager = context.executing_eagerly()
    graph = None if eager else context.default_graph()
    graph_seed = _eager.seed if graph is None else graph.seed
    if graph_seed is not None:
        if op_seed is None:
            if graph is not None and hasattr(graph, "_seed_used"):
                graph._seed_used = True
            op_seed = _eager.next_op_seed() if graph is None else graph._last_id
        seeds = _truncate_seed(graph_seed), _truncate_seed(op_seed)
    elif op_seed is not None:
        seeds = DEFAULT_GRAPH_SEED, _truncate_seed(op_seed)
    else:
        return None, None
    if eager:
        _eager.given += 1
    # To the kernels two zeros mean "no seed".
    return (0, _MAX_INT32) if seeds == (0, 0) else seeds


@tf_export("random.set_random_seed", "set_random_seed")
def set_random_seed(seed: int | None) -> None:
    """Sets the seed of the default graph, or of eager execution (as `tf.set_random_seed`).

    Args:
      seed: an integer, or None for no seed.
    """
    if context.executing_eagerly():
        _eager.set(seed)
    else:
        context.default_graph().seed = seed


@tf_export("compat.v2.random.set_seed")
def set_seed(seed: int) -> None:
    """`set_random_seed` under its name in TF 2.

    Args:
      seed: an int.
    """
    set_random_seed(seed)
