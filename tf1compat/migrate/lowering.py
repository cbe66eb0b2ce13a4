"""How an exported function lowers an operation: with TF's gradient where JAX's own is another."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from tf1compat.core import dtypes
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.migrate import tables
from tf1compat.migrate.gradients import (
    GradientProgram,
    UndefinedGradient,
    gradient_program,
    needs_own_gradient,
)
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.compile.state import x64
from tf1compat.runtime.trace.checks import Check
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, arrays


def gradient_of(op: Operation) -> GradientProgram | UndefinedGradient:
    """The gradient that `tf.gradients` records for `op`."""
    # Kept on the operation, so that it lives as long as the graph does.
    found = op.__dict__.get("_gradient_program")
    if found is None:
        found = op.__dict__["_gradient_program"] = gradient_program(op)
    return found


class Differentiable:
    """Lowers operations: `apply` is what an `Interpreter` is given.

    Args:
      given: what some operations give, whatever their inputs.
    """

    def __init__(self, given: Mapping[Operation, list[Any]] | None = None) -> None:
        self.interpreter: Interpreter | None = None
        self._given = given or {}

    def apply(self, op: Operation, lower: Callable[..., Any], values: list[Any]) -> Any:
        """`lower(*values)`, differentiable as `tf.gradients` differentiates it."""
        assert self.interpreter is not None
        if op in self._given:
            return list(self._given[op])
        if tables.looks_up(op):
            return tables.look_up(op, values[0], values[1:])
        padded = bool(op._outputs) and op._outputs[0] in self.interpreter.padded
        if _is_of_host(op) and not padded:
            return _on_host(op, lower, values)
        lower = _precise(op, lower)
        traced = [i for i, value in enumerate(values) if _is_traced(value)]
        if not any(_is_differentiable(values[i]) for i in traced):
            return lower(*values)
        if op._spec.differentiable is False and "_gradient_op_type" not in op._attrs:
            return [_stopped(value) for value in lower(*values)]
        if not needs_own_gradient(op):
            return lower(*values)
        return self._with_gradient(op, lower, values, traced)

    def _with_gradient(
        self, op: Operation, lower: Callable[..., Any], values: list[Any], traced: list[int]
    ) -> Any:
        program = gradient_of(op)

        def merged(inputs: Sequence[Any]) -> list[Any]:
            result = list(values)
            for i, value in zip(traced, inputs, strict=True):
                result[i] = value
            return result

        outer = [
            tensor
            for tensor in program.captured
            if tensor._op is not op and tensor not in op._inputs
        ]
        interpreter = self.interpreter
        assert interpreter is not None
        looked_at = [interpreter.value(tensor) for tensor in outer]
        found: list[Check] = []

        @jax.custom_vjp
        def run(inputs: Any, looked_at: Any) -> Any:
            # What is computed in here may only leave as a result: checks and generators too.
            del looked_at
            checks, interpreter.checks = interpreter.checks, []
            try:
                outputs = [jnp.asarray(value) for value in lower(*merged(inputs))]
                found[:] = interpreter.checks
            finally:
                interpreter.checks = checks
            flags = [(check.failed, arrays(check.values)) for check in found]
            return outputs, flags, interpreter.variables.random.pop(op, None)

        def forward(inputs: Any, looked_at: Any) -> Any:
            results = run(inputs, looked_at)
            return results, (inputs, looked_at, results[0])

        def backward(kept: Any, cotangents: Any) -> Any:
            inputs, looked_at, outputs = kept
            env = dict(zip(outer, looked_at, strict=True))
            env.update(zip(op._inputs, merged(inputs), strict=True))
            env.update(zip(op._outputs, outputs, strict=True))
            with own_precision():
                grads = program.run(env, cotangents[0], Differentiable())
                pulled = [_cotangent(inputs[at], grads[i]) for at, i in enumerate(traced)]
                return pulled, [_cotangent(value, None) for value in looked_at]

        run.defvjp(forward, backward)
        outputs, flags, drawn = run([values[i] for i in traced], looked_at)
        interpreter.checks += [
            check.with_flag(*flag) for check, flag in zip(found, flags, strict=True)
        ]
        if drawn is not None:
            interpreter.variables.random[op] = drawn
        return outputs


@contextlib.contextmanager
def own_precision() -> Iterator[None]:
    """Where JAX computes with 32 bits: an operation whose rule wants float64 says so (`_precise`),
    and int64 is int32 without a word for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Explicitly requested dtype u?int64", UserWarning)
        warnings.filterwarnings("error", _WANTS_FLOAT64, UserWarning)
        yield


