"""`tensorflow.contrib.graph_editor.reroute`: leading tensors elsewhere."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.graph_editor import subgraph, util
from tf1compat.core.operation import Operation

__all__ = [
    "add_control_inputs",
    "remove_control_inputs",
    "reroute_inputs",
    "reroute_ios",
    "reroute_outputs",
    "reroute_ts",
    "swap_inputs",
    "swap_ios",
    "swap_outputs",
    "swap_ts",
]


def _check_ts_compatibility(ts0: list[Any], ts1: list[Any]) -> None:
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for t0, t1 in zip(ts0, ts1):
        if not t0.dtype.is_compatible_with(t1.dtype):
            raise ValueError(f"Dtypes {t0.dtype} and {t1.dtype} are not compatible.")
        shape0, shape1 = t0.get_shape(), t1.get_shape()
        if not shape0.is_compatible_with(shape1):
            raise ValueError(f"Shapes {shape0} and {shape1} are not compatible.")


def _redirect(t0: Any, t1: Any, consumers: set[Any]) -> int:
    """Gives `t0` to operations instead of `t1`; returns how many inputs it changed."""
    places = [(op, i) for op in consumers for i, t in enumerate(op.inputs) if t is t1]
    for op, i in places:
        op._update_input(i, t0)
    return len(places)


def _reroute_ts(
    ts0: Any, ts1: Any, both_ways: bool, can_modify: Any = None, cannot_modify: Any = None
) -> int:
    ts0, ts1 = util.make_list_of_t(ts0), util.make_list_of_t(ts1)
    _check_ts_compatibility(ts0, ts1)
    may = None if can_modify is None else frozenset(util.make_list_of_op(can_modify))
    may_not = frozenset(() if cannot_modify is None else util.make_list_of_op(cannot_modify))

    def consumers(t: Any) -> set[Any]:
        found = set(t.consumers()) - may_not
        return found if may is None else found & may

    # Known before anything changes.
    tasks = [(t0, t1, consumers(t0), consumers(t1)) for t0, t1 in zip(ts0, ts1)]
    count = 0
    for t0, t1, consumers0, consumers1 in tasks:
        if t0 is not t1:
            count += _redirect(t0, t1, consumers1)
            if both_ways:
                count += _redirect(t1, t0, consumers0)
    return count


def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Lets the operations that take the one tensors take the others, and the other way round.

    Args:
      ts0, ts1: as many tensors each, of the same types.
      can_modify: the operations that may be changed; all by default.
      cannot_modify: those that may not.

    Returns:
      How many inputs were changed.

    Raises:
      TypeError, ValueError: arguments that don't fit.
    """
    return _reroute_ts(ts0, ts1, True, can_modify, cannot_modify)


def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Lets the operations that take `ts1` take `ts0`. Args, Returns and Raises: see `swap_ts`."""
    return _reroute_ts(ts0, ts1, False, can_modify, cannot_modify)


def _remap(view0: Any, view1: Any, both_ways: bool) -> None:
    """Gives the second view the inputs of the first, and perhaps the other way round."""
    new0, new1 = view0.copy(), view1.copy()
    new1._input_ts, new1._passthrough_ts = view0._input_ts[:], view0._passthrough_ts[:]
    if both_ways:
        new0._input_ts, new0._passthrough_ts = view1._input_ts[:], view1._passthrough_ts[:]

    def update_passthrough_outputs(a: Any, b: Any) -> None:
        for i, t in enumerate(b._output_ts):
            if t in a._passthrough_ts:
                b._output_ts[i] = b._input_ts[a._input_ts.index(t)]

    update_passthrough_outputs(new0, new1)
    if both_ways:
        update_passthrough_outputs(new1, new0)
    view0._assign_from(new0)
    view1._assign_from(new1)


def _views(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    view0, view1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(view0, view1)
    return view0, view1


def _reroute_inputs(sgv0: Any, sgv1: Any, both_ways: bool) -> tuple[Any, Any]:
    view0, view1 = _views(sgv0, sgv1)
    can_modify = view0.ops + view1.ops
    can_modify += util.get_consuming_ops(view0.passthroughs)
    can_modify += util.get_consuming_ops(view1.passthroughs)
    _reroute_ts(view0.inputs, view1.inputs, both_ways, can_modify=can_modify)
    _remap(view0, view1, both_ways)
    return view0, view1


def _reroute_outputs(sgv0: Any, sgv1: Any, both_ways: bool) -> tuple[Any, Any]:
    view0, view1 = _views(sgv0, sgv1)
    cannot_modify = view0.ops + view1.ops
    _reroute_ts(view0.outputs, view1.outputs, both_ways, cannot_modify=cannot_modify)
    return view0, view1


def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Exchanges the inputs of two views.

    Args:
      sgv0, sgv1: views, or what `make_view` makes views of.

    Returns:
      The views.
    """
    return _reroute_inputs(sgv0, sgv1, True)


def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Gives the second view the inputs of the first; see `swap_inputs`."""
    return _reroute_inputs(sgv0, sgv1, False)


def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Exchanges the outputs of two views; see `swap_inputs`."""
    return _reroute_outputs(sgv0, sgv1, True)


def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Lets those that take the outputs of the second view take those of the first; see
    `swap_inputs`."""
    return _reroute_outputs(sgv0, sgv1, False)


def _reroute_ios(sgv0: Any, sgv1: Any, both_ways: bool) -> tuple[Any, Any]:
    _reroute_outputs(sgv0, sgv1, both_ways)
    _reroute_inputs(sgv0, sgv1, both_ways)
    return sgv0, sgv1


def swap_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Exchanges the inputs and outputs of two views; see `swap_inputs`."""
    return _reroute_ios(sgv0, sgv1, True)


def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Puts the first view in the place of the second; see `swap_inputs`."""
    return _reroute_ios(sgv0, sgv1, False)


def _checked(op: Any, cops: Any) -> list[Any]:
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))
    return util.make_list_of_op(cops, allow_graph=False)


def remove_control_inputs(op: Any, cops: Any) -> None:
    """Takes control inputs from an operation.

    Args:
      op: the operation.
      cops: those that it shall no longer wait for.

    Raises:
      TypeError: something isn't an operation.
      ValueError: it doesn't wait for one.
    """
    cops = _checked(op, cops)
    before = op.control_inputs
    for cop in cops:
        if cop not in before:
            raise ValueError(f"{op.name} is not a control_input of {cop.name}")
    op._remove_all_control_inputs()
    op._add_control_inputs([cop for cop in before if cop not in cops])


def add_control_inputs(op: Any, cops: Any) -> None:
    """Gives control inputs to an operation.

    Args:
      op: the operation.
      cops: those that it shall wait for.

    Raises:
      TypeError: something isn't an operation.
      ValueError: it waits for one already.
    """
    cops = _checked(op, cops)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError(f"{cop.name} is already a control_input of {op.name}")
    op._add_control_inputs(cops)
