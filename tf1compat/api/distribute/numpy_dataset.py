"""Datasets of arrays that variables keep (`tensorflow.python.distribute.numpy_dataset`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import find
from tf1compat.core.session_interface import SessionInterface


class SingleDevice(NamedTuple):
    """In place of the variable to be placed with: a device, for a variable of no strategy."""

    device: str


def one_host_numpy_dataset(
    numpy_input: Any, colocate_with: SingleDevice, session: SessionInterface
) -> Any:
    """`from_arrays`, with the variables on a host."""

    def create(next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return next_creator(*args, **{**kwargs, "colocate_with": colocate_with})

    with variable_scope.variable_creator_scope(create):
        return from_arrays(numpy_input, session)


def from_arrays(
    numpy_input: Any, session: SessionInterface, use_resource: bool | None = None
) -> Any:
    """A dataset of the slices of arrays, which variables keep.

    Args:
      numpy_input: a structure of arrays.
      session: fills the variables, where nothing runs eagerly.
      use_resource: of the variables.
    """
    arrays = nest.flatten(numpy_input)
    kept = [
        variable_scope.variable(
            array_ops.zeros(array.shape, array.dtype), trainable=False, use_resource=use_resource
        )
        for array in arrays
    ]
    for variable, array in zip(kept, arrays, strict=True):
        init_var_from_numpy(variable, array, session)
    slices = find("data.Dataset").from_tensor_slices
    return slices(nest.pack_sequence_as(numpy_input, kept))


_SLICE_BYTES = 64 << 20  # of an array that is fed at once


def init_var_from_numpy(input_var: Any, numpy_input: Any, session: SessionInterface | None) -> None:
    """Gives a variable the value of an array, in slices, as the array may be large.

    Args:
      input_var: the variable.
      numpy_input: the array.
      session: feeds it, where nothing runs eagerly.
    """
    with ops.init_scope():
        if ops.executing_eagerly():
            input_var.assign(numpy_input)
            return
        assert session is not None
        session.run(input_var.initializer)
        start, end = (array_ops.placeholder(dtypes.int64, ()) for _ in range(2))
        rows = array_ops.placeholder(input_var.dtype)
        assign = input_var[start:end].assign(rows)
        step = max(1, -(-_SLICE_BYTES * len(numpy_input) // max(numpy_input.nbytes, 1)))
        for at in range(0, len(numpy_input), step):
            part = numpy_input[at : at + step]
            session.run(assign, {start: at, end: at + len(part), rows: part})
