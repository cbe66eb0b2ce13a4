"""Towers, of which each device runs one.

A program with a `Towers` runs on all of its devices at once (`over`): each computes the same, but
for what it does inside of the towers, where it takes the values of its own tower. What is needed
of all towers comes out as a sum over the devices, or is gathered from them. So a value outside of
the towers is the same on every device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from tf1compat.core import errors
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.shares import Share
from tf1compat.runtime.plan.towers import Given, Towers
from tf1compat.runtime.trace.checks import Check
from tf1compat.runtime.trace.values import BranchValue, Ref, advance, is_object

if TYPE_CHECKING:
    from tf1compat.runtime.trace.interpreter import Interpreter

_AXIS = "towers"


class NotAlike(Exception):
    """What the towers are given is not of one form: the program runs as if there were none."""


def mesh_of(devices: Sequence[Any]) -> Mesh:
    """The devices, each of which runs a tower."""
    return Mesh(np.array(devices), (_AXIS,))


def on_all(mesh: Mesh) -> NamedSharding:
    """How arrays lie of which every device has a copy."""
    return NamedSharding(mesh, PartitionSpec())


class Inputs:
    """How a program of several devices is handed its inputs: all of each to every device, or to
    each device its tower's part.

    Args:
      mesh: the devices.
      shares: the inputs of which each gets a part.
      tensors: the inputs.
    """

    def __init__(self, mesh: Mesh, shares: Sequence[Share], tensors: Sequence[Tensor]):
        self._mesh = mesh
        place = {tensor: i for i, tensor in enumerate(tensors)}
        self._shares = [(share, [place[t] for t in share.inputs]) for share in shares]
        taken = {i for _, places in self._shares for i in places}
        self._whole = [i for i in place.values() if i not in taken]
        self._tensors = tensors
        axes = [None if share.split is None else share.axis for share in shares]
        #: How the arguments lie, in their order.
        self.specs = [PartitionSpec()] * len(self._whole) + [
            PartitionSpec(_AXIS) if axis is None else PartitionSpec(*([None] * axis), _AXIS)
            for axis in axes
        ]

    def arguments(self, values: Sequence[Any]) -> list[Any]:
        """What the program is called with.

        Args:
          values: of the inputs.
        """
        found = [values[i] for i in self._whole]
        for (share, places), spec in zip(self._shares, self.specs[len(found) :], strict=True):
            parts = [values[i] for i in places]
            if share.split is not None:
                (value,) = parts
            elif all(type(part) is np.ndarray for part in parts):
                value = np.stack(parts)
            else:
                value = jnp.stack(parts)
            if type(value) is not np.ndarray:
                value = jax.device_put(value, NamedSharding(self._mesh, spec))
            found.append(value)
        return found

    def forms(self, values: Sequence[Any]) -> list[Any]:
        """The forms of the arguments, for inputs of these values."""
        found = [_form(values[i]) for i in self._whole]
        for share, places in self._shares:
            form = _form(values[places[0]])
            if share.split is None:
                form = jax.ShapeDtypeStruct((len(places), *form.shape), form.dtype)
            found.append(form)
        return found

    def enter(self, interpreter: Interpreter, arguments: Sequence[Any]) -> None:
        """Gives an interpreter the device's arguments."""
        count = len(self._whole)
        for i, value in zip(self._whole, arguments, strict=False):
            interpreter.env[self._tensors[i]] = value
        for (share, _), value in zip(self._shares, arguments[count:], strict=True):
            part = value[0] if share.split is None else value
            interpreter.by_device[share.tensors[0]] = part

    def over(self, program: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
        """`program(donated, kept, inputs, hoisted)`, run by all devices; all but some of the inputs
        are the same on all of them, and so are the results.

        Returns:
          (It, what `jax.jit` is to be told of it.)
        """
        specs = PartitionSpec(), PartitionSpec(), self.specs, PartitionSpec()
        everywhere = on_all(self._mesh)
        lie = [NamedSharding(self._mesh, spec) for spec in self.specs]
        function = jax.shard_map(
            program, mesh=self._mesh, in_specs=specs, out_specs=PartitionSpec(), check_vma=False
        )
        where = (everywhere, everywhere, lie, everywhere)
        return function, {"in_shardings": where, "out_shardings": everywhere}


def _form(value: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(np.shape(value), value.dtype)


def run(step: Towers, outer: Interpreter) -> None:
    """Runs the device's tower, and finds what is needed of all of them.

    Raises:
      NotAlike: the towers can't be run like this.
    """
    _Run(step, outer).run()


class _Run:
    def __init__(self, step: Towers, outer: Interpreter):
        self._step = step
        self._outer = outer
        self._count = len(step.rows[0])
        self._number = lax.axis_index(_AXIS)
        self._row_of = {m: row for row in step.rows for m in (row[0], *step_lib.members(row[0]))}
        self._inner = outer.inner(outer.variables, outer.effects)
        self._inner.draw = self._draw

    def run(self) -> None:
        """See above."""
        step, outer, inner = self._step, self._outer, self._inner
        inner.dead = set(outer.dead)
        if not outer.dead.isdisjoint(step._control_inputs):
            self._check_alive()
        for given in step.given:
            inner.env[given.tensors[0]] = self._given(given)
        try:
            inner.run([row[0] for row in step.rows])
        except errors.OpError:  # One of several towers fails as the program would without them.
            raise NotAlike from None
        if any(type(check) is not Check for check in inner.checks):
            raise NotAlike
        for op in inner.dead - outer.dead:
            for other in self._row_of[op]:
                outer.dead.update((other, *step_lib.members(other)))
        self._total()
        self._gather()
        for row in step.rows:
            for tensor in row[0]._outputs:
                outer.by_device[tensor] = inner.value(tensor)

    def _check_alive(self) -> None:
        """Refuses rows of which only some operations are not to run."""
        for row in self._step.rows:
            dead = [not self._outer.dead.isdisjoint(op._control_inputs) for op in row]
            if any(dead) and not all(dead):
                raise NotAlike

    def _given(self, given: Given) -> Any:
        """What the device's tower gets."""
        outer = self._outer
        if given.tensors[0] in outer.by_device:  # of a row
            return outer.by_device[given.tensors[0]]
        return self._own([outer.input(op, given.index) for op in given.row])

    def _own(self, values: Sequence[Any]) -> Any:
        """The value of the device's tower."""
        first = values[0]
        if all(value is DEAD for value in values):
            return DEAD
        for value in values:
            if value is DEAD or type(value) in (Ref, BranchValue) or is_object(value):
                raise NotAlike
            if not hasattr(value, "dtype"):
                raise NotAlike
            if (value.shape, value.dtype) != (first.shape, first.dtype):
                raise NotAlike
        if all(value is first for value in values):
            return first
        if all(type(value) is np.ndarray and np.array_equal(value, first) for value in values):
            return first
        stacked = jnp.stack(values)
        return lax.dynamic_index_in_dim(stacked, self._number, keepdims=False)

    def _draw(self, op: Operation, reserve_128: int) -> tuple[Any, Any]:
        """The tower's own generator; those of all towers move on."""
        row, variables = self._row_of[op], self._outer.variables
        states = jnp.stack([variables.current_generator(other) for other in row], 1)
        moved = advance(states, reserve_128)
        for i, other in enumerate(row):
            variables.random[other] = moved[:, i]
        state = lax.dynamic_index_in_dim(states, self._number, 1, keepdims=False)
        return state[:2], state[2:]

    def _total(self) -> None:
        """Finds the sums and means over all towers, together."""
        inner, outer = self._inner, self._outer
        parts = []
        for total in self._step.totals:
            value = inner.value(total.of)
            if total.through is not None:
                op = total.through
                (value,) = inner.lower(op, [value, inner.value(op._inputs[1])])
            parts.append(jnp.asarray(value))
        if not parts:
            return
        for total, value in zip(self._step.totals, lax.psum(parts, _AXIS), strict=True):
            if total.how == "mean":
                value = value / np.asarray(self._count, value.dtype)
            outer.env.setdefault(total.result, value)

    def _gather(self) -> None:
        """Finds the values of all towers where something outside needs them, and their checks."""
        inner, outer = self._inner, self._outer
        values: list[Any] = []
        computed = []
        for siblings in self._step.results:
            value = inner.value(siblings[0])
            if isinstance(value, np.ndarray) or value is DEAD:
                outer.env.update(dict.fromkeys(siblings, value))
            else:
                computed.append(siblings)
                values.append(value)
        found = [(_TowerCheck.FLAGS, jnp.asarray(check.failed)) for check in inner.checks]
        quoted = [
            {name: jnp.asarray(value) for name, value in (flag, *check.values.items())}
            for check, flag in zip(inner.checks, found, strict=True)
        ]
        values, quoted = _gathered((values, quoted))
        for siblings, value in zip(computed, values, strict=True):
            for i, tensor in enumerate(siblings):
                outer.env.setdefault(tensor, value[i])
        outer.checks += [
            _TowerCheck(check, self._row_of[check.op], found)
            for check, found in zip(inner.checks, quoted, strict=True)
        ]


class _TowerCheck(Check):
    """A check of the operations of a row.

    Args:
      check: that of the first tower.
      row: the operations.
      values: what all towers quote, and their flags.
    """

    FLAGS = "failed in towers"

    __slots__ = ("_row",)

    def __init__(self, check: Check, row: Sequence[Operation], values: dict[str, Any]):
        failed = values[self.FLAGS]
        super().__init__(check.op, failed, check.error_class, check.template, values)
        self._row = row

    def error(self, values: dict[str, Any]) -> Any:
        values = dict(values)
        flags = values.pop(self.FLAGS)
        tower = int(np.argmax(flags.reshape(len(self._row), -1).any(1)))
        of_tower = {name: value[tower] for name, value in values.items()}
        check = Check(self._row[tower], True, self.error_class, self.template, of_tower)
        return check.error(of_tower)


def _gathered(values: Any) -> Any:
    """The values of all devices for each of a nest of arrays, with an axis in front. They travel
    together, as words of one size."""
    leaves, tree = jax.tree.flatten(values)
    by_type: dict[Any, list[int]] = {}
    words = [_as_words(leaf) for leaf in leaves]
    for i, word in enumerate(words):
        by_type.setdefault(word.dtype, []).append(i)
    for places in by_type.values():
        together = lax.all_gather(jnp.concatenate([words[i] for i in places]), _AXIS)
        ends = np.cumsum([words[i].size for i in places])
        for i, end in zip(places, ends, strict=True):
            own = together[:, end - words[i].size : end]
            leaves[i] = _of_words(own, leaves[i].dtype).reshape(-1, *leaves[i].shape)
    return jax.tree.unflatten(tree, leaves)


def _as_words(array: Any) -> Any:
    """A vector of an array's elements: of its own type, or of words if each fits one."""
    flat = array.reshape(-1)
    if flat.dtype == np.bool_:
        return flat.astype(np.uint32)
    is_word = flat.dtype.itemsize == 4 and flat.dtype.kind in "iuf"
    return lax.bitcast_convert_type(flat, np.uint32) if is_word else flat


def _of_words(words: Any, dtype: Any) -> Any:
    """The elements again."""
    if words.dtype == dtype:
        return words
    return words != 0 if dtype == np.bool_ else lax.bitcast_convert_type(words, dtype)
