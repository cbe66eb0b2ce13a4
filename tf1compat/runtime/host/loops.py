"""Loops of programs on the host that XLA runs: one program for every number of iterations.

A batch of another length has other shapes, but an iteration of a loop over its time steps has not.
So a loop that comes back is compiled for itself, with a condition that only the run knows; what it
fills and reads row by row (TensorArrays, stacks) has room for a power of two. The rest of the
program stays with the host.

The host can run any loop. So whatever stands against it, a check that fails above all, has the host
run the loop after all: it finds everything as it was, and words the error.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache
from tf1compat.runtime.compile.state import x64
from tf1compat.runtime.decisions import Decisions, Replan
from tf1compat.runtime.host.variables import HostVariables
from tf1compat.runtime.plan.loops import Loop
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, Variables, is_object, random_key

_logger = logging.getLogger(__name__)

# Programs of one loop, for different shapes; those that come later stay with the host.
_MOST_PROGRAMS = 16
# So often a loop has to come back where it is always of one size: the program it is a part of may
# well be compiled as a whole.
_OFTEN = 64
# The forms of what enters a loop that are counted.
_COUNTED = 256
_COMPUTED = object()
# The state of a random operation's generator (`random_state`).
_GENERATOR = jax.ShapeDtypeStruct((6,), np.uint32)


@dataclasses.dataclass(frozen=True)
class _Room(Decisions):
    """Gives every buffer the same size."""

    room: int = 1

    def size(self, owner: Any) -> int:
        return self.room


@dataclasses.dataclass
class _Form:
    """What was found out about values of one form that enter a loop.

    Attributes:
      runs: how often they came.
      switch: the run from which XLA runs the loop; None while that is not settled.
      task: the compilation.
      program: what came of it; None where it came to nothing.
    """

    runs: int = 0
    switch: int | None = None
    task: Any = None
    program: _Program | None = None


class LoopInXla:
    """A loop of a program on the host, as far as XLA runs it.

    Args:
      loop: the loop.
      references: for each of its Enters, the variable that enters, or None where it is a value.
      known: for each of them, the value if it is known before the program runs, else None.
      longest: how many iterations it has taken on the host at most, in a list.

    Attributes:
      begun: whether it is compiled, or being compiled.
      never: whether XLA turned out not to run it.
    """

    def __init__(
        self, loop: Loop, references: Sequence[Any], known: Sequence[Any], longest: list[int]
    ):
        self.loop = loop
        self.references = references
        self.known = known
        self.longest = longest
        self.begun = self.never = False
        self._forms: dict[Any, _Form] = {}
        self._costs: dict[int, tiers.Costs] = {}
        self._programs = 0
        self._first: Any = None  # the sizes that came first
        self._varies = False

    @classmethod
    def fits(cls, loop: Loop) -> bool:
        """Whether XLA may be able to run a loop by itself: it computes values, and changes nothing
        that outlives the run but random generators."""
        return not (
            loop.has_host_steps
            or loop.test_acts
            or any(not isinstance(key, plan_lib.Local) for key in loop.effects.written)
        )

    def run(
        self, values: Sequence[Any], refs: Sequence[Any], variables: HostVariables, session: Any
    ) -> list[Any] | None:
        """Runs the loop in XLA, if it is time for that.

        Args:
          values: what enters it, None for variables.
          refs: the `HostRef`s of these.
          variables: has the generators of what draws in the loop, which move on.
          session: whose run it is.

        Returns:
          What its Exits give; None if the host is to run it.
        """
        if self.never or tiers.of(session) != tiers.AUTO:
            return None
        try:
            entering = _Entering.of(self, values, refs)
        except errors.OpError:  # A variable has no value: the operation that reads it says so.
            return None
        if entering is None:
            return None
        form = self._forms.get(entering.form)
        if form is None:
            if len(self._forms) >= _COUNTED:
                return None
            form = self._forms[entering.form] = _Form()
        form.runs += 1
        if not self._varies:
            self._first = self._first or entering.sizes
            self._varies = entering.follows or entering.sizes != self._first
        if form.switch is None and self._begins(form, entering):
            form.task = tiers.in_background(self._compile, form, entering)
        if form.switch is None or form.runs < form.switch:
            return None
        if form.task is not None:
            task, form.task = form.task, None
            if not task.result():
                form.program = None
        if form.program is None:
            return None
        results = form.program.run(entering, variables)
        if results is None:  # Something fails, or is larger than there is room for.
            form.program = None
        return results

    def _begins(self, form: _Form, entering: _Entering) -> bool:
        if self._programs >= _MOST_PROGRAMS or not (self._varies or form.runs >= _OFTEN):
            return False
        size = 1 << max(entering.largest - 1, 0).bit_length()
        costs = self._costs.get(size)
        if costs is None:
            turns = {self.loop: entering.room}
            costs = self._costs[size] = tiers.Costs([self.loop], size, turns)
        switch = tiers.switch_of(form.runs, costs, self._programs)
        if switch is None:
            return False
        form.switch = switch
        self._programs += 1
        self.begun = True
        return True

    def _compile(self, form: _Form, entering: _Entering) -> bool:
        try:
            form.program = _Program(self, entering)
            return True
        except (Replan, NotImplementedError):
            self.never = True
        except Exception:  # The host goes on: what fails to compile is no failure of a run.
            _logger.debug("loop %s could not be compiled", self.loop.name, exc_info=True)
            self.never = True
        return False


class _Entering:
    """What enters a loop, in the form in which a program takes it.

    Attributes:
      given: the values and then the variables' values that the program is called with.
      known: for each of them, what is known when it is compiled; `_COMPUTED` where that is nothing.
      form: what programs are told apart by.
      sizes: how large all of it is.
      follows: whether it has stacks that a loop in XLA left, and so has any number of iterations.
      room: how many rows buffers have.
      largest: the largest dimension of an array.
      arrays: the TensorArrays, which are objects of the host.
      stacks: those of `given` that are on the host's stacks: variable -> the object.
    """

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.known: list[Any] = []
        self.form: Any = None
        self.sizes: Any = None
        self.follows = False
        self.room = self.largest = 1
        self.arrays: list[Any] = []
        self.stacks: dict[Any, Any] = {}

    @classmethod
    def of(cls, xla: LoopInXla, values: Sequence[Any], refs: Sequence[Any]) -> _Entering | None:
        """What enters; None where a program can't take it."""
        found = cls()
        entered = [array for v in values if hasattr(v, "flow") for array in v.family]
        found.arrays = list({id(array): array for array in entered}.values())
        if len({array.name for array in found.arrays}) < len(found.arrays):
            return None
        objects: list[Any] = [None if ref is None else ref.read() for ref in refs]
        left = [o.traced() for o in objects if hasattr(o, "untraced")]
        found.follows = any(stack is not None for stack in left)
        sizes = [array.size for array in found.arrays]
        sizes += [stack.room for stack in left if stack is not None]
        found.room = 1 << max(max(sizes or xla.longest) - 1, 0).bit_length()
        traced: dict[int, Any] = {}
        for array in found.arrays:
            pair = array.traced(found.room)
            if pair is None:
                return None
            traced[id(array)], traced[id(array.flow)] = pair
        for value, ref, object_, known in zip(values, refs, objects, xla.known, strict=True):
            if ref is None and id(value) in traced:
                value = traced[id(value)]
                is_known = is_object(value)
            elif ref is None:
                is_known = known is not None
                if not is_known and (type(value) is not np.ndarray or _may_be_flow(value, found)):
                    return None
            else:
                value, is_known = object_, False
                if hasattr(object_, "untraced"):
                    value = object_.traced()
                    is_known = value is None  # An empty stack: the program makes it.
                    if is_known and object_.items:
                        return None
                    found.stacks[ref.key] = object_
                elif type(value) is not np.ndarray:
                    return None
            if type(value) is np.ndarray:
                if value.dtype == object:
                    return None
                found.largest = max(found.largest, *value.shape, 1)
            found.known.append(value if is_known else _COMPUTED)
            found.given.append(None if is_known else value)
        leaves, tree = jax.tree.flatten(found.given)
        forms = tuple([(np.shape(leaf), leaf.dtype.str) for leaf in leaves])
        handles = tuple(
            [k for k in found.known if k is not None and is_object(k) and k is not _COMPUTED]
        )
        found.form = tree, forms, handles
        found.sizes = forms, tuple(array.size for array in found.arrays)
        return found


