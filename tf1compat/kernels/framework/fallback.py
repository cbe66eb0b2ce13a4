"""Static shapes of ops without a shape function of their own: the lowering traced on stand-ins for
unknown dimensions."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.backend import jax
from tf1compat.core import op_registry

# Two different stand-ins: an output dimension that follows them is unknown, one that stays is
# known.
_STAND_INS = (3, 5)


def infer_shapes(operation: Any) -> list[Any]:
    """Static shapes of the outputs; unknown where an input's rank is, or where tracing needs more
    than shapes."""
    spec = operation._spec
    if spec.host or spec.source or spec.const or spec.writes or spec.reads or spec.random:
        return [None] * len(operation._output_dtypes)
    shapes = [tensor._shape for tensor in operation._inputs]
    if any(shape is None for shape in shapes):
        return [None] * len(operation._output_dtypes)
    found = [_traced(operation, shapes, stand_in) for stand_in in _STAND_INS]
    if found[0] is None or found[1] is None:
        return [None] * len(operation._output_dtypes)
    return [
        None
        if len(first) != len(second)
        else tuple(a if a == b else None for a, b in zip(first, second, strict=True))
        for first, second in zip(*found, strict=True)
    ]


def _traced(operation: Any, shapes: list[Any], stand_in: int) -> list[tuple[int, ...]] | None:
    concrete = [tuple(stand_in if dim is None else dim for dim in shape) for shape in shapes]
    rule = operation._spec.lower
    keywords = rule.keywords(operation._attrs) if rule.attrs else {}
    if rule.services:
        return None
    function = functools.partial(rule.function, **keywords)
    inputs = [
        jax.ShapeDtypeStruct(shape, np.dtype(tensor._dtype.base_dtype.as_numpy_dtype))
        for shape, tensor in zip(concrete, operation._inputs, strict=True)
    ]
    if operation._spec.op_def.has_list_inputs:
        inputs = op_registry.group_inputs(operation, inputs)
    try:
        with jax.enable_x64(True):
            result = jax.eval_shape(function, *inputs)
    except (TypeError, ValueError):
        return None
    outputs = result if isinstance(result, tuple | list) else [result]
    return [output.shape for output in outputs]
