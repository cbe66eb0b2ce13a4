"""Embedding look-ups of `tf.contrib.layers`
(`tensorflow.contrib.layers.python.layers.embedding_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api import array_ops, embedding_ops, gather_ops, math_ops, sequence_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

__all__ = ["embedding_lookup_unique"]


@tf_export("contrib.layers.embedding_lookup_unique")
def embedding_lookup_unique(
    params: Any, ids: Any, partition_strategy: str = "mod", name: Any = None
) -> Tensor:
    """`tf.nn.embedding_lookup` that gathers each row once, however often its id occurs.

    Args:
      params: a table, or a list of the parts of one.
      ids: integers of any shape.
      partition_strategy: "mod" or "div": how rows are dealt out to parts.
      name: the name scope.

    Returns:
      A tensor of the shape of `ids` and that of a row.
    """
    with ops.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = ops.convert_to_tensor(ids)
        shape = array_ops.shape(ids)
        flat = array_ops.reshape(ids, math_ops.reduce_prod(shape, keepdims=True))
        unique_ids, positions = sequence_ops.unique(flat)
        rows = embedding_ops.embedding_lookup(params, unique_ids, partition_strategy)
        embeddings = gather_ops.gather(rows, positions)
        sizes = array_ops.concat([shape, array_ops.shape(rows)[1:]], 0)
        embeddings = array_ops.reshape(embeddings, sizes)
        embeddings.set_shape(ids.get_shape().concatenate(rows.get_shape()[1:]))
        return embeddings
