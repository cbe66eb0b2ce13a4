"""Text in the encodings of Unicode, on the host."""

from __future__ import annotations

import codecs
import functools
import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.kernels.framework.common import same
from tf1compat.kernels.text.string import each, invalid

_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_LAST = 0x10FFFF
_LAST_CONTROL = 0x1F


def _codec(name: str) -> str:
    try:
        return codecs.lookup(_ENCODINGS.get(name, name)).name
    except LookupError:
        raise invalid(f"Could not create converter for input encoding: {name}") from None


def _ordered(data: bytes, codec: str) -> tuple[str, int]:
    """The codec of one byte order for text that may begin with a mark of it, and how long that is;
    without a mark the most significant byte comes first."""
    if codec not in ("utf-16", "utf-32"):
        return codec, 0
    marks = {order: "\ufeff".encode(f"{codec}-{order}") for order in ("be", "le")}
    order = next((order for order, mark in marks.items() if data.startswith(mark)), None)
    return f"{codec}-{order or 'be'}", len(marks[order]) if order else 0


def _pieces(data: bytes, codec: str) -> Iterator[tuple[str | None, int]]:
    """The characters of encoded text, each with the place of its first byte; None for bytes that
    are none."""
    codec, mark = _ordered(data, codec)
    at = mark
    while at < len(data):
        rest = data[at:]
        try:
            text, bad = rest.decode(codec), None
        except UnicodeDecodeError as error:
            text, bad = rest[: error.start].decode(codec), error
        start = at
        for char in text:
            # The mark of the byte order belongs to what follows it.
            yield char, start if start > mark else 0
            start += len(char.encode(codec))
        if bad is None:
            return
        yield None, start if start > mark else 0
        at += bad.end


def _code_points(
    data: bytes, codec: str, errors: str, replacement: int, replace_controls: bool
) -> Iterator[tuple[int, int]]:
    """The code points of encoded text, each with the place of its first byte.

    Raises:
      InvalidArgumentError: there are bytes that are no character, and `errors` is "strict".
    """
    for char, start in _pieces(data, codec):
        if char is None:
            if errors == "strict":
                raise invalid("Invalid formatting on input string")
            if errors == "replace":
                yield replacement, start
        elif replace_controls and ord(char) <= _LAST_CONTROL:
            yield replacement, start
        else:
            yield ord(char), start


def _check_replacement(char: int) -> None:
    if not 0 <= char <= _LAST:
        raise invalid("replacement_char out of unicode codepoint range")


def _encoded(code_points: Any, encoding: str) -> bytes:
    text = "".join(map(chr, code_points))
    if encoding == "UTF-8":
        # Halves of surrogate pairs that stand next to each other are one character.
        halves = text.encode("utf-16-be", "surrogatepass")
        return halves.decode("utf-16-be", "replace").encode()
    return text.encode(_ENCODINGS[encoding], "surrogatepass")


def _decoded(
    input: Any,
    input_encoding: str,
    errors: str,
    replacement_char: int,
    replace_control_characters: bool,
    Tsplits: Any,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row splits, code points, places) of a batch of texts."""
    _check_replacement(replacement_char)
    codec = _codec(input_encoding)
    settings = codec, errors, replacement_char, replace_control_characters
    rows = [list(_code_points(data, *settings)) for data in input.ravel()]
    splits = np.cumsum([0] + [len(row) for row in rows])
    pairs = np.array([pair for row in rows for pair in row], np.int64).reshape(-1, 2)
    return splits.astype(Tsplits.as_numpy_dtype), pairs[:, 0].astype(np.int32), pairs[:, 1]


def _splits_shape(input: Shape) -> Shape:
    count = shapes.num_elements(input)
    return (None if count is None else count + 1,)


@op("UnicodeDecode", host=True)
class UnicodeDecode:
    def shape(input: Any) -> Any:
        return [_splits_shape(input), (None,)]

    def lower(
        input: Any,
        *,
        input_encoding: str,
        errors: str,
        replacement_char: int,
        replace_control_characters: bool,
        Tsplits: DType,
    ) -> Any:
        settings = input_encoding, errors, replacement_char, replace_control_characters, Tsplits
        return _decoded(input, *settings)[:2]

    fold = lower


@op("UnicodeDecodeWithOffsets", host=True)
class UnicodeDecodeWithOffsets:
    def shape(input: Any) -> Any:
        return [_splits_shape(input), (None,), (None,)]

    def lower(
        input: Any,
        *,
        input_encoding: str,
        errors: str,
        replacement_char: int,
        replace_control_characters: bool,
        Tsplits: DType,
    ) -> Any:
        settings = input_encoding, errors, replacement_char, replace_control_characters, Tsplits
        return _decoded(input, *settings)

    fold = lower


@op("UnicodeEncode", host=True)
class UnicodeEncode:
    def shape(input_values: Any, input_splits: Shape) -> Shape:
        shapes.with_rank(input_values, 1)
        (count,) = shapes.with_rank(input_splits, 1)
        return (shapes.subtract_dims(count, 1),)

    def lower(
        input_values: Any,
        input_splits: np.ndarray,
        *,
        errors: str,
        output_encoding: str,
        replacement_char: int,
    ) -> Any:
        _check_replacement(replacement_char)
        found = np.empty(max(len(input_splits) - 1, 0), object)
        start = 0
        for i, end in enumerate(input_splits[1:].tolist()):
            row = input_values[start:end].tolist()
            if errors == "strict" and any(not 0 <= code <= _LAST for code in row):
                raise invalid("Code point value out of valid Unicode range.")
            if errors == "ignore":
                row = [code for code in row if 0 <= code <= _LAST]
            row = [code if 0 <= code <= _LAST else replacement_char for code in row]
            found[i] = _encoded(row, output_encoding)
            start = max(start, end)
        return found

    fold = lower


@op("UnicodeTranscode", host=True)
class UnicodeTranscode:
    shape = same

    def lower(
        input: Any,
        *,
        input_encoding: str,
        output_encoding: str,
        errors: str,
        replacement_char: int,
        replace_control_characters: bool,
    ) -> Any:
        _check_replacement(replacement_char)
        settings = _codec(input_encoding), errors, replacement_char, replace_control_characters

        def transcode(data: bytes) -> bytes:
            return _encoded([code for code, _ in _code_points(data, *settings)], output_encoding)

        return each(transcode, input)

    fold = lower


@functools.cache
def _scripts() -> tuple[np.ndarray, np.ndarray]:
    """Code points where the script changes, and the script from there on.

    Recorded by oracle/record_unicode_scripts.py: Python's own tables have no scripts.
    """
    path = os.path.join(os.path.dirname(__file__), "unicode_scripts.json")
    with open(path) as file:
        starts, scripts = zip(*json.load(file))
    return np.array(starts), np.array(scripts, np.int32)


@op("UnicodeScript", host=True)
class UnicodeScript:
    shape = same

    def lower(input: Any) -> Any:
        starts, scripts = _scripts()
        found = scripts[np.searchsorted(starts, input, "right") - 1]
        return np.where((input < 0) | (input > _LAST), np.int32(-1), found)

    fold = lower
