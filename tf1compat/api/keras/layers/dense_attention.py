"""Attention (`tensorflow.python.keras.layers.dense_attention`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value


def _lower_triangular_mask(shape: Any) -> Any:
    """True where the column is not after the row, for matrices of `shape`: [..., rows, columns]."""
    row, column = (
        math_ops.cumsum(array_ops.ones(shape=shape, dtype=dtypes.int32), axis=axis)
        for axis in (-2, -1)
    )
    return math_ops.greater_equal(row, column)


class BaseDenseAttention(Layer):
    """Means of values, weighted by how well their keys fit each query.

    Args:
      causal: whether a step sees only those up to itself.
      **kwargs: see `Layer`.
    """

    def __init__(self, causal: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        self.causal = causal
        self.supports_masking = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        """How well keys fit queries: [batch, queries, keys]."""
        raise NotImplementedError

    def _apply_scores(self, scores: Any, value: Any, scores_mask: Any = None) -> Any:
        if scores_mask is not None:
            hidden = math_ops.logical_not(scores_mask)
            scores -= 1.0e9 * math_ops.cast(hidden, dtype=backend.floatx())
        return math_ops.matmul(nn_ops.softmax(scores), value)

    def call(self, inputs: Any, mask: Any = None) -> Any:  # pyright: ignore
        """Applies the layer to [query, value] or [query, value, key]."""
        self._validate_call_args(inputs, mask)
        query, value = inputs[:2]
        key = inputs[2] if len(inputs) > 2 else value
        query_mask, value_mask = (mask[0], mask[1]) if mask else (None, None)
        scores = self._calculate_scores(query=query, key=key)
        if value_mask is not None:
            value_mask = array_ops.expand_dims(value_mask, axis=-2)
        scores_mask = value_mask
        if self.causal:
            shape = array_ops.shape(scores)
            square = array_ops.concat([array_ops.ones_like(shape[:-2]), shape[-2:]], axis=0)
            scores_mask = _lower_triangular_mask(square)
            if value_mask is not None:
                scores_mask = math_ops.logical_and(value_mask, scores_mask)
        result = self._apply_scores(scores=scores, value=value, scores_mask=scores_mask)
        if query_mask is not None:
            query_mask = array_ops.expand_dims(query_mask, axis=-1)
            result *= math_ops.cast(query_mask, dtype=result.dtype)
        return result

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the queries."""
        self._validate_call_args(inputs, mask)
        if not mask or mask[0] is None:
            return None
        return ops.convert_to_tensor(mask[0])

    def _validate_call_args(self, inputs: Any, mask: Any) -> None:
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(
                f"{name} layer must be called on a list of inputs, namely [query, value] or "
                "[query, value, key]."
            )
        if len(inputs) not in (2, 3):
            raise ValueError(
                f"{name} layer accepts inputs list of length 2 or 3, namely [query, value] or "
                f"[query, value, key]. Given length: {len(inputs)}"
            )
        if mask:
            if not isinstance(mask, list):
                raise ValueError(
                    f"{name} layer mask must be a list, namely [query_mask, value_mask]."
                )
            if len(mask) != 2:
                raise ValueError(
                    f"{name} layer mask must be a list of length 2, namely [query_mask, "
                    f"value_mask]. Given length: {len(mask)}"
                )

    get_config = settings("causal")


@tf_export("keras.layers.Attention")
class Attention(BaseDenseAttention):
    """Attention by products of queries and keys (Luong).

    Args:
      use_scale: whether to learn a factor of the products.
      **kwargs: `causal`; others see `Layer`.
    """

    def __init__(self, use_scale: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape: Any) -> None:
        """Makes the factor."""
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight(
                name="scale", shape=(), initializer=init_ops.Ones(), dtype=self.dtype,
                trainable=True,
            )  # fmt: skip
        super().build(input_shape)

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        scores = math_ops.matmul(query, key, transpose_b=True)
        if self.scale is not None:
            scores *= self.scale
        return scores

    get_config = settings("use_scale")


@tf_export("keras.layers.AdditiveAttention")
class AdditiveAttention(BaseDenseAttention):
    """Attention by sums of queries and keys (Bahdanau).

    Args:
      use_scale: whether to learn factors of the sums.
      **kwargs: `causal`; others see `Layer`.
    """

    def __init__(self, use_scale: bool = True, **kwargs: Any):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape: Any) -> None:
        """Makes the factors."""
        size = dimension_value(TensorShape(input_shape[1])[-1])
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight(
                name="scale", shape=[size], initializer=init_ops.GlorotUniform(),
                dtype=self.dtype, trainable=True,
            )  # fmt: skip
        super().build(input_shape)

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        query = array_ops.expand_dims(query, axis=-2)
        key = array_ops.expand_dims(key, axis=-3)
        scale: Any = self.scale if self.use_scale else 1.0
        return math_ops.reduce_sum(scale * math_ops.tanh(query + key), axis=-1)

    get_config = settings("use_scale")
