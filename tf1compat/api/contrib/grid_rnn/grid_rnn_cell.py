"""Cells of grids (`tensorflow.contrib.grid_rnn.python.ops.grid_rnn_cell`): of Kalchbrenner,
Danihelka and Graves, "Grid Long Short-Term Memory", 2015."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import layers
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.rnn import rnn_cell_impl
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike, TensorLike

export_constant("contrib.grid_rnn.namedtuple", namedtuple)  # TF's star import has it.


class _GridRNNDimension(NamedTuple):
    """A dimension of the grid; `non_recurrent_fn` is the activation of its layer, None where a cell
    runs along it."""

    idx: int
    is_input: bool
    is_output: bool
    is_priority: bool
    non_recurrent_fn: Any


class _GridRNNConfig(NamedTuple):
    """All dimensions, and those that have inputs, give outputs, are recurrent, …"""

    num_dims: int
    dims: list[_GridRNNDimension]
    inputs: list[int]
    outputs: list[int]
    recurrents: list[int]
    priority: list[int]
    non_priority: list[int]
    tied: bool
    num_units: int


@tf_export("contrib.grid_rnn.GridRNNCell")
class GridRNNCell(rnn_cell_impl.RNNCell):
    """A cell of cells, one for each dimension: each sees the outputs of the others.

    Args:
      num_units: the units of each of the cells.
      num_dims: the number of dimensions.
      input_dims: the dimensions whose first state comes from the inputs: an int or ints.
      output_dims: the dimensions whose outputs are the cell's.
      priority_dims: the dimensions that run last, on the outputs of the others.
      non_recurrent_dims: the dimensions that have no state, but a layer; it takes the initializer
        of the variable scope, which must have one.
      tied: whether all dimensions share their weights.
      cell_fn: num_units -> a cell; `LSTMCell` by default.
      non_recurrent_fn: the activation of the layers; relu by default.
      state_is_tuple: whether the state is a tuple over the dimensions, not one tensor.
      output_is_tuple: the same of the outputs.

    Raises:
      ValueError: there are no dimensions, or one that is named is none of them.
      TypeError: `cell_fn` gives no cell.
    """

    def __init__(
        self, num_units: int, num_dims: Any = 1, input_dims: Any = None, output_dims: Any = None,
        priority_dims: Any = None, non_recurrent_dims: Any = None, tied: bool = False,
        cell_fn: Any = None, non_recurrent_fn: Callable[..., Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):  # fmt: skip
        for is_tuple, word in ((state_is_tuple, "state"), (output_is_tuple, "output")):
            if not is_tuple:
                logging.warning(
                    f"%s: Using a concatenated {word} is slower and will soon be deprecated.  "
                    f"Use {word}_is_tuple=True.",
                    self,
                )
        if num_dims < 1:
            raise ValueError(f"dims must be >= 1: {num_dims}")
        self._config = conf = _parse_rnn_config(
            num_dims, input_dims, output_dims, priority_dims, non_recurrent_dims,
            non_recurrent_fn or nn_ops.relu, tied, num_units,
        )  # fmt: skip
        self._state_is_tuple = state_is_tuple
        self._output_is_tuple = output_is_tuple

        def make() -> Any:
            if cell_fn is not None:
                return cell_fn(num_units)
            return rnn_cell_impl.LSTMCell(num_units=num_units, state_is_tuple=state_is_tuple)

        self._cells = [make()] * num_dims if tied else [make() for _ in range(num_dims)]
        first = self._cells[0]
        if not isinstance(first, rnn_cell_impl.RNNCell):
            raise TypeError(f"cell_fn must return an RNNCell instance, saw: {type(first)}")
        if output_is_tuple:
            self._output_size: Any = tuple(first.output_size for _ in conf.outputs)
        else:
            self._output_size = first.output_size * len(conf.outputs)
        if state_is_tuple:
            self._state_size: Any = tuple(first.state_size for _ in conf.recurrents)
        else:
            self._state_size = self._cell_state_size() * len(conf.recurrents)

    output_size = attribute(
        "_output_size", "The size of each dimension's output, or of all together."
    )
    state_size = attribute(
        "_state_size", "The size of each recurrent dimension's state, or of all together."
    )

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Does one step.

        Args:
          inputs: [batch, size]; the parts for the dimensions with inputs lie side by side.
          state: that of the recurrent dimensions.
          scope: the variable scope; the class's name by default.

        Returns:
          (outputs, state).
        """
        conf = self._config
        dtype = inputs.dtype
        c_prev, m_prev, cell_output_size = self._extract_states(state)
        new_output: list[Any] = [None] * conf.num_dims
        new_state: list[Any] = [None] * conf.num_dims
        with vs.variable_scope(scope or type(self).__name__):
            self._project_input(inputs, c_prev, m_prev, cell_output_size > 0)
            for dims, first_call in ((conf.non_priority, True), (conf.priority, False)):
                _propagate(
                    dims, conf, self._cells, c_prev, m_prev, new_output, new_state, first_call
                )
            outputs = [new_output[i] for i in conf.outputs]
            output = tuple(outputs) if self._output_is_tuple else _concatenated(outputs, dtype)
            if self._state_is_tuple:
                states: Any = tuple(new_state[i] for i in conf.recurrents)
            else:
                parts = [x for i in conf.recurrents for x in new_state[i]]
                states = _concatenated(parts, dtype)
        return output, states

    def _extract_states(self, state: Any) -> tuple[list[Any], list[Any], Any]:
        """The memories and outputs of each dimension, None where it has none; and how large the
        outputs are where there are memories, else 0."""
        conf = self._config
        c_prev: list[Any] = [None] * conf.num_dims
        m_prev: list[Any] = [None] * conf.num_dims
        total = self._cell_state_size()
        cell_output_size = total - conf.num_units
        has_memory = cell_output_size > 0

        def part(start: int) -> Any:
            first = array_ops.slice(state, [0, start], [-1, conf.num_units])
            if not has_memory:
                return first
            rest = [0, start + conf.num_units], [-1, cell_output_size]
            return first, array_ops.slice(state, *rest)

        if not self._state_is_tuple:
            parts = [part(start) for start in range(0, self.state_size, total)]
        elif len(conf.recurrents) == len(state):
            parts = state
        else:
            raise ValueError(f"Expected state as a tuple of {len(conf.recurrents)} element")
        for dim, found in zip(conf.recurrents, parts, strict=True):
            if has_memory:
                c_prev[dim], m_prev[dim] = found
            else:
                m_prev[dim] = found
        return c_prev, m_prev, cell_output_size

    def _project_input(self, inputs: Any, c_prev: Any, m_prev: Any, with_c: bool) -> None:
        """Fills the states of the dimensions with inputs."""
        conf = self._config
        if inputs is None:
            return
        width: Any = tensor_shape.dimension_value(inputs.shape.with_rank(2)[1])
        if not width > 0 or not conf.inputs:
            return
        splits = array_ops.split(value=inputs, num_or_size_splits=len(conf.inputs), axis=1)
        size = tensor_shape.dimension_value(splits[0].shape.with_rank(2)[1])
        for split, dim in zip(splits, conf.inputs, strict=True):
            for letter, states in (("m", m_prev), ("c", c_prev))[: 2 if with_c else 1]:
                weights = vs.get_variable(
                    f"project_{letter}_{dim}", [size, conf.num_units], dtype=inputs.dtype
                )
                states[dim] = math_ops.matmul(split, weights)

    def _cell_state_size(self) -> Any:
        """The size of one cell's state."""
        sizes = self._cells[0].state_size
        return sum(sizes) if isinstance(sizes, tuple) else sizes


