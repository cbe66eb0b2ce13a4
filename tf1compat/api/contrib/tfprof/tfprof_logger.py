"""`tf.contrib.tfprof.tfprof_logger`: the older form of `tf.profiler.write_op_log`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.profiler import tfprof_logger
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.graph import Graph


@deprecated("2018-01-01", "Use `tf.profiler.write_op_log. go/tfprof`")
def write_op_log(
    graph: Graph, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True
) -> None:
    """As `tf.profiler.write_op_log`.

    Args:
      graph, log_dir, op_log, run_meta, add_trace: as there.
    """
    tfprof_logger.write_op_log(graph, log_dir, op_log, run_meta, add_trace)
