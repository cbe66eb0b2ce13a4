"""Giving an operation its meaning on JAX values: a loop over operations and an environment.

A value in the environment is a NumPy array (known now: shape arithmetic is folded on the spot), a
JAX tracer or array, a `Ref` (a variable), or DEAD (what an untaken branch yields).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from tf1compat.core import constants, errors, op_registry
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import memory
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.decisions import (
    NOTHING,
    Decisions,
    Replan,
    inseparable,
    needs_value,
)
from tf1compat.runtime.plan import calls, placement
from tf1compat.runtime.plan.branches import Branches
from tf1compat.runtime.plan.loops import Loop
from tf1compat.runtime.plan.towers import Towers
from tf1compat.runtime.trace import cond, loop, towers
from tf1compat.runtime.trace.checks import Check, op_error
from tf1compat.runtime.trace.context import Context
from tf1compat.runtime.trace.values import (
    BranchValue,
    Ref,
    Side,
    Variables,
    advance,
    arg_position,
    flat_position,
    lowering_error,
)

# What an operation yields that waits for an input to become known.
_WAITING = object()


def _own(constant: Any) -> Any:
    """A constant of to_jax's own, where its dtype hangs on JAX's setting of 64 bits: JAX remembers
    what it made of an array, and a session has another setting.
    """
    if type(constant) is not np.ndarray or constant.dtype.itemsize < 8:
        return constant
    return constant.copy()


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
        self.decisions: Decisions | None = None
        self.step_through: Callable[..., Any] | None = None
        self.functions: dict[Any, Any] = {}
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
        # The tensors with rows that are not meant, and the operation that knows how many are.
        self.padded: Mapping[Tensor, Operation] = {}
        self.meant: dict[Operation, Any] = {}
        # In a tower: what draws in the place of `next_random`. Outside: what differs by device.
        self.draw: Callable[[Operation, int], tuple[Any, Any]] | None = None
        self.by_device: dict[Tensor, Any] = {}

    def inner(self, variables: Variables, effects: plan_lib.Effects | None) -> Interpreter:
        """An interpreter for what is inside an operation: a loop, a branch, a function."""
        other = Interpreter(variables, effects, self.apply, self.session)
        other.decisions, other.functions, other.kept = self.decisions, self.functions, self.kept
        other.large, other.largest = self.large, self.largest
        other.notes = None
        return other

    def run(self, ops: Sequence[Any]) -> None:
        """Interprets `ops`, in order; their inputs are in the environment or constants.

        Raises:
          Replan: an input of one of them has to be known, for example.
        """
        for op in ops:
            if op not in self.dead:
                self._run_one(op)

    def run_or_survey(self, ops: Sequence[Any]) -> None:
        """`run`, which goes on after the first input that has to be known, to find what else does:
        otherwise each would cost an interpretation of its own.

        Raises:
          Replan: all that was found.
        """
        replan: Replan | None = None
        for op in ops:
            if op in self.dead:
                continue
            if replan and any(self.env.get(tensor) is _WAITING for tensor in op._inputs):
                self._wait(op)
                continue
            try:
                self._run_one(op)
            except Replan as found:
                replan = found if replan is None else replan | found
                self._wait(op)
            except Exception:
                if replan:  # It may lack what an operation that waits would have written.
                    break
                raise
        if replan:
            raise replan

    def _run_one(self, op: Any) -> None:
        if type(op) is Branches:
            cond.run(op, self)
            return
        if type(op) is Towers:
            towers.run(op, self)
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
                if plan_lib.is_constant(tensor._op):  # It was, when the program was planned.
                    raise MemoryError(f"no memory for the value of {tensor.name}")
                raise KeyError(f"{tensor.name} was not computed")
            if self.apply is not None:
                found = self.env[tensor] = _own(found)
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
            preds = {value.pred for value in values if type(value) is BranchValue}
            if preds:
                raise inseparable(preds)
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
                    return folded if self.apply is None else list(map(_own, folded))
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
        if op._spec.lower is None or placement.runs_on_host(op, _NO_FEEDS, NOTHING):
            return True
        return all(value.size <= plan_lib.FOLD_ELEMENTS for value in values) and all(
            _small(tensor._shape) for tensor in op._outputs
        )

    def lower(self, op: Operation, values: list[Any]) -> Sequence[Any]:
        """The op's outputs by its `lower` rule."""
        spec = op._spec
        rule = loop.RULE if type(op) is Loop else spec.lower
        if spec.padded is not None and op._outputs[0] in self.padded:
            if not all(type(value) is np.ndarray for value in values):
                rule = spec.padded
        const = spec.const
        if spec.traced is not None and self.apply is not None:
            rule, const = spec.traced, ()
        if rule is None:
            raise NotImplementedError(
                f"Op type {op.type} (operation '{op.name}') is not supported by tf1compat yet"
            )
        values = [
            self._ref_input(op, i, value) if type(value) is Ref else value
            for i, value in enumerate(values)
        ]
        grouped = spec.op_def is not None and spec.op_def.has_list_inputs
        for index in const:
            position = flat_position(op, index) if grouped else index
            if type(values[position]) is not np.ndarray:
                raise needs_value(op, position)
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
        except (Replan, NotImplementedError):
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
        if self.draw is not None:
            return self.draw(op, reserve_128)
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
        inner = self.inner(self.variables, None)
        inner.checks, inner.on_host = self.checks, self.on_host
        feeds = set(function.inputs)
        targets = [tensor._op for tensor in function.outputs] + calls.acting(op, function)
        for tensor, value in zip(function.inputs, args, strict=True):
            inner.env[tensor] = value
        inner.run(plan_lib.prune(targets, feeds))
        results = []
        for tensor in function.outputs:
            value = inner.value(tensor)
            results.append(value.read() if type(value) is Ref and not value.is_resource else value)
        return results


_NO_FEEDS: set[Tensor] = set()


def _small(shape: tuple[int | None, ...] | None) -> bool:
    if shape is None:
        return True
    size = 1
    for dim in shape:
        size *= dim or 1
    return size <= plan_lib.FOLD_ELEMENTS
