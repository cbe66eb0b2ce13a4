"""Serialized examples and sequences of them as tensors."""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes, shapes
from tf1compat.core.deferred import Deferred
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.own_protos import message
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, same, text_of_shape
from tf1compat.kernels.io import example_columns
from tf1compat.kernels.io.parsing import column
from tf1compat.kernels.text import regex
from tf1compat.kernels.text.string import each, invalid

json_format = Deferred("google.protobuf.json_format")
messages = Deferred("google.protobuf.message")

_KINDS = {
    dtypes.float32: "float_list",
    dtypes.int64: "int64_list",
    dtypes.string: "bytes_list",
}


def _parsed(data: bytes, kind: str, text: str = "") -> Any:
    """A message; `text` is what is said of one that is none, in TF's usual words if it is ""."""
    try:
        return message(kind).FromString(data)
    except messages.DecodeError:
        said = text or f"Could not parse example input, value: '{regex.decode(data)}'"
        raise invalid(said) from None


def _scalar(serialized: np.ndarray) -> bytes:
    if serialized.ndim:
        shape = text_of_shape(serialized)
        raise invalid(f"Expected serialized to be a scalar, got shape: {shape}")
    return serialized.item()


def _values_name(dtype: dtypes.DType) -> str:
    """What the values of a feature are called."""
    return "bytes" if dtype is dtypes.string else dtypes.cpp_name(dtype)


class _Where:
    """What an operation says about the features of one example.

    Args:
      index: of the example in its batch; None outside of batches.
      name: what the example is called; None where it has no name.
    """

    def __init__(self, index: int | None = None, name: str | None = None):
        self.index = index
        self.name = name
        self.prefix = "" if name is None else f"Name: {name}, "

    def values(
        self,
        feature: Any,
        key: str,
        dtype: dtypes.DType,
        sparse: bool = False,
        step: int | None = None,
    ) -> Any:
        """The values of a feature (of step `step` of a sequence); None where there is none.

        Raises:
          InvalidArgumentError: they have another dtype.
        """
        found = None if feature is None else feature.WhichOneof("kind")
        if found is None:
            return None
        if found != _KINDS[dtype]:
            actual = next(t for t, kind in _KINDS.items() if kind == found)
            raise self.wrong_dtype(feature, key, dtype, actual, sparse, step)
        return getattr(feature, found).value

    def wrong_dtype(
        self, feature: Any, key: str, dtype: Any, actual: Any, sparse: bool, step: int | None
    ) -> Exception:
        """The error of values of another dtype."""
        names = dtypes.cpp_name(dtype), dtypes.cpp_name(actual)
        place = "" if self.index is None else f", Index: {self.index}"
        text = f"{self.prefix}Key: {key}{place}.  Data types don't match. "
        if sparse:
            return invalid(f"{text}Expected type: {names[0]}, Actual type: {names[1]}")
        return invalid(f"{text}Data type: {names[1]} but expected type: {names[0]}")

    def missing(self, key: str, dtype: dtypes.DType) -> Exception:
        """The error of a feature that is not there."""
        return invalid(
            f"{self.prefix}Feature: {key} (data type: {dtypes.cpp_name(dtype)}) is required but "
            "could not be found."
        )

    def wrong_count(
        self, key: str, dtype: dtypes.DType, count: int, shape: Shape, step: int | None = None
    ) -> Exception:
        """The error of more or fewer values than the shape holds."""
        if self.index is None:
            return invalid(f"Key: {key}.  Can't parse serialized Example.")
        return invalid(
            f"{self.prefix}Key: {key}, Index: {self.index}.  Number of {_values_name(dtype)} "
            f"values != expected.  Values size: {count} but output shape: "
            f"{shapes.to_string(shape)}"
        )

    def wrong_stride(self, key: str, dtype: dtypes.DType, count: int, shape: Shape) -> Exception:
        """The error of values that don't fill the inner dimensions of the shape."""
        if self.index is None:
            return self.wrong_count(key, dtype, count, shape)
        return invalid(
            f"{self.prefix}Key: {key}, Index: {self.index}.  Number of {_values_name(dtype)} "
            f"values is not a multiple of stride length. Saw {count} values but output shape is: "
            f"{shapes.to_string(shape)}"
        )


