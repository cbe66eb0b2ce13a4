"""TF 2's initializers (`tensorflow.python.ops.init_ops_v2`): the dtype comes with the call, and a
seed makes the draws stateless."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.random.init_ops import _TRUNCATED_STDDEV, _compute_fans, _float_dtype
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export


def _export(*names: str) -> Any:
    in_keras = [f"keras.{name}" for name in names if name.startswith("initializers.")]
    return tf_export(*(f"compat.v2.{name}" for name in (*names, *in_keras)))


@_export("initializers.Initializer")
class Initializer:
    """Base class: an object that is called with a shape and a dtype and gives a tensor."""

    # The constructor's arguments, as attributes of the same names.
    _arguments: ClassVar[tuple[str, ...]] = ()

    def __call__(self, shape: Any, dtype: Any = None) -> ops.Tensor:
        """A tensor of that shape and dtype.

        Raises:
          ValueError: a dtype or a shape that the initializer has nothing for.
        """
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal initializer."""
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """An initializer from what `get_config` gave; takes a "dtype" out of `config`."""
        config.pop("dtype", None)
        return cls(**config)

    def _draw(self, distribution: str, shape: Any, a: Any, b: Any, dtype: Any) -> ops.Tensor:
        """Random numbers; those with a seed are the same at every call."""
        seed = getattr(self, "seed", None)
        if seed is None:
            return getattr(random_ops, distribution)(shape, a, b, dtype=dtype)
        keywords = ("minval", "maxval") if distribution == "random_uniform" else ("mean", "stddev")
        bounds = dict(zip(keywords, (a, b), strict=True))
        draw = getattr(random_ops, f"stateless_{distribution}")
        return draw(shape=shape, seed=[seed, 0], dtype=dtype, **bounds)


def _check_numeric(dtype: Any) -> dtypes.DType:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_numpy_compatible or dtype == dtypes.string:
        raise ValueError(f"Expected numeric or boolean dtype, got {dtype}.")
    return dtype


@_export("initializers.Zeros", "initializers.zeros", "zeros_initializer")
class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        return array_ops.zeros(shape, dtypes.as_dtype(dtype))


@_export("initializers.Ones", "initializers.ones", "ones_initializer")
class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        return array_ops.ones(shape, _check_numeric(dtype))


@_export("initializers.Constant", "initializers.constant", "constant_initializer")
class Constant(Initializer):
    """Given values.

    Args:
      value: a number, or a list, tuple or array of as many elements as the shape has.

    Raises:
      TypeError: any other kind of `value`.
    """

    _arguments = ("value",)

    def __init__(self, value: Any = 0):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or "
                "tuple of values, or numpy.ndarray)."
            )
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> ops.Tensor:
        dtype = None if dtype is None else dtypes.as_dtype(dtype)
        return constant_op.constant(self.value, dtype=dtype, shape=shape)


@_export("initializers.RandomUniform", "random_uniform_initializer")
class RandomUniform(Initializer):
    """Uniformly distributed numbers.

    Args:
      minval, maxval: the range.
      seed: makes every call give the same numbers.
    """

    _arguments = ("minval", "maxval", "seed")

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None):
        self.minval = minval
        self.maxval = maxval
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating and not dtype.is_integer:
            raise ValueError(f"Expected float or integer dtype, got {dtype}.")
        return self._draw("random_uniform", shape, self.minval, self.maxval, dtype)


class _Normal(Initializer):
    _arguments = ("mean", "stddev", "seed")
    _distribution: ClassVar[str]

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None):
        self.mean = mean
        self.stddev = stddev
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        return self._draw(self._distribution, shape, self.mean, self.stddev, _float_dtype(dtype))


@_export("initializers.RandomNormal", "random_normal_initializer")
class RandomNormal(_Normal):
    """Normally distributed numbers.

    Args:
      mean, stddev: of the distribution.
      seed: makes every call give the same numbers.
    """

    _distribution = "random_normal"


@_export("initializers.TruncatedNormal")
class TruncatedNormal(_Normal):
    """Normally distributed numbers within two standard deviations.

    Args:
      mean, stddev: of the distribution before it is truncated.
      seed: makes every call give the same numbers.
    """

    _distribution = "truncated_normal"


