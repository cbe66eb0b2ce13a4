"""The features of many serialized examples at once, without a message of each.

Examples that differ in their values alone have these at the same places, and most files hold such
ones: the layout of one is found, and NumPy takes the values of all. Others, and what writers don't
usually write (a feature twice, lists that are not packed, unknown fields, damage), are left to the
parser of messages, which also has the errors to say.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes

# The kinds of lists, by the numbers of their fields in `Feature`.
_BYTES, _FLOATS, _INTS = 1, 2, 3
_KINDS = {dtypes.string: _BYTES, dtypes.float32: _FLOATS, dtypes.int64: _INTS}
_DTYPES = {_BYTES: np.dtype(object), _FLOATS: np.dtype("f4"), _INTS: np.dtype("i8")}
# Of fewer examples the messages are read sooner.
_WORTH_IT = 6
# A field of a message: its number, and that it has a length.
_FIRST, _SECOND = 0x0A, 0x12


class Values(NamedTuple):
    """The values of one feature.

    Attributes:
      flat: those of all examples, one after the other.
      counts: how many each example has (int64).
      found: which of the examples have the feature; None if all have it.
    """

    flat: np.ndarray
    counts: np.ndarray
    found: np.ndarray | None


class _Unusual(Exception):
    """Something that is left to the parser of messages."""


def read(
    serialized: Sequence[bytes], wanted: Sequence[tuple[str, dtypes.DType]]
) -> list[Values] | None:
    """The values of some features in every example.

    Args:
      serialized: the examples.
      wanted: (key, dtype) of each feature.

    Returns:
      What there is of each feature; None where the messages themselves have to be looked at.
    """
    if len(serialized) < _WORTH_IT or len(set(map(len, serialized))) > 1:
        return None
    joined = b"".join(serialized)
    if not joined:
        return None
    rows = np.frombuffer(joined, np.uint8).reshape(len(serialized), -1)
    try:
        layout = _layout_of(serialized[0], rows)
        return None if layout is None else layout.values(joined, rows, wanted)
    except _Unusual:
        return None


# The layout of the last examples of a length, for some lengths.
_layouts: collections.OrderedDict[int, _Layout] = collections.OrderedDict()
_MOST_LAYOUTS = 64
# How often in a row the examples of a length had no common layout, and how often that is tried.
_misses: collections.Counter[int] = collections.Counter()
_MOST_MISSES = 4


def _layout_of(first: bytes, rows: np.ndarray) -> _Layout | None:
    """The layout of examples of one length, given as an array too; None if there is none."""
    size = len(first)
    layout = _layouts.get(size)
    if layout is None or not layout.fits(rows):
        if _misses[size] == _MOST_MISSES:
            return None
        _misses[size] += 1
        layout = _Layout(first)
        if not layout.fits(rows):
            return None
        _layouts[size] = layout
        if len(_layouts) > _MOST_LAYOUTS:
            _layouts.popitem(last=False)
    _misses.pop(size, None)
    return layout


class _Layout:
    """Where the values are in an example, and in those that differ from it in their values alone.

    Args:
      data: the example.

    Raises:
      _Unusual: it is left to the parser of messages.
    """

    def __init__(self, data: bytes):
        # key -> (kind, where its values begin and end: all numbers, or each string)
        self._features: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        mask = np.full(len(data), 0xFF, np.uint8)
        for key, kind, places in _lists(data):
            if key in self._features:  # The last one counts.
                raise _Unusual
            self._features[key] = kind, places
            for start, end in places:
                mask[start:end] = _number_mask(data[start:end]) if kind == _INTS else 0
        self._columns = np.flatnonzero(mask)
        self._mask = mask[self._columns]
        self._expected = np.frombuffer(data, np.uint8)[self._columns] & self._mask

    def fits(self, rows: np.ndarray) -> bool:
        """Whether examples differ in their values alone."""
        return bool((rows[:, self._columns] & self._mask == self._expected).all())

    def values(
        self, joined: bytes, rows: np.ndarray, wanted: Sequence[tuple[str, dtypes.DType]]
    ) -> list[Values]:
        """See `read`; of examples that fit, given together and as an array."""
        found = []
        count = len(rows)
        for key, dtype in wanted:
            there = self._features.get(key)
            if there is None:
                flat = np.empty(0, dtype.as_numpy_dtype)
                found.append(Values(flat, np.zeros(count, np.int64), np.zeros(count, bool)))
                continue
            if there[0] != _KINDS[dtype]:
                raise _Unusual
            flat = _of_places(joined, rows, *there)
            found.append(Values(flat, np.full(count, len(flat) // count), None))
        return found


def _lists(data: bytes) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """(key, kind, where its values begin and end: all numbers, or each string) of the features of
    an example."""
    ((_, start, end),) = _fields(data, 0, len(data), [_FIRST])
    for _, first, last in _fields(data, start, end):
        (_, start, end), (_, at, last) = _fields(data, first, last, [_FIRST, _SECOND])
        try:
            key = data[start:end].decode()
        except UnicodeDecodeError:
            raise _Unusual from None
        if at == last:
            continue
        tags = [kind << 3 | 2 for kind in (_BYTES, _FLOATS, _INTS) if data[at] == kind << 3 | 2]
        ((tag, start, end),) = _fields(data, at, last, tags)
        kind = tag >> 3
        places = [(a, b) for _, a, b in _fields(data, start, end)]
        if kind != _BYTES:
            places = places or [(end, end)]
            if len(places) > 1 or (kind == _FLOATS and (places[0][1] - places[0][0]) % 4):
                raise _Unusual
        yield key, kind, places


def _fields(
    data: bytes, at: int, end: int, tags: list[int] | None = None
) -> list[tuple[int, int, int]]:
    """(tag, where it begins and ends) of the fields of a message with these tags, or of repeated
    first fields."""
    found = []
    while at < end:
        tag, length, shift, at = data[at], 0, 0, at + 1
        while True:
            if at == end or shift > 28:
                raise _Unusual
            length |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 0x80:
                break
        if at + length > end:
            raise _Unusual
        found.append((tag, at, at + length))
        at += length
    if [tag for tag, _, _ in found] != ([_FIRST] * len(found) if tags is None else tags):
        raise _Unusual
    return found


def _number_mask(data: bytes) -> np.ndarray:
    """Which bits of packed whole numbers are not theirs: in each byte, whether others follow; and
    the tenth byte, which is 1 in negative ones."""
    found = np.full(len(data), 0x80, np.uint8)
    length = 0
    for i, byte in enumerate(data):
        length += 1
        if length == 10:
            if byte != 1:  # more than 64 bits
                raise _Unusual
            found[i] = 0xFF
        if byte < 0x80:
            length = 0
    if length:
        raise _Unusual
    return found


def _of_places(
    joined: bytes, rows: np.ndarray, kind: int, places: list[tuple[int, int]]
) -> np.ndarray:
    """The values at some places of each example."""
    count, size = rows.shape
    if kind == _BYTES:
        flat = np.empty(count * len(places), object)
        starts = range(0, count * size, size)
        flat[:] = [joined[at + a : at + b] for at in starts for a, b in places]
        return flat
    ((start, end),) = places
    if start == end:
        return np.empty(0, _DTYPES[kind])
    data = rows[:, start:end]
    if kind == _FLOATS:
        return np.ascontiguousarray(data).view("<f4").astype(np.float32).ravel()
    is_last = data[0] < 0x80
    if is_last.all():
        return data.astype(np.int64).ravel()
    firsts = np.flatnonzero(np.concatenate([[True], is_last[:-1]]))
    lengths = np.diff(firsts, append=end - start)
    shifts = 7 * (np.arange(end - start) - np.repeat(firsts, lengths))
    parts = (data & 0x7F).astype(np.uint64) << shifts.astype(np.uint64)
    return np.bitwise_or.reduceat(parts, firsts, axis=1).view(np.int64).ravel()


def batch(
    values: Sequence[Values],
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Any, Any]],
) -> tuple[list[Any], list[Any]] | None:
    """The features of a batch.

    Args:
      values: of the features, the sparse ones first.
      sparse: (key, dtype)s of sparse features.
      dense: (key, dtype, shape, default)s of dense ones; a shape may begin with None.

    Returns:
      The outputs of sparse features (all indices, all values, all shapes) and of dense ones; None
      where something is wrong.
    """
    columns = [_sparse_values(one) for one in values[: len(sparse)]]
    found = []
    for one, (_, dtype, shape, default) in zip(values[len(sparse) :], dense):
        if shape and shape[0] is None:
            array = _padded_values(one, shape, fill_of(default, dtype))
        else:
            array = _fixed_values(one, shape, default)
        if array is None:
            return None
        found.append(array)
    return [column[part] for part in range(3) for column in columns], found


def singly(
    values: Sequence[Values],
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Any, Any]],
) -> list[Any] | None:
    """The features of examples that are parsed one by one.

    Args:
      values, sparse, dense: as `batch` takes them.

    Returns:
      The same outputs; each is an array with a row for every example, or a list of their arrays.
    """
    places = [
        _rows(_places(one.counts)[1].astype(np.int64, copy=False)[:, None], one.counts)
        for one in values[: len(sparse)]
    ]
    found: list[Any] = [
        *places,
        *[_rows(one.flat, one.counts) for one in values[: len(sparse)]],
        *[one.counts[:, None] for one in values[: len(sparse)]],
    ]
    for one, (_, _, shape, default) in zip(values[len(sparse) :], dense):
        if shape and shape[0] is None:
            size = math.prod(shape[1:])
            if not size or (one.counts % size).any():
                return None
            found.append(_rows(one.flat.reshape(-1, *shape[1:]), one.counts // size))
            continue
        array = _fixed_values(one, shape, default)
        if array is None:
            return None
        found.append(array)
    return found


def _rows(flat: np.ndarray, counts: np.ndarray) -> list[np.ndarray]:
    """Values of several rows, one after the other, as one array a row."""
    ends = np.cumsum(counts).tolist()
    return [flat[a:b] for a, b in zip([0, *ends], ends)]


def fill_of(default: Any, dtype: dtypes.DType) -> Any:
    """What stands behind the values of a feature whose first dimension varies."""
    return default.item() if default.size else (b"" if dtype is dtypes.string else 0)


def _places(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of values of several rows, one after the other: their rows, and their places in these."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)


def _sparse_values(values: Values) -> list[np.ndarray]:
    """The indices, values and dense shape of a sparse feature."""
    counts = values.counts
    indices = np.stack(_places(counts), axis=1).astype(np.int64, copy=False)
    return [indices, values.flat, np.array([len(counts), counts.max()], np.int64)]


def _padded_values(values: Values, shape: Any, fill: Any) -> np.ndarray | None:
    """Rows whose first dimension varies, padded; None if one does not fill the inner shape."""
    counts, size = values.counts, math.prod(shape[1:])
    if not size or (counts % size).any():
        return None
    longest = int(counts.max())
    found = np.full((len(counts), longest), fill, values.flat.dtype)
    found[_places(counts)] = values.flat
    return found.reshape(len(counts), longest // size, *shape[1:])


def _fixed_values(values: Values, shape: Any, default: Any) -> np.ndarray | None:
    """Rows of one shape; None if there are more or fewer values than it has room for."""
    flat, counts, has = values
    size = math.prod(shape)
    if has is None:
        return flat.reshape(len(counts), *shape) if (counts == size).all() else None
    if default.size != size or not size or (counts[has] != size).any():
        return None
    found = np.empty((len(counts), size), flat.dtype)
    found[has] = flat.reshape(-1, size)
    found[~has] = default.ravel()
    return found.reshape(len(counts), *shape)
