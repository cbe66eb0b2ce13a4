"""`tf.keras.layers.Embedding` (`tensorflow.python.keras.layers.embeddings`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer, Regularizer, TensorLike


@tf_export("keras.layers.Embedding")
class Embedding(Layer):
    """A vector for each integer.

    Args:
      input_dim: the number of integers.
      output_dim: the size of the vectors.
      embeddings_initializer, embeddings_regularizer, embeddings_constraint: settings of the table.
      activity_regularizer: a function of the outputs whose result joins the losses.
      mask_zero: whether 0 means that there is nothing.
      input_length: the number of integers in a sample, if it is fixed.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Initializer = "uniform",
        embeddings_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        embeddings_constraint: Regularizer | None = None, mask_zero: bool = False,
        input_length: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        if "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        dtype = kwargs.pop("dtype", backend.floatx())
        kwargs["autocast"] = False
        super().__init__(dtype=dtype, **kwargs)
        self.input_dim = input_dim
        self.output_dim = output_dim
        self.embeddings_initializer = lookup.initializer(embeddings_initializer)
        self.embeddings_regularizer = lookup.regularizer(embeddings_regularizer)
        self.activity_regularizer = lookup.regularizer(activity_regularizer)
        self.embeddings_constraint = lookup.constraint(embeddings_constraint)
        self.mask_zero = mask_zero
        self.supports_masking = mask_zero
        self.input_length = input_length

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the table."""
        self.embeddings = self.add_weight(
            shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer,
            name="embeddings", regularizer=self.embeddings_regularizer,
            constraint=self.embeddings_constraint,
        )  # fmt: skip
        self.built = True

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """Where the integers are not 0, if 0 means that there is nothing."""
        return math_ops.not_equal(inputs, 0) if self.mask_zero else None

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape, and the size of the vectors."""
        if self.input_length is None:
            return (*input_shape, self.output_dim)
        lengths = self.input_length
        lengths = list(lengths) if isinstance(lengths, list | tuple) else [lengths]
        found = input_shape[1:]
        if len(lengths) != len(found) or any(
            a is not None and b is not None and a != b for a, b in zip(lengths, found, strict=True)
        ):
            raise ValueError(
                f'"input_length" is {self.input_length}, but received input has shape {input_shape}'
            )
        sizes = [b if a is None else a for a, b in zip(lengths, found, strict=True)]
        return (input_shape[0], *sizes, self.output_dim)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The vectors."""
        if backend.dtype(inputs) not in ("int32", "int64"):
            inputs = math_ops.cast(inputs, "int32")
        return embedding_ops.embedding_lookup(self.embeddings, inputs)

    get_config = settings(
        "input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer",
        "activity_regularizer", "embeddings_constraint", "mask_zero", "input_length",
    )  # fmt: skip
