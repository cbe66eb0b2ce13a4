"""`tensorflow.python.eager.imperative_grad`: the walk of a tape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tf1compat.api.eager import backprop
from tf1compat.api.gradients.gradients_impl import UnconnectedGradients
from tf1compat.core.tape import Tape


class VSpace(NamedTuple):
    """How gradients are added and begun; the walk does so by itself."""

    aggregate_fn: Any
    num_elements_fn: Any
    zeros_fn: Any
    ones_fn: Any
    graph_shape_fn: Any


def imperative_grad(
    tape: Tape,
    target: Sequence[Any],
    sources: Sequence[Any],
    output_gradients: Sequence[Any] | None = None,
    sources_raw: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of targets by sources, from what a tape recorded.

    Args:
      tape: the tape.
      target, sources: flat lists of tensors.
      output_gradients: one for each target; ones by default.
      sources_raw: unused.
      unconnected_gradients: what stands for no gradient.

    Raises:
      ValueError: an unknown value of `unconnected_gradients`.
    """
    return backprop.imperative_grad(tape, target, sources, output_gradients, unconnected_gradients)
