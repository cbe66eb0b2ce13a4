"""`SimpleRNN`, `GRU`, `LSTM` and their cells (`tensorflow.python.keras.layers.recurrent`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import activations, backend, initializers, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.recurrent_base import (
    RNN,
    AbstractRNNCell,
    StackedRNNCells,
    _generate_zero_filled_state_for_cell,
)
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.tracking.data_structures import NoDependency
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Initializer, Regularizer, TensorLike

__all__ = ["RNN", "AbstractRNNCell", "StackedRNNCells"]

_WEIGHTS = tuple(
    f"{what}_{kind}"
    for kind in ("initializer", "regularizer", "constraint")
    for what in ("kernel", "recurrent", "bias")
)
_DROPOUT = ("dropout", "recurrent_dropout")
_SIMPLE = ("units", "activation", "use_bias", *_WEIGHTS, *_DROPOUT)
_GATED = ("units", "activation", "recurrent_activation", "use_bias")


def _generate_dropout_mask(ones: Any, rate: Any, training: Any = None, count: int = 1) -> Any:
    """What to multiply by, once or `count` times."""

    def dropped() -> Any:
        return backend.dropout(ones, rate)

    masks = [backend.in_train_phase(dropped, ones, training=training) for _ in range(count)]
    return masks if count > 1 else masks[0]


class DropoutRNNCellMixin:
    """Cells that drop the same inputs and states in all steps."""

    dropout: Any
    recurrent_dropout: Any

    def __init__(self, *args: Any, **kwargs: Any):
        self._dropout_mask: Any = None
        self._recurrent_dropout_mask: Any = None
        super().__init__(*args, **kwargs)

    def reset_dropout_mask(self) -> None:
        """Has the next step draw anew which inputs are dropped."""
        object.__setattr__(self, "_dropout_mask", None)

    def reset_recurrent_dropout_mask(self) -> None:
        """Has the next step draw anew which states are dropped."""
        object.__setattr__(self, "_recurrent_dropout_mask", None)

    def get_dropout_mask_for_cell(self, inputs: Any, training: Any, count: int = 1) -> Any:
        """What to multiply inputs by; None for no dropout."""
        if self.dropout == 0:
            return None
        if self._dropout_mask is None:
            mask = _generate_dropout_mask(
                array_ops.ones_like(inputs), self.dropout, training=training, count=count
            )
            object.__setattr__(self, "_dropout_mask", mask)
        return self._dropout_mask

    def get_recurrent_dropout_mask_for_cell(
        self, inputs: Any, training: Any, count: int = 1
    ) -> Any:
        """What to multiply states by; None for no dropout."""
        if self.recurrent_dropout == 0:
            return None
        if self._recurrent_dropout_mask is None:
            mask = _generate_dropout_mask(
                array_ops.ones_like(inputs), self.recurrent_dropout, training=training, count=count
            )
            object.__setattr__(self, "_recurrent_dropout_mask", mask)
        return self._recurrent_dropout_mask


class _Cell(DropoutRNNCellMixin, Layer):
    """What the cells share."""

    units: int
    use_bias: bool
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Takes the arguments of the constructor as attributes."""
        self.units = arguments["units"]
        for name in ("activation", "recurrent_activation"):
            if name in arguments:
                setattr(self, name, activations.get(arguments[name]))
        self.use_bias = arguments["use_bias"]
        for name in _WEIGHTS:
            get = getattr(lookup, name.rpartition("_")[2])
            setattr(self, name, get(arguments[name]))
        for name in _DROPOUT:
            setattr(self, name, min(1.0, max(0.0, arguments[name])))

    def _make_weights(self, input_size: Any, gates: int, bias: Any, bias_shape: Any) -> None:
        self.kernel = self.add_weight(
            shape=(input_size, self.units * gates), name="kernel",
            initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, self.units * gates), name="recurrent_kernel",
            initializer=self.recurrent_initializer, regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=bias_shape, name="bias", initializer=bias,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> Any:
        """Zeros."""
        return _generate_zero_filled_state_for_cell(self, inputs, batch_size, dtype)


