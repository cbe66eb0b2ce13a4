"""Initializers from checkpoints of other vocabularies
(`tensorflow.contrib.framework.python.ops.checkpoint_ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.random import init_ops
from tf1compat.api.training import checkpoint_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Initializer, ShapeLike

__all__ = [
    "load_and_remap_matrix_initializer",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable_slot_initializer",
]

load_and_remap_matrix_initializer = tf_export(
    "contrib.framework.load_and_remap_matrix_initializer"
)(checkpoint_ops._load_and_remap_matrix_initializer)
load_embedding_initializer = tf_export("contrib.framework.load_embedding_initializer")(
    checkpoint_ops._load_embedding_initializer
)


@tf_export("contrib.framework.load_linear_multiclass_bias_initializer")
def load_linear_multiclass_bias_initializer(
    ckpt_path: Any, bias_tensor_name: Any, new_class_vocab_size: int, old_class_vocab_file: Any,
    new_class_vocab_file: Any, num_class_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:  # fmt: skip
    """An initializer that takes the bias of each class, [classes, 1], from a checkpoint.

    Args:
      ckpt_path: the checkpoint.
      bias_tensor_name: the bias's name there.
      new_class_vocab_size: how many classes there are.
      old_class_vocab_file, new_class_vocab_file: the classes' names, then and now.
      num_class_oov_buckets: how many rows follow for other classes.
      initializer: for new classes; zeros by default.
      max_rows_in_memory: how many rows are read at a time; -1 for all.

    Returns:
      A function of a shape, a dtype and what part of a variable it is.
    """
    return load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path, old_tensor_name=bias_tensor_name,
        new_row_vocab_size=new_class_vocab_size, new_col_vocab_size=1,
        old_row_vocab_file=old_class_vocab_file, new_row_vocab_file=new_class_vocab_file,
        old_col_vocab_file=None, new_col_vocab_file=None,
        num_row_oov_buckets=num_class_oov_buckets, num_col_oov_buckets=0,
        initializer=initializer or init_ops.zeros_initializer(),
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip


@tf_export("contrib.framework.load_variable_slot_initializer")
def load_variable_slot_initializer(
    ckpt_path: Any, old_tensor_name: Any, primary_partition_info: Any, new_row_vocab_size: int,
    new_col_vocab_size: int, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:  # fmt: skip
    """`load_and_remap_matrix_initializer` for an optimizer's slot of a variable.

    Args:
      primary_partition_info: what part of the variable the slot belongs to.
      ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, old_row_vocab_file,
        new_row_vocab_file, old_col_vocab_file, new_col_vocab_file, num_row_oov_buckets,
        num_col_oov_buckets, initializer, max_rows_in_memory: see
        `load_and_remap_matrix_initializer`.

    Returns:
      A function of a shape, a dtype and what part of the slot it is, which is ignored.
    """
    load = load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path, old_tensor_name=old_tensor_name,
        new_row_vocab_size=new_row_vocab_size, new_col_vocab_size=new_col_vocab_size,
        old_row_vocab_file=old_row_vocab_file, new_row_vocab_file=new_row_vocab_file,
        old_col_vocab_file=old_col_vocab_file, new_col_vocab_file=new_col_vocab_file,
        num_row_oov_buckets=num_row_oov_buckets, num_col_oov_buckets=num_col_oov_buckets,
        initializer=initializer, max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip

    def load_slot(
        shape: ShapeLike, dtype: DTypeLike = dtypes.float32, partition_info: Any = None
    ) -> Tensor:
        return load(shape, dtype, partition_info=primary_partition_info)

    return load_slot
