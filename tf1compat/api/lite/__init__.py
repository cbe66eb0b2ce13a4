"""`tf.lite`: the settings of converters. What converts and interprets is not here; `namespace.py`
says what to use."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.export import export_constant, tf_export


@tf_export("lite.OpsSet")
class OpsSet(enum.Enum):
    """The operations that a converted model may have."""

    TFLITE_BUILTINS = "TFLITE_BUILTINS"
    SELECT_TF_OPS = "SELECT_TF_OPS"
    TFLITE_BUILTINS_INT8 = "TFLITE_BUILTINS_INT8"

    def __str__(self) -> str:
        return self.value

    @staticmethod
    def get_options() -> list[str]:
        """The names of all."""
        return [str(option) for option in OpsSet]


@tf_export("lite.Optimize")
class Optimize(enum.Enum):
    """What a converted model is optimized for."""

    DEFAULT = "DEFAULT"
    OPTIMIZE_FOR_SIZE = "OPTIMIZE_FOR_SIZE"
    OPTIMIZE_FOR_LATENCY = "OPTIMIZE_FOR_LATENCY"

    def __str__(self) -> str:
        return self.value


@tf_export("lite.RepresentativeDataset")
class RepresentativeDataset:
    """Inputs from which a converter learns ranges.

    Args:
      input_gen: a function that gives a generator of lists of arrays.
    """

    def __init__(self, input_gen: Callable[[], Any]):
        self.input_gen = input_gen


@tf_export("lite.TargetSpec")
class TargetSpec:
    """What a converted model is made for.

    Args:
      supported_ops: the `OpsSet`s that it may use.
      supported_types: the dtypes that its weights may have.
    """

    def __init__(self, supported_ops: Any = None, supported_types: Any = None):
        self.supported_ops = {OpsSet.TFLITE_BUILTINS} if supported_ops is None else supported_ops
        self.supported_types = [] if supported_types is None else supported_types


for _name, _value in {
    "FLOAT": dtypes.float32,
    "FLOAT16": dtypes.float16,
    "INT32": dtypes.int32,
    "INT64": dtypes.int64,
    "INT8": dtypes.int8,
    "QUANTIZED_UINT8": dtypes.uint8,
    "STRING": dtypes.string,
    "TFLITE": 2,
    "GRAPHVIZ_DOT": 3,
}.items():
    export_constant(f"lite.constants.{_name}", _value)
