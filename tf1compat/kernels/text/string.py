"""Strings: joining, splitting, searching, hashing, and numbers as text.

A string tensor is an array of bytes objects; everything here works on the host.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.kernels.framework.common import broadcastable, same, scalar_dim, text_of_shape
from tf1compat.kernels.text import regex
from tf1compat.kernels.text.string_hash import fingerprint64, hash64, siphash


def invalid(text: str) -> errors.InvalidArgumentError:
    """The error of inputs that an op can't take."""
    return errors.InvalidArgumentError(None, None, text)


def each(function: Callable[..., Any], *arrays: Any) -> np.ndarray:
    """The function of every element (of arrays that are broadcast), as an array of objects."""
    return np.array(np.frompyfunc(function, len(arrays), 1)(*arrays), dtype=object)


def numbers_of(function: Callable[[bytes], Any], x: np.ndarray, dtype: Any) -> np.ndarray:
    """The function of every string, as an array of `dtype`."""
    return np.array([function(text) for text in x.ravel()], dtype).reshape(x.shape)


def _scalars(*others: Shape) -> None:
    for shape in others:
        shapes.with_rank(shape, 0)


# Case, white space, length.


def _with_case(name: str, change: Callable[[Any], Any]) -> None:
    def lower(input: Any, *, encoding: str) -> Any:
        if encoding == "utf-8":
            return each(lambda text: change(text.decode("utf-8", "replace")).encode(), input)
        if encoding:
            raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
        return each(change, input)

    register(name, shape=same, lower=lower, fold=lower, host=True, elementwise=True)


_with_case("StringLower", lambda text: text.lower())
_with_case("StringUpper", lambda text: text.upper())


def _register_same(name: str, lower: Callable[..., Any], shape: Any = same) -> None:
    register(name, shape=shape, lower=lower, fold=lower, host=True, elementwise=True)


_register_same("StringStrip", lambda input: each(bytes.strip, input))


def utf8_starts(text: bytes) -> list[int]:
    """Where the characters of UTF-8 text start."""
    return [i for i, byte in enumerate(text) if byte & 0xC0 != 0x80]


@op("StringLength", host=True, elementwise=True)
class StringLength:
    shape = same

    def lower(input: Any, *, unit: str) -> Any:
        count = len if unit == "BYTE" else lambda text: len(utf8_starts(text))
        return numbers_of(count, input, np.int32)

    fold = lower


# Parts of strings.


def _part(text: bytes, pos: int, length: int, in_characters: bool) -> bytes | None:
    """What starts at `pos`; None if that is outside."""
    starts = [*utf8_starts(text), len(text)] if in_characters else range(len(text) + 1)
    size = len(starts) - 1
    pos = size + pos if pos < 0 else pos
    if not 0 <= pos <= size:
        return None
    end = size if length < 0 else min(pos + length, size)
    return text[starts[pos] : starts[end]]


@op("Substr", host=True)
class Substr:
    def shape(input: Any, pos: Shape, len: Shape) -> Shape:
        if pos is not None:
            rank = -1 if len is None else len.__len__()  # TF takes an unknown rank for a number.
            if pos.__len__() != rank:
                raise ShapeError(f"Shape must be rank {rank} but is rank {pos.__len__()}")
            if not shapes.compatible(pos, len):
                raise ShapeError(
                    f"pos and len shapes must match: {shapes.to_string(pos)} vs. "
                    f"{shapes.to_string(len)}"
                )
        return shapes.broadcast(input, pos)

    def lower(input: Any, pos: np.ndarray, len: np.ndarray, *, unit: str) -> Any:
        if np.ndim(pos) and not broadcastable(input, pos):
            raise invalid(f"Incompatible shapes: {text_of_shape(input)} vs. {text_of_shape(pos)}")
        if np.shape(pos) == np.shape(input) and np.size(pos) == np.size(len):
            len = np.reshape(len, np.shape(pos))  # TF looks at their shapes only if it has to.
        if np.shape(pos) != np.shape(len):
            raise invalid(
                f"pos and len should have the same shape, got: "
                f"{shapes.to_string(np.shape(pos))} vs. {shapes.to_string(np.shape(len))}"
            )
        texts, starts, lengths = np.broadcast_arrays(input, pos, len)
        found = []
        triples = zip(texts.ravel(), starts.ravel().tolist(), lengths.ravel().tolist())
        for i, (text, start, length) in enumerate(triples):
            part = _part(text, start, length, unit == "UTF8_CHAR")
            if part is None:
                shown = "" if unit == "UTF8_CHAR" else f" b'{regex.decode(text)}'"
                raise invalid(f"pos {start} out of range for string{shown} at index {i}")
            found.append(part)
        return _strings(found, texts.shape)

    fold = lower


