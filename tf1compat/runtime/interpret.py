"""Giving an operation its meaning on JAX values: a loop over operations and an environment.

A value in the environment is a NumPy array (known now: shape arithmetic is folded on the spot), a
  JAX tracer or array,
a `Ref` (a variable), or DEAD (what an untaken branch yields).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from tf1compat.core import constants, dtypes, errors, op_registry
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import memory
from tf1compat.runtime import plan as plan_lib


class NeedsValue(Exception):
    """An input must be known at compile time and is not."""

    def __init__(self, op: Operation, index: int):
        super().__init__(op.name, index)
        self.op = op
        self.index = index


class NeedsValues(Exception):
    """All inputs that one interpretation found to have to be known at compile time."""

    def __init__(self, needs: list[NeedsValue]):
        super().__init__(*needs)
        self.needs = needs


# What an operation yields that waits for an input to become known.
_WAITING = object()


class HostNeeded(NotImplementedError):
    """An operation turns out to have to run on the host."""

    def __init__(self, op: Operation):
        super().__init__(
            f"Operation '{op.name}' ({op.type}) has to run on the host, for values of shapes that "
            "only the run tells: not supported by tf1compat yet outside of Session.run"
        )
        self.op = op

    def mark(self) -> None:
        """Has the operation run on the host from now on."""
        if self.op.__dict__.get("_needs_host"):
            raise self
        self.op._needs_host = True  # pyright: ignore[reportAttributeAccessIssue]


class Variables:
    """The variables as a region sees them, by (variable, version); version 0 is what the run found.

    Args:
      found: the values at hand when the region begins.
    """

    # Whether some variable of the session has a value: TF then words the lack of one otherwise.
    container_exists = True

    def __init__(self, found: dict[tuple[Any, int], Any]):
        self.values = dict(found)
        self.asked: dict[
            Any, bool
        ] = {}  # variables whose presence decided something, and what was found
        self.random: dict[Any, Any] = {}  # random op -> its generator's state after this run

    def initialized(self, key: Any, version: int) -> bool:
        """Whether the variable has a value at `version`."""
        found = self.latest(key, version)
        if found is None or found == 0:
            self.asked[key] = found is not None
        return found is not None

    def read(self, key: Any, version: int) -> Any:
        """The variable's value at `version`.

        Raises:
          KeyError: it has none.
        """
        found = self.latest(key, version)
        if found is None:
            raise KeyError(key)
        return self.values[(key, found)]

    def write(self, key: Any, version: int, value: Any) -> None:
        """Makes `version`."""
        self.values[(key, version)] = value

    def update(
        self,
        refs: Sequence[Ref],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        operands: tuple[Any, ...],
    ) -> None:
        """See `Context.update`."""
        made = change([jnp.asarray(ref.read()) for ref in refs], where, *operands)
        for ref, value in zip(refs, made, strict=True):
            ref.assign(value)

    def current_generator(self, op: Operation) -> Any:
        """The state of a random op's generator, as the run has moved it on."""
        found = self.random.get(op)
        return self.generator(op) if found is None else found

    def generator(self, op: Operation) -> Any:
        """The state of a random op's generator, as the run found it."""
        return self.values[(random_key(op), 0)]

    def latest(self, key: Any, version: int) -> int | None:
        """The version that stands for `version`; None if the variable has no value."""
        # A writer that was not taken (a dead branch) made no version: the one before holds.
        for candidate in range(version, -1, -1):
            if (key, candidate) in self.values:
                return candidate
        return None


