"""How the parameters of cuDNN's nets are saved: as the variables of cells that run anywhere
(`tensorflow.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.cudnn_rnn import cells, params_format
from tf1compat.api.contrib.cudnn_rnn.params_format import (
    CUDNN_INPUT_LINEAR_MODE,
    CUDNN_RNN_UNIDIRECTION,
)
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.api.training.saving.saveable_object import SaveableObject, SaveSpec
from tf1compat.api.variables import state_ops
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike


class CudnnOpaqueParamsSaveable(SaveableObject):
    """Base class: what a checkpoint holds for a buffer of parameters.

    The checkpoint has the kernels and then the biases of every layer and direction, under the names
    of the cells' variables in a net of `MultiRNNCell` and `dynamic_rnn`, or of
    `stack_bidirectional_dynamic_rnn`.

    Args:
      opaque_params: the variable.
      num_layers, num_units, input_size: the sizes of the net.
      input_mode: "linear_input", "skip_input" or "auto_select".
      direction: "unidirectional" or "bidirectional".
      scope: the variable scope of the net of cells, or its name.
      name: the name of this object.
    """

    _format_converter_cls: type[params_format.CudnnParamsFormatConverter]
    _rnn_cell_name: str
    # The cell's variables that hold kernels, and those that hold biases.
    _weight_suffixes: tuple[str, ...] = ("kernel",)
    _bias_suffixes: tuple[str, ...] = ("bias",)

    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: Any,
        input_mode: Any = CUDNN_INPUT_LINEAR_MODE, direction: Any = CUDNN_RNN_UNIDIRECTION,
        scope: Any = None, name: Any = "cudnn_rnn_saveable",
    ):  # fmt: skip
        self._num_layers = num_layers
        self._input_size = input_size
        self._num_units = num_units
        self._input_mode = input_mode
        self._direction = direction
        scope_name = scope.name if isinstance(scope, vs.VariableScope) else scope
        self._scope = scope_name or None
        self._variables = opaque_params
        self._num_dirs = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2
        self._format_converter: Any = None
        weights, biases = self.format_converter.opaque_to_tf_canonical(self._variables)
        self._weight_names, self._bias_names = self._tf_canonical_names()
        self._param_names = self._weight_names + self._bias_names
        prefix = f"{self._scope}/" if self._scope else ""
        specs = [
            SaveSpec(param, "", prefix + param_name)
            for param, param_name in zip(weights + biases, self._param_names)
        ]
        super().__init__(array_ops.identity(self._variables), specs, name)

    @property
    def format_converter(self) -> Any:
        """The `CudnnParamsFormatConverter` of the net."""
        if self._format_converter is None:
            self._format_converter = self._format_converter_cls(
                self._num_layers, self._num_units, self._input_size, input_mode=self._input_mode,
                direction=self._direction,
            )  # fmt: skip
        return self._format_converter

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Records the operation that makes the buffer of what a checkpoint holds."""
        opaque_params = self.format_converter.tf_canonical_to_opaque(restored_tensors)
        return state_ops.assign(self._variables, opaque_params, validate_shape=False)

    def _add_trackable_dependencies(self, trackable: Any, dtype: DTypeLike) -> None:
        # Object-based checkpoints are not there yet; TF looks up the device of an element, which
        # makes operations.
        _ = self._variables[0].device

    def _tf_canonical_names(self) -> tuple[list[str], list[str]]:
        weights, biases = [], []
        for layer in range(self._num_layers):
            for is_fwd in (True, False)[: self._num_dirs]:
                prefix = self._tf_canonical_name_prefix(layer, is_fwd=is_fwd)
                self._tf_canonical_names_single_layer(prefix, weights, biases)
        return weights, biases

    def _tf_canonical_name_prefix(self, layer: int, is_fwd: bool = True) -> str:
        if self._direction == CUDNN_RNN_UNIDIRECTION:
            return f"rnn/multi_rnn_cell/cell_{layer}/{self._rnn_cell_name}"
        way = "fw" if is_fwd else "bw"
        scope = f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn/{way}"
        return f"{scope}/{self._rnn_cell_name}"

    def _tf_canonical_names_single_layer(
        self, prefix: str, tf_weights_names: list[str], tf_biases_names: list[str]
    ) -> None:
        tf_weights_names.extend(f"{prefix}/{suffix}" for suffix in self._weight_suffixes)
        tf_biases_names.extend(f"{prefix}/{suffix}" for suffix in self._bias_suffixes)


@tf_export("contrib.cudnn_rnn.CudnnLSTMSaveable")
class CudnnLSTMSaveable(CudnnOpaqueParamsSaveable):
    """The parameters of `CudnnLSTM`, saved as those of `CudnnCompatibleLSTMCell`s: see the base
    class."""

    _format_converter_cls = params_format.CudnnParamsFormatConverterLSTM
    _rnn_cell_name = base_layer.to_snake_case(cells.CudnnCompatibleLSTMCell.__name__)


@tf_export("contrib.cudnn_rnn.CudnnGRUSaveable")
class CudnnGRUSaveable(CudnnOpaqueParamsSaveable):
    """The parameters of `CudnnGRU`, saved as those of `CudnnCompatibleGRUCell`s: see the base
    class."""

    _format_converter_cls = params_format.CudnnParamsFormatConverterGRU
    _rnn_cell_name = base_layer.to_snake_case(cells.CudnnCompatibleGRUCell.__name__)
    _weight_suffixes = (
        "gates/kernel",
        "candidate/input_projection/kernel",
        "candidate/hidden_projection/kernel",
    )
    _bias_suffixes = (
        "gates/bias",
        "candidate/input_projection/bias",
        "candidate/hidden_projection/bias",
    )


@tf_export("contrib.cudnn_rnn.CudnnRNNTanhSaveable")
class CudnnRNNTanhSaveable(CudnnLSTMSaveable):
    """The parameters of `CudnnRNNTanh`, saved as those of `BasicRNNCell`s: see the base class."""

    _format_converter_cls = params_format.CudnnParamsFormatConverterTanh
    _rnn_cell_name = base_layer.to_snake_case(rnn_cell_impl.BasicRNNCell.__name__)


@tf_export("contrib.cudnn_rnn.CudnnRNNReluSaveable")
class CudnnRNNReluSaveable(CudnnLSTMSaveable):
    """The parameters of `CudnnRNNRelu`, saved as those of `BasicRNNCell`s: see the base class."""

    _format_converter_cls = params_format.CudnnParamsFormatConverterRelu
    _rnn_cell_name = base_layer.to_snake_case(rnn_cell_impl.BasicRNNCell.__name__)
