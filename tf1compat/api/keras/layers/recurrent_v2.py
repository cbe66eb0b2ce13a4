"""The recurrent cells and layers of TF 2 (`tensorflow.python.keras.layers.recurrent_v2`): TF 1's
with the defaults of cuDNN. They are recorded as TF 1's are, where TF calls a function that it can
exchange for cuDNN's; what they compute and their weights are the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.keras.layers import recurrent
from tf1compat.core.export import tf_export


def _defaults(**changed: Any) -> Callable[[type], type]:
    """Decorator: a class whose constructor has other defaults than its base's."""

    def decorate(cls: type) -> type:
        base = cls.__mro__[1].__init__
        signature = inspect.signature(base)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            given = signature.bind_partial(self, *args, **kwargs).arguments
            base(self, *args, **{k: v for k, v in changed.items() if k not in given}, **kwargs)

        parameters = [
            p.replace(default=changed.get(p.name, p.default)) for p in signature.parameters.values()
        ]
        __init__.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
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
@_defaults(recurrent_activation="sigmoid", implementation=2, reset_after=True)
class GRU(recurrent.GRU):
    """As `tf.keras.layers.GRU`, with other defaults."""


@tf_export("compat.v2.keras.layers.LSTM")
@_defaults(recurrent_activation="sigmoid", implementation=2)
class LSTM(recurrent.LSTM):
    """As `tf.keras.layers.LSTM`, with other defaults."""
