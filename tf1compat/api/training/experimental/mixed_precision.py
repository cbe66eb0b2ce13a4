"""Mixed precision by rewriting graphs (`tensorflow.python.training.experimental.mixed_precision`).

TensorFlow rewrites them on GPUs only, when they run. Here they run as they were recorded: a session
with the option warns, and only the losses are scaled."""

from __future__ import annotations

from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import optimizer
from tf1compat.api.training.experimental.loss_scale_optimizer import (
    MixedPrecisionLossScaleOptimizer,
)
from tf1compat.core import mixed_precision_global_state as state
from tf1compat.core.export import find, tf_export

_ENABLE = "tf.train.experimental.enable_mixed_precision_graph_rewrite()"


def _wrap_optimizer(opt: Any, loss_scale: Any, use_v1_behavior: bool) -> Any:
    """An optimizer that scales losses."""
    names = [cls.__name__ for cls in type(opt).__mro__]
    wrapper = None
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        wrapper = "MixedPrecisionLossScaleOptimizer"
    elif names[0] == "LossScaleOptimizer":
        wrapper = names[0]
    if wrapper:
        raise ValueError(
            f'"opt" must not already be an instance of a {wrapper}. '
            "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
            f"{wrapper}."
        )
    if isinstance(opt, optimizer.Optimizer):
        return MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    if "OptimizerV2" in names:
        return find("keras.mixed_precision.experimental.LossScaleOptimizer")(opt, loss_scale)
    wanted = "a tf.train.Optimizer or a " if use_v1_behavior else "a "
    raise ValueError(
        f'"opt" must be an instance of {wanted}tf.keras.optimizers.Optimizer, but got: {opt}'
    )


def _enable(opt: Any, loss_scale: Any, use_v1_behavior: bool) -> Any:
    if not state.using_default_mixed_precision_policy:
        raise ValueError(
            "The mixed precision graph rewrite cannot be enabled, because a keras mixed precision "
            "Policy has been set. At most, one of the following functions can be called:\n\n  1. "
            "tf.keras.mixed_precision.experimental.set_policy() (You called this first)\n  2. "
            f"{_ENABLE} (You called this second)\n\nYou called both functions, which is an error, "
            "because both functions enable you to use mixed precision. If in doubt which function "
            "to use, use the second, as it is currently more complete and easy to use. The second "
            "function enables mixed precision in the graph with a graph rewrite. However it is "
            "currently not very customizable, and does not support eager."
        )
    if state.non_mixed_precision_session_created:
        logging.warning(
            "You already have existing Sessions that do not use mixed precision. "
            "enable_mixed_precision_graph_rewrite() will not affect these Sessions."
        )
    opt = _wrap_optimizer(opt, loss_scale, use_v1_behavior)
    find("config.optimizer.set_experimental_options")({"auto_mixed_precision": True})
    state.mixed_precision_graph_rewrite_is_enabled = True
    return opt


@tf_export("compat.v2.train.experimental.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """As TF 1's: see `enable_mixed_precision_graph_rewrite_v1`.

    Args:
      opt, loss_scale: as in `enable_mixed_precision_graph_rewrite_v1`.

    Returns:
      As `enable_mixed_precision_graph_rewrite_v1`.
    """
    return _enable(opt, loss_scale, use_v1_behavior=False)


@tf_export("train.experimental.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite_v1(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """Turns mixed precision on for sessions to come.

    Args:
      opt: an optimizer of `tf.train` or `tf.keras`.
      loss_scale: a `LossScale`, a number, or "dynamic".

    Returns:
      An optimizer that does the same and scales losses.

    Raises:
      ValueError: `opt` is no optimizer, or one that scales losses; or a policy was set.
    """
    return _enable(opt, loss_scale, use_v1_behavior=True)


@tf_export(
    "train.experimental.disable_mixed_precision_graph_rewrite",
    "compat.v2.train.experimental.disable_mixed_precision_graph_rewrite",
)
def disable_mixed_precision_graph_rewrite() -> None:
    """Turns mixed precision off for sessions to come; optimizers go on scaling losses."""
    if not state.mixed_precision_graph_rewrite_is_enabled:
        logging.warning(
            "disable_mixed_precision_graph_rewrite() called when mixed precision is already "
            "disabled."
        )
    find("config.optimizer.set_experimental_options")({"auto_mixed_precision": False})
    state.mixed_precision_graph_rewrite_is_enabled = False


disable_mixed_precision_graph_rewrite_v1 = disable_mixed_precision_graph_rewrite
