"""Eager execution: an operation that runs at once is a recorded program of that one operation.

There is no second meaning of an op.  For each op type, attrs and kinds of inputs a small graph is
recorded: a placeholder for each input (for the handle of a variable, the op that makes it) and the
operation.  What is small is computed by the op's rule for NumPy values; the rest is planned,
compiled and cached as `Session.run` does with any other program.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import (
    context,
    dtypes,
    eager,
    errors,
    interrupts,
    op_registry,
    raw_ops,
    tape,
)
from tf1compat.core.eager import EagerTensor, Handle
from tf1compat.core.func_graph import new_constant, new_placeholder
from tf1compat.core.graph import PRODUCER, Graph
from tf1compat.core.op_dtypes import output_dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.runtime import memory, quiet
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.cluster import eager_tasks
from tf1compat.runtime.compile.state import State, x64
from tf1compat.runtime.devices import LOCALHOST
from tf1compat.runtime.eager_inputs import (
    became,
    check_attr,
    check_dtype,
    converted,
    kinds_of,
    refused,
    remember,
)
from tf1compat.runtime.eager_state import (
    EagerSession,
    EagerVariable,
    EagerVariables,
    HandleState,
    NestedResources,
)
from tf1compat.runtime.host.program import advanced, several
from tf1compat.runtime.host.statements import given_keywords
from tf1compat.runtime.placer import check_eager_device, check_eager_value
from tf1compat.runtime.program import Program
from tf1compat.runtime.trace.checks import op_error
from tf1compat.runtime.trace.context import Context
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import (
    lowering_error,
    random_key,
    random_state,
)

# With more elements among its inputs, an operation is a program that XLA may run.
_QUICK_ELEMENTS = 1 << 14


class _KernelGraph(Graph):
    """The graph of one kernel; its errors name the op type, as TF's eager errors do."""

    shapes_come_later = True
    # Nobody sees these tensors: eager ones are numbered as if they were not there.
    _tensor_ids = itertools.count()

    def __init__(self, library: Graph):
        super().__init__()
        self._functions = library._functions
        self.operation: Any = None

    def error_text(self, op: Operation, text: str) -> str:
        """The text of a run-time error, with the op type, and where in a function's body it is."""
        if op is self.operation:
            return f"{text} [Op:{op.type}]"
        called = self.operation._attrs.get("f", self.operation.type)
        name = getattr(called, "name", called)
        if "<" in name:  # As in TF, which does not find the names of lambdas in its errors.
            return f"{{{{function_node {name}}}}} {text}\n\t [[{{{{node {op.name}}}}}]] [Op:{name}]"
        stack = re.sub(r"^__inference_|_\d+$", "", name)
        return f" {super().error_text(op, text)} [Op:{name}]\n\nFunction call stack:\n{stack}\n"


