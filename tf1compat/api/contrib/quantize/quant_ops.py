"""Fake quantization whose ranges are learnt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training import moving_averages
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import ops
from tf1compat.core.typing import ShapeLike


def FixedQuantize(
    inputs: Any, init_min: float = -6.0, init_max: float = 6.0, scope: Any = None
) -> Any:
    """Fake quantization of a fixed range.

    Args:
      inputs: float tensor.
      init_min, init_max: the range.
      scope: scope of the ops.
    """
    with ops.name_scope(scope, "FixedQuantize", values=[inputs]):
        return array_ops.fake_quant_with_min_max_args(inputs, min=init_min, max=init_max)


def LastValueQuantize(
    inputs: Any,
    per_channel: bool = False,
    init_min: float = -6.0,
    init_max: float = 6.0,
    vars_collection: Any = None,
    name_prefix: str = "LastValueQuant",
    reuse: Any = None,
    is_training: bool = True,
    num_bits: int = 8,
    narrow_range: bool = False,
    symmetric: bool = False,
) -> Any:
    """Fake quantization of the range of the last values.

    Args:
      inputs: float tensor.
      per_channel: whether each element of the last dimension has a range of its own.
      init_min, init_max: the range at first.
      vars_collection: where the range's variables are added besides the global variables.
      name_prefix: of the variable scope.
      reuse: whether the variables are.
      is_training: whether the range is learnt.
      num_bits: of the quantized numbers.
      narrow_range: whether the lowest of them is not used.
      symmetric: whether the range lies about 0.

    Returns:
      A tensor like `inputs`.
    """

    def update(variable: Any, value: Any, end: str) -> Any:
        return state_ops.assign(variable, value, name=f"Assign{end}Last")

    return _quantized(
        inputs, per_channel, (init_min, init_max), vars_collection, name_prefix, reuse,
        is_training, num_bits, narrow_range, symmetric, update,
    )  # fmt: skip


def MovingAvgQuantize(
    inputs: Any,
    per_channel: bool = False,
    init_min: float = -6.0,
    init_max: float = 6.0,
    ema_decay: float = 0.999,
    vars_collection: Any = ops.GraphKeys.MOVING_AVERAGE_VARIABLES,
    name_prefix: str = "MovingAvgQuantize",
    reuse: Any = None,
    is_training: bool = True,
    num_bits: int = 8,
    narrow_range: bool = False,
    symmetric: bool = False,
) -> Any:
    """Fake quantization of a moving average of the values' range.

    Args: see `LastValueQuantize`; and
      ema_decay: how much of the old range stays.
    """

    def update(variable: Any, value: Any, end: str) -> Any:
        return moving_averages.assign_moving_average(
            variable, value, ema_decay, name=f"Assign{end}Ema"
        )

    return _quantized(
        inputs, per_channel, (init_min, init_max), vars_collection, name_prefix, reuse,
        is_training, num_bits, narrow_range, symmetric, update,
    )  # fmt: skip


def _quantized(
    inputs: Any,
    per_channel: bool,
    init: tuple[float, float],
    collection: Any,
    name_prefix: str,
    reuse: Any,
    is_training: bool,
    num_bits: int,
    narrow_range: bool,
    symmetric: bool,
    update: Callable[[Any, Any, str], Any],
) -> Any:
    with variable_scope.variable_scope(
        None, default_name=name_prefix, values=[inputs], reuse=reuse
    ) as scope:
        scope.set_partitioner(None)
        shape = inputs.get_shape()
        if per_channel and len(shape) not in (1, 2, 4):
            raise AssertionError(
                f"Expected 1D, 2D or 4D input, was: {shape} in  scope: {name_prefix}"
            )
        own = [shape[-1]] if per_channel else []
        low, high = (
            _range_variable(name, own, value, collection)
            for name, value in zip(("min", "max"), init, strict=True)
        )
        if is_training:
            seen = _seen_range(inputs, per_channel)
            wanted = _wanted_range(*seen, num_bits, narrow_range, symmetric)
            low, high = update(low, wanted[0], "Min"), update(high, wanted[1], "Max")
        fake_quant = (
            array_ops.fake_quant_with_min_max_vars_per_channel
            if per_channel
            else array_ops.fake_quant_with_min_max_vars
        )
        return fake_quant(inputs, low, high, num_bits=num_bits, narrow_range=narrow_range)


def _range_variable(name: str, shape: ShapeLike, value: float, collection: Any) -> Any:
    return variable_scope.get_variable(
        name,
        shape=shape,
        initializer=init_ops.constant_initializer(value),
        collections=[*([collection] if collection else []), ops.GraphKeys.GLOBAL_VARIABLES],
        trainable=False,
        aggregation=variables_lib.VariableAggregation.MEAN,
    )


def _seen_range(inputs: Any, per_channel: bool) -> tuple[Any, Any]:
    """The lowest and the highest values."""
    axes = list(range(len(inputs.get_shape()) - 1)) if per_channel else None
    if axes == []:
        return inputs, inputs
    low = math_ops.reduce_min(inputs, axis=axes, name="BatchMin")
    return low, math_ops.reduce_max(inputs, axis=axes, name="BatchMax")


def _wanted_range(
    low: Any, high: Any, num_bits: int, narrow_range: bool, symmetric: bool
) -> tuple[Any, Any]:
    """The range with 0 in it, or, if it is to be symmetric, in its middle."""
    if not symmetric:
        return math_ops.minimum(low, 0.0), math_ops.maximum(high, 0.0)
    count = 1 << num_bits
    ratio = -1 if narrow_range else -(count - 2) / count
    first = math_ops.minimum(low, high / ratio)
    return first, math_ops.maximum(high, low * ratio)
