"""`tensorflow.python.ops.ctc_ops`: connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import map_fn
from tf1compat.api.math import math_ops
from tf1compat.api.nn import ctc_dense
from tf1compat.api.nn.ctc_dense import ctc_loss_dense
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.util.deprecation import renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike


@tf_export("nn.ctc_loss")
def ctc_loss(
    labels: TensorLike, inputs: TensorLike | None = None, sequence_length: TensorLike | None = None,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
    logits: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """How unlikely it is that logits over time spell out labels (Graves et al., 2006).

    Args:
      labels: an int32 SparseTensor [batch, labels]: the sequence of each row.
      inputs: logits [time, batch, classes]; the last class is the blank.
      sequence_length: an int32 vector [batch]: how many time steps count.
      preprocess_collapse_repeated: make one label of equal labels that follow each other.
      ctc_merge_repeated: equal classes at steps that follow each other spell one label.
      ignore_longer_outputs_than_inputs: rows with more labels than steps have loss 0, instead of
        being an error.
      time_major: if False, `inputs` is [batch, time, classes].
      logits: another name of `inputs`.

    Returns:
      A vector [batch] of negative log probabilities.

    Raises:
      TypeError: `labels` is not sparse.
      ValueError: both `inputs` and `logits` are given.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = renamed("logits", logits, "inputs", inputs)
    if not time_major:
        inputs = array_ops.transpose(inputs, [1, 0, 2])
    loss, _ = raw_ops.CTCLoss(
        inputs,
        labels.indices,
        labels.values,
        sequence_length,
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )
    return loss


