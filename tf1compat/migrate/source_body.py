"""The lines of one function of a written module."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterable, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import source_control, source_slopes
from tf1compat.migrate.source_call import Call, Several
from tf1compat.migrate.source_layers import LAYERS
from tf1compat.migrate.source_linalg import LINALG
from tf1compat.migrate.source_needs import (
    Slope,
    given_by,
    index_of,
    inputs_of,
    known_value,
    needed,
    product_of,
    refuse,
    softmax_of,
    unread_by,
    variable_of,
)
from tf1compat.migrate.source_ops import REPEATS, WRITERS, product, static_shape
from tf1compat.migrate.source_repeats import LayerCall, calls_of, wanted_of
from tf1compat.migrate.source_sparse import SPARSE
from tf1compat.migrate.source_text import (
    Expr,
    is_simple,
    short_name,
    wrapped,
)
from tf1compat.runtime.plan.branches import Branches
from tf1compat.runtime.plan.loops import Loop

if TYPE_CHECKING:
    from tf1compat.migrate.source_module import Module

# What is longer gets a name, though it is used once.
_INLINE = 44


def _together(steps: Sequence[Any], scopes: dict[Any, str | None], aside: set[Any]) -> list[Any]:
    """The steps in an order in which those of a scope follow each other as far as may be.

    Args:
      aside: what comes right before what needs it.
    """
    if len({scopes[step] for step in steps}) == 1:
        return list(steps)
    makers: dict[Tensor, int] = {}
    for i, step in enumerate(steps):
        for tensor in given_by(step):
            makers.setdefault(tensor, i)
    needs, users = [], [[] for _ in steps]
    for i, step in enumerate(steps):
        taken = {makers[t] for t in _all_inputs(step) if makers.get(t, i) != i}
        needs.append(len(taken))
        for j in taken:
            users[j].append(i)
    ready: dict[str | None, list[int]] = {}
    found: list[Any] = []
    put_off: dict[int, Any] = {}

    def add(i: int) -> None:
        heapq.heappush(ready.setdefault(scopes[steps[i]], []), i)

    def emit(i: int) -> None:
        if steps[i] in aside:
            put_off[i] = steps[i]
        else:
            wanted = {makers[t] for t in _all_inputs(steps[i]) if t in makers} & set(put_off)
            while not wanted.issuperset(
                more := {makers[t] for j in wanted for t in _all_inputs(steps[j]) if t in makers}
                & set(put_off)
            ):
                wanted |= more
            found.extend(put_off.pop(j) for j in sorted(wanted))
            found.append(steps[i])
        for user in users[i]:
            needs[user] -= 1
            if not needs[user]:
                add(user)

    for i, count in enumerate(list(needs)):
        if not count:
            add(i)
    while any(ready.values()):
        scope = min((s for s, waiting in ready.items() if waiting), key=lambda s: ready[s][0])
        emit(heapq.heappop(ready[scope]))
        while scope is not None and ready[scope]:
            emit(heapq.heappop(ready[scope]))
    return [*found, *(put_off[i] for i in sorted(put_off))]


def _shapes(steps: Sequence[Any], scopes: dict[Any, str | None]) -> list[Any]:
    """The steps that give shapes, which are put where they are used first: what a function returns
    is no shape that Python knows."""
    users: dict[Tensor, Any] = {}
    for step in reversed(steps):
        users.update(dict.fromkeys(_all_inputs(step), step))
    found = []
    for step in steps:
        user = next((users[t] for t in step._outputs if t in users), None)
        if step.type in ("Shape", "ShapeN", "Rank", "Size") and user is not None:
            scopes[step] = scopes[user]
            found.append(step)
    return found


def _all_inputs(step: Any) -> list[Tensor]:
    own = inputs_of(step, set(step._outputs))
    return own if isinstance(step, Operation) else [*own, *step._inputs]


def _about_variables(steps: Sequence[Any], scopes: dict[Any, str | None]) -> list[Any]:
    """The steps that compute from variables alone what is used outside of their scopes: the weight
    decay of a layer is no part of what the layer does."""
    users: dict[Tensor, list[Any]] = {}
    alone: set[Any] = set()
    made: set[Tensor] = set()
    for step in steps:
        taken = inputs_of(step, set(step._outputs))
        for tensor in taken:
            users.setdefault(tensor, []).append(step)
        known = [
            known_value(t) is not None or t in made or variable_of(t) is not None for t in taken
        ]
        if isinstance(step, Operation) and taken and all(known) and not step._spec.random:
            alone.add(step)
            made.update(step._outputs)
    found: list[Any] = []
    for step in reversed(steps):
        scope = scopes[step]
        inside = [
            user
            for tensor in step._outputs
            for user in users.get(tensor, ())
            if user not in found and scopes[user] == scope
        ]
        if step in alone and scope is not None and not inside:
            found.append(step)
    return found


class Body:
    """The lines of a function.

    Args:
      given: the arguments' expressions.
      scope: the variable scope whose function it is; "" in others.
      names: the names that are taken in it.
      own: the operation whose own gradient the function is about.
      depth: how deep its lines are.
    """

    def __init__(
        self,
        module: Module,
        given: dict[Tensor, Expr],
        scope: str = "",
        names: set[str] | None = None,
        own: Operation | None = None,
        depth: int = 1,
    ):
        self.module, self.scope, self.own, self.depth = module, scope, own, depth
        self.given = given
        self.values: MutableMapping[Tensor, Expr] = collections.ChainMap(dict(given))
        self.names = names if names is not None else {e.text for e in given.values()}
        self.lines: list[str] = []
        self._named: dict[str, str] = {}
        # The numbers of the steps of the loops that it is in; None where there is no such number.
        self.counters: tuple[str, ...] | None = ()
        # Whether what is in a scope is written as the scope's function.
        self.calls_scopes = True
        # The number of the first of its keys, of all that the module makes.
        self.first_key = 0
        # Whether it is a function of the params, where scopes are modules of Flax.
        self.functional = False

    def inside(self, given: dict[Tensor, Expr], names: Iterable[str] = ()) -> Body:
        """A function inside of this one, which sees what this one has."""
        body = Body(self.module, {}, self.scope, {*self.names, *names}, self.own, self.depth + 1)
        body.counters, body.functional = self.counters, self.functional
        body.first_key, body.calls_scopes = self.first_key, self.calls_scopes
        body.values = collections.ChainMap(dict(given), *getattr(self.values, "maps", ()))
        return body

    def write(
        self, steps: Sequence[Any], results: set[Tensor], given: Iterable[Tensor] | None = None
    ) -> None:
        """Adds the steps that the results need; what is used once is written where it is used.

        Args:
          given: what is there already; all that the body sees if None.
        """
        steps = needed(steps, results, set(self.values if given is None else given))
        uses = collections.Counter(t for step in steps for t in self._takes(step, results, steps))
        groups: list[tuple[Any, list[Any]]] = []
        scopes = {step: self._scope_of(step) for step in steps}
        aside = _about_variables(steps, scopes)
        scopes.update(dict.fromkeys(aside))
        aside += _shapes(steps, scopes)
        for step in _together(steps, scopes, set(aside)):
            scope = scopes[step]
            if groups and groups[-1][0] == scope:
                groups[-1][1].append(step)
            else:
                groups.append((scope, [step]))
        takes = {step: self._takes(step, results, steps) for step in steps}
        calls = [
            [LayerCall(scope, own, takes, uses, results) for own in calls_of(inside)]
            for scope, inside in groups
            if scope is not None
        ]
        alike = wanted_of(call for several in calls for call in several)
        waiting = iter(calls)
        for scope, inside in groups:
            for step in inside if scope is None else ():
                self._write(step, uses, results)
            for call in next(waiting) if scope is not None else ():
                exported = self.module.exported
                given = [t for t in alike[call.form].of(call) if t not in exported]
                given += [t for t in call.made if t in exported]
                self.module.call(self, call, given, repeated=alike[call.form].count > 1)

    def _scope_of(self, step: Any) -> str | None:
        return self.module.outermost(step, self.scope) if self.calls_scopes else None

    def _takes(self, step: Any, results: set[Tensor], steps: list[Any]) -> list[Tensor]:
        if isinstance(step, Operation):
            return inputs_of(step, results)
        # What is used in another function gets a name before it.
        wanted = results | {t for other in steps for t in other._inputs if other is not step}
        return inputs_of(step, wanted) * 2

    def _write(self, step: Any, uses: collections.Counter[Tensor], results: set[Tensor]) -> None:
        used = results | set(uses)
        if isinstance(step, Loop):
            source_control.write_loop(self, step, used)
        elif isinstance(step, Branches):
            source_control.write_branches(self, step, used)
        elif isinstance(step, Slope):
            source_slopes.write(self, step, used)
        elif isinstance(step, source_control.Passed):
            self.values[step._outputs[0]] = self.value(step._inputs[0])
        else:
            self._write_operation(step, uses, results)

    def _write_operation(
        self, op: Operation, uses: collections.Counter[Tensor], results: set[Tensor]
    ) -> None:
        for tensor in op._inputs if op.type in REPEATS else ():
            if known_value(tensor) is None and not is_simple(self.value(tensor)):
                text = self.value(tensor).text
                self.add(self.named(tensor), text, tensor)
        if op.type == "TensorArrayV3":
            return  # What it begins with is written where it is needed.
        made = self._written(op)
        if isinstance(made, Several):
            self._unpack(op, made, {t for t in op._outputs if uses[t] or t in results})
            return
        shares = softmax_of(op)
        wanted = "" if shares is None else short_name(shares[1]._outputs[0])
        for tensor, expr in zip(op._outputs, made):
            once = uses[tensor] <= 1 and tensor not in results
            if is_simple(expr) or (once and len(expr.text) < _INLINE):
                self.values[tensor] = expr
            elif uses[tensor] or tensor in results:
                self.add(self.named(tensor, wanted), expr.text, tensor)
                self.values[tensor] = self.values[tensor]._replace(static=expr.static)

    def _unpack(self, op: Operation, made: Several, used: set[Tensor]) -> None:
        outputs = op._outputs[: made.count]
        if used <= {outputs[0]} and made.count > 1:
            self.add(self.named(outputs[0]), f"{made.text}[0]", outputs[0])
            return
        if not used <= set(outputs):
            refuse(op, "of which such an output is needed")
        names = [arg.name for arg in op._spec.op_def.output_args] if op._spec.op_def else []
        targets = [
            self.named(t, names[i] if len(names) == len(op._outputs) else "") if t in used else "_"
            for i, t in enumerate(outputs)
        ]
        self.add(", ".join(targets), made.text)

    def _written(self, op: Operation) -> list[Expr] | Several:
        name = self.module.overridden(op) if op is not self.own else None
        if name is not None:
            inside = [self.value(t).text for t in self.module.gradient_arguments(op)]
            call = f"{name}({', '.join(inside)})"
            count = len(op._outputs)
            return [Expr(call)] if count == 1 else Several(call, count)
        factors = product_of(op)
        if factors is not None:
            return [product(*(self.value(tensor) for tensor in factors))]
        shares = softmax_of(op)
        if shares is not None:
            x, softmax, axis = shares
            name = {"Softmax": "softmax", "LogSoftmax": "log_softmax"}[softmax.type]
            return [Expr(f"jax.nn.{name}({self.value(x).text}, axis={axis})")]
        args = [self._argument(op, tensor) for tensor in op._inputs]
        known = [known_value(tensor) for tensor in op._inputs]
        call = Call(op, args, known, self.module, self.value)
        made = static_shape(call)
        if made is None and op._spec.random:
            if self.counters is None:
                refuse(op, "which draws in a loop of which only the run tells how long it is")
            made = self.module.drawn(call, self.counters, self.first_key)
        elif made is None:
            tables = (WRITERS, LAYERS, LINALG, SPARSE)
            writer = next((t[op.type] for t in tables if op.type in t), None) or refuse(op)
            made = writer(call)
        return [made] if isinstance(made, Expr) else made

    def _argument(self, op: Operation, tensor: Tensor) -> Expr:
        """The expression of an input; of a TensorArray that is filled there is none."""
        filled = op.type == "TensorArrayScatterV3" and tensor is op._inputs[3]
        filled = filled or (index_of(op) is not None and tensor in op._inputs[1:])
        filled = filled or tensor is unread_by(op)
        is_object = tensor._dtype.name == "resource" and variable_of(tensor) is None
        return Expr("") if filled or is_object else self.value(tensor)

    def value(self, tensor: Tensor) -> Expr:
        """The expression of a tensor."""
        found = self.values.get(tensor)
        if found is not None:
            return found
        op = tensor._op
        known = known_value(tensor)
        if known is not None:
            return self.module.constant(tensor, known)
        name = variable_of(tensor)
        if name is not None:
            return self.module.variable(name, self.scope)
        if op._spec.loop == "enter":
            return self.value(op._inputs[0])
        if op.type == "TensorArrayV3":
            return self._empty_array(op)
        calls = op._graph._gradient_calls
        if any(tensor is result for call in calls for result in call.results):
            refuse(op, "which is a result of tf.gradients inside of a loop or a conditional")
        return refuse(op, "which is used before it is written")

    def _empty_array(self, op: Operation) -> Expr:
        written = [user for user in op._outputs[0]._consumers if "Write" in user.type]
        shapes = [written_to._inputs[2]._shape for written_to in written]
        known = [shape for shape in shapes if shape is not None and None not in shape]
        size = self.value(op._inputs[0])
        # The first element of tf.scan is written before its loop.
        first = [w._inputs[2] for w in written if w._get_control_flow_context() is None]
        if not known and first and size.static:
            return Expr(f"room_for({size.text}, {self.value(first[0]).text})")
        if not known:
            refuse(op, "whose elements have a shape that is not known")
        shape = ", ".join([size.text, *map(str, known[0])])
        dtype = op.get_attr("dtype").name
        return Expr(f"jnp.zeros(({shape}{',' * (not known[0])}), jnp.{dtype})")

    def named(self, tensor: Tensor, wanted: str = "") -> str:
        """A new name for a tensor."""
        name = self.module.free(wanted or short_name(tensor), self.names)
        self.values[tensor] = Expr(name)
        return name

    def add(self, target: str, text: str, tensor: Tensor | None = None) -> None:
        """Adds an assignment, with the tensor's shape; what has a name keeps it."""
        known = self._named.get(text)
        if known is not None and tensor is not None and self.values[tensor].text == target:
            self.values[tensor] = Expr(known)
            self.names.discard(target)
            return
        self._named[text] = target
        shape = "" if tensor is None or tensor._shape is None else str(list(tensor._shape))
        line = f"{target} = {text}"
        shape = shape.replace("None", "?")
        self.lines += wrapped(f"{line}  # {shape}" if shape else line, self.depth)

    def add_lines(self, lines: Iterable[str]) -> None:
        """Adds lines that are broken already: a function inside of this one."""
        if self.lines:
            self.lines.append("")
        self.lines += [*lines, ""]

    def finished(self) -> list[str]:
        """Its lines."""
        lines = self.lines
        while lines and not lines[-1]:
            lines = lines[:-1]
        return [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