class Ref:
    """A variable as an operation's input, as kernels see it.

    Attributes:
      key: the variable's key in the session's state.
      version: the version that reading gives.
      makes: the version that `assign` makes, or None where the op declares no write.
      dtype, shape: the variable's static dtype and shape.
      source: the operation that owns it.
      viewed: the version that an Identity of the variable saw, for what its output is passed to.
    """

    __slots__ = (
        "_op",
        "_variables",
        "dtype",
        "is_resource",
        "key",
        "makes",
        "shape",
        "source",
        "version",
        "viewed",
    )

    def __init__(
        self,
        variables: Variables,
        key: Any,
        tensor: Tensor,
        version: int = 0,
        makes: int | None = None,
        op: Any = None,
    ):
        self._variables = variables
        self.key = key
        self.version = version
        self.viewed: int | None = None
        self.makes = makes
        self._op = op
        self.source = plan_lib.source_of(tensor)._op
        data = tensor._handle_data
        self.is_resource = not tensor._dtype._is_ref_dtype
        self.dtype: Any = data[0] if data else tensor._dtype.base_dtype
        self.shape = data[1] if data else tensor._shape

    @property
    def initialized(self) -> bool:
        """Whether the variable has a value."""
        return self._variables.initialized(self.key, self.version)

    def read(self) -> Any:
        """The variable's value.

        Raises:
          FailedPreconditionError: it has none.
        """
        try:
            return self._variables.read(self.key, self.version)
        except KeyError:
            raise uninitialized(
                self.key, self.is_resource, self._op, self._variables.container_exists
            ) from None

    @property
    def value_shape(self) -> tuple[int, ...]:
        """The shape of the variable's value.

        Raises:
          FailedPreconditionError: it has none.
        """
        return np.shape(self.read())

    def assign(self, value: Any) -> Ref:
        """Gives the variable a new value."""
        assert self.makes is not None, f"{self._op.type} declares no write"
        self._variables.write(self.key, self.makes, value)
        self.version = self.makes
        return self

    def seen_by(self, op: Operation, version: int, makes: int | None) -> Ref:
        """The same variable as the input of `op`."""
        other = object.__new__(Ref)
        other._variables, other.key, other._op = self._variables, self.key, op
        other.version, other.makes = version, makes
        other.dtype, other.shape, other.is_resource = self.dtype, self.shape, self.is_resource
        other.source, other.viewed = self.source, self.viewed
        return other


def uninitialized(
    key: Any, is_resource: bool, op: Any, container_exists: bool = True
) -> errors.OpError:
    """TF's error for a read of a variable that has no value.

    Args:
      key: the variable's key.
      is_resource: whether it is a resource variable.
      op: the operation that reads.
      container_exists: whether any variable of the session has a value.
    """
    name = str(key) if isinstance(key, plan_lib.Local) else key[1].decode()
    if is_resource:
        missing = f"Resource localhost/{name}/N10tensorflow3VarE does not exist."
        if not container_exists:
            missing = (
                f"Container localhost does not exist. (Could not find resource: localhost/{name})"
            )
        text = (
            f"Error while reading resource variable {name} from Container: localhost. This could "
            f"mean that the variable was uninitialized. Not found: {missing}"
        )
    else:
        text = f"Attempting to use uninitialized value {name}"
    return op_error(errors.FailedPreconditionError, op, text)


def fetched_uninitialized(tensor: Tensor, index: int) -> errors.OpError:
    """TF's error for a fetched variable that has no value.

    Args:
      tensor: what is fetched.
      index: its place among the fetches.
    """
    error = uninitialized(plan_lib.variable_key(tensor), False, None)
    name = plan_lib.source_of(tensor)._op._name
    node = f"_retval_{name}_{tensor._value_index}_{index}"
    text = f"{error.message}\n\t [[{{{{node {node}}}}}]]"
    return errors.FailedPreconditionError(None, None, text)


def op_error(error_class: type, op: Any, text: str) -> errors.OpError:
    """A run-time error as TF words it: the text, then the node and the user's line that made it."""
    if op is None:
        return error_class(None, None, text)
    return error_class(op.node_def, op, op._graph.error_text(op, text))


class Check:
    """A condition that the program found violated, or not, at run time."""

    __slots__ = ("error_class", "failed", "op", "template", "values")

    def __init__(
        self, op: Any, failed: Any, error_class: type, template: Any, values: dict[str, Any]
    ):
        self.op = op
        self.failed = failed
        self.error_class = error_class
        self.template = template
        self.values = values

    def error(self, values: dict[str, Any]) -> Any:
        """What to raise, given the quoted values."""
        template = self.template
        text = template.format(**values) if isinstance(template, str) else template(**values)
        return op_error(self.error_class, self.op, text)

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Check:
        """This check as a loop or a branch found it."""
        return Check(self.op, failed, self.error_class, self.template, values)


