"""Running a program on the host for many elements: operation after operation, and not element after
element.

What an operation gives hangs on its inputs alone here, so all elements may be through one operation
before the next. An elementwise one works on all of them at once, and so does one with a rule
`stacked`, if they are of one shape; any other works on one after the other. What no element changes
is worked out once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, op_registry
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.host.program import HostProgram, one, several
from tf1compat.runtime.host.source import Source
from tf1compat.runtime.host.statements import NotOnHost
from tf1compat.runtime.plan.loops import Loop

# A part of an array is handed out as it is up to so many bytes: it keeps the whole array.
_SMALL = 1 << 10


class Stack:
    """What a tensor is for each of many elements.

    Args:
      rows: the arrays; or else
      whole: all of them as one array.
    """

    __slots__ = ("_rows", "_whole", "count")

    def __init__(self, rows: list[Any] | None = None, whole: np.ndarray | None = None):
        self._rows = rows
        self._whole = whole
        known = whole if rows is None else rows
        assert known is not None
        self.count = len(known)

    @property
    def rows(self) -> list[Any]:
        """The arrays."""
        rows = self._rows
        if rows is None:
            whole = self._whole
            assert whole is not None
            if whole.nbytes > self.count * _SMALL:
                rows = [whole[i, ...].copy() for i in range(self.count)]
            elif whole.ndim > 1 or whole.dtype.hasobject:
                rows = [whole[i, ...] for i in range(self.count)]
            else:  # the quickest way to arrays without dimensions
                rows = list(whole.reshape(-1, 1))
                rows = [row.reshape(()) for row in rows]
            self._rows = rows
        return rows

    @property
    def whole(self) -> np.ndarray | None:
        """All of them as one array; None if they differ in shape."""
        if self._whole is None:
            rows = self._rows
            assert rows is not None
            first = rows[0]
            shape, dtype = first.shape, first.dtype
            for row in rows:
                if row.shape != shape or row.dtype != dtype:
                    return None
            whole = self._whole = np.empty((len(rows), *shape), dtype)
            if shape:
                for i, row in enumerate(rows):
                    whole[i] = row
            else:
                whole[:] = [row.item() for row in rows] if dtype.hasobject else rows
        return self._whole

    def each(self, function: Callable[[np.ndarray], Any]) -> Stack:
        """An elementwise function of arrays of any shapes."""
        rows = self.rows
        flat = one(function(np.concatenate([row.ravel() for row in rows])))
        found, at = [], 0
        for row in rows:
            part = flat[at : at + row.size]
            found.append(part if row.ndim == 1 else part.reshape(row.shape))
            at += row.size
        return Stack(found)


class _Step:
    """How an operation works on many elements.

    Args:
      op: the operation.
      varied: for each of the names that are handed over, whether it is a `Stack`.
      stacks: for each of them, whether the rule `stacked` takes a stack there; None if it can't be
        called.
    """

    def __init__(self, op: Any, varied: list[bool], stacks: list[bool] | None):
        self._count = len(op._outputs)
        self._varied = varied
        self._stacks = stacks
        self._elementwise = op._spec.elementwise

    def __call__(self, rule: Callable[..., Any], stacked: Any, *inputs: Any) -> list[Stack]:
        """The outputs.

        Args:
          rule: the operation's rule as a function of the inputs' values for one element.
          stacked: its rule `stacked`, in the same way; None if there is none.
          *inputs: stacks and arrays.
        """
        try:
            found = self._at_once(rule, stacked, inputs)
        except Exception:  # One after the other it may be none, or what it says is the element's.
            found = None
        if found is not None:
            return found
        columns = [
            x.rows if varied else itertools.repeat(x) for x, varied in zip(inputs, self._varied)
        ]
        results = map(rule, *columns)
        if self._count == 1:
            return [Stack([r if r.__class__ is np.ndarray else one(r) for r in results])]
        return [Stack(list(column)) for column in zip(*map(several, results))]

    def _at_once(self, rule: Any, stacked: Any, inputs: Sequence[Any]) -> list[Stack] | None:
        """The outputs, if they can be worked out for all elements together."""
        if self._elementwise:
            return self._of_elements(rule, inputs)
        return None if self._stacks is None else self._of_stacks(stacked, inputs)

    def _of_elements(self, rule: Any, inputs: Sequence[Any]) -> list[Stack] | None:
        """What an elementwise rule gives for all elements at once; None if that can't be."""
        wholes = [x.whole if varied else x for x, varied in zip(inputs, self._varied)]
        if any(whole is None for whole in wholes):
            return [inputs[0].each(rule)] if len(inputs) == 1 else None
        ranks = [x.ndim - varied for x, varied in zip(wholes, self._varied)]
        rank = max(ranks)
        for i, varied in enumerate(self._varied):
            if varied and ranks[i] < rank:
                shape = wholes[i].shape
                wholes[i] = wholes[i].reshape(shape[0], *(1,) * (rank - ranks[i]), *shape[1:])
        found = one(rule(*wholes))
        return [Stack(whole=found)]

    def _of_stacks(self, stacked: Any, inputs: Sequence[Any]) -> list[Stack] | None:
        """What the rule `stacked` gives; None if that can't be."""
        assert self._stacks is not None
        count = next(x.count for x, varied in zip(inputs, self._varied) if varied)
        given = []
        for x, varied, stacks in zip(inputs, self._varied, self._stacks):
            if varied:
                x = x.whole
                if x is None:
                    return None
            elif stacks:
                x = np.broadcast_to(x, (count, *x.shape))
            given.append(x)
        found = stacked(*given)
        if found is None:
            return None
        outputs = [found] if self._count == 1 else found
        return [Stack(x) if type(x) is list else Stack(whole=x) for x in outputs]


