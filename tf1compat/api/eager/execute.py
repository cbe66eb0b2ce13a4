"""`tensorflow.python.eager.execute`: operations run at once by the name of their type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf import text_format

from tf1compat.api.eager.cancellation import CancellationManager
from tf1compat.core import dtypes, errors, op_defs, ops, protos, raw_ops, tensor_shape, waiting
from tf1compat.core.tensor import Tensor


def make_bool(v: Any, arg_name: str) -> bool:
    """An attr that is a bool.

    Raises:
      TypeError: it is none.
    """
    return v if isinstance(v, bool) else _refuse("bool", arg_name, v)


def make_float(v: Any, arg_name: str) -> float:
    """An attr that is a float; as `make_bool`."""
    return float(v) if isinstance(v, int | float) else _refuse("float", arg_name, v)


def make_int(v: Any, arg_name: str) -> int:
    """An attr that is an int; as `make_bool`."""
    if isinstance(v, str):
        _refuse("int", arg_name, v)
    try:
        return int(v)
    except (ValueError, TypeError):
        return _refuse("int", arg_name, v)


def make_str(v: Any, arg_name: str) -> bytes:
    """An attr that is a string, as bytes; as `make_bool`."""
    if not isinstance(v, str | bytes):
        _refuse("string", arg_name, v)
    return v.encode() if isinstance(v, str) else v


def make_type(v: Any, arg_name: str) -> int:
    """An attr that is a dtype, as its number; as `make_bool`."""
    try:
        return dtypes.as_dtype(v).base_dtype.as_datatype_enum
    except TypeError:
        return _refuse("DataType", arg_name, v)


def make_shape(v: Any, arg_name: str) -> list[int | None] | None:
    """An attr that is a shape, as a list of sizes; None for unknown rank.

    Raises:
      TypeError, ValueError: it is none.
    """
    try:
        shape = tensor_shape.as_shape(v)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting {arg_name} to a TensorShape: {error}.") from None
    return None if shape.ndims is None else shape.as_list()


def make_tensor(v: Any, arg_name: str) -> Any:
    """An attr that is a tensor, as a `TensorProto`; given as such or as its text.

    Raises:
      TypeError: it is neither.
    """
    if isinstance(v, protos.TensorProto):
        return v
    if isinstance(v, str):
        return text_format.Merge(v, protos.TensorProto())
    raise TypeError(f"Don't know how to convert {v!r} to a TensorProto for argument '{arg_name}'.")


def _refuse(kind: str, arg_name: str, value: Any) -> Any:
    raise TypeError(f"Expected {kind} for argument '{arg_name}' not {value!r}.")


def execute(
    op_name: str | bytes,
    num_outputs: int,
    inputs: Sequence[Any],
    attrs: Sequence[Any] | None,
    ctx: Any,
    name: str | None = None,
) -> list[Any]:
    """Runs an operation.

    Args:
      op_name: its type.
      num_outputs: how many outputs it has.
      inputs: its input tensors, flat.
      attrs: names and values by turns; dtypes as numbers.
      ctx: the eager context; unused.
      name: named in errors.

    Returns:
      The outputs.

    Raises:
      NotFoundError: there is no such op type.
      Exception: what the operation raises.
    """
    op_type = op_name.decode() if isinstance(op_name, bytes) else op_name
    op_def = op_defs.get(op_type)
    function = None if op_def is not None else ops.get_default_graph()._get_function(op_type)
    if function is not None:
        call = raw_ops.StatefulPartitionedCall if function.stateful_ops else raw_ops.PartitionedCall
        results = call(inputs, Tout=[t.dtype.base_dtype for t in function.outputs], f=function)
        return list(results) if num_outputs else []
    if op_def is None:
        raise errors.NotFoundError(
            None,
            None,
            f"'{op_type}' is neither a type of a primitive operation nor a name of a function "
            "registered in binary running on vm. Make sure the operation or function is "
            "registered in the binary running in this process.",
        )
    given = dict(zip((attrs or ())[::2], (attrs or ())[1::2], strict=True))
    rest = list(inputs)
    arguments = []
    for arg in op_def.input_args:
        if not arg.is_list:
            arguments.append(rest.pop(0))
            continue
        size = given[arg.number_attr] if arg.number_attr else len(given[arg.type_list_attr])
        arguments.append([rest.pop(0) for _ in range(size)])
    own = {key: given[key] for key in op_def.parameters if key in given}
    result = raw_ops.function(op_type)(*arguments, **own, name=name)
    outputs = list(result) if isinstance(result, list | tuple) else [result]
    flat = [t for one in outputs for t in (one if isinstance(one, list | tuple) else [one])]
    return flat if num_outputs else []


def execute_with_cancellation(
    op_name: str | bytes,
    num_outputs: int,
    inputs: Sequence[Any],
    attrs: Sequence[Any] | None,
    ctx: Any,
    cancellation_manager: CancellationManager,
    name: str | None = None,
) -> list[Any]:
    """As `execute`, of an operation that may be ended where it waits.

    Args:
      cancellation_manager: what ends it.

    Raises:
      CancelledError: it was ended.
    """
    with waiting.cancelled_by(cancellation_manager._impl):
        return execute(op_name, num_outputs, inputs, attrs, ctx, name)


quick_execute = execute_with_callbacks = execute


def args_to_matching_eager(
    l: Sequence[Any],  # noqa: E741
    ctx: Any,
    default_dtype: Any = None,
) -> tuple[int | None, list[Tensor]]:
    """Tensors of one dtype, which is that of the first tensor among the values.

    Returns:
      The dtype's number (None for no values), and the tensors.
    """
    given = next((value.dtype for value in l if isinstance(value, Tensor)), None)
    tensors: list[Tensor] = []
    for value in l:
        preferred = None if given is not None else default_dtype
        tensor = ops.internal_convert_to_tensor(value, given, preferred_dtype=preferred)
        given = tensor.dtype
        tensors.append(tensor)
    if given is None:
        given = default_dtype
    return None if given is None else given.as_datatype_enum, tensors


def convert_to_mixed_eager_tensors(
    values: Sequence[Any], ctx: Any
) -> tuple[list[int], list[Tensor]]:
    """Tensors of values, each of its own dtype, and the dtypes' numbers."""
    tensors = [ops.convert_to_tensor(value) for value in values]
    return [tensor.dtype.as_datatype_enum for tensor in tensors], tensors