_WANTS_FLOAT64 = "Explicitly requested dtype float64"


def _precise(op: Operation, lower: Callable[..., Any]) -> Callable[..., Any]:
    """`lower`, which computes with 64 bits where TF does, whatever JAX's setting is."""
    if jax.config.read("jax_enable_x64"):
        return lower

    def run(*values: Any) -> list[Any]:
        try:
            if not op._spec.random:
                return lower(*values)
        except OverflowError:
            pass  # The rule has a number that int32 has not.
        except UserWarning as warning:
            if not str(warning).startswith(_WANTS_FLOAT64):
                raise
        with x64(True):
            results = lower(*values)
        return [narrowed(value) for value in results]

    return run


def narrowed(value: Any) -> Any:
    """An array as JAX's setting has it."""
    if not isinstance(value, jax.Array):
        return value
    return value.astype(jax.dtypes.canonicalize_dtype(value.dtype))


def _is_traced(value: Any) -> bool:
    return isinstance(value, jax.Array)


def _is_differentiable(value: Any) -> bool:
    return jnp.issubdtype(value.dtype, jnp.inexact)


def _stopped(value: Any) -> Any:
    return (
        value
        if isinstance(value, np.ndarray | Ref) or value is DEAD
        else jax.lax.stop_gradient(value)
    )


def _cotangent(value: Any, grad: Any) -> Any:
    """A gradient in the form JAX wants: zeros where TF gives None, float0 for integers."""
    if not _is_differentiable(value):
        return np.zeros(np.shape(value), jax.dtypes.float0)
    if grad is None:
        return jnp.zeros(np.shape(value), value.dtype)
    return jnp.asarray(grad, value.dtype).reshape(np.shape(value))


def refuse(op: Operation, why: str) -> NoReturn:
    """Raises NotImplementedError that names `op` and the user's line that made it."""
    text = f"to_jax of operation '{op.name}' ({op.type}), {why}, is not supported by tf1compat yet"
    raise NotImplementedError(op._graph.error_text(op, text))


def not_pure(op: Any) -> str | None:
    """Why an operation of the host, or a loop, is more than a function of arrays; None if it
    isn't."""
    if not _is_of_host(op):
        return None
    if not isinstance(op, Operation):
        inner = next(each for each in plan_lib.members(op) if _is_of_host(each))
        return f"a loop around '{inner.name}' ({inner.type}), which runs on the host"
    kinds = {dtype.base_dtype for dtype in op._output_dtypes}
    if dtypes.string in kinds:
        return "which makes strings"
    if kinds & {dtypes.resource, dtypes.variant}:
        return "which makes an object outside of the graph"
    return "which does something outside of the graph" if op._is_stateful else None


def _is_of_host(op: Any) -> bool:
    """Whether an operation, or something inside of a loop, runs on the host only; tables are
    arrays."""
    if not op._spec.runs_on_host(op):
        return False
    if isinstance(op, Operation):
        return op._spec.traced is None and not (tables.is_table(op) or tables.looks_up(op))
    return any(_is_of_host(each) for each in plan_lib.members(op))


def check_pure(op: Operation) -> None:
    """Refuses an operation of the host that is more than a function of arrays."""
    why = not_pure(op)
    if why is not None:
        refuse(op, why)


def _on_host(op: Operation, lower: Callable[..., Any], values: list[Any]) -> Any:
    """Calls Python: back from the program while that runs, at once where nothing is compiled."""
    check_pure(op)
    if not any(isinstance(value, Tracer) for value in values):
        return lower(*[np.asarray(value) for value in values])
    shapes = [tensor._shape for tensor in op._outputs]
    if any(shape is None or None in shape for shape in shapes):
        refuse(op, "whose output shapes are only known when it runs")
    results = [
        jax.ShapeDtypeStruct(shape, tensor._dtype.as_numpy_dtype)
        for shape, tensor in zip(shapes, op._outputs, strict=True)
    ]

    def call(*inputs: Any) -> Any:
        return [np.asarray(value) for value in lower(*[np.asarray(value) for value in inputs])]

    return jax.pure_callback(call, results, *values)