class ManySource(Source):
    """The source of a program of which some values are those of many elements.

    Args:
      ops, effects, feeds, given, fetches, watched: see `Source`.
      varied: those of `given` that are stacks.

    Raises:
      NotOnHost: an operation does more than give what hangs on its inputs.
    """

    def __init__(
        self,
        ops: Sequence[Any],
        effects: plan_lib.Effects,
        feeds: plan_lib.Feeds,
        given: Sequence[Tensor],
        fetches: Sequence[Tensor],
        watched: Collection[Tensor] = (),
        *,
        varied: Collection[Tensor],
    ):
        for op in ops:
            if not _is_pure(op):
                raise NotOnHost(f"{op.name} ({op.type}) is not for many elements")
        if not all(map(_is_value, (*given, *fetches))):
            raise NotOnHost("an element is more than arrays")
        self._varied = set(varied)
        super().__init__(ops, effects, feeds, given, fetches, watched)

    def _aliases(self, op: Any, inputs: list[str]) -> None:
        pairs = zip(op._outputs, op._inputs)
        self._varied.update(output for output, source in pairs if source in self._varied)
        super()._aliases(op, inputs)

    def _assign(self, op: Any, names: list[str], call: str) -> None:
        if self._varied.isdisjoint(op._inputs):
            super()._assign(op, names, call)
            return
        self._varied.update(op._outputs)
        inputs = self.inputs[op]
        stacked, stacks = None, None
        rule = op._spec.stacked_on_numpy
        if rule is not None:
            stacks = self._taking_stacks(op, inputs)
            if stacks is not None:
                stacked = self._call(op, inputs, rule)
        stacks_of = self._stack_names()
        parameters = list(dict.fromkeys(inputs))
        step = _Step(
            op,
            [name in stacks_of for name in parameters],
            None if stacks is None else [name in stacks for name in parameters],
        )
        head = f"lambda {', '.join(parameters)}: "
        functions = f"{head}{call}, {'None' if stacked is None else head + stacked}"
        targets = ", ".join(names)
        self._line(
            f"{targets}, = {self._global('s', step)}({functions}, {', '.join(parameters)})", op
        )

    def _stack_names(self) -> set[str]:
        return {self.names[tensor] for tensor in self._varied if tensor in self.names}

    def _taking_stacks(self, op: Any, inputs: list[str]) -> set[str] | None:
        """The names that the op's rule `stacked` is to be given stacks for; None if others vary, or
        one of them is also wanted as it is."""
        args = op_registry.group_inputs(op, inputs)
        taken, others = set[str](), set[str]()
        for i, arg in enumerate(args):
            names = arg if isinstance(arg, list) else [arg]
            (taken if i in op._spec.stacks else others).update(names)
        return None if others & (taken | self._stack_names()) else taken


_FUNCTIONS = ("func", "list(func)")


def _is_pure(op: Any) -> bool:
    """Whether what an operation gives hangs on its inputs alone, and is all that it does."""
    spec = op._spec
    if isinstance(op, Loop) or hasattr(op, "interpret") or spec.is_switch or spec.merges:
        return False
    if spec.loop is not None or spec.effect or spec.random or spec.source:
        return False
    if getattr(op, "_is_stateful", False):
        return False
    if spec.op_def is not None and any(a.type in _FUNCTIONS for a in spec.op_def.attr):
        return False
    return all(map(_is_value, (*op._inputs, *op._outputs)))


def _is_value(tensor: Tensor) -> bool:
    """Whether a tensor is an array that nothing changes: no variable, table, list or dataset.
    An array of variants is a sparse tensor."""
    dtype = tensor._dtype
    if dtype is dtypes.variant:
        return bool(tensor._shape)
    return not dtype._is_ref_dtype and dtype is not dtypes.resource


class ManyOnHost:
    """A program that gives its results for many elements.

    Args:
      program: the program (`runtime.program.Program`).
      count: how many of its feeds are components of elements.

    Raises:
      NotOnHost: it can't be run so.
    """

    def __init__(self, program: Any, count: int):
        source: Any = functools.partial(ManySource, varied=program.feeds[:count])
        self._count = count
        self._program = HostProgram(
            program.ops, program.effects, program.feed_set, program.feeds, program.fetches,
            program.functions, write=source,
        )  # fmt: skip

    def run(
        self,
        base: Any,
        elements: Sequence[Sequence[Any]],
        captured: list[Any],
        lock: Any,
        session: Any,
    ) -> list[list[Any]]:
        """The results for each element.

        Args:
          base, lock, session: as `HostProgram.run` takes them.
          elements: the components of each.
          captured: the other feeds.

        Raises:
          Exception: an element makes the program fail.
        """
        stacks = [Stack(list(column)) for column in zip(*elements)]
        results = self._program.run(base, [*stacks, *captured], lock, session)
        count = len(elements)
        columns = [x.rows if type(x) is Stack else [x] * count for x in results]
        return list(map(list, zip(*columns)))
