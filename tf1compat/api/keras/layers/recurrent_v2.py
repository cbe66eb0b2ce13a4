"""The recurrent cells and layers of TF 2 (`tensorflow.python.keras.layers.recurrent_v2`): TF 1's
with the defaults of cuDNN. They are recorded as TF 1's are, where TF calls a function that it can
exchange for cuDNN's; what they compute and their weights are the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.layers import recurrent
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export


def is_sequence_right_padded(mask: Any, time_major: bool) -> Any:
    """Whether a mask has what doesn't count at the end of each sequence only.

    Args:
      mask: bool, [batch, time], or [time, batch] if `time_major`.
    """
    if time_major:
        mask = array_ops.transpose(mask)
    longest = array_ops.shape(mask)[1]
    lengths = math_ops.reduce_sum(math_ops.cast(mask, dtypes.int32), axis=1)
    padded = array_ops.sequence_mask(lengths, maxlen=longest)
    return math_ops.reduce_all(math_ops.equal(mask, padded))


def calculate_sequence_by_mask(mask: Any, time_major: bool) -> Any:
    """The lengths of sequences, int32 [batch], from such a mask."""
    return math_ops.reduce_sum(math_ops.cast(mask, dtypes.int32), axis=0 if time_major else 1)


def _defaults(time_major_before: str | None = None, **changed: Any) -> Callable[[type], type]:
    """Decorator: a class whose constructor has other defaults than its base's.

    Args:
      time_major_before: the parameter before which `time_major` stands, which TF 1's layers
        take among their `**kwargs`.
      **changed: the defaults, by parameter.
    """

    def decorate(cls: type) -> type:
        base: Any = cls.__mro__[1].__init__
        parameters = [
            p.replace(default=changed.get(p.name, p.default))
            for p in inspect.signature(base).parameters.values()
        ]
        if time_major_before is not None:
            at = [p.name for p in parameters].index(time_major_before)
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            parameters.insert(at, inspect.Parameter("time_major", kind, default=False))
        signature = inspect.Signature(parameters)
        rest = parameters[-1].name

        def __init__(*args: Any, **kwargs: Any) -> None:
            bound = signature.bind_partial(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
            others = given.pop(rest)
            base(**given, **others)

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__doc__ = base.__doc__
        cls.__init__ = __init__
        return cls

    return decorate


@tf_export("compat.v2.keras.layers.GRUCell")
@_defaults(recurrent_activation="sigmoid", implementation=2, reset_after=True)
class GRUCell(recurrent.GRUCell):
    """As `tf.keras.layers.GRUCell`, with other defaults."""


@tf_export("compat.v2.keras.layers.LSTMCell")
@_defaults(recurrent_activation="sigmoid", implementation=2)
class LSTMCell(recurrent.LSTMCell):
    """As `tf.keras.layers.LSTMCell`, with other defaults."""


@tf_export("compat.v2.keras.layers.GRU")
@_defaults("reset_after", recurrent_activation="sigmoid", implementation=2, reset_after=True)
class GRU(recurrent.GRU):
    """As `tf.keras.layers.GRU`, with other defaults."""


@tf_export("compat.v2.keras.layers.LSTM")
@_defaults("unroll", recurrent_activation="sigmoid", implementation=2)
class LSTM(recurrent.LSTM):
    """As `tf.keras.layers.LSTM`, with other defaults."""