def _may_be_flow(value: np.ndarray, entering: _Entering) -> bool:
    """Whether a value may stand for TensorArrays, although it is not the flow of one: a sum of
    flows, of which nobody can say what has been written."""
    return bool(entering.arrays) and not value.ndim and value.dtype == np.float32


class _Program:
    """A loop as an executable."""

    def __init__(self, xla: LoopInXla, entering: _Entering):
        self._loop = xla.loop
        self._entering_known = entering.known
        self._room = entering.room
        self._references = xla.references
        self._outputs: list[Any] = []
        self._keys: list[Any] = []
        abstract = jax.tree.map(
            lambda leaf: jax.ShapeDtypeStruct(np.shape(leaf), leaf.dtype), entering.given
        )
        generators = [_GENERATOR] * len(self._loop.random_ops)
        with x64(True):
            traced = jax.jit(self._traced, keep_unused=True).trace(abstract, generators)
            self._function = cache.compiled(traced)

    def _traced(self, given: Sequence[Any], generators: Sequence[Any]) -> Any:
        loop = self._loop
        drawing = [(random_key(op), 0) for op in loop.random_ops]
        variables = Variables(dict(zip(drawing, generators, strict=True)))
        interpreter = Interpreter(variables)
        interpreter.decisions = _Room(room=self._room)
        values = []
        for reference, known, value, enter in zip(
            self._references, self._entering_known, given, loop.enters, strict=True
        ):
            if reference is None:
                values.append(value if known is _COMPUTED else known)
                continue
            key, tensor = reference.key, reference.tensor
            if known is None:
                op = key.op
                value = interpreter.lower(op, [interpreter.value(t) for t in op._inputs])[0]
            variables.values[(key, 0)] = value
            makes = 1 if key in loop.effects.written else None
            values.append(Ref(variables, key, tensor, 0, makes, enter))
        step: Any = loop
        results = interpreter.lower(step, values)
        self._outputs = [r if _is_known(r) else _form_of(r) for r in results]
        outputs = [r.parts if hasattr(r, "parts") else r for r in results if not _is_known(r)]
        entered = {reference.key for reference in self._references if reference is not None}
        self._keys = [key for key in entered if (key, 1) in variables.values]
        written = [variables.values[(key, 1)] for key in self._keys]
        if not all(value.is_plain for value in written):
            raise NotImplementedError("The host has no such stacks")
        moved = [variables.current_generator(op) for op in loop.random_ops]
        failed = jnp.zeros((), bool)
        for check in interpreter.checks:
            failed |= jnp.any(check.failed)
        return outputs, written, moved, failed

    def run(self, entering: _Entering, variables: HostVariables) -> list[Any] | None:
        """The values of the Exits; None if the host is to run the loop."""
        drawing = self._loop.random_ops
        generators = [variables.current_generator(op) for op in drawing]
        with x64(True):
            outputs, written, moved, failed = self._function(entering.given, generators)
        if failed:
            return None
        computed = iter(outputs)
        results, changed = [], []
        for output in self._outputs:
            if type(output) is not _Array and output is not _COMPUTED:
                results.append(output)
                continue
            value = next(computed)
            if output is _COMPUTED:
                results.append(np.asarray(value))
                continue
            # An array of gradients may be one that the loop has made.
            alike = sorted(entering.arrays, key=lambda array: array.name != output.owner)
            found = [array.named(output.owner) for array in alike]
            array = next((array for array in found if array is not None), None)
            if array is None:
                return None
            changed.append((array, value))
            results.append(array.flow)
        for array, parts in changed:
            array.untraced(*[None if part is None else np.asarray(part) for part in parts])
        for key, value in zip(self._keys, written, strict=True):
            entering.stacks[key].untraced(value)
        variables.random.update(zip(drawing, map(np.asarray, moved), strict=True))
        return results


@dataclasses.dataclass(frozen=True)
class _Array:
    """An output that is the flow of a TensorArray."""

    owner: str


def _is_known(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) or is_object(value)


def _form_of(value: Any) -> Any:
    return _Array(value.owner) if hasattr(value, "parts") else _COMPUTED
