"""What a lowering may ask of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from tf1compat.core import errors
from tf1compat.core.attribute import attribute
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    needs_host,
    needs_room,
    needs_segments,
    needs_value,
)
from tf1compat.runtime.trace.checks import Check, SizeCheck

if TYPE_CHECKING:
    from tf1compat.runtime.trace.interpreter import Interpreter
    from tf1compat.runtime.trace.values import Ref


class Context:
    """What a lowering may ask of the run: `ctx` in `lower`."""

    def __init__(self, interpreter: Interpreter, op: Operation):
        self._interpreter = interpreter
        self.op = op

    def check(self, holds: Any, error_class: type, template: Any, **values: Any) -> None:
        """Fails the run unless `holds`.

        Args:
          holds: a scalar bool, known now or computed by the program.
          error_class: a class of `tf.errors`.
          template: TF's text, with `{name}` for values; or a function of the values that returns
            the text.
          **values: small arrays quoted in the text.
        """
        if holds is True:
            return
        if isinstance(holds, bool | np.bool_ | np.ndarray):
            if np.all(holds):
                return
            if not any(isinstance(value, Tracer) for value in values.values()):
                host = {key: np.asarray(value) for key, value in values.items()}
                raise Check(self.op, True, error_class, template, host).error(host)
            # What the text quotes is only known when the program has run.
            holds = np.False_
        self._interpreter.checks.append(
            Check(self.op, jnp.logical_not(holds), error_class, template, values)
        )

    def update(
        self,
        refs: Sequence[Ref],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        *operands: Any,
    ) -> None:
        """Changes variables; if some of their elements, at a cost that hangs on their number alone.

        Args:
          refs: the variables.
          where: their index: vectors of integers, of which an element of the first may be given out
            of range to say that nothing is to be changed. `()` if all elements may change.
          change: is called as `change(values, where, *operands)`, and returns the new values of the
            variables. It may overwrite those it is given (`in_place`), at `where`, drops what is
            out of range, and computes with nothing else that the program computes.
          *operands: arrays.
        """
        self._interpreter.variables.update(refs, where, change, operands)

    def pad(self, meant: Any) -> None:
        """Says that of the padded outputs only the first `meant` rows are meant."""
        self._interpreter.meant[self.op] = meant

    def meant(self, index: int) -> Any:
        """How many rows of flat input `index` are meant; None if all are."""
        source = self._interpreter.padded.get(self.op._inputs[index])
        return None if source is None else self._interpreter.meant.get(source)

    def need(self, index: int) -> None:
        """Says that flat input `index` must be known when the program is compiled after all.

        The run is then split, or its program specialised on the value, and this lowering is called
        again with it.
        """
        raise needs_value(self.op, index)

    @property
    def notes(self) -> dict[Any, Any] | None:
        """What operations note for later ones that are sure to run after them, in this program; in
        a loop, of the same iteration. None in a branch."""
        return self._interpreter.notes

    kept: dict[Any, Any] = attribute(
        "_interpreter.kept", "What operations keep from run to run of a session, besides variables."
    )
    repeats: bool = attribute(
        "_interpreter.repeats", "Whether the operation is known to run more than once, in a loop."
    )
    on_host: bool = attribute("_interpreter.on_host", "Whether the values are at hand.")

    @property
    def in_session(self) -> bool:
        """Whether `need_host` is of use."""
        return self._interpreter.decisions is not None

    def need_host(self) -> None:
        """Says that this operation has to run on the host after all, with the values at hand.

        The run is then split, and this lowering called again there.
        """
        if not self.on_host:
            raise needs_host(self.op)

    def rng(self, reserve_128: int) -> tuple[Any, Any]:
        """The op's random generator for this run; the next run's starts `reserve_128` counter steps
        further.

        Returns:
          (key uint32[2], counter uint32[4]) of Philox.
        """
        return self._interpreter.next_random(self.op, reserve_128)

    def call_function(self, name: Any, args: Sequence[Any]) -> list[Any]:
        """The outputs of a function (or of the op's graph's library function of that name) for
        `args`."""
        return self._interpreter.call(self.op, name, args)

    def host_function(
        self, role: str, captured: Sequence[Tensor], values: Sequence[Any], owner: Any = None
    ) -> Any:
        """A library function that a host step calls often: a `functions.BoundFunction`.

        Args:
          role: the attr that names it.
          captured: the op's inputs that are passed after the arguments.
          values: their values.
          owner: the operation that has the attr, if it is another one than this.
        """
        op = self.op if owner is None else owner
        from tf1compat.runtime.functions import HostFunction  # which is a program in its turn

        known = self._interpreter.functions
        if (op, role) not in known:
            name = op._attrs[role]
            text = name if isinstance(name, str) else name.name
            function = op._graph._get_function(text)
            if function is None and self.session is not None:
                function = self.session.graph._get_function(text)
            if function is None:
                raise errors.NotFoundError(op.node_def, op, f"Function {text} is not defined.")
            known[(op, role)] = HostFunction(function, captured, op._graph)
        return known[(op, role)].bound(values, self.session)

    def buffer_size(self, owner: Any) -> int:
        """The size to make a buffer of which only the run tells how much it has to hold."""
        decisions = self._interpreter.decisions
        size = None if decisions is None else decisions.size(owner)
        if size is None:
            raise needs_room(self.op, owner)
        return size

    @property
    def counts_room(self) -> bool:
        """Whether an array of which only the run tells how long it is has the length of its
        buffer."""
        decisions = self._interpreter.decisions
        return decisions is not None and decisions.counts_room

    def most_segments(self) -> int:
        """How many segments this operation gives, where only the run tells how many it uses."""
        decisions = self._interpreter.decisions
        if decisions is None or decisions.segments is None:
            raise needs_segments(self.op)
        return decisions.segments

    def check_buffer_size(self, owner: Any, peak: Any, size: int) -> None:
        """Has the program compiled again with a larger buffer if `peak` is more than `size`."""
        self._interpreter.checks.append(SizeCheck(owner, size, peak > size, peak))

    session = attribute(
        "_interpreter.session",
        "The session that runs, where a host op needs it (None while tracing).",
    )
