"""Tensors' values as TF's C++ quotes them, in error texts and in what programs print."""

from __future__ import annotations

from typing import Any

import numpy as np


def summarize(value: Any, limit: int = -1) -> str:
    """The first elements of an array: `1 2 3`, `[1 2][3...]...` (as `Tensor::SummarizeValue`).

    Args:
      value: an array (of objects, for strings).
      limit: how many elements are shown; -1 for all.
    """
    array = np.asarray(value)
    shown = array.size if limit < 0 else min(limit, array.size)
    items = [_text(item) for item in array.reshape(-1)[:shown]]
    rest = "..." if array.size > shown else ""
    if array.dtype.kind == "c":  # TF has no text for its elements, nor for its rows.
        return " ".join(items) + rest
    if not array.ndim:
        return "".join(items) + rest
    return _rows(array.shape, 0, iter(items), [shown]) + rest


def _rows(shape: tuple[int, ...], depth: int, items: Any, left: list[int]) -> str:
    """The elements of one dimension; `left` holds how many may still be shown."""
    if left[0] <= 0:
        return ""
    size = shape[depth]
    if depth == len(shape) - 1:
        count = min(size, left[0])
        left[0] -= count
        text = " ".join(next(items) for _ in range(count))
        return text + "..." if count < size and depth else text
    text = ""
    for _ in range(size):
        if left[0] <= 0:
            break
        text += f"[{_rows(shape, depth + 1, items, left)}]"
    return text


def summarize_v2(value: Any, at_ends: int = 3) -> str:
    """The elements at both ends of each dimension: `[1 2 3 ... 7 8 9]` (as `tf.print` shows them).

    Args:
      value: an array (of objects, for strings).
      at_ends: how many elements are shown at each end; -1 for all.
    """
    array = np.asarray(value)
    if not array.ndim:
        return _text(array[()], quoted=True)
    return _ends(array, array.size if at_ends < 0 else min(at_ends, array.size), 0)


def _ends(array: np.ndarray, at_ends: int, depth: int) -> str:
    """The elements of one dimension, which `depth` others enclose."""
    last = array.ndim == 1
    gap = " " if last else "\n" * (array.ndim - 1) + " " * (depth + 1)

    def one(part: Any) -> str:
        return _text(part, quoted=True) if last else _ends(part, at_ends, depth + 1)

    text = gap.join(one(part) for part in array[:at_ends])
    if len(array) > 2 * at_ends:
        text += f"{gap}..."
    tail = array[max(at_ends, len(array) - at_ends) :]
    return f"[{text}{''.join(gap + one(part) for part in tail)}]"


def _text(item: Any, quoted: bool = False) -> str:
    """One element."""
    if isinstance(item, bytes | str):
        text = escaped(item if isinstance(item, bytes) else item.encode())
        return f'"{text}"' if quoted else text
    item = np.asarray(item)[()]
    if isinstance(item, np.floating):
        return _float_text(item)
    if isinstance(item, np.bool_ | np.integer):
        return str(int(item))
    return "?"


def _float_text(item: Any) -> str:
    """A float by as few digits as give it back."""
    if item.dtype.itemsize > 4:
        kind, short, long = np.float64, 15, 17
    else:
        kind, short, long = np.float32, 6, 9
    item = kind(item)
    if not np.isfinite(item):
        return str(float(item))
    if abs(item) < np.finfo(kind).tiny:
        return "-0" if np.signbit(item) else "0"
    text = f"{item:.{short}g}"
    return text if kind(text) == item else f"{item:.{long}g}"


_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}


def escaped(text: bytes) -> str:
    """A string as C++ source has it."""
    return "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in text
    )
