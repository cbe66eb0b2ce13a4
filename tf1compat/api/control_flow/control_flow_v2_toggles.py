"""Switching functional control flow on and off (`control_flow_v2_toggles` of TF)."""

from __future__ import annotations

from tf1compat.api.control_flow import control_flow_util, control_flow_util_v2
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """From now on `tf.cond`, `tf.while_loop` and what is built on them record If and While
    operations with functions, TensorArrays record lists (as in TF 1.15)."""
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = True


@tf_export("disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    """From now on `tf.cond` and `tf.while_loop` record Switches and Merges outside of functions
    (as in TF 1.15)."""
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = False


@tf_export("control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Whether If and While are recorded in the default graph: so it is always inside of
    `tf.function`."""
    return control_flow_util.EnableControlFlowV2(ops.get_default_graph())


@tf_export("experimental.output_all_intermediates")
def output_all_intermediates(state: bool | None) -> None:
    """Whether conditionals and loops return all that they compute, for a gradient that is taken
    when their operations can't be changed any more.

    Args:
      state: None for what TF does by itself: only inside of Keras layers of a graph.
    """
    control_flow_util_v2._EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE = state
