"""A part of a recorded graph as a function: its operations, planned as a session plans them."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate import params as params_lib
from tf1compat.migrate import tables
from tf1compat.migrate.gradients import needs_own_gradient
from tf1compat.migrate.lowering import Differentiable, check_pure, gradient_of, own_precision
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.decisions import Decisions, Replan
from tf1compat.runtime.plan import branches, padding
from tf1compat.runtime.trace.checks import Check
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, Variables, random_key, random_state

# What a table's arrays are called, after its name.
_TABLE_PARTS = ("/keys", "/values")


class Part:
    """The operations that `fetches` need, those that their gradients need, and how to run them.

    Args:
      fetches: tensors, and operations that are to run.
      feeds: the tensors whose values are given. One in a loop has its value in each step of it.
      most_iterations: how often a loop runs at most, where only the run tells; None if nobody says.
      padded: whether the arrays that such a loop fills are that long.
      most_segments: how many segments there are where only the run tells; None if nobody says.

    Attributes:
      writes: whether it gives variables new values.
      random: its random operations, by the names of their generators.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor | Operation],
        feeds: Sequence[Tensor],
        most_iterations: int | None = None,
        padded: bool = False,
        most_segments: int | None = None,
    ):
        self._fetches = list(fetches)
        self._feeds = [tensor for tensor in feeds if not _is_in_loop(tensor._op)]
        self._feed_set = set(self._feeds)
        self._all_feeds = list(feeds)
        looped = dict.fromkeys(t._op for t in feeds if t not in self._feed_set)
        self._looped = [op for op in looped if set(op._outputs) <= set(feeds)]
        wanted = [item for item in fetches if isinstance(item, Tensor)]
        targets = {item._op if isinstance(item, Tensor) else item for item in fetches}
        ops = self._pruned(targets - self._fed_ops())
        for op in ops:
            if not plan_lib.is_constant(op, self._feed_set):
                check_pure(op)
        ops = _before_use(ops, self._feed_set)
        self._effects = plan_lib.order_effects(ops, self._feed_set)
        self._steps = branches.group(ops, self._feed_set, self._effects, wanted, specialize=False)
        self._padded = padding.in_one(self._steps, self._feed_set, wanted)
        self._room = None
        if (most_iterations, most_segments) != (None, None):
            self._room = _Room(most=most_iterations, counts_room=padded, segments=most_segments)
        self._tables = {op.name: op for op in ops if tables.is_table(op)}
        self._variables: dict[str, Any] = {}
        self._makers: dict[str, Operation] = {}
        for op in ops:
            if op._spec.source and not op._spec.local and op.name not in self._tables:
                for tensor in op._outputs:
                    key = plan_lib.variable_key(tensor)
                    name = key[1].decode()
                    self._variables[name] = key
                    self._makers.setdefault(name, op)
        drawn = {op for step in ops for op in plan_lib.random_ops(step)}
        self._undrawn = drawn & set(self._looped)
        drawn -= self._undrawn
        self.random = {_generator_name(op): op for op in sorted(drawn, key=lambda op: op._id)}
        self.writes = bool(self._effects.lasting)

    def _fed_ops(self) -> set[Operation]:
        return {
            tensor._op
            for tensor in self._feeds
            if all(output in self._feed_set for output in tensor._op._outputs)
        }

    def _pruned(self, targets: set[Operation]) -> list[Any]:
        # A gradient function may look at tensors that the function itself does not need.
        expand = False
        while True:
            ops = plan_lib.prune(targets, self._feed_set, expand=expand)
            if not expand and any(_acts(op) for op in ops):
                expand = True
                continue
            extra = {
                tensor._op
                for op in ops
                if needs_own_gradient(op)
                for tensor in gradient_of(op).captured
                if tensor not in self._feed_set
            }
            if extra <= {member for op in ops for member in plan_lib.members(op)}:
                return ops
            targets |= extra

    def params(self, session: Any, random: bool) -> dict[str, Any]:
        """The values of the variables in a session, and what its tables hold.

        Args:
          session: the session; None if there is none.
          random: whether the generators of random ops belong to them.

        Raises:
          ValueError: a variable that is read has none, or a table is not initialized.
        """
        values = {} if session is None else session._variables
        found = {}
        for name, key in self._variables.items():
            value = values.get((key, 0))
            if value is not None:
                found[name] = jnp.array(value) if _keeps_dtype(value) else np.array(value)
            elif key in self._effects.lasting:
                continue  # An initializer gives it one; what reads it before says so.
            else:
                raise no_value(self._makers[name], name, session)
        for name, op in self._tables.items():
            for part, value in zip(_TABLE_PARTS, tables.arrays(op, session), strict=True):
                found[name + part] = jnp.array(value) if _keeps_dtype(value) else value
        if random:
            for name, op in self.random.items():
                state = values.get((random_key(op), 0))
                found[name] = jnp.array(random_state(op) if state is None else state)
        return found

    def __call__(
        self, params: Mapping[str, Any], inputs: Sequence[Any], key: Any, checked: bool
    ) -> tuple[dict[str, Any], list[Any]]:
        """Runs the part.

        Args:
          params: values by name.
          inputs: the values of the feeds.
          key: a key of `jax.random` for the random ops; None if their generators are in `params`.
          checked: whether run-time checks become checks of `checkify`.

        Returns:
          (new values of the variables by name, values of the fetches: None for an operation).
        """
        variables = Variables(self._found(params, key))
        values = dict(zip(self._all_feeds, inputs, strict=True))
        lowering = Differentiable(
            {op: [_given(t, values[t]) for t in op._outputs] for op in self._looped}
        )
        interpreter = lowering.interpreter = Interpreter(variables, self._effects, lowering.apply)
        interpreter.padded, interpreter.decisions = self._padded, self._room
        for tensor in self._feeds:
            interpreter.env[tensor] = _given(tensor, values[tensor])
        try:
            with own_precision():
                interpreter.run(self._steps)
        except Replan as found:
            text = f"{found.in_vain}: {_remedy(found.decisions)}"
            op = plan_lib.members(getattr(found.about, "_op", found.about))[0]
            if isinstance(op, Operation):
                text = op._graph.error_text(op, text)
            raise NotImplementedError(text) from None
        for check in interpreter.checks if checked else ():
            _check(check)
        results = [self._result(interpreter, item) for item in self._fetches]
        return self._made(variables, random=key is None), results

    def _found(self, params: Mapping[str, Any], key: Any) -> dict[Any, Any]:
        """The variables, and where the generators stand."""
        lasting = self._effects.lasting
        found = {}
        for name, variable in self._variables.items():
            if name in params:
                found[(variable, 0)] = params[name]
            elif variable not in lasting:
                raise KeyError(f"`params` lacks the variable {name}")
        for name, op in self._tables.items():
            for part in _TABLE_PARTS:
                if name + part not in params:
                    raise KeyError(f"`params` lacks the table {name + part}")
            table = plan_lib.variable_key(op._outputs[0])
            found[(table, 0)] = tuple(params[name + part] for part in _TABLE_PARTS)
        for op in self._undrawn:
            found[(random_key(op), 0)] = jnp.array(random_state(op))
        for name, op in self.random.items():
            if key is not None:
                # The name, so that it does not hang on what else is in the graph.
                own = jax.random.fold_in(key, zlib.crc32(name.encode()))
                found[(random_key(op), 0)] = jax.random.bits(own, (6,), np.uint32)
            elif name in params:
                found[(random_key(op), 0)] = params[name]
            else:
                raise KeyError(f"`params` lacks the generator {name}")
        return found

    def _made(self, variables: Variables, random: bool) -> dict[str, Any]:
        names = {key: name for name, key in self._variables.items()}
        made = {}
        for key, version in self._effects.lasting.items():
            last = variables.latest(key, version)
            if last:  # Else no branch that was taken wrote it.
                made[names[key]] = jnp.asarray(variables.at((key, last)))
        if random:
            drawn = ((name, variables.random.get(op)) for name, op in self.random.items())
            made.update((name, state) for name, state in drawn if state is not None)
        return made

    def _result(self, interpreter: Interpreter, item: Tensor | Operation) -> Any:
        if isinstance(item, Operation):
            return None
        value = interpreter.value(item)
        if type(value) is Ref:
            # As in a session: a fetched variable gives its value at the end.
            if item._dtype._is_ref_dtype or plan_lib.is_view(item):
                value.version = self._effects.written.get(value.key, 0)
            value = value.read()
        return jnp.asarray(value)


