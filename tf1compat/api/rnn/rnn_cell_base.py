"""The base of the cells of recurrent nets: what `rnn_cell_impl` is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.layers import base as base_layer
from tf1compat.api.variables import variable_scope as vs
from tf1compat.api.variables import variables as tf_variables
from tf1compat.core import context, dtypes, nest, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import as_shape
from tf1compat.core.typing import DTypeLike, Name

_BIAS_VARIABLE_NAME = "bias"
_WEIGHTS_VARIABLE_NAME = "kernel"

ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Checks that an object can be used as a cell.

    Args:
      cell_name: what the error calls it.
      cell: the object.

    Raises:
      TypeError: something that a cell needs is missing.
    """
    errors = []
    if not hasattr(cell, "output_size"):
        errors.append("'output_size' property is missing")
    if not hasattr(cell, "state_size"):
        errors.append("'state_size' property is missing")
    if not (hasattr(cell, "get_initial_state") or hasattr(cell, "zero_state")):
        errors.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        errors.append("is not callable")
    if errors:
        raise TypeError(
            f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(errors)}."
        )


def _sizes(what: str, value: Any) -> tuple[Tensor | None, Any]:
    """A vector of sizes as a tensor (None if they are not all known), and as far as it is known."""
    if isinstance(value, Tensor):
        static = tensor_util.constant_value(value)
        if value.shape.ndims == 0:
            return array_ops.expand_dims(value, 0), static
        if value.shape.ndims != 1:
            raise ValueError(
                f"{what} tensor must be either a scalar or vector, but saw tensor: {value}"
            )
        return value, static
    shape = as_shape(value)
    sizes = shape.as_list() if shape.ndims is not None else None
    if not shape.is_fully_defined():
        return None, sizes
    return constant_op.constant_v1(sizes, dtype=dtypes.int32), sizes


def _concat(prefix: Any, suffix: Any, static: bool = False) -> Any:
    """Joins sizes, each of them an int, a TensorShape or a tensor.

    Args:
      prefix, suffix: the sizes; `prefix` is usually the batch size.
      static: return what is known of them and not a tensor.

    Returns:
      A tensor; if `static`, a list with None for unknown sizes, or None for an unknown rank.

    Raises:
      ValueError: a tensor is no scalar or vector, or a size is unknown and not `static`.
    """
    first, first_static = _sizes("prefix", prefix)
    second, second_static = _sizes("suffix", suffix)
    if static:
        shape = as_shape(first_static).concatenate(second_static)
        return shape.as_list() if shape.ndims is not None else None
    if first is None or second is None:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return array_ops.concat((first, second), 0)


def _zero_state_tensors(state_size: Any, batch_size: Any, dtype: DTypeLike) -> Any:
    """Zeros [batch_size, *size] for each size of a structure."""

    def zeros(size: Any) -> Tensor:
        state = array_ops.zeros(_concat(batch_size, size), dtype=dtype)
        if not context.executing_eagerly():
            state.set_shape(_concat(batch_size, size, static=True))
        return state

    return nest.map_structure(zeros, state_size)


@tf_export("nn.rnn_cell.RNNCell")
class RNNCell(base_layer.Layer):
    """Base class of cells: `output, next_state = cell(input, state)`.

    A cell has the properties `state_size` and `output_size` and the method `call(inputs, state)`,
    which may get its variables with `tf.get_variable`.

    Args:
      trainable: whether the variables join the trainable ones.
      name: the layer's name.
      dtype: of the variables; that of the inputs by default.
      **kwargs: as in `tf.layers.Layer`.
    """

    def __init__(
        self,
        trainable: bool = True,
        name: Name = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, state: Any, scope: Any = None
    ) -> Any:
        """Does one step.

        Args:
          inputs: a tensor [batch, input size], or what else the cell takes.
          state: a tensor [batch, size] for each size of `state_size`, structured like it.
          scope: the variable scope; the cell's own by default.

        Returns:
          (output, next state): a tensor [batch, output_size], and a structure like `state`.
        """
        if scope is not None:
            with vs.variable_scope(scope, custom_getter=self._rnn_get_variable) as scope:
                return super().__call__(inputs, state, scope=scope)
        # One context manager for all calls, entered again and again: TF counts scopes by it.
        scope = getattr(self, "rnncell_scope", None)
        if scope is None:
            scope = vs.variable_scope(vs.get_variable_scope(), custom_getter=self._rnn_get_variable)
            self.rnncell_scope = scope
        with scope:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Gets a variable and keeps it among the layer's weights."""
        variable = getter(*args, **kwargs)
        if context.executing_eagerly():
            trainable = variable.trainable
        else:
            partitioned = isinstance(variable, tf_variables.PartitionedVariable)
            part = list(variable)[0] if partitioned else variable
            trainable = any(part is v for v in tf_variables.trainable_variables())
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        if all(variable is not v for v in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """The size of the state: an int, a TensorShape, or a structure of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output: an int or a TensorShape."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        """Makes no variables: `call` may."""

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: DTypeLike | None = None
    ) -> Any:
        """A state of zeros.

        Args:
          inputs: inputs [batch, ...] that say batch size and dtype; or None.
          batch_size: an int or a scalar tensor, where there are no inputs.
          dtype: the dtype, where there are no inputs.

        Raises:
          ValueError: the arguments don't fit, or don't say enough.
        """
        if inputs is not None:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            size = inputs.shape.dims[0].value
            if batch_size is not None:
                static = batch_size
                if isinstance(batch_size, Tensor):
                    static = tensor_util.constant_value(batch_size, partial=True)
                if size != static:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. Input "
                        f"tensor batch: {size}, batch_size: {batch_size}"
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    "dtype from input tensor is different from the input param. Input tensor "
                    f"dtype: {inputs.dtype}, dtype: {dtype}"
                )
            batch_size = size or array_ops.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """A state of zeros.

        Args:
          batch_size: an int or a scalar tensor.
          dtype: the dtype.

        Returns:
          A tensor [batch_size, size] for each size of `state_size`, structured like it.
        """
        key = (self.state_size, batch_size, dtype)
        eager = context.executing_eagerly()
        if eager:
            last_key, last = getattr(self, "_last_zero_state", (None, None))
            if last_key == key:
                return last
        with ops.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            state = _zero_state_tensors(self.state_size, batch_size, dtype)
        if eager:
            self._last_zero_state = (key, state)
        return state


class LayerRNNCell(RNNCell):
    """A cell that makes its variables in `build`, and has a variable scope of its own."""

    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Does one step.

        Args:
          inputs: a tensor [batch, input size].
          state: a tensor [batch, size] for each size of `state_size`, structured like it.
          scope: the variable scope, at the first call.
          *args, **kwargs: further arguments of `call`.

        Returns:
          (output, next state).
        """
        return base_layer.Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    def _input_depth(self, inputs_shape: Any) -> int:
        """The last dimension of the inputs' shape, for `build`.

        Raises:
          ValueError: it is unknown, or the cell's dtype is none that it can compute with.
        """
        sizes = tuple(as_shape(inputs_shape).as_list())
        if sizes[-1] is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {sizes}")
        _check_supported_dtypes(self.dtype)
        return sizes[-1]


def _check_rnn_cell_input_dtypes(inputs: Any) -> None:
    for tensor in nest.flatten(inputs):
        _check_supported_dtypes(tensor.dtype)


def _check_supported_dtypes(dtype: DTypeLike | None) -> None:
    """Refuses what tanh and sigmoid do not take.

    Raises:
      ValueError: the dtype is neither a floating-point nor a complex one.
    """
    if dtype is None:
        return
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")