class _Kernel:
    """An op type with its attrs and kinds of inputs, ready to run.

    What is small, or works on the host anyway, is computed at once by the op type's rule for NumPy
    values. The rest is a program, for which either tier may be the better one.

    Args:
      function: the op type's Python function.
      attrs: all its attrs.
      inputs: tensors of the kinds that it will be run on.
    """

    def __init__(
        self, function: raw_ops.OpFunction, attrs: dict[str, Any], inputs: Sequence[EagerTensor]
    ):
        context.eager_began = True
        graph = _KernelGraph(context.default_graph())
        self._sources: list[tuple[int, Any]] = []  # (input, key) of each distinct variable
        self._fed: list[int] = []
        made: dict[Handle, Tensor] = {}
        given: list[Tensor] = []
        self._feeds: list[Tensor] = []
        for i, tensor in enumerate(inputs):
            value = tensor._value
            if not isinstance(value, Handle):
                self._feeds.append(new_placeholder(graph, tensor._dtype))
                self._fed.append(i)
                given.append(self._feeds[-1])
                continue
            if value not in made:
                op_type, source_attrs = value.source
                source_attrs = source_attrs | {"shared_name": b"", "container": b""}
                if "shape" in source_attrs:  # One kernel serves variables of all shapes.
                    source_attrs["shape"] = TensorShape(None)
                made[value] = _source_in(graph, op_type, source_attrs, value.given)._outputs[0]
                self._sources.append((i, plan_lib.variable_key(made[value])))
            given.append(made[value])
        spec = function.spec
        self.op = graph.operation = graph._add(
            spec, spec.name, given, attrs, output_dtypes(spec, attrs)
        )
        self.outputs = [(t._dtype, t._handle_data) for t in self.op._outputs]
        self.is_source = spec.source
        self._made = _made_inside(self.op)
        self._handed_on = _handed_on(self.op)
        for i, given_at in self._handed_on.items():
            self.outputs[i] = dtypes.resource, inputs[given_at]._handle_data
        self.generators = _Generators(self.op) if spec.random else None
        self._lock = threading.RLock()
        self._made_program: Program | None = None
        # The generators inside of the functions that it calls: others for inputs of other shapes,
        # since for these TF makes another instance of a function.
        self._kept: dict[Any, dict[Any, Any]] = {}
        if self.generators is not None or spec.calls is not None:
            _drawing.add(self)
        self._on_host = spec.runs_on_host(self.op)
        self._waits = plan_lib.may_wait(self.op)
        self._grouped = spec.op_def is not None and spec.op_def.has_list_inputs
        rule = spec.on_numpy if spec.calls is None and not spec.local else None
        self._rule = None if rule is None or self.is_source else rule.function
        self._is_special = self._on_host or self._waits or spec.random
        self._keywords = {} if rule is None else self._keywords_of(rule)

    def _keywords_of(self, rule: Any) -> dict[str, Any]:
        keywords = given_keywords(rule, self.op)
        if "ctx" in rule.services:
            keywords["ctx"] = Context(_Interpreter(self.generators), self.op)
        return keywords

    @property
    def _program(self) -> Program:
        if self._made_program is None:
            known = {*self._made, *self._handed_on}
            fetched = [t for i, t in enumerate(self.op._outputs) if i not in known]
            self._made_program = Program(fetched, [self.op], self._feeds, donate=False)
        return self._made_program

    def run(self, inputs: Sequence[EagerTensor], attrs: dict[str, Any]) -> Sequence[Any]:
        """The values of the op's outputs."""
        rule = self._rule
        if rule is None:
            return self._without_rule(inputs, attrs)
        values: list[Any] = []
        size, converted = 0, False
        for tensor in inputs:
            value = tensor._value
            kind = value.__class__
            if kind is np.ndarray:
                size += value.size
            elif kind is Handle:
                size += getattr(value.value, "size", 0)
                value = EagerVariable(value, self.op)
                converted = True
            elif hasattr(value, "__jax_array__") or hasattr(value, "addressable_shards"):
                size += value.size
                value = np.asarray(value)
            values.append(value)
        if size > _QUICK_ELEMENTS and not self._on_host:
            return self._run([tensor._value for tensor in inputs], attrs)
        if self._is_special:
            return self._run_specially(inputs, values, attrs, converted)
        args = op_registry.group_inputs(self.op, values) if self._grouped else values
        try:
            result = quiet.call(rule, *args, **self._keywords)
        except Exception as error:
            raise self._said(error, args) from error.__cause__
        return (result,) if result.__class__ is np.ndarray else _listed_results(result)

    def _without_rule(self, inputs: Sequence[EagerTensor], attrs: dict[str, Any]) -> Sequence[Any]:
        """`run`, of what makes a resource, or is a program."""
        if not self.is_source:
            return self._run([tensor._value for tensor in inputs], attrs)
        handle = Handle.of((self.op.type, attrs), self.op)
        if inputs and all(type(tensor._value) is np.ndarray for tensor in inputs):
            handle.given = tuple([_Given(tensor) for tensor in inputs])
            handle.op = _source_in(_KernelGraph(Graph()), self.op.type, attrs, handle.given)
        return [handle]

    def _run_specially(
        self,
        inputs: Sequence[EagerTensor],
        values: list[Any],
        attrs: dict[str, Any],
        converted: bool,
    ) -> Sequence[Any]:
        """`run`, of what draws random numbers, or may call Python or wait."""
        if converted and self._on_host:
            self._keywords = self._keywords_with_session(inputs)
        if self.generators is not None:
            with self._lock:
                self.generators.choose(attrs)
                return self._compute(values)
        if self._waits:
            with interrupts.deferred():
                return self._compute(values)
        return self._compute(values)

    def run_on(
        self, device: str, inputs: Sequence[EagerTensor], attrs: dict[str, Any]
    ) -> Sequence[Any]:
        """`run`, on a device of another task."""
        with self._lock:
            values = [inputs[i]._value for i in self._fed]
            return eager_tasks.run(device, self.op, self._feeds, values, attrs)

    def _compute(self, values: list[Any]) -> Sequence[Any]:
        """Calls the op type's rule."""
        assert self._rule is not None
        args = op_registry.group_inputs(self.op, values) if self._grouped else values
        try:
            with np.errstate(all="ignore"):
                result = self._rule(*args, **self._keywords)
        except Exception as error:
            raise self._said(error, args) from error.__cause__
        return _listed_results(result)

    def _said(self, error: Exception, args: Sequence[Any]) -> Exception:
        """An error as TF words it."""
        return self._of_operation(self._worded(error, args), args)

    def _worded(self, error: Exception, args: Sequence[Any]) -> Exception:
        """What `lower` says to values with which the op's short form failed.

        It is never held in a variable here: this frame is in its traceback, and a cycle would
        keep all that is in those frames until the garbage collector comes.
        """
        rule = self.op._spec.lower_on_numpy
        known = isinstance(error, errors.OpError | MemoryError)
        if known or rule is None or rule is self.op._spec.on_numpy:
            return error
        try:
            with np.errstate(all="ignore"):
                rule.function(*args, **self._keywords_of(rule))
        except errors.OpError as found:
            return found
        except Exception:
            pass  # What the short form met is as good.
        return error

    def _of_operation(self, error: Exception, args: Sequence[Any]) -> Exception:
        if isinstance(error, errors.OpError):
            return error if error.op is not None else op_error(type(error), self.op, error.message)
        if isinstance(error, NotImplementedError):
            return error
        if isinstance(error, MemoryError):
            return memory.of_numpy(self.op, error)
        return lowering_error(self.op, [x for x in args if not isinstance(x, list)], error)

    def _keywords_with_session(self, inputs: Sequence[EagerTensor]) -> dict[str, Any]:
        """The keywords of an operation on the host, whose functions find the variables."""
        if "ctx" not in self._keywords:
            return self._keywords
        handles = {(key, 0): inputs[i]._value for i, key in self._sources}
        interpreter = _Interpreter(self.generators)
        own = {pair[0]: h.key for pair, h in handles.items()}
        found = {name: _resources[key] for name, key in own.items() if key in _resources}
        resources = NestedResources(found, _resources, own)
        interpreter.session = EagerSession(resources, HandleState(handles), self._lock)
        return {**self._keywords, "ctx": Context(interpreter, self.op)}

    def _run(self, values: list[Any], attrs: dict[str, Any]) -> list[Any]:
        """Runs the program."""
        handles = [(values[i], key) for i, key in self._sources]
        shapes = self._shapes(values)
        variables = State(self._kept.get(shapes))
        resources: dict[Any, Any] = {}
        names = []
        for handle, key in handles:
            names.append(key)
            if handle.value is not None:
                variables[key, 0] = handle.value
            if handle.key in _resources:
                resources[key] = _resources[handle.key]
        session = EagerSession(NestedResources(resources, _resources, names), variables, self._lock)
        with self._lock if self.generators is not None else contextlib.nullcontext():
            random = random_key(self.op), 0
            if self.generators is not None:
                self.generators.choose(attrs)
                variables[random] = self.generators.state
            results = self._program.run(
                variables, [values[i] for i in self._fed], self._lock, session
            )
            if self.generators is not None:
                self.generators.state = np.asarray(variables.pop(random))
        for handle, key in handles:
            handle.value = variables.pop((key, 0), None)
            if dict.__contains__(session.resources, key):
                _resources[handle.key] = session.resources[key]
        if variables:
            self._kept[shapes] = dict(variables)
        found = {i: values[given_at] for i, given_at in self._handed_on.items()}
        for i, source in self._made.items():
            found[i] = Handle.of((source.type, _sharing(source)), source)
        for i in sorted(found):
            results.insert(i, found[i])
        return results

    def _shapes(self, values: list[Any]) -> tuple[Any, ...]:
        """The shapes of what a function is fed; of other operations none."""
        if self.op._spec.calls is None:
            return ()
        return tuple([getattr(values[i], "shape", ()) for i in self._fed])

    def forget(self) -> None:
        """Makes its random operations begin anew."""
        self._kept = {}
        if self.generators is not None:
            self.generators.forget()


