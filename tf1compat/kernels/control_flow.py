"""NoOp, the v1 control-flow nodes, Assert."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.constants import DEAD
from tf1compat.core.op_registry import not_differentiable, op


@op("NoOp", "ControlTrigger")
class NoOp:
    def lower() -> Any:
        return []


@op("Switch", const=(1,), is_switch=True)
class Switch:
    def shape(data: Any, pred: Any) -> Any:
        shapes.with_rank(pred, 0)
        return [data, data]

    def lower(data: Any, pred: Any) -> Any:
        return [DEAD, data] if bool(pred) else [data, DEAD]

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data] * 2

    def gradient(op: Any, *grads: Any) -> Any:
        from tf1compat.api import control_flow_grad

        return control_flow_grad.switch_gradient(op, *grads)


@op("RefSwitch", const=(1,), passes_refs=True, is_switch=True)
class RefSwitch:
    def shape(data: Any, pred: Any) -> Any:
        shapes.with_rank(pred, 0)
        return [data, data]

    def lower(data: Any, pred: Any) -> Any:
        return [DEAD, data] if bool(pred) else [data, DEAD]

    def gradient(op: Any, *grads: Any) -> Any:
        from tf1compat.api import control_flow_grad

        return control_flow_grad.switch_gradient(op, *grads)


def _merged_shape(inputs: Any) -> Any:
    merged = inputs[0]
    for shape in inputs[1:]:
        if merged is None or shape is None or len(merged) != len(shape):
            return [None, ()]
        merged = tuple(a if a == b else None for a, b in zip(merged, shape, strict=True))
    return [merged, ()]


@op("Merge", merges=True)
class Merge:
    def shape(inputs: Any) -> Any:
        return _merged_shape(inputs)

    def lower(inputs: Any) -> Any:
        index = next(i for i, value in enumerate(inputs) if value is not DEAD)
        return [inputs[index], np.array(index, np.int32)]

    def gradient(op: Any, grad: Any, _: Any) -> Any:
        from tf1compat.api import control_flow_grad

        return control_flow_grad.merge_gradient(op, grad, _)


@op("RefMerge", merges=True, passes_refs=True)
class RefMerge:
    def shape(inputs: Any) -> Any:
        return _merged_shape(inputs)

    def lower(inputs: Any) -> Any:
        index = next(i for i, value in enumerate(inputs) if value is not DEAD)
        return [inputs[index], np.array(index, np.int32)]

    def gradient(op: Any, grad: Any, _: Any) -> Any:
        from tf1compat.api import control_flow_grad

        return control_flow_grad.merge_gradient(op, grad, _)


@op("Assert", effect=True)
class Assert:
    def shape(condition: Any, data: Any) -> Any:
        shapes.with_rank(condition, 0)
        return []

    def lower(condition: Any, data: Any, *, summarize: int, ctx: Any) -> Any:
        # Strings are known now; a program can't carry them.
        known = {f"v{i}": value for i, value in enumerate(data) if isinstance(value, np.ndarray)}

        def text(**computed: Any) -> str:
            values = {**known, **computed}
            parts = [_summary(values[f"v{i}"], summarize) for i in range(len(values))]
            return f"assertion failed: {' '.join(parts)}"

        computed = {f"v{i}": value for i, value in enumerate(data) if f"v{i}" not in known}
        ctx.check(condition, errors.InvalidArgumentError, text, **computed)
        return []


def _summary(value: Any, limit: int) -> str:
    """A tensor as TF's Assert quotes it: `[1 2 3...]`."""
    array = np.asarray(value)

    def one(item: Any) -> str:
        if isinstance(item, bytes):
            return item.decode("utf-8", "replace")
        if isinstance(item, np.floating):
            return f"{float(item):.9g}" if item.dtype == np.float64 else f"{float(item):.6g}"
        return str(int(item)) if isinstance(item, np.bool_ | np.integer) else str(item)

    def walk(part: np.ndarray, left: list[int]) -> str:
        if part.ndim == 0:
            return one(part[()])
        shown = []
        for item in part:
            if left[0] <= 0:
                break
            if part.ndim == 1:
                left[0] -= 1
                shown.append(one(item))
            else:
                shown.append(walk(item, left))
        text = (" " if part.ndim == 1 else "").join(shown)
        return f"[{text}...]" if len(shown) < len(part) else f"[{text}]"

    if array.ndim == 0:
        return f"[{one(array[()])}]"
    return walk(array, [limit if limit >= 0 else array.size])


not_differentiable("Assert")
