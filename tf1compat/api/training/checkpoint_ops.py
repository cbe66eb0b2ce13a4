"""Initializers that take the rows or columns of a saved matrix for another vocabulary
(`tensorflow.python.training.checkpoint_ops`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer


def _load_and_remap_matrix(
    ckpt_path: Any, old_tensor_name: Any, new_row_vocab_offset: int, num_rows_to_load: int,
    new_col_vocab_size: int, initializer: Any, old_row_vocab_size: int = -1,
    old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, max_rows_in_memory: int = -1,
) -> Tensor:  # fmt: skip
    """The rows `new_row_vocab_offset`, … of a saved matrix for new vocabularies.

    Args: see `_load_and_remap_matrix_initializer`.

    Returns:
      float32 [num_rows_to_load + num_row_oov_buckets, new_col_vocab_size + num_col_oov_buckets].

    Raises:
      ValueError: an argument is wrong.
    """
    for name, buckets in (
        ("num_row_oov_buckets", num_row_oov_buckets),
        ("num_col_oov_buckets", num_col_oov_buckets),
    ):
        if buckets < 0:
            raise ValueError(f"{name} must be >= 0, but received {buckets}")
    for kind, old, new in (
        ("row", old_row_vocab_file, new_row_vocab_file),
        ("col", old_col_vocab_file, new_col_vocab_file),
    ):
        if bool(old) != bool(new):
            raise ValueError(
                f"old_{kind}_vocab_file and new_{kind}_vocab_file must both be specified or left "
                f"unspecified. old_{kind}_vocab_file='{old}', new_{kind}_vocab_file='{new}'"
            )
    if not (old_row_vocab_file or old_col_vocab_file):
        raise ValueError(
            "Must provide either row or column vocab files. If no remapping is necessary, consider "
            "using `tf.contrib.framework.init_from_checkpoint` instead."
        )
    rows_present: Any = num_rows_to_load
    if old_row_vocab_file:
        row_remapping, rows_present = raw_ops.GenerateVocabRemapping(
            new_vocab_file=new_row_vocab_file, old_vocab_file=old_row_vocab_file,
            new_vocab_offset=new_row_vocab_offset, num_new_vocab=num_rows_to_load,
            old_vocab_size=old_row_vocab_size,
        )  # fmt: skip
    else:
        row_remapping = math_ops.range(
            new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, dtype=dtypes.int64
        )
    col_remapping: Any = []
    cols_present: Any = new_col_vocab_size
    if old_col_vocab_file:
        col_remapping, cols_present = raw_ops.GenerateVocabRemapping(
            new_vocab_file=new_col_vocab_file, old_vocab_file=old_col_vocab_file,
            new_vocab_offset=0, num_new_vocab=new_col_vocab_size,
        )  # fmt: skip
    missing = num_rows_to_load * new_col_vocab_size - rows_present * cols_present
    result = raw_ops.LoadAndRemapMatrix(
        ckpt_path=ckpt_path, old_tensor_name=old_tensor_name, row_remapping=row_remapping,
        col_remapping=col_remapping, initializing_values=initializer([missing, 1]),
        num_rows=num_rows_to_load, num_cols=new_col_vocab_size,
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip
    if num_row_oov_buckets > 0:
        buckets = ops.convert_to_tensor(initializer([num_row_oov_buckets, new_col_vocab_size]))
        result = array_ops.concat([result, buckets], 0)
    if num_col_oov_buckets > 0:
        rows = num_rows_to_load + num_row_oov_buckets
        buckets = ops.convert_to_tensor(initializer([rows, num_col_oov_buckets]))
        result = array_ops.concat([result, buckets], 1)
    return result


def _load_and_remap_matrix_initializer(
    ckpt_path: Any, old_tensor_name: Any, new_row_vocab_size: int, new_col_vocab_size: int,
    old_row_vocab_size: int = -1, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Any = None, max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:  # fmt: skip
    """An initializer that takes a matrix, or a part of one, from a checkpoint.

    Args:
      ckpt_path: the checkpoint.
      old_tensor_name: the matrix's name there.
      new_row_vocab_size, new_col_vocab_size: how many words rows, and columns, stand for.
      old_row_vocab_size: how many words of `old_row_vocab_file` count; -1 for all.
      old_row_vocab_file, new_row_vocab_file: the words of the rows, then and now; both or neither.
      old_col_vocab_file, new_col_vocab_file: those of the columns.
      num_row_oov_buckets, num_col_oov_buckets: how many rows, and columns, follow for other words.
      initializer: for what the checkpoint hasn't; zeros by default.
      max_rows_in_memory: how many rows are read at a time; -1 for all.

    Returns:
      A function of a shape, a dtype and what part of a variable it is.

    Raises:
      TypeError: `initializer` can't be called.
    """
    if initializer is None:
        initializer = init_ops.zeros_initializer()
    if not callable(initializer):
        raise TypeError(
            f"initializer must be callable, instead of being {initializer} of type "
            f"{type(initializer)}."
        )
    make: Callable[..., Any] = initializer

    def load(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Tensor:
        if dtype != dtypes.float32:
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
        if len(shape) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if shape[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        columns = new_col_vocab_size + num_col_oov_buckets
        if shape[1] != columns:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({new_col_vocab_size}) + "
                f"num_col_oov_buckets ({num_col_oov_buckets}) = {columns}, but received shape: "
                f"{shape}"
            )
        offset = 0 if partition_info is None else partition_info.single_offset(shape)
        rows = new_row_vocab_size + num_row_oov_buckets
        if offset + shape[0] > rows:
            raise ValueError(
                f"Trying to initialize {shape[0]} additional rows after {offset} rows have already "
                "been initialized, which would exceed expected total row count of "
                f"new_row_vocab_size ({new_row_vocab_size}) + num_row_oov_buckets "
                f"({num_row_oov_buckets}) = {rows}."
            )
        buckets = min(shape[0], max(0, offset + shape[0] - new_row_vocab_size))
        if offset > new_row_vocab_size:
            if shape[0] != buckets:
                raise ValueError(
                    "Partitioned variable offset is greater than new vocab size and not operating "
                    "on OOV-only partition."
                )
            return make(shape)
        return _load_and_remap_matrix(
            ckpt_path=ckpt_path, old_tensor_name=old_tensor_name, new_row_vocab_offset=offset,
            num_rows_to_load=shape[0] - buckets, new_col_vocab_size=new_col_vocab_size,
            initializer=initializer, old_row_vocab_size=old_row_vocab_size,
            old_row_vocab_file=old_row_vocab_file, new_row_vocab_file=new_row_vocab_file,
            old_col_vocab_file=old_col_vocab_file, new_col_vocab_file=new_col_vocab_file,
            num_row_oov_buckets=buckets, num_col_oov_buckets=num_col_oov_buckets,
            max_rows_in_memory=max_rows_in_memory,
        )  # fmt: skip

    return load


def _load_embedding_initializer(
    ckpt_path: Any, embedding_tensor_name: Any, new_vocab_size: int, embedding_dim: int,
    old_vocab_file: Any, new_vocab_file: Any, old_vocab_size: int = -1, num_oov_buckets: int = 0,
    initializer: Initializer | None = None, max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:  # fmt: skip
    """An initializer that takes the embeddings of words from a checkpoint.

    Args:
      ckpt_path: the checkpoint.
      embedding_tensor_name: the table's name there.
      new_vocab_size: how many words there are.
      embedding_dim: the embeddings' size.
      old_vocab_file, new_vocab_file: the words, then and now.
      old_vocab_size: how many words of `old_vocab_file` count; -1 for all.
      num_oov_buckets: how many rows follow for other words.
      initializer: for new words; by default a truncated normal of deviation
        1 / sqrt(embedding_dim).
      max_rows_in_memory: how many rows are read at a time; -1 for all.

    Returns:
      A function of a shape, a dtype and what part of a variable it is.
    """
    if initializer is None:
        stddev = 1.0 / math.sqrt(embedding_dim)
        initializer = init_ops.truncated_normal_initializer(stddev=stddev)
    return _load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path, old_tensor_name=embedding_tensor_name,
        new_row_vocab_size=new_vocab_size, new_col_vocab_size=embedding_dim,
        old_row_vocab_size=old_vocab_size, old_row_vocab_file=old_vocab_file,
        new_row_vocab_file=new_vocab_file, old_col_vocab_file=None, new_col_vocab_file=None,
        num_row_oov_buckets=num_oov_buckets, num_col_oov_buckets=0, initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip
