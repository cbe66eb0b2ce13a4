"""Schedules of learning rates: functions of the step (`tf.keras.optimizers.schedules`)."""

from __future__ import annotations

import inspect
import math
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_case, control_flow_ops
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike


@tf_export("keras.optimizers.schedules.LearningRateSchedule")
class LearningRateSchedule:
    """Base of schedules: an object that, called with a step, gives the learning rate there."""

    def __call__(self, step: Any) -> Tensor:
        """The learning rate at a step.

        Args:
          step: a number, a scalar tensor or a variable.

        Returns:
          A scalar tensor.
        """
        raise NotImplementedError("Learning rate schedule must override __call__")

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LearningRateSchedule:
        """A schedule from what `get_config` gave."""
        return cls(**config)


class _Schedule(LearningRateSchedule):
    """A schedule that keeps the arguments of its constructor under their names."""

    def _keep(self, arguments: dict[str, Any]) -> None:
        names = inspect.signature(type(self)).parameters
        self._names = [name for name in names if name in arguments]
        for name in self._names:
            setattr(self, name, arguments[name])

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        return {name: getattr(self, name) for name in self._names}

    def _as_tensors(self, *names: str) -> list[Tensor]:
        """The initial learning rate, and other settings in its element type."""
        rate = ops.convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")
        return [rate, *(math_ops.cast(getattr(self, name), rate.dtype) for name in names)]

    initial_learning_rate: Any
    decay_steps: Any
    name: str | None


def _cosine(fraction: Any) -> Tensor:
    """1 plus the cosine of a fraction of half a turn."""
    return 1.0 + math_ops.cos(constant_op.constant(math.pi) * fraction)


@tf_export("keras.optimizers.schedules.ExponentialDecay")
class ExponentialDecay(_Schedule):
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`.

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps, decay_rate: numbers or scalar tensors.
      staircase: whether the exponent is rounded down.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        decay_rate: Any,
        staircase: bool = False,
        name: str | None = None,
    ):
        self._keep(locals())
        self.decay_rate = decay_rate
        self.staircase = staircase

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "ExponentialDecay") as name:
            rate, decay_steps, decay_rate = self._as_tensors("decay_steps", "decay_rate")
            power = math_ops.cast(step, rate.dtype) / decay_steps
            if self.staircase:
                power = math_ops.floor(power)
            return math_ops.multiply(rate, math_ops.pow(decay_rate, power), name=name)


@tf_export("keras.optimizers.schedules.PiecewiseConstantDecay")
class PiecewiseConstantDecay(_Schedule):
    """One value up to each boundary, the boundary included, and one after the last.

    Args:
      boundaries: increasing numbers.
      values: one more number, of any one type.
      name: the name scope.

    Raises:
      ValueError: the numbers of boundaries and values don't go together.
    """

    def __init__(self, boundaries: Any, values: Any, name: str | None = None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self._keep(locals())
        self.boundaries = boundaries
        self.values = values

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "PiecewiseConstant"):
            boundaries = ops.convert_n_to_tensor(self.boundaries)
            values = ops.convert_n_to_tensor(self.values)
            x = ops.convert_to_tensor(step)
            dtype = x.dtype.base_dtype
            boundaries = [
                b if b.dtype.base_dtype == dtype else math_ops.cast(b, dtype) for b in boundaries
            ]

            def give(value: Tensor) -> Any:
                return lambda: value

            pieces = [
                (x <= boundaries[0], give(values[0])),
                (x > boundaries[-1], give(values[-1])),
            ]
            for low, high, value in zip(boundaries[:-1], boundaries[1:], values[1:-1]):
                pieces.append(((x > low) & (x <= high), give(value)))
            return control_flow_case.case(pieces, give(values[0]), exclusive=True)


@tf_export("keras.optimizers.schedules.PolynomialDecay")
class PolynomialDecay(_Schedule):
    """From one learning rate to another along a power of the steps that are left.

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps: when the end is reached.
      end_learning_rate: the learning rate then.
      power: the power; 1 gives a line.
      cycle: whether `decay_steps` is multiplied, each time it is reached, so that it never is.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        end_learning_rate: Any = 0.0001,
        power: Any = 1.0,
        cycle: bool = False,
        name: str | None = None,
    ):
        self._keep(locals())
        self.cycle = cycle

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "PolynomialDecay") as name:
            rate, end, power = self._as_tensors("end_learning_rate", "power")
            step = math_ops.cast(step, rate.dtype)
            steps = math_ops.cast(self.decay_steps, rate.dtype)
            if self.cycle:
                cycles = control_flow_ops.cond(
                    math_ops.equal(step, 0),
                    lambda: 1.0,
                    lambda: math_ops.ceil(step / self.decay_steps),
                )
                steps = math_ops.multiply(steps, cycles)
            else:
                step = math_ops.minimum(step, self.decay_steps)
            fraction = math_ops.divide(step, steps)
            return math_ops.add(
                math_ops.multiply(rate - end, math_ops.pow(1 - fraction, power)), end, name=name
            )


@tf_export("keras.optimizers.schedules.InverseTimeDecay")
class InverseTimeDecay(_Schedule):
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`.

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps, decay_rate: numbers or scalar tensors.
      staircase: whether `step / decay_steps` is rounded down.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        decay_rate: Any,
        staircase: bool = False,
        name: str | None = None,
    ):
        self._keep(locals())
        self.staircase = staircase

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "InverseTimeDecay") as name:
            rate, decay_steps, decay_rate = self._as_tensors("decay_steps", "decay_rate")
            fraction = math_ops.cast(step, rate.dtype) / decay_steps
            if self.staircase:
                fraction = math_ops.floor(fraction)
            one = math_ops.cast(constant_op.constant(1), rate.dtype)
            divisor = math_ops.add(one, math_ops.multiply(decay_rate, fraction))
            return math_ops.divide(rate, divisor, name=name)


