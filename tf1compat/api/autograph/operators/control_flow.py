"""`if`, `while` and `for`: Python's own, or recorded where a test or what is gone through is a
tensor.

A statement comes as functions of nothing that share the variables of the function around them. Its
state are variables, attributes and items: `get_state` gives their values, those that matter after
the statement first (the variables of `names`, then `places`), and `set_state` sets them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.autograph.operators import py_builtins
from tf1compat.api.autograph.operators.special_values import is_undefined, is_undefined_return
from tf1compat.api.autograph.utils import ag_logging, tensors
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import nest, ops, tensor_util
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.func_graph import FuncGraph

Thunk = Callable[[], Any]
State = tuple[Any, ...]
Names = tuple[str, ...]


class _Statement:
    """The state of a statement, and which part of it matters.

    Args:
      get_state, set_state: see the module.
      names, places: of what matters.
      checks: whether shapes and types in a loop are checked in AutoGraph's words.
    """

    def __init__(
        self, get_state: Callable[[], State], set_state: Callable[[State], None],
        names: Names, places: Names, checks: bool = True,
    ):  # fmt: skip
        self.checks = checks
        self.get_state, self.set_state = get_state, set_state
        self.names, self.places = names, places
        self.symbols = names + places
        self._count = len(self.symbols)

    def values(self) -> tuple[State, State]:
        """The values of the variables and of the places that matter."""
        state = self.get_state()
        return state[: len(self.names)], state[len(self.names) : self._count]

    def put(self, before: State, names: State, places: State) -> None:
        """Sets what matters; the rest is as it was before."""
        self.set_state(tuple(names) + tuple(places) + before[self._count :])


# Conditionals.


def if_stmt(
    cond: Any, body: Thunk, orelse: Thunk, get_state: Any, set_state: Any,
    names: Names, places: Names,
) -> None:  # fmt: skip
    """`if cond: body() else: orelse()`."""
    if not tensors.is_dense_tensor(cond):
        return body() if cond else orelse()
    statement = _Statement(get_state, set_state, names, places)
    before = get_state()
    found: dict[str, Any] = {}

    def branch(run: Thunk, branch_name: str) -> Thunk:
        def record() -> Any:
            set_state(before)
            run()
            values, attributes = statement.values()
            set_state(before)
            _check_branch(statement.symbols, values + attributes, branch_name)
            found[branch_name] = values + attributes
            if len(found) == 2:
                _check_branches(statement.symbols, found["if"], found["else"])
            # A conditional needs a result.
            return values if names else constant_op.constant(1), attributes

        return record

    values, attributes = control_flow_ops.cond(cond, branch(body, "if"), branch(orelse, "else"))
    statement.put(before, values if names else (), attributes)


def if_exp(cond: Any, body: Thunk, orelse: Thunk) -> Any:
    """`body() if cond else orelse()`."""
    if not tensors.is_dense_tensor(cond):
        return body() if cond else orelse()
    return control_flow_ops.cond(cond, lambda: (body(), ()), lambda: (orelse(), ()))[0]


def _check_branch(symbols: Names, values: State, branch_name: str) -> None:
    undefined = tuple(s for s, v in zip(symbols, values, strict=True) if is_undefined(v))
    if undefined:
        raise ValueError(
            f"The following symbols must also be initialized in the {branch_name} branch: "
            f"{undefined}. Alternatively, you may initialize them before the if statement."
        )
    if any(map(is_undefined_return, values)):
        raise ValueError(
            f"A value must also be returned from the {branch_name} branch. If a value is returned "
            "from one branch of a conditional a value must be returned from all branches."
        )


def _check_branches(symbols: Names, first: State, second: State) -> None:
    for name, a, b in zip(symbols, first, second, strict=True):
        try:
            nest.assert_same_structure(a, b, expand_composites=True)
        except (ValueError, TypeError) as error:
            raise TypeError(
                f'"{name}" does not have the same nested structure in the TRUE and FALSE '
                f"branches.\n\n{error}"
            ) from None

        def same_type(x: Any, y: Any, name: str = name) -> None:
            x, y = _dtype_of(x), _dtype_of(y)
            if x is not None and y is not None and x != y:
                raise TypeError(
                    f'"{name}" has dtype {x.name} in the TRUE branch, but dtype={y.name} in the '
                    "FALSE branch. TensorFlow control flow requires that they are the same."
                )

        nest.map_structure(same_type, a, b)


def _dtype_of(x: Any) -> Any:
    if isinstance(x, bool | int | float | str):
        return constant_op.constant(x).dtype
    return x.dtype if tensor_util.is_tensor(x) and hasattr(x, "dtype") else None


# Loops.


def while_stmt(
    test: Thunk, body: Thunk, get_state: Any, set_state: Any, names: Names, places: Names,
    options: Any = None,
) -> None:  # fmt: skip
    """`while test(): body()`."""
    loop_while(test, body, lambda: _Statement(get_state, set_state, names, places), options)


def loop_while(
    test: Thunk, body: Thunk, statement: Callable[[], _Statement], options: Any = None
) -> None:
    """`while test(): body()`.

    Args:
      test, body: functions of nothing.
      statement: gives what the loop changes, if it is recorded.
      options: of `tf.while_loop`.
    """
    # A graph of its own keeps what is recorded to find out if the test is a tensor.
    with FuncGraph("tmp").as_default():
        first = test()
    if tensors.is_dense_tensor(first):
        _while(test, body, statement(), options)
        return
    if first:
        body()
        turns = _Turns()
        while test():
            with turns:
                body()


def _while(
    test: Callable[..., Any], body: Callable[..., Any], statement: _Statement, options: Any,
    counter: Any = None, advance: Any = None, checks: bool = True,
) -> None:  # fmt: skip
    """Records a loop.

    Args:
      test, body: what it consists of; functions of the counter if there is one.
      statement: what it changes.
      options: of `tf.while_loop`, or None.
      counter: what a variable of the loop's own begins with, or None.
      advance: counter -> its next value.
      checks: whether to check shapes and types in AutoGraph's words.
    """
    names, places = statement.values()
    _check_before_loop(statement.symbols, names + places)
    before = statement.get_state()
    own = [] if counter is None else [counter]
    count, many = len(own), len(names)

    def enter(values: Any) -> list[Any]:
        statement.put(before, values[count : count + many], values[count + many :])
        return list(values[:count])

    def loop_test(*values: Any) -> Any:
        return test(*enter(values))

    def loop_body(*values: Any) -> Any:
        begin = enter(values)
        body(*begin)
        new_names, new_places = statement.values()
        new = new_names + new_places
        if checks and statement.checks:
            _check_turn(statement.symbols, values[count:], new)
        return (*([advance(begin[0])] if own else []), *new)

    options = {k: v for k, v in (options or {}).items() if v is not None}
    initial = (*own, *names, *places)
    results = control_flow_ops.while_loop(
        loop_test, loop_body, initial, return_same_structure=True, **options
    )
    enter(results)


def _check_before_loop(symbols: Names, values: State) -> None:
    undefined = tuple(s for s, v in zip(symbols, values, strict=True) if is_undefined(v))
    if undefined:
        raise ValueError(
            "TensorFlow requires that the following symbols must be defined before the loop: "
            f"{undefined}"
        )
    if any(map(is_undefined_return, values)):
        raise ValueError("return statements are not supported within a TensorFlow loop.")


def _check_turn(symbols: Names, before: State, after: State, shapes: bool = True) -> None:
    """Refuses variables that are other things after a turn of a loop than before."""
    for name, a, b in zip(symbols, before, after, strict=True):
        try:
            nest.assert_same_structure(a, b, expand_composites=True)
        except (ValueError, TypeError) as error:
            raise TypeError(
                f'"{name}" does not have the same nested structure after one iteration.\n\n{error}'
            ) from None
        nest.map_structure(functools.partial(_check_same, name, shapes), a, b)


def _check_same(name: str, shapes: bool, before: Any, after: Any) -> None:
    a, b = _dtype_of(before), _dtype_of(after)
    if a is None or b is None:
        return
    if a != b:
        raise TypeError(
            f'"{name}" has dtype {a.name} before the loop, but dtype {b.name} after one iteration. '
            "TensorFlow control flow requires it stays the same."
        )
    if shapes and hasattr(before, "shape") and hasattr(after, "shape"):
        if not _is_as_specific(before.shape, after.shape):
            raise ValueError(
                f'"{name}" has shape {before.shape} before the loop, but shape {after.shape} after '
                "one iteration. TensorFlow control flow requires it stays the same or be more "
                "specific."
            )


def _is_as_specific(shape: Any, other: Any) -> bool:
    known, found = shape.to_tuple(), other.to_tuple()
    if known is None:
        return True
    if found is None or len(known) != len(found):
        return False
    return all(dim is None or dim == size for dim, size in zip(known, found, strict=True))


def for_stmt(
    iter_: Any, extra_test: Thunk | None, body: Callable[[Any], None], get_state: Any,
    set_state: Any, names: Names, places: Names, options: Any = None,
) -> Any:  # fmt: skip
    """`for item in iter_: body(item)`, as long as `extra_test()` holds."""
    return loop_over(
        iter_, extra_test, body, lambda: _Statement(get_state, set_state, names, places), options
    )


def loop_over(
    iter_: Any, extra_test: Thunk | None, body: Callable[[Any], None],
    statement: Callable[[], _Statement], options: Any = None,
) -> Any:  # fmt: skip
    """`for item in iter_: body(item)`.

    Args:
      iter_: what is gone through.
      extra_test: None, or a test without which no further turn begins.
      body: a function of the item.
      statement: gives what the loop changes, if it is recorded.
      options: of `tf.while_loop`.
    """
    if isinstance(iter_, ops.Tensor):
        loop = _over_range if tensors.is_range_tensor(iter_) else _over_rows
        return loop(iter_, extra_test, body, statement(), options)
    if isinstance(iter_, CompositeTensor):
        # Datasets take part in this stage later than this module.
        from tf1compat.api.data.ops import dataset_loops

        recorded = dataset_loops.loop_over(iter_)
        if recorded is not None:
            return recorded(iter_, extra_test, body, statement(), options)
    handler = getattr(iter_, "_autograph_for_loop", None)
    if handler is not None:
        return _by_handler(handler, extra_test, body, statement())
    items: Any = iter_
    for item in items:
        if extra_test is not None and not extra_test():
            break
        body(item)
    return None


def _by_handler(
    handler: Callable[..., Any], extra_test: Thunk | None, body: Callable[[Any], None],
    statement: _Statement,
) -> None:  # fmt: skip
    """Over what records its loops itself: `handler(test of state, body of item and state, state)`
    gives the last state. As in TF, only variables are state for it, attributes and items are not.
    """
    names = statement.values()[0]
    _check_before_loop(statement.symbols[: len(names)], names)
    before = statement.get_state()

    def enter(state: State) -> None:
        statement.put(before, state, statement.values()[1])

    def test(*state: Any) -> Any:
        enter(state)
        assert extra_test is not None
        return extra_test()

    def turn(item: Any, *state: Any) -> State:
        enter(state)
        body(item)
        return statement.values()[0]

    enter(handler(test if extra_test is not None else None, turn, names))


def _guarded(test: Thunk, extra_test: Thunk | None) -> Any:
    """`test() and extra_test()`."""
    holds = test()
    if extra_test is None:
        return holds
    return control_flow_ops.cond(holds, extra_test, lambda: False)


def _over_rows(
    rows: Any, extra_test: Thunk | None, body: Callable[[Any], None], statement: _Statement,
    options: Any,
) -> None:  # fmt: skip
    _check_before_loop(statement.symbols, sum(statement.values(), ()))
    count = py_builtins.len_(rows)
    array = tensor_array_ops.TensorArray(rows.dtype, size=count).unstack(rows)
    _while(
        lambda i: _guarded(lambda: i < count, extra_test),
        lambda i: body(array.read(i)),
        statement, options, counter=0, advance=lambda i: i + 1,
    )  # fmt: skip


def _over_range(
    numbers: Any, extra_test: Thunk | None, body: Callable[[Any], None], statement: _Statement,
    options: Any,
) -> None:  # fmt: skip
    """The range itself is not needed."""
    start, limit, delta = numbers.op.inputs

    def before_end(i: Any) -> Any:
        known = tensor_util.constant_value(delta)
        if known is not None:
            return i < limit if np.asarray(known).item() >= 0 else i > limit
        return math_ops.logical_or(
            math_ops.logical_and(delta >= 0, i < limit),
            math_ops.logical_and(delta < 0, i > limit),
        )

    _while(
        lambda i: _guarded(lambda: before_end(i), extra_test), body, statement, options,
        counter=start, advance=lambda i: i + delta,
    )  # fmt: skip


# What a Python loop may do: how often it may turn, and from which turn on it is looked at whether
# so many operations are recorded in a turn that the loop is said to be one of TF's by mistake.
LIMIT_PYTHON_ITERATIONS = True
PYTHON_MAX_ITERATIONS = 100_000_000
WARN_INEFFICIENT_UNROLL = True
INEFFICIENT_UNROLL_MIN_ITERATIONS = 3000
INEFFICIENT_UNROLL_MIN_OPS = 1


class _Turns:
    """Counts the turns of a Python loop; says once if many of them record operations."""

    _LOOKED_AT = 3

    def __init__(self) -> None:
        self._count = 0
        self._before: set[int] | None = None
        self._is_looked_at = WARN_INEFFICIENT_UNROLL

    def __enter__(self) -> None:
        if self._is_looked_at and self._count > INEFFICIENT_UNROLL_MIN_ITERATIONS:
            self._before = {id(op) for op in ops.get_default_graph().get_operations()}

    def __exit__(self, *exc_info: Any) -> None:
        self._count += 1
        if LIMIT_PYTHON_ITERATIONS and self._count > PYTHON_MAX_ITERATIONS:
            raise ValueError("iteration limit exceeded")
        if self._before is None:
            return
        new = tuple(
            op for op in ops.get_default_graph().get_operations() if id(op) not in self._before
        )
        self._before = None
        self._is_looked_at = self._count <= INEFFICIENT_UNROLL_MIN_ITERATIONS + self._LOOKED_AT
        if len(new) >= INEFFICIENT_UNROLL_MIN_OPS:
            ag_logging.warn(
                "TensorFlow ops are being created in a Python loop with large number of "
                "iterations. This can lead to slow startup. Did you mean to use a TensorFlow loop? "
                "For example, `while True:` is a Python loop, and `while tf.constant(True):` is a "
                "TensorFlow loop. The following ops were created after iteration %s: %s",
                self._count, new,
            )  # fmt: skip
            self._is_looked_at = False
