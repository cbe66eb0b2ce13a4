"""What TensorBoard's pages of graphs and profiles read: Keras models, the graphs of functions that
ran, profiles (the last part of `tensorflow.python.ops.summary_ops_v2`)."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from tf1compat.api.array import constant_op
from tf1compat.api.eager import context as eager_context
from tf1compat.api.eager import profiler as _profiler
from tf1compat.api.platform import tf_logging
from tf1compat.api.summary import summary_ops_v2
from tf1compat.core import context, dtypes, ops, protos
from tf1compat.core.export import tf_export


class _Trace(NamedTuple):
    """What is being collected: graphs, and a profile."""

    graph: bool
    profiler: bool


_trace: _Trace | None = None
_lock = threading.Lock()


def _write(name: Any, scope: str, plugin: str, data: Any, content: Any, step: Any) -> Any:
    metadata = protos.load("summary_pb2", "SummaryMetadata")()
    metadata.plugin_data.plugin_name = plugin
    metadata.plugin_data.content = b"1"
    with summary_ops_v2.summary_scope(name, scope, [data, step]) as (tag, _):
        with ops.device("cpu:0"):
            tensor = constant_op.constant(content, dtype=dtypes.string)
        return summary_ops_v2.write(tag=tag, tensor=tensor, step=step, metadata=metadata)


def keras_model(name: Any, data: Any, step: Any = None) -> Any:
    """Writes a Keras model, as TensorBoard shows it.

    Args:
      name: the summary's name.
      data: the model.
      step: an int64; the one that was set by default.

    Returns:
      Whether it is written; False of a model that cannot be written as JSON.
    """
    try:
        text = data.to_json()
    except Exception as error:  # Writing summaries must not end a program.
        tf_logging.warn(f"Model failed to serialize as JSON. Ignoring... {error}")
        return False
    return _write(name, "graph_keras_model", "graph_keras_model", data, text, step)


def run_metadata(name: Any, data: Any, step: Any = None) -> Any:
    """Writes a `RunMetadata`.

    Args:
      name: the summary's name.
      data: the message.
      step: an int64; the one that was set by default.

    Returns:
      Whether it is written.
    """
    content = data.SerializeToString()
    return _write(name, "graph_run_metadata_summary", "graph_run_metadata", data, content, step)


def run_metadata_graphs(name: Any, data: Any, step: Any = None) -> Any:
    """Writes the graphs of a `RunMetadata` alone.

    Args:
      name: the summary's name.
      data: the message.
      step: an int64; the one that was set by default.

    Returns:
      Whether it is written.
    """
    graphs = type(data)(
        function_graphs=data.function_graphs, partition_graphs=data.partition_graphs
    )
    content = graphs.SerializeToString()
    return _write(
        name, "graph_run_metadata_graph_summary", "graph_run_metadata_graph", graphs, content, step
    )


def _is_refused(text: str, verb: str) -> bool:
    """Whether nothing is traced here, of which a warning tells."""
    if ops.inside_function():
        tf_logging.warn(f"Cannot {verb} trace inside a tf.function.")
        return True
    if not context.executing_eagerly():
        tf_logging.warn(text)
        return True
    return False


@tf_export("compat.v2.summary.trace_on")
def trace_on(graph: bool = True, profiler: bool = False) -> None:
    """Begins to collect the graphs of functions that run eagerly, for `trace_export`.

    As in TF 1.15 a warning says so where it can't: in a graph, or while a trace is on.

    Args:
      graph: whether to collect graphs.
      profiler: whether to profile too, with JAX's profiler.
    """
    global _trace
    if _is_refused("Must enable trace in eager mode.", "enable"):
        return
    with _lock:
        if _trace is not None:
            tf_logging.warn("Trace already enabled")
            return
        if graph and not profiler:
            eager_context.context().enable_graph_collection()
        if profiler:
            eager_context.context().enable_run_metadata()
            _profiler.start()
        _trace = _Trace(graph, profiler)


@tf_export("compat.v2.summary.trace_export")
def trace_export(name: Any, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Ends the trace, and writes what it collected to the default writer.

    Args:
      name: the summary's name.
      step: an int64; the one that was set by default.
      profiler_outdir: where to write the profile.

    Raises:
      ValueError: no trace is on, or it has a profile that is to be written nowhere.
    """
    if _is_refused("Can only export trace while executing eagerly.", "export"):
        return
    with _lock:
        if _trace is None:
            raise ValueError("Must enable trace before export.")
        graph, profiler = _trace
        if profiler and profiler_outdir is None:
            raise ValueError("Required profiler_outdir is not specified")
    collected = eager_context.context().export_run_metadata()
    write = run_metadata_graphs if graph and not profiler else run_metadata
    write(name, collected, step)
    if profiler_outdir is not None and profiler:
        _profiler.save(profiler_outdir, _profiler.stop())
    trace_off()


@tf_export("compat.v2.summary.trace_off")
def trace_off() -> None:
    """Ends the trace; what it collected is dropped."""
    global _trace
    with _lock:
        was, _trace = _trace, None
    eager_context.context().disable_run_metadata()
    if was is not None and was.profiler:
        try:
            _profiler.stop()
        except _profiler.ProfilerNotRunningError:
            pass  # `trace_export` has ended it.
