"""`if`, `while` and `for` on functions of values (`autograph.operators.control_flow`).

A statement's variables go into its functions as arguments, and come out as what they return. What
else it changes, attributes and items, `get_state` gives and `set_state` sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.autograph.operators import control_flow
from tf1compat.api.autograph.operators.special_values import is_undefined
from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import control_flow_ops

Names = tuple[str, ...] | None


class _Variables:
    """Keeps the variables of a loop, whose functions are called without arguments."""

    def __init__(
        self, values: Any, get_state: Any, set_state: Any, names: Names, places: Names
    ) -> None:
        self.values = tuple(values)
        self._count = len(self.values)
        self._get_state, self._set_state = get_state, set_state
        self._names, self._places = names, places

    def keep(self, values: Any) -> None:
        """Takes what a loop's body returned."""
        self.values = () if values is None else values

    def get(self) -> tuple[Any, ...]:
        """The variables, and what else the statement changes."""
        return tuple(self.values) + tuple(self._get_state())

    def set(self, state: tuple[Any, ...]) -> None:
        """Sets them."""
        self.values = tuple(state[: self._count])
        self._set_state(tuple(state[self._count :]))

    def of_loop(self) -> control_flow._Statement:
        """The loop as the other form of operators has it."""
        names, places = self._names, self._places
        return control_flow._Statement(
            self.get,
            self.set,
            _names_of(self.values) if names is None else names,
            _names_of(self._get_state()) if places is None else places,
            checks=names is not None,
        )


def _names_of(values: Any) -> tuple[str, ...]:
    return tuple(value.symbol_name if is_undefined(value) else "" for value in values)


def while_stmt(
    test: Callable[..., Any],
    body: Callable[..., Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], Any],
    init_vars: tuple[Any, ...],
    basic_symbol_names: Names = None,
    composite_symbol_names: Names = None,
    opts: Any = None,
) -> Any:
    """`while test(*vars): vars = body(*vars)`.

    Args:
      test, body: functions of the variables.
      get_state, set_state: see this module.
      init_vars: what the variables begin with.
      basic_symbol_names, composite_symbol_names: names for errors; without them shapes and types
        are not checked here.
      opts: options of `tf.while_loop`.

    Returns:
      The variables in the end.
    """
    kept = _Variables(init_vars, get_state, set_state, basic_symbol_names, composite_symbol_names)
    control_flow.loop_while(
        lambda: test(*kept.values),
        lambda: kept.keep(body(*kept.values)),
        kept.of_loop,
        opts,
    )
    return kept.values


def for_stmt(
    iter_: Any,
    extra_test: Callable[..., Any] | None,
    body: Callable[..., Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], Any],
    init_vars: tuple[Any, ...],
    basic_symbol_names: Names = None,
    composite_symbol_names: Names = None,
) -> Any:
    """`for item in iter_: vars = body(item, *vars)`, as long as `extra_test(*vars)` holds.

    Args:
      iter_: what is gone through.
      extra_test: a function of the variables, or None.
      body: a function of the item and the variables.
      get_state, set_state, init_vars, basic_symbol_names, composite_symbol_names: see `while_stmt`.

    Returns:
      The variables in the end.
    """
    own_loop = getattr(iter_, "_autograph_for_loop", None)
    kept = _Variables(init_vars, get_state, set_state, basic_symbol_names, composite_symbol_names)
    if own_loop is not None:
        control_flow._check_before_loop(_names_of(init_vars), kept.values)
        return own_loop(extra_test, body, init_vars)
    control_flow.loop_over(
        iter_,
        None if extra_test is None else lambda: extra_test(*kept.values),
        lambda item: kept.keep(body(item, *kept.values)),
        kept.of_loop,
    )
    return kept.values


def if_stmt(
    cond: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], Any],
    basic_symbol_names: Names = None,
    composite_symbol_names: Names = None,
) -> Any:
    """`body() if cond else orelse()`.

    Args:
      cond: a bool or a tensor.
      body, orelse: give the variables, of several a tuple.
      get_state, set_state, basic_symbol_names, composite_symbol_names: see `while_stmt`.

    Returns:
      The variables.
    """
    if not tensors.is_dense_tensor(cond):
        return body() if cond else orelse()
    return tf_if_stmt(
        cond, body, orelse, get_state, set_state, basic_symbol_names, composite_symbol_names
    )


def tf_if_stmt(
    cond: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], Any],
    basic_symbol_names: Names,
    composite_symbol_names: Names,
) -> Any:
    """As `if_stmt`, on a tensor.

    Raises:
      ValueError: a branch gives a variable no value.
      TypeError: what the branches give differs in structure or type.
    """
    found: list[tuple[Any, ...]] = []
    symbols = (basic_symbol_names or ()) + (composite_symbol_names or ())

    def branch(run: Callable[[], Any], name: str) -> Callable[[], Any]:
        def record() -> Any:
            before = get_state()
            results = run()
            values = results if isinstance(results, tuple) else (results,)
            control_flow._check_branch(_names_of(values), values, name)
            state = get_state()
            set_state(before)
            found.append(values + tuple(state))
            if len(found) == 2 and basic_symbol_names is not None:
                pairs = min(len(symbols), *map(len, found))
                control_flow._check_branches(symbols[:pairs], found[0][:pairs], found[1][:pairs])
            return results, state

        return record

    results, state = control_flow_ops.cond(cond, branch(body, "if"), branch(orelse, "else"))
    set_state(state)
    return results