def _strings(values: list[bytes], shape: Any = None) -> np.ndarray:
    """An array of strings; a vector unless `shape` says otherwise."""
    array = np.empty(len(values), object)
    array[:] = values
    return array if shape is None else array.reshape(shape)


def _split_shape(input: Shape, delimiter: Shape) -> Any:
    shapes.with_rank(input, 1)
    _scalars(delimiter)
    return [(None, 2), (None,), (2,)]


def as_sparse(rows: list[list[bytes]]) -> list[np.ndarray]:
    """Rows of strings as indices, values and dense shape."""
    indices = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    longest = max((len(row) for row in rows), default=0)
    return [
        np.array(indices, np.int64).reshape(-1, 2),
        _strings([text for row in rows for text in row]),
        np.array([len(rows), longest], np.int64),
    ]


def _as_sparse_ones(rows: list[list[bytes]]) -> list[Any]:
    """As `as_sparse` of each row by itself, for many elements."""
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    ends = np.cumsum(counts)
    flat = _strings([text for row in rows for text in row])
    indices = np.zeros((len(flat), 2), np.int64)
    indices[:, 1] = np.arange(len(flat)) - np.repeat(ends - counts, counts)
    places = list(itertools.pairwise([0, *ends.tolist()]))
    return [
        [indices[a:b] for a, b in places],
        [flat[a:b] for a, b in places],
        np.stack([np.ones_like(counts), counts], axis=1),
    ]


def _split(texts: Any, characters: Any, skip_empty: bool) -> list[list[bytes]]:
    """The parts of texts between any of some characters, each character if there are none."""
    if not characters:
        return [[text[i : i + 1] for i in range(len(text))] for text in texts]
    at = re.compile(b"[" + b"".join(b"\\x%02x" % byte for byte in characters) + b"]")
    # A text without anything in it has no parts at all.
    rows = [at.split(text) if text else [] for text in texts]
    return [[part for part in row if part] for row in rows] if skip_empty else rows


@op("StringSplit", host=True)
class StringSplit:
    shape = _split_shape

    def lower(input: Any, delimiter: np.ndarray, *, skip_empty: bool) -> Any:
        if np.ndim(input) != 1:
            raise invalid(f"input must be a vector, got shape: {shapes.to_string(np.shape(input))}")
        if np.ndim(delimiter):
            raise invalid(
                f"delimiter must be a scalar, got shape: {shapes.to_string(np.shape(delimiter))}"
            )
        return as_sparse(_split(input, delimiter[()], skip_empty))

    fold = lower

    def stacked(input: Any, delimiter: np.ndarray, *, skip_empty: bool) -> Any:
        if input.ndim != 2 or input.shape[1] != 1 or delimiter.ndim:
            return None
        return _as_sparse_ones(_split(input.ravel().tolist(), delimiter[()], skip_empty))


def _split_at(texts: Any, sep: Any, maxsplit: int) -> list[list[bytes]]:
    """The parts of texts between separators, or white space if there is none."""
    if maxsplit == 0:
        return [[text] for text in texts]
    return [text.split(sep or None, maxsplit) for text in texts]


@op("StringSplitV2", host=True)
class StringSplitV2:
    def shape(input: Any, sep: Shape) -> Any:
        return _split_shape(input, sep)

    def lower(input: Any, sep: np.ndarray, *, maxsplit: int) -> Any:
        if np.ndim(input) != 1:
            raise invalid(f"input must be a vector, got shape: {shapes.to_string(np.shape(input))}")
        if np.ndim(sep):
            raise invalid(f"sep must be a scalar, got shape: {shapes.to_string(np.shape(sep))}")
        return as_sparse(_split_at(input, sep[()], maxsplit))

    fold = lower

    def stacked(input: Any, sep: np.ndarray, *, maxsplit: int) -> Any:
        if input.ndim != 2 or input.shape[1] != 1 or sep.ndim:
            return None
        return _as_sparse_ones(_split_at(input.ravel().tolist(), sep[()], maxsplit))


