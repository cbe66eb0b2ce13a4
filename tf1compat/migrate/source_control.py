"""Loops as `lax.scan` or `lax.while_loop`, conditionals as `lax.cond`.

A loop whose length Python knows while JAX traces (of a fixed number of steps, or as long as a
dimension) is a `lax.scan`, which can be differentiated. What it writes to a TensorArray step by
step is stacked, and what it reads so is scanned. If something besides ends the loop sooner, its
variables stay as they are from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import (
    carried,
    is_object,
    known_value,
    needed,
    places,
    predicate,
    refuse,
    resolved,
)
from tf1compat.migrate.source_text import (
    COMPARISON,
    Expr,
    function,
    grouped,
    is_simple,
    returning,
    state_name,
    tupled,
    uses_name,
    wrapped,
)

if TYPE_CHECKING:
    from tf1compat.migrate.source_body import Body
    from tf1compat.runtime.plan.branches import Branches
    from tf1compat.runtime.plan.loops import Loop


class _Length(NamedTuple):
    """How long a loop is.

    Attributes:
      steps: how many steps it has at most, an expression that Python knows.
      counter: the loop variable that counts them.
      others: what has to hold besides for it to go on.
    """

    steps: Expr
    counter: int
    others: list[Tensor]


def write_loop(body: Body, loop: Loop, results: set[Tensor]) -> None:
    """Adds a loop."""
    if loop.test_acts:
        refuse(loop, "whose condition draws numbers or acts")
    wanted = {op._outputs[0] for op in loop.exits} & results
    at = places(loop)
    for op in loop.exits:
        if op._outputs[0] in wanted and op._inputs[0] not in at:
            refuse(loop, f"after whose last iteration '{op.name}' is computed")
    length = _length(body, loop)
    if length is None:
        _write_while(body, loop, wanted)
    else:
        _write_scan(body, loop, wanted, length)


def _counts(loop: Loop, at: dict[Tensor, int]) -> set[int]:
    """The loop variables that begin with 0 and grow by one."""
    found = set()
    for i, tensor in enumerate(loop.next):
        op = tensor._op
        first = known_value(_entering(loop.initial[i]))
        if op.type not in ("Add", "AddV2") or first is None or first.size != 1 or first.item() != 0:
            continue
        left, right = (resolved(t) for t in op._inputs)
        by = [known_value(t) for t in (right, left) if at.get(t) is None]
        if i in (at.get(left), at.get(right)) and by and by[0] is not None:
            if by[0].size == 1 and by[0].item() == 1 and by[0].dtype.kind in "iu":
                found.add(i)
    return found


def _entering(tensor: Tensor) -> Tensor:
    return tensor._op._inputs[0] if tensor._op._spec.loop == "enter" else tensor


def _conjuncts(tensor: Tensor) -> list[Tensor]:
    tensor = resolved(tensor)
    if tensor._op.type != "LogicalAnd":
        return [tensor]
    return [part for t in tensor._op._inputs for part in _conjuncts(t)]


def _limit(part: Tensor, at: dict[Tensor, int], counters: set[int]) -> tuple[int, Tensor] | None:
    """(counter, limit) of a condition `counter < limit`, whose limit is from outside."""
    if part._op.type != "Less":
        return None
    left, right = (resolved(t) for t in part._op._inputs)
    outside = known_value(right) is not None or right._op._spec.loop == "enter"
    return (at[left], right) if at.get(left) in counters and outside else None


def _length(body: Body, loop: Loop) -> _Length | None:
    at = places(loop)
    counters = _counts(loop, at)
    steps: dict[str, Expr] = {}
    others, counter = [], -1
    for part in _conjuncts(loop.condition):
        found = _limit(part, at, counters)
        limit = None if found is None else body.value(found[1])
        known = found is not None and known_value(found[1]) is not None
        if found is not None and limit is not None and (limit.static or known):
            counter = found[0]
            steps[limit.text] = limit
        else:
            others.append(part)
    if not steps:
        return None
    text = next(iter(steps)) if len(steps) == 1 else f"min({', '.join(steps)})"
    return _Length(Expr(text, static=True), counter, others)


class _Array(NamedTuple):
    """What a loop writes to a TensorArray, an element an iteration."""

    write: Any
    value: Tensor


def _stacked(
    body: Body, loop: Loop, at: dict[Tensor, int], counters: set[int], steps: str
) -> dict[int, _Array]:
    """The loop variables that are TensorArrays of as many elements as the loop has steps."""
    found = {}
    for i, tensor in enumerate(loop.next):
        op = resolved(tensor)._op
        if op.type != "TensorArrayWriteV3":
            continue
        _, index, value, flow = op._inputs
        array = array_of(op)
        users = [
            user
            for user in loop.body
            if any(at.get(resolved(t)) == i for t in user._inputs) and user.type != "Identity"
        ]
        fresh = resolved(_entering(loop.initial[i])) is array._outputs[1]
        size = body.value(array._inputs[0]).text
        if fresh and at.get(resolved(flow)) == i and at.get(resolved(index)) in counters:
            if users == [op] and size == steps:
                found[i] = _Array(op, value)
    return found


def array_of(op: Any) -> Any:
    """The operation that made a TensorArray."""
    tensor = op._inputs[0]
    while tensor._op.type != "TensorArrayV3":
        if not tensor._op._inputs:
            refuse(op, "whose TensorArray comes from elsewhere")
        tensor = tensor._op._inputs[0]
    return tensor._op


def _write_scan(body: Body, loop: Loop, wanted: set[Tensor], length: _Length) -> None:
    at = places(loop)
    counters = _counts(loop, at)
    leaving = {at[op._inputs[0]]: op for op in loop.exits if op._outputs[0] in wanted}
    monotone = all(_limit(part, at, counters) is not None for part in length.others)
    if (length.others and not monotone) or (length.others and counters & set(leaving)):
        counters = set()
    stacked = _stacked(body, loop, at, counters, length.steps.text)
    need = carried(loop, wanted)
    fixed = {i for i in need.positions if at.get(resolved(loop.next[i])) == i}
    kept = [i for i in need.positions if i not in counters and i not in stacked and i not in fixed]
    stacked = {i: array for i, array in stacked.items() if i in leaving}
    targets = [loop.next[i] for i in kept] + [array.value for array in stacked.values()]
    running = bool(length.others)
    steps = needed(loop.steps, {*targets, *(length.others if running else ())}, loop.given())
    read = {
        op._outputs[0]: op
        for op in steps
        if op.type == "TensorArrayReadV3"
        and op._inputs[2]._op._spec.loop == "enter"
        and at.get(resolved(op._inputs[1])) in counters
        and body.value(array_of(op)._inputs[0]).text == length.steps.text
    }
    names = set(body.names)
    free = body.module.free
    count = free("i", names)
    given: dict[Tensor, Expr] = {}
    state = _state_names(body, loop, kept, names)
    _give(given, loop, at, state)
    _give(given, loop, at, {i: body.value(_entering(loop.initial[i])).text for i in fixed})
    _give(given, loop, at, dict.fromkeys(counters, count))
    rows: dict[Tensor, str] = {}
    for output, op in read.items():
        source = op._inputs[2]._op._inputs[0]
        rows.setdefault(source, free(_row_name(source), names))
        given[output] = Expr(rows[source])
    inner = body.inside(given, names)
    inner.counters = None if body.counters is None else (*body.counters, count)
    step = free(_loop_name(loop), names)
    inner.write(steps, {*targets, *(length.others if running else ())})
    held = _is_running(inner, length) if running else ""
    last = [inner.value(loop.next[i]).text for i in kept]
    made = [inner.value(array.value).text for array in stacked.values()]
    if held:
        last = [_held(inner, held, n, state[i]) for n, i in zip(last, kept, strict=True)]
        made = [_held(inner, held, value, "0") for value in made]
    counted = uses_name("\n".join([*inner.lines, *last, *made]), count)
    xs = [
        *([f"jnp.arange({length.steps.text})"] if counted else []),
        *(body.value(t).text for t in rows),
    ]
    taken = [*([count] if counted else []), *rows.values()]
    _add_step(body, inner, step, [state[i] for i in kept], taken, last, made)
    outputs = [_result(body, leaving.get(i), f"last_{state[i]}") for i in kept]
    outputs = outputs if set(outputs) != {"_"} else []
    arrays = [_result(body, leaving.get(i), "outputs") for i in stacked]
    first = tupled(body.value(_entering(loop.initial[i])).text for i in kept)
    source = f"{tupled(xs)}" if xs else f"None, length={length.steps.text}"
    targets_text = f"{tupled(outputs) if outputs else '_'}, {tupled(arrays) if arrays else '_'}"
    body.add(targets_text, f"lax.scan({step}, {first}, {source})")
    for i in set(leaving) & (counters | fixed):
        value = length.steps if i in counters else body.value(_entering(loop.initial[i]))
        body.values[leaving[i]._outputs[0]] = value


def _held(inner: Body, running: str, value: str, otherwise: str) -> str:
    """A value while the loop runs, and what stands for it afterwards."""
    name = inner.module.free("kept" if otherwise != "0" else "made", inner.names)
    inner.add(name, f"jnp.where({running}, {value}, {otherwise})")
    return name


def _is_running(inner: Body, length: _Length) -> str:
    parts = [inner.value(part) for part in length.others]
    if len(parts) == 1 and is_simple(parts[0]):
        return parts[0].text
    if len(parts) == 1:
        held = parts[0].text
    else:
        held = " & ".join(grouped(part, COMPARISON + 1) for part in parts)
    name = inner.module.free("running", inner.names)
    inner.add(name, held)
    return name


def _give(
    given: dict[Tensor, Expr], loop: Loop, at: dict[Tensor, int], names: dict[int, str]
) -> None:
    """Says what loop variables are called."""
    given.update({tensor: Expr(names[i]) for tensor, i in at.items() if i in names})
    for i, name in names.items():
        given[loop.initial[i]] = Expr(name)


def _row_name(source: Tensor) -> str:
    return "x"


def _loop_name(loop: Loop) -> str:
    scopes = [part for part in loop.name.split("/") if not part.startswith("while")]
    return f"{scopes[-1]}_step" if scopes else "step"


def _state_names(body: Body, loop: Loop, kept: list[int], names: set[str]) -> dict[int, str]:
    found = {}
    for i in kept:
        found[i] = body.module.free(state_name(_entering(loop.initial[i])), names)
    return found


def _add_step(
    body: Body,
    inner: Body,
    name: str,
    state: list[str],
    taken: list[str],
    last: list[str],
    made: list[str],
) -> None:
    """Adds the function of one step of a scan."""
    arguments = []
    unpack = []
    for parts, whole in ((state, "carry"), (taken, "inputs")):
        if len(parts) == 1:
            arguments.append(parts[0])
        elif parts:
            whole = body.module.free(whole, inner.names)
            arguments.append(whole)
            unpack += wrapped(f"{', '.join(parts)} = {whole}", inner.depth)
        else:
            arguments.append("_" if "_" not in arguments else "__")
    value = f"{tupled(last)}, {tupled(made)}"
    lines = returning([*unpack, *inner.finished()], value, inner.depth)
    body.add_lines(function(name, ", ".join(arguments), "", lines))


def _result(body: Body, leaving: Any, name: str) -> str:
    return "_" if leaving is None else body.named(leaving._outputs[0], name)


def _write_while(body: Body, loop: Loop, wanted: set[Tensor]) -> None:
    at = places(loop)
    leaving = {at[op._inputs[0]]: op for op in loop.exits if op._outputs[0] in wanted}
    need = carried(loop, wanted)
    fixed = {i for i in need.positions if at.get(resolved(loop.next[i])) == i}
    kept = [i for i in need.positions if i not in fixed]
    names = set(body.names)
    state = _state_names(body, loop, kept, names)
    given: dict[Tensor, Expr] = {}
    _give(given, loop, at, state)
    _give(given, loop, at, {i: body.value(_entering(loop.initial[i])).text for i in fixed})
    carry = [state[i] for i in kept]
    whole = carry[0] if len(carry) == 1 else body.module.free("carry", names)
    unpack = [] if len(carry) == 1 else wrapped(f"{', '.join(carry)} = {whole}", body.depth + 1)
    free = body.module.free
    base = _loop_name(loop)
    parts = []
    for kind, targets in (
        ("goes_on", [loop.condition]),
        ("", [loop.next[i] for i in kept]),
    ):
        inner = body.inside(given, names)
        inner.counters = None
        inner.write(loop.steps, set(targets))
        value = tupled(inner.value(t).text for t in targets)
        name = free(f"{base}_{kind}" if kind else base, names, body.names)
        lines = _unpacked(unpack, inner.finished(), value)
        body.add_lines(function(name, whole, "", returning(lines, value, inner.depth)))
        parts.append(name)
    body.names |= set(parts)
    first = tupled(body.value(_entering(loop.initial[i])).text for i in kept)
    outputs = [_result(body, leaving.get(i), f"last_{state[i]}") for i in kept]
    body.add(tupled(outputs).strip("()"), f"lax.while_loop({parts[0]}, {parts[1]}, {first})")
    for i in set(leaving) & fixed:
        body.values[leaving[i]._outputs[0]] = body.value(_entering(loop.initial[i]))


def _unpacked(unpack: list[str], lines: list[str], value: str) -> list[str]:
    """Takes the carry apart; what is not used has no name."""
    if not unpack:
        return lines
    text = "\n".join([*lines, value])
    names, _, whole = unpack[0].partition(" = ")
    parts = [n if uses_name(text, n) else "_" for n in names.split(", ")]
    return [f"{', '.join(parts)} = {whole}", *lines]


def write_branches(body: Body, branches: Branches, results: set[Tensor]) -> None:
    """Adds a conditional."""
    needed_there = results & set(branches.results)
    wanted = [t for t in branches._outputs if t in needed_there and known_value(t) is None]
    sides = _Sides(branches)
    for tensor in [t for t in wanted if t._op in set(branches.switches)]:
        # A later part of the same branch takes what was let through.
        body.values[tensor] = body.value(tensor._op._inputs[0])
        wanted.remove(tensor)
    # What a later part of the branch takes is written there again.
    wanted = [t for t in wanted if t._op._spec.merges or t in body.module.alone]
    names = set(body.names)
    texts = []
    for side, name in ((1, "if_true"), (0, "if_false")):
        inner = body.inside(sides.given(body, side), names)
        targets = [
            sides.merged(tensor, side) if tensor._op._spec.merges else tensor for tensor in wanted
        ]
        alive = {tensor for tensor in targets if sides.is_alive(tensor, side)}
        inner.write(sides.steps(side), alive)
        value = tupled(inner.value(t).text if t in alive else _nothing(t) for t in targets)
        lines = inner.finished()
        if not lines and len(value) < 60:
            texts.append(f"lambda: {value}")
        else:
            name = body.module.free(name, names, body.names)
            body.names.add(name)
            body.add_lines(function(name, "", "", returning(lines, value, inner.depth)))
            texts.append(name)
    pred = body.value(predicate(branches))
    outputs = [body.named(tensor) for tensor in wanted]
    body.add(
        ", ".join(outputs),
        f"lax.cond({pred.text}, {texts[0]}, {texts[1]})",
        wanted[0] if len(wanted) == 1 else None,
    )


def _nothing(tensor: Tensor) -> str:
    """What stands for a change on the side of a conditional that has none."""
    shape = tensor._shape
    if shape is None or None in shape:
        refuse(tensor._op, "whose shape is not known, on one side of a conditional")
    return f"jnp.zeros({shape}, jnp.{tensor._dtype.base_dtype.name})"


class Passed:
    """A value under another name, as a step."""

    def __init__(self, source: Tensor, passed: Tensor):
        self._inputs, self._outputs = [source], [passed]
        self.name = self.type = ""


class _Sides:
    """What is alive on each side of a conditional."""

    def __init__(self, branches: Branches):
        self._branches = branches
        self._switches = set(branches.switches)
        self._owner = {
            m: step for step in branches.steps for m in (step, *getattr(step, "members", ()))
        }
        self._alive: dict[tuple[Any, int], bool] = {}

    def given(self, body: Body, side: int) -> dict[Tensor, Expr]:
        """What the Switches let through."""
        found = {}
        for op in self._switches:
            source = op._inputs[0]
            if source in body.values or source._op not in self._owner:
                if op._outputs[side]._consumers and not is_object(source):
                    found[op._outputs[side]] = body.value(source)
        return found

    def merged(self, tensor: Tensor, side: int) -> Tensor:
        """What a Merge gives on a side."""
        alive = [t for t in tensor._op._inputs if self.is_alive(t, side)]
        if len(alive) != 1 or tensor._value_index != 0:
            refuse(tensor._op, "which merges other things than the two branches")
        return alive[0]

    def steps(self, side: int) -> list[Any]:
        """What runs on a side."""
        found: list[Any] = []
        for step in self._branches.steps:
            if step not in self._switches:
                found += [step] if self._step_is_alive(step, side) else []
            elif step._inputs[0]._op in self._owner:
                # What an earlier part of the same branch has merged.
                source = self._merged_there(step._inputs[0], side)
                found += [] if source is None else [Passed(source, step._outputs[side])]
        return found

    def _merged_there(self, tensor: Tensor, side: int) -> Tensor | None:
        while tensor._op._spec.merges and tensor._op in self._owner:
            alive = [t for t in tensor._op._inputs if self.is_alive(t, side)]
            if len(alive) != 1:
                return None
            tensor = alive[0]
        return tensor if self.is_alive(tensor, side) else None

    def is_alive(self, tensor: Tensor, side: int) -> bool:
        op = tensor._op
        if op in self._switches:
            return tensor._value_index == side
        return op not in self._owner or self._step_is_alive(self._owner[op], side)

    def _step_is_alive(self, step: Any, side: int) -> bool:
        found = self._alive.get((step, side))
        if found is None:
            self._alive[step, side] = True
            alive = [self.is_alive(t, side) for t in step._inputs]
            found = any(alive) if step._spec.merges else all(alive)
            found = found and all(self._control_is_alive(c, side) for c in step._control_inputs)
            self._alive[step, side] = found
        return found

    def _control_is_alive(self, op: Any, side: int) -> bool:
        if op in self._switches:
            return True
        return op not in self._owner or self._step_is_alive(self._owner[op], side)
