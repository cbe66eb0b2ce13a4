"""`tensorflow.python.ops.check_ops`: assertions about values, ranks and dtypes.

Those about shapes are in `check_shapes.py`, whose names this module offers too.  In a graph an
assertion is an operation that fails the run; what can be decided while recording is decided then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, errors, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.typing import Name, TensorLike

NUMERIC_TYPES = frozenset(
    [
        dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
        dtypes.uint8, dtypes.qint8, dtypes.qint32, dtypes.quint8, dtypes.complex64,
    ]
)  # fmt: skip


def tensor_name(x: Tensor) -> str:
    """How a message refers to `x`."""
    if context.executing_eagerly():
        return f"shape={x.shape} dtype={x.dtype.name}"
    return x.name


# Comparing elements.


def _assert_static(holds: Any, data: list[Any]) -> None:
    if holds:
        return
    texts = []
    for item in data:
        value = tensor_util.constant_value(item) if isinstance(item, Tensor) else item
        texts.append(str(item if value is None else value))
    raise errors.InvalidArgumentError(None, None, "\n".join(texts))


def _eager_text(item: Any, summarize: float) -> str:
    if not hasattr(item, "numpy"):
        return str(item)
    array = item.numpy()
    if np.isscalar(array):
        return str(array)
    flat = array.reshape((-1,))
    shown = [str(x) for x in flat[: int(min(summarize, flat.size))]]
    return str(shown + ["..."] if len(shown) < flat.size else shown)


def _eager_data(symbol: str, x: Any, y: Any, summarize: float, holds: Any) -> list[Any]:
    """What an eager assertion says by default."""
    data: list[Any] = [f"Condition x {symbol} y did not hold."]
    if summarize > 0:
        a, b = x.numpy(), y.numpy()
        if a.shape == b.shape and a.shape:
            different = np.argwhere(~holds.numpy())
            count = int(min(summarize, different.shape[0]))
            mask = ~holds.numpy()
            data += [f"Indices of first {count} different values:", different[:count]]
            data += ["Corresponding x values:", a[mask].reshape((-1,))[:count]]
            data += ["Corresponding y values:", b[mask].reshape((-1,))[:count]]
        for name, flat in (("x", a.reshape((-1,))), ("y", b.reshape((-1,)))):
            count = int(min(flat.size, summarize))
            data += [f"First {count} elements of {name}:", flat[:count]]
    return data


def _binary_assert(
    symbol: str,
    op_name: str,
    compare: Callable[..., Tensor],
    compare_static: Callable[..., Any],
    x: Any,
    y: Any,
    data: Any,
    summarize: Any,
    message: Any,
    name: Any,
) -> Any:
    with ops.name_scope(name, op_name, [x, y, data]):
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y")
        if context.executing_eagerly():
            holds = compare(x, y)
            if math_ops.reduce_all(holds):
                return None
            shown = 3 if summarize is None else 1e9 if summarize < 0 else summarize
            data = _eager_data(symbol, x, y, shown, holds) if data is None else data
            data = data if message is None else [message, *data]
            text = "\n".join(_eager_text(item, shown) for item in data)
            raise errors.InvalidArgumentError(None, None, text)
        if data is None:
            data = [
                f"Condition x {symbol} y did not hold element-wise:",
                f"x ({x.name}) = ",
                x,
                f"y ({y.name}) = ",
                y,
            ]
        if message is not None:
            data = [message, *data]
        condition = math_ops.reduce_all(compare(x, y))
        x_static, y_static = tensor_util.constant_value(x), tensor_util.constant_value(y)
        if x_static is not None and y_static is not None:
            _assert_static(np.all(compare_static(x_static, y_static)), data)
        return control_flow_ops.Assert(condition, data, summarize=summarize)


def _comparison(name: str, symbol: str, op_name: str) -> tuple[Any, Any]:
    """The assertion that a comparison holds for all elements, and its TF 2 form."""
    compare, compare_static = getattr(math_ops, op_name), getattr(np, op_name)

    def call(
        x: TensorLike,
        y: TensorLike,
        data: TensorLike | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: Name = None,
    ) -> Any:
        return _binary_assert(
            symbol, own_name, compare, compare_static, x, y, data, summarize, message, name
        )

    def call_v2(
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: Name = None,
    ) -> Any:
        return call(x, y, summarize=summarize, message=message, name=name)

    own_name = name
    function: Any = call
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Asserts that `x {symbol} y` for all elements.

    Args:
      x, y: tensors that broadcast against each other.
      data: what the error shows; by default, a text and the first elements of `x` and `y`.
      summarize: how many elements of each tensor it shows.
      message: a text to begin with.
      name: the name scope.

    Returns:
      An operation that fails if the condition does not hold (None in eager execution).

    Raises:
      InvalidArgumentError: it does not hold, and that is known now.
    """
    return tf_export(f"debugging.{name}", name)(function), call_v2