class _InSequence(_Where):
    """The same of a sequence example alone.

    Attributes:
      unreadable: what is said of one that is no message; "" for the usual.
    """

    unreadable = ""

    def wrong_dtype(
        self, feature: Any, key: str, dtype: Any, actual: Any, sparse: bool, step: int | None
    ) -> Exception:
        place = f"Context feature: {key}"
        if step is not None:
            place = f"Feature {'List' if sparse else 'list'}: {key}, Index: {step}"
        # Whole numbers as C++ writes them.
        text = re.sub(r"\.0$", "", str(feature), flags=re.MULTILINE)
        return invalid(
            f"{self.prefix}{place}.  Data types don't match. "
            f"Expected type: {dtypes.cpp_name(dtype)}  Feature is: {text}"
        )

    def wrong_count(
        self, key: str, dtype: dtypes.DType, count: int, shape: Shape, step: int | None = None
    ) -> Exception:
        # TF writes strings' text with other letters.
        colon, values = ("", "Values") if dtype is dtypes.string else (":", "values")
        return invalid(
            f"{self.prefix}Key{colon} {key}, Index: {step or 0}.  Number of {_values_name(dtype)} "
            f"values != expected.  {values} size: {count} but output shape: "
            f"{shapes.to_string(shape)}"
        )

    def missing(self, key: str, dtype: dtypes.DType) -> Exception:
        return invalid(f"{self.prefix}Context feature '{key}' is required but could not be found.")

    def wrong_counts(
        self, key: str, dtype: dtypes.DType, counts: Sequence[int], shape: Any
    ) -> Exception | None:
        """The error of a sequence of which a step has more or fewer values than the shape holds;
        None if there is none."""
        size = math.prod(shape)
        for step, count in enumerate(counts):
            if count != size:
                return self.wrong_count(key, dtype, count, shape, step)
        return None

    def missing_list(self, key: str) -> Exception:
        """The error of a sequence that is not there."""
        return invalid(
            f"{self.prefix}Feature list '{key}' is required but could not be found.  Did you mean "
            "to include it in feature_list_dense_missing_assumed_empty or "
            "feature_list_dense_defaults?"
        )


class _InSequences(_InSequence):
    """The same of a batch of sequence examples."""

    @property
    def unreadable(self) -> str:  # type: ignore[override]
        return f"Invalid protocol message input, example id: {self.name}"

    def wrong_dtype(
        self, feature: Any, key: str, dtype: Any, actual: Any, sparse: bool, step: int | None
    ) -> Exception:
        part = "context" if step is None else "sequence"
        return invalid(f"Error in {part} feature {key} in example {self.name}")

    def wrong_count(
        self, key: str, dtype: dtypes.DType, count: int, shape: Shape, step: int | None = None
    ) -> Exception:
        return invalid(f"Inconsistent number of elements for feature {key}: {count} vs 1")

    def wrong_counts(
        self, key: str, dtype: dtypes.DType, counts: Sequence[int], shape: Any
    ) -> Exception | None:
        size = math.prod(shape)
        if size and sum(counts) % size:
            return invalid(f"Unexpected shape error in feature {key}")
        if sum(counts) != size * len(counts):
            return invalid(f"Unexpected number of elements in feature {key}, example {self.name}")
        return None

    def missing(self, key: str, dtype: dtypes.DType) -> Exception:
        return self.wrong_count(key, dtype, 0, ())

    def missing_list(self, key: str) -> Exception:
        return invalid(f"Missing feature {key} in example {self.name}")


def _sparse_column(rows: Sequence[Any], dtype: dtypes.DType) -> list[np.ndarray]:
    """[indices, values, dense shape] of one feature of a batch."""
    counts = [0 if row is None else len(row) for row in rows]
    indices = [(i, j) for i, count in enumerate(counts) for j in range(count)]
    values = [value for row in rows if row is not None for value in row]
    return [
        np.array(indices, np.int64).reshape(-1, 2),
        column(values, dtype),
        np.array([len(rows), max(counts, default=0)], np.int64),
    ]


