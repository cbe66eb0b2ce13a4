"""`for` loops over datasets and their iterators, recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.autograph.operators.control_flow import _check_before_loop, _check_turn, _while
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.experimental.ops import transformations
from tf1compat.api.data.ops import iterator_ops
from tf1compat.api.data.ops.dataset_ops import DatasetV2


def loop_over(iterated: Any) -> Callable[..., None] | None:
    """How to record a loop over this; None if it is neither a dataset nor its iterator."""
    if isinstance(iterated, DatasetV2):
        return _over_dataset
    if isinstance(iterated, iterator_ops.IteratorV2):
        return _over_iterator
    return None


def _over_dataset(
    ds: Any, extra_test: Any, body: Callable[..., Any], statement: Any, options: Any
) -> None:
    names, places = statement.values()
    _check_before_loop(statement.symbols, names + places)
    before = statement.get_state()

    def turn(state: Any, element: Any) -> Any:
        """The state after the body has run for an element."""
        statement.put(before, *state)
        body(element)
        after = statement.values()
        if statement.checks:
            _check_turn(statement.symbols, sum(state, ()), sum(after, ()), shapes=False)
        return after

    if extra_test is None:
        # A reduction needs something to reduce.
        start = names or (constant_op.constant(0),), places
        if not places:
            constant_op.constant(0)  # TF records one here, too, and does not use it.

        def reduced(state: Any, element: Any) -> Any:
            after = turn((state[0] if names else (), state[1]), element)
            return after[0] if names else state[0], after[1]

        found = ds.reduce(start, reduced)
        statement.put(before, found[0] if names else (), found[1])
        return

    def step(state: Any, element: Any) -> Any:
        statement.put(before, *state)
        goes_on = extra_test()
        new = control_flow_ops.cond(goes_on, lambda: turn(state, element), lambda: state)
        return new, (*new, goes_on)

    start = (names, places)
    ds = ds.apply(transformations.scan(start, step))
    ds = ds.apply(transformations.take_while(lambda names, places, goes_on: goes_on))
    statement.put(before, *ds.reduce(start, lambda state, new: (new[0], new[1])))


def _over_iterator(
    itr: Any, extra_test: Any, body: Callable[..., Any], statement: Any, options: Any
) -> None:
    before = statement.get_state()
    names, places = statement.values()
    _check_before_loop(statement.symbols, names + places)
    fill = () if names or places else (constant_op.constant(()),)

    def turn(has_next: Any) -> None:
        element = iterator_ops.get_next_as_optional(itr)
        following[0] = element.has_value()
        begin = statement.values()

        def taken() -> Any:
            statement.put(before, *begin)
            body(element.get_value())
            return (*fill, *sum(statement.values(), ()))

        new = control_flow_ops.cond(following[0], taken, lambda: (*fill, *sum(begin, ())))
        new = tuple(new)[len(fill) :] if isinstance(new, list | tuple) else (new,)[len(fill) :]
        statement.put(before, new[: len(names)], new[len(names) :])

    following: list[Any] = [None]

    def test(has_next: Any) -> Any:
        if extra_test is None:
            return has_next
        return control_flow_ops.cond(has_next, extra_test, lambda: False)

    _while(test, turn, statement, None, counter=True, advance=lambda _: following[0], checks=False)
