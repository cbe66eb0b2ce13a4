"""A recorded graph as a pure JAX function whose `jax.grad` is `tf.gradients`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import context, dtypes, nest
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.gradients import (
    GradientProgram,
    UndefinedGradient,
    gradient_program,
    needs_own_gradient,
)
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.decisions import Replan
from tf1compat.runtime.plan import branches
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, Variables, random_key, random_state


def to_jax(
    fetches: Any, inputs: Any, session: Any = None
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Turns a part of a recorded graph into a pure JAX function.

    `tf.stop_gradient` becomes `lax.stop_gradient`; an op whose gradient is not JAX's own (an
    override, a registered or
    custom gradient, TF's choice at a kink) becomes a `jax.custom_vjp` with the gradient that
    `tf.gradients` records.

    Args:
      fetches: a tensor or variable, or a nested structure of them.
      inputs: the tensors (usually placeholders) that become arguments: one, or a list.
      session: holds the variables' values; the default session if None.

    Returns:
      (fn, params): `fn(params, *inputs)` gives `fetches`; `params` maps variable names (and, for
      random ops, "random:"
      and the op's name) to arrays.  A random op draws from `params`, so the same `params` draw the
      same numbers.

    Raises:
      ValueError: a variable has no value, or there is no session to read it from.
      NotImplementedError: the part writes variables, or runs on the host with shapes that are not
        known.
    """
    feeds = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    flat = nest.flatten(fetches)
    graph = feeds[0].graph if feeds else flat[0].graph
    targets = [graph.as_graph_element(item, allow_operation=False) for item in flat]
    exported = _Exported(targets, feeds)
    params = exported.params(session if session is not None else context.default_session())

    def fn(params: dict[str, Any], *inputs: Any) -> Any:
        if len(inputs) != len(feeds):
            raise TypeError(f"expected {len(feeds)} inputs, got {len(inputs)}")
        return nest.pack_sequence_as(fetches, exported(params, inputs))

    return fn, params


class _Exported:
    """The operations that `fetches` need, those that their gradients need, and how to run them."""

    def __init__(self, fetches: Sequence[Tensor], feeds: Sequence[Tensor]):
        self._fetches = list(fetches)
        self._feeds = list(feeds)
        self._feed_set = set(feeds)
        targets = {tensor._op for tensor in fetches if tensor not in self._feed_set}
        # A gradient function may look at tensors that the function itself does not need.
        while True:
            self._ops = plan_lib.prune(targets, self._feed_set, expand=False)
            extra = {
                tensor._op
                for op in self._ops
                if needs_own_gradient(op)
                for tensor in _gradient_of(op).captured
                if tensor not in self._feed_set
            }
            if extra <= set(self._ops):
                break
            targets |= extra
        self._ops = _before_use(self._ops, self._feed_set)
        self._effects = plan_lib.order_effects(self._ops, self._feed_set)
        written = self._effects.lasting
        if written:
            writes = self._effects.writes
            writer = next(op for op in self._ops if writes.get(op, {}).keys() & written.keys())
            raise NotImplementedError(
                f"to_jax of a graph that writes variables (operation '{writer.name}') is not "
                f"supported by "
                "tf1compat yet"
            )
        self._steps = branches.group(
            self._ops, self._feed_set, self._effects, self._fetches, specialize=False
        )
        self._variables: dict[str, Any] = {}
        for op in self._ops:
            if op._spec.source and not op._spec.local:
                for tensor in op._outputs:
                    key = plan_lib.variable_key(tensor)
                    self._variables[key[1].decode()] = key
            if op._spec.random:
                self._variables[f"random:{op.name}"] = random_key(op)
        self._random = {random_key(op): op for op in self._ops if op._spec.random}

    def params(self, session: Any) -> dict[str, Any]:
        """The values of the variables in a session."""
        found = {}
        for name, key in self._variables.items():
            values = {} if session is None else session._variables
            if (key, 0) in values:
                found[name] = (
                    jnp.array(values[(key, 0)])
                    if _keeps_dtype(values[(key, 0)])
                    else np.array(values[(key, 0)])
                )
            elif key in self._random:
                found[name] = random_state(self._random[key])
            elif session is None:
                raise ValueError(
                    f"No session to read variable {name} from: pass `session`, or call to_jax "
                    f"inside `with sess:`"
                )
            else:
                raise ValueError(
                    f"Variable {name} has no value in the session: run its initializer first"
                )
        return found

    def __call__(self, params: dict[str, Any], inputs: Sequence[Any]) -> list[Any]:
        variables = Variables({(key, 0): params[name] for name, key in self._variables.items()})
        lowering = _Differentiable()
        interpreter = lowering.interpreter = Interpreter(variables, self._effects, lowering.apply)
        for tensor, value in zip(self._feeds, inputs, strict=True):
            interpreter.env[tensor] = jnp.asarray(value, tensor._dtype.as_numpy_dtype)
        try:
            interpreter.run(self._steps)
        except Replan as found:
            raise NotImplementedError(
                f"{found.in_vain}: not supported by tf1compat yet outside of Session.run"
            ) from None
        results = []
        for tensor in self._fetches:
            value = interpreter.value(tensor)
            results.append(value.read() if type(value) is Ref else value)
        return results