def _padded(rows: Sequence[Any], dtype: dtypes.DType, shape: Any, default: Any) -> np.ndarray:
    """A batch's values of a feature whose first dimension varies."""
    size = math.prod(shape[1:])
    counts = [0 if row is None else len(row) for row in rows]
    longest = max(counts, default=0)
    found = np.full(
        (len(rows), longest), example_columns.fill_of(default, dtype), dtype.as_numpy_dtype
    )
    for i, row in enumerate(rows):
        if counts[i]:
            found[i, : counts[i]] = list(row)
    return found.reshape(len(rows), longest // size, *shape[1:])


def _is_variable(shape: Shape) -> bool:
    return bool(shape) and shape is not None and shape[0] is None


class _Asked(NamedTuple):
    """What is asked of every example.

    Attributes:
      features: (key, dtype, kind of list, number of values or None for any, shape or None for
        sparse ones, which of the columns), as TF looks at them: the last one first.
      needed: (key, dtype, column) of dense features without a default.
      columns: how many there are; those of dense features stand behind those of sparse ones.
    """

    features: list[tuple[str, dtypes.DType, str, int | None, Any, int]]
    needed: list[tuple[str, dtypes.DType, int]]
    columns: int


@functools.lru_cache(256)
def _asked(
    sparse: tuple[tuple[str, dtypes.DType], ...],
    dense: tuple[tuple[str, dtypes.DType, Any, bool], ...],
) -> _Asked:
    """What is asked for: (key, dtype) of sparse features; those, shape and whether there is a
    default of dense ones."""
    features: list[Any] = []
    for at, (key, dtype) in enumerate(sparse):
        features.append((key, dtype, _KINDS[dtype], None, None, at))
    needed = []
    for at, (key, dtype, shape, has_default) in enumerate(dense, len(sparse)):
        count = None if _is_variable(shape) else math.prod(shape or ())
        features.append((key, dtype, _KINDS[dtype], count, shape, at))
        if count is not None and not has_default:
            needed.append((key, dtype, at))
    features.sort(key=lambda one: one[0], reverse=True)
    return _Asked(features, needed, len(sparse) + len(dense))


def _asked_for(
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Shape, Any]],
) -> _Asked:
    """As `_asked`, of dense features with their defaults."""
    described = tuple((key, dtype, shape, default.size > 0) for key, dtype, shape, default in dense)
    return _asked(tuple(sparse), described)


def _wanted(
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Shape, Any]],
) -> list[tuple[str, dtypes.DType]]:
    """(key, dtype) of all features."""
    return [*sparse, *[(key, dtype) for key, dtype, _, _ in dense]]


def _rows(
    examples: Sequence[Any], where: Callable[[int], _Where], asked: _Asked
) -> list[list[Any]]:
    """For each column its values in every example, None where there are none."""
    columns: list[list[Any]] = [[] for _ in range(asked.columns)]
    for i, example in enumerate(examples):
        features = example.feature
        for key, dtype, kind, wanted, shape, at in asked.features:
            feature = features.get(key)
            found = None if feature is None else feature.WhichOneof("kind")
            if found == kind:
                values = getattr(feature, kind).value
            else:  # None, or an error
                values = where(i).values(feature, key, dtype, shape is None)
            columns[at].append(values)
            if shape is None or values is None:
                continue
            if wanted is None:
                if values and len(values) % math.prod(shape[1:]):
                    raise where(i).wrong_stride(key, dtype, len(values), shape)
            elif len(values) != wanted:
                raise where(i).wrong_count(key, dtype, len(values), shape)
        for key, dtype, at in asked.needed:
            if columns[at][-1] is None:
                raise where(i).missing(key, dtype)
    return columns


def _values(rows: list[Any], dtype: dtypes.DType) -> example_columns.Values:
    """The values of a feature, of which `rows` has those of every example."""
    found = np.array([row is not None for row in rows])
    counts = np.array([0 if row is None else len(row) for row in rows], np.int64)
    flat = column([value for row in rows if row is not None for value in row], dtype)
    return example_columns.Values(flat, counts, None if found.all() else found)


