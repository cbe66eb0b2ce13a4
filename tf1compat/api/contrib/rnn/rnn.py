"""Stacks of nets that read in both directions (`tensorflow.contrib.rnn.python.ops.rnn`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.rnn import rnn
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, TensorLike


def _check_layers(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> None:
    """Checks that there are as many cells, and states if given, for each direction.

    Raises:
      ValueError: there aren't, or something is no list.
    """
    by_direction = {"fw": cells_fw, "bw": cells_bw}
    for name, cells in by_direction.items():
        if not cells:
            raise ValueError(f"Must specify at least one {name} cell for BidirectionalRNN.")
    for name, cells in by_direction.items():
        if not isinstance(cells, list):
            raise ValueError(f"cells_{name} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for name, states in (("fw", states_fw), ("bw", states_bw)):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells_fw)):
            raise ValueError(
                f"initial_states_{name} must be a list of state tensors (one per layer)."
            )


@tf_export("contrib.rnn.stack_bidirectional_rnn")
def stack_bidirectional_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None,
    initial_states_bw: Any = None, dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    scope: Any = None,
) -> Any:  # fmt: skip
    """Layers of `tf.nn.static_bidirectional_rnn`, each of which reads the joined outputs of the one
    before.

    Args:
      cells_fw, cells_bw: lists of cells, one for each layer.
      initial_states_fw, initial_states_bw: lists of their first states; zeros by default.
      scope: the variable scope, "stack_bidirectional_rnn" by default.
      inputs, dtype, sequence_length: as in `tf.nn.static_rnn`.

    Returns:
      (a list of outputs, last states forwards, last states backwards): one state for each layer.

    Raises:
      ValueError: the lists don't fit together.
    """
    _check_layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    layer = inputs
    with vs.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with vs.variable_scope(f"cell_{i}") as cell_scope:
                layer, state_fw, state_bw = rnn.static_bidirectional_rnn(
                    cell_fw, cell_bw, layer,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length, dtype=dtype, scope=cell_scope,
                )  # fmt: skip
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)


@tf_export("contrib.rnn.stack_bidirectional_dynamic_rnn")
def stack_bidirectional_dynamic_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None,
    initial_states_bw: Any = None, dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    parallel_iterations: int | None = None, time_major: bool = False, scope: Any = None,
    swap_memory: bool = False,
) -> Any:  # fmt: skip
    """Layers of `tf.nn.bidirectional_dynamic_rnn`, each of which reads the joined outputs of the
    one before.

    Args:
      cells_fw, cells_bw: lists of cells, one for each layer.
      initial_states_fw, initial_states_bw: lists of their first states; zeros by default.
      scope: the variable scope, "stack_bidirectional_rnn" by default.
      inputs, dtype, sequence_length, parallel_iterations, time_major, swap_memory: as in
        `tf.nn.dynamic_rnn`.

    Returns:
      (outputs, last states forwards, last states backwards): one state for each layer.

    Raises:
      ValueError: the lists don't fit together.
    """
    _check_layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw = [], []
    layer = inputs
    with vs.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with vs.variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = rnn.bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, layer,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length, parallel_iterations=parallel_iterations,
                    dtype=dtype, swap_memory=swap_memory, time_major=time_major,
                )  # fmt: skip
                layer = array_ops.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)
