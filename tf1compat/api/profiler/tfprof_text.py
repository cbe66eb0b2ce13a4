"""How a profile is written: numbers, columns, their order."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

ROOT = "_TFProfRoot"
_MICROS = "total execution time: Sum of accelerator execution time and cpu execution time."
_CPU = (
    "cpu execution time: The time from the start to the end of the operation. It's the sum of "
    "actual cpu run time plus the time that it spends waiting if part of computation is launched "
    "asynchronously."
)
_ACCELERATOR = (
    "accelerator execution time: Time spent executing on the accelerator. This is normally "
    "measured by the actual hardware library."
)
# Attribute -> its explanation.
_EXPLAINED = {
    "bytes": "requested bytes: The memory requested by the operation, accumulatively.",
    "peak_bytes": "peak bytes: The peak amount of memory that the operation is holding at some "
    "point.",
    "residual_bytes": "residual bytes: The memory not de-allocated after the operation finishes.",
    "output_bytes": "output bytes: The memory that is output from the operation (not necessarilty "
    "allocated by the operation)",
    "micros": f"{_MICROS}\n{_CPU}\n{_ACCELERATOR}",
    "accelerator_micros": _ACCELERATOR,
    "cpu_micros": _CPU,
    "params": "param: Number of parameters (in the Variable).",
    "float_ops": "flops: Number of float operations. Note: Please read the implementation for the "
    "math behind it.",
    "tensor_value": "tensor_value: Not supported now.",
    "device": "device: which device is placed on.",
    "op_types": "op_types: The attributes of the operation, includes the Kernel name device placed "
    "on and user-defined strings.",
    "occurrence": "occurrence: The number of times it occurs",
    "input_shapes": "input shape: The shape of input tensors",
}
_VIEWS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is "
    "hierarchical like filesystem.",
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging "
    "to the same type are aggregated together.",
    "code": "code: When python trace is available, the nodes are python lines and their are "
    "organized by the python call stack.",
}
_VIEWS["graph"] = _VIEWS["scope"]
# Column -> its title; "micros" has three columns.
TITLES = {
    "params": "# parameters",
    "float_ops": "# float_ops",
    "bytes": "requested bytes",
    "peak_bytes": "peak bytes",
    "residual_bytes": "residual bytes",
    "output_bytes": "output bytes",
    "micros": "total execution time",
    "accelerator_micros": "accelerator execution time",
    "cpu_micros": "cpu execution time",
    "device": "assigned devices",
    "op_types": "op types",
    "occurrence": "op count (run|defined)",
    "input_shapes": "input shapes",
}
_MULTI_ORDER = (
    "bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros", "accelerator_micros",
    "cpu_micros", "params", "float_ops", "device", "op_types", "occurrence", "input_shapes",
)  # fmt: skip
# Column of a number -> (field of the protos, how it is written, what it is called in the lines).
NUMBERS: dict[str, tuple[str, Callable[[int], str], tuple[str, str]]] = {}
_HEADER = (
    "max_depth min_bytes min_peak_bytes min_residual_bytes min_output_bytes min_micros "
    "min_accelerator_micros min_cpu_micros min_params min_float_ops min_occurrence step order_by "
    "account_type_regexes start_name_regexes trim_name_regexes show_name_regexes "
    "hide_name_regexes account_displayed_op_only select output"
).split()


def number(value: int) -> str:
    """A count, as "1.50m"."""
    return _scaled(value, ("", "k", "m", "b"))


def memory(value: int) -> str:
    """A number of bytes, as "12.35MB"."""
    return _scaled(value, ("B", "KB", "MB"))


def time(value: int) -> str:
    """A number of microseconds, as "1.23sec"."""
    return _scaled(value, ("us", "ms", "sec"))


def _scaled(value: int, units: tuple[str, ...]) -> str:
    for power, unit in enumerate(units):
        if value < 1000 ** (power + 1) or power == len(units) - 1:
            return f"{value / 1000**power:.2f}{unit}" if power else f"{value}{unit}"
    raise AssertionError(value)


NUMBERS |= {
    "params": ("parameters", number, (" params", " params")),
    "float_ops": ("float_ops", number, (" flops", " float_ops")),
    "bytes": ("requested_bytes", memory, ("", "")),
    "peak_bytes": ("peak_bytes", memory, ("", "")),
    "residual_bytes": ("residual_bytes", memory, ("", "")),
    "output_bytes": ("output_bytes", memory, ("", "")),
    "micros": ("exec_micros", time, ("", "")),
    "accelerator_micros": ("accelerator_exec_micros", time, ("", "")),
    "cpu_micros": ("cpu_exec_micros", time, ("", "")),
}


def columns(select: list[str], multi: bool) -> list[str]:
    """The columns of what is selected, in TF's order.

    Args:
      select: attributes.
      multi: whether lines stand for several operations.
    """
    chosen = set(select)
    if "micros" in chosen:
        chosen |= {"accelerator_micros", "cpu_micros"}
    return [key for key in (_MULTI_ORDER if multi else TITLES) if key in chosen]


def header(options: dict[str, Any]) -> Iterator[str]:
    """What stands before a report on standard output."""
    yield "\n=========================Options============================="
    for key in _HEADER:
        value = options[key]
        if isinstance(value, bool):
            value = str(value).lower()
        text = ",".join(value) if isinstance(value, list) else str(value)
        yield f"-{key:<27}{text}{':' if key == 'output' else ''}"
    yield "\n==================Model Analysis Report======================"


def report(cmd: str, options: dict[str, Any], lines: list[str]) -> Iterator[str]:
    """A report's lines: explanations, titles, the profile."""
    yield "\nDoc:"
    yield _VIEWS[cmd]
    yield from (_EXPLAINED.get(key, f"Unknown select: {key}") for key in options["select"])
    yield "\nProfile:"
    titles = dict(TITLES)
    if cmd in ("op", "code"):
        titles["occurrence"] = "op occurrence (run|defined)"
    shown = columns(options["select"], cmd in ("op", "code"))
    yield "node name | " + " | ".join(titles[key] for key in shown)
    yield from lines


