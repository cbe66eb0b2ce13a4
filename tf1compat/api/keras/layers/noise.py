"""Noise while training (`tensorflow.python.keras.layers.noise`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.layers.reshaping import SameTensorShape
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export


@tf_export("keras.layers.GaussianNoise")
class GaussianNoise(SameTensorShape):
    """Adds normally distributed noise of a deviation while training.

    Args:
      stddev: the standard deviation.
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, stddev: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.stddev = stddev

    def call(self, inputs: Any, training: Any = None) -> Any:  # pyright: ignore
        """The inputs, with noise if `training`."""

        def noised() -> Any:
            return inputs + backend.random_normal(
                shape=array_ops.shape(inputs), mean=0.0, stddev=self.stddev
            )

        return backend.in_train_phase(noised, inputs, training=training)

    get_config = settings("stddev")


@tf_export("keras.layers.GaussianDropout")
class GaussianDropout(SameTensorShape):
    """Multiplies by normally distributed noise around 1 while training; its variance is that of a
    dropout of `rate`.

    Args:
      rate: the rate, in [0, 1).
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, rate: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.rate = rate

    def call(self, inputs: Any, training: Any = None) -> Any:  # pyright: ignore
        """The inputs, with noise if `training`."""
        if not 0 < self.rate < 1:
            return inputs

        def noised() -> Any:
            stddev = np.sqrt(self.rate / (1.0 - self.rate))
            return inputs * backend.random_normal(
                shape=array_ops.shape(inputs), mean=1.0, stddev=stddev
            )

        return backend.in_train_phase(noised, inputs, training=training)

    get_config = settings("rate")


@tf_export("keras.layers.AlphaDropout")
class AlphaDropout(SameTensorShape):
    """Dropout that keeps mean and variance of what scaled exponential linear units give.

    Args:
      rate: the probability.
      noise_shape: the shape in which elements are dropped independently.
      seed: the op seed.
      **kwargs: see `Layer`.
    """

    def __init__(self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.rate = rate
        self.noise_shape = noise_shape
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = None) -> Any:  # pyright: ignore
        """The inputs, with elements dropped if `training`."""
        if not 0.0 < self.rate < 1.0:
            return inputs
        shape = self.noise_shape if self.noise_shape else array_ops.shape(inputs)

        def dropped() -> Any:
            rate = self.rate
            least = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
            kept = math_ops.greater_equal(backend.random_uniform(shape, seed=self.seed), rate)
            kept = math_ops.cast(kept, backend.floatx())
            a = ((1 - rate) * (1 + rate * least**2)) ** -0.5
            b = -a * least * rate
            x = inputs * kept + least * (1 - kept)
            return a * x + b

        return backend.in_train_phase(dropped, inputs, training=training)

    get_config = settings("rate")
