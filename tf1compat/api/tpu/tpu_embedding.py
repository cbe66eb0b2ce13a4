"""`tensorflow.python.tpu.tpu_embedding`: how TPUs update tables of embeddings."""

from __future__ import annotations

from typing import Any

from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class _OptimizationParameters:
    """What all ways of updating a table have in common."""

    def __init__(
        self, learning_rate: TensorLike, use_gradient_accumulation: bool, clip_weight_min: Any,
        clip_weight_max: Any,
    ):  # fmt: skip
        self.learning_rate = learning_rate
        self.use_gradient_accumulation = use_gradient_accumulation
        self.clip_weight_min = clip_weight_min
        self.clip_weight_max = clip_weight_max


@tf_export("tpu.experimental.AdagradParameters")
class AdagradParameters(_OptimizationParameters):
    """Adagrad.

    Args:
      learning_rate: the learning rate.
      initial_accumulator: what sums of squares begin with.
      use_gradient_accumulation: whether all gradients of a step are summed first.
      clip_weight_min, clip_weight_max: bounds of the weights.

    Raises:
      ValueError: the first sum is not positive.
    """

    def __init__(
        self, learning_rate: TensorLike, initial_accumulator: float = 0.1,
        use_gradient_accumulation: bool = True, clip_weight_min: Any = None,
        clip_weight_max: Any = None,
    ):  # fmt: skip
        super().__init__(learning_rate, use_gradient_accumulation, clip_weight_min, clip_weight_max)
        if initial_accumulator <= 0:
            raise ValueError("Adagrad initial_accumulator must be positive")
        self.initial_accumulator = initial_accumulator


@tf_export("tpu.experimental.AdamParameters")
class AdamParameters(_OptimizationParameters):
    """Adam.

    Args:
      learning_rate: the learning rate.
      beta1, beta2: how fast the moments decay.
      epsilon: what is added to the root.
      lazy_adam: whether only rows that were looked up are updated.
      sum_inside_sqrt: whether `epsilon` is added below the root.
      use_gradient_accumulation: whether all gradients of a step are summed first.
      clip_weight_min, clip_weight_max: bounds of the weights.

    Raises:
      ValueError: a number is out of its range, or neither way of updating is chosen.
    """

    def __init__(
        self, learning_rate: TensorLike, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-08,
        lazy_adam: bool = True, sum_inside_sqrt: bool = True,
        use_gradient_accumulation: bool = True, clip_weight_min: Any = None,
        clip_weight_max: Any = None,
    ):  # fmt: skip
        super().__init__(learning_rate, use_gradient_accumulation, clip_weight_min, clip_weight_max)
        for name, value in (("beta1", beta1), ("beta2", beta2)):
            if not 0 <= value < 1:
                raise ValueError(f"{name} must be between 0. and 1; got {value}.")
        if epsilon <= 0:
            raise ValueError(f"epsilon must be positive; got {epsilon}.")
        if not use_gradient_accumulation and not lazy_adam:
            raise ValueError("When disabling Lazy Adam, gradient accumulation must be used.")
        self.beta1, self.beta2 = beta1, beta2
        self.epsilon = epsilon
        self.lazy_adam = lazy_adam
        self.sum_inside_sqrt = sum_inside_sqrt


@tf_export("tpu.experimental.StochasticGradientDescentParameters")
class StochasticGradientDescentParameters(_OptimizationParameters):
    """Gradient descent.

    Args:
      learning_rate: the learning rate.
      clip_weight_min, clip_weight_max: bounds of the weights.
    """

    def __init__(
        self, learning_rate: TensorLike, clip_weight_min: Any = None, clip_weight_max: Any = None
    ):
        super().__init__(learning_rate, False, clip_weight_min, clip_weight_max)
