"""The recurrent cells and layers of TF 2 (`tensorflow.python.keras.layers.recurrent_v2`): TF 1's
with the defaults of cuDNN. They are recorded as TF 1's are, where TF calls a function that it can
exchange for cuDNN's; what they compute and their weights are the same."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.functions.function import defun_with_attributes
from tf1compat.api.keras import backend
from tf1compat.api.keras.layers import recurrent, recurrent_base
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
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


def standard_gru(
    inputs: Any,
    init_h: Any,
    kernel: Any,
    recurrent_kernel: Any,
    bias: Any,
    activation: Callable[[Any], Any],
    recurrent_activation: Callable[[Any], Any],
    mask: Any,
    time_major: bool,
    go_backwards: bool,
) -> tuple[Any, Any, Any, Any]:
    """A GRU whose reset gate comes after the product (`reset_after`), of its weights.

    Args:
      inputs: [batch, time, features], or [time, batch, features] if `time_major`.
      init_h: the state before, [batch, units].
      kernel, recurrent_kernel: [features, 3 * units] and [units, 3 * units].
      bias: [2, 3 * units]: of the inputs, and of the state.
      activation, recurrent_activation: functions of tensors.
      mask: None, or bools [batch, time].
      time_major: see `inputs`.
      go_backwards: whether the last step comes first.

    Returns:
      The last output, all outputs, the state, and which device it is written for (1 for CPUs).
    """
    input_bias, recurrent_bias = array_ops.unstack(bias)

    def step(x: Any, states: Any) -> tuple[Any, list[Any]]:
        (before,) = states
        products = [
            backend.bias_add(backend.dot(factor, weights), shift)
            for factor, weights, shift in (
                (x, kernel, input_bias),
                (before, recurrent_kernel, recurrent_bias),
            )
        ]
        (x_z, x_r, x_h), (h_z, h_r, h_h) = (
            array_ops.split(product, 3, axis=1) for product in products
        )
        update, reset = recurrent_activation(x_z + h_z), recurrent_activation(x_r + h_r)
        state = update * before + (1 - update) * activation(x_h + reset * h_h)
        return state, [state]

    return _run(step, inputs, [init_h], mask, time_major, go_backwards)


def standard_lstm(
    inputs: Any,
    init_h: Any,
    init_c: Any,
    kernel: Any,
    recurrent_kernel: Any,
    bias: Any,
    activation: Callable[[Any], Any],
    recurrent_activation: Callable[[Any], Any],
    mask: Any,
    time_major: bool,
    go_backwards: bool,
) -> tuple[Any, Any, Any, Any, Any]:
    """An LSTM of its weights.

    Args:
      init_h, init_c: the output and the state before, [batch, units].
      kernel, recurrent_kernel, bias: four times `units` wide: of the input and forget gates, the
        state and the output gate.
      inputs, activation, recurrent_activation, mask, time_major, go_backwards: see `standard_gru`.

    Returns:
      The last output, all outputs, both states, and which device it is written for.
    """

    def step(x: Any, states: Any) -> tuple[Any, list[Any]]:
        h, c = states
        product = backend.dot(x, kernel)
        product += backend.dot(h, recurrent_kernel)
        parts = array_ops.split(backend.bias_add(product, bias), 4, axis=1)
        into, forget = recurrent_activation(parts[0]), recurrent_activation(parts[1])
        c = forget * c + into * activation(parts[2])
        h = recurrent_activation(parts[3]) * activation(c)
        return h, [h, c]

    return _run(step, inputs, [init_h, init_c], mask, time_major, go_backwards)


def _run(
    step: Callable[..., Any],
    inputs: Any,
    states: list[Any],
    mask: Any,
    time_major: bool,
    go_backwards: bool,
) -> tuple[Any, ...]:
    last, outputs, after = backend.rnn(
        step,
        inputs,
        states,
        mask=mask,
        time_major=time_major,
        go_backwards=go_backwards,
        input_length=backend.int_shape(inputs)[0 if time_major else 1],
    )
    return last, outputs, *after, _runtime(_RUNTIME_CPU)


# Which implementation ran, as the layers tell it to tests.
_RUNTIME_UNKNOWN, _RUNTIME_CPU, _RUNTIME_GPU = range(3)


def _runtime(which: int) -> Any:
    with ops.device("/cpu:0"):
        return constant_op.constant(which, dtype=dtypes.float32, name="runtime")


def _selected(name: str, standard: Callable[..., Any], **arguments: Any) -> Any:
    """Calls a function that TF may exchange for cuDNN's; here it runs anywhere as it is."""
    attributes = {"api_implements": f"{name}_{uuid.uuid4()}", "api_preferred_device": "CPU"}
    return defun_with_attributes(standard, attributes=attributes, autograph=False)(**arguments)