class Foreseen(Check):
    """What the run fails with, as tracing found, unless a check before it fails too.

    Args:
      error: the error.
      failed: whether the run comes to it.
    """

    __slots__ = ("_error",)

    def __init__(self, error: errors.OpError, failed: Any = True):
        super().__init__(error.op, jnp.asarray(failed), type(error), None, {})
        self._error = error

    def error(self, values: dict[str, Any]) -> Any:
        return self._error

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Foreseen:
        return Foreseen(self._error, failed)


class Overflow(Exception):
    """A buffer of the program was too small: it is to be compiled again with more room.

    Args:
      owner: whose buffer.
      needed: how much room was asked for.
    """

    def __init__(self, owner: Any, needed: int):
        super().__init__(owner, needed)
        self.owner = owner
        self.needed = needed


class RoomCheck(Check):
    """Whether a buffer had room, where only the run tells how much is needed."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any, failed: Any, peak: Any):
        super().__init__(None, failed, Overflow, None, {"peak": peak})
        self.owner = owner

    def error(self, values: dict[str, Any]) -> Any:
        return Overflow(self.owner, int(np.max(values["peak"])))

    def with_flag(self, failed: Any, values: dict[str, Any]) -> RoomCheck:
        return RoomCheck(self.owner, failed, values["peak"])


class Rooms(dict[Any, int]):
    """How large to make the buffers of which only the run tells how much they have to hold."""

    def of(self, owner: Any) -> int:
        """The room to make for `owner`: a power of two, larger after each `enlarge`."""
        return self.setdefault(owner, _FIRST_ROOM)

    def enlarge(self, overflow: Overflow) -> None:
        """Makes the next room suffice for what an overflow asked for."""
        wanted = max(overflow.needed, self.of(overflow.owner) + 1)
        self[overflow.owner] = 1 << (wanted - 1).bit_length()


_FIRST_ROOM = 64


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
        """Changes some elements of variables, at a cost that hangs on their number alone.

        Args:
          refs: the variables.
          where: their index: vectors of integers, of which an element of the first may be given out
            of range to say that nothing is to be changed.
          change: is called as `change(values, where, *operands)`, and returns the new values of the
            variables. It may overwrite those it is given (`in_place`), at `where`, drops what is
            out of range, and computes with nothing else that the program computes.
          *operands: arrays.
        """
        self._interpreter.variables.update(refs, where, change, operands)

    def need(self, index: int) -> None:
        """Says that flat input `index` must be known when the program is compiled after all.

        The run is then split, or its program specialised on the value, and this lowering is called
        again with it.
        """
        raise NeedsValue(self.op, index)

    @property
    def notes(self) -> dict[Any, Any] | None:
        """What operations note for later ones that are sure to run after them, in this program; in
        a loop, of the same turn. None in a branch."""
        return self._interpreter.notes

    @property
    def kept(self) -> dict[Any, Any]:
        """What operations keep from run to run of a session, besides variables."""
        return self._interpreter.kept

    @property
    def repeats(self) -> bool:
        """Whether the operation is known to run more than once, in a loop."""
        return self._interpreter.repeats

    @property
    def on_host(self) -> bool:
        """Whether the values are at hand."""
        return self._interpreter.on_host

    @property
    def in_session(self) -> bool:
        """Whether `need_host` is of use."""
        return self._interpreter.rooms is not None

    def need_host(self) -> None:
        """Says that this operation has to run on the host after all, with the values at hand.

        The run is then split, and this lowering called again there.
        """
        if not self.on_host:
            raise HostNeeded(self.op)

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
        from tf1compat.runtime.functions import HostFunction

        op = self.op if owner is None else owner
        known = op.__dict__.setdefault("_host_functions", {})
        if role not in known:
            name = op._attrs[role]
            text = name if isinstance(name, str) else name.name
            function = op._graph._get_function(text)
            if function is None and self.session is not None:
                function = self.session.graph._get_function(text)
            if function is None:
                raise errors.NotFoundError(op.node_def, op, f"Function {text} is not defined.")
            known[role] = HostFunction(function, captured, op._graph)
        return known[role].bound(values, self.session)

    def room(self, owner: Any) -> int:
        """The room to make in a buffer of which only the run tells how much it has to hold."""
        rooms = self._interpreter.rooms
        if rooms is None:
            raise NotImplementedError(
                f"'{owner}' has to hold as much as only the run tells: not supported by tf1compat "
                "yet outside of Session.run"
            )
        return rooms.of(owner)

    def check_room(self, owner: Any, peak: Any, room: int) -> None:
        """Has the program compiled again with more room if `peak` is more than `room`."""
        self._interpreter.checks.append(RoomCheck(owner, peak > room, peak))

    @property
    def session(self) -> Any:
        """The session that runs, where a host op needs it (None while tracing)."""
        return self._interpreter.session


class Interpreter:
    """Runs operations on values.

    Args:
      variables: the variables.
      effects: which version each operation sees; None inside a function, where the latest is seen.
      apply: called as `apply(op, lower, values)` in place of `lower(values)`; lets to_jax attach
        gradients.
    """

    def __init__(
        self,
        variables: Variables,
        effects: plan_lib.Effects | None = None,
        apply: Callable[[Operation, Callable[..., Any], list[Any]], Any] | None = None,
        session: Any = None,
    ):
        self.variables = variables
        self.effects = effects
        self.apply = apply
        self.session = session
        self.rooms: Rooms | None = None
        self.kept: dict[Any, Any] = {}
        self.on_host = False
        self.notes: dict[Any, Any] | None = {}
        self.repeats = False
        self.env: dict[Tensor, Any] = {}
        self.large: dict[Tensor, Any] = {}  # constants that the program is handed
        self.largest: memory.Largest | None = None
        self.dead: set[Operation] = set()
        self.sides: dict[Any, Side] = {}
        self.checks: list[Check] = []

    def inner(self, variables: Variables, effects: plan_lib.Effects | None) -> Interpreter:
        """An interpreter for what is inside an operation: a loop, a branch, a function."""
        other = Interpreter(variables, effects, self.apply, self.session)
        other.rooms, other.large, other.largest = self.rooms, self.large, self.largest
        other.kept = self.kept
        other.notes = None
        return other

    def run(self, ops: Sequence[Any]) -> None:
        """Interprets `ops`, in order; their inputs are in the environment or constants.

        Raises:
          NeedsValue: an input of one of them has to be known.
        """
        for op in ops:
            if op not in self.dead:
                self._run_one(op)

    def run_or_survey(self, ops: Sequence[Any]) -> None:
        """`run`, which goes on after the first input that has to be known, to find what else does:
        otherwise each would cost an interpretation of its own.

        Raises:
          NeedsValues: some inputs have to be known.
        """
        needs: list[NeedsValue] = []
        for op in ops:
            if op in self.dead:
                continue
            if needs and any(self.env.get(tensor) is _WAITING for tensor in op._inputs):
                self._wait(op)
                continue
            try:
                self._run_one(op)
            except NeedsValue as needed:
                needs.append(needed)
                self._wait(op)
            except Exception:
                if needs:  # It may lack what an operation that waits would have written.
                    break
                raise
        if needs:
            raise NeedsValues(needs)

    def _run_one(self, op: Any) -> None:
        if hasattr(op, "interpret"):
            op.interpret(self)
            return
        env = self.env
        for tensor, value in zip(op._outputs, self.outputs(op), strict=True):
            # A fed tensor keeps the value it was fed.
            env.setdefault(tensor, value)

    def _wait(self, op: Any) -> None:
        for tensor in op._outputs:
            self.env.setdefault(tensor, _WAITING)

    def value(self, tensor: Tensor) -> Any:
        """The value of `tensor`: from the environment, or a constant."""
        found = self.env.get(tensor)
        if found is None:
            found = self.large.get(tensor)
        if found is None:
            found = constants.known_value(tensor)
            if found is None:
                raise KeyError(f"{tensor.name} was not computed")
        return found

    def input(self, op: Operation, index: int) -> Any:
        """What the op gets for its flat input `index`."""
        value = self.value(op._inputs[index])
        return self._ref_input(op, index, value) if type(value) is Ref else value

    def outputs(self, op: Operation) -> Sequence[Any]:
        """The values of the op's outputs."""
        spec = op._spec
        values = [self.value(tensor) for tensor in op._inputs]
        if self.sides:
            halves = {value.pred for value in values if type(value) is Half}
            if halves:
                raise Inseparable(halves)
        if self._is_dead(op, values):
            self.dead.update(plan_lib.members(op), (op,))
            return [DEAD] * len(op._outputs)
        if spec.source:
            if spec.local:
                key = plan_lib.variable_key(op._outputs[0])
                self.variables.write(key, 0, self.lower(op, values)[0])
            return [self.reference(tensor) for tensor in op._outputs]
        if not values and op._outputs and op._outputs[0] in self.large:
            return [self.large[op._outputs[0]]]
        rule = spec.fold
        if rule is not None and all(type(value) is np.ndarray for value in values):
            if self._folds(op, values):
                folded = constants.fold(op, values)
                if folded is not None:
                    return folded
        return self.lower(op, values)

    def _is_dead(self, op: Operation, values: list[Any]) -> bool:
        if op._spec.merges:  # Whatever its control inputs: as in TF they only have to be done.
            return all(value is DEAD for value in values)
        if self.dead and any(control in self.dead for control in plan_lib.gates(op)):
            return True
        if any(self.env.get(tensor) is DEAD for tensor in plan_lib.gate_tensors(op)):
            return True
        return any(value is DEAD for value in values)

    def _folds(self, op: Operation, values: list[Any]) -> bool:
        if op._spec.lower is None or plan_lib.runs_on_host(op, _NO_FEEDS):
            return True
        return all(value.size <= plan_lib.FOLD_ELEMENTS for value in values) and all(
            _small(tensor._shape) for tensor in op._outputs
        )

    def lower(self, op: Operation, values: list[Any]) -> Sequence[Any]:
        """The op's outputs by its `lower` rule."""
        spec = op._spec
        rule = spec.lower
        if rule is None:
            raise NotImplementedError(
                f"Op type {op.type} (operation '{op.name}') is not supported by tf1compat yet"
            )
        values = [
            self._ref_input(op, i, value) if type(value) is Ref else value
            for i, value in enumerate(values)
        ]
        grouped = spec.op_def is not None and spec.op_def.has_list_inputs
        for index in spec.const:
            position = _flat_position(op, index) if grouped else index
            if type(values[position]) is not np.ndarray:
                raise NeedsValue(op, position)
        keywords = rule.keywords(op._attrs) if rule.attrs else {}
        if "ctx" in rule.services:
            keywords["ctx"] = Context(self, op)
        if "op" in rule.services:
            keywords["op"] = op

        def lower(*inputs: Any) -> Any:
            args = op_registry.group_inputs(op, inputs) if grouped else inputs
            result = rule.function(*args, **keywords)
            if isinstance(result, tuple | list):
                return list(result)
            return [] if result is None else [result]

        # A step of the device that the host runs has the device's numbers.
        as_device = self.on_host and not spec.runs_on_host(op)
        try:
            with jax.enable_x64(True) if as_device else contextlib.nullcontext():
                made = lower(*values) if self.apply is None else self.apply(op, lower, values)
            if self.largest is not None:
                self.largest.note(op, made)
            return made
        except errors.OpError as error:
            if error.op is not None:
                raise
            # What host code says, a file that is missing for example, is said by the operation.
            raise op_error(type(error), op, error.message) from None
        except (NeedsValue, Inseparable, Unrollable, NotImplementedError):
            raise
        except MemoryError as error:
            raise memory.of_numpy(op, error) from error
        except Exception as error:
            raise lowering_error(op, values, error) from error

    def _ref_input(self, op: Operation, index: int, ref: Ref) -> Any:
        """What the op gets for a variable input: the variable itself where it declares so, else its
        value."""
        spec = op._spec
        arg = arg_position(op, index)
        if self.effects is None or op not in self.effects.visible:
            mine = ref.seen_by(op, ref.version if ref.makes is None else ref.makes, ref.makes)
        else:
            makes = self.effects.writes[op][ref.key] if arg in spec.writes else None
            version = self.effects.visible[op].get(ref.key, 0) if makes is None else makes - 1
            mine = ref.seen_by(op, version, makes)
        # The reference may come from a region, whose variables are not those of a host step.
        mine._variables = self.variables
        if mine.viewed is not None and plan_lib.may_grow(mine.shape):
            mine.version = self._seen_through(mine)
        if arg in spec.const:
            return mine.read()
        if arg in spec.writes or arg in spec.reads or spec.passes_refs or ref.is_resource:
            return mine
        if spec.views:
            mine.read()  # It has to have a value when the view is made.
            if mine.viewed is None:
                mine.viewed = mine.version
            return mine
        return mine.read()

    def _seen_through(self, view: Ref) -> int:
        """The version that a view shows: TF writes into the buffer that it shares, but for a value
        of another size it makes a new one, which the view doesn't see."""
        assert view.viewed is not None
        size = np.size(self.variables.read(view.key, view.viewed))
        for version in range(view.viewed + 1, view.version + 1):
            if np.size(self.variables.read(view.key, version)) != size:
                return version - 1
        return view.version

    def reference(self, tensor: Tensor) -> Ref:
        """The variable that the source op's output `tensor` stands for."""
        return Ref(self.variables, plan_lib.variable_key(tensor), tensor)

    def next_random(self, op: Operation, reserve_128: int) -> tuple[Any, Any]:
        """See `Context.rng`."""
        state = self.variables.current_generator(op)
        self.variables.random[op] = advance(state, reserve_128)
        return state[:2], state[2:]

    def call(self, op: Operation, name: Any, args: Sequence[Any]) -> list[Any]:
        """See `Context.call_function`."""
        function = name
        if not hasattr(function, "graph"):
            function = op.graph._get_function(name if isinstance(name, str | bytes) else name.name)
        if function is None:
            raise errors.NotFoundError(op.node_def, op, f"Function {name} is not defined.")
        body = function.graph
        inner = self.inner(self.variables, None)
        inner.checks, inner.on_host = self.checks, self.on_host
        feeds = set(function.inputs)
        targets = [tensor._op for tensor in function.outputs]
        targets += [o for o in body._operations if o._is_stateful or o._spec.writes]
        for tensor, value in zip(function.inputs, args, strict=True):
            inner.env[tensor] = value
        inner.run(plan_lib.prune(targets, feeds))
        results = []
        for tensor in function.outputs:
            value = inner.value(tensor)
            results.append(value.read() if type(value) is Ref and not value.is_resource else value)
        return results