def _concatenated(parts: list[Any], dtype: DTypeLike) -> Any:
    return array_ops.concat(parts, 1) if parts else array_ops.zeros([0, 0], dtype)


@tf_export("contrib.grid_rnn.Grid1BasicRNNCell")
class Grid1BasicRNNCell(GridRNNCell):
    """A grid of one dimension with a `BasicRNNCell`: see `GridRNNCell`."""

    def __init__(self, num_units: int, state_is_tuple: bool = True, output_is_tuple: bool = True):
        super().__init__(
            num_units=num_units, num_dims=1, input_dims=0, output_dims=0, priority_dims=0,
            tied=False, cell_fn=_basic_rnn_cell, state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple,
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid2BasicRNNCell")
class Grid2BasicRNNCell(GridRNNCell):
    """A grid of two dimensions with `BasicRNNCell`s, the first of which has inputs, outputs and
    priority: see `GridRNNCell`.

    Args:
      num_units, tied, state_is_tuple, output_is_tuple: as for `GridRNNCell`.
      non_recurrent_fn: if given, the first dimension has no state, but a layer of this
        activation.
    """

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Callable[...,
        Any] | None = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell_fn=_basic_rnn_cell, state_is_tuple=state_is_tuple, output_is_tuple=output_is_tuple,
            **_first_of(2, num_units, tied, non_recurrent_fn),
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid1BasicLSTMCell")
class Grid1BasicLSTMCell(GridRNNCell):
    """A grid of one dimension with a `BasicLSTMCell`: see `GridRNNCell`."""

    def __init__(
        self, num_units: int, forget_bias: TensorLike = 1, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            num_units=num_units, num_dims=1, input_dims=0, output_dims=0, priority_dims=0,
            tied=False, cell_fn=_basic_lstm_cell(forget_bias), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple,
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid2BasicLSTMCell")
class Grid2BasicLSTMCell(GridRNNCell):
    """A grid of two dimensions with `BasicLSTMCell`s: see `Grid2BasicRNNCell`."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Callable[...,
        Any] | None = None,
        forget_bias: TensorLike = 1, state_is_tuple: bool = True, output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell_fn=_basic_lstm_cell(forget_bias), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_first_of(2, num_units, tied, non_recurrent_fn),
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid1LSTMCell")
class Grid1LSTMCell(GridRNNCell):
    """A grid of one dimension with an `LSTMCell`: see `GridRNNCell`."""

    def __init__(
        self, num_units: int, use_peepholes: bool = False, forget_bias: TensorLike = 1.0,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            num_units=num_units, num_dims=1, input_dims=0, output_dims=0, priority_dims=0,
            cell_fn=_lstm_cell(forget_bias, use_peepholes), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple,
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid2LSTMCell")
class Grid2LSTMCell(GridRNNCell):
    """A grid of two dimensions with `LSTMCell`s: see `Grid2BasicRNNCell`."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Callable[...,
        Any] | None = None,
        use_peepholes: bool = False, forget_bias: TensorLike = 1.0, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell_fn=_lstm_cell(forget_bias, use_peepholes), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_first_of(2, num_units, tied, non_recurrent_fn),
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid3LSTMCell")
class Grid3LSTMCell(GridRNNCell):
    """A grid of three dimensions with `LSTMCell`s: see `Grid2BasicRNNCell`."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Callable[...,
        Any] | None = None,
        use_peepholes: bool = False, forget_bias: TensorLike = 1.0, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell_fn=_lstm_cell(forget_bias, use_peepholes), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_first_of(3, num_units, tied, non_recurrent_fn),
        )  # fmt: skip


@tf_export("contrib.grid_rnn.Grid2GRUCell")
class Grid2GRUCell(GridRNNCell):
    """A grid of two dimensions with `GRUCell`s: see `Grid2BasicRNNCell`."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Callable[...,
        Any] | None = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ):  # fmt: skip
        super().__init__(
            cell_fn=lambda n: rnn_cell_impl.GRUCell(num_units=n), state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple, **_first_of(2, num_units, tied, non_recurrent_fn),
        )  # fmt: skip


