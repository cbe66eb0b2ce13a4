"""Profiles of graphs: parameters, float operations, time and memory
(`tensorflow.python.profiler.model_analyzer`)."""

from __future__ import annotations

import sys
from typing import Any

from tf1compat.api.platform.gfile import GFile
from tf1compat.api.profiler import (
    tfprof_advisor,
    tfprof_logger,
    tfprof_proto,
    tfprof_text,
    tfprof_timeline,
)
from tf1compat.api.profiler.option_builder import ProfileOptionBuilder
from tf1compat.api.profiler.tfprof_stats import Stats
from tf1compat.api.profiler.tfprof_views import VIEWS, lines
from tf1compat.core import context, errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.formats import tfprof_pb2

ALL_ADVICE: dict[str, dict[str, str]] = {
    "ExpensiveOperationChecker": {},
    "AcceleratorUtilizationChecker": {},
    "JobChecker": {},  # TF's own, too, has it inside Google only.
    "OperationChecker": {},
}
# What options are where they are not given.
_DEFAULTS: dict[str, Any] = {
    "max_depth": 10, "min_bytes": 0, "min_peak_bytes": 0, "min_residual_bytes": 0,
    "min_output_bytes": 0, "min_micros": 0, "min_accelerator_micros": 0, "min_cpu_micros": 0,
    "min_params": 0, "min_float_ops": 0, "min_occurrence": 0, "step": -1, "order_by": "name",
    "account_type_regexes": [], "start_name_regexes": [], "trim_name_regexes": [],
    "show_name_regexes": [], "hide_name_regexes": [], "account_displayed_op_only": False,
    "select": [], "output": "stdout",
}  # fmt: skip


def _graph(graph: Graph | None) -> Graph | None:
    if not graph and not context.executing_eagerly():
        return ops.get_default_graph()
    return graph


def _view(stats: Stats, cmd: str, options: dict[str, Any]) -> Any:
    """Makes a view, writes it where the options say, and gives its proto."""
    kind = (
        tfprof_pb2.GraphNodeProto if cmd in ("scope", "graph") else tfprof_pb2.MultiGraphNodeProto
    )
    options = _DEFAULTS | options
    options["select"] = sorted(set(options["select"]))
    output, _, path = options["output"].partition(":outfile=")
    if output not in ("none", "stdout", "file", "timeline", "pprof"):
        print(
            f"Invalid argument: E.g. Unknown output type: {output}, Valid types: "
            "file,none,pprof,stdout,timeline"
        )
        return kind()
    if options["step"] >= 0 and options["step"] not in stats.steps:
        steps = "".join(f"{step} " for step in sorted(stats.steps))
        sys.stderr.write(f"Options -step={options['step']} not found.\nAvailable steps: {steps}\n")
        return kind()
    if output == "pprof":
        _refuse_pprof(cmd, options)
        return kind(name=tfprof_text.ROOT)
    if output == "stdout":
        print(*tfprof_text.header(options), sep="\n")
    view = VIEWS[cmd](stats, options)
    root = view.build()
    if output == "timeline":
        tfprof_timeline.write(cmd, stats, root, options["step"], path)
        if cmd == "op":
            return kind(name=tfprof_text.ROOT)
        if cmd == "graph" and options["step"] < 0:
            return kind()
    elif output != "none":
        report = "\n".join(tfprof_text.report(cmd, options, lines(root))) + "\n"
        if output == "file":
            with GFile(path, "w") as file:
                file.write(report)
        else:
            print(report)
            print("======================End of Report==========================")
    sys.stdout.flush()
    return view.proto(root)


def _refuse_pprof(cmd: str, options: dict[str, Any]) -> None:
    if cmd != "code":
        sys.stderr.write("Only 'code' view supports pprof output now.\n")
    elif len(options["select"]) != 1:
        sys.stderr.write("Can only select 1 attribute for pprof output.\n")
    else:
        raise NotImplementedError(
            "tf.profiler.profile: files for pprof are not supported by tf1compat; "
            "with_timeline_output and with_file_output write the same numbers"
        )


def _stats(graph: Graph | None, op_log: Any) -> Stats:
    print("Parsing Inputs...", flush=True)
    return Stats(graph, op_log)