class _CellLayer(RNN):
    """An `RNN` whose cell is made of the layer's own arguments."""

    def _begin(self, activity_regularizer: Any) -> None:
        self.activity_regularizer = lookup.regularizer(activity_regularizer)
        self.input_spec = [InputSpec(ndim=3)]

    def call(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        inputs: Any,
        mask: TensorLike | None = None,
        training: Any = None,
        initial_state: Any = None,
    ) -> Any:
        """Runs the cell: the outputs, and the states if they are asked for."""
        self.cell.reset_dropout_mask()
        self.cell.reset_recurrent_dropout_mask()
        return super().call(inputs, mask=mask, training=training, initial_state=initial_state)

    _settings: tuple[str, ...] = ()

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        return _with_settings(self, super().get_config())

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave, older ones too."""
        if config.get("implementation") == 0:
            config["implementation"] = 1
        return cls(**config)


def _with_settings(layer: Any, config: dict[str, Any]) -> dict[str, Any]:
    """A config with the settings of the layer's cell in the place of the cell."""
    del config["cell"]
    own = layer.cell.get_config()
    for name in layer._settings:
        if name == "activity_regularizer":
            config[name] = initializers.serialize(layer.activity_regularizer)
        else:
            config[name] = own[name]
    return config


def _of_cell(*names: str) -> Any:
    """A class decorator: attributes of the cell are attributes of the layer too."""

    def decorate(cls: Any) -> Any:
        for name in names:
            getter = property(lambda self, name=name: getattr(self.cell, name))
            setattr(cls, name, getter)
        with_penalty = list(names)
        with_penalty.insert(names.index("bias_regularizer") + 1, "activity_regularizer")
        cls._settings = tuple(with_penalty)
        return cls

    return decorate


def _warn_of_implementation(implementation: int) -> None:
    if implementation == 0:
        logging.warning(
            "`implementation=0` has been deprecated, and now defaults to `implementation=1`."
            "Please update your layer call."
        )


@tf_export("keras.layers.SimpleRNNCell")
class SimpleRNNCell(_Cell):
    """activation(inputs @ kernel + state @ recurrent_kernel + bias).

    Args:
      units: the size of the outputs.
      activation: a function, or its name.
      use_bias: whether there is a bias.
      kernel_initializer, …: settings of the variables.
      dropout, recurrent_dropout: the probabilities with which inputs and states are dropped.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh", use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal",
        bias_initializer: Initializer = "zeros", kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        super().__init__(**kwargs)
        self._keep(arguments)
        self.state_size = self.output_size = units

    activation: Any

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the bias."""
        self._make_weights(input_shape[-1], 1, self.bias_initializer, (self.units,))

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        before = states[0]
        mask = self.get_dropout_mask_for_cell(inputs, training)
        recurrent_mask = self.get_recurrent_dropout_mask_for_cell(before, training)
        h = backend.dot(inputs if mask is None else inputs * mask, self.kernel)
        if self.bias is not None:
            h = backend.bias_add(h, self.bias)
        if recurrent_mask is not None:
            before = before * recurrent_mask
        output = self.activation(h + backend.dot(before, self.recurrent_kernel))
        return output, [output]

    get_config = settings(*_SIMPLE)