def _of_fixed_shape(rows: list[Any], dtype: dtypes.DType, shape: Any, default: Any) -> np.ndarray:
    """A batch's values of a feature of fixed shape."""
    flat: list[Any] = []
    for row in rows:
        flat.extend(default.ravel().tolist() if row is None else row)
    return column(flat, dtype, (len(rows), *shape))


def _parse_batch(
    examples: Sequence[Any],
    where: Callable[[int], _Where],
    sparse: Sequence[tuple[str, dtypes.DType]],
    dense: Sequence[tuple[str, dtypes.DType, Shape, Any]],
) -> tuple[list[Any], list[Any]]:
    """The features of a batch.

    Args:
      examples: a Features message each.
      where: what errors say of an example.
      sparse: (key, dtype)s.
      dense: (key, dtype, shape, default)s.

    Returns:
      The outputs of sparse features (all indices, all values, all shapes) and of dense ones.
    """
    rows_of = _rows(examples, where, _asked_for(sparse, dense))
    columns = [_sparse_column(rows, dtype) for rows, (_, dtype) in zip(rows_of, sparse)]
    found = []
    for rows, (_, dtype, shape, default) in zip(rows_of[len(sparse) :], dense):
        if _is_variable(shape):
            found.append(_padded(rows, dtype, shape, default))
            continue
        found.append(_of_fixed_shape(rows, dtype, shape, default))
    return [column[part] for part in range(3) for column in columns], found


def _check_inner(dense_shapes: Sequence[Shape]) -> None:
    """Raises ShapeError unless at most the first dimension of each shape is unknown."""
    for i, shape in enumerate(dense_shapes):
        if shape is None or None in shape[1:]:
            raise ShapeError(
                f"dense_shapes[{i}] has unknown rank or unknown inner dimensions: "
                f"{shapes.to_string(shape)}"
            )


def _check_known(*lists: Sequence[Shape]) -> None:
    """Raises ShapeError unless all shapes are fully known."""
    for shape in itertools.chain(*lists):
        if shape is None or None in shape:
            raise ShapeError(f"Shape {shapes.to_string(shape)} is not fully defined")


def _sparse_shapes(count: int, rank: int) -> list[Any]:
    return [(None, rank)] * count + [(None,)] * count + [(rank,)] * count


def _named(names: Any, kind: type[_Where]) -> Callable[[int], _Where]:
    known = names.ravel().tolist()
    return lambda i: kind(i, regex.decode(known[i]) if known else "<unknown>")


def _key(key: Any) -> str:
    return regex.decode(key[()])


@op("ParseExample", host=True)
class ParseExample:
    def shape(
        serialized: Any,
        names: Shape,
        sparse_keys: Sequence[Shape],
        dense_keys: Sequence[Shape],
        dense_defaults: Sequence[Shape],
        *,
        dense_shapes: Sequence[Shape],
    ) -> Any:
        (batch,) = shapes.with_rank(serialized, 1)
        shapes.with_rank(names, 1)
        _check_inner(dense_shapes)
        dense = [None if shape is None else (batch, *shape) for shape in dense_shapes]
        return _sparse_shapes(len(sparse_keys), 2) + dense

    def lower(
        serialized: Any,
        names: np.ndarray,
        sparse_keys: Sequence[np.ndarray],
        dense_keys: Sequence[np.ndarray],
        dense_defaults: Sequence[np.ndarray],
        *,
        sparse_types: Sequence[DType],
        Tdense: Sequence[DType],
        dense_shapes: Sequence[Shape],
    ) -> Any:
        if serialized.ndim != 1:
            raise invalid(
                f"Expected serialized to be a vector, got shape: {text_of_shape(serialized)}"
            )
        if names.size and names.shape != serialized.shape:
            raise invalid(
                f"Expected len(names) == len(serialized), but got: {names.size} vs. "
                f"{serialized.size}"
            )
        sparse = list(zip(map(_key, sparse_keys), sparse_types))
        dense = list(zip(map(_key, dense_keys), Tdense, dense_shapes, dense_defaults))
        values = example_columns.read(serialized, _wanted(sparse, dense))
        found = None if values is None else example_columns.batch(values, sparse, dense)
        if found is None:
            examples = [_parsed(data, "Example").features for data in serialized]
            found = _parse_batch(examples, _named(names, _Where), sparse, dense)
        return [*found[0], *found[1]]


