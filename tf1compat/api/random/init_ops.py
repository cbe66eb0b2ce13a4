"""TF 1.15's initializers: what `tf.get_variable` and the layers fill new variables with."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.util.deprecation import deprecated, deprecated_arg_values, deprecated_args
from tf1compat.core import dtypes, ops, raw_ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, TensorLike

# The standard deviation of a standard normal truncated at two standard deviations: what a truncated
# draw is divided by.
_TRUNCATED_STDDEV = 0.87962566103423978

_dtype_at_call = deprecated_args(
    None,
    "Call initializer instance with the dtype argument instead of passing it to the constructor",
    "dtype",
)


class Initializer:
    """Base class of all initializers: an object that is called with a shape and gives a tensor."""

    # The constructor's arguments besides `dtype`, as attributes of the same names.
    _arguments: ClassVar[tuple[str, ...]] = ()
    dtype: dtypes.DType

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        """The initial value of a variable.

        Args:
          shape: of the variable, or of this part of it.
          dtype: of the variable; by default the initializer's own.
          partition_info: where in a partitioned variable this part lies (`full_shape`,
            `var_offset`), or None.

        Returns:
          A tensor of that shape and dtype.
        """
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal initializer."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
        return cls(**config)

    def _config(self) -> dict[str, Any]:
        config = {name: getattr(self, name) for name in self._arguments}
        return {**config, "dtype": self.dtype.name}

    def _dtype_of(self, dtype: Any) -> Any:
        return self.dtype if dtype is None else dtype


def _float_dtype(dtype: DTypeLike) -> dtypes.DType:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


@tf_export("initializers.zeros", "zeros_initializer")
class Zeros(Initializer):
    """Zeros.

    Args:
      dtype: the dtype of what is made where none is asked for.
    """

    @_dtype_at_call
    def __init__(self, dtype: DTypeLike = dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        return array_ops.zeros(shape, self._dtype_of(dtype))

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.ones", "ones_initializer")
class Ones(Initializer):
    """Ones.

    Args:
      dtype: the dtype of what is made where none is asked for.
    """

    @_dtype_at_call
    def __init__(self, dtype: DTypeLike = dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        return array_ops.ones(shape, self._dtype_of(dtype))

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.constant", "constant_initializer")
class Constant(Initializer):
    """Given values.

    Args:
      value: a number, list, tuple or array; the last value fills what a shorter one leaves.
      dtype: of the result.
      verify_shape: refuse a `value` that has not exactly the variable's shape.

    Raises:
      TypeError: any other kind of `value`.
    """

    _arguments = ("value",)

    @_dtype_at_call
    @deprecated_args(
        None, "Objects must now be the required shape or no shape can be specified", "verify_shape"
    )
    def __init__(
        self, value: TensorLike = 0, dtype: DTypeLike = dtypes.float32, verify_shape: bool = False
    ):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or "
                "tuple of values, or numpy.ndarray)."
            )
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self,
        shape: Any,
        dtype: Any = None,
        partition_info: Any = None,
        verify_shape: bool | None = None,
    ) -> ops.Tensor:
        if verify_shape is None:
            verify_shape = self._verify_shape
        return constant_op.constant_v1(
            self.value, dtype=self._dtype_of(dtype), shape=shape, verify_shape=verify_shape
        )

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.random_uniform", "random_uniform_initializer")
class RandomUniform(Initializer):
    """Uniformly distributed numbers.

    Args:
      minval, maxval: the range; `maxval` is 1 by default for floats.
      seed: see `tf.set_random_seed`.
      dtype: of the result.
    """

    _arguments = ("minval", "maxval", "seed")

    @_dtype_at_call
    def __init__(
        self,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self.minval = minval
        self.maxval = maxval
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        return random_ops.random_uniform(
            shape, self.minval, self.maxval, self._dtype_of(dtype), seed=self.seed
        )

    def get_config(self) -> dict[str, Any]:
        return self._config()


class _Normal(Initializer):
    """One of normal numbers, which `_draw` draws."""

    _draw: ClassVar[Callable[..., ops.Tensor]]
    _arguments = ("mean", "stddev", "seed")

    mean: TensorLike
    stddev: TensorLike
    seed: int | None

    def _set(
        self, mean: TensorLike, stddev: TensorLike, seed: int | None, dtype: DTypeLike
    ) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        return self._draw(shape, self.mean, self.stddev, self._dtype_of(dtype), seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.random_normal", "random_normal_initializer")
class RandomNormal(_Normal):
    """Normally distributed numbers.

    Args:
      mean, stddev: of the distribution.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _draw = staticmethod(random_ops.random_normal)

    @_dtype_at_call
    def __init__(
        self,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self._set(mean, stddev, seed, dtype)


@tf_export("initializers.truncated_normal", "truncated_normal_initializer")
class TruncatedNormal(_Normal):
    """Normally distributed numbers within two standard deviations.

    Args:
      mean, stddev: of the distribution before it is truncated.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _draw = staticmethod(random_ops.truncated_normal)

    @_dtype_at_call
    def __init__(
        self,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self._set(mean, stddev, seed, dtype)


@tf_export("initializers.uniform_unit_scaling", "uniform_unit_scaling_initializer")
class UniformUnitScaling(Initializer):
    """Uniformly distributed numbers that keep the variance of what they are multiplied with.

    Args:
      factor: multiplies the range, sqrt(3 / inputs) to both sides.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _arguments = ("factor", "seed")

    @_dtype_at_call
    @deprecated(
        None,
        "Use tf.initializers.variance_scaling instead with distribution=uniform to get "
        "equivalent behavior.",
    )
    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.factor = factor
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        full_shape = shape if partition_info is None else partition_info.full_shape
        inputs = max(math.prod(float(dim) for dim in full_shape[:-1]), 1.0)
        limit = math.sqrt(3 / inputs) * self.factor
        return random_ops.random_uniform(
            shape, -limit, limit, self._dtype_of(dtype), seed=self.seed
        )

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.variance_scaling", "variance_scaling_initializer")
class VarianceScaling(Initializer):
    """Random numbers whose variance fits the shape: `scale` / n.

    Args:
      scale: a positive number.
      mode: what n is: "fan_in" (inputs), "fan_out" (outputs) or "fan_avg" (their mean).
      distribution: "truncated_normal" ("normal" is the same), "untruncated_normal" or "uniform".
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: an argument that is none of these.
    """

    _arguments = ("scale", "mode", "distribution", "seed")

    @_dtype_at_call
    @deprecated_arg_values(
        None, "`normal` is a deprecated alias for `truncated_normal`", distribution="normal"
    )
    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        self.scale = scale
        self.mode = _one_of(("fan_in", "fan_out", "fan_avg"), "mode", mode)
        self.distribution = _one_of(
            ("normal", "uniform", "truncated_normal", "untruncated_normal"),
            "distribution",
            distribution.lower(),
        )
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        dtype = self._dtype_of(dtype)
        full_shape = shape if partition_info is None else partition_info.full_shape
        fan_in, fan_out = _compute_fans(full_shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random_ops.random_uniform(shape, -limit, limit, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            stddev = math.sqrt(variance)
            return random_ops.random_normal(shape, 0.0, stddev, dtype, seed=self.seed)
        stddev = math.sqrt(variance) / _TRUNCATED_STDDEV
        return random_ops.truncated_normal(shape, 0.0, stddev, dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return self._config()


def _one_of(allowed: tuple[str, ...], argument: str, value: str) -> str:
    if value not in allowed:
        raise ValueError(f"Invalid `{argument}` argument:", value)
    return value


def _compute_fans(shape: Any) -> tuple[int, int]:
    """The inputs and outputs of a weight [inputs, outputs] or a kernel [..., inputs, outputs]."""
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return int(shape[0]), int(shape[0])
    receptive_field = math.prod(int(dim) for dim in shape[:-2])
    return int(shape[-2]) * receptive_field, int(shape[-1]) * receptive_field


@tf_export("glorot_uniform_initializer", "initializers.glorot_uniform")
class GlorotUniform(VarianceScaling):
    """Glorot's uniform initializer, also known as Xavier's; the default of `tf.get_variable`.

    Args:
      seed: see `tf.set_random_seed`.
      dtype: not used, as in TF 1.15.
    """

    _arguments = ("seed",)

    @_dtype_at_call
    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed)


@tf_export("glorot_normal_initializer", "initializers.glorot_normal")
class GlorotNormal(VarianceScaling):
    """Glorot's normal initializer (truncated), also known as Xavier's.

    Args:
      seed: see `tf.set_random_seed`.
      dtype: not used, as in TF 1.15.
    """

    _arguments = ("seed",)

    @_dtype_at_call
    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed)


@tf_export("initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """LeCun's normal initializer: truncated normal, variance 1 / fan_in.

    Args:
      seed: the seed.

    Returns:
      An initializer.
    """
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=seed)


@tf_export("initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """LeCun's uniform initializer: variance 1 / fan_in.

    Args:
      seed: the seed.

    Returns:
      An initializer.
    """
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="uniform", seed=seed)


@tf_export("initializers.he_normal")
def he_normal(seed: int | None = None) -> VarianceScaling:
    """He's normal initializer: truncated normal, variance 2 / fan_in.

    Args:
      seed: the seed.

    Returns:
      An initializer.
    """
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="truncated_normal", seed=seed)


@tf_export("initializers.he_uniform")
def he_uniform(seed: int | None = None) -> VarianceScaling:
    """He's uniform initializer: variance 2 / fan_in.

    Args:
      seed: the seed.

    Returns:
      An initializer.
    """
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="uniform", seed=seed)


def random_orthogonal(size: TensorLike, dtype: Any, seed: int | None, **qr: Any) -> ops.Tensor:
    """Records the orthogonal factor of a random normal matrix, made unique by its signs.

    Args:
      size: (rows, columns), at least as many rows as columns.
      dtype: a float dtype.
      seed: see `tf.set_random_seed`.
      **qr: attrs of the Qr op.

    Returns:
      [rows, columns], with orthonormal columns.
    """
    drawn = random_ops.random_normal(size, dtype=dtype, seed=seed)
    q, r = raw_ops.Qr(drawn, **qr)
    return q * math_ops.sign(raw_ops.DiagPart(r))


@tf_export("initializers.orthogonal", "orthogonal_initializer")
class Orthogonal(Initializer):
    """A random matrix with orthonormal columns, or rows where there are fewer of them.

    All dimensions but the last count as rows.

    Args:
      gain: multiplies the matrix.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _arguments = ("gain", "seed")

    @_dtype_at_call
    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.gain = gain
        self.dtype = _float_dtype(dtype)
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        dtype = self._dtype_of(dtype)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = math.prod(int(dim) for dim in shape[:-1]), int(shape[-1])
        size = (max(rows, columns), min(rows, columns))
        q = random_orthogonal(size, dtype, self.seed, full_matrices=False)
        if rows < columns:
            q = array_ops.matrix_transpose(q)
        return self.gain * array_ops.reshape(q, shape)

    def get_config(self) -> dict[str, Any]:
        return self._config()


@tf_export("initializers.identity")
class Identity(Initializer):
    """The identity matrix, for 2-D variables.

    Args:
      gain: multiplies the matrix.
      dtype: a float dtype.

    Raises:
      ValueError: another dtype.
    """

    _arguments = ("gain",)

    @_dtype_at_call
    def __init__(self, gain: float = 1.0, dtype: DTypeLike = dtypes.float32):
        self.gain = gain
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> ops.Tensor:
        full_shape = shape if partition_info is None else partition_info.full_shape
        if len(full_shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        if isinstance(full_shape, tensor_shape.TensorShape):
            full_shape = full_shape.as_list()
        matrix = linalg_ops.eye(*full_shape, dtype=self._dtype_of(dtype))
        if partition_info is not None:
            matrix = array_ops.slice(matrix, partition_info.var_offset, shape)
        return self.gain * matrix

    def get_config(self) -> dict[str, Any]:
        return self._config()


# The names by which TF's other modules and client code know the classes.
zeros_initializer = Zeros
ones_initializer = Ones
constant_initializer = Constant
random_uniform_initializer = RandomUniform
random_normal_initializer = RandomNormal
truncated_normal_initializer = TruncatedNormal
uniform_unit_scaling_initializer = UniformUnitScaling
variance_scaling_initializer = VarianceScaling
glorot_uniform_initializer = GlorotUniform
glorot_normal_initializer = GlorotNormal
orthogonal_initializer = Orthogonal
identity_initializer = Identity
