"""What operations are interpreted on, besides NumPy arrays, tracers and DEAD."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors, op_registry
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.plan.calls import scope_of
from tf1compat.runtime.trace.checks import op_error
from tf1compat.runtime.trace.updates import Guard, Result, Update, Updated


class Variables:
    """The variables as a region sees them, by (variable, version); version 0 is what the run found.

    Args:
      found: the values at hand when the region begins.
    """

    # Whether some variable of the session has a value: TF then words the lack of one otherwise.
    container_exists = True

    def __init__(self, found: dict[tuple[Any, int], Any]):
        self.values = dict(found)
        self.updates: dict[Update, Result] = {}  # those that something needed
        self.guard: Guard | None = None
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
        return self.at((key, found))

    def at(self, pair: tuple[Any, int]) -> Any:
        """A variable's value at a version that exists."""
        value = self.values[pair]
        if type(value) is Updated:
            return value.update.result(self.updates, self.guard).values[value.index]
        return value

    def shape(self, key: Any, version: int) -> tuple[int, ...]:
        """The shape of the variable's value at `version`.

        Raises:
          KeyError: it has none.
        """
        found = self.latest(key, version)
        if found is None:
            raise KeyError(key)
        return np.shape(self.values[(key, found)])

    def update(
        self,
        refs: Sequence[Ref],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        operands: tuple[Any, ...],
    ) -> None:
        """See `Context.update`. It is done when something reads what it makes."""
        keys = [ref.key for ref in refs]
        before = [self.values[ref.key, self.latest(ref.key, ref.version) or 0] for ref in refs]
        update = Update(keys, before, where, change, operands)
        for i, ref in enumerate(refs):
            ref.assign(Updated(update, i))

    def write(self, key: Any, version: int, value: Any) -> None:
        """Makes `version`."""
        self.values[(key, version)] = value

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

    def destroy(self) -> bool:
        """Takes the variable's value away at once; whether it had one.

        Raises:
          UnimplementedError: the run writes it too, or is not on the host.
        """
        raise op_error(
            errors.UnimplementedError,
            self._op,
            "Destroying a variable in a run that writes it is not supported by tf1compat yet",
        )

    def read(self) -> Any:
        """The variable's value.

        Raises:
          FailedPreconditionError: it has none.
        """
        return self._look(self._variables.read)

    @property
    def value_shape(self) -> tuple[int, ...]:
        """The shape of the variable's value; raises what `read` does."""
        return self._look(self._variables.shape)

    def _look(self, at: Callable[[Any, int], Any]) -> Any:
        try:
            return at(self.key, self.version)
        except KeyError:
            raise uninitialized(
                self.key, self.is_resource, self._op, self._variables.container_exists
            ) from None

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
    if not is_resource:
        text = f"Attempting to use uninitialized value {name}"
        return op_error(errors.FailedPreconditionError, op, text)
    missing = f"Resource localhost/{name}/N10tensorflow3VarE does not exist."
    if not container_exists:
        missing = f"Container localhost does not exist. (Could not find resource: localhost/{name})"
    if op._spec.unset == "apply":
        return op_error(errors.InternalError, op, "Invalid variable reference.")
    if op._spec.unset == "lookup":
        return op_error(errors.NotFoundError, op, missing)
    text = (
        f"Error while reading resource variable {name} from Container: localhost. This could mean "
        f"that the variable was uninitialized. Not found: {missing}"
    )
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


class BranchValue:
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
    flat = functools.partial(jax.core.eval_jaxpr, closed.jaxpr, closed.consts)
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


def flat_position(op: Operation, arg: int) -> int:
    """The flat index of input arg `arg` (a single tensor)."""
    return op_registry.group_inputs(op, list(range(len(op._inputs))))[arg]


def random_key(op: Operation) -> Any:
    """The key of a random op's generator in the session's state."""
    return ("random", scope_of(op._graph), op._name)


def random_state(op: Any) -> np.ndarray:
    """The generator of a random op before its first run: Philox key and counter from the op's
    seeds."""
    seed, seed2 = op._attrs.get("seed", 0), op._attrs.get("seed2", 0)
    if seed == 0 and seed2 == 0:
        seed, seed2 = (int(v) for v in np.random.SeedSequence().generate_state(2, np.uint64))
    words = np.array([seed & 0xFFFFFFFFFFFFFFFF, 0, seed2 & 0xFFFFFFFFFFFFFFFF], np.uint64)
    return words.view(np.uint32)


def advance(state: Any, steps: int) -> Any:
    """Moves the 128-bit counter of a generator, or of several side by side, forward."""
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
