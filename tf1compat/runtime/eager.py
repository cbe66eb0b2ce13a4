"""Eager execution: an operation that runs at once is a recorded program of that one operation.

There is no second meaning of an op.  For each op type, attrs and kinds of inputs a small graph is
recorded: a placeholder for each input (for the handle of a variable, the op that makes it) and the
operation.  It is planned, compiled and cached as `Session.run` does with any other.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import (
    constants,
    context,
    conversion,
    dtypes,
    eager,
    errors,
    raw_ops,
    tape,
)
from tf1compat.core.eager import EagerTensor, Handle
from tf1compat.core.func_graph import new_placeholder
from tf1compat.core.graph import Graph, output_dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor, is_dense_tensor_like
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.compile.state import State, x64
from tf1compat.runtime.placer import check_eager_device
from tf1compat.runtime.program import Program
from tf1compat.runtime.trace.values import random_key, random_state

# The C++ names of dtypes in TF's texts, where they differ.
# They say which numbers an op draws, and nothing about the program.
_SEEDS = ("seed", "seed2")


class _KernelGraph(Graph):
    """The graph of one kernel; its errors name the op type, as TF's eager errors do."""

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
        stack = re.sub(r"^__inference_|_\d+$", "", name)
        return f" {super().error_text(op, text)} [Op:{name}]\n\nFunction call stack:\n{stack}\n"


class _Kernel:
    """An op type with its attrs and kinds of inputs, ready to run.

    Args:
      function: the op type's Python function.
      attrs: all its attrs.
      inputs: tensors of the kinds that it will be run on.
    """

    def __init__(
        self, function: raw_ops.OpFunction, attrs: dict[str, Any], inputs: Sequence[EagerTensor]
    ):
        graph = _KernelGraph(context.default_graph())
        self._sources: list[tuple[int, Any]] = []  # (input, key) of each distinct variable
        self._fed: list[int] = []
        made: dict[Handle, Tensor] = {}
        given: list[Tensor] = []
        feeds: list[Tensor] = []
        for i, tensor in enumerate(inputs):
            value = tensor._value
            if not isinstance(value, Handle):
                feeds.append(new_placeholder(graph, tensor._dtype))
                self._fed.append(i)
                given.append(feeds[-1])
                continue
            if value not in made:
                op_type, source_attrs = value.source
                source_attrs = source_attrs | {"shared_name": b"", "container": b""}
                if "shape" in source_attrs:  # One kernel serves variables of all shapes.
                    source_attrs["shape"] = TensorShape(None)
                made[value] = graph.create_op(op_type, [], attrs=source_attrs)._outputs[0]
                self._sources.append((i, plan_lib.variable_key(made[value])))
            given.append(made[value])
        spec = function.spec
        self.op = graph.operation = graph._add(
            spec, spec.name, given, attrs, output_dtypes(spec, attrs)
        )
        self.is_source = spec.source
        self._states: dict[Any, Any] = {}
        self._lock = threading.RLock()
        self._program = None
        if not self.is_source:
            self._program = Program(self.op._outputs, [self.op], feeds, donate=False)
        self._folds = spec.fold is not None and not made

    def run(self, inputs: Sequence[EagerTensor], attrs: dict[str, Any]) -> list[Any]:
        """The values of the op's outputs."""
        if self.is_source:
            return [Handle.of((self.op.type, attrs))]
        values: list[Any] = [tensor._value for tensor in inputs]
        if self._folds and all(
            type(value) is np.ndarray and value.size <= plan_lib.FOLD_ELEMENTS for value in values
        ):
            folded = constants.fold(self.op, values)
            if folded is not None:
                return folded
        assert self._program is not None
        return self._run(values, attrs)

    def _run(self, values: list[Any], attrs: dict[str, Any]) -> list[Any]:
        program = self._program
        assert program is not None
        variables = State(
            {(key, 0): values[i].value for i, key in self._sources if values[i].value is not None}
        )
        # One program serves all seeds; each has a generator of its own.
        own = tuple(attrs.get(seed) for seed in _SEEDS) if self.op._spec.random else None
        states = self._states.get(own)
        if states is None and own is not None:
            states = {(random_key(self.op), 0): random_state(_Seeded(attrs))}
        variables.update(states or {})
        results = program.run(variables, [values[i] for i in self._fed], self._lock, _session)
        for i, key in self._sources:
            values[i].value = variables.pop((key, 0), None)
        self._states[own] = variables
        return results


class _Seeded:
    """What `random_state` looks at: an op's seeds."""

    def __init__(self, attrs: dict[str, Any]):
        self._attrs = attrs


class _Session:
    """What host steps see in place of a session."""

    def __init__(self) -> None:
        self.resources: dict[Any, Any] = {}


_session = _Session()
_kernels: dict[Any, _Kernel] = {}


def forget_generators() -> None:
    """Makes every random operation begin anew, as setting the global seed does in TF 1.15."""
    for kernel in list(_kernels.values()):
        kernel._states = {}