assert_none_equal, _ = _comparison("assert_none_equal", "!=", "not_equal")
assert_less, assert_less_v2 = _comparison("assert_less", "<", "less")
assert_less_equal, assert_less_equal_v2 = _comparison("assert_less_equal", "<=", "less_equal")
assert_greater, assert_greater_v2 = _comparison("assert_greater", ">", "greater")
assert_greater_equal, assert_greater_equal_v2 = _comparison(
    "assert_greater_equal", ">=", "greater_equal"
)


def assert_none_equal_v2(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: Name = None,
) -> Any:
    """`assert_none_equal` of TF 2, whose arguments alone have `summarize` before the message.

    Args:
      x, y, summarize, message, name: as there.

    Returns:
      The Assert operation.
    """
    return assert_none_equal(x, y, summarize=summarize, message=message, name=name)


@tf_export("debugging.assert_equal", "assert_equal")
def assert_equal(
    x: TensorLike,
    y: TensorLike,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: Name = None,
) -> Any:
    """Asserts that `x == y` for all elements; see `assert_less`.

    Args:
      x, y: tensors of one dtype that broadcast.
      data, summarize, message: as in `assert_less`.
      name: the operation's name.

    Returns:
      The Assert operation.

    Raises:
      InvalidArgumentError: it is known not to hold.
    """
    with ops.name_scope(name, "assert_equal", [x, y, data]):
        if x is y:
            return None if context.executing_eagerly() else control_flow_ops.no_op()
    return _binary_assert(
        "==", "assert_equal", math_ops.equal, np.equal, x, y, data, summarize, message, name
    )


def assert_equal_v2(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: Name = None,
) -> Any:
    """As `assert_equal`, with the arguments in TF 2's order."""
    return assert_equal(x, y, summarize=summarize, message=message, name=name)