def _listed_results(result: Any) -> Sequence[Any]:
    """What a rule returned, as values of outputs."""
    if result is None:
        return ()
    return several(result if isinstance(result, list | tuple) else [result])


def _made_inside(op: Operation) -> dict[int, Operation]:
    """The outputs of a call that are handles of what the function makes, and what makes them."""
    found: dict[int, Operation] = {}
    if op._spec.calls is None:
        return found
    for i, output in enumerate(op._outputs):
        source = output._op
        while output._dtype is dtypes.resource:
            if source._spec.calls is not None:
                output = source._spec.calls(source).outputs[output._value_index]
            elif source._spec.views:
                output = source._inputs[0]
            else:
                break
            source = output._op
        if output._dtype is dtypes.resource and source._spec.source:
            found[i] = source
    return found


def _handed_on(op: Operation) -> dict[int, int]:
    """The outputs of a call that are handles which it was given, and the inputs that these are: a
    function's gradient is given what the function was, by way of its outputs."""
    if op._spec.calls is None:
        return {}
    found: dict[int, int] = {}
    for i, output in enumerate(op._outputs):
        if output._dtype is dtypes.resource:
            source = plan_lib.source_of(output)
            places = (at for at, tensor in enumerate(op._inputs) if tensor is source)
            if (place := next(places, None)) is not None:
                found[i] = place
    return found


