"""Encoders of sequences of ids (`tensorflow.contrib.layers.python.layers.encoders`).

Arguments that both take:
  ids: integers [batch, length].
  vocab_size, embed_dim: the size of the table of embeddings.
  initializer, regularizer, trainable: see `tf.get_variable`.
  scope: the variable scope.
  reuse: whether to use the table of that scope.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.framework import variables
from tf1compat.api.contrib.layers import embedding_ops as contrib_embedding_ops
from tf1compat.api.contrib.layers import sparse_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import sparse_tensor
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer, Regularizer, TensorLike

__all__ = ["bow_encoder", "embed_sequence"]


@tf_export("contrib.layers.bow_encoder")
def bow_encoder(
    ids: TensorLike, vocab_size: int, embed_dim: int, sparse_lookup: bool = True,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None, trainable: bool = True, scope: Any = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """The mean of the embeddings of a sequence.

    Args: see this module.
      sparse_lookup: whether ids of 0 are left out; `ids` may be sparse then.

    Returns:
      [batch, embed_dim].

    Raises:
      ValueError: a size is missing.
      TypeError: sparse ids for a dense look-up.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = variables.model_variable(
            "embeddings", shape=[vocab_size, embed_dim], initializer=initializer,
            regularizer=regularizer, trainable=trainable,
        )  # fmt: skip
        is_sparse = isinstance(ids, sparse_tensor.SparseTensor)
        if sparse_lookup:
            sparse_ids = ids if is_sparse else sparse_ops.dense_to_sparse_tensor(ids)
            return contrib_embedding_ops.safe_embedding_lookup_sparse(
                [embeddings], sparse_ids, combiner="mean", default_id=0
            )
        if is_sparse:
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return math_ops.reduce_mean(embedding_ops.embedding_lookup(embeddings, ids), axis=1)


@tf_export("contrib.layers.embed_sequence")
def embed_sequence(
    ids: TensorLike, vocab_size: int | None = None, embed_dim: int | None = None,
    unique: bool = False,
    initializer: Initializer | None = None, regularizer: Regularizer | None = None,
    trainable: bool = True, scope: Any = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """The embeddings of a sequence.

    Args: see this module.
      vocab_size, embed_dim: the size of the table; None if it is reused.
      unique: whether to gather each row once, however often its id occurs.

    Returns:
      [batch, length, embed_dim].

    Raises:
      ValueError: a size is missing, and the table is not reused.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            "Must specify vocab size and embedding dimension when not reusing. Got "
            f"vocab_size={vocab_size} and embed_dim={embed_dim}"
        )
    with variable_scope.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        is_unknown = (reuse and vocab_size is None) or embed_dim is None
        embeddings = variables.model_variable(
            "embeddings", shape=None if is_unknown else [vocab_size, embed_dim],
            initializer=initializer, regularizer=regularizer, trainable=trainable,
        )  # fmt: skip
        if unique:
            return contrib_embedding_ops.embedding_lookup_unique(embeddings, ids)
        return embedding_ops.embedding_lookup(embeddings, ids)
