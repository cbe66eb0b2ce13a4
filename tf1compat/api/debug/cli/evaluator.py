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
        match = _NAME.match(text)
        assert match is not None
        parts = match["rest"].split(":")
        if len(parts) not in (2, 3):
            raise ValueError(
                f"The debug tensor name in the to-be-evaluated expression is malformed: '{text}'"
            )
        times = _TIMES.match(parts[-1])
        if times:
            parts[-1] = times[1]
        node, slot, debug_op = parts if len(parts) == 3 else (*parts, "DebugIdentity")
        index = int(times[2]) if times else 0
        try:
            found = self._dump.get_tensors(node, int(slot), debug_op, device_name=match["device"])
        except WatchKeyDoesNotExistInDebugDumpDirError:
            found = []
        if index >= len(found):
            raise ValueError(
                f"Eval failed due to the value of {node}:{int(slot)}:DebugIdentity being "
                "unavailable"
            )
        return found[index]
