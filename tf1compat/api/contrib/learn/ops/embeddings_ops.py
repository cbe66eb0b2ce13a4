"""`tensorflow.contrib.learn.python.learn.ops.embeddings_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor


@deprecated("2016-12-01", "Use `tf.embedding_lookup` instead.")
def embedding_lookup(params: Any, ids: Any, name: str = "embedding_lookup") -> Tensor:
    """Looks up `ids`, of any rank, in `params`.

    Args:
      params: the embeddings, a matrix.
      ids: which of its rows.
      name: the name of the operations.

    Returns:
      A tensor like `ids`, with a dimension more.
    """
    with ops.name_scope(name, "embedding_lookup", [params, ids]):
        params, ids = ops.convert_to_tensor(params), ops.convert_to_tensor(ids)
        shape = array_ops.shape(ids)
        flat = array_ops.reshape(ids, math_ops.reduce_prod(shape, keepdims=True))
        found = embedding_ops.embedding_lookup(params, flat, name)
        result = array_ops.reshape(found, array_ops.concat([shape, [-1]], 0))
        result.set_shape(ids.shape.concatenate(params.shape[1:]))
        return result


@deprecated("2016-12-01", "Use `tf.contrib.layers.embed_sequence` instead.")
def categorical_variable(tensor_in: Any, n_classes: int, embedding_size: int, name: str) -> Tensor:
    """Embeds categories.

    Args:
      tensor_in: the categories, integers.
      n_classes: how many there are.
      embedding_size: of how many numbers an embedding is.
      name: the variable scope; the variable is `<name>/<name>_embeddings`.
    """
    with variable_scope.variable_scope(name):
        shape = [n_classes, embedding_size]
        embeddings = variable_scope.get_variable(f"{name}_embeddings", shape)
        return embedding_lookup(embeddings, tensor_in)