# TF sorts by C++'s std::sort, in which the order of what is equal follows from the algorithm.

_SMALL = 16


def sort(items: list[Any], less: Callable[[Any, Any], bool]) -> list[Any]:
    """Sorts as GNU's std::sort does: introsort down to 16, then by insertion.

    Args:
      items: anything.
      less: whether the first is before the second.
    """
    found = list(items)
    if len(found) > 1:
        _partition_all(found, 0, len(found), 2 * int(math.log2(len(found))), less)
        for i in range(1, min(len(found), _SMALL)):
            if less(found[i], found[0]):
                found.insert(0, found.pop(i))
            else:
                _insert(found, i, less)
        for i in range(_SMALL, len(found)):
            _insert(found, i, less)
    return found


def _insert(items: list[Any], i: int, less: Callable[[Any, Any], bool]) -> None:
    item, place = items[i], i
    while less(item, items[place - 1]):
        items[place] = items[place - 1]
        place -= 1
    items[place] = item


def _partition_all(
    items: list[Any], first: int, last: int, depth: int, less: Callable[[Any, Any], bool]
) -> None:
    while last - first > _SMALL:
        if depth == 0:  # Where nothing divides well; GNU's takes a heap.
            order = functools.cmp_to_key(lambda a, b: -1 if less(a, b) else int(less(b, a)))
            items[first:last] = sorted(items[first:last], key=order)
            return
        depth -= 1
        _median_first(items, first, (first + 1, first + (last - first) // 2, last - 1), less)
        left, right = first + 1, last
        while True:
            while less(items[left], items[first]):
                left += 1
            right -= 1
            while less(items[first], items[right]):
                right -= 1
            if left >= right:
                break
            items[left], items[right] = items[right], items[left]
            left += 1
        _partition_all(items, left, last, depth, less)
        last = left


def _median_first(
    items: list[Any], first: int, places: tuple[int, int, int], less: Callable[[Any, Any], bool]
) -> None:
    a, b, c = places
    if less(items[a], items[b]):
        chosen = b if less(items[b], items[c]) else c if less(items[a], items[c]) else a
    else:
        chosen = a if less(items[a], items[c]) else c if less(items[b], items[c]) else b
    items[first], items[chosen] = items[chosen], items[first]
