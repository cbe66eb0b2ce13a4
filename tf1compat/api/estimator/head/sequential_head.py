"""Heads of sequences (`tensorflow_estimator.python.estimator.head.sequential_head`): what a head of
single examples says of each step, without the padding."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.estimator.head import base_head, multi_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import context, dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor


class _SequentialHead(base_head.Head):
    """A head whose logits are [batch, time, ...]."""

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """The feature that says which steps are meant: bool [batch, time]."""


class SequentialHeadWrapper(_SequentialHead):
    """A head of single examples for sequences of them: each step that is meant is an example.

    Args:
      static_head: the head of single examples.
      sequence_length_mask: the name of the feature that says which steps are meant, bool
        [batch, time].
      feature_columns: the name, or names, of features that the other head needs too, such as
        weights; they have a value for each step.

    Raises:
      TypeError: a name is no string.
      ValueError: `static_head` is a `MultiHead`.
    """

    def __init__(
        self, static_head: Any, sequence_length_mask: str = "sequence_length_mask",
        feature_columns: Any = None,
    ):  # fmt: skip
        if not isinstance(sequence_length_mask, str):
            raise TypeError(
                "`sequence_mask` column must be a string. "
                f"Given type: {type(sequence_length_mask)}."
            )
        columns: Any = feature_columns or []
        if not isinstance(columns, Iterable):
            raise TypeError(
                "`feature_columns` must be either a string or an iterable of strings got "
                f"{type(columns)} instead."
            )
        self._feature_columns = [columns] if isinstance(columns, str) else columns
        for column in self._feature_columns:
            if not isinstance(column, str):
                raise TypeError(f"Column must a string. Given type: {type(column)}.")
        if isinstance(static_head, multi_head.MultiHead):
            raise ValueError("`MultiHead` is not supported with `SequentialHeadWrapper`.")
        self._sequence_length_mask = sequence_length_mask
        self._static_head = static_head

    def _flatten(self, labels: Any, logits: Any, features: Any) -> tuple[Any, Any, dict[str, Any]]:
        """(labels, logits, features) of the steps that are meant, one after the other.

        Raises:
          ValueError: a feature is missing, or something has less than two dimensions.
        """
        key = self.input_sequence_mask_key
        if key not in features:
            raise ValueError(
                f"The provided sequence_length_mask key `{key}` should be included in the features "
                f"dictionary, but was not found. Found keys: {list(features)}."
            )
        mask = features[key]
        rank = mask.get_shape().ndims
        if rank != 2:
            raise ValueError(f"Mask is expected to have two dimensions, got {rank} instead.")
        with ops.name_scope("flatten"):
            count = math_ops.reduce_sum(math_ops.cast(mask, dtypes.int32))

            def of_steps(tensor: Any) -> Tensor:
                return _flatten_tensor(tensor, mask, count)

            logits, labels = of_steps(logits), of_steps(labels)
            missing = [column for column in self._feature_columns if column not in features]
            if missing:
                raise ValueError(f"`{missing[0]}` column expected in features dictionary.")
            chosen = {column: of_steps(features[column]) for column in self._feature_columns}
        return labels, logits, chosen

    def loss(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, logits: Any, labels: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.loss`; logits come first, as in TF."""
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.loss(
            logits=logits, labels=labels, features=features, mode=mode,
            regularization_losses=regularization_losses,
        )  # fmt: skip

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Callable[..., Any] | None = None,
        update_ops: Any = None, regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.create_estimator_spec`. Predictions are of all steps, with the mask."""
        if mode == ModeKeys.PREDICT:
            spec = self._static_head.create_estimator_spec(
                features=features, mode=mode, logits=logits
            )
            key = self.input_sequence_mask_key
            spec.predictions[key] = features[key]
            return spec
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, optimizer=optimizer,
            trainable_variables=trainable_variables, train_op_fn=train_op_fn,
            update_ops=update_ops, regularization_losses=regularization_losses,
        )  # fmt: skip

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.update_metrics(
            eval_metrics=eval_metrics, features=features, logits=logits, labels=labels,
            regularization_losses=regularization_losses,
        )  # fmt: skip

    def _create_tpu_estimator_spec(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def predictions(self, logits: Any, keys: Any = None) -> Any:
        """See `Head.predictions`."""
        return self._static_head.predictions(logits, keys=keys)

    def metrics(self, regularization_losses: Any = None) -> Any:
        """See `Head.metrics`."""
        return self._static_head.metrics(regularization_losses)

    @property
    def input_sequence_mask_key(self) -> str:
        """The feature that says which steps are meant."""
        return self._sequence_length_mask

    @property
    def logits_dimension(self) -> Any:
        """How many logits a step has."""
        return self._static_head.logits_dimension

    @property
    def loss_reduction(self) -> Any:
        """How the steps' losses become one."""
        return self._static_head.loss_reduction

    @property
    def name(self) -> Any:
        """The other head's name with "_sequential", or None."""
        return f"{self._static_head.name}_sequential" if self._static_head.name else None

    @property
    def static_head(self) -> Any:
        """The head of single examples."""
        return self._static_head


def _flatten_tensor(tensor: Any, sequence_mask: Any, expected_length: Any) -> Tensor:
    """The values of the steps that are meant, [expected_length, 1] or [expected_length, D0, ...].

    Args:
      tensor: [batch, time, D0, ...], dense or sparse; of a sparse one all values are meant.
      sequence_mask: bool [batch, time].
      expected_length: how many steps are meant, a scalar.

    Raises:
      ValueError: less than two dimensions, or no tensor.
    """
    shape = tensor.get_shape()
    if shape.ndims < 2:
        raise ValueError(
            f"Input tensor expected to have at least 2 dimensions, got {shape.ndims} instead."
        )
    inner = shape[2:] if shape.ndims > 2 else [1]
    if isinstance(tensor, SparseTensor):
        flat = sparse_ops.sparse_reorder(tensor).values
        if shape.ndims > 2:
            # Of the values as they came, not as they were ordered: so TF does.
            flat = array_ops.reshape(tensor.values, array_ops.concat([[-1], inner], axis=0))
    elif isinstance(tensor, Tensor):
        flat = array_ops.boolean_mask_v2(tensor, sequence_mask)
    else:
        raise ValueError(
            f"`tensor` expected to be a `Tensor` or  `SparseTensor` got `{tensor}` instead."
        )
    if shape.ndims == 2:
        flat = array_ops.expand_dims(flat, -1)
    expected = array_ops.concat([[expected_length], inner], axis=0)
    message = "Tensor shape is incompatible with provided mask."
    if context.executing_eagerly():
        if tuple(flat.shape) != tuple(expected.numpy()):
            raise ValueError(message)
        return flat
    check = check_ops.assert_equal(array_ops.shape(flat), expected, message=message)
    with ops.control_dependencies([check]):
        return array_ops.identity(flat)