@tf_export("keras.layers.SimpleRNN")
@_of_cell(*_SIMPLE)
class SimpleRNN(_CellLayer):
    """Runs a `SimpleRNNCell`. Args: see there and `RNN`."""

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh", use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal",
        bias_initializer: Initializer = "zeros", kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, return_sequences: bool = False,
        return_state: bool = False, go_backwards: bool = False, stateful: bool = False,
        unroll: bool = False, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        if "implementation" in kwargs:
            kwargs.pop("implementation")
            logging.warning(
                "The `implementation` argument in `SimpleRNN` has been deprecated. Please remove "
                "it from your layer call."
            )
        cell = SimpleRNNCell(
            **{name: arguments[name] for name in _SIMPLE}, dtype=kwargs.get("dtype")
        )
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs
        )
        self._begin(activity_regularizer)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A layer from what `get_config` gave, older ones too."""
        config.pop("implementation", None)
        return cls(**config)


_GRU = (*_GATED, *_WEIGHTS, *_DROPOUT, "implementation", "reset_after")


@tf_export("keras.layers.GRUCell")
class GRUCell(_Cell):
    """A gated recurrent unit (Cho et al.).

    Args:
      units: the size of the outputs.
      activation, recurrent_activation: of the outputs and of the gates.
      use_bias: whether there are biases.
      kernel_initializer, …: settings of the variables.
      dropout, recurrent_dropout: the probabilities with which inputs and states are dropped.
      implementation: 1 for a product for each gate, 2 for one of all.
      reset_after: whether the reset gate acts after the product, as in cuDNN.
      **kwargs: see `Layer`.
    """

    activation: Any
    recurrent_activation: Any

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None, kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, implementation: int = 1, reset_after: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        super().__init__(**kwargs)
        self._keep(arguments)
        self.implementation = implementation
        self.reset_after = reset_after
        self.state_size = self.output_size = units

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the biases."""
        size = 3 * self.units
        shape = (2, size) if self.reset_after else (size,)
        self._make_weights(input_shape[-1], 3, self.bias_initializer, shape)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        before = states[0]
        mask = self.get_dropout_mask_for_cell(inputs, training, count=3)
        recurrent_mask = self.get_recurrent_dropout_mask_for_cell(before, training, count=3)
        bias = recurrent_bias = None
        if self.use_bias:
            bias = self.bias
            if self.reset_after:
                bias, recurrent_bias = array_ops.unstack(bias)
        step = self._separate if self.implementation == 1 else self._together
        z, hh = step(inputs, before, mask, recurrent_mask, bias, recurrent_bias)
        h = z * before + (1 - z) * hh
        return h, [h]

    def _gate(self, i: int) -> slice:
        return slice(i * self.units or None, (i + 1) * self.units if i < 2 else None)

    def _separate(
        self, inputs: Any, before: Any, mask: Any, recurrent_mask: Any, bias: Any,
        recurrent_bias: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        """(update gate, candidate) of a product for each gate."""
        dot = backend.dot
        gates = [self._gate(i) for i in range(3)]
        dropped = [inputs] * 3
        if 0.0 < self.dropout < 1.0:
            dropped = [inputs * mask[i] for i in range(3)]
        x = [dot(dropped[i], self.kernel[:, gates[i]]) for i in range(3)]
        if self.use_bias:
            x = [backend.bias_add(x[i], bias[gates[i]]) for i in range(3)]
        h = [before] * 3
        if 0.0 < self.recurrent_dropout < 1.0:
            h = [before * recurrent_mask[i] for i in range(3)]
        recurrent = [dot(h[i], self.recurrent_kernel[:, gates[i]]) for i in range(2)]
        if recurrent_bias is not None:
            recurrent = [backend.bias_add(recurrent[i], recurrent_bias[gates[i]]) for i in range(2)]
        z = self.recurrent_activation(x[0] + recurrent[0])
        r = self.recurrent_activation(x[1] + recurrent[1])
        if self.reset_after:
            candidate = dot(h[2], self.recurrent_kernel[:, gates[2]])
            if recurrent_bias is not None:
                candidate = backend.bias_add(candidate, recurrent_bias[gates[2]])
            candidate = r * candidate
        else:
            reset = r * h[2]
            candidate = dot(reset, self.recurrent_kernel[:, gates[2]])
        return z, self.activation(x[2] + candidate)

    def _together(
        self, inputs: Any, before: Any, mask: Any, recurrent_mask: Any, bias: Any,
        recurrent_bias: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        """(update gate, candidate) of one product for all gates."""
        dot = backend.dot
        units = self.units
        if 0.0 < self.dropout < 1.0:
            inputs = inputs * mask[0]
        x = dot(inputs, self.kernel)
        if self.use_bias:
            x = backend.bias_add(x, bias)
        x_z, x_r, x_h = x[:, :units], x[:, units : 2 * units], x[:, 2 * units :]
        if 0.0 < self.recurrent_dropout < 1.0:
            before = before * recurrent_mask[0]
        if self.reset_after:
            inner = dot(before, self.recurrent_kernel)
            if recurrent_bias is not None:
                inner = backend.bias_add(inner, recurrent_bias)
        else:
            inner = dot(before, self.recurrent_kernel[:, : 2 * units])
        recurrent_z, recurrent_r = inner[:, :units], inner[:, units : 2 * units]
        z = self.recurrent_activation(x_z + recurrent_z)
        r = self.recurrent_activation(x_r + recurrent_r)
        if self.reset_after:
            candidate = r * inner[:, 2 * units :]
        else:
            reset = r * before
            candidate = dot(reset, self.recurrent_kernel[:, 2 * units :])
        return z, self.activation(x_h + candidate)

    get_config = settings(*_GRU)


@tf_export("keras.layers.GRU")
@_of_cell(*_GRU)
class GRU(_CellLayer):
    """Runs a `GRUCell`. Args: see there and `RNN`."""

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        implementation: int = 1, return_sequences: bool = False, return_state: bool = False,
        go_backwards: bool = False, stateful: bool = False, unroll: bool = False,
        reset_after: bool = False, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        _warn_of_implementation(implementation)
        cell = GRUCell(**{name: arguments[name] for name in _GRU}, dtype=kwargs.get("dtype"))
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs
        )
        self._begin(activity_regularizer)


_LSTM = (
    *_GATED, *_WEIGHTS[:3], "unit_forget_bias", *_WEIGHTS[3:], *_DROPOUT, "implementation",
)  # fmt: skip


@tf_export("keras.layers.LSTMCell")
class LSTMCell(_Cell):
    """A cell of long short-term memory (Hochreiter and Schmidhuber).

    Args:
      units: the size of the outputs.
      activation, recurrent_activation: of the outputs and of the gates.
      use_bias: whether there is a bias.
      kernel_initializer, …: settings of the variables.
      unit_forget_bias: whether the bias of the forget gate begins with 1.
      dropout, recurrent_dropout: the probabilities with which inputs and states are dropped.
      implementation: 1 for a product for each gate, 2 for one of all.
      **kwargs: see `Layer`.
    """

    activation: Any
    recurrent_activation: Any

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        unit_forget_bias: bool = True, kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        implementation: int = 1, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        super().__init__(**kwargs)
        self._keep(arguments)
        self.unit_forget_bias = unit_forget_bias
        self.implementation = implementation
        self.state_size: Any = NoDependency([units, units])
        self.output_size = units

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the bias."""

        def forgetting_little(_: Any, *args: Any, **kwargs: Any) -> Any:
            own, ones = self.bias_initializer, initializers.get("ones")
            parts = [
                own((self.units,), *args, **kwargs),
                ones((self.units,), *args, **kwargs),
                own((self.units * 2,), *args, **kwargs),
            ]
            return backend.concatenate(parts)

        bias = forgetting_little if self.unit_forget_bias else self.bias_initializer
        self._make_weights(input_shape[-1], 4, bias, (self.units * 4,))

    # What the gates see of the carry besides.

    def _peep(self, gate: str, value: Any, carry: Any) -> Any:
        return value

    def _compute_carry_and_output(self, x: Any, h: Any, carry: Any) -> tuple[Any, Any]:
        units = self.units
        gates = [slice(None, units), slice(units, units * 2)]
        gates += [slice(units * 2, units * 3), slice(units * 3, None)]

        def value(i: int) -> Any:
            return x[i] + backend.dot(h[i], self.recurrent_kernel[:, gates[i]])

        i = self.recurrent_activation(self._peep("input", value(0), carry))
        f = self.recurrent_activation(self._peep("forget", value(1), carry))
        kept = f * carry
        new_carry = kept + i * self.activation(value(2))
        o = self.recurrent_activation(self._peep("output", value(3), new_carry))
        return new_carry, o

    def _compute_carry_and_output_fused(self, z: Any, carry: Any) -> tuple[Any, Any]:
        i = self.recurrent_activation(self._peep("input", z[0], carry))
        f = self.recurrent_activation(self._peep("forget", z[1], carry))
        kept = f * carry
        new_carry = kept + i * self.activation(z[2])
        o = self.recurrent_activation(self._peep("output", z[3], new_carry))
        return new_carry, o

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:  # pyright: ignore
        """One step: (outputs, new states)."""
        before, carry = states[0], states[1]
        mask = self.get_dropout_mask_for_cell(inputs, training, count=4)
        recurrent_mask = self.get_recurrent_dropout_mask_for_cell(before, training, count=4)
        if self.implementation == 1:
            dropped = [inputs] * 4
            if 0 < self.dropout < 1.0:
                dropped = [inputs * mask[i] for i in range(4)]
            kernels = array_ops.split(self.kernel, num_or_size_splits=4, axis=1)
            x = [backend.dot(dropped[i], kernels[i]) for i in range(4)]
            if self.use_bias:
                biases = array_ops.split(self.bias, num_or_size_splits=4, axis=0)
                x = [backend.bias_add(x[i], biases[i]) for i in range(4)]
            h = [before] * 4
            if 0 < self.recurrent_dropout < 1.0:
                h = [before * recurrent_mask[i] for i in range(4)]
            carry, o = self._compute_carry_and_output(x, h, carry)
        else:
            if 0.0 < self.dropout < 1.0:
                inputs = inputs * mask[0]
            z = backend.dot(inputs, self.kernel)
            if 0.0 < self.recurrent_dropout < 1.0:
                before = before * recurrent_mask[0]
            z += backend.dot(before, self.recurrent_kernel)
            if self.use_bias:
                z = backend.bias_add(z, self.bias)
            z = array_ops.split(z, num_or_size_splits=4, axis=1)
            carry, o = self._compute_carry_and_output_fused(z, carry)
        output = o * self.activation(carry)
        return output, [output, carry]

    get_config = settings(*_LSTM)

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> list[Any]:
        """Zeros."""
        return list(super().get_initial_state(inputs, batch_size, dtype))


@tf_export("keras.experimental.PeepholeLSTMCell")
class PeepholeLSTMCell(LSTMCell):
    """An `LSTMCell` whose gates see the carry. Args: see `LSTMCell`."""

    def build(self, input_shape: Any) -> None:
        """Makes the variables."""
        super().build(input_shape)
        for gate in ("input", "forget", "output"):
            name = f"{gate}_gate_peephole_weights"
            weight = self.add_weight(
                shape=(self.units,), name=name, initializer=self.kernel_initializer
            )
            setattr(self, name, weight)

    def _peep(self, gate: str, value: Any, carry: Any) -> Any:
        return value + getattr(self, f"{gate}_gate_peephole_weights") * carry


@tf_export("keras.layers.LSTM")
@_of_cell(*_LSTM)
class LSTM(_CellLayer):
    """Runs an `LSTMCell`. Args: see there and `RNN`."""

    def __init__(
        self, units: int, activation: Callable[..., Any] | str = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True, kernel_initializer: Initializer = "glorot_uniform",
        recurrent_initializer: Initializer = "orthogonal", bias_initializer: Initializer = "zeros",
        unit_forget_bias: bool = True, kernel_regularizer: Regularizer | None = None,
        recurrent_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        recurrent_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, implementation: int = 1, return_sequences: bool = False,
        return_state: bool = False, go_backwards: bool = False, stateful: bool = False,
        unroll: bool = False, **kwargs: Any,
    ):  # fmt: skip
        arguments = locals()
        _warn_of_implementation(implementation)
        cell = LSTMCell(**{name: arguments[name] for name in _LSTM}, dtype=kwargs.get("dtype"))
        super().__init__(
            cell, return_sequences, return_state, go_backwards, stateful, unroll, **kwargs
        )
        self._begin(activity_regularizer)