@tf_export("profiler.profile")
def profile(
    graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
    options: Any = 0,
) -> Any:  # fmt: skip
    """What operations of a graph are and what they took, printed as in TF 1.15.

    Args:
      graph: a `Graph`; the default graph by default.
      run_meta: the `RunMetadata` of a run, for time and memory.
      op_log: an `OpLogProto` with types and float operations of operations.
      cmd: "scope" for nested names, "graph" for what operations take, "op" for their types, "code"
        for the lines that made them.
      options: those of a `ProfileOptionBuilder`; the parameters of trainable variables by default.

    Returns:
      A `GraphNodeProto` for "scope" and "graph", a `MultiGraphNodeProto` for "op" and "code".

    Raises:
      InvalidArgumentError: there is no such `cmd`.
      NotImplementedError: a file for pprof is asked for.
    """
    graph = _graph(graph)
    if options == 0:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    log = tfprof_logger.merge_default_with_oplog(graph, op_log, run_meta, add_trace=cmd == "code")
    if cmd not in VIEWS:
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    stats = _stats(graph, log)
    if run_meta:
        stats.add_step(0, run_meta)
    return _view(stats, cmd, options)


@tf_export("profiler.advise")
def advise(graph: Graph | None = None, run_meta: Any = None, options: Any = 0) -> Any:
    """What a profile advises, printed as in TF 1.15.

    Args:
      graph: a `Graph`; the default graph by default.
      run_meta: the `RunMetadata` of a run.
      options: {checker: {}}, names of `ALL_ADVICE`; all of them by default.

    Returns:
      An `AdviceProto`.

    Raises:
      TypeError: a checker is given options, of which none takes any.
    """
    graph = _graph(graph)
    log = tfprof_logger.merge_default_with_oplog(graph, None, run_meta, add_trace=True)
    wanted = _checkers(ALL_ADVICE if options == 0 else options)
    stats = _stats(graph, log)
    if run_meta:
        stats.add_step(0, run_meta)
    return tfprof_advisor.advise(stats, wanted)


def _checkers(options: dict[str, dict[str, str]] | None) -> list[str]:
    if any((options or {}).values()):
        raise TypeError("'CheckerOption' object does not support item assignment")
    return list(options or {})


@tf_export("profiler.Profiler")
class Profiler:
    """Profiles of several steps of a graph; see `profile`.

    Args:
      graph: a `Graph`; the default graph by default.
      op_log: an `OpLogProto`.
    """

    def __init__(self, graph: Graph | None = None, op_log: Any = None):
        self._coverage = 0.0
        self._graph = _graph(graph)
        log = tfprof_logger.merge_default_with_oplog(self._graph, op_log=op_log)
        self._stats = _stats(self._graph, log)

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds what a run took.

        Args:
          step: a number; runs of one number are one step.
          run_meta: a `RunMetadata`.
        """
        log = tfprof_logger.merge_default_with_oplog(self._graph, run_meta=run_meta)
        self._stats.add_graph(self._graph)
        self._stats.add_log(log)
        self._stats.add_step(step, run_meta)
        self._coverage = self._stats.coverage

    def profile_python(self, options: Any) -> Any:
        """A `MultiGraphNodeProto` of the lines that made operations.

        Args:
          options: those of a `ProfileOptionBuilder`.
        """
        return _view(self._stats, "code", options)

    def profile_operations(self, options: Any) -> Any:
        """A `MultiGraphNodeProto` of the types of operations.

        Args:
          options: those of a `ProfileOptionBuilder`.
        """
        return _view(self._stats, "op", options)

    def profile_name_scope(self, options: Any) -> Any:
        """A `GraphNodeProto` of nested names.

        Args:
          options: those of a `ProfileOptionBuilder`.
        """
        return _view(self._stats, "scope", options)

    def profile_graph(self, options: Any) -> Any:
        """A `GraphNodeProto` of operations and what they take.

        Args:
          options: those of a `ProfileOptionBuilder`.
        """
        return _view(self._stats, "graph", options)

    def advise(self, options: Any) -> Any:
        """An `AdviceProto`; see `tf.profiler.advise`.

        Args:
          options: {checker: {}}, names of `ALL_ADVICE`.
        """
        return tfprof_advisor.advise(self._stats, _checkers(options))

    def serialize_to_string(self) -> bytes:
        """What is known, as a serialized `ProfileProto`, which TF's tool `tfprof` reads."""
        return tfprof_proto.profile(self._stats).SerializeToString()

    def _write_profile(self, filename: Any) -> None:
        with GFile(filename, "wb") as file:
            file.write(self.serialize_to_string())
