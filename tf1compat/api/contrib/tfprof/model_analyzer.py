"""`tf.contrib.tfprof.model_analyzer`: the older form of `tf.profiler.profile`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.profiler import model_analyzer
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.graph import Graph

Profiler = model_analyzer.Profiler
advise = model_analyzer.advise
_profile = model_analyzer.profile


def _options(**changes: Any) -> dict[str, Any]:
    """Options, in TF's order."""
    least = ("min_bytes", "min_micros", "min_params", "min_float_ops")
    found: dict[str, Any] = {
        "max_depth": 10000,
        **dict.fromkeys(least, 0),
        "order_by": "name",
        "account_type_regexes": [".*"],
        "start_name_regexes": [".*"],
        "trim_name_regexes": [],
        "show_name_regexes": [".*"],
        "hide_name_regexes": [],
        "account_displayed_op_only": True,
        "select": [],
        "output": "stdout",
        "dump_to_file": "",
    }
    return found | changes


TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _options(
    account_type_regexes=["_trainable_variables"], select=["params"]
)
FLOAT_OPS_OPTIONS = _options(min_float_ops=1, order_by="float_ops", select=["float_ops"])
PRINT_ALL_TIMING_MEMORY = _options(min_bytes=1, min_micros=1, select=["micros", "bytes"])


@deprecated(
    "2018-01-01",
    "Use `tf.profiler.profile(graph, run_meta, op_log, cmd, options)`. Build `options` with "
    "`tf.profiler.ProfileOptionBuilder`. See README.md for details",
)
def print_model_analysis(
    graph: Graph | None,
    run_meta: Any = None,
    op_log: Any = None,
    tfprof_cmd: str = "scope",
    tfprof_options: Any = 0,
) -> Any:
    """As `tf.profiler.profile`.

    Args:
      graph, run_meta, op_log: as there.
      tfprof_cmd: its `cmd`.
      tfprof_options: its `options`.

    Returns:
      As there.

    Raises:
      InvalidArgumentError, NotImplementedError: as there.
    """
    return model_analyzer.profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)