def no_value(op: Operation, name: str, session: Any) -> ValueError:
    """What is raised for a variable, which `op` made, that has no value in a session."""
    text = f"Variable {name} has no value in the session: run its initializer first"
    if session is None:
        text = (
            f"No session to read variable {name} from: pass `session`, or call to_jax inside "
            f"`with sess:`"
        )
    return ValueError(op._graph.error_text(op, text))


def _remedy(wanted: Decisions) -> str:
    """What can be done, if a part can't be run as it was planned."""
    if wanted.sizes:
        return "outside of Session.run `to_jax` has to be given `most_iterations`"
    if wanted.segments is not None:
        return "outside of Session.run `to_jax` has to be given `most_segments`"
    if wanted.cuts:
        return (
            "outside of Session.run pass the inputs that it depends on as NumPy arrays, past "
            "jax.jit's arguments (`fixed` of `export`), or what it is given as an input"
        )
    return "not supported by tf1compat yet outside of Session.run"


@dataclasses.dataclass(frozen=True)
class _Room(Decisions):
    """What the user says of sizes: what a loop fills has room for so many iterations."""

    most: int | None = None

    def size(self, owner: Any) -> int | None:
        return self.most


def _is_in_loop(op: Operation) -> bool:
    """Whether an operation is a part of the body or the condition of a loop."""
    flow = op._get_control_flow_context()
    while flow is not None and not flow.IsWhileContext():
        flow = flow.outer_context
    return flow is not None


