"""Python's built-in functions on tensors and datasets."""

from __future__ import annotations

import builtins
import inspect
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.functions import script_ops
from tf1compat.api.math import math_ops
from tf1compat.core import (
    dtypes,
    ops,
    raw_ops,
    tensor_util,
)
from tf1compat.core.typing import DTypeLike

UNSPECIFIED: Any = object()


def overload_of(f: Any) -> Any:
    """What to call in place of a built-in function."""
    try:
        return _OVERLOADS.get(f, f)
    except TypeError:  # It can't be hashed.
        return f


def abs_(x: Any) -> Any:
    """`abs(x)`."""
    return math_ops.abs(x) if tensor_util.is_tensor(x) else abs(x)


def _frame_of(caller_fn_scope: Any, innermost: bool) -> Any:
    """The frame of the function that a scope is of: the scope is a variable there."""
    found, frame = None, inspect.currentframe()
    while frame is not None:
        if frame.f_locals.get(caller_fn_scope.name) is caller_fn_scope:
            found = frame
            if innermost:
                break
        frame = frame.f_back
    assert found is not None, (
        "the conversion process should ensure the caller_fn_scope is always found somewhere on the "
        "call stack"
    )
    return found


def eval_in_original_context(f: Any, args: Any, caller_fn_scope: Any) -> Any:
    """`eval(…)`, with the names of a converted function.

    Args:
      f: `eval`.
      args: its arguments; the names that they don't give are those of the innermost block.
      caller_fn_scope: the function's scope.
    """
    frame = _frame_of(caller_fn_scope, innermost=True)
    given = [frame.f_globals, frame.f_locals]
    return f(args[0], *args[1:3], *given[len(args) - 1 :])


def super_in_original_context(f: Any, args: Any, caller_fn_scope: Any) -> Any:
    """`super(…)`, as if it was called by a converted function itself.

    Args:
      f: `super`.
      args: its arguments; without them the class and the object are those of the function.
      caller_fn_scope: the function's scope.
    """
    if args:
        return f(*args)
    # What is inside of a function may have the variables around it.
    frame = _frame_of(caller_fn_scope, innermost=False)
    first = frame.f_code.co_varnames[0]
    return f(frame.f_locals["__class__"], frame.f_locals[first])


def _number(x: Any, dtype: DTypeLike) -> Any:
    if x.dtype == dtypes.string:
        return raw_ops.StringToNumber(x, out_type=dtype)
    return math_ops.cast(x, dtype=dtype)


def float_(x: Any = 0) -> Any:
    """`float(x)`."""
    return _number(x, dtypes.float32) if tensor_util.is_tensor(x) else float(x)


def int_(x: Any = 0, base: Any = UNSPECIFIED) -> Any:
    """`int(x, base)`."""
    if tensor_util.is_tensor(x):
        if base not in (10, UNSPECIFIED):
            raise NotImplementedError(f"base {base} not supported for int")
        return _number(x, dtypes.int32)
    return int(x) if base is UNSPECIFIED else int(x, base)


def len_(s: Any) -> Any:
    """`len(s)`; of a tensor the first dimension.

    Raises:
      ValueError: it is a scalar tensor.
    """
    if tensors.is_tensor_array(s):
        return s.size()
    if tensors.is_tensor_list(s):
        return raw_ops.TensorListLength(s)
    if not tensor_util.is_tensor(s):
        return len(s)
    if s.shape.ndims and s.shape.dims[0].value is not None:
        return s.shape.dims[0].value
    shape: Any = array_ops.shape(s)
    if shape.shape[0] == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape}")
    if shape.shape.dims[0].value is not None:
        return array_ops.shape(s)[0]
    rank = array_ops.rank(s)

    def refuse() -> Any:
        text = raw_ops.StringJoin(["len requires non-zero rank, got ", raw_ops.AsString(rank)])
        with ops.control_dependencies([control_flow_ops.Assert(False, [text])]):
            return constant_op.constant(0, dtype=dtypes.int32)

    return control_flow_ops.cond(rank > 0, lambda: array_ops.shape(s)[0], refuse)


def print_(*objects: Any, **kwargs: Any) -> Any:
    """`print(…)`; of tensors when they have their values.

    Raises:
      ValueError: unknown keyword arguments.
    """
    unknown = tuple(set(kwargs) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError(f"invalid keyword arguments: {unknown}")
    if not any(tensor_util.is_tensor(o) for o in objects):
        return print(*objects, **kwargs)
    kwargs.setdefault("flush", True)
    places = [i for i, o in enumerate(objects) if tensor_util.is_tensor(o)]

    def show(*values: Any) -> Any:
        shown = list(objects)
        for place, value in zip(places, values, strict=True):
            value = value.numpy()
            shown[place] = value.decode() if isinstance(value, bytes) else value
        print(*shown, **kwargs)
        return 1

    return script_ops.eager_py_func(show, [objects[i] for i in places], dtypes.int32)


def range_(start_or_stop: Any, stop: Any = UNSPECIFIED, step: Any = UNSPECIFIED) -> Any:
    """`range(…)`; of tensors a tensor, which is empty where Python's range is."""
    given = [x for x in (start_or_stop, stop, step) if x is not UNSPECIFIED]
    if not any(tensor_util.is_tensor(x) for x in given):
        return range(*given)
    if step is not UNSPECIFIED:
        return math_ops.range(start_or_stop, stop, step)
    if stop is not UNSPECIFIED:
        return math_ops.range(start_or_stop, math_ops.maximum(start_or_stop, stop))
    return math_ops.range(math_ops.maximum(start_or_stop, 0))


def _is_dataset(x: Any) -> bool:
    from tf1compat.api.data.ops.dataset_ops import DatasetV2

    return isinstance(x, DatasetV2)


def enumerate_(s: Any, start: int = 0) -> Any:
    """`enumerate(s, start)`; of a dataset a dataset."""
    return s.enumerate(start) if _is_dataset(s) else enumerate(s, start)


def zip_(*iterables: Any) -> Any:
    """`zip(…)`; of datasets a dataset."""
    if iterables and all(map(_is_dataset, iterables)):
        return type(iterables[0]).zip(tuple(iterables))
    return builtins.zip(*iterables)


_OVERLOADS = {
    abs: abs_,
    float: float_,
    int: int_,
    len: len_,
    print: print_,
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
}