def gru_with_backend_selection(
    inputs: Any,
    init_h: Any,
    kernel: Any,
    recurrent_kernel: Any,
    bias: Any,
    mask: Any,
    time_major: bool,
    go_backwards: bool,
    activation: Callable[[Any], Any],
    recurrent_activation: Callable[[Any], Any],
) -> Any:
    """`standard_gru`, as one call.

    Args:
      inputs, init_h, kernel, recurrent_kernel, bias, mask, time_major, go_backwards, activation,
        recurrent_activation: see there.
    """
    return _selected("gru", standard_gru, **locals())


def lstm_with_backend_selection(
    inputs: Any,
    init_h: Any,
    init_c: Any,
    kernel: Any,
    recurrent_kernel: Any,
    bias: Any,
    mask: Any,
    time_major: bool,
    go_backwards: bool,
    activation: Callable[[Any], Any],
    recurrent_activation: Callable[[Any], Any],
) -> Any:
    """`standard_lstm`, as one call.

    Args:
      inputs, init_h, init_c, kernel, recurrent_kernel, bias, mask, time_major, go_backwards,
        activation, recurrent_activation: see there.
    """
    return _selected("lstm", standard_lstm, **locals())


class _Selecting(recurrent_base.RNN):
    """A layer for which TF may take cuDNN's kernel, where its arguments allow that one."""

    def _begin_selecting(self, given: dict[str, Any], return_runtime: bool) -> None:
        """Keeps whether cuDNN's kernel would do, and whether to give which kernel ran.

        Args:
          given: the layer's arguments, by parameter.
          return_runtime: whether a call gives (outputs, which kernel ran).
        """
        self._return_runtime = return_runtime
        self.could_use_cudnn = (
            given["activation"] == "tanh"
            and given["recurrent_activation"] == "sigmoid"
            and given["recurrent_dropout"] == 0
            and not given["unroll"]
            and given["use_bias"]
            and given.get("reset_after", True)
            and ops.executing_eagerly_outside_functions()
        )

    def _run_steps(self, step: Any, inputs: Any, *args: Any, **_: Any) -> tuple[Any, Any, Any]:
        length = backend.int_shape(inputs)[0 if self.time_major else 1]
        results = super()._run_steps(step, inputs, *args, input_length=length)
        ran = _RUNTIME_CPU if self.could_use_cudnn else _RUNTIME_UNKNOWN
        object.__setattr__(self, "_ran", _runtime(ran))
        return results

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the cell: the outputs, and the states if they are asked for."""
        outputs = super().call(*args, **kwargs)
        if self._return_runtime and not self.return_state:
            return outputs, self._ran
        return outputs


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
            if not issubclass(cls, _Selecting):
                return base(**given, **others)
            told = others.pop("return_runtime", False)
            base(**given, **others)
            given["self"]._begin_selecting(given, told)

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
class GRU(recurrent.GRU, _Selecting):
    """As `tf.keras.layers.GRU`, with other defaults."""


@tf_export("compat.v2.keras.layers.LSTM")
@_defaults("unroll", recurrent_activation="sigmoid", implementation=2)
class LSTM(recurrent.LSTM, _Selecting):
    """As `tf.keras.layers.LSTM`, with other defaults."""
