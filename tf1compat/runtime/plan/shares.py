"""Inputs of a region of which each tower needs its own part alone.

A batch that is fed as a whole and split among the towers, or a batch of each tower's own: neither
has to go to devices that do not look at it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import constants
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.towers import Siblings, Towers


class Share(NamedTuple):
    """What each device gets its own part of.

    Attributes:
      tensors: what the towers are given.
      inputs: the region's inputs behind it: the one that is split, or `tensors` themselves.
      axis: along which the one is split.
      split: what splits it, and need not run; None if nothing does.
    """

    tensors: Siblings
    inputs: tuple[Tensor, ...]
    axis: int
    split: Operation | None


def shares(
    steps: Sequence[Any],
    inputs: Collection[Tensor],
    outputs: Collection[Tensor],
    feeds: set[Tensor],
) -> list[Share]:
    """The inputs of which nothing but the towers' own parts is looked at.

    Args:
      steps: a region's, with towers among them.
      inputs, outputs: of the region.
      feeds: tensors whose values are given.
    """
    users: dict[Tensor, list[Any]] = {}
    for step in steps:
        for tensor in dict.fromkeys(step._inputs):
            users.setdefault(tensor, []).append(step)
    waited_for = {control for step in steps for control in step._control_inputs}
    given = [each.tensors for step in steps if isinstance(step, Towers) for each in step.given]
    found = []
    for tensors in dict.fromkeys(given):
        looking = dict.fromkeys(user for tensor in tensors for user in users.get(tensor, ()))
        if len(set(tensors)) < len(tensors) or not all(_takes_only(u, tensors) for u in looking):
            continue
        if all(tensor in inputs for tensor in tensors):
            found.append(Share(tensors, tensors, 0, None))
            continue
        op = tensors[0]._op
        axis = _split_axis(op, feeds)
        if axis is None or op in waited_for or op._control_inputs or tuple(op._outputs) != tensors:
            continue
        if not (feeds.isdisjoint(tensors) and set(outputs).isdisjoint(tensors)):
            continue
        whole = op._inputs[-1]
        if whole in inputs and users[whole] == [op]:
            found.append(Share(tensors, (whole,), axis, op))
    return found


def _takes_only(step: Any, tensors: Siblings) -> bool:
    """Whether a step takes some tensors as what its towers are given, each its own."""
    if not isinstance(step, Towers):
        return False
    number_of = {op: number for row in step.rows for number, op in enumerate(row)}
    return not any(
        tensor in tensors and number_of.get(op) != tensors.index(tensor)
        for op in step.members
        for tensor in op._inputs
    )


def _split_axis(op: Operation, feeds: set[Tensor]) -> int | None:
    """The axis along which an operation splits its last input into equal parts; None if it does
    not, or that is not known."""
    if not op._spec.splits:
        return None
    axis = op._inputs[0]
    if axis in feeds or not is_constant(axis._op, feeds):
        return None
    value = constants.known_value(axis)
    return None if value is None or np.ndim(value) else int(value)


def fitting(
    found: Sequence[Share], values: Mapping[Tensor, Any], dynamic: Collection[Tensor]
) -> list[Share]:
    """Those that can be shared, by the values of the inputs; their axes count from the front.

    Args:
      found: see `shares`.
      values: of the region's inputs.
      dynamic: the inputs that a program is not made for the values of.
    """
    kept = []
    for share in found:
        if set(dynamic).issuperset(share.inputs):
            given = [values[tensor] for tensor in share.inputs]
            forms = {(np.shape(value), getattr(value, "dtype", None)) for value in given}
            (shape, dtype), *others = forms
            if dtype is None or others:
                continue
            rank, axis, count = len(shape), share.axis, len(share.tensors)
            if share.split is None:
                kept.append(share)
            elif -rank <= axis < rank and shape[axis] % count == 0:
                kept.append(share._replace(axis=axis % rank))
    return kept