def _first_of(
    num_dims: int, num_units: int, tied: bool, non_recurrent_fn: Callable[..., Any] | None
) -> dict[str, Any]:
    """The arguments of a grid whose first dimension has inputs, outputs and priority."""
    return {
        "num_units": num_units,
        "num_dims": num_dims,
        "input_dims": 0,
        "output_dims": 0,
        "priority_dims": 0,
        "tied": tied,
        "non_recurrent_dims": None if non_recurrent_fn is None else 0,
        "non_recurrent_fn": non_recurrent_fn,
    }


def _basic_rnn_cell(num_units: int) -> Any:
    return rnn_cell_impl.BasicRNNCell(num_units=num_units)


def _basic_lstm_cell(forget_bias: TensorLike) -> Callable[[Any], Any]:
    return lambda n: rnn_cell_impl.BasicLSTMCell(num_units=n, forget_bias=forget_bias)


def _lstm_cell(forget_bias: TensorLike, use_peepholes: bool) -> Callable[[Any], Any]:
    return lambda n: rnn_cell_impl.LSTMCell(
        num_units=n, forget_bias=forget_bias, use_peepholes=use_peepholes
    )


def _parse_rnn_config(
    num_dims: int, ls_input_dims: Any, ls_output_dims: Any, ls_priority_dims: Any,
    ls_non_recurrent_dims: Any, non_recurrent_fn: Callable[..., Any], tied: bool, num_units: int,
) -> _GridRNNConfig:  # fmt: skip
    """The arguments of a grid in one form.

    Raises:
      ValueError: a dimension that is named is none of `num_dims`.
    """

    def listed(dims: Any) -> list[int]:
        if dims is None:
            dims = []
        if not isinstance(dims, (list, tuple)):
            dims = [dims]
        dims = sorted(set(dims))
        if any(dim < 0 or dim >= num_dims for dim in dims):
            raise ValueError(f"Invalid dims: {dims}. Must be in [0, {num_dims})")
        return dims

    inputs, outputs = listed(ls_input_dims), listed(ls_output_dims)
    priority, layers_dims = listed(ls_priority_dims), listed(ls_non_recurrent_dims)
    return _GridRNNConfig(
        num_dims=num_dims,
        dims=[
            _GridRNNDimension(
                i, i in inputs, i in outputs, i in priority,
                non_recurrent_fn if i in layers_dims else None,
            )
            for i in range(num_dims)
        ],
        inputs=inputs,
        outputs=outputs,
        recurrents=[i for i in range(num_dims) if i not in layers_dims],
        priority=priority,
        non_priority=[i for i in range(num_dims) if i not in priority],
        tied=tied,
        num_units=num_units,
    )  # fmt: skip


