"""Functions that host steps call again and again: those of datasets.

A function is run as `Session.run` runs a graph: its body is a program, compiled once for each form
of its arguments. Many elements of one form may be handed over at a time: one program then works on
them one after the other.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import math
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import dtypes, errors, op_registry
from tf1compat.core.func_graph import CapturingGraph
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache
from tf1compat.runtime.compile.region import MOST_FORMS
from tf1compat.runtime.compile.state import State, x64
from tf1compat.runtime.decisions import (
    Replan,
)
from tf1compat.runtime.host.many import ManyOnHost
from tf1compat.runtime.host.program import NotOnHost
from tf1compat.runtime.program import Program
from tf1compat.runtime.trace import large_constants
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, Variables, is_object, random_key, random_state

Values = Sequence[Any]


def _make_spec() -> op_registry.OpSpec:
    spec = op_registry.OpSpec("HostCall")
    spec.where = __file__
    spec.calls = lambda call: call.function
    return spec


_CALL = _make_spec()


class _Call(Operation):
    """A call of a function that no graph lists; the plan puts the body in its place.

    Args:
      graph: the graph whose functions the body calls.
      scratch: the graph of the arguments.
      inputs: the arguments.
      function: the function.
    """

    def __init__(self, graph: Any, scratch: Any, inputs: list[Tensor], function: Any):
        self.function = function
        self._graph = scratch  # Tensors of a run are not among those that name what comes later.
        self._id: Any = 0
        self._name = function.name
        self._spec = _CALL
        self._inputs = inputs
        self._control_inputs: list[Operation] = []
        self._output_dtypes = [tensor._dtype for tensor in function.outputs]
        self._attrs: dict[str, Any] = {}
        self._device = ""
        self._outputs = []
        for i, result in enumerate(function.outputs):
            output = Tensor(self, i, result._dtype)
            output._shape, output._handle_data = result._shape, result._handle_data
            self._outputs.append(output)
        self._graph = graph


# What the graph of an eager kernel, or another one, puts around the text of an error.
_AROUND = re.compile(r"^(\{\{function_node \S+\}\})? |\n\t \[\[(\{\{)?node .*", re.DOTALL)


class _HostGraph(CapturingGraph):
    # Made by a run, which TF names nothing in.
    _tensor_ids = itertools.count()


class HostFunction:
    """A library function as an operation on the host calls it.

    Args:
      function: the function.
      captured: the tensors of the operation's own graph that are passed after the arguments.
      graph: that graph.
    """

    def __init__(self, function: Any, captured: Sequence[Tensor], graph: Any):
        self.function = function
        self.name = function.name
        count = len(function.inputs) - len(captured)
        scratch = _HostGraph(self.name)
        self._fed: list[Tensor] = []
        self._captures: list[int] = []  # which captured tensors are fed: resources are found
        given: list[Tensor] = []
        for i, tensor in enumerate(function.inputs):
            outer = captured[i - count] if i >= count else None
            if outer is not None and outer._dtype is dtypes.resource:
                given.append(outer)
                continue
            placeholder = scratch.placeholder(tensor._dtype, tensor.shape)
            self._fed.append(placeholder)
            given.append(placeholder)
            if outer is not None:
                self._captures.append(i - count)
        call = _Call(graph, scratch, given, function)
        # The variables of the session are not its own to overwrite.
        self._program = Program(call._outputs, [call], self._fed, donate=False)
        self._own_lock = threading.RLock()
        ops = self._program.ops
        self._uses_variables = any(
            spec.reads or spec.writes
            for spec in (op._spec for op in plan_lib.flat(ops))
            if not spec.host
        )
        # Whether it matters when it is called, besides how often.
        self.acts = self._uses_variables or any(op._spec.effect for op in ops)
        self.is_stateful = self.acts or any(plan_lib.random_ops(op) for op in ops)
        variants = [*function.inputs, *function.outputs]
        self._has_objects = any(tensor._dtype is dtypes.variant for tensor in variants)
        # Many elements at a time, once that pays.
        costs = tiers.Costs(ops, 1)
        alone = self.acts or not count or costs.host > _QUICK
        on_host = any(op._spec.runs_on_host(op) for op in ops)
        self._batched = None if alone or on_host else _Batched(self, count)
        self._calls_before_batches = math.ceil(_MANY_PAYS * costs.compile / costs.host)
        self._count = count
        self._may_take_many = not (alone or self.is_stateful)

    @functools.cached_property
    def many_on_host(self) -> ManyOnHost | None:
        """What works on many elements without compiling; None if there is nothing."""
        if not self._may_take_many:
            return None
        try:
            return ManyOnHost(self._program, self._count)
        except NotOnHost:
            return None

    @functools.cached_property
    def stateful_types(self) -> list[str]:
        """The types of the stateful operations in it and in the functions that it calls."""
        return list(_stateful_types(self.function))

    def bound(self, values: Values, session: Any) -> BoundFunction:
        """The function with the values of what it captures, in a session."""
        return BoundFunction(self, [values[i] for i in self._captures], session)


def _stateful_types(function: Any) -> Iterator[str]:
    for op in function.graph._operations:
        kinds = {attr.name: attr.type for attr in op.op_def.attr} if op.op_def else {}
        called = [
            getattr(value, "name", value)
            for name, attr in op._attrs.items()
            if kinds.get(name) in ("func", "list(func)")
            for value in (attr if isinstance(attr, list | tuple) else [attr])
        ]
        for inner in filter(None, map(function.graph._get_function, called)):
            yield from _stateful_types(inner)
        if op._is_stateful and not called:
            yield op.type


class BoundFunction:
    """A function that is called with the components of elements; made by `HostFunction.bound`."""

    def __init__(self, function: HostFunction, captured: list[Any], session: Any):
        self.host = function
        self.name = function.name
        self.acts, self.is_stateful = function.acts, function.is_stateful
        self._captured = [_kept(value) for value in captured]
        self._session = session

    def new_state(self) -> State:
        """The generators of the function's random operations, as they begin."""
        if self.host._uses_variables:
            if not hasattr(self._session, "_variables"):
                raise NotImplementedError(
                    f"{self.name}: a dataset's function that uses variables in eager execution is "
                    "not supported by tf1compat yet"
                )
            return _Shared(self._session._variables)
        return State()

    def __call__(self, state: State, args: Values) -> list[Any]:
        """The function's results for one element.

        Raises:
          OpError: it failed.
        """
        host = self.host
        lock = self._session._lock if host._uses_variables else host._own_lock
        feeds = [*args, *self._captured]
        try:
            with _on_cpu():
                if host._has_objects:
                    given = dict(zip(host._fed, feeds, strict=True))
                    results = host._program.values(state, given, lock, self._session)
                else:
                    results = host._program.run(state, feeds, lock, self._session)
        except errors.OpError as error:
            raise self._error(error) from error.__cause__
        return [_to_host(value) for value in results]

    def _error(self, error: errors.OpError) -> errors.OpError:
        """An error of an operation of the body, with the name of the function."""
        op = error.op
        kind: Any = type(error)
        if op is None or getattr(error, "_is_named", False):
            return error
        text = _AROUND.sub("", error.message)
        text = f"{{{{function_node {self.name}}}}} {text}\n\t [[{{{{node {op.name}}}}}]]"
        named = kind(error.node_def, op, text)
        named._is_named = True
        return named

    @property
    def takes_many(self) -> bool:
        """Whether `many` may be called."""
        return self.host._batched is not None or self._on_host is not None

    @property
    def _on_host(self) -> ManyOnHost | None:
        return None if tiers.of(self._session) == tiers.XLA else self.host.many_on_host

    @property
    def calls_before_many(self) -> int:
        """After how many calls `many` pays, which may compile a program."""
        host = self.host
        return _CALLS_ON_HOST if host._batched is None else host._calls_before_batches

    def elements_at_a_time(self, args: Values, calls: int) -> int:
        """How many elements like this one are worth being worked on at a time.

        Args:
          args: the element.
          calls: how many there were before it.
        """
        size = sum(map(_size, args))
        if size * MANY > _MANY_BYTES:
            return 1
        # On the host no more than twice as many as somebody has asked for.
        return MANY if self.host._batched is not None else min(MANY, calls)

    def many(self, state: State, elements: list[Values]) -> list[Any] | None:
        """The function's results for several elements, each with how the generators of random
        operations stand after it.

        None where they have to be worked out one by one: because they differ in form, or one of
        them makes it fail.
        """
        batched = self.host._batched
        if batched is None:
            return self._many_on_host(state, elements)
        with _on_cpu():
            found = batched.run(state, elements, self._captured)
        if found is None and batched.is_hopeless:
            self.host._batched = None
        return found

    def _many_on_host(self, state: State, elements: list[Values]) -> list[Any] | None:
        program = self._on_host
        if program is None:
            return None
        captured = [_to_host(value) for value in self._captured]
        try:
            found = program.run(state, elements, captured, self.host._own_lock, self._session)
        except Exception:  # One by one, the element that fails says why.
            return None
        return [(results, None) for results in found]


