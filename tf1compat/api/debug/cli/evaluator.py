"""Expressions of dumped tensors (`tensorflow.python.debug.cli.evaluator`)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tf1compat.api.debug.lib.debug_dump import (
    DebugDumpDir,
    WatchKeyDoesNotExistInDebugDumpDirError,
)

_QUOTED = re.compile(r"`([^`]*)`")
# A device, a node, an output, a debug op, and which of several dumps.
_NAME = re.compile(
    r"(?:(?P<device>/job:.*?/replica:\d+/task:\d+/(?:device:)?\w+:\d+):)?(?P<rest>.*)"
)
_TIMES = re.compile(r"(.*)\[(\d+)\]$")


def _parse_debug_tensor_name(debug_tensor_name: str) -> tuple[str | None, str, int, str, int]:
    """The parts of a dumped tensor's name, e.g. "/job:w/replica:0/task:0/cpu:0:a/b:0:DebugX[1]".

    Returns:
      The device (None for any), the node, its output, the debug op, and which of several dumps.

    Raises:
      ValueError: it is malformed.
    """
    match = _NAME.match(debug_tensor_name)
    assert match is not None
    parts = match["rest"].split(":")
    if len(parts) not in (2, 3):
        raise ValueError(
            "The debug tensor name in the to-be-evaluated expression is malformed: "
            f"'{match['rest']}'"
        )
    times = _TIMES.match(parts[-1])
    if times and len(parts) == 2:
        parts[-1] = times[1]
    node, slot, debug_op = parts if len(parts) == 3 else (*parts, "DebugIdentity")
    return match["device"], node, int(slot), debug_op, int(times[2]) if times else 0


class ExpressionEvaluator:
    """Evaluates Python expressions in which names in backticks are dumped tensors.

    Args:
      dump: the dump.
    """

    def __init__(self, dump: DebugDumpDir):
        self._dump = dump

    def evaluate(self, expression: str) -> Any:
        """Evaluates an expression, e.g. "np.sum(`ns/y:0`)".

        Raises:
          ValueError: a tensor was not dumped, or its name is malformed.
        """
        values: list[Any] = []

        def name_of(match: re.Match[str]) -> str:
            values.append(self._value(match[1].strip()))
            return f"_tensors[{len(values) - 1}]"

        rewritten = _QUOTED.sub(name_of, expression)
        # What users type at their own prompt is their program.
        return eval(rewritten, {"np": np, "_tensors": values})

    def _value(self, text: str) -> Any:
        device, node, slot, debug_op, index = _parse_debug_tensor_name(text)
        debug_op = debug_op.partition("[")[0]
        try:
            found = self._dump.get_tensors(node, slot, debug_op, device_name=device)
        except WatchKeyDoesNotExistInDebugDumpDirError:
            found = []
        if index >= len(found):
            raise ValueError(
                f"Eval failed due to the value of {node}:{slot}:DebugIdentity being unavailable"
            )
        return found[index]