@tf_export("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: TensorLike, sequence_length: TensorLike, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """The labels that the likeliest class at each time step spells.

    Args:
      inputs: logits [time, batch, classes]; the last class is the blank.
      sequence_length: an int32 vector [batch]: how many time steps count.
      merge_repeated: equal classes at steps that follow each other spell one label.

    Returns:
      (a list of one int64 SparseTensor [batch, labels], a tensor [batch, 1] of the negative sums of
      the largest logits).
    """
    *decoded, scores = raw_ops.CTCGreedyDecoder(
        inputs, sequence_length, merge_repeated=merge_repeated
    )
    return [SparseTensor(*decoded)], scores


@tf_export("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1,
    merge_repeated: bool = True,
) -> tuple[list[SparseTensor], Tensor]:  # fmt: skip
    """The likeliest sequences of labels, found by a beam search.

    Args:
      inputs: logits [time, batch, classes]; the last class is the blank.
      sequence_length: an int32 vector [batch]: how many time steps count.
      beam_width: how many sequences each step keeps.
      top_paths: how many are returned.
      merge_repeated: make one label of equal labels in the result.

    Returns:
      (a list of `top_paths` int64 SparseTensors [batch, labels], a tensor [batch, top_paths] of log
      probabilities).
    """
    found = raw_ops.CTCBeamSearchDecoder(
        inputs,
        sequence_length,
        beam_width=beam_width,
        top_paths=top_paths,
        merge_repeated=merge_repeated,
    )
    parts = (found.decoded_indices, found.decoded_values, found.decoded_shape)
    decoded = [SparseTensor(*part) for part in zip(*parts, strict=True)]
    return decoded, found.log_probability


@tf_export("nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder_v2(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """As `ctc_beam_search_decoder`, without merging labels.

    Args:
      inputs, sequence_length, beam_width, top_paths: as there.

    Returns:
      A list of `top_paths` SparseTensors of int64 labels [batch, longest], and float [batch,
      top_paths] of their log-probabilities.
    """
    return ctc_beam_search_decoder(
        inputs, sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=False
    )


def _get_dim(tensor: Any, i: int) -> Any:
    """A dimension as an int where it is known, and not 0, else as a tensor."""
    return dimension_value(tensor.shape[i]) or array_ops.shape(tensor)[i]


@tf_export("nn.ctc_loss_v2")
def ctc_loss_v2(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True,
    unique: Any = None, blank_index: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `ctc_loss`, with any class as the blank, for sparse or dense labels.

    Args:
      labels: a SparseTensor, or an int tensor [batch, labels].
      logits: [time, batch, classes].
      label_length: [batch], how many labels count, for dense labels.
      logit_length: [batch], how many time steps count.
      logits_time_major: if False, `logits` is [batch, time, classes].
      unique: of `ctc_unique_labels(labels)`: makes the gradient of dense labels cheaper.
      blank_index: the class that is the blank, negative from the end; 0 by default for dense
        labels, which do not have it.
      name: the name scope.

    Returns:
      A vector [batch] of negative log probabilities.

    Raises:
      ValueError: sparse labels without `blank_index`.
    """
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        if blank_index < 0:
            blank_index += _get_dim(logits, 2)
        if blank_index != _get_dim(logits, 2) - 1:
            parts = [
                logits[:, :, :blank_index],
                logits[:, :, blank_index + 1 :],
                logits[:, :, blank_index : blank_index + 1],
            ]
            logits = array_ops.concat(parts, axis=2)
            values = array_ops.where(labels.values < blank_index, labels.values, labels.values - 1)
            labels = SparseTensor(labels.indices, values, labels.dense_shape)
        return ctc_loss(
            labels=labels,
            inputs=logits,
            sequence_length=logit_length,
            time_major=logits_time_major,
        )
    return ctc_loss_dense(
        labels=labels,
        logits=logits,
        label_length=label_length,
        logit_length=logit_length,
        logits_time_major=logits_time_major,
        unique=unique,
        blank_index=0 if blank_index is None else blank_index,
        name=name,
    )


@tf_export("nn.collapse_repeated")
def collapse_repeated(
    labels: TensorLike, seq_length: Any, name: Name = None
) -> tuple[Tensor, Tensor]:
    """Makes one label of equal labels that follow each other.

    Args:
      labels: [batch, labels].
      seq_length: [batch], how many labels count.
      name: the name scope.

    Returns:
      (labels [batch, most labels left], filled up with 0; how many are left [batch]).
    """
    with ops.name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = ops.convert_to_tensor(labels, name="labels")
        seq_length = ops.convert_to_tensor(seq_length, name="seq_length")
        first = array_ops.ones_like(labels[:, :1], dtypes.bool)
        differs = math_ops.not_equal(labels[:, 1:], labels[:, :-1])
        kept = array_ops.concat([first, differs], axis=1)
        maxlen = _get_dim(labels, 1)
        kept = math_ops.logical_and(kept, array_ops.sequence_mask(seq_length, maxlen=maxlen))
        new_length = math_ops.reduce_sum(math_ops.cast(kept, dtypes.int32), axis=1)
        new_maxlen = math_ops.reduce_max(new_length)
        places = array_ops.sequence_mask(new_length, maxlen=new_maxlen)
        flat_labels, flat_kept, flat_places = (_flat(part) for part in (labels, kept, places))
        index = math_ops.range(_get_dim(flat_places, 0))
        targets = array_ops.expand_dims(array_ops.boolean_mask(index, flat_places), axis=1)
        moved = array_ops.boolean_mask(flat_labels, flat_kept)
        flat = array_ops.scatter_nd(targets, moved, array_ops.shape(flat_places))
        shape = [_get_dim(labels, 0), new_maxlen]
        return array_ops.reshape(flat, shape), math_ops.cast(new_length, seq_length.dtype)


def dense_labels_to_sparse(dense: Any, length: Any) -> SparseTensor:
    """Labels [batch, labels], of which `length` count, as a SparseTensor."""
    elements = _flat(dense)
    index = math_ops.range(array_ops.shape(elements, out_type=dtypes.int64)[0])
    counts = _flat(array_ops.sequence_mask(length, maxlen=array_ops.shape(dense)[1]))
    places = array_ops.expand_dims(array_ops.boolean_mask(index, counts), 1)
    kept = math_ops.cast(array_ops.boolean_mask(elements, counts), dtypes.int32)
    flat = SparseTensor(places, kept, array_ops.shape(elements, out_type=dtypes.int64))
    found = sparse_ops.sparse_reshape(flat, array_ops.shape(dense))
    longest = math_ops.reduce_max(length)
    shape = [math_ops.cast(size, dtypes.int64) for size in (found.dense_shape[0], longest)]
    return SparseTensor(found.indices, found.values, shape)


def _flat(tensor: TensorLike) -> Tensor:
    return array_ops.reshape(tensor, [-1])


@tf_export("nn.ctc_unique_labels")
def ctc_unique_labels(labels: TensorLike, name: Name = None) -> Any:
    """The distinct labels of each row, for the `unique` of `ctc_loss_v2`.

    Args:
      labels: an int tensor [batch, labels].
      name: the name scope.

    Returns:
      [distinct labels [batch, labels], filled up with 0; which of them each label is].
    """
    with ops.name_scope(name, "ctc_unique_labels", [labels]):
        labels = ops.convert_to_tensor(labels, name="labels")

        def distinct(x: Tensor) -> list[Tensor]:
            found = array_ops.unique(x)
            padding = _get_dim(found.idx, 0) - _get_dim(found.y, 0)
            padded = array_ops.pad(found.y, [[0, padding]])
            return [math_ops.cast(padded, dtypes.int64), found.idx]

        return map_fn.map_fn(distinct, labels, dtype=[dtypes.int64, dtypes.int32])


def __getattr__(name: str) -> Any:
    # The loss of dense labels is a module of its own here.
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(ctc_dense, name)