# Joining.


@op("StringJoin", host=True, elementwise=True)
class StringJoin:
    def shape(inputs: Any) -> Shape:
        found: Shape = ()
        for shape in inputs:
            if shape != ():
                found = shape if found == () else shapes.merge(found, shape)
        return found

    def lower(inputs: Any, *, separator: str) -> Any:
        arrays = [x for x in inputs if np.ndim(x)]
        for x in arrays:
            if np.shape(x) != np.shape(arrays[0]):
                raise invalid(
                    f"Input shapes do not match: {shapes.to_string(np.shape(arrays[0]))} vs. "
                    f"{shapes.to_string(np.shape(x))}"
                )
        between = regex.encode(separator)
        return each(lambda *texts: between.join(texts), *inputs)

    fold = lower


def _reduced_dims(sizes: Any, rank: int) -> list[int]:
    """The reduced dimensions, counted from the front.

    Raises:
      OpError: one is not there, or twice.
    """
    found: list[int] = []
    for dim in np.ravel(sizes).tolist():
        if not -rank <= dim < rank:
            raise errors.OutOfRangeError(
                None, None, f"Invalid reduction dimension {dim} for input with {rank} dimension(s)"
            )
        if dim % rank in found:
            raise invalid(f"Duplicate reduction dimension {dim}")
        found.append(dim % rank)
    return found


@op("ReduceJoin", host=True)
class ReduceJoin:
    def shape(inputs: Any, reduction_indices: Shape, *, keep_dims: bool, op: Operation) -> Shape:
        shapes.with_rank_at_most(reduction_indices, 1)
        dims = op.const_input(1)
        if inputs is None:
            return None
        if dims is None:
            return (None,) * len(inputs) if keep_dims else None
        rank = len(inputs)
        reduced = set()
        for dim in np.ravel(dims).tolist():
            if not -rank <= dim < rank:
                raise ShapeError(
                    f"Invalid reduction dimension {dim} for input with {rank} dimensions."
                )
            reduced.add(dim % rank)
        if keep_dims:
            return tuple(1 if i in reduced else d for i, d in enumerate(inputs))
        return tuple(d for i, d in enumerate(inputs) if i not in reduced)

    def lower(
        inputs: Any, reduction_indices: np.ndarray, *, keep_dims: bool, separator: str
    ) -> Any:
        reduced = _reduced_dims(reduction_indices, np.ndim(inputs))
        if not reduced:
            return np.array(inputs, object)
        kept = [i for i in range(np.ndim(inputs)) if i not in reduced]
        sizes = [inputs.shape[i] for i in kept]
        # The dimension that is named first runs fastest.
        turned = np.transpose(inputs, kept + reduced[::-1])
        count = int(np.prod([inputs.shape[i] for i in reduced]))
        rows = turned.reshape(int(np.prod(sizes)), count)
        between = regex.encode(separator)
        if keep_dims:
            sizes = [1 if i in reduced else d for i, d in enumerate(inputs.shape)]
        return _strings([between.join(row) for row in rows], sizes)

    fold = lower


