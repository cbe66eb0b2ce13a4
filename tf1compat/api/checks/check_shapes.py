"""The part of `tensorflow.python.ops.check_ops` about ranks and shapes."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, ShapeLike, TensorLike


class _RankError(Exception):
    """The static ranks are not as asserted."""


def _assert_rank_condition(
    x: Tensor,
    ranks: tuple[Tensor, ...],
    holds: Callable[[int, tuple[Any, ...]], Any],
    record: Callable[[Tensor, tuple[Tensor, ...]], Tensor],
    data: TensorLike,
    summarize: Any,
) -> Any:
    """Asserts something about the rank of `x`, now if the ranks are known.

    Raises:
      ValueError: a rank is not a scalar.
      _RankError: the assertion does not hold; (rank of x, ranks).
    """
    for rank in ranks:
        check_ops.assert_type(rank, dtypes.int32)
    static = tuple(tensor_util.constant_value(rank) for rank in ranks)
    if all(rank is not None for rank in static):
        if any(rank.ndim for rank in static):
            raise ValueError("Rank must be a scalar.")
        x_rank = x.get_shape().ndims
        if x_rank is not None:
            if not holds(x_rank, static):
                raise _RankError(x_rank, static)
            return control_flow_ops.no_op(name="static_checks_determined_all_ok")
    condition = record(array_ops.rank(x), ranks)
    for rank, value in zip(ranks, static, strict=True):
        if value is None:
            check = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            condition = control_flow_ops.with_dependencies([check], condition)
    return control_flow_ops.Assert(condition, data, summarize=summarize)


def _single_rank(
    name: str, phrase: str, holds: Callable[[Any, Any], Any], record: Callable[..., Tensor]
) -> tuple[Any, Any]:
    own_name = name

    def call(
        x: Any,
        rank: Any,
        data: Any = None,
        summarize: int | None = None,
        message: Any = None,
        name: Name = None,
    ) -> Any:
        with ops.name_scope(name, own_name, (x, rank, *(data or ()))):
            x = ops.convert_to_tensor(x, name="x")
            rank = ops.convert_to_tensor(rank, name="rank")
            message = message or ""
            which = "" if context.executing_eagerly() else x.name
            if data is None:
                data = [
                    message,
                    f"Tensor {which} must have {phrase}",
                    rank,
                    "Received shape: ",
                    array_ops.shape(x),
                ]
            try:
                return _assert_rank_condition(
                    x,
                    (rank,),
                    lambda actual, given: holds(actual, given[0]),
                    lambda actual, given: record(actual, given[0]),
                    data,
                    summarize,
                )
            except _RankError as error:
                actual, (wanted,) = error.args
                raise ValueError(
                    f"{message}.  Tensor {which} must have {phrase} {wanted}.  "
                    f"Received rank {actual}, shape {x.get_shape()}"
                ) from None

    def call_v2(x: TensorLike, rank: Any, message: str | None = None, name: Name = None) -> Any:
        return call(x, rank, message=message, name=name)

    function: Any = call
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Asserts that `x` has {phrase} `rank`.

    Args:
      x: a tensor.
      rank: a scalar.
      data, summarize, message, name: as in `assert_less`.

    Returns:
      An operation that fails if `x` has not.

    Raises:
      ValueError: it has not, and that is known now.
    """
    return tf_export(f"debugging.{name}", name)(function), call_v2


assert_rank, assert_rank_v2 = _single_rank(
    "assert_rank", "rank", lambda actual, given: actual == given, math_ops.equal
)
assert_rank_at_least, assert_rank_at_least_v2 = _single_rank(
    "assert_rank_at_least",
    "rank at least",
    lambda actual, given: actual >= given,
    math_ops.greater_equal,
)


def _record_rank_in(actual: Tensor, ranks: tuple[Tensor, ...]) -> Tensor:
    if not ranks:
        return ops.convert_to_tensor(False)
    result = math_ops.equal(ranks[0], actual)
    for rank in ranks[1:]:
        result = math_ops.logical_or(result, math_ops.equal(rank, actual))
    return result


