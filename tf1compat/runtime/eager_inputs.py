"""What an eager operation is given, as tensors, and refused in TF's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import context, conversion, dtypes, eager, errors, op_def_text, raw_ops
from tf1compat.core.eager import EagerTensor, Handle
from tf1compat.core.tensor import Tensor, is_dense_tensor_like, uids

# Tensors of Python's numbers, strings and lists of ints, by class, value and dtype, and by the
# device on which they are made; so many are kept at most.
_constants: dict[tuple[Any, ...], EagerTensor] = {}
_MOST_CONSTANTS = 1024
_MOST_ELEMENTS = 64
_PLAIN = frozenset([int, float, bool, str, bytes])


def refused(
    function: raw_ops.OpFunction, text: str, kind: Any = errors.InvalidArgumentError
) -> errors.OpError:
    return kind(None, None, f"{text} [Op:{function.op_def.name}]")


def kinds_of(
    function: raw_ops.OpFunction, inputs: list[Any]
) -> tuple[tuple[Any, ...] | None, list[Any]]:
    """What decides, beside the attrs, which kernel a call takes, and the dtypes of its inputs.

    Returns:
      Something hashable, None where one has to look closer; and the inputs with the items of lists
      one by one.
    """
    kinds: list[Any] = []
    flat = inputs
    if function.op_def.has_list_inputs:
        flat = []
        for arg, value in zip(function.op_def.input_args, inputs):
            if not arg.is_list:
                flat.append(value)
            elif value.__class__ is list or value.__class__ is tuple:
                kinds.append(len(value))
                flat += value
            else:
                return None, inputs
    handles: list[Handle] = []
    for value in flat:
        kind = value.__class__
        if kind is EagerTensor:
            dtype = value._dtype
            kinds.append(id(dtype))
            if dtype is dtypes.resource and value._value.__class__ is Handle:
                handle, data = value._value, value._handle_data
                kinds.append((handle.source[0], handle.given, data and data[0]))
                handles.append(handle)
        elif kind in _PLAIN:
            if kind is int and not -0x80000000 <= value <= 0x7FFFFFFF:
                return None, flat  # what it becomes hangs on its value
            kinds.append(kind)
        elif kind is list or kind is tuple:
            kinds.append(list)
        elif kind is np.ndarray or issubclass(kind, np.generic):
            kinds += kind, value.dtype
        elif is_dense_tensor_like(value) and not isinstance(value, Tensor):
            kinds += kind, id(value.dtype)
        else:
            return None, flat
    if len(handles) > 1 and len({*handles}) < len(handles):
        return None, flat  # a kernel is also of which of its resources are the same
    return (*kinds,), flat


def became(flat: list[Any], changes: Sequence[tuple[int, dtypes.DType]]) -> bool:
    """Makes tensors of inputs as `converted` did when they were of the same kinds.

    Args:
      flat: the inputs, with the items of lists one by one; changed in place.
      changes: which of them are no tensors, and the dtypes that they get.

    Returns:
      Whether they could be made without a closer look.
    """
    for i, dtype in changes:
        value = flat[i]
        kind = value.__class__
        if kind in _PLAIN or kind is list or kind is tuple:
            tensor = _constants.get(_constant_key(value, dtype))
            if tensor is not None:
                next(uids)  # of the tensor that TF makes
            elif kind is int or kind is float:
                tensor = conversion.convert(value, dtype)
                remember(value, tensor)
            else:
                return False
        elif kind is np.ndarray or issubclass(kind, np.generic):
            if value.dtype != dtype.as_numpy_dtype:
                return False
            tensor = eager.tensor(np.asarray(value), dtype)
        else:
            tensor = conversion.convert(value)
            if tensor.__class__ is not EagerTensor or tensor._dtype is not dtype:
                return False
        flat[i] = tensor
    return True


def remember(value: Any, tensor: EagerTensor) -> None:
    """Keeps the tensor that a Python value became, if it is a small one of a plain kind."""
    key = _constant_key(value, tensor._dtype)
    if key is not None and tensor._num_elements() <= _MOST_ELEMENTS:
        if len(_constants) >= _MOST_CONSTANTS:
            _constants.clear()
        _constants[key] = tensor


def forget_constants() -> None:
    """Lets go of what is kept: other devices are there now."""
    _constants.clear()


def _constant_key(value: Any, dtype: dtypes.DType) -> Any:
    """By what the tensor of a Python value is kept; None if it is not.

    Zeros of either sign are equal, so they are known by their texts.
    """
    kind = value.__class__
    if kind is list or kind is tuple:
        value, kind = _frozen_ints(value), list
        if value is None:
            return None
    elif kind not in _PLAIN:
        return None
    return kind, value or repr(value), id(dtype), context.thread.eager_device


def _frozen_ints(value: Sequence[Any]) -> tuple[Any, ...] | None:
    """Lists of ints as tuples; None if anything else is in them, or one is empty."""
    kinds = {*map(type, value)}
    if kinds == {int}:
        return (*value,)
    if not kinds or not kinds <= {list, tuple}:
        return None
    found = tuple([_frozen_ints(item) for item in value])
    return None if None in found else found


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
) -> tuple[list[EagerTensor], dict[str, Any], errors.OpError | None]:
    """Converts an op's inputs; a tensor decides a type attr, wherever among the inputs it stands.

    Returns:
      The flat list of tensors, the attrs that they determine, and what is to be said of the first
      that has not the dtype it should: TF says it when it has found a kernel by the attrs.
    """
    mismatches: list[errors.OpError] = []
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
            tensor = _tensor(function, arg, value, known, len(flat), sequences, mismatches)
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
            tensors.append(_tensor(function, arg, item, known, index, sequences, mismatches))
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
    return flat, known, mismatches[0] if mismatches else None


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
    mismatches: list[errors.OpError],
) -> EagerTensor:
    """Converts one input. Where there are `sequences` among the inputs, TF leaves the conversion of
    all of them to Python, which knows the dtype; else its runtime finds that a dtype is wrong: this
    is added to `mismatches`."""
    wanted = arg.type or known.get(arg.type_attr)
    if value.__class__ is EagerTensor and (wanted is None or value._dtype is wanted):
        return value
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
        mismatches.append(
            refused(
                function,
                f"cannot compute {op_type} as input #{index}(zero-based) was expected to be a "
                f"{expected} tensor but is a {found} tensor",
            )
        )
    return tensor
