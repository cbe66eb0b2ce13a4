"""Connectionist temporal classification in `tf.keras.backend`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import ctc_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import TensorLike

__all__ = ["ctc_batch_cost", "ctc_decode", "ctc_label_dense_to_sparse"]


@tf_export("keras.backend.ctc_label_dense_to_sparse")
def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> SparseTensor:
    """Rows of labels as a sparse tensor.

    Args:
      labels: [batch, longest].
      label_lengths: how many of each row count, a vector.

    Returns:
      A `SparseTensor` of the labels' dtype.
    """
    shape = array_ops.shape(labels)
    batch = array_ops.stack([shape[0]])
    longest = array_ops.stack([shape[1]])

    def within(before: Any, length: Any) -> Any:
        numbers = array_ops.expand_dims(math_ops.range(array_ops.shape(before)[1]), 0)
        return numbers < array_ops.fill(longest, length)

    nothing = math_ops.cast(array_ops.fill([1, shape[1]], 0), dtypes.bool)
    mask = functional_ops.scan(within, label_lengths, initializer=nothing, parallel_iterations=1)[
        :, 0, :
    ]
    places = array_ops.reshape(array_ops.tile(math_ops.range(0, shape[1]), batch), shape)
    places = array_ops.boolean_mask(places, mask)
    rows = array_ops.transpose(
        array_ops.reshape(
            array_ops.tile(math_ops.range(0, shape[0]), longest), backend.reverse(shape, 0)
        )
    )
    rows = array_ops.boolean_mask(rows, mask)
    indices = array_ops.transpose(
        array_ops.reshape(backend.concatenate([rows, places], axis=0), [2, -1])
    )
    values = array_ops.gather_nd(labels, indices)
    return SparseTensor(
        math_ops.cast(indices, dtypes.int64), values, math_ops.cast(shape, dtypes.int64)
    )


@tf_export("keras.backend.ctc_batch_cost")
def ctc_batch_cost(
    y_true: TensorLike, y_pred: TensorLike, input_length: Any, label_length: Any
) -> Any:
    """The CTC loss of each sequence.

    Args:
      y_true: labels [batch, longest].
      y_pred: distributions [batch, steps, classes].
      input_length, label_length: how many steps and labels count, [batch, 1].

    Returns:
      float32 [batch, 1].
    """
    label_length = math_ops.cast(array_ops.squeeze(label_length, axis=-1), dtypes.int32)
    input_length = math_ops.cast(array_ops.squeeze(input_length, axis=-1), dtypes.int32)
    sparse = math_ops.cast(ctc_label_dense_to_sparse(y_true, label_length), dtypes.int32)
    y_pred = _log(y_pred)
    loss = ctc_ops.ctc_loss(inputs=y_pred, labels=sparse, sequence_length=input_length)
    return array_ops.expand_dims(loss, 1)


def _log(y_pred: TensorLike) -> Any:
    return math_ops.log(array_ops.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon())


@tf_export("keras.backend.ctc_decode")
def ctc_decode(
    y_pred: TensorLike,
    input_length: Any,
    greedy: bool = True,
    beam_width: int = 100,
    top_paths: int = 1,
) -> tuple[list[Any], Any]:
    """Labels from distributions.

    Args:
      y_pred: distributions [batch, steps, classes].
      input_length: how many steps of each sequence count.
      greedy: whether to take the best class of each step, rather than search.
      beam_width, top_paths: of the search.

    Returns:
      (matrices of labels, filled up with -1; their log probabilities).
    """
    y_pred = _log(y_pred)
    input_length = math_ops.cast(input_length, dtypes.int32)
    if greedy:
        decoded, log_prob = ctc_ops.ctc_greedy_decoder(inputs=y_pred, sequence_length=input_length)
    else:
        decoded, log_prob = ctc_ops.ctc_beam_search_decoder(
            inputs=y_pred, sequence_length=input_length, beam_width=beam_width,
            top_paths=top_paths,
        )  # fmt: skip
    dense = [
        sparse_ops.sparse_to_dense(x.indices, x.dense_shape, x.values, default_value=-1)
        for x in decoded
    ]
    return dense, log_prob


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