@tf_export("debugging.assert_rank_in", "assert_rank_in")
def assert_rank_in(
    x: TensorLike,
    ranks: Any,
    data: Any = None,
    summarize: int | None = None,
    message: Any = None,
    name: Name = None,
) -> Any:
    """Asserts that `x` has one of `ranks`; see `assert_rank`.

    Args:
      x, data, summarize, message, name: as in `assert_rank`.
      ranks: the ranks that are allowed, integers or scalar tensors.

    Returns:
      As `assert_rank`.
    """
    with ops.name_scope(name, "assert_rank_in", (x, *ranks, *(data or ()))):
        x = ops.convert_to_tensor(x, name="x")
        ranks = tuple(ops.convert_to_tensor(rank, name="rank") for rank in ranks)
        message = message or ""
        which = "" if context.executing_eagerly() else x.name
        if data is None:
            data = [
                message,
                f"Tensor {which} must have rank in",
                *ranks,
                "Received shape: ",
                array_ops.shape(x),
            ]
        try:
            return _assert_rank_condition(
                x, ranks, lambda actual, given: actual in given, _record_rank_in, data, summarize
            )
        except _RankError as error:
            actual, wanted = error.args
            form = "{}" if context.executing_eagerly() else "array({}, dtype=int32)"
            texts = ", ".join(form.format(rank) for rank in wanted)
            texts = f"({texts},)" if len(wanted) == 1 else f"({texts})"
            raise ValueError(
                f"{message}.  Tensor {which} must have rank in {texts}.  "
                f"Received rank {actual}, shape {x.get_shape()}"
            ) from None


@tf_export("compat.v2.debugging.assert_rank_in")
def assert_rank_in_v2(
    x: TensorLike, ranks: Any, message: str | None = None, name: Name = None
) -> Any:
    """As `assert_rank_in`, with TF 2's arguments.

    Args:
      x, ranks, message, name: as in `assert_rank_in`.

    Returns:
      As `assert_rank_in`.
    """
    return assert_rank_in(x, ranks, message=message, name=name)


# Shapes with symbols.

# A tensor, whether its outermost dimensions are free, the sizes it has, and the symbols for them.
_Sizes = collections.namedtuple("_Sizes", ["x", "outer_free", "actual", "symbols"])


def _dimension_sizes(x: Tensor) -> Any:
    """The sizes of `x`, as integers where known; a scalar counts as a vector of size 1."""
    dynamic = array_ops.shape(x)
    rank = x.get_shape().rank
    if rank == 0:
        return (1,)
    if rank is not None:
        static = x.get_shape().as_list()
        return [dynamic[i] if size is None else int(size) for i, size in enumerate(static)]
    is_scalar = math_ops.equal(array_ops.rank(x), 0)
    return control_flow_ops.cond(is_scalar, lambda: array_ops.constant([1]), lambda: dynamic)


def _is_known(size: Any) -> bool:
    try:
        int(size)
    except (ValueError, TypeError):
        return False
    return size is not None


def _parsed(x: Tensor, symbols: Any, message: str) -> _Sizes:
    if not hasattr(symbols, "__iter__") and not hasattr(symbols, "__getitem__"):
        raise ValueError(
            f"{message}.  Tensor {check_ops.tensor_name(x)}.  "
            "Specified shape must be an iterable.  "
            "An iterable has the attribute `__iter__` or `__getitem__`.  "
            f"Received specified shape: {symbols}"
        )
    symbols = tuple(symbols)
    outer_free = False
    for i, symbol in enumerate(symbols):
        if symbol not in (Ellipsis, "*"):
            continue
        if i != 0:
            raise ValueError(
                f"{message}.  Tensor {check_ops.tensor_name(x)} specified shape index {i}.  "
                "Symbol `...` or `*` for a variable number of "
                "unspecified dimensions is only allowed as the first entry"
            )
        outer_free = True
    inner = symbols[1:] if outer_free else symbols
    return _Sizes(x, outer_free, _dimension_sizes(x), inner or (1,))


