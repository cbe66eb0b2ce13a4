"""Rows and columns of a saved matrix for another vocabulary."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import Shape
from tf1compat.formats import bundle
from tf1compat.kernels.io.checkpoint import file_errors
from tf1compat.kernels.lookup.lookup import vocabulary
from tf1compat.kernels.text.string import invalid


@op("GenerateVocabRemapping", host=True)
class GenerateVocabRemapping:
    def shape(new_vocab_file: Any, old_vocab_file: Shape, *, num_new_vocab: int) -> Any:
        shapes.with_rank(new_vocab_file, 0)
        shapes.with_rank(old_vocab_file, 0)
        return [(num_new_vocab,), ()]

    def lower(
        new_vocab_file: Any, old_vocab_file: Any, *, new_vocab_offset: int, num_new_vocab: int,
        old_vocab_size: int,
    ) -> Any:  # fmt: skip
        words = list(vocabulary(new_vocab_file[()], -1))
        end = new_vocab_offset + num_new_vocab
        if len(words) < end:
            raise invalid("lookup table size must be larger than last new vocab entry's line")
        old: dict[bytes, int] = {}
        for number, word in enumerate(vocabulary(old_vocab_file[()], old_vocab_size)):
            if old.setdefault(word, number) != number:
                text = f"Key {word.decode('latin-1')} has {old[word]} and trying to add value"
                raise errors.FailedPreconditionError(
                    None, None, f"HashTable has different value for same key. {text} {number}"
                )
        found = np.array([old.get(word, -1) for word in words[new_vocab_offset:end]], np.int64)
        return [found, np.array(np.sum(found >= 0), np.int32)]


def _check_unique(ids: np.ndarray) -> None:
    seen: dict[int, int] = {}
    for new, old in enumerate(ids.tolist()):
        if old >= 0 and seen.setdefault(old, new) != new:
            raise errors.UnimplementedError(
                None, None,
                f"Old ID {old} is mapped to both new ID {seen[old]} and {new}, which is not "
                "supported.",
            )  # fmt: skip


def _matrix(path: Any, name: str) -> np.ndarray:
    """The saved matrix.

    Raises:
      InvalidArgumentError: it is no matrix of floats.
    """
    with file_errors():
        reader = bundle.Reader(path.decode())
    if not reader.has(name):
        raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
    dtype = reader.dtype(name)
    if dtype != dtypes.float32:
        raise invalid(
            f"Tensor {name} has invalid type {dtypes.cpp_name(dtype)} instead of expected type "
            "float"
        )
    shape = reader.shape(name)
    if len(shape) != 2:
        raise invalid(
            f"Tensor {name} has shape {shapes.to_string(shape)} of invalid rank {len(shape)} "
            "instead of expected shape of rank 2."
        )
    with file_errors():
        return np.asarray(reader.get(name))


@op("LoadAndRemapMatrix", host=True)
class LoadAndRemapMatrix:
    def shape(
        ckpt_path: Any, old_tensor_name: Shape, row_remapping: Shape, col_remapping: Shape,
        initializing_values: Shape, *, num_rows: int, num_cols: int,
    ) -> Shape:  # fmt: skip
        shapes.with_rank(ckpt_path, 0)
        return (num_rows, num_cols)

    # How many rows are in memory at a time is of no account here.
    def lower(
        ckpt_path: Any, old_tensor_name: np.ndarray, row_remapping: np.ndarray,
        col_remapping: np.ndarray,
        initializing_values: np.ndarray, *, num_rows: int, num_cols: int,
    ) -> Any:  # fmt: skip
        rows, columns = np.ravel(row_remapping), np.ravel(col_remapping)
        if rows.size != num_rows:
            raise invalid(
                f"Size of row_remapping is {rows.size} instead of being equal to num_rows="
                f"{num_rows}"
            )
        if columns.size and columns.size != num_cols:
            raise invalid(
                f"Provided col_remapping, but its size is {columns.size} instead of being equal to "
                f"num_cols={num_cols}"
            )
        _check_unique(rows)
        _check_unique(columns)
        name = np.ravel(old_tensor_name)[0].decode()
        result = np.zeros((num_rows, num_cols), np.float32)
        is_row = rows >= 0
        is_column = columns >= 0 if columns.size else np.ones(num_cols, bool)
        old = _matrix(ckpt_path[()], name)
        if not columns.size:
            if old.shape[1] != num_cols:
                raise invalid(
                    f"Tensor {name} has shape {shapes.to_string(old.shape)}, where the size of its "
                    f"2nd dimension is {old.shape[1]} instead of being equal to num_cols={num_cols}"
                )
            columns = np.arange(num_cols)
        present = rows[is_row]
        if present.size and present.max() >= len(old):
            first = present.min()
            raise errors.InternalError(
                None, None,
                f"Extent in dimension 0 out of bounds: shape = {shapes.to_string(old.shape)}, "
                f"slice = {first},{present.max() - first + 1}:-",
            )  # fmt: skip
        result[np.ix_(is_row, is_column)] = old[np.ix_(present, columns[is_column])]
        is_missing = ~(is_row[:, None] & is_column[None, :])
        values, wanted = np.ravel(initializing_values), int(np.sum(is_missing))
        if values.size < wanted:
            raise invalid(
                f"initializing_values contained {values.size} elements, but more missing values "
                "remain."
            )
        if values.size > wanted:
            raise invalid(
                f"initializing_values contained {values.size} elements, but only {wanted} elements "
                "were used to fill in missing values."
            )
        result[is_missing] = values
        return result


not_differentiable("GenerateVocabRemapping", "LoadAndRemapMatrix")
