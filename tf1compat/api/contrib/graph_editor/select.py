"""`tensorflow.contrib.graph_editor.select`: picking operations and tensors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.contrib.graph_editor import util
from tf1compat.api.framework import op_selector
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import ops as tf_ops

__all__ = [
    "can_be_regex",
    "check_cios",
    "compute_boundary_ts",
    "filter_ops",
    "filter_ops_from_regex",
    "filter_ts",
    "filter_ts_from_regex",
    "get_backward_walk_ops",
    "get_forward_walk_ops",
    "get_name_scope_ops",
    "get_ops_ios",
    "get_walks_intersection_ops",
    "get_walks_union_ops",
    "get_within_boundary_ops",
    "make_regex",
    "select_ops",
    "select_ops_and_ts",
    "select_ts",
]


def can_be_regex(obj: Any) -> bool:
    """Whether an object is a regular expression, or the text of one."""
    return isinstance(obj, str | re.Pattern)


def make_regex(obj: Any) -> re.Pattern[str]:
    """A regular expression, given as one or as its text.

    Raises:
      ValueError: `obj` is neither.
    """
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj) if isinstance(obj, str) else obj


def _input_ts(ops: list[Any]) -> list[Any]:
    return list(dict.fromkeys(t for op in ops for t in op.inputs))


def _output_ts(ops: list[Any]) -> list[Any]:
    return [t for op in ops for t in op.outputs]


def filter_ts(ops: Any, positive_filter: Any) -> list[Any]:
    """The inputs and outputs of operations that a function accepts.

    Args:
      ops: operations, or a graph.
      positive_filter: the function, or True for all.
    """
    ops = util.make_list_of_op(ops)
    ts = util.concatenate_unique(_input_ts(ops), _output_ts(ops))
    return ts if positive_filter is True else [t for t in ts if positive_filter(t)]


def filter_ts_from_regex(ops: Any, regex: Any) -> list[Any]:
    """The inputs and outputs of operations in whose names an expression is found."""
    ops, pattern = util.make_list_of_op(ops), make_regex(regex)
    return filter_ts(ops, positive_filter=lambda t: pattern.search(t.name))


def filter_ops(ops: Any, positive_filter: Any) -> list[Any]:
    """The operations that a function accepts, or all if it is True."""
    ops = util.make_list_of_op(ops)
    return ops if positive_filter is True else [op for op in ops if positive_filter(op)]


def filter_ops_from_regex(ops: Any, regex: Any) -> list[Any]:
    """The operations in whose names an expression is found."""
    ops, pattern = util.make_list_of_op(ops), make_regex(regex)
    return filter_ops(ops, lambda op: pattern.search(op.name))


def get_name_scope_ops(ops: Any, scope: str) -> list[Any]:
    """The operations of a name scope."""
    if scope and scope[-1] == "/":
        scope = scope[:-1]
    return filter_ops_from_regex(ops, f"^{scope}(/.*)?$")


def check_cios(
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[Any, Any]:
    """Which control edges are followed.

    Args:
      control_inputs: whether those backward are.
      control_outputs: a `util.ControlOutputs` if those forward are.
      control_ios: one if both are.

    Returns:
      control_inputs and control_outputs.

    Raises:
      TypeError: it isn't one.
      ValueError: both of the latter are given.
    """
    if control_ios is not None:
        if not isinstance(control_ios, util.ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_ios)}")
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    elif control_outputs is not None and not isinstance(control_outputs, util.ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


def get_ops_ios(
    ops: Any, control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> list[Any]:
    """The operations that others take tensors from, or give tensors to.

    Args:
      ops: operations.
      control_inputs, control_outputs, control_ios: see `check_cios`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)

    def around(op: Any) -> Iterator[Any]:
        yield from (t.op for t in op.inputs)
        for t in op.outputs:
            yield from t.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)
        if control_inputs:
            yield from op.control_inputs

    return list(dict.fromkeys(other for op in util.make_list_of_op(ops) for other in around(op)))


def compute_boundary_ts(ops: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The tensors at the boundary of some operations.

    Returns:
      Those that come from outside, those that are used outside or nowhere, and those that lead
      from one of the operations to another.
    """
    ops = util.make_list_of_op(ops)
    inputs, outputs = _input_ts(ops), _output_ts(ops)
    computed, members = frozenset(outputs), frozenset(ops)
    inside = [t for t in inputs if t in computed]
    hidden = frozenset(t for t in inside if members.issuperset(t.consumers()))
    return (
        [t for t in inputs if t not in computed],
        [t for t in outputs if t not in hidden],
        inside,
    )


def get_within_boundary_ops(
    ops: Any, seed_ops: Any, boundary_ops: Any = (), inclusive: bool = True,
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """The operations that can be reached, in any direction, without crossing others.

    Args:
      ops: those that may be found.
      seed_ops: where to begin.
      boundary_ops: those not to cross.
      inclusive: whether these are found, too.
      control_inputs, control_outputs, control_ios: see `check_cios`.

    Raises:
      ValueError: a seed is one not to cross.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    ops = util.make_list_of_op(ops)
    found = set(util.make_list_of_op(seed_ops, allow_graph=False))
    boundary = set(util.make_list_of_op(boundary_ops))
    if boundary & found:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = set(found)
    while wave:
        new = set(get_ops_ios(wave, control_inputs, control_outputs)) - found
        wave = new - boundary
        found |= new if inclusive else wave
    return [op for op in ops if op in found]


def get_forward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[[Any], bool] | None = None, stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Any]:  # fmt: skip
    """What depends on operations or tensors.

    Args:
      seed_ops: operations, or tensors: the operations that take them.
      inclusive: whether they are among what is found.
      within_ops: the operations that may be found; all by default.
      within_ops_fn: a function that says whether one may.
      stop_at_ts: tensors that aren't followed.
      control_outputs: a `util.ControlOutputs` if control edges are followed.
    """
    _, control_outputs = check_cios(False, control_outputs)
    if not util.is_iterable(seed_ops):
        seed_ops = [seed_ops]
    if not seed_ops:
        return []
    if isinstance(seed_ops[0], tf_ops.Tensor):
        seeds = util.get_consuming_ops(seed_ops)
    else:
        seeds = util.make_list_of_op(seed_ops, allow_graph=False)
    stops = frozenset(util.make_list_of_t(stop_at_ts))

    def after(op: Any) -> list[Any]:
        found = [other for t in op.outputs if t not in stops for other in t.consumers()]
        return found if control_outputs is None else found + list(control_outputs.get(op))

    return op_selector.walk(seeds, after, inclusive, within_ops, within_ops_fn)


@deprecated(
    "2019-06-06",
    "Please use tensorflow.python.ops.op_selector.get_backward_walk_ops.",
    module="tensorflow.contrib.graph_editor.select",
)
def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[[Any], bool] | None = None, stop_at_ts: Any = (),
    control_inputs: Any = False,
) -> list[Any]:  # fmt: skip
    """What operations or tensors depend on; see `op_selector.get_backward_walk_ops`."""
    return op_selector.get_backward_walk_ops(
        seed_ops, inclusive, within_ops, within_ops_fn, stop_at_ts, control_inputs
    )


def _walks(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool,
    backward_inclusive: bool, within_ops: Any, within_ops_fn: Any, control_inputs: Any,
    control_outputs: Any, control_ios: Any,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    forward = get_forward_walk_ops(
        forward_seed_ops,
        inclusive=forward_inclusive,
        within_ops=within_ops,
        within_ops_fn=within_ops_fn,
        control_outputs=control_outputs,
    )
    backward = get_backward_walk_ops(
        backward_seed_ops,
        inclusive=backward_inclusive,
        within_ops=within_ops,
        within_ops_fn=within_ops_fn,
        control_inputs=control_inputs,
    )
    return forward, backward


def get_walks_intersection_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """What depends on the one and the other depends on.

    Args:
      forward_seed_ops, backward_seed_ops: the one and the other.
      forward_inclusive, backward_inclusive: whether they are among what is found.
      within_ops, within_ops_fn: see `get_forward_walk_ops`.
      control_inputs, control_outputs, control_ios: see `check_cios`.
    """
    forward, backward = _walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops,
        within_ops_fn, control_inputs, control_outputs, control_ios,
    )  # fmt: skip
    among = frozenset(backward)
    return [op for op in forward if op in among]


def get_walks_union_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
    backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
    control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:  # fmt: skip
    """What depends on the one, or the other depends on. Args: see
    `get_walks_intersection_ops`."""
    forward, backward = _walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops,
        within_ops_fn, control_inputs, control_outputs, control_ios,
    )  # fmt: skip
    return util.concatenate_unique(forward, backward)


_SETTINGS = ("graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex")


def _select(
    args: Any, kwargs: dict[str, Any], mine: str, other: str, got: str,
    by_regex: Callable[[Any, Any], list[Any]], listed: Callable[[Any], list[Any]],
) -> list[Any]:  # fmt: skip
    """Operations, or tensors: `mine` and `other` say ("ops" or "ts") which a regex can ask for."""
    for key, value in kwargs.items():
        if key not in _SETTINGS:
            raise ValueError(f"Wrong keywords argument: {key}.")
        if key == "graph" and value is not None and not isinstance(value, tf_ops.Graph):
            raise TypeError(f"Expected a tf.Graph, {got} {type(value)}")
    graph, positive_filter = kwargs.get("graph"), kwargs.get("positive_filter")
    restricted = kwargs.get(f"restrict_{mine}_regex", False)
    found: list[Any] = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            regex = make_regex(arg)
            if regex.pattern.startswith(f"(?#{other})"):
                continue
            if restricted and not regex.pattern.startswith(f"(?#{mine})"):
                continue
            candidates = by_regex(graph, regex)
        else:
            candidates = listed(arg)
        if positive_filter is not None:
            candidates = [top for top in candidates if positive_filter(top)]
        if can_be_regex(arg):
            util.concatenate_unique(found, candidates)
        else:
            found += [top for top in candidates if top not in found]
    return found


def select_ops(*args: Any, **kwargs: Any) -> list[Any]:
    """Picks operations.

    Args:
      *args: operations, lists of them, or regular expressions for names: those that begin with
        "(?#ts)" are for tensors only.
      **kwargs: `graph`, for the expressions; `positive_filter`, a function of an operation;
        `restrict_ops_regex`, whether expressions count only if they begin with "(?#ops)".

    Raises:
      TypeError, ValueError: arguments that don't fit.
    """
    return _select(
        args, kwargs, "ops", "ts", "got:", filter_ops_from_regex,
        lambda arg: util.make_list_of_op(arg, ignore_ts=True),
    )  # fmt: skip


def select_ts(*args: Any, **kwargs: Any) -> list[Any]:
    """Picks tensors; as `select_ops`, with ops and ts exchanged."""
    return _select(
        args, kwargs, "ts", "ops", "got", filter_ts_from_regex,
        lambda arg: util.make_list_of_t(arg, ignore_ops=True),
    )  # fmt: skip


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Picks operations and tensors: by expressions only such tensors for which they begin with
    "(?#ts)"."""
    return (
        select_ops(*args, restrict_ops_regex=False, **kwargs),
        select_ts(*args, restrict_ts_regex=True, **kwargs),
    )
