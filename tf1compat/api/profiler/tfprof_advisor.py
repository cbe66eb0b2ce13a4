"""What a profile advises: expensive operations, slow layouts, idle accelerators."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tf1compat.api.profiler import tfprof_text as text
from tf1compat.api.profiler.tfprof_stats import Stats
from tf1compat.api.profiler.tfprof_views import CodeView, Line, OpView, ScopeView
from tf1compat.formats import tfprof_pb2

_EVERYTHING: dict[str, Any] = {
    "max_depth": 100, "min_bytes": 0, "min_peak_bytes": 0, "min_residual_bytes": 0,
    "min_output_bytes": 0, "min_micros": 1, "min_accelerator_micros": 0, "min_cpu_micros": 0,
    "min_params": 0, "min_float_ops": 0, "min_occurrence": 0, "step": -1, "order_by": "micros",
    "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
    "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": False,
    "select": ["micros"],
}  # fmt: skip
_MOST = 3  # How many of the most expensive ones are told.


def _times(numbers: dict[str, int], prefix: str = "") -> str:
    cpu, accelerator, both = (
        text.time(numbers[f"{prefix}{key}"])
        for key in ("cpu_exec_micros", "accelerator_exec_micros", "exec_micros")
    )
    return f"cpu: {cpu}, accelerator: {accelerator}, total: {both}"


def _expensive(stats: Stats) -> list[str]:
    if not stats.steps:
        sys.stderr.write("Missing run_meta for ExpensiveOperationChecker\n")
        return []
    root = OpView(stats, _EVERYTHING).build()
    rows, line = [], root
    while line.shown and len(rows) < _MOST:
        line = line.shown[0]
        share = 100 * line.own["exec_micros"] / (root.total["exec_micros"] + 1e-10)
        rows.append(
            f"top {len(rows) + 1} operation type: {line.name}, {_times(line.own)} ({share:.2f}%)"
        )
    reports = ["\n".join(rows)] if rows else []
    scopes = ScopeView(stats, _EVERYTHING | {"min_micros": 100}).build().shown[:_MOST]
    rows = [
        f"top {i + 1} graph node: {line.name}, {_times(line.own)}" for i, line in enumerate(scopes)
    ]
    reports += ["\n".join(rows)] if rows else []
    if not stats.has_traces:
        sys.stderr.write("Missing op_log (code traces) for ExpensiveOperationChecker\n")
        return reports
    line = CodeView(stats, _EVERYTHING | {"min_micros": 100}).build()
    # Lines of libraries are mostly called from one place; a user's own from several.
    while len(line.shown) == 1:
        line = line.shown[0]
    rows = []
    if line.shown:
        _gather_code(line, 0, rows)
        reports.append("\n".join(rows))
    return reports


def _gather_code(line: Line, depth: int, rows: list[str]) -> None:
    if len(line.shown) <= 1 or depth > _MOST:
        return
    for child in line.shown[:_MOST]:
        if child.total["exec_micros"] >= 1000:
            rows.append(f"{'  ' * depth}{child.name}, {_times(child.total)}")
            _gather_code(child, depth + 1, rows)


def _operations(stats: Stats) -> list[str]:
    nodes = stats.nodes.values()
    names = [node.name for node in nodes]
    reports = []
    if any("BatchNorm" in name for name in names) and not any(
        "FusedBatchNorm" in name for name in names
    ):
        reports.append("Maybe use faster FusedBatchNorm instead of BatchNorm")
    if any(node.data_format == "NHWC" and node.on_accelerator for node in nodes):
        reports.append("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.")
    return reports


def _utilization(stats: Stats) -> list[str]:
    busy: dict[str, list[int]] = {}
    for node in stats.nodes.values():
        if not node.on_accelerator or not node.executions:
            continue
        found = busy.setdefault(node.device, [0, 0, 0])
        micros = node.numbers(-1)["accelerator_exec_micros"]
        for execution in node.executions.values():
            spans = [span for pairs in execution.accelerated.values() for span in pairs]
            ends = [execution.end, *(start + length for start, length in spans)]
            found[1] = min(found[1] or execution.start, execution.start)
            found[2] = max(found[2], *ends)
        found[0] += micros
    reports = []
    for device, (micros, start, end) in sorted(busy.items()):
        if end > start:
            share = micros / (end - start)
            low = "low " if share < 0.5 else ""
            reports.append(f"device: {device} {low}utilization: {share:.2f}")
    return reports


# In the order in which they are told.
_CHECKERS: dict[str, Callable[[Stats], list[str]]] = {
    "ExpensiveOperationChecker": _expensive,
    "OperationChecker": _operations,
    "AcceleratorUtilizationChecker": _utilization,
}


def advise(stats: Stats, wanted: Any) -> Any:
    """An `AdviceProto` of the checkers whose names are in `wanted`, which it prints, too."""
    found = tfprof_pb2.AdviceProto()
    for name, check in _CHECKERS.items():
        if name not in wanted:
            continue
        reports = check(stats)
        print(f"\n{name}:")
        for report in reports:
            print(report)
        found.checkers[name].reports.extend(reports)
    sys.stdout.flush()
    return found