@op("UnsortedSegmentJoin", host=True)
class UnsortedSegmentJoin:
    def shape(inputs: Any, segment_ids: Shape, num_segments: Shape, *, op: Operation) -> Shape:
        _scalars(num_segments)
        if inputs is None or segment_ids is None:
            return None
        shapes.merge_prefix(inputs, segment_ids)
        return (scalar_dim(op, 2), *inputs[len(segment_ids) :])

    def lower(
        inputs: Any, segment_ids: np.ndarray, num_segments: np.ndarray, *, separator: str
    ) -> Any:
        count, rank = int(num_segments), np.ndim(segment_ids)
        if not rank:
            raise invalid("Segment_id cannot have rank 0")
        if rank > inputs.ndim:
            raise errors.OutOfRangeError(
                None,
                None,
                f"Invalid segment_id rank {rank} for input with {inputs.ndim} dimension(s)",
            )
        for i, size in enumerate(segment_ids.shape):
            if inputs.shape[i] != size:
                # TF's number of dimensions, where it means to say one's size.
                raise invalid(
                    f"Segment dimension is {size} while input dimension is {inputs.ndim} in rank "
                    f"{i}"
                )
        if np.any((segment_ids < 0) | (segment_ids >= count)):
            raise invalid(
                "segment_ids are not allowed to exceed num_segments or to have negative values."
            )
        rest = inputs.shape[rank:]
        joined: list[list[list[bytes]]] = [
            [[] for _ in range(int(np.prod(rest)))] for _ in range(count)
        ]
        rows = inputs.reshape(segment_ids.size, -1)
        for segment, row in zip(segment_ids.ravel().tolist(), rows):
            for texts, text in zip(joined[segment], row):
                texts.append(text)
        between = regex.encode(separator)
        return _strings([between.join(texts) for row in joined for texts in row], (count, *rest))

    fold = lower


# Regular expressions.


def _pattern_shape(input: Shape, *scalars: Shape) -> Shape:
    _scalars(*scalars)
    return input


@op("RegexReplace", host=True)
class RegexReplace:
    def shape(input: Any, pattern: Shape, rewrite: Shape) -> Shape:
        return _pattern_shape(input, pattern, rewrite)

    def lower(input: Any, pattern: Any, rewrite: Any, *, replace_global: bool) -> Any:
        for name, value in (("Pattern", pattern), ("Rewrite", rewrite)):
            if np.ndim(value):
                raise invalid(
                    f"{name} must be scalar, but received {shapes.to_string(np.shape(value))}"
                )
        return each(regex.replacer(pattern[()], rewrite[()], replace_global), input)

    stacked = fold = lower


@op("StaticRegexReplace", host=True, elementwise=True)
class StaticRegexReplace:
    shape = same

    def lower(input: Any, *, pattern: str, rewrite: str, replace_global: bool) -> Any:
        texts = regex.encode(pattern), regex.encode(rewrite)
        return each(regex.replacer(*texts, replace_global), input)

    fold = lower


def _matches(input: Any, pattern: bytes) -> np.ndarray:
    regex.compiled(pattern)
    return numbers_of(lambda text: regex.full_match(pattern, text), input, np.bool_)


@op("RegexFullMatch", host=True)
class RegexFullMatch:
    def shape(input: Any, pattern: Shape) -> Shape:
        return _pattern_shape(input, pattern)

    def lower(input: Any, pattern: Any) -> Any:
        if np.ndim(pattern):
            raise invalid(
                f"Pattern must be scalar, but received {shapes.to_string(np.shape(pattern))}"
            )
        return _matches(input, pattern[()])

    fold = lower


_register_same(
    "StaticRegexFullMatch", lambda input, *, pattern: _matches(input, regex.encode(pattern))
)


# Hashes.


@op("StringToHashBucket", host=True, elementwise=True)
class StringToHashBucket:
    shape = same

    def lower(string_tensor: Any, *, num_buckets: int) -> Any:
        return numbers_of(lambda text: hash64(text) % num_buckets, string_tensor, np.int64)

    fold = lower


@op("StringToHashBucketFast", host=True, elementwise=True)
class StringToHashBucketFast:
    shape = same

    def lower(input: Any, *, num_buckets: int) -> Any:
        return numbers_of(lambda text: fingerprint64(text) % num_buckets, input, np.int64)

    fold = lower


@op("StringToHashBucketStrong", host=True, elementwise=True)
class StringToHashBucketStrong:
    shape = same

    def lower(input: Any, *, num_buckets: int, key: Sequence[int]) -> Any:
        if len(key) != 2:
            raise invalid("Key must have 2 elements")
        words = key[0], key[1]
        return numbers_of(lambda text: siphash(text, words) % num_buckets, input, np.int64)

    fold = lower