def _of_one(found: list[Any], count: int) -> list[Any]:
    """The outputs of sparse features of a batch of one, without the dimension of the batch."""
    indices = [value[:, 1:] for value in found[:count]]
    return [*indices, *found[count : 2 * count], *[value[1:] for value in found[2 * count :]]]


@op("ParseSingleExample", host=True)
class ParseSingleExample:
    def shape(
        serialized: Any,
        dense_defaults: Sequence[Shape],
        *,
        sparse_keys: Sequence[str],
        dense_shapes: Sequence[Shape],
    ) -> Any:
        shapes.with_rank(serialized, 0)
        _check_inner(dense_shapes)
        return _sparse_shapes(len(sparse_keys), 1) + list(dense_shapes)

    def lower(
        serialized: Any,
        dense_defaults: Sequence[np.ndarray],
        *,
        sparse_keys: Sequence[str],
        dense_keys: Sequence[str],
        sparse_types: Sequence[DType],
        Tdense: Sequence[DType],
        dense_shapes: Sequence[Shape],
    ) -> Any:
        example = _parsed(_scalar(serialized), "Example").features
        sparse = list(zip(sparse_keys, sparse_types))
        dense = list(zip(dense_keys, Tdense, dense_shapes, dense_defaults))
        found = _parse_batch([example], lambda i: _Where(), sparse, dense)
        return [*_of_one(found[0], len(sparse)), *[value[0, ...] for value in found[1]]]

    def stacked(
        serialized: Any,
        dense_defaults: Sequence[np.ndarray],
        *,
        sparse_keys: Sequence[str],
        dense_keys: Sequence[str],
        sparse_types: Sequence[DType],
        Tdense: Sequence[DType],
        dense_shapes: Sequence[Shape],
    ) -> Any:
        if serialized.ndim != 1:
            return None
        sparse = list(zip(sparse_keys, sparse_types))
        dense = list(zip(dense_keys, Tdense, dense_shapes, dense_defaults))
        values = example_columns.read(serialized, _wanted(sparse, dense))
        if values is None:
            examples = [_parsed(data, "Example").features for data in serialized]
            columns = _rows(examples, lambda i: _Where(), _asked_for(sparse, dense))
            values = [
                _values(rows, dtype) for rows, (_, dtype) in zip(columns, _wanted(sparse, dense))
            ]
        return example_columns.singly(values, sparse, dense)


# Sequences of features.


def _steps(example: Any, key: str) -> Any:
    """The features of a sequence; None where there is none."""
    lists = example.feature_lists.feature_list
    return lists[key].feature if key in lists else None


def _sparse_lists(
    examples: Sequence[Any], key: str, dtype: dtypes.DType, where: Callable[[int], _Where]
) -> list[np.ndarray]:
    """[indices, values, dense shape] of one sequence of a batch."""
    indices: list[tuple[int, int, int]] = []
    values: list[Any] = []
    longest = [0, 0]
    for i, example in enumerate(examples):
        steps = _steps(example, key) or ()
        longest[0] = max(longest[0], len(steps))
        for j, step in enumerate(steps):
            row = where(i).values(step, key, dtype, True, j)
            row = () if row is None else row
            longest[1] = max(longest[1], len(row))
            indices += [(i, j, k) for k in range(len(row))]
            values += row
    return [
        np.array(indices, np.int64).reshape(-1, 3),
        column(values, dtype),
        np.array([len(examples), *longest], np.int64),
    ]