def _propagate(
    dim_indices: list[int], conf: _GridRNNConfig, cells: list[Any], c_prev: list[Any],
    m_prev: list[Any], new_output: list[Any], new_state: list[Any], first_call: bool,
) -> None:  # fmt: skip
    """Runs some of the dimensions, filling `new_output` and `new_state`.

    Each sees the new outputs of those that have run, else the old ones. The last dimension's lie
    where a cell has its state.
    """
    if not dim_indices:
        return
    if conf.num_dims > 1:
        seen = [
            m_prev[i] if new_output[i] is None else new_output[i] for i in range(conf.num_dims - 1)
        ]
        cell_inputs = array_ops.concat(seen, 1)
    else:
        cell_inputs = array_ops.zeros([m_prev[0].get_shape().as_list()[0], 0], m_prev[0].dtype)
    last = new_output[-1] if new_output[-1] is not None else m_prev[-1]
    for i in dim_indices:
        activation = conf.dims[i].non_recurrent_fn
        name = "non_recurrent" if activation else "recurrent"
        linear_args = last
        if activation and conf.num_dims > 1:
            linear_args = array_ops.concat([cell_inputs, last], 1)
        with vs.variable_scope(name if conf.tied else f"{name}/cell_{i}") as scope:
            if conf.tied and not (first_call and i == dim_indices[0]):
                scope.reuse_variables()
            if activation:
                if not scope.initializer:
                    # A slip of TF's: it looks for the default where it isn't.
                    raise AttributeError(
                        "module 'tensorflow.contrib.layers' has no attribute 'initializers'"
                    )
                new_output[i] = layers.fully_connected(
                    linear_args, num_outputs=conf.num_units, activation_fn=activation,
                    weights_initializer=scope.initializer, weights_regularizer=scope.regularizer,
                )  # fmt: skip
            else:
                state = last if c_prev[i] is None else (c_prev[i], last)
                new_output[i], new_state[i] = cells[i](cell_inputs, state)
