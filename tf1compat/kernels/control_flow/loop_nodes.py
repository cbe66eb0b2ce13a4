"""The nodes of while loops: Enter, Exit, NextIteration, LoopCond.

`runtime/plan/loops.py` turns a whole loop into one step. Only an Enter or an Exit of a frame that
is no loop is lowered: it hands on its input.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_grad
from tf1compat.core import shapes
from tf1compat.core.op_registry import op

# The gradients live with the loop contexts that they work on; they are looked up when they are
# called because those modules record ops, and so need the kernels.


def _handle_data(op: Any) -> list[Any]:
    return [op._inputs[0]._handle_data]


def _handed_on(data: Any) -> Any:
    return data


def _enter_gradient(op: Any, grad: Any) -> Any:
    return control_flow_grad.enter_gradient(op, grad)


def _exit_gradient(op: Any, grad: Any) -> Any:
    return control_flow_grad.exit_gradient(op, grad)


def _next_gradient(op: Any, grad: Any) -> Any:
    return control_flow_grad.next_iteration_gradient(op, grad)


@op("Enter", loop="enter")
class Enter:
    def shape(data: Any, *, is_constant: bool) -> Any:
        # A loop variable may change its shape.
        return data if is_constant else None

    handle_data = _handle_data
    lower = _handed_on
    gradient = _enter_gradient


@op("RefEnter", loop="enter", passes_refs=True)
class RefEnter:
    shape = _handed_on
    lower = _handed_on
    gradient = _enter_gradient


@op("Exit", loop="exit")
class Exit:
    shape = _handed_on
    handle_data = _handle_data
    lower = _handed_on
    gradient = _exit_gradient


@op("RefExit", loop="exit", passes_refs=True)
class RefExit:
    shape = _handed_on
    lower = _handed_on
    gradient = _exit_gradient


@op("NextIteration", loop="next")
class NextIteration:
    shape = _handed_on
    handle_data = _handle_data
    gradient = _next_gradient


@op("RefNextIteration", loop="next", passes_refs=True)
class RefNextIteration:
    shape = _handed_on
    gradient = _next_gradient


@op("LoopCond", loop="cond")
class LoopCond:
    def shape(input: Any) -> Any:
        return shapes.with_rank(input, 0)

    def gradient(op: Any, grad: Any) -> Any:
        return control_flow_grad.loop_cond_gradient(op, grad)