def _dense_lists(
    examples: Sequence[Any],
    key: str,
    dtype: dtypes.DType,
    shape: Any,
    may_miss: bool,
    where: Callable[[int], _InSequence],
) -> tuple[np.ndarray, np.ndarray]:
    """One sequence of a batch, padded at its end, and how long each is."""
    rows = []
    for i, example in enumerate(examples):
        steps = _steps(example, key)
        if steps is None and not may_miss:
            raise where(i).missing_list(key)
        found = [where(i).values(step, key, dtype, step=j) for j, step in enumerate(steps or ())]
        values = [() if value is None else value for value in found]
        wrong = where(i).wrong_counts(key, dtype, [len(value) for value in values], shape)
        if wrong is not None:
            raise wrong
        flat = [number for value in values for number in value]
        rows.append(column(flat, dtype, (len(values), *shape)))
    counts = [len(row) for row in rows]
    fill = b"" if dtype is dtypes.string else 0
    sizes = (len(rows), max(counts, default=0), *shape)
    found = np.full(sizes, fill, dtype.as_numpy_dtype)
    for i, row in enumerate(rows):
        found[i, : len(row)] = row
    return found, np.array(counts, np.int64)


@op("ParseSequenceExample", host=True)
class ParseSequenceExample:
    def shape(
        serialized: Any,
        debug_name: Shape,
        context_dense_defaults: Sequence[Shape],
        *,
        context_sparse_keys: Sequence[str],
        context_dense_shapes: Any,
        feature_list_sparse_keys: Sequence[str],
        feature_list_dense_shapes: Sequence[Shape],
    ) -> Any:
        (batch,) = shapes.with_rank(serialized, 1)
        _check_known(context_dense_shapes, feature_list_dense_shapes)
        lists: Any = feature_list_dense_shapes
        return [
            *_sparse_shapes(len(context_sparse_keys), 2),
            *[(batch, *shape) for shape in context_dense_shapes],
            *_sparse_shapes(len(feature_list_sparse_keys), 3),
            *[(batch, None, *shape) for shape in lists],
            *[(batch,) for _ in lists],
        ]

    def lower(
        serialized: Any,
        debug_name: np.ndarray,
        context_dense_defaults: Sequence[np.ndarray],
        *,
        feature_list_dense_missing_assumed_empty: Sequence[str],
        context_sparse_keys: Sequence[str],
        context_dense_keys: Sequence[str],
        feature_list_sparse_keys: Sequence[str],
        feature_list_dense_keys: Sequence[str],
        context_sparse_types: Sequence[DType],
        Tcontext_dense: Sequence[DType],
        feature_list_dense_types: Sequence[DType],
        context_dense_shapes: Sequence[Shape],
        feature_list_sparse_types: Sequence[DType],
        feature_list_dense_shapes: Sequence[Shape],
        ctx: LoweringContext,
    ) -> Any:
        if np.ndim(serialized) != 1:
            shape = text_of_shape(serialized)
            refuse(ctx, f"Expected serialized to be a vector, got shape: {shape}")
        for i, (value, wanted) in enumerate(zip(context_dense_defaults, context_dense_shapes)):
            if np.size(value) and np.shape(value) != wanted:
                refuse(
                    ctx,
                    f"default_value[{i}].shape() == {text_of_shape(value)} != "
                    f"context_dense_shapes[{i}] == {shapes.to_string(wanted)}",
                )
        return _parse_sequences(
            serialized.ravel().tolist(),
            _named(debug_name, _InSequences),
            list(zip(context_sparse_keys, context_sparse_types)),
            list(
                zip(
                    context_dense_keys, Tcontext_dense, context_dense_shapes, context_dense_defaults
                )
            ),
            list(zip(feature_list_sparse_keys, feature_list_sparse_types)),
            list(zip(feature_list_dense_keys, feature_list_dense_types, feature_list_dense_shapes)),
            set(feature_list_dense_missing_assumed_empty),
        )


def _parse_sequences(
    serialized: list[bytes],
    where: Callable[[int], Any],
    sparse: Any,
    dense: Any,
    sparse_lists: Any,
    dense_lists: Any,
    may_miss: set[str],
) -> list[Any]:
    """The outputs of ParseSequenceExample."""
    examples = [
        _parsed(data, "SequenceExample", where(i).unreadable) for i, data in enumerate(serialized)
    ]
    context = _parse_batch([example.context for example in examples], where, sparse, dense)
    columns = [_sparse_lists(examples, key, dtype, where) for key, dtype in sparse_lists]
    sequences = [
        _dense_lists(examples, key, dtype, shape, key in may_miss, where)
        for key, dtype, shape in dense_lists
    ]
    return [
        *context[0],
        *context[1],
        *[column[part] for part in range(3) for column in columns],
        *[values for values, _ in sequences],
        *[lengths for _, lengths in sequences],
    ]


