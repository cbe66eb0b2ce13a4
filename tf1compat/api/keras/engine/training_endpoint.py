"""What belongs to one output of a compiled model: target, loss, weights (of
`tensorflow.python.keras.engine.training`)."""

from __future__ import annotations

import dataclasses
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras import backend, losses
from tf1compat.core import context


@dataclasses.dataclass
class TrainingEndpoint:
    """One output of a model.

    Attributes:
      output: the tensor.
      output_name: its name.
      loss_fn: the loss, or None.
      loss_weight: by what the loss counts.
      target: the tensor of targets, once there is one.
      has_target: whether it was made; it may be None, where there is no loss.
      feedable: whether runs feed it.
      output_loss_metric: the mean of the loss, where there are several outputs.
      sample_weight: the tensor of weights of samples, or None.
      sample_weight_mode: None, "samplewise" or "temporal".
    """

    output: Any
    output_name: str
    loss_fn: Any
    loss_weight: Any = None
    target: Any = None
    has_target: bool = False
    feedable: bool = False
    skip_target_weights: bool = True
    output_loss_metric: Any = None
    sample_weight: Any = None
    sample_weight_mode: Any = None

    @property
    def shape(self) -> Any:
        """The static shape of the output."""
        return backend.int_shape(self.output)

    def create_training_target(self, target: Any) -> None:
        """Takes a tensor of targets, or makes a placeholder."""
        if self.has_target:
            raise ValueError(
                "The training_target field for the _TrainingEndpoint instance has already been "
                "populated"
            )
        self.has_target = True
        if self.should_skip_target():
            return
        self.feedable = target is None or backend.is_placeholder(target)
        self.skip_target_weights = not self.feedable
        # A model that runs operation by operation may not know its outputs before.
        if target is None and self.output is not None:
            key = self.loss_fn
            dtype = None
            if getattr(type(key), "__hash__", None) is not None:
                dtype = losses.LABEL_DTYPES_FOR_LOSSES.get(key)
            target = backend.placeholder(
                ndim=len(self.shape), name=f"{self.output_name}_target",
                sparse=backend.is_sparse(self.output), dtype=dtype or backend.dtype(self.output),
            )  # fmt: skip
        self.target = target

    def should_skip_target(self) -> bool:
        """Whether it has no loss."""
        return self.loss_fn is None

    def should_skip_target_weights(self) -> bool:
        """Whether samples have no weights."""
        return self.should_skip_target() or not self.has_target or self.skip_target_weights

    def has_feedable_training_target(self) -> bool:
        """Whether runs feed targets."""
        return not self.should_skip_target() and self.has_target and self.feedable

    def loss_name(self) -> Any:
        """The name of the loss, None if there is none."""
        return None if self.loss_fn is None else f"{self.output_name}_loss"

    @property
    def feed_output_shape(self) -> Any:
        """The shape that targets must have; None where that is not known."""
        if not self.has_feedable_training_target():
            return None
        loss, shape = self.loss_fn, self.shape
        sparse = losses.sparse_categorical_crossentropy
        if losses.wraps(loss, sparse) or isinstance(loss, losses.SparseCategoricalCrossentropy):
            if backend.image_data_format() == "channels_first":
                return (shape[0], 1, *shape[2:])
            return (*shape[:-1], 1)
        own = isinstance(loss, losses.LossFunctionWrapper)
        if not isinstance(loss, losses.Loss) or (
            own and getattr(losses, loss.fn.__name__, None) is None
        ):
            return None
        return shape

    def sample_weights_mismatch(self) -> bool:
        """Whether there are weights and no mode, or a mode and no weights."""
        return (self.sample_weight_mode is None) != (self.sample_weight is None)

    def populate_sample_weight(self, sample_weight: Any, sample_weight_mode: Any) -> None:
        """Takes a tensor of weights, or makes a placeholder if the mode asks for one."""
        if sample_weight is None and (
            self.should_skip_target_weights()
            or sample_weight_mode is None
            or context.executing_eagerly()
        ):
            self.sample_weight = None
            return
        assert sample_weight_mode in ("temporal", "samplewise")
        temporal = sample_weight_mode == "temporal"
        shape = [None, None] if temporal else [None]
        if sample_weight is not None:
            if not sample_weight.shape.is_compatible_with(shape):
                raise ValueError(
                    f"Received sample weight with shape {sample_weight.shape}. Expected shape "
                    f"{shape}."
                )
            self.sample_weight = sample_weight
            return
        default = constant_op.constant([[1.0]] if temporal else [1.0], dtype=backend.floatx())
        self.sample_weight = array_ops.placeholder_with_default(
            default, shape=shape, name=f"{self.output_name}_sample_weights"
        )
