"""What the debugger's prompt says of a run (`tensorflow.python.debug.cli.cli_shared`)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from tf1compat.api.debug.lib import common
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

TIME_UNITS = ["us", "ms", "s"]
_BAR = "=" * 38
_RULE = "-" * 38
LOGO = (
    "",
    "TTTTTT FFFF DDD  BBBB   GGG ",
    "  TT   F    D  D B   B G    ",
    "  TT   FFF  D  D BBBB  G  GG",
    "  TT   F    D  D B   B G   G",
    "  TT   F    DDD  BBBB   GGG ",
    "",
)


def bytes_to_readable_str(num_bytes: int | None, include_b: bool = False) -> str:
    """A number of bytes as a short text, "11.89k"."""
    if num_bytes is None:
        return "None"
    end = "B" if include_b else ""
    if num_bytes < 1 << 10:
        return f"{num_bytes:d}{end}"
    power = min((num_bytes.bit_length() - 1) // 10, 3)
    return f"{num_bytes / (1 << 10 * power):.2f}{' kMG'[power]}{end}"


def time_to_readable_str(value_us: float, force_time_unit: str | None = None) -> str:
    """A time in microseconds as a short text, "1.3ms".

    Raises:
      ValueError: the unit is none of `TIME_UNITS`.
    """
    if not value_us:
        return "0"
    if force_time_unit and force_time_unit not in TIME_UNITS:
        raise ValueError(f"Invalid time unit: {force_time_unit}")
    if force_time_unit:
        order = TIME_UNITS.index(force_time_unit)
    else:
        order = min(len(TIME_UNITS) - 1, int(math.log10(value_us) / 3))
    digits = ".10g" if force_time_unit else ".3g"
    return f"{value_us / 1000.0**order:{digits}}{TIME_UNITS[order]}"


def _recommend(command: str, description: str) -> list[str]:
    return [f"  {command}:", f"    {description}"]


def get_run_start_intro(
    run_call_count: int, fetches: Any, feed_dict: dict[Any, Any], tensor_filters: Iterable[str],
    is_callable_runner: bool = False,
) -> list[str]:  # fmt: skip
    """What is said before a run.

    Args:
      run_call_count: the how-manieth run it is.
      fetches, feed_dict: see `Session.run`.
      tensor_filters: the names of the filters.
      is_callable_runner: whether it is a call of what `Session.make_callable` gave.
    """
    if is_callable_runner:
        said = ["Running a runner returned by Session.make_callable()"]
    else:
        feeds = [common.get_graph_element_name(key) for key in feed_dict or ()] or ["(Empty)"]
        said = [
            f"Session.run() call #{run_call_count}:",
            "",
            "Fetch(es):",
            *(f"  {name}" for name in common.get_flattened_names(fetches)),
            "",
            "Feed dict:",
            *(f"  {name}" for name in feeds),
        ]
    return [
        _BAR,
        *said,
        _BAR,
        "",
        "Select one of the following commands to proceed ---->",
        *_recommend("run", "Execute the run() call with debug tensor-watching"),
        *_recommend("run -n", "Execute the run() call without debug tensor-watching"),
        *_recommend(
            "run -t <T>",
            "Execute run() calls (T - 1) times without debugging, then execute run() once more "
            "with debugging and drop back to the CLI",
        ),
        *_recommend(
            "run -f <filter_name>",
            "Keep executing run() calls until a dumped tensor passes a given, registered filter "
            "(conditional breakpoint mode)",
        ),
        "    Registered filter(s):",
        *([f"        * {name}" for name in tensor_filters] or ["        (None)"]),
        "",
        "For more details, see help..",
        "",
    ]


def get_run_short_description(
    run_call_count: int, fetches: Any, feed_dict: dict[Any, Any], is_callable_runner: bool = False
) -> str:
    """A run in one line; the arguments are those of `get_run_start_intro`."""
    if is_callable_runner:
        return "runner from make_callable()"
    if isinstance(fetches, Tensor | Operation | Variable):
        fetched = f"1 fetch ({fetches.name})"
    else:
        count = len(common.get_flattened_names(fetches))
        fetched = f"{count} fetch{'es' if count > 1 else ''}"
    fed = "0 feeds" if not feed_dict else f"{len(feed_dict)} feeds"
    if feed_dict and len(feed_dict) == 1:
        fed = f"1 feed ({common.get_graph_element_name(*feed_dict)})"
    return f"run #{run_call_count}: {fetched}; {fed}"


def get_error_intro(tf_error: Any) -> list[str]:
    """What is said after a run that failed."""
    name = getattr(getattr(tf_error, "op", None), "name", None)
    if name is None:
        advice = ["WARNING: Cannot determine the name of the op that caused the error."]
    else:
        advice = [
            "You may use the following commands to debug:",
            *_recommend(f"ni -a -d -t {name}", "Inspect information about the failing op."),
            *_recommend(f"li -r {name}", "List inputs to the failing op, recursively."),
            *_recommend("lt", "List all tensors dumped during the failing run() call."),
        ]
    return [
        _RULE,
        "!!! An error occurred during the run !!!",
        "",
        *advice,
        "",
        f"Op name:    {name}",
        f"Error type: {type(tf_error)}",
        "",
        "Details:",
        *str(tf_error).split("\n"),
        "",
        _RULE,
        "",
    ]