@op("Fingerprint", host=True)
class Fingerprint:
    def shape(data: Any, method: Any, *, op: Any) -> Any:
        shapes.with_rank_at_least(data, 1)
        _scalars(method)
        name = op.const_input(1)
        if name is None:
            return (data[0] if data else None, None)
        if name[()] != b"farmhash64":
            raise ShapeError(f"Unsupported method: {name[()].decode()}")
        return (data[0] if data else None, 8)

    def lower(data: Any, method: Any) -> Any:
        if method[()] != b"farmhash64":
            raise invalid(f"Unsupported fingerprint method: {method[()].decode()}")
        if not data.ndim:
            raise invalid("`data` should have at least one dimension: []")
        rows = data.reshape(data.shape[0], -1)
        if data.dtype == object:
            if rows.shape[1] == 1:
                found = [fingerprint64(row[0]) for row in rows]
            else:
                words = [
                    [fingerprint64(text).to_bytes(8, "little") for text in row] for row in rows
                ]
                found = [fingerprint64(b"".join(row)) for row in words]
        else:
            found = [fingerprint64(row.tobytes()) for row in rows]
        return np.array(found, "<u8").view(np.uint8).reshape(len(found), 8)

    fold = lower


# Base 64, in its form for URLs.


def _decoded(text: bytes) -> bytes:
    wrong = invalid("Invalid character found in base64.")
    if len(text) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    bare = text
    if len(text) % 4 == 0:
        bare = text.removesuffix(b"=").removesuffix(b"=")
    if re.fullmatch(rb"[A-Za-z0-9_-]*", bare) is None:
        raise wrong
    return base64.urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))


@op("EncodeBase64", host=True, elementwise=True)
class EncodeBase64:
    shape = same

    def lower(input: Any, *, pad: bool) -> Any:
        encode = base64.urlsafe_b64encode
        return each(encode if pad else lambda text: encode(text).rstrip(b"="), input)

    fold = lower


_register_same("DecodeBase64", lambda input: each(_decoded, input))


# Numbers.

_FLOAT = re.compile(
    rb"[-+]?((?P<hex>0[xX][0-9a-fA-F]+)|(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|inf|nan)", re.IGNORECASE
)
_SPACE = b" \t\n\v\f\r"


def _nearest_float32(text: str) -> np.float32:
    """A decimal number rounded once, not to float64 first."""
    exact = float(text)
    with np.errstate(over="ignore"):
        found = np.float32(exact)
    if np.isfinite(found) and exact != float(found):
        # Halfway between two float32 numbers as far as float64 can tell.
        toward = np.nextafter(found, np.float32(np.copysign(np.inf, exact - float(found))))
        if abs(exact - float(found)) == abs(float(toward) - exact):
            rest = Decimal(text) - Decimal(exact)
            if rest:
                up, down = max(found, toward), min(found, toward)
                return up if rest > 0 else down
    return found


def parse_float(text: bytes, dtype: Any) -> Any:
    """A number as TF reads it; None if it is none.

    Args:
      text: decimal, a whole hexadecimal, "inf" or "nan"; white space around it does not matter.
      dtype: np.float32 or np.float64.
    """
    if text and not text.strip(_SPACE):
        return dtype(0)  # so TF reads what is blank, but not what is empty
    text = text.strip(_SPACE)
    match = _FLOAT.fullmatch(text)
    if match is None:
        return None
    if match["hex"]:
        return dtype(float(int(match["hex"], 16)) * (-1 if text.startswith(b"-") else 1))
    found = _nearest_float32(text.decode()) if dtype is np.float32 else np.float64(text)
    # TF's threads flush what is below the normal numbers.
    return dtype(np.copysign(0, found)) if abs(found) < np.finfo(dtype).tiny else found


def parse_int(text: bytes, dtype: Any) -> Any:
    """A decimal whole number as TF reads it; None if it is none or too large for `dtype`."""
    text = text.strip(_SPACE)
    if re.fullmatch(rb"-?\d+", text) is None:
        return None
    value, limits = int(text), np.iinfo(dtype)
    return dtype(value) if limits.min <= value <= limits.max else None


def parse_number(text: bytes, dtype: dtypes.DType) -> Any:
    """As `parse_float` or `parse_int`."""
    return (parse_float if dtype.is_floating else parse_int)(text, dtype.as_numpy_dtype)


@op("StringToNumber", host=True, elementwise=True)
class StringToNumber:
    shape = same

    def lower(string_tensor: Any, *, out_type: DType) -> Any:
        def read(text: bytes) -> Any:
            found = parse_number(text, out_type)
            if found is None:
                shown = regex.decode(text)
                raise invalid(f"StringToNumberOp could not correctly convert string: {shown}")
            return found

        return numbers_of(read, string_tensor, out_type.as_numpy_dtype)

    fold = lower


