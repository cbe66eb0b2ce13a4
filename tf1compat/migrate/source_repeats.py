"""A layer that is called several times, as in an unrolled recurrent net or a siamese one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import given_by, inputs_of, variable_of


class LayerCall:
    """Steps that are a call of the function of their scope.

    Args:
      takes: what each step of the body takes.
      uses: how often all of them take a tensor.
      results: what the body gives.

    Attributes:
      made: what they make.
      used: of that, what is used by others.
      form: what they do: calls of one form may share a function.
    """

    def __init__(
        self,
        scope: str,
        steps: list[Any],
        takes: Mapping[Any, list[Tensor]],
        uses: Counter[Tensor],
        results: set[Tensor],
    ):
        self.scope, self.steps = scope, steps
        own = Counter(tensor for step in steps for tensor in takes[step])
        self.made = list(dict.fromkeys(t for step in steps for t in given_by(step)))
        self.used = {t for t in self.made if t in results or uses[t] > own[t]}
        self.form = (scope, *(step.type for step in steps))


class Wanted:
    """What all calls of one form give, so that they may share the function.

    Attributes:
      count: how many calls there are.
    """

    def __init__(self) -> None:
        self.count = 0
        self._places: set[int] = set()

    def add(self, call: LayerCall) -> None:
        """Adds what a call has to give."""
        self.count += 1
        self._places |= {i for i, tensor in enumerate(call.made) if tensor in call.used}

    def of(self, call: LayerCall) -> list[Tensor]:
        """What a call gives."""
        return [tensor for i, tensor in enumerate(call.made) if i in self._places]


def wanted_of(calls: Iterable[LayerCall]) -> dict[tuple[str, ...], Wanted]:
    """What calls give, by their forms."""
    found: dict[tuple[str, ...], Wanted] = {}
    for call in calls:
        found.setdefault(call.form, Wanted()).add(call)
    return found


def calls_of(steps: Sequence[Any]) -> list[list[Any]]:
    """The steps of a scope, in order: a list for each time that its weights are gone through.

    They are told apart by what the first calls read: each reads each of the weights once, and
    begins with the same operations.
    """
    reads: dict[str, list[int]] = {}
    for i, step in enumerate(steps):
        for tensor in inputs_of(step, set(step._outputs)):
            name = variable_of(tensor)
            if name is not None:
                reads.setdefault(name, []).append(i)
    first = min(reads.values(), default=[])
    if len(first) < 2:
        return [list(steps)]
    starts = [at - first[0] for at in first]
    bounds = list(zip(starts, [*starts[1:], len(steps)], strict=True))
    types = [step.type for step in steps]
    beginning = types[: first[0] + 1]
    once = all(
        sum(start <= at < end for at in places) == 1
        for start, end in bounds
        for places in reads.values()
    )
    alike = all(types[start : start + len(beginning)] == beginning for start in starts)
    if not once or not alike:
        return [list(steps)]
    return [list(steps[start:end]) for start, end in bounds]