@tf_export("keras.experimental.CosineDecay")
class CosineDecay(_Schedule):
    """Half a cosine wave down to a fraction of the initial learning rate (Loshchilov and Hutter,
    2016).

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps: when the end is reached.
      alpha: the fraction that is left then.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        alpha: Any = 0.0,
        name: str | None = None,
    ):
        self._keep(locals())
        self.alpha = alpha

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "CosineDecay"):
            rate, decay_steps = self._as_tensors("decay_steps")
            step = math_ops.minimum(math_ops.cast(step, rate.dtype), decay_steps)
            wave = 0.5 * _cosine(step / decay_steps)
            return math_ops.multiply(rate, (1 - self.alpha) * wave + self.alpha)


@tf_export("keras.experimental.CosineDecayRestarts")
class CosineDecayRestarts(_Schedule):
    """Half cosine waves down, one after another, each of other length and height (SGDR: Loshchilov
    and Hutter, 2016).

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      first_decay_steps: the length of the first wave.
      t_mul, m_mul: what each next wave's length and height are multiplied by.
      alpha: the fraction that is left at the end of a wave.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        first_decay_steps: Any,
        t_mul: Any = 2.0,
        m_mul: Any = 1.0,
        alpha: Any = 0.0,
        name: str | None = None,
    ):
        self._keep(locals())

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "SGDRDecay") as name:
            rate, first, alpha, t_mul, m_mul = self._as_tensors(
                "first_decay_steps", "alpha", "t_mul", "m_mul"
            )
            completed = math_ops.cast(step, rate.dtype) / first

            def equal_waves() -> tuple[Tensor, Tensor]:
                wave = math_ops.floor(completed)
                return wave, completed - wave

            def growing_waves() -> tuple[Tensor, Tensor]:
                wave = math_ops.floor(
                    math_ops.log(1.0 - completed * (1.0 - t_mul)) / math_ops.log(t_mul)
                )
                before = (1.0 - t_mul**wave) / (1.0 - t_mul)
                return wave, (completed - before) / t_mul**wave

            wave, fraction = control_flow_ops.cond(
                math_ops.equal(t_mul, 1.0), equal_waves, growing_waves
            )
            height = m_mul**wave
            curve = 0.5 * height * _cosine(fraction)
            return math_ops.multiply(rate, (1 - alpha) * curve + alpha, name=name)


@tf_export("keras.experimental.LinearCosineDecay")
class LinearCosineDecay(_Schedule):
    """A line down times a cosine wave (Bello et al., 2017).

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps: when the end is reached.
      num_periods: how many waves.
      alpha, beta: what is added to the line, and to the product.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: TensorLike = 0.001,
        name: str | None = None,
    ):
        self._keep(locals())

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "LinearCosineDecay") as name:
            rate, decay_steps, num_periods, alpha, beta = self._as_tensors(
                "decay_steps", "num_periods", "alpha", "beta"
            )
            step = math_ops.minimum(math_ops.cast(step, rate.dtype), decay_steps)
            line = (decay_steps - step) / decay_steps
            fraction = step / decay_steps
            wave = 0.5 * _cosine(2.0 * num_periods * fraction)
            return math_ops.multiply(rate, (alpha + line) * wave + beta, name=name)


@tf_export("keras.experimental.NoisyLinearCosineDecay")
class NoisyLinearCosineDecay(_Schedule):
    """As `LinearCosineDecay`, the line with noise on it (Bello et al., 2017).

    Args:
      initial_learning_rate: a float or a scalar tensor; its element type is the result's.
      decay_steps: when the end is reached.
      initial_variance, variance_decay: the variance of the noise is the first, divided by the
        number of the step to the power of the second.
      num_periods: how many waves.
      alpha, beta: what is added to the line, and to the product.
      name: the name scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: TensorLike,
        initial_variance: Any = 1.0,
        variance_decay: Any = 0.55,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: TensorLike = 0.001,
        name: str | None = None,
    ):
        self._keep(locals())

    def __call__(self, step: Any) -> Tensor:
        with ops.name_scope(self.name or "NoisyLinearCosineDecay") as name:
            rate, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta = (
                self._as_tensors(
                    "decay_steps",
                    "initial_variance",
                    "variance_decay",
                    "num_periods",
                    "alpha",
                    "beta",
                )
            )
            step = math_ops.minimum(math_ops.cast(step, rate.dtype), decay_steps)
            line = (decay_steps - step) / decay_steps
            variance = initial_variance / math_ops.pow(1.0 + step, variance_decay)
            deviation = math_ops.sqrt(variance)
            line += random_ops.random_normal(line.shape, stddev=deviation)
            fraction = step / decay_steps
            wave = 0.5 * _cosine(2.0 * num_periods * fraction)
            return math_ops.multiply(rate, (alpha + line) * wave + beta, name=name)


@tf_export("keras.optimizers.schedules.serialize")
def serialize(learning_rate_schedule: Any) -> Any:
    """A schedule as its class and config.

    Args:
      learning_rate_schedule: a schedule.

    Returns:
      A dict.
    """
    return generic_utils.serialize_keras_object(learning_rate_schedule)


@tf_export("keras.optimizers.schedules.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """What `serialize` described.

    Args:
      config: a dict of class and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      A schedule.
    """
    return generic_utils.deserialize_keras_object(
        config,
        module_objects=globals(),
        custom_objects=custom_objects,
        printable_module_name="decay",
    )
