"""A planned program, written as the source of one Python function of NumPy arrays.

A line is an operation: `t7 = f3(t5, t6, transpose_a=a1)`. What a branch of a conditional computes
stands under an `if` of a flag (`g2`), so the values of a branch that is not taken do not exist;
loops are `for n3 in count():`. Constants, and what follows from them and from static shapes, are
worked out while the source is written. Values are let go after their last use.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import constants, dtypes, op_registry
from tf1compat.core.constants import DEAD
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.host.flags import Flags
from tf1compat.runtime.host.loops import LoopInXla
from tf1compat.runtime.host.meeting import Meeting
from tf1compat.runtime.host.statements import (
    NotOnHost,
    Reference,
    Service,
    Statement,
    given_keywords,
    is_small,
    written,
)
from tf1compat.runtime.host.variables import Slots
from tf1compat.runtime.plan.loops import Loop
from tf1compat.runtime.trace.values import arg_position

# (variable, version) as the operations of a loop's body, or of the program, count them -> slots.
Resolve = Callable[[Any, int], tuple[int, ...]]

# So many shapes of one operation's outputs are told apart.
_MOST_SHAPES = 1024


class Source:
    """The source of a program.

    Args:
      ops: the steps, in order.
      effects: which version of each variable they see.
      feeds, given: the tensors whose values are given, and their order.
      fetches: the tensors whose values are wanted.
      watched: the tensors of whose every value the program tells (`seen(tensor, value)`).

    Attributes:
      text: the source of a function `run`, of the fed values.
      globals: what its names stand for; a `Reference` or a `Service` is to be bound to a run.
      turns: how many iterations each loop has taken at most, in a list that the program writes to.
      shapes: of operations that get values from outside, the shapes that these have had, where they
        are not known before; the program adds to them.
      ops_at: line -> the operation that stands there.
      inputs: operation -> the expressions of its inputs.
      ends: for each of `fetches`, the slots of a variable whose value at the end of the run it is;
        None where the function returns the value.
      names: the names of values.
      slots: the places of the variables.
      keeps_state: whether the program reads or writes variables, or draws random numbers.
      waits: whether an operation may wait for other threads, or call Python.

    Raises:
      NotOnHost: the program cannot be run so.
    """

    def __init__(
        self,
        ops: Sequence[Any],
        effects: plan_lib.Effects,
        feeds: plan_lib.Feeds,
        given: Sequence[Tensor],
        fetches: Sequence[Tensor],
        watched: Collection[Tensor] = (),
    ):
        self.globals: dict[str, Any] = {}
        self.turns: dict[Any, list[int]] = {}
        self.shapes: dict[Any, set[Any]] = {}
        self.slots = Slots()
        self.ops_at: dict[int, Any] = {}
        self.inputs: dict[Any, list[str]] = {}
        self.keeps_state = self.waits = False
        self._feeds = feeds
        self._count = 0
        self.names: dict[Tensor, str] = {}
        self._constants: dict[int, str] = {}
        self._known: dict[Tensor, np.ndarray] = {}
        self._flags = Flags(self._new, self._unguarded)
        self._guards: dict[Any, str | None] = {}
        self._within = 0  # the flags that are set where the loop stands, in the same way
        self._in_loop = 0
        self._body: list[Statement] = []
        self._now = Statement(None)
        self._written = effects.written
        self._watched = watched
        self._uses = Counter(tensor for op in ops for tensor in op._inputs)
        self._uses.update([*fetches, *watched])
        self._meeting = Meeting(self._uses)
        arguments = []
        for tensor in given:
            self.names[tensor] = self._new("t")
            arguments.append(self.names[tensor])
        self._steps(ops, effects, self._of_program)
        self._return(fetches)
        self._find_last()
        lines = [f"def run({', '.join(arguments)}):"]
        self.ops_at.update(written(self._body, lines))
        self.text = "\n".join(lines)

    # Names.

    def _new(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def _global(self, letter: str, value: Any) -> str:
        name = self._new(letter)
        self.globals[name] = value
        return name

    def _constant(self, value: Any, letter: str = "c") -> str:
        name = self._constants.get(id(value))
        if name is None:
            name = self._constants[id(value)] = self._global(letter, value)
        return name

    def _name(self, tensor: Tensor) -> str:
        """The name of a value that is no reference."""
        name = self.names.get(tensor)
        if name is None:
            value = self._known.get(tensor)
            if value is None:
                value = constants.known_value(tensor)
            if value is None:
                raise NotOnHost(f"{tensor.name} was not computed")
            name = self.names[tensor] = self._constant(value)
        self._now.uses.add(name)
        return name

    def _find_last(self) -> None:
        """Finds the writes after which nothing reads what was before them."""
        references = [value for value in self.globals.values() if type(value) is Reference]
        read_later: set[int] = set()  # the slots that are the newest to some reference
        for reference in reversed(references):
            if reference.target is not None:
                reference.is_last = read_later.isdisjoint(reference.slots)
            read_later.add(reference.slots[0])

    # Statements.

    def _begin(self, guard: str | None) -> Statement:
        self._now = Statement(guard)
        self._body.append(self._now)
        return self._now

    def _line(self, text: str, op: Any = None, indent: int = 0) -> None:
        self._now.lines.append((indent, text, op))

    def _unguarded(self, text: str, op: Any, uses: Iterable[str]) -> None:
        """A line that runs wherever the current loop does."""
        self._begin(None).uses.update(uses)
        self._line(text, op)

    # Under which flag an operation runs.

    def _guard(self, op: Any) -> str | None:
        """The flag under which an operation runs, which is no Merge."""
        guards = [self._guard_of(t) for t in op._inputs if t not in self._feeds]
        guards += [self._guard_of(control) for control in plan_lib.gates(op)]
        guards += [self._guard_of(t) for t in plan_lib.gate_tensors(op)]
        return self._flags.all(guards)

    def _guard_of(self, key: Any) -> str | None:
        """The flag under which a tensor or an operation exists; None if it exists wherever the
        current loop runs."""
        guard = self._guards.get(key)
        is_set = guard is not None and self._flags.is_among(guard, self._within)
        return None if is_set else guard

    def _set_guard(self, op: Any, guard: str | None) -> None:
        if guard is not None:
            for each in (op, *plan_lib.members(op), *op._outputs):
                self._guards[each] = guard

    # Variables.

    def _of_program(self, key: Any, version: int) -> tuple[int, ...]:
        """The slots of a variable at a version, the newest first."""
        if isinstance(key, plan_lib.Local):
            # A variable of one run is an object, which what writes it changes in place.
            return (self.slots.place(None, key, 0),)
        places = [self.slots.place(None, key, v) for v in range(version, 0, -1)]
        self.keeps_state = True
        return (*places, self.slots.of_session(key))

    def is_variable(self, tensor: Tensor) -> bool:
        """Whether a tensor stands for a variable, and not for a value."""
        return self._variable(tensor) is not None

    def _variable(self, tensor: Tensor) -> Tensor | None:
        """The output of the operation that owns the variable which a tensor stands for; None if it
        stands for a value."""
        while tensor not in self.names and tensor not in self._feeds:
            op = tensor._op
            spec = op._spec
            if spec.source:
                return tensor if plan_lib.is_reference(tensor) else None
            if spec.merges and tensor._value_index:  # which input it was
                return None
            given = plan_lib.handed_on(tensor)
            passes = (spec.passes_refs and not spec.merges) or spec.views
            if given is not None:
                tensor = given
            elif passes or spec.loop == "enter":
                # What enters a loop as the view of a variable is one inside.
                many = len(op._outputs) > 1 and not spec.is_switch
                tensor = op._inputs[tensor._value_index if many else 0]
            elif tensor._dtype._is_ref_dtype or (spec.merges and plan_lib.is_reference(tensor)):
                references = [t for t in op._inputs if plan_lib.is_reference(t)]
                if not references:
                    return None
                tensor = references[0]
            else:
                return None
        return None

    def _reference(self, op: Any, index: int, effects: plan_lib.Effects, resolve: Resolve) -> str:
        """A variable as an input of an operation: itself if the op says so, else its value."""
        tensor = op._inputs[index]
        spec = op._spec
        source = self._variable(tensor)
        assert source is not None
        key = plan_lib.variable_key(source)
        arg = arg_position(op, index)
        writes = arg in spec.writes
        made = effects.writes[op][key] if writes else None
        version = effects.visible[op].get(key, 0) if made is None else made - 1
        target = None if made is None else resolve(key, made)[0]
        if plan_lib.may_grow(source._shape) and plan_lib.views_on_the_way(tensor):
            raise NotOnHost(f"{tensor.name} is a view of a variable that may change its size")
        # The tensor that says of what kind the reference is: an Identity of a resource is one.
        kind = tensor if tensor._handle_data is not None else source
        slots = resolve(key, version)
        name = self._global("r", Reference(key, kind, slots, target, op))
        self._now.writes |= writes
        resource = tensor._dtype is dtypes.resource or source._dtype is dtypes.resource
        if writes or arg in spec.reads or resource:
            return name
        if spec.passes_refs and not (spec.is_switch and index):
            return name
        return f"{name}.read()"

    # Operations.

    def _steps(self, ops: Sequence[Any], effects: plan_lib.Effects, resolve: Resolve) -> None:
        for op in ops:
            self._step(op, effects, resolve)

    def _step(self, op: Any, effects: plan_lib.Effects, resolve: Resolve) -> None:
        spec = op._spec
        if isinstance(op, Loop):
            self._loop(op, effects, resolve)
        elif spec.merges:
            self._merge(op, effects, resolve)
        elif hasattr(op, "interpret"):
            raise NotOnHost(f"{op.name} is a step of the device's plan")
        elif not self._folded(op):
            self._operation(op, effects, resolve)
        if self._watched and not isinstance(op, Loop):
            for tensor in op._outputs:
                if tensor in self._watched and tensor not in self._feeds:
                    self._begin(self._guards.get(tensor))
                    self._tell(tensor, op, effects, resolve)

    def _tell(
        self, tensor: Tensor, step: Any, effects: plan_lib.Effects, resolve: Resolve,
        value: str | None = None,
    ) -> None:  # fmt: skip
        """Tells of the value of a watched tensor.

        Args:
          tensor: the tensor; nothing is said of one that is not watched.
          step: the operation after which a variable is looked at.
          value: an expression of the value, where it has no name of its own.
        """
        if tensor not in self._watched:
            return
        source = None if value is not None else self._variable(tensor)
        if source is not None:
            key = plan_lib.variable_key(source)
            made = effects.writes.get(step, {}).get(key)
            version = effects.visible.get(step, {}).get(key, 0) if made is None else made
            reference = Reference(key, source, resolve(key, version), None, tensor._op)
            value = self._global("r", reference)
        self._line(f"seen({self._global('w', tensor)}, {value or self._name(tensor)})", tensor._op)

    def _folded(self, op: Any) -> bool:
        """Works an operation out now, if its inputs are known."""
        spec = op._spec
        if not op._outputs or spec.writes or spec.effect:
            return False
        if any(tensor in self._feeds for tensor in op._outputs):
            return False
        if spec.static is not None:
            found: Any = spec.static(op)
            if found is not None and all(value is not None for value in found):
                self._known.update(zip(op._outputs, found, strict=True))
                self._set_guard(op, self._guard(op))
                return True
        if spec.fold is None or spec.is_switch or spec.passes_refs:
            return False
        values = [self._constant_value(tensor) for tensor in op._inputs]
        if any(value is None for value in values):
            return False
        if not all(is_small(tensor._shape) for tensor in op._outputs) and op._inputs:
            return False
        found = [None] if op._inputs else [constants.known_value(t) for t in op._outputs]
        if any(value is None for value in found):
            found = constants.fold(op, values)
        if found is None:
            return False
        self._known.update(zip(op._outputs, found, strict=True))
        self._set_guard(op, self._guard(op))
        return True

    def _constant_value(self, tensor: Tensor) -> np.ndarray | None:
        """The value of a tensor, if it is known."""
        value = self._known.get(tensor)
        if value is None and tensor not in self.names and tensor not in self._feeds:
            if plan_lib.is_constant(tensor._op, self._feeds):
                value = constants.known_value(tensor)
        return value

    def _operation(self, op: Any, effects: plan_lib.Effects, resolve: Resolve) -> None:
        spec = op._spec
        guard = self._guard(op)
        self._set_guard(op, guard)
        if spec.source and not spec.local:
            return
        stateful = getattr(op, "_is_stateful", False)
        if not (op._outputs or spec.writes or spec.effect or stateful):
            return  # A node that only waits.
        statement = self._begin(guard)
        inputs = [
            self._reference(op, i, effects, resolve) if self.is_variable(t) else self._name(t)
            for i, t in enumerate(op._inputs)
        ]
        if spec.is_switch:
            self._switch(op, inputs, guard)
            return
        if spec.passes_refs or spec.views:
            self._aliases(op, inputs)
            return
        if spec.source:
            key = plan_lib.Local(op)
            slot = self.slots.place(None, key, 0)
            self._line(f"V.values[{slot}] = one({self._call(op, inputs, spec.on_numpy)})", op)
            return
        waits = plan_lib.may_wait(op)
        if waits:
            self.waits = True
            self._line("open_state()", op)
        call = self._shortened(op, inputs, statement) or self._call(op, inputs, spec.on_numpy)
        names = [self._output(t) for t in op._outputs]
        statement.makes.update(names)
        self._assign(op, names, call)
        if waits:
            self._line("close_state()", op)
            self._note_shapes(op, names)

    def _assign(self, op: Any, names: list[str], call: str) -> None:
        """Gives the outputs of an operation their names."""
        if not any(tensor in self._uses for tensor in op._outputs):
            self._line(call, op)
        elif 0 < len(names) < 5:
            self._line(f"{', '.join(names)} = {call}", op)
            for name in names:
                self._line(f"if {name}.__class__ is not ND: {name} = one({name})", op)
        else:
            self._line(f"{', '.join(names)} = several({call})", op)

    def _note_shapes(self, op: Any, names: list[str]) -> None:
        """Has the program note the shapes of what an operation gets from outside, as an iterator's:
        XLA's programs are made for them, and nothing that is fed tells them."""
        varied = [n for n, t in zip(names, op._outputs) if t._shape is None or None in t._shape]
        always = not self._in_loop and self._now.guard is None
        varied = varied if any(tensor in self._uses for tensor in op._outputs) else []
        if varied and always and getattr(op, "_is_stateful", False):
            seen = self.shapes[op] = set()
            shapes = ", ".join(f"getattr({name}, 'shape', ())" for name in varied)
            name = self._global("seen", seen)
            self._line(f"if len({name}) < {_MOST_SHAPES}: {name}.add(({shapes},))", op)

    def _output(self, tensor: Tensor) -> str:
        """A name for an output; it becomes the tensor's, unless that is fed or a variable's."""
        name = self._new("t")
        if tensor not in self._feeds and not self.is_variable(tensor):
            self.names[tensor] = name
        return name

    def _aliases(self, op: Any, inputs: list[str]) -> None:
        """The outputs are the inputs."""
        for tensor, name, source in zip(op._outputs, inputs, op._inputs, strict=True):
            if tensor in self._feeds:
                continue
            if name.endswith(".read()"):
                # A view of a variable: it has to have a value when the view is made.
                self._line(name, op)
            elif not self.is_variable(source):
                self.names[tensor] = name
                self._meeting.hand_on(source, tensor)

    def _shortened(self, op: Any, inputs: list[str], statement: Statement) -> str | None:
        """The call of a function of NumPy in place of the op's rule, where constants meet."""
        if not op._spec.affine or any(self.is_variable(tensor) for tensor in op._inputs):
            return None
        values = [self._constant_value(tensor) for tensor in op._inputs]
        found = self._meeting.shortened(op, inputs, values, statement)
        if found is None:
            return None
        function, given = found
        self.inputs[op] = names = [x if isinstance(x, str) else self._constant(x) for x in given]
        statement.uses = {*names}
        return f"{self._constant(function, 'f')}({', '.join(names)})"

    def _call(self, op: Any, inputs: list[str], rule: op_registry.Rule | None) -> str:
        """The call of a rule of the op."""
        spec = op._spec
        if rule is None:
            raise NotImplementedError(
                f"Op type {op.type} (operation '{op.name}') is not supported by tf1compat yet"
            )
        if spec.random:
            self.keeps_state = True
        self.inputs[op] = inputs
        keywords = given_keywords(rule, op)
        if "ctx" in rule.services:
            keywords["ctx"] = Service(op, not self._in_loop and self._now.guard is None)
        parts: list[str] = inputs
        if spec.op_def is not None and spec.op_def.has_list_inputs:
            grouped = op_registry.group_inputs(op, inputs)
            parts = [f"[{', '.join(g)}]" if isinstance(g, list) else g for g in grouped]
        given = [f"{key}={self._keyword(value)}" for key, value in keywords.items()]
        return f"{self._constant(rule.function, 'f')}({', '.join([*parts, *given])})"

    def _keyword(self, value: Any) -> str:
        return repr(value) if type(value) in (bool, int) else self._global("a", value)

    def _switch(self, op: Any, inputs: list[str], guard: str | None) -> None:
        pred = self._pred(op, inputs[1])
        for side, tensor in enumerate(op._outputs):
            if tensor not in self._uses or tensor in self._feeds:
                continue
            self._guards[tensor] = self._flags.side(op, pred, guard, side)
            if not self.is_variable(op._inputs[0]):
                self.names[tensor] = inputs[0]

    def _pred(self, op: Any, value: str) -> str:
        """The name of a Switch's predicate: one for all that see a variable at one version."""
        if not value.endswith(".read()"):
            return value
        reference: Reference = self.globals[value.removesuffix(".read()")]
        key = ("pred", reference.slots)
        name = self._flags.names.get(key)
        if name is None:
            name = self._flags.names[key] = self._new("t")
            self._now.makes.add(name)
            self._line(f"{name} = {value}", op)
        return name

    def _merge(self, op: Any, effects: plan_lib.Effects, resolve: Resolve) -> None:
        guards = [None if t in self._feeds else self._guard_of(t) for t in op._inputs]
        guard = self._flags.any(guards)
        self._set_guard(op, guard)
        value, index = op._outputs
        self._begin(guard)
        if self._is_wanted(value) and not self.is_variable(value):
            inputs = [
                self._reference(op, i, effects, resolve) if self.is_variable(t) else self._name(t)
                for i, t in enumerate(op._inputs)
            ]
            self._choose(op, value, inputs, guards)
        if self._is_wanted(index):
            places = [self._constant(_index(i)) for i in range(len(op._inputs))]
            self._choose(op, index, places, guards)

    def _is_wanted(self, tensor: Tensor) -> bool:
        return tensor in self._uses and tensor not in self._feeds

    def _choose(
        self, op: Any, tensor: Tensor, values: list[str], guards: Sequence[str | None]
    ) -> None:
        """The first of `values` whose flag is set."""
        text = values[-1]
        for value, flag in reversed(list(zip(values[:-1], guards[:-1], strict=True))):
            text = value if flag is None else f"{value} if {flag} else {text}"
        name = self._output(tensor)
        self._now.makes.add(name)
        self._line(f"{name} = {text}", op)

    # Loops.

    def _loop(self, loop: Any, effects: plan_lib.Effects, resolve: Resolve) -> None:
        guard = self._guard(loop)
        self._set_guard(loop, guard)
        outer_body, outer_flags = self._body, self._flags.names
        statement = self._begin(guard)
        carried = [key for key in loop.effects.written if not isinstance(key, plan_lib.Local)]
        in_xla = self._in_xla(loop, effects, resolve)

        def inside(key: Any, version: int) -> tuple[int, ...]:
            if isinstance(key, plan_lib.Local):
                return self._of_program(key, 0)
            if key in carried:
                return tuple(self.slots.place(loop, key, v) for v in range(version, -1, -1))
            return resolve(key, effects.visible[loop].get(key, 0))

        for enter in loop.enters:
            if not self.is_variable(enter._inputs[0]):
                self.names[enter._outputs[0]] = self._name(enter._inputs[0])
            self._tell(enter._outputs[0], loop, effects, resolve)
        for key in carried:
            before = resolve(key, effects.writes[loop][key] - 1)
            self._line(f"V.values[{self.slots.place(loop, key, 0)}] = V.find({before})")
        variables = []
        for merge, initial in zip(loop.merges, loop.initial, strict=True):
            name = self._new("m")
            variables.append(name)
            if self.is_variable(initial):
                value = self._read(initial, initial._op, loop, effects, resolve)
            else:
                value = self._name(initial)
            self._line(f"{name} = {value}")
            for k, output in enumerate(merge._outputs):
                self.names[output] = self._constant(_index(0)) if k else name
        for switch, i in zip(loop.switches, loop.switched, strict=True):
            for output in switch._outputs:
                self.names[output] = variables[i]
        # The statements of an iteration.
        self._body, self._flags.names = [], dict(outer_flags)
        self._in_loop += 1
        inside_it = [t for op in (*loop.body, *loop.ending) for t in op._inputs]
        self._uses.update([*inside_it, *loop.next, loop.condition])
        test = set(loop.test)
        saved, within = dict(self._guards), self._within
        if guard is not None:
            self._within |= self._flags.with_implied(guard)
        for op in (loop, *loop.members, *(e._outputs[0] for e in loop.enters)):
            self._guards.pop(op, None)
        for tensor in loop.initial:
            self._guards.pop(tensor, None)
        count = self._new("n")
        if self._watched:
            self._begin(None)
            indices = [self._constant(_index(i)) for i in range(2)]
            for merge, name in zip(loop.merges, variables, strict=True):
                value, index = merge._outputs
                self._tell(value, loop, effects, resolve, name)
                self._tell(
                    index, loop, effects, resolve, f"{indices[1]} if {count} else {indices[0]}"
                )
        self._steps(loop.test, loop.effects, inside)
        if self._guard_of(loop.condition) is not None:
            raise NotOnHost(f"the condition of loop '{loop.name}' is that of a branch")
        self._begin(None)
        condition = self._name(loop.condition)
        self._tell(loop.pivot, loop, effects, resolve, condition)
        self._line(f"if not truth({condition}): break", loop)
        for switch, i in zip(loop.switches, loop.switched, strict=True):
            self._tell(switch._outputs[1], loop, effects, resolve, variables[i])
        self._steps([op for op in loop.body if op not in test], loop.effects, inside)
        if any(self._guard_of(tensor) is not None for tensor in loop.next):
            raise NotOnHost(f"a variable of loop '{loop.name}' is that of a branch")
        self._begin(None)
        after = [
            self._read(tensor, tensor._op, tensor._op, loop.effects, inside)
            if self.is_variable(tensor)
            else self._name(tensor)
            for tensor in loop.next
        ]
        if after:
            self._line(f"{', '.join(variables)} = {', '.join(after)}")
        for following, name in zip(loop.nexts, variables, strict=True):
            self._tell(following._outputs[0], loop, effects, resolve, name)
        for key in carried:
            last = inside(key, loop.effects.written[key])
            self._line(f"V.values[{last[-1]}] = V.find({last})")
            if len(last) > 1:
                blank = " = ".join(f"V.values[{slot}]" for slot in last[:-1])
                self._line(f"{blank} = MISSING")
        turn = self._body
        self._in_loop -= 1
        self._body, self._flags.names = outer_body, outer_flags
        self._guards, self._within = saved, within
        self._now = statement
        # How many iterations it takes tells what a run costs.
        longest = self._global("longest", self.turns.setdefault(loop, [0]))
        self._line(f"for {count} in count():")
        self._nest(statement, turn)
        self._line(f"if {count} > {longest}[0]: {longest}[0] = {count}")
        for key in carried:
            made = resolve(key, effects.writes[loop][key])[0]
            last = inside(key, loop.effects.written[key])
            self._line(f"V.values[{made}] = V.find({last})")
        for switch, i in zip(loop.switches, loop.switched, strict=True):
            self._tell(switch._outputs[0], loop, effects, resolve, variables[i])
        # What stands between the last values of the loop variables and the Exits.
        if loop.ending:
            self._body = []
            self._steps(loop.ending, loop.effects, inside)
            ending, self._body = self._body, outer_body
            self._now = statement
            self._nest(statement, ending, 0)
        for leave in loop.exits:
            name = self._new("t")
            value = self._name(leave._inputs[0])
            self._line(f"{name} = {value}")
            self.names[leave._outputs[0]] = name
            statement.makes.add(name)
            self._tell(leave._outputs[0], loop, effects, resolve)
        if in_xla is not None:
            start = 1 + in_xla
            made = statement.lines[in_xla][1].split(" = ")[0]
            names = [self.names[leave._outputs[0]] for leave in loop.exits]
            nested = [(indent + 1, text, op) for indent, text, op in statement.lines[start:]]
            statement.lines[start:] = [(0, f"if {made} is None:", None), *nested]
            if names:
                self._line("else:")
                self._line(f"{', '.join(names)}, = {made}", None, 1)
            self._line(f"{made} = None")

    def _in_xla(self, loop: Any, effects: plan_lib.Effects, resolve: Resolve) -> int | None:
        """Lets XLA run a loop, where that is possible.

        Returns:
          The line that asks for it, as a number in the statement; None if there is none.
        """
        if self._watched or self._in_loop or not LoopInXla.fits(loop):
            return None
        references: list[Reference | None] = []
        values, known = [], []
        for enter in loop.enters:
            tensor = enter._inputs[0]
            source = self._variable(tensor)
            values.append("None" if source is not None else self._name(tensor))
            value = self.globals.get(values[-1])
            known.append(value if value is not None and is_small(value.shape) else None)
            if source is None:
                references.append(None)
                continue
            key = plan_lib.variable_key(source)
            made = effects.writes.get(loop, {}).get(key)
            version = effects.visible[loop].get(key, 0) if made is None else made - 1
            kind = tensor if tensor._handle_data is not None else source
            references.append(Reference(key, kind, resolve(key, version), None, loop))
        seen = self.turns[loop] = [0]
        name = self._global("x", LoopInXla(loop, references, known, seen))
        self._line(f"{self._new('x')} = {name}([{', '.join(values)}])")
        return len(self._now.lines) - 1

    def _nest(self, statement: Statement, body: list[Statement], indent: int = 1) -> None:
        """Makes the statements of an iteration a part of that of the loop."""
        guard: str | None = None
        for part in body:
            statement.uses |= part.uses | part.makes
            if not part.lines:
                continue
            if part.guard != guard:
                guard = part.guard
                if guard is not None:
                    statement.lines.append((indent, f"if {guard}:", None))
            more = indent if guard is None else indent + 1
            for depth, text, op in part.lines:
                statement.lines.append((more + depth, text, op))

    def _read(
        self, tensor: Tensor, op: Any, step: Any, effects: plan_lib.Effects, resolve: Resolve
    ) -> str:
        """The value of a variable that control flow hands on as a value.

        Args:
          tensor: what stands for it.
          op: what reads it, as an error says.
          step: the operation that sees it as the value is to be.
        """
        source = self._variable(tensor)
        assert source is not None
        key = plan_lib.variable_key(source)
        slots = resolve(key, effects.visible.get(step, {}).get(key, 0))
        return f"{self._global('r', Reference(key, source, slots, None, op))}.read()"

    # The end.

    def _return(self, fetches: Sequence[Tensor]) -> None:
        self._begin(None)
        self.ends: list[tuple[int, ...] | None] = []
        parts = []
        for tensor in fetches:
            if self.is_variable(tensor):
                if tensor._dtype is dtypes.resource:
                    raise NotOnHost(f"the handle {tensor.name} is fetched")
                key = plan_lib.variable_key(tensor)
                self.ends.append(self._of_program(key, self._written.get(key, 0)))
                self.keeps_state = True
                continue
            self.ends.append(None)
            guard = None if tensor in self._feeds else self._guards.get(tensor)
            name = self._name(tensor)
            parts.append(name if guard is None else f"{name} if {guard} else DEAD")
        self._line(f"return [{', '.join(parts)}]")
        self.globals["DEAD"] = DEAD


@functools.cache
def _index(i: int) -> np.ndarray:
    """Which input a Merge took."""
    return np.array(i, np.int32)
