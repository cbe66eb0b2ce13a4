"""NoOp, the v1 control-flow nodes, Assert."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.control_flow import control_flow_grad
from tf1compat.backend import Array
from tf1compat.core import errors, shapes, summary
from tf1compat.core.constants import DEAD
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


@op("NoOp", "ControlTrigger")
class NoOp:
    def lower() -> Any:
        return []


@op("Switch", const=(1,), is_switch=True, views=True, autodiff=True)
class Switch:
    def shape(data: Any, pred: Shape) -> Any:
        shapes.with_rank(pred, 0)
        return [data, data]

    def lower(data: Any, pred: np.ndarray, *, ctx: LoweringContext) -> Any:
        return _route(data, pred, ctx)

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data] * 2

    def gradient(op: Any, *grads: Any) -> Gradients:
        return control_flow_grad.switch_gradient(op, *grads)


@op("RefSwitch", const=(1,), passes_refs=True, is_switch=True, autodiff=True)
class RefSwitch:
    shape, lower, gradient = Switch.shape, Switch.lower, Switch.gradient


def _route(data: Any, pred: Any, ctx: LoweringContext) -> list[Any]:
    if np.ndim(pred):
        shape = shapes.to_string(np.shape(pred))
        text = f"The second input must be a scalar, but it has shape {shape}"
        ctx.check(False, errors.InvalidArgumentError, text)
    return [DEAD, data] if bool(pred) else [data, DEAD]


@op("Merge", merges=True, autodiff=True)
class Merge:
    def shape(inputs: Any) -> Any:
        merged = inputs[0]
        for shape in inputs[1:]:
            if merged is None or shape is None or len(merged) != len(shape):
                return [None, ()]
            merged = tuple(a if a == b else None for a, b in zip(merged, shape))
        return [merged, ()]

    def lower(inputs: Any) -> Any:
        index = next(i for i, value in enumerate(inputs) if value is not DEAD)
        return [inputs[index], np.array(index, np.int32)]

    def gradient(op: Any, grad: Tensor, _: Any) -> Gradients:
        return control_flow_grad.merge_gradient(op, grad, _)


@op("RefMerge", merges=True, passes_refs=True, autodiff=True)
class RefMerge:
    shape, lower, gradient = Merge.shape, Merge.lower, Merge.gradient


@op("Abort", host=True, effect=True)
class Abort:
    def shape() -> None:
        pass

    def lower(*, error_msg: str, exit_without_error: bool) -> None:
        # As TF's does, it ends the process.
        sys.stdout.flush()
        if exit_without_error:
            os._exit(0)
        print(f"Abort_op intentional failure; {error_msg}", file=sys.stderr, flush=True)
        os.abort()


@op("Assert", effect=True)
class Assert:
    def shape(condition: Any, data: Sequence[Shape]) -> Any:
        return []

    def lower(
        condition: Any, data: Sequence[Array], *, summarize: int, ctx: LoweringContext
    ) -> Any:
        if np.ndim(condition):
            refuse(ctx, f"In[0] should be a scalar: {text_of_shape(condition)}")
        # Strings are known now; a program can't carry them.
        known = {f"v{i}": value for i, value in enumerate(data) if isinstance(value, np.ndarray)}

        def text(**computed: Any) -> str:
            values = {**known, **computed}
            parts = [
                f"[{summary.summarize(values[f'v{i}'], summarize)}]" for i in range(len(values))
            ]
            return f"assertion failed: {' '.join(parts)}"

        computed = {f"v{i}": value for i, value in enumerate(data) if f"v{i}" not in known}
        ctx.check(condition, errors.InvalidArgumentError, text, **computed)
        return []


not_differentiable("Assert")