class _Given:
    """What a resource was made of, such as the keys that a table may not have."""

    def __init__(self, tensor: EagerTensor):
        self.array, self.dtype = np.asarray(tensor._value), tensor._dtype
        self._key = self.array.shape, self.dtype, tuple(self.array.ravel().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _source_in(
    graph: Graph, op_type: str, attrs: dict[str, Any], given: Sequence[_Given]
) -> Operation:
    """An operation in `graph` that makes a resource of what it was made of."""
    parts = [new_constant(graph, part.array, part.dtype) for part in given]
    spec = op_registry.spec(op_type)
    return graph._add(
        spec, graph.unique_name(op_type), parts, attrs, list(output_dtypes(spec, attrs))
    )


def _sharing(source: Operation) -> dict[str, Any]:
    """The attrs of what makes a resource, with the name by which it is shared, if it is."""
    attrs = dict(source._attrs)
    if attrs.get("use_node_name_sharing") and not attrs.get("shared_name"):
        attrs["shared_name"] = source._name.encode()
    return attrs


class _Generators:
    """The generators of a random operation: one for each pair of seeds that it came with."""

    _KEPT = 1 << 16

    def __init__(self, op: Operation):
        self._op = op
        self._states: dict[Any, np.ndarray] = {}
        self._own: Any = None

    def choose(self, attrs: dict[str, Any]) -> None:
        """Makes `state` that of the seeds among the attrs."""
        self._own = own = tuple([attrs.get(seed) for seed in raw_ops.SEEDS])
        if own not in self._states:
            if len(self._states) >= self._KEPT:
                self._states.pop(next(iter(self._states)))
            self._states[own] = random_state(_Seeded(attrs))

    @property
    def state(self) -> np.ndarray:
        """Key and counter of the generator."""
        return self._states[self._own]

    @state.setter
    def state(self, value: np.ndarray) -> None:
        self._states[self._own] = value

    def forget(self) -> None:
        """Makes all of them begin anew."""
        self._states.clear()


class _Seeded:
    """What `random_state` looks at: an op's seeds."""

    def __init__(self, attrs: dict[str, Any]):
        self._attrs = attrs


class _Interpreter(Interpreter):
    """What the `ctx` of an operation speaks to."""

    def __init__(self, generators: _Generators | None):
        super().__init__(EagerVariables({}), session=_session)
        self._generators = generators
        self.on_host = True
        self.notes = None

    def next_random(self, op: Operation, reserve_128: int) -> tuple[Any, Any]:
        """See `Context.rng`."""
        generators = self._generators
        assert generators is not None
        state = generators.state
        generators.state = advanced(state, reserve_128)
        return state[:2], state[2:]


# Those that have generators, or call functions that may.
_drawing: weakref.WeakSet[_Kernel] = weakref.WeakSet()
_resources: dict[Any, Any] = {}
_session = EagerSession(_resources)


def _forget_resource(key: Any, resources: dict[Any, Any] = _resources) -> None:
    resources.pop(key, None)


Handle.released = _forget_resource


def forget_generators() -> None:
    """Makes every random operation begin anew, as setting the global seed does in TF 1.15."""
    eager_tasks.forget_generators()
    for kernel in list(_drawing):
        kernel.forget()


def execute(
    function: raw_ops.OpFunction, inputs: list[Any], given: raw_ops.Attrs, name: str | None
) -> Any:
    """Runs an operation at once (`raw_ops.eager_execute`).

    Args:
      function: the op type's Python function.
      inputs: a value for each input arg (a list for a list arg), to be converted to tensors.
      given: the attrs that the inputs don't determine, checked.
      name: named in errors.

    Returns:
      What the Python function returns: eager tensors; None where the op has no outputs.

    Raises:
      InvalidArgumentError: the device of `tf.device` is of another task.
    """
    place = ""
    try:
        kinds, flat = kinds_of(function, inputs)
        found = given.kernels.get(kinds)
        if found is None:
            kernel, flat, attrs = _kernel_of_new(function, inputs, given, kinds)
        else:
            kernel, attrs, changes = found
            if changes:
                flat = [*flat]
                if not became(flat, changes):
                    kernel, flat, attrs = _kernel_of_new(function, inputs, given, kinds)
            if kernel.generators is not None:
                attrs = {**attrs, **given}
        device = context.thread.eager_device
        if device:
            place = check_eager_device(device, function.op_def.name)
        if place and not place.startswith(LOCALHOST):
            results = kernel.run_on(place, flat, attrs)
        else:
            results = kernel.run(flat, attrs)
    except errors.OpError as error:
        text = error.message if name is None else f"{error.message} name: {name}"
        kind: Any = type(error)
        raise kind(None, None, text) from error.__cause__
    outputs = []
    for value, (dtype, data) in zip(results, kernel.outputs, strict=True):
        if value.__class__ is not np.ndarray and not (
            hasattr(value, "shape") or dtype is dtypes.variant
        ):
            value = np.asarray(value)
        outputs.append(EagerTensor(value, dtype, data))
    if place:
        for output in outputs:
            output._place = place
    if tape.active() and eager.record_executed is not None:
        eager.record_executed(function.spec, attrs, list(flat), outputs)
    for callback in eager.callbacks:
        callback(function.op_def.name, flat, _listed(attrs), outputs, name)
    return outputs[0] if function._single else function.group(outputs, attrs)


def _listed(attrs: dict[str, Any]) -> tuple[Any, ...]:
    """Names and values of attrs, one after the other."""
    return tuple(part for pair in attrs.items() for part in pair)


_Found = tuple[_Kernel, Sequence[EagerTensor], dict[str, Any]]


def _kernel_of_new(
    function: raw_ops.OpFunction, inputs: list[Any], attrs: raw_ops.Attrs, kinds: Any
) -> _Found:
    """The kernel of a call that is not known by its `kinds`, its inputs as tensors, and all its
    attrs."""
    given = attrs.kernels
    _refuse_references(function)
    removed = function.op_def.removed_text(PRODUCER)
    if removed is not None:
        raise refused(function, removed, errors.UnimplementedError)
    flat, determined, mismatch = converted(function, inputs)
    all_attrs = {**determined, **attrs}
    full_key = (_frozen_attrs(function, all_attrs), _frozen_handles(flat))
    kernel = function.eager_kernels.get(full_key)
    if kernel is None:
        # As TF: a kernel for the dtypes is looked for before the other attrs are looked at, and
        # it is the kernel that asks for the dtypes of its inputs.
        for attr, value in (*determined.items(), *attrs.items()):
            check_dtype(function, function.op_def.attrs[attr], value, flat)
        for attr, value in (*attrs.items(), *determined.items()):
            if attr in attrs or isinstance(value, list):
                check_attr(function, function.op_def.attrs[attr], value)
        try:
            kernel = function.eager_kernels[full_key] = _Kernel(function, all_attrs, flat)
        except ValueError as error:
            # The attrs are wrong whatever the shapes are.
            raise refused(function, str(error).split(f" for '{function.op_def.name}'")[0]) from None
    if mismatch is not None:
        raise mismatch
    if kinds is not None:
        _, values = kinds_of(function, inputs)
        changes = []
        for i, (value, tensor) in enumerate(zip(values, flat, strict=True)):
            if value is not tensor:
                changes.append((i, tensor._dtype))
                remember(value, tensor)
        given[kinds] = kernel, all_attrs, changes
    return kernel, flat, all_attrs


def _refuse_references(function: raw_ops.OpFunction) -> None:
    op_def = function.op_def
    for arg in (*reversed(op_def.output_args), *op_def.input_args):
        if arg.is_ref:
            raise RuntimeError(
                f"{raw_ops.snake_case(op_def.name)} op does not support eager execution. "
                f"Arg '{arg.name}' is a ref."
            )


def _frozen_attrs(function: raw_ops.OpFunction, attrs: dict[str, Any]) -> tuple[Any, ...]:
    names = function.op_def.attrs
    if function.spec.random:
        names = [name for name in names if name not in raw_ops.SEEDS]
    return tuple([_frozen(attrs[name]) for name in names])


def _frozen(value: Any) -> Any:
    """A hashable stand-in for an attr value."""
    kind = type(value)
    if kind is dtypes.DType or kind is int or kind is bool or kind is bytes or kind is str:
        return value
    if kind is list or kind is tuple:
        return tuple([_frozen(item) for item in value])
    if kind is float:
        return value.hex()  # 0.0 and -0.0 are equal
    if isinstance(value, TensorShape):
        return value.to_tuple()
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype, value.tobytes()
    return value.SerializeToString() if hasattr(value, "SerializeToString") else value


def _frozen_handles(inputs: Sequence[EagerTensor]) -> Any:
    """Which inputs are resources, of what kind, and which of them are the same one."""
    found: list[Any] = []
    first: dict[Handle, int] = {}
    for i, tensor in enumerate(inputs):
        value = tensor._value
        if type(value) is Handle:
            data = tensor._handle_data
            kind = value.source[0], value.given, data and data[0]
            found.append((i, first.setdefault(value, i), *kind))
    return tuple(found)


def _to_device(array: np.ndarray) -> Any:
    with x64(True):
        return jnp.array(array)


raw_ops.eager_execute = execute
eager.to_device = _to_device
eager.check_device = check_eager_value
eager.forget_generators = forget_generators
