"""Tensors as lines of text (`tensorflow.python.debug.cli.tensor_format`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tf1compat.api.debug.cli import command_parser
from tf1compat.api.debug.cli.cli_shared import bytes_to_readable_str
from tf1compat.api.debug.lib.debug_data import InconvertibleTensorProto
from tf1compat.api.platform import gfile

# Arrays of more elements are shortened.
_THRESHOLD = 2000


def format_tensor(
    tensor: Any, name: str, *, print_all: bool = False, slices: str = "", ranges: str = "",
    summary: bool = False, write_path: str = "",
) -> list[str]:  # fmt: skip
    """Lines that show a tensor.

    Args:
      tensor: an array, an InconvertibleTensorProto, or anything else.
      name: what to call it.
      print_all: whether all elements are shown.
      slices: which part of it, "[1, :]"; all if "".
      ranges: the ranges of which it is said how many elements are in them.
      summary: whether its numbers are summed up.
      write_path: a file that it is saved to as `numpy.save` does; none if "".

    Raises:
      ValueError: slices or ranges that are none.
    """
    wanted = command_parser.parse_ranges(ranges)
    value = command_parser.evaluate_tensor_slice(tensor, slices) if slices else tensor
    said = []
    if write_path:
        with gfile.Open(write_path, "wb") as file:
            np.save(file, value)
        size = bytes_to_readable_str(gfile.Stat(write_path).length, include_b=True)
        said = [f"Saved value to: {write_path} ({size})", ""]
    title = f'Tensor "{name}{slices}":'
    if isinstance(value, InconvertibleTensorProto):
        return [title, "", *str(value).split("\n")]
    if not isinstance(value, np.ndarray):
        # NumPy 2 names the type of a scalar in its repr.
        shown = str(value) if isinstance(value, np.generic) else repr(value)
        return [title, "", *shown.split("\n")]
    if wanted:
        # Ends that are infinite are the largest numbers of 64 bits.
        ends = np.asarray(wanted, np.float64)
        inside = np.count_nonzero(sum((value >= low) & (value <= high) for low, high in ends))
        title += (
            f" Highlighted({ranges}): {inside} of {value.size} element(s) "
            f"({inside / value.size * 100:.2f}%)"
        )
    lines = [title, f"  dtype: {value.dtype}", f"  shape: {value.shape}", "", *said]
    if summary:
        lines += ["Numeric summary:", *numeric_summary(value), ""]
    with np.printoptions(threshold=value.size if print_all else _THRESHOLD):
        return [*lines, *repr(value).split("\n")]


def numeric_summary(tensor: Any) -> list[str]:
    """Lines with what sums up an array: how many of which sign; least, largest, mean."""
    if not isinstance(tensor, np.ndarray) or not tensor.size:
        return ["No numeric summary available due to empty tensor."]
    if tensor.dtype == np.bool_:
        counts = {"False": (tensor == 0).sum(), "True": (tensor > 0).sum()}
        return _table(_nonzero(counts), tensor.size)
    if not np.issubdtype(tensor.dtype, np.number):
        return [f"No numeric summary available due to tensor dtype: {tensor.dtype}."]
    below, above = np.isneginf(tensor), np.isposinf(tensor)
    counts = {
        "nan": np.isnan(tensor).sum(),
        "-inf": below.sum(),
        "-": ((tensor < 0) & ~below).sum(),
        "0": (tensor == 0).sum(),
        "+": ((tensor > 0) & ~above).sum(),
        "+inf": above.sum(),
    }
    lines = _table(_nonzero(counts), tensor.size)
    valid = tensor[np.isfinite(tensor)]
    if valid.size:
        stats = {"min": valid.min(), "max": valid.max(), "mean": valid.mean(), "std": valid.std()}
        lines += _table(stats.items())
    return lines


def _nonzero(counts: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, count) for key, count in counts.items() if count]


def _table(items: Iterable[tuple[str, Any]], total: int | None = None) -> list[str]:
    """Two lines: names and values, with a total apart."""
    cells = [(key, str(value)) for key, value in items]
    width = max((len(text) + 1 for cell in cells for text in cell), default=0)
    rows = ["|" + "".join(cell[i].rjust(width) for cell in cells) + " |" for i in range(2)]
    if total is not None:
        last = ("total", str(total))
        width = max(len(last[0]) + 1, len(last[1]))
        rows = [row + text.rjust(width) + " |" for row, text in zip(rows, last, strict=True)]
    return rows