_NO_FEEDS: set[Tensor] = set()


class Inseparable(Exception):
    """What the branches of some predicates yield can't be the result of a `lax.cond`."""

    def __init__(self, preds: Iterable[Any]):
        super().__init__(", ".join(pred.name for pred in preds))
        self.preds = set(preds)


class Unrollable(Exception):
    """A loop can't be a part of a compiled program: its iterations differ in form."""

    def __init__(self, loop: Any):
        super().__init__(loop.name)
        self.loop = loop


class Half:
    """A value that only one branch computes, for later steps of that branch."""

    __slots__ = ("pred", "side", "value")

    def __init__(self, value: Any, pred: Any, side: int):
        self.value = value
        self.pred = pred
        self.side = side


class Side(NamedTuple):
    """What was found out about one branch of a predicate: dead operations, and nested branches."""

    dead: frozenset[Operation] | set[Operation] = frozenset()
    sides: Any = {}


def traced_once(function: Callable[..., Any], *args: Any) -> tuple[Callable[..., Any], Any]:
    """`function` for arguments of these forms, traced once however often it is called; and the
    form of what it returns."""
    closed, shapes = jax.make_jaxpr(function, return_shape=True)(*args)
    flat = jax.extend.core.jaxpr_as_fun(closed)
    tree = jax.tree.structure(shapes)

    def call(*args: Any) -> Any:
        return jax.tree.unflatten(tree, flat(*jax.tree.leaves(args)))

    return call, shapes