def _before_use(ops: list[Operation], feeds: set[Tensor]) -> list[Operation]:
    """Sorts so that what a gradient function looks at comes before its operation, where that is
    possible.
    """
    position = {op: i for i, op in enumerate(ops)}
    order: list[Operation] = []
    placed: set[Operation] = set()

    def place(op: Operation, onto: set[Operation]) -> None:
        if op in placed or op in onto or op not in position:
            return
        onto = onto | {op}
        for tensor in op._inputs:
            if tensor not in feeds:
                place(tensor._op, onto)
        for control in op._control_inputs:
            place(control, onto)
        if needs_own_gradient(op):
            for tensor in _gradient_of(op).captured:
                if tensor._op is not op and tensor not in feeds:
                    place(tensor._op, onto)
        if op not in placed:
            placed.add(op)
            order.append(op)

    for op in ops:
        place(op, set())
    return order


def _gradient_of(op: Operation) -> GradientProgram | UndefinedGradient:
    # Kept on the operation, so that it lives as long as the graph does.
    found = op.__dict__.get("_gradient_program")
    if found is None:
        found = op.__dict__["_gradient_program"] = gradient_program(op)
    return found


def _keeps_dtype(value: Any) -> bool:
    return jax.dtypes.canonicalize_dtype(value.dtype) == value.dtype


class _Differentiable:
    """How an exported function lowers an op: with TF's gradient where JAX's own is another."""

    def __init__(self) -> None:
        self.interpreter: Interpreter | None = None

    def apply(self, op: Operation, lower: Callable[..., Any], values: list[Any]) -> Any:
        """`lower(*values)`, differentiable as `tf.gradients` differentiates it."""
        if op._spec.runs_on_host(op):
            return _on_host(op, lower, values)
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
        program = _gradient_of(op)

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
        assert self.interpreter is not None
        looked_at = [self.interpreter.value(tensor) for tensor in outer]

        @jax.custom_vjp
        def run(inputs: Any, looked_at: Any) -> Any:
            del looked_at
            return [jnp.asarray(value) for value in lower(*merged(inputs))]

        def forward(inputs: Any, looked_at: Any) -> Any:
            outputs = run(inputs, looked_at)
            return outputs, (inputs, looked_at, outputs)

        def backward(kept: Any, cotangents: Any) -> Any:
            inputs, looked_at, outputs = kept
            env = dict(zip(outer, looked_at, strict=True))
            env.update(zip(op._inputs, merged(inputs), strict=True))
            env.update(zip(op._outputs, outputs, strict=True))
            grads = program.run(env, cotangents, _Differentiable())
            found = [_cotangent(inputs[at], grads[i]) for at, i in enumerate(traced)]
            return found, [_cotangent(value, None) for value in looked_at]

        run.defvjp(forward, backward)
        return run([values[i] for i in traced], looked_at)


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


def _on_host(op: Operation, lower: Callable[..., Any], values: list[Any]) -> Any:
    """Calls back into Python while the program runs."""
    if any(dtype.base_dtype in (dtypes.string, dtypes.resource) for dtype in op._output_dtypes):
        raise NotImplementedError(
            f"to_jax of operation '{op.name}' ({op.type}), which makes strings, is not supported "
            f"by tf1compat yet"
        )
    shapes = [tensor._shape for tensor in op._outputs]
    if any(shape is None or None in shape for shape in shapes):
        raise NotImplementedError(
            f"to_jax of operation '{op.name}' ({op.type}), whose output shapes are only known "
            f"when it runs, "
            "is not supported by tf1compat yet"
        )
    results = [
        jax.ShapeDtypeStruct(shape, tensor._dtype.as_numpy_dtype)
        for shape, tensor in zip(shapes, op._outputs, strict=True)
    ]

    def call(*inputs: Any) -> Any:
        return [np.asarray(value) for value in lower(*[np.asarray(value) for value in inputs])]

    return jax.pure_callback(call, results, *values)
