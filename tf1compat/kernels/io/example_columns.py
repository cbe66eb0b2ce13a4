"""The features of many serialized examples at once, without a message of each.

What writers usually write is read here for all examples in step, by NumPy. Examples that differ in
their values alone have these at the same places: one layout is found for all. Of others it is read
where their entries lie, which key each has, and then the values of one key after the other.
Anything unusual (a feature twice, lists that are not packed, unknown fields, damage) is left to the
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
_DTYPES = {_BYTES: np.dtype(object), _FLOATS: np.dtype("f4"), _INTS: np.dtype("i8")}
_KINDS = {dtypes.string: _BYTES, dtypes.float32: _FLOATS, dtypes.int64: _INTS}
# Of fewer examples the messages are read sooner.
_WORTH_IT = 6

# The only field of most of these messages, and a map entry's value.
_FIRST, _SECOND = 0x0A, 0x12
# Zeros behind the last example: a look at the next field may go a little too far.
_ROOM = 16
# So many entries, or strings of one list, are followed in step.
_MOST_STEPS = 256


def parsed(
    serialized: Sequence[bytes],
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Any, Any]],
) -> tuple[list[Any], list[Any]] | None:
    """The features of a batch.

    Args:
      serialized: the examples.
      sparse: (key, dtype)s of sparse features.
      dense: (key, dtype, shape, default)s of dense ones; a shape may begin with None.

    Returns:
      The outputs of sparse features (all indices, all values, all shapes) and of dense ones; None
      where it takes the messages to know them, or what is wrong.
    """
    values = _read(serialized, [(key, _KINDS[dtype]) for key, dtype, *_ in (*sparse, *dense)])
    if values is None:
        return None
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


def parsed_singly(
    serialized: Sequence[bytes],
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Any, Any]],
) -> list[Any] | None:
    """The features of examples that are parsed one by one.

    Args:
      serialized, sparse, dense: as `parsed` takes them.

    Returns:
      The same outputs; each is an array with a row for every example, or a list of their arrays.
    """
    values = _read(serialized, [(key, _KINDS[dtype]) for key, dtype, *_ in (*sparse, *dense)])
    if values is None:
        return None
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


def _sparse_values(values: _Values) -> list[np.ndarray]:
    """The indices, values and dense shape of a sparse feature."""
    counts = values.counts
    indices = np.stack(_places(counts), axis=1).astype(np.int64, copy=False)
    return [indices, values.flat, np.array([len(counts), counts.max()], np.int64)]


def _padded_values(values: _Values, shape: Any, fill: Any) -> np.ndarray | None:
    """Rows whose first dimension varies, padded; None if one does not fill the inner shape."""
    counts, size = values.counts, math.prod(shape[1:])
    if not size or (counts % size).any():
        return None
    longest = int(counts.max())
    found = np.full((len(counts), longest), fill, values.flat.dtype)
    found[_places(counts)] = values.flat
    return found.reshape(len(counts), longest // size, *shape[1:])


def _fixed_values(values: _Values, shape: Any, default: Any) -> np.ndarray | None:
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


class _Values(NamedTuple):
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


class _Entries(NamedTuple):
    """Lists of values of one kind: of which example, from where to where."""

    rows: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def _read(serialized: Sequence[bytes], wanted: Sequence[tuple[str, int]]) -> list[_Values] | None:
    """The values of some features in every example.

    Args:
      serialized: the examples.
      wanted: (key, kind of list) of each feature.

    Returns:
      What there is of each feature; None where the messages themselves have to be looked at.
    """
    if len(serialized) < _WORTH_IT:
        return None
    try:
        if len(set(map(len, serialized))) == 1:
            joined = b"".join(serialized)
            rows = np.frombuffer(joined, np.uint8).reshape(len(serialized), -1)
            layout = _layout_of(serialized[0], rows) if joined else None
            if layout is not None:
                return layout.values(joined, rows, wanted)
        return _Examples(serialized).values(wanted)
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
        for key, kind, places in _Examples([data]).places():
            if key in self._features:  # The last one counts.
                raise _Unusual
            self._features[key] = kind, places
            for start, end in places:
                # Of whole numbers the places are the same if each has as many bytes.
                mask[start:end] = 0x80 if kind == _INTS else 0
        self._columns = np.flatnonzero(mask)
        self._mask = mask[self._columns]
        self._expected = np.frombuffer(data, np.uint8)[self._columns] & self._mask

    def fits(self, rows: np.ndarray) -> bool:
        """Whether examples differ in their values alone."""
        return bool((rows[:, self._columns] & self._mask == self._expected).all())

    def values(
        self, joined: bytes, rows: np.ndarray, wanted: Sequence[tuple[str, int]]
    ) -> list[_Values]:
        """See `_read`; of examples that fit, given together and as an array."""
        found = []
        for key, kind in wanted:
            there = self._features.get(key)
            count = len(rows)
            if there is None:
                flat = np.empty(0, _DTYPES[kind])
                found.append(_Values(flat, np.zeros(count, np.int64), np.zeros(count, bool)))
                continue
            if there[0] != kind:
                raise _Unusual
            flat = _of_places(joined, rows, *there)
            found.append(_Values(flat, np.full(count, len(flat) // count), None))
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
    if lengths.max() > 9 and (lengths.max() > 10 or (data[:, shifts == 63] > 1).any()):
        raise _Unusual  # more than 64 bits
    parts = (data & 0x7F).astype(np.uint64) << shifts.astype(np.uint64)
    return np.bitwise_or.reduceat(parts, firsts, axis=1).view(np.int64).ravel()


class _Examples:
    """Examples that lie one after the other; all positions are in their joined bytes."""

    def __init__(self, serialized: Sequence[bytes]):
        self._data = b"".join([*serialized, bytes(_ROOM)])
        self._bytes = np.frombuffer(self._data, np.uint8)
        self._count = len(serialized)
        sizes = np.fromiter(map(len, serialized), np.int64, self._count)
        ends = np.cumsum(sizes)
        rows = np.arange(self._count)
        if not sizes.all():  # Examples without a feature.
            rows = np.flatnonzero(sizes)
            sizes, ends = sizes[rows], ends[rows]
        starts, _ = self._filled(ends - sizes, ends, _FIRST)
        rows, starts, self._ends = self._each(_Entries(rows, starts, ends))
        self._rows = rows
        self._key_starts, self._key_ends = self._field(starts, self._ends, _FIRST)

    def values(self, wanted: Sequence[tuple[str, int]]) -> list[_Values]:
        """See `_read`."""
        places, others = [], np.ones(len(self._rows), bool)
        for key, kind in wanted:
            at = self._places_of(key.encode())
            others[at] = False
            places.append((at, kind))
        if others.any():
            self._check(np.flatnonzero(others))
        return [self._values_at(at, kind) for at, kind in places]

    def places(self) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
        """(key, kind, where its values begin and end: all numbers, or each string) of each list."""
        for i in range(len(self._rows)):
            try:
                key = self._data[self._key_starts[i] : self._key_ends[i]].decode()
            except UnicodeDecodeError:
                raise _Unusual from None
            kinds, lists = self._lists(np.array([i]))
            if kinds.size:
                kind = int(kinds[0])
                self._check_lists(kinds, lists)
                _, starts, ends = self._each(lists)
                places = list(zip(starts.tolist(), ends.tolist()))
                yield key, kind, places if kind == _BYTES else places or [(0, 0)]

    # The parts of messages.

    def _length(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The lengths that stand at some places, and the places behind them."""
        byte = self._bytes[at]
        if not (byte & 0x80).any():
            return byte.astype(np.int64), at + 1
        found = (byte & 0x7F).astype(np.int64)
        after = at + 1
        for shift in (7, 14, 21, 28):
            more = np.flatnonzero(byte & 0x80)
            if not more.size:
                return found, after
            byte = np.zeros_like(byte)
            byte[more] = self._bytes[after[more]]
            found[more] |= (byte[more] & 0x7F).astype(np.int64) << shift
            after[more] += 1
        if (byte & 0x80).any():
            raise _Unusual
        return found, after

    def _field(self, at: np.ndarray, limits: np.ndarray, tag: int) -> tuple[np.ndarray, np.ndarray]:
        """Where the contents of the fields at some places begin and end."""
        if (self._bytes[at] != tag).any():
            raise _Unusual
        length, start = self._length(at + 1)
        end = start + length
        if (end > limits).any():
            raise _Unusual
        return start, end

    def _filled(
        self, at: np.ndarray, limits: np.ndarray, tag: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `_field`, of fields that go to the end of what they are in."""
        start, end = self._field(at, limits, tag)
        if (end != limits).any():
            raise _Unusual
        return start, end

    def _each(self, entries: _Entries) -> _Entries:
        """The repeated first fields of messages, example by example where there is but one of
        each; else the first ones of all messages, the second ones…"""
        rows, at, limits = entries
        found = []
        filled = at < limits
        while True:
            if not filled.all():
                rows, at, limits = rows[filled], at[filled], limits[filled]
            if not rows.size:
                break
            if len(found) == _MOST_STEPS:
                raise _Unusual
            start, end = self._field(at, limits, _FIRST)
            found.append((rows, start, end))
            at = end
            filled = at < limits
        if len(found) == 1:
            return _Entries(*found[0])
        if not found:
            return _Entries(rows, at, limits)
        return _Entries(*map(np.concatenate, zip(*found)))

    def _joined(self, starts: np.ndarray, ends: np.ndarray) -> bytes:
        """The bytes from each start to its end."""
        data = self._data
        return b"".join([data[a:b] for a, b in zip(starts.tolist(), ends.tolist())])

    # Which entries are whose.

    def _places_of(self, key: bytes) -> np.ndarray:
        """The entries with a key, in the order of the examples."""
        starts = self._key_starts
        found = np.flatnonzero(self._key_ends - starts == len(key))
        if found.size:
            letters = self._bytes[starts[found][:, None] + np.arange(len(key))]
            same = (letters == np.frombuffer(key, np.uint8)).all(axis=1)
            if not same.all():
                found = found[same]
        rows = self._rows[found]
        steps = np.diff(rows)
        if (steps <= 0).any():
            found = found[np.argsort(rows, kind="stable")]
            if not np.diff(self._rows[found]).all():  # It is there twice: the last one counts.
                raise _Unusual
        return found

    def _lists(self, at: np.ndarray) -> tuple[np.ndarray, _Entries]:
        """The kinds of the lists of some entries, and the lists; those without one left out."""
        rows, ends = self._rows[at], self._ends[at]
        starts, ends = self._filled(self._key_ends[at], ends, _SECOND)
        filled = starts < ends
        if not filled.all():
            rows, starts, ends = rows[filled], starts[filled], ends[filled]
        tags = self._bytes[starts]
        length, starts = self._length(starts + 1)
        if (starts + length != ends).any():
            raise _Unusual
        kinds = tags >> 3
        if ((tags & 7) != 2).any() or (kinds < _BYTES).any() or (kinds > _INTS).any():
            raise _Unusual
        return kinds, _Entries(rows, starts, ends)

    def _check(self, at: np.ndarray) -> None:
        """Makes sure that entries nobody asked for are what they should be."""
        keys = self._joined(self._key_starts[at], self._key_ends[at])
        if not keys.isascii():
            raise _Unusual
        self._check_lists(*self._lists(at))

    def _check_lists(self, kinds: np.ndarray, lists: _Entries) -> None:
        for kind, check in ((_BYTES, self._each), (_FLOATS, self._floats), (_INTS, self._ints)):
            mine = np.flatnonzero(kinds == kind)
            if mine.size:
                check(_Entries(*(part[mine] for part in lists)))

    # The values.

    def _values_at(self, at: np.ndarray, kind: int) -> _Values:
        kinds, lists = self._lists(at)
        if (kinds != kind).any():
            raise _Unusual
        rows = lists.rows
        everywhere = len(rows) == self._count
        lists = lists._replace(rows=np.arange(len(rows)))
        if kind == _BYTES:
            flat, counts = self._strings(lists)
        else:
            flat, counts = (self._floats if kind == _FLOATS else self._ints)(lists)
        if everywhere:
            return _Values(flat, counts, None)
        found = np.zeros(self._count, bool)
        found[rows] = True
        of_all = np.zeros(self._count, np.int64)
        of_all[rows] = counts
        return _Values(flat, of_all, found)

    def _packed(self, lists: _Entries) -> tuple[np.ndarray, np.ndarray, bytes]:
        """Of lists of numbers: how many bytes each has and up to where, and these bytes."""
        rows, starts, ends = lists
        filled = starts < ends
        if filled.all():
            starts, ends = self._filled(starts, ends, _FIRST)
            sizes = ends - starts
        else:
            starts, ends = self._filled(starts[filled], ends[filled], _FIRST)
            sizes = np.zeros(len(rows), np.int64)
            sizes[filled] = ends - starts
        return sizes, np.cumsum(sizes), self._joined(starts, ends)

    def _floats(self, lists: _Entries) -> tuple[np.ndarray, np.ndarray]:
        sizes, _, joined = self._packed(lists)
        if (sizes & 3).any():
            raise _Unusual
        return np.frombuffer(joined, "<f4").astype(np.float32), sizes >> 2

    def _ints(self, lists: _Entries) -> tuple[np.ndarray, np.ndarray]:
        sizes, ends, joined = self._packed(lists)
        data = np.frombuffer(joined, np.uint8)
        is_last = data < 0x80  # of a number's bytes
        if is_last.all():
            return data.astype(np.int64), sizes
        if not is_last[ends[sizes > 0] - 1].all():
            raise _Unusual
        lasts = np.flatnonzero(is_last)
        firsts = np.concatenate([[0], lasts[:-1] + 1])
        lengths = lasts - firsts + 1
        found = np.zeros(len(lasts), np.uint64)
        for i in range(int(lengths.max())):
            at = np.flatnonzero(lengths > i)
            byte = data[firsts[at] + i].astype(np.uint64)
            if i > 8 and (i > 9 or (byte > 1).any()):  # more than 64 bits
                raise _Unusual
            found[at] |= (byte & np.uint64(0x7F)) << np.uint64(7 * i)
        so_far = np.concatenate([[0], np.cumsum(is_last)])
        return found.view(np.int64), so_far[ends] - so_far[ends - sizes]

    def _strings(self, lists: _Entries) -> tuple[np.ndarray, np.ndarray]:
        rows, starts, ends = self._each(lists)
        if (np.diff(rows) < 0).any():  # not example by example
            order = np.argsort(rows, kind="stable")
            rows, starts, ends = rows[order], starts[order], ends[order]
        data, flat = self._data, np.empty(len(rows), object)
        flat[:] = [data[a:b] for a, b in zip(starts.tolist(), ends.tolist())]
        return flat, np.bincount(rows, minlength=len(lists.rows))
