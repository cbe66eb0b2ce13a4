"""The gradient that `tf.gradients` records for one operation, as a program of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from tf1compat.core import gradient_registry, ops
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Variables


def needs_own_gradient(op: Operation) -> bool:
    """Whether JAX's derivative of the op's lowering may differ from TF's gradient."""
    if not op._inputs or op._spec.source or op._spec.reads or op._spec.writes:
        return False
    if "_gradient_op_type" in op._attrs or op.type in gradient_registry._registered:
        return True
    return not op._spec.autodiff and op._spec.differentiable is not False


class GradientProgram:
    """A gradient function called once on placeholders for the incoming gradients.

    Attributes:
      captured: the tensors outside that it looks at: inputs and outputs of the operation, and
        others.
    """

    def __init__(
        self,
        op: Operation,
        body: FuncGraph,
        incoming: list[Tensor | None],
        grads: list[Tensor | None],
    ):
        self._op = op
        self._body = body
        self._incoming = incoming
        self._grads = grads
        targets = [grad._op for grad in grads if grad is not None]
        self._feeds = set(body.inputs) | {tensor for tensor in incoming if tensor is not None}
        self._ops = plan_lib.prune(targets, self._feeds, expand=False)
        self._effects = plan_lib.order_effects(self._ops, self._feeds)
        self.captured = body.external_captures

    def run(self, env: dict[Tensor, Any], cotangents: Sequence[Any], lowering: Any) -> list[Any]:
        """The gradients of the operation's inputs; None where there is none.

        Args:
          env: values of the captured tensors.
          cotangents: the incoming gradients, one for each output.
          lowering: how to lower: `lowering.apply` (see `Interpreter`), told of its `interpreter`.
        """
        interpreter = lowering.interpreter = Interpreter(
            Variables({}), self._effects, lowering.apply
        )
        for outer, inner in self._body.captures:
            interpreter.env[inner] = env[outer] if outer in env else interpreter.value(outer)
        # JAX's gradient of a complex value is the conjugate of TF's.
        for tensor, value in zip(self._incoming, cotangents, strict=True):
            if tensor is not None:
                interpreter.env[tensor] = _conjugated(value)
        interpreter.run(self._ops)
        return [
            None if grad is None else _conjugated(interpreter.value(grad)) for grad in self._grads
        ]


class UndefinedGradient:
    """Stands for a gradient that can't be recorded: it only matters if somebody differentiates."""

    captured: tuple[Tensor, ...] = ()

    def __init__(self, error: Exception):
        self._error = error

    def run(self, env: Any, cotangents: Any, lowering: Any) -> list[Any]:
        """Raises what recording the gradient raised."""
        raise self._error


def _conjugated(value: Any) -> Any:
    return jnp.conj(value) if jnp.iscomplexobj(value) else value


def gradient_program(op: Operation) -> GradientProgram | UndefinedGradient:
    """The gradient function of `op`, recorded in a graph of its own."""
    try:
        return _recorded(op)
    except (LookupError, NotImplementedError, TypeError, ValueError) as error:
        return UndefinedGradient(error)


def _recorded(op: Operation) -> GradientProgram:
    function = gradient_registry.get_gradient_function(op)
    with op._graph.as_default():
        body = FuncGraph(f"{op.name}_gradient")
    incoming: list[Tensor | None] = []
    grads: list[Tensor | None] = [None] * len(op._inputs)
    with body.as_default():
        for tensor in op._outputs:
            trainable = tensor._dtype.is_floating or tensor._dtype.is_complex
            incoming.append(
                body.placeholder(tensor._dtype, tensor.shape, "grad") if trainable else None
            )
        # Nothing flows back through an op without a differentiable output: as in tf.gradients.
        if function is not None and any(grad is not None for grad in incoming):
            found = function(op, *incoming)
            found = [found] if not isinstance(found, list | tuple) else list(found)
            for i, grad in enumerate(found):
                if grad is not None and (
                    op._inputs[i]._dtype.is_floating or op._inputs[i]._dtype.is_complex
                ):
                    grads[i] = body.capture(ops.convert_to_tensor(grad))
    return GradientProgram(op, body, incoming, grads)