def _sign(name: str, symbol: str, check: Callable[..., Any], zero_first: bool) -> tuple[Any, Any]:
    """The assertion that all elements compare so to zero, and its TF 2 form."""
    own_name = name

    def call(
        x: TensorLike,
        data: TensorLike | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: Name = None,
    ) -> Any:
        with ops.name_scope(name, own_name, [x, data]):
            x = ops.convert_to_tensor(x, name="x")
            if data is None:
                text = [
                    f"Condition x {symbol} 0 did not hold element-wise:",
                    f"x ({tensor_name(x)}) = ",
                ]
                # TF forgets a comma in one of the four.
                text = ["".join(text)] if own_name == "assert_non_positive" else text
                data = [message or "", *text, x]
            zero = ops.convert_to_tensor(0, dtype=x.dtype)
            pair = (zero, x) if zero_first else (x, zero)
            return check(*pair, data=data, summarize=summarize)

    def call_v2(
        x: TensorLike, message: str | None = None, summarize: int | None = None, name: Name = None
    ) -> Any:
        return call(x, summarize=summarize, message=message, name=name)

    function: Any = call
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Asserts that `x {symbol} 0` for all elements; see `assert_less`."""
    return tf_export(f"debugging.{name}", name)(function), call_v2


assert_negative, assert_negative_v2 = _sign("assert_negative", "<", assert_less, False)
assert_positive, assert_positive_v2 = _sign("assert_positive", ">", assert_less, True)
assert_non_negative, assert_non_negative_v2 = _sign(
    "assert_non_negative", ">=", assert_less_equal, True
)
assert_non_positive, assert_non_positive_v2 = _sign(
    "assert_non_positive", "<=", assert_less_equal, False
)


@tf_export("debugging.assert_near", "assert_near")
def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: int | None = None,
    message: Any = None,
    name: Name = None,
) -> Any:
    """Asserts that `|x - y| < atol + rtol * |y|` for all elements; see `assert_less`.

    Args:
      rtol, atol: the tolerances; by default, ten times the dtype's epsilon.

    Returns:
      An operation that raises `InvalidArgumentError` where it does not hold; None in eager
      execution.
    """
    with ops.name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y", dtype=x.dtype)
        eps = np.finfo(x.dtype.as_numpy_dtype).eps
        rtol, atol = (
            ops.convert_to_tensor(10 * eps if given is None else given, name=which, dtype=x.dtype)
            for which, given in (("rtol", rtol), ("atol", atol))
        )
        if data is None:
            text = f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}"
            data = [message or "", text]
            data += [f"x ({tensor_name(x)}) = ", x, f"y ({tensor_name(y)}) = ", y]
        tolerance = atol + rtol * math_ops.abs(y)
        difference = math_ops.abs(x - y)
        condition = math_ops.reduce_all(math_ops.less(difference, tolerance))
        return control_flow_ops.Assert(condition, data, summarize=summarize)


@tf_export("compat.v2.debugging.assert_near")
def assert_near_v2(
    x: TensorLike,
    y: TensorLike,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: Name = None,
) -> Any:
    """As `assert_near`, with the arguments in TF 2's order.

    Args:
      x, y, rtol, atol, message, summarize, name: as in `assert_near`.

    Returns:
      As `assert_near`.
    """
    return assert_near(x, y, rtol, atol, summarize=summarize, message=message, name=name)


# Dtypes and kinds.


@tf_export("debugging.assert_proper_iterable", "assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """Asserts that `values` is iterable, and no tensor, array or string.

    Args:
      values: anything.

    Raises:
      TypeError: it is not, or is one of these.
    """
    sparse = isinstance(values, TensorBase) and type(values).__name__ == "SparseTensor"
    if sparse or isinstance(values, Tensor | np.ndarray | bytes | str):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@tf_export("debugging.assert_integer", "assert_integer")
def assert_integer(x: TensorLike, message: str | None = None, name: Name = None) -> Any:
    """Asserts that `x` has an integer dtype.

    Args:
      x: a tensor.
      message: put before the error's text.
      name: the operation's name.

    Returns:
      A no-op.

    Raises:
      TypeError: it has not.
    """
    with ops.name_scope(name, "assert_integer", [x]):
        x = ops.convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            which = "tensor" if context.executing_eagerly() else x.name
            raise TypeError(
                f'{message or ""}  Expected "x" to be integer type.  '
                f"Found: {which} of dtype {x.dtype}"
            )
        return control_flow_ops.no_op("statically_determined_was_integer")


@tf_export("debugging.assert_type", "assert_type")
def assert_type(
    tensor: TensorLike, tf_type: Any, message: str | None = None, name: Name = None
) -> Any:
    """Asserts that `tensor` has the dtype `tf_type`.

    Args:
      tensor: a tensor.
      tf_type: a dtype.
      message: put before the error's text.
      name: the operation's name.

    Returns:
      A no-op.

    Raises:
      TypeError: it has not.
    """
    message = message or ""
    with ops.name_scope(name, "assert_type", [tensor]):
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            if context.executing_eagerly():
                raise TypeError(f"{message} tensor must be of type {tf_type!s}")
            raise TypeError(f"{message}  {tensor.name} must be of type {tf_type}")
        return control_flow_ops.no_op("statically_determined_correct_type")


@tf_export("debugging.is_numeric_tensor", "is_numeric_tensor")
def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Whether `tensor` is a tensor of numbers.

    Args:
      tensor: anything.

    Returns:
      A bool.
    """
    return isinstance(tensor, Tensor) and tensor.dtype in NUMERIC_TYPES


