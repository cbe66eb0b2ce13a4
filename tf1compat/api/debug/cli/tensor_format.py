"""Tensors as lines of text (`tensorflow.python.debug.cli.tensor_format`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.api.debug.cli.debugger_cli_common import RichLine, RichTextLines
from tf1compat.api.debug.lib.debug_data import InconvertibleTensorProto

#: What a line's annotation calls the indices of its first element; of what it leaves out.
BEGIN_INDICES_KEY = "i0"
OMITTED_INDICES_KEY = "omitted"
DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR = "bold"

_METADATA = "tensor_metadata"
# How NumPy wrote values in TF 1.15's time.
_LEGACY = "1.25"
# What NumPy writes in place of elements; numbers of one digit and no point are no element.
_OMISSION = "...,"
_ELEMENT = re.compile(r"[-+]?([0-9][-+0-9eE\.]+|nan|inf)(\s|,|\])")
_BRACKET = re.compile(r"[\[\],]")


class HighlightOptions:
    """Which elements are marked.

    Args:
      criterion: a function of the array that gives an array of booleans.
      description: what it is called.
      font_attr: how such elements look.
    """

    def __init__(
        self, criterion: Callable[[Any], Any], description: str | None = None,
        font_attr: Any = DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR,
    ):  # fmt: skip
        self.criterion = criterion
        self.description = description
        self.font_attr = font_attr


def format_tensor(
    tensor: Any, tensor_label: str | None, include_metadata: bool = False,
    auxiliary_message: RichTextLines | None = None, include_numeric_summary: bool = False,
    np_printoptions: Mapping[str, Any] | None = None,
    highlight_options: HighlightOptions | None = None,
) -> RichTextLines:  # fmt: skip
    """Lines that show a tensor.

    Args:
      tensor: an array, an InconvertibleTensorProto, or anything else.
      tensor_label: what to call it; nothing if None.
      include_metadata: whether an array's type and shape are said.
      auxiliary_message: lines before an array.
      include_numeric_summary: whether an array's numbers are summed up.
      np_printoptions: options of NumPy's `printoptions`.
      highlight_options: which elements of an array are marked, and counted.

    Returns:
      The lines; those with elements are annotated with the indices of the first one.
    """
    said = RichTextLines([])
    is_array = isinstance(tensor, np.ndarray)
    marked = highlight_options if is_array else None
    where = None if marked is None else np.asarray(marked.criterion(tensor))
    if tensor_label is not None:
        title = RichLine('Tensor "') + _label(tensor_label, is_array) + '":'
        if marked is not None and where is not None:
            about = f"({marked.description})" if marked.description else ""
            count = np.count_nonzero(where)
            share = count / where.size if where.size else 0.0
            title += f" Highlighted{about}: {count} of {where.size} element(s) ({share:.2%})"
        said.append_rich_line(title)
    if is_array and include_metadata:
        said.extend(RichTextLines([f"  dtype: {tensor.dtype!s}", f"  shape: {tensor.shape}"]))
    if said.lines:
        said.append("")
    if not is_array:
        said.extend(RichTextLines(_shown(tensor).split("\n")))
        return said
    if auxiliary_message is not None:
        said.extend(auxiliary_message)
    if include_numeric_summary:
        said.append("Numeric summary:")
        said.extend(numeric_summary(tensor))
        said.append("")
    with np.printoptions(**{"legacy": _LEGACY, **(np_printoptions or {})}):
        lines = repr(tensor).split("\n")
        edge = int(np.get_printoptions()["edgeitems"])
    # The lines of texts, which may hold brackets, are not annotated.
    notes: dict[Any, Any] = {}
    if tensor.dtype.type is not np.bytes_:
        notes = _annotations(lines, tensor.shape, edge)
        notes[_METADATA] = {"dtype": tensor.dtype, "shape": tensor.shape}
    said.extend(RichTextLines(lines, annotations=notes))
    if marked is not None and where is not None:
        _mark(said, np.argwhere(where).tolist(), marked.font_attr)
    return said


def _label(label: str, is_array: bool) -> RichLine:
    """A name, with what is behind its last colon apart: a debug op."""
    line = RichLine(label)
    at = label.rfind(":")
    if is_array and label[at + 1 :].isdecimal() and at >= 0:
        line.font_attr_segs = [(0, len(label), "bold")]
    elif is_array:
        line.font_attr_segs = [(0, at, "bold"), (at + 1, len(label), "yellow")]
    return line


def _shown(value: Any) -> str:
    with np.printoptions(legacy=_LEGACY):
        return str(value) if isinstance(value, InconvertibleTensorProto) else repr(value)


def _annotations(lines: Sequence[str], shape: tuple[int, ...], edge: int) -> dict[Any, Any]:
    """Row -> the indices of its first element, by the brackets and commas before it."""
    at, depth = [0] * len(shape), 0
    notes: dict[Any, Any] = {}
    if not shape:
        return notes
    for row, line in enumerate(lines):
        text = line.strip()
        if text == _OMISSION:
            notes[row] = {OMITTED_INDICES_KEY: list(at)}
            at[depth - 1] = shape[depth - 1] - edge
        elif text:
            first = list(at)
            notes[row] = {BEGIN_INDICES_KEY: first}
            for sign in _BRACKET.findall(text):
                if sign == "[":
                    depth += 1
                elif sign == "]":
                    depth -= 1
                    at[depth:] = [0] * (len(shape) - depth)
                elif depth:
                    at[depth - 1] += 1
            if not depth:  # A line behind the array is said to be where its last one is.
                at = list(first)
    return notes


def _mark(formatted: RichTextLines, indices: list[list[int]], attr: Any) -> None:
    if not indices:
        return
    _, rows, begins, ends = locate_tensor_element(formatted, indices)
    for row, begin, end in zip(rows, begins, ends, strict=True):
        if begin is not None:
            formatted.font_attr_segs.setdefault(row, []).append((begin, end, attr))


def locate_tensor_element(formatted: RichTextLines, indices: list[Any]) -> tuple[Any, ...]:
    """Where elements of a tensor are in the lines that show it.

    Args:
      formatted: the lines.
      indices: the indices of the element; or those of several, in order.

    Returns:
      Whether it is left out, its row, and where it begins and ends there: None if it is not
      shown, or is a number of one digit.  Of several elements, lists of these.

    Raises:
      AttributeError: the lines are not those of a tensor.
      ValueError: there are no such elements, or they are in another order.
    """
    several = isinstance(indices[0], list)
    wanted: list[list[int]] = indices if several else [indices]
    _check(formatted, wanted)
    rows = sorted(
        (row, next(iter(note.items())))
        for row, note in formatted.annotations.items()
        if isinstance(row, int) and (BEGIN_INDICES_KEY in note or OMITTED_INDICES_KEY in note)
    )
    found, i = [], 0
    for element in wanted:
        while i + 1 < len(rows) and rows[i + 1][1][1] <= element:
            i += 1
        row, (kind, first) = rows[i]
        omitted = kind == OMITTED_INDICES_KEY
        place: tuple[int | None, int | None] = (None, None)
        if not omitted:
            places = list(_elements(formatted.lines[row]))
            offset = element[-1] - first[-1]
            place = places[offset] if offset < len(places) else place
        found.append((omitted, row, *place))
    return tuple(map(list, zip(*found, strict=True))) if several else found[0]


def _elements(line: str) -> Iterator[Any]:
    """Where the elements are that a line shows before it leaves some out."""
    for match in _ELEMENT.finditer(line.partition("...")[0]):
        yield match.start(), match.end() - 1


def _check(formatted: RichTextLines, wanted: list[list[int]]) -> None:
    if _METADATA not in formatted.annotations:
        raise AttributeError("tensor_metadata is not available in annotations.")
    shape = formatted.annotations[_METADATA]["shape"]
    before: list[int] | None = None
    for element in wanted:
        if len(element) != len(shape):
            raise ValueError(
                f"Dimensions mismatch: requested: {len(element)}; actual: {len(shape)}"
            )
        if any(index >= size for index, size in zip(element, shape, strict=True)):
            raise ValueError("Indices exceed tensor dimensions.")
        if any(index < 0 for index in element):
            raise ValueError("Indices contain negative value(s).")
        if before is not None and element < before:
            raise ValueError("Input indices sets are not in ascending order.")
        before = element


def numeric_summary(tensor: Any) -> RichTextLines:
    """Lines with what sums up an array: how many of which sign; least, largest, mean."""
    if not isinstance(tensor, np.ndarray) or not tensor.size:
        return RichTextLines(["No numeric summary available due to empty tensor."])
    if tensor.dtype == np.bool_:
        counts = {"False": (tensor == 0).sum(), "True": (tensor > 0).sum()}
        return RichTextLines(_table(_nonzero(counts), tensor.size))
    if not np.issubdtype(tensor.dtype, np.number):
        return RichTextLines([f"No numeric summary available due to tensor dtype: {tensor.dtype}."])
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
    return RichTextLines(lines)


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
