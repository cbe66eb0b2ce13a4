"""`CuDNNGRU` and `CuDNNLSTM` (`tensorflow.python.keras.layers.cudnn_recurrent`).

TF runs them on GPUs only; here their operation runs wherever XLA and NumPy do.
"""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras import backend, initializers, lookup
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.recurrent_base import RNN
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.variables import state_ops
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer, Regularizer, TensorLike

_KINDS = {
    "initializer": lookup.initializer,
    "regularizer": lookup.regularizer,
    "constraint": lookup.constraint,
}
_WEIGHTS = tuple(f"{what}_{kind}" for kind in _KINDS for what in ("kernel", "recurrent", "bias"))
_RUN = ("return_sequences", "return_state", "go_backwards", "stateful", "time_major")
_Cell = collections.namedtuple("_Cell", "state_size")


class _CuDNNRNN(RNN):
    """What both layers share: one operation for all steps, and no cell that could be called."""

    _order: tuple[int, ...]  # Keras's number of each of cuDNN's gates
    _mode: dict[str, str] = {}  # attrs of the operation
    units: int
    bias_initializer: Any

    def __init__(
        self, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, time_major: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        super(RNN, self).__init__(**kwargs)
        self.return_sequences = return_sequences
        self.return_state = return_state
        self.go_backwards = go_backwards
        self.stateful = stateful
        self.time_major = time_major
        self.supports_masking = False
        self.input_spec = [InputSpec(ndim=3)]
        self.state_spec = [InputSpec(shape=(None, size)) for size in self._state_sizes]
        self.constants_spec = None
        self._set_private("_states", None)
        self._num_constants = 0
        self._vector_shape = constant_op.constant([-1])

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Takes the settings of the variables among the constructor's arguments."""
        for name in (*_WEIGHTS, "activity_regularizer"):
            setattr(self, name, _KINDS[name.rpartition("_")[2]](arguments[name]))

    @property
    def cell(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Says what states there are."""
        raise NotImplementedError

    def _first_bias(self) -> Any:
        return self.bias_initializer

    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the bias: a part for the inputs and one for the states."""
        super().build(input_shape)
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        columns = self.units * len(self._order)
        for name, shape, initializer in (
            ("kernel", (int(input_shape[-1]), columns), None),
            ("recurrent_kernel", (self.units, columns), None),
            ("bias", (2 * columns,), self._first_bias()),
        ):
            what = name.partition("_")[0]
            weight = self.add_weight(
                shape=shape,
                name=name,
                initializer=initializer or getattr(self, f"{what}_initializer"),
                regularizer=getattr(self, f"{what}_regularizer"),
                constraint=getattr(self, f"{what}_constraint"),
            )
            setattr(self, name, weight)
        self.built = True

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        inputs: Any,
        mask: TensorLike | None = None,
        training: Any = None,
        initial_state: Any = None,
    ) -> Any:
        """The outputs, and the states if they are asked for.

        Raises:
          ValueError: there is a mask.
        """
        if isinstance(mask, list):
            mask = mask[0]
        if mask is not None:
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        inputs, initial_state, _ = self._process_inputs(inputs, initial_state, None)
        if self.go_backwards:
            inputs = backend.reverse(inputs, 1)
        output, states = self._process_batch(inputs, initial_state)
        if self.stateful:
            pairs = zip(self.states, states, strict=True)
            self.add_update([state_ops.assign(variable, state) for variable, state in pairs])
        return [output, *states] if self.return_state else output

    def _process_batch(self, inputs: Any, initial_state: Any) -> tuple[Any, list[Any]]:
        if not self.time_major:
            inputs = array_ops.transpose(inputs, perm=(1, 0, 2))
        before: list[Any] = [array_ops.expand_dims(state, axis=0) for state in initial_state]
        if len(before) == 1:
            before.append(0)  # No carry.
        outputs, *after = raw_ops.CudnnRNNV2(
            input=inputs, input_h=before[0], input_c=before[1], params=self._params(),
            is_training=True, **self._mode,
        )[:3]  # fmt: skip
        states = after[: len(initial_state)]
        if self.stateful or self.return_state:
            states = [state[0] for state in states]
        if not self.return_sequences:
            return outputs[-1], states
        if not self.time_major:
            outputs = array_ops.transpose(outputs, perm=(1, 0, 2))
        return outputs, states

    def _params(self) -> Any:
        """All that is trained, in one vector, with the gates in cuDNN's order."""
        count = len(self._order)

        def part(i: int, last: int) -> slice:
            start, stop = i * self.units, (i + 1) * self.units
            return slice(start if i else None, None if i == last else stop)

        parts = [
            weight[:, part(i, count - 1)]
            for weight in (self.kernel, self.recurrent_kernel)
            for i in self._order
        ]
        parts += [
            self.bias[part(i + skipped, 2 * count - 1)]
            for skipped in (0, count)
            for i in self._order
        ]
        flat = [array_ops.reshape(values, self._vector_shape) for values in parts]
        return array_ops.concat(flat, axis=0)

    def get_config(self) -> dict[str, Any]:
        """The settings of the run."""
        config = super(RNN, self).get_config()
        return {**config, **{name: getattr(self, name) for name in _RUN}}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**config)


_SAVED = (*_WEIGHTS[:6], "activity_regularizer", *_WEIGHTS[6:])


@tf_export("keras.layers.CuDNNGRU")
class CuDNNGRU(_CuDNNRNN):
    """A GRU in one operation, with its reset gate after the product.

    Args:
      units: the size of the outputs.
      kernel_initializer, …: settings of the variables.
      activity_regularizer: penalises the outputs.
      return_sequences, return_state, go_backwards, stateful: see `RNN`.
      **kwargs: `time_major` (see `RNN`), and see `Layer`.
    """

    _order = (1, 0, 2)
    _mode = {"rnn_mode": "gru"}

    def __init__(
        self, units: int, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        self.units = units
        super().__init__(return_sequences, return_state, go_backwards, stateful, **kwargs)
        self._keep(arguments)

    @property
    def cell(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Says that there is one state."""
        return _Cell(self.units)

    get_config = settings("units", *_SAVED)


@tf_export("keras.layers.CuDNNLSTM")
class CuDNNLSTM(_CuDNNRNN):
    """Long short-term memory in one operation.

    Args:
      units: the size of the outputs.
      kernel_initializer, …: settings of the variables.
      unit_forget_bias: whether the bias of the forget gate begins with 1.
      activity_regularizer: penalises the outputs.
      return_sequences, return_state, go_backwards, stateful: see `RNN`.
      **kwargs: `time_major` (see `RNN`), and see `Layer`.
    """

    _order = (0, 1, 2, 3)

    def __init__(
        self, units: int, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        unit_forget_bias: bool = True, kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
        return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        self.units = units
        super().__init__(return_sequences, return_state, go_backwards, stateful, **kwargs)
        self._keep(arguments)
        self.unit_forget_bias = unit_forget_bias

    @property
    def cell(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Says that there are two states."""
        return _Cell((self.units, self.units))

    def _first_bias(self) -> Any:
        own, ones = self.bias_initializer, initializers.get("ones")

        def forgetting_little(_: Any, *args: Any, **kwargs: Any) -> Any:
            parts = ((own, 5), (ones, 1), (own, 2))
            made = [make((self.units * count,), *args, **kwargs) for make, count in parts]
            return array_ops.concat(made, axis=0)

        return forgetting_little if self.unit_forget_bias else own

    get_config = settings("units", *_SAVED[:3], "unit_forget_bias", *_SAVED[3:])