def _name_or_text(item: Any) -> str:
    return item.name if hasattr(item, "name") else str(item)


def _assert_same_base_type(items: Any, expected_type: Any = None) -> Any:
    """The base dtype that all items that are not None have; `expected_type`, if given."""
    first = None
    for item in items:
        if item is None:
            continue
        found = item.dtype.base_dtype
        if not expected_type:
            expected_type, first = found, item
        elif expected_type != found:
            origin = "" if first is None else f" as {_name_or_text(first)}"
            raise ValueError(
                f"{_name_or_text(item)}, type={found}, must be of the same type "
                f"({expected_type}){origin}."
            )
    return expected_type


@tf_export("debugging.assert_same_float_dtype", "assert_same_float_dtype")
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The floating-point dtype that `tensors` share (and `dtype`, if given); by default float32.

    Args:
      tensors: a list of tensors, or None.
      dtype: a floating-point dtype, or None.

    Returns:
      A dtype.

    Raises:
      ValueError: they don't share it, or it is no floating-point dtype.
    """
    if tensors:
        dtype = _assert_same_base_type(tensors, dtype)
    if not dtype:
        return dtypes.float32
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


@tf_export("debugging.assert_scalar", "assert_scalar")
def assert_scalar(tensor: TensorLike, name: Name = None, message: str | None = None) -> Tensor:
    """`tensor`, which must have a static shape of rank 0.

    Args:
      tensor: a tensor.
      message: put before the error's text.
      name: the operation's name.

    Returns:
      The tensor.

    Raises:
      ValueError: it has not.
    """
    with ops.name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = ops.convert_to_tensor(tensor, name=scope)
        shape = tensor.get_shape()
        if shape.ndims != 0:
            which = "" if context.executing_eagerly() else f" for {tensor.name}"
            raise ValueError(f"{message or ''}Expected scalar shape{which}, saw shape: {shape}.")
        return tensor


# Order.


def _differences(x: TensorLike) -> Tensor:
    x = array_ops.reshape(x, [-1])
    if not is_numeric_tensor(x):
        raise TypeError(f"Expected x to be numeric, instead found: {x!s}")
    is_short = math_ops.less(array_ops.size(x), 2)
    count = array_ops.shape(x) - 1

    def difference() -> Tensor:
        return array_ops.strided_slice(x, [1], [1] + count) - array_ops.strided_slice(x, [0], count)

    return control_flow_ops.cond(
        is_short, lambda: ops.convert_to_tensor([], dtype=x.dtype), difference
    )


@tf_export("math.is_non_decreasing", "debugging.is_non_decreasing", "is_non_decreasing")
def is_non_decreasing(x: TensorLike, name: Name = None) -> Tensor:
    """Whether no element (in row-major order) is less than the one before it.

    Args:
      x: a tensor of real numbers.
      name: the operation's name.

    Returns:
      A bool scalar.
    """
    with ops.name_scope(name, "is_non_decreasing", [x]):
        differences = _differences(x)
        zero = ops.convert_to_tensor(0, dtype=differences.dtype)
        return math_ops.reduce_all(math_ops.less_equal(zero, differences))


@tf_export(
    "math.is_strictly_increasing", "debugging.is_strictly_increasing", "is_strictly_increasing"
)
def is_strictly_increasing(x: TensorLike, name: Name = None) -> Tensor:
    """Whether every element (in row-major order) is greater than the one before it.

    Args:
      x: a tensor of real numbers.
      name: the operation's name.

    Returns:
      A bool scalar.
    """
    with ops.name_scope(name, "is_strictly_increasing", [x]):
        differences = _differences(x)
        zero = ops.convert_to_tensor(0, dtype=differences.dtype)
        return math_ops.reduce_all(math_ops.less(zero, differences))


from tf1compat.api.checks.check_shapes import (  # noqa: E402, F401
    assert_rank,
    assert_rank_at_least,
    assert_rank_at_least_v2,
    assert_rank_in,
    assert_rank_in_v2,
    assert_rank_v2,
    assert_shapes,
    assert_shapes_v2,
    ensure_shape,
)
