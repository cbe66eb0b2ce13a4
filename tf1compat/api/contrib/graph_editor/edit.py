"""`tensorflow.contrib.graph_editor.edit`: detaching and connecting views."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.graph_editor import reroute, select, subgraph, util

__all__ = [
    "bypass",
    "connect",
    "detach",
    "detach_control_inputs",
    "detach_control_outputs",
    "detach_inputs",
    "detach_outputs",
]


def detach_control_inputs(sgv: Any) -> None:
    """Takes the control inputs that come from outside from a view's operations."""
    view = subgraph.make_view(sgv)
    for op in view.ops:
        outside = [cop for cop in op.control_inputs if cop not in view.ops]
        reroute.remove_control_inputs(op, outside)


def detach_control_outputs(sgv: Any, control_outputs: Any) -> None:
    """Takes the control inputs that come from a view's operations from those outside.

    Args:
      sgv: the view.
      control_outputs: a `util.ControlOutputs`.

    Raises:
      TypeError: it isn't one.
    """
    if not isinstance(control_outputs, util.ControlOutputs):
        raise TypeError("Expected a util.ControlOutputs, got: {}", type(control_outputs))
    control_outputs.update()
    view = subgraph.make_view(sgv)
    for op in view.ops:
        for waiting in control_outputs.get(op):
            if waiting not in view.ops:
                reroute.remove_control_inputs(waiting, op)


def detach_inputs(sgv: Any, control_inputs: Any = False) -> tuple[Any, list[Any]]:
    """Gives a view placeholders as inputs.

    Args:
      sgv: the view.
      control_inputs: whether its control inputs are taken away, too.

    Returns:
      The view, and the placeholders.
    """
    view = subgraph.make_view(sgv)
    with view.graph.as_default():
        placeholders = [
            array_ops.placeholder(dtype=t.dtype, name=util.placeholder_name(t)) for t in view.inputs
        ]
    reroute.swap_inputs(view, placeholders)
    if control_inputs:
        detach_control_inputs(view)
    return view, placeholders


def detach_outputs(sgv: Any, control_outputs: Any = None) -> tuple[Any, list[Any]]:
    """Gives placeholders to those that take a view's outputs.

    Args:
      sgv: the view.
      control_outputs: a `util.ControlOutputs` if control outputs are detached, too.

    Returns:
      The view, and the placeholders.
    """
    view = subgraph.make_view(sgv)
    view = view.remap_outputs([i for i, t in enumerate(view.outputs) if t.consumers()])
    taking = subgraph.SubGraphView(view.consumers())
    taking = taking.remap_inputs([i for i, t in enumerate(taking.inputs) if t in view.outputs])
    with view.graph.as_default():
        placeholders = [util.make_placeholder_from_tensor(t) for t in taking.inputs]
    reroute.swap_outputs(view, placeholders)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, placeholders


def detach(
    sgv: Any, control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[Any, list[Any], list[Any]]:
    """Detaches inputs and outputs of a view.

    Args:
      sgv: the view.
      control_inputs, control_outputs, control_ios: see `check_cios`.

    Returns:
      The view, and the placeholders of inputs and outputs.
    """
    control_inputs, control_outputs = select.check_cios(
        control_inputs, control_outputs, control_ios
    )
    _, inputs = detach_inputs(sgv, control_inputs)
    _, outputs = detach_outputs(sgv, control_outputs)
    return sgv, inputs, outputs


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[Any, Any]:
    """Leads the outputs of one view into another.

    Args:
      sgv0, sgv1: the views.
      disconnect_first: whether those that took them before are detached.

    Returns:
      The views.
    """
    view0, view1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(view0, view1)
    if disconnect_first:
        detach_outputs(view0)
    outputs = subgraph.SubGraphView(passthrough_ts=view0.outputs)
    reroute.reroute_inputs(outputs, view1)
    return view0, view1


def bypass(sgv: Any) -> tuple[Any, list[Any]]:
    """Leads the inputs of a view past it.

    Args:
      sgv: the view, with as many inputs as outputs.

    Returns:
      The view, and the placeholders that are its inputs now.
    """
    view = subgraph.make_view(sgv)
    inputs = list(view.inputs)
    view, detached = detach_inputs(view)
    reroute.reroute_ts(inputs, view.outputs)
    return view, detached