def _acts(op: Any) -> bool:
    """Whether `op` calls a function that draws or writes: its body is then a part of the part."""
    function = op._spec.calls(op) if op._spec.calls is not None else None
    return function is not None and any(
        inner._spec.writes or inner._spec.random or _acts(inner)
        for inner in function.graph._operations
    )


def _generator_name(op: Operation) -> str:
    _, scope, name = random_key(op)
    # A call and its function for each call that the operation is inside of, the outermost first.
    calls = scope[1].split("\0")[:-1:2] if isinstance(scope, tuple) else []
    return params_lib.RANDOM + "/".join([*calls, name])


def _given(tensor: Tensor, value: Any) -> Any:
    """An argument; integers and bools that JAX does not trace stay known, and may decide shapes."""
    dtype = jax.dtypes.canonicalize_dtype(tensor._dtype.as_numpy_dtype)
    if isinstance(value, jax.Array) or dtype.kind not in "iub":
        return jnp.asarray(value, dtype)
    return np.asarray(value, dtype)


def _keeps_dtype(value: Any) -> bool:
    return jax.dtypes.canonicalize_dtype(value.dtype) == value.dtype


class _Text(str):
    """What `checkify` says of a check that failed: TF's text, which quotes values."""

    check: Check

    def format(self, *_: Any, **values: Any) -> str:
        error = self.check.error({name: np.asarray(value) for name, value in values.items()})
        return f"{type(error).__name__}: {error}"


def _check(check: Check) -> None:
    text = _Text(f"{check.op.name if check.op is not None else check.error_class.__name__}")
    text.check = check
    values: dict[str, Any] = {name: jnp.asarray(value) for name, value in check.values.items()}
    checkify.check(jnp.logical_not(jnp.any(check.failed)), text, **values)


def _before_use(ops: Iterable[Any], feeds: set[Tensor]) -> list[Any]:
    """Sorts so that what a gradient function looks at comes before its operation, where that is
    possible.
    """
    owner = {member: op for op in ops for member in (op, *plan_lib.members(op))}
    order: list[Any] = []
    placed: set[Any] = set()

    def before(op: Any) -> Iterable[Any]:
        yield from (tensor._op for tensor in op._inputs if tensor not in feeds)
        yield from op._control_inputs
        if needs_own_gradient(op):
            for tensor in gradient_of(op).captured:
                if tensor._op is not op and tensor not in feeds:
                    yield tensor._op

    for last in ops:
        stack, onto = [(last, before(last))], {last}
        while stack:
            op, sources = stack[-1]
            found = next((owner[s] for s in sources if s in owner), None)
            if found is None:
                stack.pop()
                onto.discard(op)
                if op not in placed:
                    placed.add(op)
                    order.append(op)
            elif found not in placed and found not in onto:
                onto.add(found)
                stack.append((found, before(found)))
    return order
