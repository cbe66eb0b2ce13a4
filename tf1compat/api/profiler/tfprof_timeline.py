"""Profiles as files for chrome://tracing."""

from __future__ import annotations

import json
import sys
from typing import Any

from tf1compat.api.platform.gfile import GFile
from tf1compat.api.profiler.tfprof_stats import Stats
from tf1compat.api.profiler.tfprof_views import Line

Event = dict[str, Any]


def write(cmd: str, stats: Stats, root: Line, step: int, path: str) -> None:
    """Writes a view as events; the file's name ends in the step.

    Args:
      cmd: which view it is.
      stats: what is known.
      root: the view.
      step: which one; below 0 the operations of each step are written to a file.
      path: where to.
    """
    if cmd == "op":
        sys.stderr.write("op view doesn't support timeline yet. Consider graph/scope/code view.\n")
        return
    if cmd != "graph":
        _save(_nested(root), path, step)
        return
    for each in sorted(stats.steps) if step < 0 else [step]:
        print("generating trace file.")
        _save(_executions(stats, root, each), path, each)


def _save(events: list[Event], path: str, step: int) -> None:
    path = f"{path}_{step}"
    with GFile(path, "w") as file:
        file.write(json.dumps({"traceEvents": events}, separators=(",", ":"), sort_keys=True))
        file.write("\n")
    stars = "*" * 54
    print(f"\n{stars}\nTimeline file is written to {path}.")
    print("Open a Chrome browser, enter URL chrome://tracing and load the timeline file.")
    print(stars)


def _process(pid: int, name: str) -> Event:
    return {"args": {"name": name}, "name": "process_name", "ph": "M", "pid": pid}


def _nested(root: Line) -> list[Event]:
    """Each line as long as its total, within the one that it is below."""
    events: list[Event] = []
    depths: set[int] = set()

    def add(line: Line, depth: int, start: int) -> int:
        length = line.total["exec_micros"]
        if length <= 0:
            return 0
        if depth not in depths:
            depths.add(depth)
            events.append(_process(depth, f"Scope:{depth}"))
        events.append({
            "args": {"name": line.name, "op": line.name}, "cat": "Op", "dur": length,
            "name": line.name, "ph": "X", "pid": depth, "tid": 0, "ts": start,
        })  # fmt: skip
        for child in line.shown:
            start += add(child, depth + 1, start)
        return length

    add(root, 0, 0)
    return events


def _executions(stats: Stats, root: Line, step: int) -> list[Event]:
    """When operations ran, a process a device; arrows where devices give something to others."""
    processes: dict[str, list[tuple[int, int, str]]] = {}

    def gather(line: Line) -> None:
        for node in line.nodes:
            if step in node.executions:
                found = node.executions[step]
                for device, pairs in sorted((found.scheduled | found.accelerated).items()):
                    spans = processes.setdefault(device, [])
                    spans += [(start, micros, node.name) for start, micros in pairs]
        for child in line.shown:
            gather(child)

    gather(root)
    events = []
    for pid, device in enumerate(processes):
        kind = "execution" if "stream:all" in device else "scheduling"
        events.append(_process(pid, f"Op {kind} threads: {device}"))
    placed: dict[str, tuple[int, int, int, int]] = {}  # process, lane, start, end
    for pid, (device, spans) in enumerate(processes.items()):
        lanes: list[list[tuple[int, int, str]]] = []
        for span in sorted(spans):
            free = (i for i, lane in enumerate(lanes) if sum(lane[-1][:2]) <= span[0])
            lane = next(free, None)
            if lane is None:
                lane = len(lanes)
                lanes.append([])
            lanes[lane].append(span)
        for tid, lane in enumerate(lanes):
            for start, micros, name in lane:
                events.append({
                    "args": {"name": name}, "cat": "Op", "dur": micros, "name": name, "ph": "X",
                    "pid": pid, "tid": tid, "ts": start,
                })  # fmt: skip
                if "stream:all" not in device:
                    placed[name] = (pid, tid, start, start + micros)
    takers: dict[str, list[str]] = {}
    for name, node in stats.nodes.items():
        for source in dict.fromkeys(node.inputs.values()):
            takers.setdefault(source, []).append(name)
    number = 0
    for name, (pid, tid, _, end) in placed.items():
        for taker in takers.get(name, ()):
            if taker in placed and placed[taker][0] != pid:
                number += 1
                there = placed[taker]
                for ph, where in (("s", (pid, tid, end)), ("t", there[:3])):
                    events.append({
                        "cat": "DataFlow", "id": number, "name": f"{name}_flow", "ph": ph,
                        "pid": where[0], "tid": where[1], "ts": where[2],
                    })  # fmt: skip
    return events