def arrays(values: dict[str, Any]) -> dict[str, Any]:
    """Values as arrays that a program can compute."""
    return {name: jnp.asarray(value) for name, value in values.items()}


def is_object(value: Any) -> bool:
    """Whether a value is no array, nor made of arrays, so that programs can't compute it."""
    if isinstance(value, jax.Array | np.ndarray | np.generic | jax.ShapeDtypeStruct):
        return False
    leaves = jax.tree.leaves(value)
    return len(leaves) == 1 and leaves[0] is value


def is_text(value: Any) -> bool:
    """Whether a value is of strings, which can only be known parts of a program."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"


def _small(shape: tuple[int | None, ...] | None) -> bool:
    if shape is None:
        return True
    size = 1
    for dim in shape:
        size *= dim or 1
    return size <= plan_lib.FOLD_ELEMENTS


def arg_position(op: Operation, flat_index: int) -> int:
    """Which input arg the flat input `flat_index` belongs to."""
    op_def = op._spec.op_def
    if op_def is None or not op_def.has_list_inputs:
        return flat_index
    groups = op_registry.group_inputs(op, list(range(len(op._inputs))))
    for position, group in enumerate(groups):
        if group == flat_index or (isinstance(group, list) and flat_index in group):
            return position
    return flat_index


def takes_known(op: Operation, flat_index: int) -> bool:
    """Whether the flat input has to be known when the program is compiled."""
    return arg_position(op, flat_index) in op._spec.const


def _flat_position(op: Operation, arg: int) -> int:
    """The flat index of input arg `arg` (a single tensor)."""
    return op_registry.group_inputs(op, list(range(len(op._inputs))))[arg]


def random_key(op: Operation) -> Any:
    """The key of a random op's generator in the session's state."""
    return ("random", op._graph, op._name)


def random_state(op: Any) -> np.ndarray:
    """The generator of a random op before its first run: Philox key and counter from the op's
    seeds."""
    seed, seed2 = op._attrs.get("seed", 0), op._attrs.get("seed2", 0)
    if seed == 0 and seed2 == 0:
        seed, seed2 = (int(v) for v in np.random.SeedSequence().generate_state(2, np.uint64))
    words = np.array([seed & 0xFFFFFFFFFFFFFFFF, 0, seed2 & 0xFFFFFFFFFFFFFFFF], np.uint64)
    return words.view(np.uint32)


def advance(state: Any, steps: int) -> Any:
    """Moves a generator's 128-bit counter forward."""
    words = [state[i] for i in range(6)]
    carry = jnp.uint32(0)
    for i in range(4):
        add = jnp.uint32((steps >> (32 * i)) & 0xFFFFFFFF)
        total = words[2 + i] + add
        overflow = (total < add).astype(jnp.uint32)
        total2 = total + carry
        overflow = overflow | (total2 < carry).astype(jnp.uint32)
        words[2 + i], carry = total2, overflow
    return jnp.stack(words)


def lowering_error(op: Operation, values: list[Any], error: Exception) -> Exception:
    """What a failed lowering becomes: TF's error for inputs that only the run shows to be unfit."""
    shapes = ", ".join(
        "[" + ",".join(str(d) for d in np.shape(value)) + "]"
        for value in values
        if not isinstance(value, Ref) and value is not DEAD
    )
    if isinstance(error, jax.errors.JAXTypeError):
        return error
    return op_error(
        errors.InvalidArgumentError, op, f"{error} (op type {op.type}, input shapes {shapes})"
    )


def is_string(dtype: Any) -> bool:
    """Whether values of the dtype are byte strings."""
    return dtype.base_dtype is dtypes.string