def execute(
    function: raw_ops.OpFunction, inputs: list[Any], attrs: dict[str, Any], name: str | None
) -> Any:
    """Runs an operation at once (`raw_ops.eager_execute`).

    Args:
      function: the op type's Python function.
      inputs: a value for each input arg (a list for a list arg), to be converted to tensors.
      attrs: the attrs that the inputs don't determine, checked.
      name: named in errors.

    Returns:
      What the Python function returns: eager tensors; None where the op has no outputs.

    Raises:
      RuntimeError: the device of `tf.device` is not there.
    """
    if context.thread.eager_device:
        check_eager_device(context.thread.eager_device)
    with _named_errors(name):
        _refuse_references(function)
        flat, known = _convert(function, inputs)
        function.check_constraints(attrs)
        attrs = {**known, **attrs}
        key = (function.op_def.name, _frozen_attrs(function, attrs), _frozen_handles(flat))
        kernel = _kernels.get(key)
        if kernel is None:
            kernel = _kernels[key] = _Kernel(function, attrs, flat)
        results = kernel.run(flat, attrs)
    outputs = [
        EagerTensor(
            value if hasattr(value, "shape") or t._dtype is dtypes.variant else np.asarray(value),
            t._dtype,
            t._handle_data,
        )
        for value, t in zip(results, kernel.op._outputs, strict=True)
    ]
    if tape.active() and eager.record_executed is not None:
        eager.record_executed(function.spec, attrs, flat, outputs)
    return function.group(outputs, attrs)


@contextlib.contextmanager
def _named_errors(name: str | None) -> Iterator[None]:
    try:
        yield
    except errors.OpError as error:
        text = error.message if name is None else f"{error.message} name: {name}"
        kind: Any = type(error)
        raise kind(None, None, text) from error.__cause__


def _refuse_references(function: raw_ops.OpFunction) -> None:
    op_def = function.op_def
    for arg in (*op_def.output_args, *op_def.input_args):
        if arg.is_ref:
            raise RuntimeError(
                f"{raw_ops.snake_case(op_def.name)} op does not support eager execution. "
                f"Arg '{arg.name}' is a ref."
            )


def _frozen_attrs(function: raw_ops.OpFunction, attrs: dict[str, Any]) -> tuple[Any, ...]:
    names = function.op_def.attrs
    if function.spec.random:
        names = [name for name in names if name not in _SEEDS]
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
            found.append((i, first.setdefault(value, i), value.source[0], data and data[0]))
    return tuple(found)


# Inputs.


def _convert(
    function: raw_ops.OpFunction, inputs: list[Any]
) -> tuple[list[EagerTensor], dict[str, Any]]:
    """Converts an op's inputs; a tensor decides a type attr, wherever among the inputs it stands.

    Returns:
      The flat list of tensors and the attrs that they determine.
    """
    known: dict[str, Any] = {}
    source: dict[str, str] = {}
    args = function.op_def.input_args
    for arg, value in zip(args, inputs, strict=True):
        if arg.type_attr and arg.type_attr not in known:
            for item in value if arg.is_list and isinstance(value, list | tuple) else (value,):
                if is_dense_tensor_like(item):
                    known[arg.type_attr] = item.dtype.base_dtype
                    break
    flat: list[EagerTensor] = []
    for arg, value in zip(args, inputs, strict=True):
        if not arg.is_list:
            tensor = _tensor(function, arg, value, known, len(flat))
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = tensor._dtype
            flat.append(tensor)
            continue
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{arg.name}' argument to "
                f"'{raw_ops.snake_case(function.op_def.name)}' Op, not {value!r}."
            )
        tensors: list[Any] = []
        for item in value:
            tensors.append(_tensor(function, arg, item, known, len(flat) + len(tensors)))
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = tensors[-1]._dtype
        if arg.number_attr:
            function.learn_length(arg, tensors, known, source)
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = function.default_type(arg.type_attr) or dtypes.float32
        elif arg.type_list_attr:
            known.setdefault(arg.type_list_attr, [tensor._dtype for tensor in tensors])
        flat.extend(tensors)
    for attr, value in known.items():
        allowed = function.op_def.attrs[attr].allowed
        if isinstance(value, dtypes.DType) and allowed is not None and value not in allowed:
            name = function.op_def.name
            raise errors.NotFoundError(
                None,
                None,
                f"Could not find valid device for node.\nNode:{{{{node {name}}}}}\n"
                f"There is none for attr {attr} = {value.name}\n [Op:{name}]",
            )
    return flat, known


def _tensor(
    function: raw_ops.OpFunction, arg: Any, value: Any, known: dict[str, Any], index: int
) -> EagerTensor:
    wanted = arg.type or known.get(arg.type_attr)
    if is_dense_tensor_like(value):
        tensor = conversion.convert(value)
    else:
        preferred = None if wanted is not None else function.default_type(arg.type_attr)
        try:
            tensor = conversion.convert(value, wanted, preferred_dtype=preferred)
        except (TypeError, ValueError):
            if wanted is None:
                raise
            tensor = conversion.convert(value)
    if not tensor._is_eager:
        raise TypeError(
            "An op outside of the function building code is being passed\n"
            'a "Graph" tensor. It is possible to have Graph tensors\n'
            "leak out of the function building context by including a\n"
            "tf.init_scope in your function building code.\n"
            "For example, the following function will fail:\n"
            "  @tf.function\n"
            "  def has_init_scope():\n"
            "    my_constant = tf.constant(1.)\n"
            "    with tf.init_scope():\n"
            "      added = my_constant * 2\n"
            f"The graph tensor has name: {tensor.name}"
        )
    if wanted is not None and tensor._dtype is not wanted:
        op_type = function.op_def.name
        expected, found = dtypes.cpp_name(wanted), dtypes.cpp_name(tensor._dtype)
        raise errors.InvalidArgumentError(
            None,
            None,
            f"cannot compute {op_type} as input #{index}(zero-based) was expected to be a "
            f"{expected} tensor but is a {found} tensor [Op:{op_type}]",
        )
    return tensor


def _to_device(array: np.ndarray) -> Any:
    with x64(True):
        return jnp.array(array)


raw_ops.eager_execute = execute
eager.to_device = _to_device
eager.check_device = check_eager_device
eager.forget_generators = forget_generators