@op("ParseSingleSequenceExample", host=True)
class ParseSingleSequenceExample:
    def shape(
        serialized: Any,
        feature_list_dense_missing_assumed_empty: Shape,
        context_sparse_keys: Sequence[Shape],
        context_dense_keys: Sequence[Shape],
        feature_list_sparse_keys: Sequence[Shape],
        feature_list_dense_keys: Sequence[Shape],
        context_dense_defaults: Sequence[Shape],
        debug_name: Shape,
        *,
        context_dense_shapes: Sequence[Shape],
        feature_list_dense_shapes: Any,
    ) -> Any:
        shapes.with_rank(serialized, 0)
        shapes.with_rank(feature_list_dense_missing_assumed_empty, 1)
        _check_known(context_dense_shapes, feature_list_dense_shapes)
        return [
            *_sparse_shapes(len(context_sparse_keys), 1),
            *context_dense_shapes,
            *_sparse_shapes(len(feature_list_sparse_keys), 2),
            *[(None, *shape) for shape in feature_list_dense_shapes],
        ]

    def lower(
        serialized: Any,
        feature_list_dense_missing_assumed_empty: np.ndarray,
        context_sparse_keys: Sequence[np.ndarray],
        context_dense_keys: Sequence[np.ndarray],
        feature_list_sparse_keys: Sequence[np.ndarray],
        feature_list_dense_keys: Sequence[np.ndarray],
        context_dense_defaults: Sequence[np.ndarray],
        debug_name: np.ndarray,
        *,
        context_sparse_types: Sequence[DType],
        Tcontext_dense: Sequence[DType],
        feature_list_dense_types: Sequence[DType],
        context_dense_shapes: Sequence[Shape],
        feature_list_sparse_types: Sequence[DType],
        feature_list_dense_shapes: Sequence[Shape],
    ) -> Any:
        sparse = list(zip(map(_key, context_sparse_keys), context_sparse_types))
        dense = list(
            zip(
                map(_key, context_dense_keys),
                Tcontext_dense,
                context_dense_shapes,
                context_dense_defaults,
            )
        )
        sparse_lists = list(zip(map(_key, feature_list_sparse_keys), feature_list_sparse_types))
        dense_lists = list(
            zip(
                map(_key, feature_list_dense_keys),
                feature_list_dense_types,
                feature_list_dense_shapes,
            )
        )
        may_miss = set(map(regex.decode, feature_list_dense_missing_assumed_empty.tolist()))
        found = _parse_sequences(
            [_scalar(serialized)],
            _named(debug_name, _InSequence),
            sparse,
            dense,
            sparse_lists,
            dense_lists,
            may_miss,
        )
        # Without the dimension of the batch, and without the lengths.
        first, second = len(sparse), len(sparse_lists)
        a, b = 3 * first, 3 * first + len(dense)
        return [
            *_of_one(found[:a], first),
            *[value[0, ...] for value in found[a:b]],
            *_of_one(found[b : b + 3 * second], second),
            *[value[0, ...] for value in found[b + 3 * second :][: len(dense_lists)]],
        ]


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@op("DecodeJSONExample", host=True)
class DecodeJSONExample:
    shape = same

    def lower(json_examples: Any) -> Any:
        def decode(text: bytes) -> bytes:
            # The parser takes a list for a message without fields.
            if not text.lstrip().startswith(b"{") and _is_json(text):
                raise invalid("Error while parsing JSON: : Root element must be a message.")
            try:
                example = json_format.Parse(text, message("Example")())
            except json_format.ParseError as error:
                raise invalid(f"Error while parsing JSON: {error}") from None
            return example.SerializeToString(deterministic=True)

        return each(decode, json_examples)

    fold = lower