def _formatter(
    dtype: dtypes.DType, precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> Callable[[Any], bytes]:
    """A function that writes numbers of `dtype` as C's printf does.

    Raises:
      InvalidArgumentError: the settings do not fit the dtype.
    """
    floating = dtype.is_floating or dtype.is_complex
    if not floating and (scientific or shortest):
        raise invalid(f"scientific and shortest format not supported for datatype {dtype.name}")
    if not floating and precision >= 0:
        raise invalid(f"precision not supported for datatype {dtype.name}")
    if len(fill) > 1:
        raise invalid("Fill string must be one or fewer characters")
    if scientific and shortest:
        raise invalid("Cannot select both scientific and shortest notation")
    if fill and fill not in " +-0#":
        raise invalid(f'Fill argument not supported: "{fill}"')
    if dtype is dtypes.bool:
        return lambda value: b"true" if value else b"false"
    size = str(width) if width >= 0 else ""
    kind = "e" if scientific else "g" if shortest else "f" if floating else "d"
    digits = f".{precision}" if precision >= 0 else ""
    template = f"%{fill}{size}{digits}{kind}"
    # C fills with spaces in front of what is no digit.
    plain = f"%{'' if fill == '0' else fill}{size}{kind}"

    def show(value: Any) -> str:
        return (template if not floating or np.isfinite(value) else plain) % value

    if dtype.is_complex:
        return lambda value: f"({show(value.real)},{show(value.imag)})".encode()
    return lambda value: show(value).encode()


@op("AsString", host=True, elementwise=True)
class AsString:
    shape = same

    def lower(
        input: Any,
        *,
        T: DType,
        precision: int,
        scientific: bool,
        shortest: bool,
        width: int,
        fill: str,
    ) -> Any:
        show = _formatter(T, precision, scientific, shortest, width, fill)
        return _strings([show(value) for value in input.ravel().tolist()], input.shape)

    fold = lower


# N-grams.


def _ngrams(
    row: list[bytes],
    widths: Any,
    pads: tuple[bytes, bytes],
    pad_width: int,
    keep_short: bool,
    separator: bytes,
) -> list[bytes]:
    found = []
    for width in widths:
        pad = width - 1 if pad_width < 0 else min(pad_width, width - 1)
        padded = [pads[0]] * pad + row + [pads[1]] * pad
        found += [separator.join(padded[i : i + width]) for i in range(len(padded) - width + 1)]
    if keep_short and not found and row:
        pad = max(pad_width, 0)
        found = [separator.join([pads[0]] * pad + row + [pads[1]] * pad)]
    return found


@op("StringNGrams", host=True)
class StringNGrams:
    def shape(data: Any, data_splits: Shape) -> Any:
        shapes.with_rank(data, 1)
        return [(None,), shapes.with_rank(data_splits, 1)]

    def lower(
        data: Any,
        data_splits: np.ndarray,
        *,
        separator: str,
        ngram_widths: Sequence[int],
        left_pad: str,
        right_pad: str,
        pad_width: int,
        preserve_short_sequences: bool,
    ) -> Any:
        pads = regex.encode(left_pad), regex.encode(right_pad)
        between = regex.encode(separator)
        splits = data_splits.ravel().tolist()
        for split in splits:
            if not 0 <= split <= data.size:
                raise invalid(f"Invalid split value {split}, must be in [0,{data.size}]")
        found: list[bytes] = []
        ends = [0][: len(splits)]
        for start, end in zip(splits, splits[1:]):
            row = data[start:end].tolist()
            found += _ngrams(row, ngram_widths, pads, pad_width, preserve_short_sequences, between)
            ends.append(len(found))
        return [_strings(found), np.array(ends, data_splits.dtype)]

    fold = lower


not_differentiable(
    "AsString",
    "DecodeBase64",
    "EncodeBase64",
    "ReduceJoin",
    "RegexReplace",
    "StringJoin",
    "StringSplit",
    "StringToHashBucket",
    "StringToHashBucketFast",
    "StringToHashBucketStrong",
    "StringToNumber",
)