def _size(value: Any) -> int:
    """How many bytes a component of an element takes."""
    if not isinstance(value, np.ndarray):
        return 0
    if value.dtype != object:
        return value.nbytes
    return sum(len(text) for text in value.ravel().tolist() if isinstance(text, bytes))


def _to_host(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, jax.Array) else value


_LARGE = 1 << 16


def _kept(value: Any) -> Any:
    """A captured value, on the device that functions run on if it is large."""
    if isinstance(value, np.ndarray) and value.dtype != object and value.nbytes > _LARGE:
        with _on_cpu(), x64(True):
            return jnp.asarray(value)
    return value


class _Shared(State):
    """The variables of a session, with generators of one's own.

    Args:
      base: the session's variables.
    """

    def __init__(self, base: State):
        super().__init__()
        self._base = base
        self.container_exists = True  # The iterator is in it.
        self.pins = base.pins
        self.on_host = base.on_host
        self.kept = base.kept

    def _holds(self, pair: Any) -> bool:
        return isinstance(pair[0], tuple) and pair[0][0] == "random"

    def __missing__(self, pair: Any) -> Any:
        return self._base[pair]

    def __contains__(self, pair: object) -> bool:
        return dict.__contains__(self, pair) or pair in self._base

    def get(self, pair: Any, default: Any = None) -> Any:
        return dict.get(self, pair) if dict.__contains__(self, pair) else self._base.get(pair)

    def __setitem__(self, pair: Any, value: Any) -> None:
        if self._holds(pair):
            super().__setitem__(pair, value)
        else:
            self._base[pair] = value

    def commit(self, changes: Any) -> None:
        own = {pair: value for pair, value in changes.items() if self._holds(pair)}
        self._base.commit({pair: value for pair, value in changes.items() if pair not in own})
        dict.update(self, own)

    def __delitem__(self, pair: Any) -> None:
        if self._holds(pair):
            super().__delitem__(pair)
        else:
            del self._base[pair]


