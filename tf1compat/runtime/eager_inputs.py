"""What an eager operation is given, as tensors, and refused in TF's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import context, conversion, dtypes, eager, errors, op_def_text, raw_ops
from tf1compat.core.eager import EagerTensor
from tf1compat.core.tensor import is_dense_tensor_like, skip_uids

# Numbers as tensors, by class, value and dtypes; so many are kept at most.
_numbers: dict[tuple[Any, ...], EagerTensor] = {}
_MOST_NUMBERS = 1024


def refused(
    function: raw_ops.OpFunction, text: str, kind: Any = errors.InvalidArgumentError
) -> errors.OpError:
    return kind(None, None, f"{text} [Op:{function.op_def.name}]")


def check_attr(function: raw_ops.OpFunction, definition: Any, value: Any) -> None:
    """Refuses an attr value that the op def does not allow, as TF's runtime does.

    Raises:
      InvalidArgumentError: it does not.
    """
    op_def = function.op_def
    where = f"NodeDef: {{{{node {op_def.name}}}}}"
    try:
        if definition.allowed is not None:
            op_def_text.check_allowed(definition, value, where)
        least = definition.minimum
        if least is not None:
            many = definition.type.startswith("list(")
            found = len(value) if many else value
            if found < least:
                what = "Length for attr" if many else "Value for attr"
                raise ValueError(
                    f"{what} '{definition.name}' of {found} must be at least minimum {least}\n\t; "
                    f"{where}"
                )
    except ValueError as error:
        raise refused(function, f"{error}; {op_def_text.summary(op_def)}") from None


def converted(
    function: raw_ops.OpFunction, inputs: list[Any]
) -> tuple[list[EagerTensor], dict[str, Any]]:
    """Converts an op's inputs; a tensor decides a type attr, wherever among the inputs it stands.

    Returns:
      The flat list of tensors and the attrs that they determine.
    """
    known: dict[str, Any] = {}
    source: dict[str, str] = {}
    args = function.op_def.input_args
    sequences = False
    for arg, value in zip(args, inputs, strict=True):
        is_sequence = isinstance(value, list | tuple)
        items = value if arg.is_list and is_sequence else (value,)
        if is_sequence and not sequences:
            sequences = any(isinstance(item, list | tuple) for item in items)
        if arg.type_attr and arg.type_attr not in known:
            for item in items:
                if item.__class__ is EagerTensor:
                    known[arg.type_attr] = item._dtype
                    break
                if is_dense_tensor_like(item):
                    known[arg.type_attr] = item.dtype.base_dtype
                    break
    flat: list[EagerTensor] = []
    for arg, value in zip(args, inputs, strict=True):
        if not arg.is_list:
            tensor = _tensor(function, arg, value, known, len(flat), sequences)
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = tensor._dtype
            flat.append(tensor)
            continue
        if isinstance(value, EagerTensor | np.ndarray) and len(value.shape):
            value = list(value)  # TF's quick path takes any sequence.
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{arg.name}' argument to "
                f"'{raw_ops.snake_case(function.op_def.name)}' Op, not {value!r}."
            )
        tensors: list[Any] = []
        for item in value:
            index = len(flat) + len(tensors)
            tensors.append(_tensor(function, arg, item, known, index, sequences))
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = tensors[-1]._dtype
        if arg.number_attr:
            check_attr(function, function.op_def.attrs[arg.number_attr], len(tensors))
            name = raw_ops.snake_case(function.op_def.name)
            function.learn_length(arg, tensors, known, source, name)
            if arg.type_attr and arg.type_attr not in known:
                known[arg.type_attr] = function.default_type(arg.type_attr) or dtypes.float32
        elif arg.type_list_attr:
            known.setdefault(arg.type_list_attr, [tensor._dtype for tensor in tensors])
        flat.extend(tensors)
    return flat, known


def check_dtype(
    function: raw_ops.OpFunction, definition: Any, value: Any, inputs: Sequence[EagerTensor]
) -> None:
    """Refuses a dtype that the op def does not allow.

    Raises:
      NotFoundError: it does not, and TF finds no kernel for it.
      InvalidArgumentError: it does not; TF has found a kernel before it looks at the dtype, or
        looks for none, as what takes a resource is placed where that is.
    """
    allowed = definition.allowed
    if not isinstance(value, dtypes.DType) or allowed is None or value in allowed:
        return
    if definition.any_kernel or any(tensor._dtype is dtypes.resource for tensor in inputs):
        check_attr(function, definition, value)
    name = function.op_def.name
    raise errors.NotFoundError(
        None,
        None,
        f"Could not find valid device for node.\nNode:{{{{node {name}}}}}\n"
        f"There is none for attr {definition.name} = {value.name}\n [Op:{name}]",
    )


def _tensor(
    function: raw_ops.OpFunction,
    arg: Any,
    value: Any,
    known: dict[str, Any],
    index: int,
    sequences: bool,
) -> EagerTensor:
    """Converts one input. Where there are `sequences` among the inputs, TF leaves the conversion of
    all of them to Python, which knows the dtype; else its runtime finds that a dtype is wrong."""
    wanted = arg.type or known.get(arg.type_attr)
    if value.__class__ is EagerTensor and (wanted is None or value._dtype is wanted):
        return value
    if value.__class__ is int or value.__class__ is float:
        return _number(value, wanted, function.default_type(arg.type_attr))
    if is_dense_tensor_like(value):
        tensor = conversion.convert(value, wanted if sequences else None)
    else:
        # Without a list among the inputs, an array has its own dtype, whatever is the default.
        array = isinstance(value, np.ndarray | np.generic)
        plain = wanted is None and (sequences or not array)
        preferred = function.default_type(arg.type_attr) if plain else None
        try:
            tensor = conversion.convert(value, wanted, preferred_dtype=preferred)
        except (TypeError, ValueError):
            if wanted in (None, dtypes.string) or not isinstance(value, np.ndarray | np.generic):
                raise
            tensor = conversion.convert(value)
    if not tensor._is_eager:
        if tensor.graph.records_eagerly:
            raise eager.SymbolicInput(tensor.graph)
        raise TypeError(
            "An op outside of the function building code is being passed\n"
            'a "Graph" tensor. It is possible to have Graph tensors\n'
            "leak out of the function building context by including a\n"
            "tf.init_scope in your function building code.\n"
            "For example, the following function will fail:\n"
            "  @tf.function\n"
            "  def has_init_scope():\n"
            "    my_constant = tf.constant(1.)\n"
            "    with tf.init_scope():\n"
            "      added = my_constant * 2\n"
            f"The graph tensor has name: {tensor.name}"
        )
    if wanted is not None and tensor._dtype is not wanted:
        op_type = function.op_def.name
        expected, found = dtypes.cpp_name(wanted), dtypes.cpp_name(tensor._dtype)
        raise errors.InvalidArgumentError(
            None,
            None,
            f"cannot compute {op_type} as input #{index}(zero-based) was expected to be a "
            f"{expected} tensor but is a {found} tensor [Op:{op_type}]",
        )
    return tensor


def _number(value: Any, wanted: Any, preferred: Any) -> EagerTensor:
    """A Python number as a tensor of the dtype that is wanted, else of that which is preferred."""
    if wanted is not None:
        preferred = None
    key = value.__class__, value, wanted, preferred
    tensor = None if context.thread.eager_device else _numbers.get(key)
    if tensor is None:
        tensor = conversion.convert(value, wanted, preferred_dtype=preferred)
        # 0.0 and -0.0 are equal, and what is made for a device has its name.
        if value and not context.thread.eager_device:
            if len(_numbers) >= _MOST_NUMBERS:
                _numbers.clear()
            _numbers[key] = tensor
    else:
        skip_uids(1)
    return tensor
