"""`tensorflow.python.eager.tape`: tapes, for those who record on them themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.core import tape
from tf1compat.core.tape import Tape


def push_new_tape(persistent: bool = False, watch_accessed_variables: bool = True) -> Tape:
    """A new tape that records in this thread.

    Args:
      persistent: whether it may be walked more than once.
      watch_accessed_variables: whether trainable variables are watched as soon as they are read.
    """
    made = Tape(watch_accessed_variables, persistent)
    tape.push(made)
    return made


def watch(tape: Tape, tensor: Any) -> None:
    """Makes a tape follow what is computed from a tensor."""
    tape.watch(tensor)


def watch_variable(tape: Tape, variable: Any) -> None:
    """Makes a tape follow what is computed from a variable."""
    tape.watch_variable(variable)


def variables_accessed(variables: Iterable[Any]) -> None:
    """Tells the tapes of this thread that variables are used."""
    for variable in variables:
        tape.variable_accessed(variable)


def could_possibly_record() -> bool:
    """Whether a tape records in this thread."""
    return tape.active()


def should_record(tensors: Sequence[Any]) -> bool:
    """Whether a tape that records in this thread follows one of the tensors."""
    return bool(tape.recording(tensors))


def record_operation(
    op_type: Any,
    output_tensors: Sequence[Any],
    input_tensors: Sequence[Any],
    backward_function: Callable[..., Sequence[Any]],
) -> None:
    """Notes a step on the tapes that follow one of its inputs.

    Args:
      op_type: what it is called; unused.
      output_tensors, input_tensors: its tensors.
      backward_function: (one gradient for each output) -> one for each input.
    """
    tape.record(input_tensors, output_tensors, backward_function)


def delete_trace(tensor_id: int) -> None:
    """Does nothing: tapes keep the tensors that they follow, by themselves."""