@_export("initializers.VarianceScaling")
class VarianceScaling(Initializer):
    """Random numbers whose variance fits the shape: `scale` / n.

    Args:
      scale: a positive number.
      mode: what n is: "fan_in" (inputs), "fan_out" (outputs) or "fan_avg" (their mean).
      distribution: "truncated_normal", "untruncated_normal" or "uniform".
      seed: makes every call give the same numbers.

    Raises:
      ValueError: an argument that is none of these.
    """

    _arguments = ("scale", "mode", "distribution", "seed")
    _choices: ClassVar = {
        "mode": {"fan_in", "fan_out", "fan_avg"},
        "distribution": {"uniform", "truncated_normal", "untruncated_normal"},
    }

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        distribution = distribution.lower()
        if distribution == "normal":  # Keras models that were saved call it so.
            distribution = "truncated_normal"
        for which, given in (("mode", mode), ("distribution", distribution)):
            if given not in self._choices[which]:
                raise ValueError(f"Invalid `{which}` argument:", given)
        self.scale = scale
        self.mode = mode
        self.distribution = distribution
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        dtype = _float_dtype(dtype)
        fan_in, fan_out = _compute_fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return self._draw("random_uniform", shape, -limit, limit, dtype)
        if self.distribution == "untruncated_normal":
            return self._draw("random_normal", shape, 0.0, math.sqrt(variance), dtype)
        stddev = math.sqrt(variance) / _TRUNCATED_STDDEV
        return self._draw("truncated_normal", shape, 0.0, stddev, dtype)


@_export("initializers.GlorotUniform", "initializers.glorot_uniform")
class GlorotUniform(VarianceScaling):
    """Uniform numbers of the variance 2 / (inputs + outputs)."""

    _arguments = ("seed",)

    def __init__(self, seed: int | None = None):
        super().__init__(1.0, "fan_avg", "uniform", seed)


@_export("initializers.GlorotNormal", "initializers.glorot_normal")
class GlorotNormal(VarianceScaling):
    """Truncated normal numbers of the variance 2 / (inputs + outputs)."""

    _arguments = ("seed",)

    def __init__(self, seed: int | None = None):
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)


@_export("initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal numbers of the variance 1 / inputs."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


@_export("initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers of the variance 1 / inputs."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


@_export("initializers.he_normal")
def he_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal numbers of the variance 2 / inputs."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


@_export("initializers.he_uniform")
def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform numbers of the variance 2 / inputs."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


@_export("initializers.Orthogonal", "initializers.orthogonal")
class Orthogonal(Initializer):
    """A random matrix with orthonormal columns, or rows where there are fewer of them.

    All dimensions but the last count as rows.

    Args:
      gain: multiplies the matrix.
      seed: makes every call give the same matrix.
    """

    _arguments = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: int | None = None):
        self.gain = gain
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        dtype = _float_dtype(dtype)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = math.prod(int(dim) for dim in shape[:-1]), int(shape[-1])
        size = (max(rows, columns), min(rows, columns))
        drawn = self._draw("random_normal", size, 0.0, 1, dtype)
        q, r = raw_ops.Qr(drawn, full_matrices=False)
        q *= math_ops.sign(array_ops.diag_part(r))
        if rows < columns:
            q = array_ops.matrix_transpose(q)
        return self.gain * array_ops.reshape(q, shape)


@_export("initializers.Identity", "initializers.identity")
class Identity(Initializer):
    """The identity matrix, for 2-D variables.

    Args:
      gain: multiplies the matrix.
    """

    _arguments = ("gain",)

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> ops.Tensor:
        dtype = _float_dtype(dtype)
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        return self.gain * linalg_ops.eye(*shape, dtype=dtype)


# The names that TF's module has besides, by which Keras's `get` knows them.
zeros_initializer = zeros = zero = Zeros
ones_initializer = ones = one = Ones
constant_initializer = constant = Constant
random_uniform_initializer = random_uniform = uniform = RandomUniform
random_normal_initializer = random_normal = normal = RandomNormal
truncated_normal_initializer = truncated_normal = TruncatedNormal
variance_scaling_initializer = VarianceScaling
orthogonal_initializer = orthogonal = Orthogonal
identity_initializer = identity = Identity
glorot_uniform_initializer = glorot_uniform = GlorotUniform
glorot_normal_initializer = glorot_normal = GlorotNormal