# What takes longer for one element (in estimated microseconds) is worked out one by one.
_QUICK = 1000.0
# Compiling for many elements pays when calls one by one have cost this part of it.
_MANY_PAYS = 0.5
# After so many calls elements are worked on together on the host.
_CALLS_ON_HOST = 4
# How many elements a program works on at a time, and how many bytes they may have together.
MANY = 128
_MANY_BYTES = 1 << 22


_NEW = object()


class _Batched:
    """The program of a function that works on many elements, one after the other."""

    def __init__(self, host: HostFunction, count: int):
        self._host = host
        self._count = count
        self._compiled: collections.OrderedDict[Any, Any] = collections.OrderedDict()
        self._lock = threading.Lock()
        self._random = [op for op in host._program.ops if op._spec.random]
        self.is_hopeless = False

    def run(self, state: State, elements: list[Values], captured: list[Any]) -> list[Any] | None:
        """See `BoundFunction.many`."""
        first = elements[0]
        form = tuple([(x.shape, x.dtype) for x in first if type(x) is np.ndarray])
        if len(form) < self._count or any(dtype.hasobject for _, dtype in form):
            return None
        for element in elements:
            if tuple([(x.shape, x.dtype) for x in element]) != form:
                return None
        # The last ones are repeated, so that there is one program only.
        missing = MANY - len(elements)
        columns = []
        for i in range(self._count):
            column = np.empty((MANY, *form[i][0]), form[i][1])
            for row, element in enumerate(elements):
                column[row] = element[i]
            if missing:
                column[-missing:] = column[len(elements) - 1]
            columns.append(column)
        key = form, tuple((x.shape, x.dtype) for x in captured)
        pairs = [(random_key(op), 0) for op in self._random]
        for pair, op in zip(pairs, self._random):
            if pair not in state:
                state[pair] = random_state(op)
        generators = [np.asarray(state[pair]) for pair in pairs]
        with self._lock:
            compiled = self._compiled.pop(key, _NEW)
            if compiled is _NEW:
                compiled = self._compile(generators, columns, captured)
            self._compiled[key] = compiled  # the last, as it was used last
            if len(self._compiled) > MOST_FORMS:
                self._compiled.popitem(last=False)
        if compiled is None:
            self.is_hopeless = True
            return None
        with x64(True):
            outputs, failed, after = compiled(generators, columns, captured)
        if np.any(np.asarray(failed)[: len(elements)]):
            return None
        arrays = [np.asarray(output) for output in outputs]
        moved = [np.asarray(generator) for generator in after]
        return [
            (
                [array[row, ...] for array in arrays],
                {pair: generator[row] for pair, generator in zip(pairs, moved)},
            )
            for row in range(len(elements))
        ]

    def _compile(self, generators: list[Any], columns: list[Any], captured: list[Any]) -> Any:
        """The program; None if there can be none."""
        program = self._host._program
        region = program._plan.only
        if region is None or region.static:
            return None

        keys = [random_key(op) for op in self._random]

        def one(generators: Any, args: Any, captured: Any, large: Any) -> Any:
            variables = Variables({(key, 0): g for key, g in zip(keys, generators)})
            interpreter = Interpreter(variables, program.effects)
            interpreter.env.update(zip(program.feeds, [*args, *captured], strict=True))
            interpreter.large = large
            interpreter.run(region.steps)
            results = [interpreter.value(tensor) for tensor in program.fetches]
            if any(isinstance(x, Ref) or is_object(x) for x in results):
                raise _Unfit
            flags = [jnp.any(check.failed) for check in interpreter.checks]
            failed = jnp.any(jnp.stack(flags)) if flags else jnp.zeros((), bool)
            after = [variables.current_generator(op) for op in self._random]
            return after, ([jnp.asarray(result) for result in results], failed, after)

        def many(generators: Any, columns: Any, captured: Any, hoisted: Any) -> Any:
            large = large_constants.unpacked(region.large, hoisted)
            return jax.lax.scan(lambda g, xs: one(g, xs, captured, large), generators, columns)[1]

        try:
            with x64(True):
                hoisted = large_constants.on_device(region.large)
                traced = jax.jit(many).trace(generators, columns, captured, hoisted)
                return functools.partial(_with_last, cache.compiled(traced), hoisted)
        except (_Unfit, Replan, errors.OpError, NotImplementedError):
            return None
        except jax.errors.JAXTypeError:
            return None


def _with_last(function: Any, last: Any, *args: Any) -> Any:
    return function(*args, last)


class _Unfit(Exception):
    """A result is no array."""


_cpu: Any = None


def _on_cpu() -> Any:
    """A `with` block in which programs run on the CPU, as those of datasets do."""
    global _cpu
    if _cpu is None:
        _cpu = False
        if jax.default_backend() != "cpu":
            try:
                _cpu = jax.devices("cpu")[0]
            except RuntimeError:
                pass
    return jax.default_device(_cpu) if _cpu else contextlib.nullcontext()