@tf_export("debugging.assert_shapes")
def assert_shapes(
    shapes: Any,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: Name = None,
) -> Any:
    """Asserts that tensors have shapes, in which equal symbols stand for equal sizes.

    Args:
      shapes: a dict of tensor to shape, or pairs of these. A shape is a sequence of sizes, symbols,
        None or "." (any size), and may begin with "..." or "*" (any number of dimensions).
      data, summarize, message, name: as in `assert_less`.

    Returns:
      An operation that fails if a tensor has not its shape.

    Raises:
      ValueError: a tensor has not its shape, and that is known now.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    message = message or ""
    with ops.name_scope(name, "assert_shapes", [shapes, data]):
        constraints = [(ops.convert_to_tensor(x), s) for x, s in pairs if s is not None]
        parsed = [_parsed(x, symbols, message) for x, symbols in constraints]
        options = {"data": data, "summarize": summarize, "message": message, "name": name}
        checks = []
        for sizes in parsed:
            rank = len(sizes.symbols)
            if sizes.outer_free:
                if rank > 1:
                    checks.append(assert_rank_at_least(x=sizes.x, rank=rank, **options))
            elif rank <= 1:
                checks.append(assert_rank_in(x=sizes.x, ranks=[0, 1], **options))
            else:
                checks.append(assert_rank(x=sizes.x, rank=rank, **options))
        size_checks = _size_checks(parsed, data, summarize, message)
        with ops.control_dependencies(checks):
            return control_flow_ops.group(size_checks)


def _size_checks(parsed: list[_Sizes], data: Any, summarize: Any, message: str) -> list[Any]:
    checks = []
    specified: dict[Any, tuple[Any, Tensor, int]] = {}
    for sizes in parsed:
        for i, symbol in enumerate(sizes.symbols):
            if symbol in (None, "."):
                continue
            dim = i - len(sizes.symbols) if sizes.outer_free else i
            if _is_known(symbol):
                wanted, origin = int(symbol), "Specified explicitly"
            elif symbol in specified:
                wanted, by, at = specified[symbol]
                origin = f"Specified by tensor {check_ops.tensor_name(by)} dimension {at}"
            else:
                specified[symbol] = (sizes.actual[dim], sizes.x, dim)
                continue
            actual = sizes.actual[dim]
            which = check_ops.tensor_name(sizes.x)
            if _is_known(actual) and _is_known(wanted):
                if int(actual) != int(wanted):
                    raise ValueError(
                        f"{message}.  {origin}.  "
                        f"Tensor {which} dimension {dim} must have size {wanted}.  "
                        f"Received size {actual}, shape {sizes.x.get_shape()}"
                    )
                continue
            condition = math_ops.equal(ops.convert_to_tensor(actual), ops.convert_to_tensor(wanted))
            shown = data
            if data is None:
                shown = [
                    message,
                    origin,
                    f"Tensor {which} dimension",
                    dim,
                    "must have size",
                    wanted,
                    "Received shape: ",
                    array_ops.shape(sizes.x),
                ]
            checks.append(control_flow_ops.Assert(condition, shown, summarize=summarize))
    return checks


@tf_export("compat.v2.debugging.assert_shapes")
def assert_shapes_v2(
    shapes: Any,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: Name = None,
) -> None:
    """As `assert_shapes`.

    Args:
      shapes, data, summarize, message, name: as in `assert_shapes`.
    """
    assert_shapes(shapes, data=data, summarize=summarize, message=message, name=name)


@tf_export("ensure_shape")
def ensure_shape(x: TensorLike, shape: ShapeLike, name: Name = None) -> Tensor:
    """`x`, whose shape must be compatible with `shape`; the static shape learns from it.

    Args:
      x: a tensor.
      shape: a shape; dimensions of None allow any size.
      name: the operation's name.

    Returns:
      A tensor like `x`, of the merged static shape.

    Raises:
      InvalidArgumentError: (when run) the shape does not fit.
    """
    shape = shape if isinstance(shape, TensorShape) else TensorShape(shape)
    return raw_ops.EnsureShape(x, shape=shape, name=name)
