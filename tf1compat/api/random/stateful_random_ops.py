"""`tf.random.experimental`: random numbers from generators that are variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.variables.resource_variable_ops import ResourceVariable
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

SEED_TYPE = STATE_TYPE = ALGORITHM_TYPE = "int64"
MAX_INT64 = SEED_MAX = 2**63 - 1
MIN_INT64 = SEED_MIN = -(2**63)
UINT64_SPAN = SEED_UINT_SPAN = 2**64
SEED_TYPE_BITS = 64
SEED_BIT_MASK = 2**64 - 1
SEED_SIZE = 16
PHILOX_STATE_SIZE, THREEFRY_STATE_SIZE = 3, 2
RNG_ALG_PHILOX = 1
RNG_ALG_THREEFRY = 2
DEFAULT_ALGORITHM = RNG_ALG_PHILOX
_STATE_SIZES = {RNG_ALG_PHILOX: PHILOX_STATE_SIZE, RNG_ALG_THREEFRY: THREEFRY_STATE_SIZE}


def non_deterministic_ints(shape: ShapeLike, dtype: DTypeLike = dtypes.int64) -> Tensor:
    """Integers that no seed decides."""
    return raw_ops.NonDeterministicInts(shape=shape, dtype=dtype)


def _uint_to_int(n: int) -> int:
    return n - SEED_UINT_SPAN if n > SEED_MAX else n


def _get_state_size(algorithm: int) -> int:
    if algorithm not in _STATE_SIZES:
        raise ValueError(f"Unsupported algorithm id: {algorithm}")
    return _STATE_SIZES[algorithm]


def _make_1d_state(state_size: int, seed: Any) -> np.ndarray:
    """A state of so many numbers from a seed of any size; zeros come first."""
    if isinstance(seed, int):
        seed = [(seed >> (SEED_TYPE_BITS * i)) & SEED_BIT_MASK for i in range(state_size)]
    state = np.asarray([_uint_to_int(n) for n in seed], dtype=STATE_TYPE)
    if state.ndim != 1:
        raise ValueError(f"seed should only have one dimension; got shape: {state.shape}")
    state = state[:state_size]
    return np.pad(state, [(state_size - len(state), 0)])


def _make_state_from_seed(seed: Any, alg: Any) -> np.ndarray:
    return _make_1d_state(_get_state_size(alg), seed)


@tf_export("random.experimental.create_rng_state")
def create_rng_state(seed: Any, algorithm: Any) -> np.ndarray:
    """The state of a generator (as in TF 1.15).

    Args:
      seed: an int, or a vector of 64-bit integers.
      algorithm: 1 for Philox, 2 for ThreeFry.

    Returns:
      An int64 vector, of 3 or 2 elements.

    Raises:
      ValueError: there is no such algorithm, or `seed` is no vector.
    """
    return _make_state_from_seed(seed, algorithm)


def _shape_tensor(shape: Any) -> Tensor:
    empty = isinstance(shape, tuple | list) and not shape
    return ops.convert_to_tensor(shape, dtype=dtypes.int64 if empty else None, name="shape")


def _convert_to_state_tensor(state: Any) -> Tensor:
    if isinstance(state, list):
        state = [_uint_to_int(n) for n in state]
    return ops.convert_to_tensor(state, dtype=STATE_TYPE)


@tf_export("random.experimental.Generator")
class Generator:
    """A generator of random numbers, whose state is a variable (as in TF 1.15).

    The `from_…` methods make one.

    Args:
      copy_from: the generator to start like.
      state: an int64 vector, if there is none.
      alg: the algorithm, then.
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None):
        if copy_from is not None:
            assert (alg or state) is None
            initial = copy_from.state
            alg = copy_from.algorithm
        else:
            assert alg is not None and state is not None
            initial = _convert_to_state_tensor(state)
            initial.shape.assert_is_compatible_with([_get_state_size(alg)])
        self._state_var = ResourceVariable(initial, dtype=STATE_TYPE, trainable=False)
        self._alg_var = alg

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Of a state, an int64 vector."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: int, alg: Any = None) -> Generator:
        """Of a seed, an int or a vector; see `create_rng_state`."""
        alg = DEFAULT_ALGORITHM if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Of a state that no seed decides."""
        alg = DEFAULT_ALGORITHM if alg is None else alg
        return cls(state=non_deterministic_ints([_get_state_size(alg)], SEED_TYPE), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Of a key (a scalar) and a counter (a vector)."""
        return cls(state=_joined(key, counter, alg), alg=alg)

    def reset(self, state: Any) -> None:
        """Assigns a state."""
        state = _convert_to_state_tensor(state)
        state.shape.assert_is_compatible_with([_get_state_size(self.algorithm)])
        self._state_var.assign(state)

    def reset_from_seed(self, seed: int) -> None:
        """Assigns the state of a seed."""
        self._state_var.assign(create_rng_state(seed, self.algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Assigns the state of a key and a counter."""
        self._state_var.assign(_joined(key, counter, self.algorithm))

    state = attribute("_state_var", "The variable.")
    algorithm = attribute("_alg_var", "The algorithm's number.")

    @property
    def key(self) -> Tensor:
        """The key of the generator."""
        _get_state_size(self.algorithm)
        return self._state_var[-1]

    def skip(self, delta: TensorLike) -> None:
        """Moves on as if `delta` numbers had been drawn."""
        raw_ops.RngSkip(self.state.handle, self.algorithm, delta)

    def _draw(self, op_type: str, shape: ShapeLike, *parameters: Any, **attrs: Any) -> Tensor:
        record = raw_ops.function(op_type)
        return record(self.state.handle, self.algorithm, shape, *parameters, **attrs)

    def _draw_normal(
        self,
        op_type: str,
        shape: ShapeLike,
        mean: TensorLike,
        stddev: TensorLike,
        dtype: DTypeLike,
        name: Name,
    ) -> Tensor:
        shape = _shape_tensor(shape)
        mean, stddev = tensor_util.named_tensors(dtype, mean=mean, stddev=stddev)
        return math_ops.add(self._draw(op_type, shape, dtype=dtype) * stddev, mean, name=name)

    def normal(
        self,
        shape: ShapeLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: DTypeLike = dtypes.float32,
        name: Name = None,
    ) -> Tensor:
        """Normal numbers.

        Args:
          shape: ints.
          mean, stddev: numbers of `dtype` that broadcast with the result.
          dtype: of the result.
          name: the last operation's name.
        """
        with ops.name_scope(name, "stateful_normal", [shape, mean, stddev]) as name:
            return self._draw_normal("StatefulStandardNormalV2", shape, mean, stddev, dtype, name)

    def truncated_normal(
        self,
        shape: ShapeLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: Any = dtypes.float32,
        name: Name = None,
    ) -> Tensor:
        """Normal numbers that are at most two deviations from the mean; as `normal`."""
        with ops.name_scope(name, "truncated_normal", [shape, mean, stddev]) as name:
            return self._draw_normal("StatefulTruncatedNormal", shape, mean, stddev, dtype, name)

    def uniform(
        self,
        shape: ShapeLike,
        minval: Any = 0,
        maxval: Any = None,
        dtype: DTypeLike = dtypes.float32,
        name: Name = None,
    ) -> Tensor:
        """Numbers in [minval, maxval).

        Args:
          shape: ints.
          minval: the lowest; numbers of `dtype` that broadcast with the result.
          maxval: what they stay below; 1 by default, unless they are integers.
          dtype: of the result.
          name: the last operation's name.

        Raises:
          ValueError: integers without `maxval`.
        """
        dtype = dtypes.as_dtype(dtype)
        if maxval is None:
            if dtype.is_integer:
                raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
            maxval = 1
        with ops.name_scope(name, "stateful_uniform", [shape, minval, maxval]) as name:
            shape = _shape_tensor(shape)
            bounds = minval, maxval = tensor_util.named_tensors(dtype, min=minval, max=maxval)
            if dtype.is_integer:
                return self._draw("StatefulUniformInt", shape, *bounds, name=name)
            drawn = self._draw("StatefulUniform", shape, dtype=dtype)
            return math_ops.add(drawn * (maxval - minval), minval, name=name)

    def uniform_full_int(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.uint64, name: Name = None
    ) -> Tensor:
        """Integers whose every bit is drawn."""
        dtype = dtypes.as_dtype(dtype)
        with ops.name_scope(name, "stateful_uniform_full_int", [shape]) as name:
            shape = _shape_tensor(shape)
            return self._draw("StatefulUniformFullInt", shape, dtype=dtype, name=name)

    def binomial(
        self,
        shape: ShapeLike,
        counts: Any,
        probs: TensorLike,
        dtype: DTypeLike = dtypes.int32,
        name: Name = None,
    ) -> Tensor:
        """How many of `counts` draws succeed with probability `probs`.

        Args:
          shape: ints.
          counts, probs: tensors of one dtype.
          dtype: of the result.
          name: the operation's name.
        """
        dtype = dtypes.as_dtype(dtype)
        with ops.name_scope(name, "binomial", [shape, counts, probs]) as name:
            parameters = tensor_util.named_tensors(None, counts=counts, probs=probs)
            shape = _shape_tensor(shape)
            return self._draw("StatefulRandomBinomial", shape, *parameters, dtype=dtype, name=name)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless random functions: int64 [2, count]."""
        _get_state_size(self.algorithm)
        keys = self.uniform_full_int(shape=[count], dtype=dtypes.int64)
        return array_ops.stack([keys, array_ops.zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """Generators of other keys; in eager execution alone."""
        size = _get_state_size(self.algorithm)
        keys: Any = self.uniform_full_int(shape=[count], dtype=dtypes.int64)
        alg = self.algorithm
        return [Generator(state=[0] * (size - 1) + [key], alg=alg) for key in keys.numpy()]


def _joined(key: Any, counter: Any, algorithm: int) -> Tensor:
    counter = _convert_to_state_tensor(counter)
    key = _convert_to_state_tensor(key)
    counter.shape.assert_is_compatible_with([_get_state_size(algorithm) - 1])
    key.shape.assert_is_compatible_with([])
    return array_ops.concat([counter, array_ops.reshape(key, [1])], 0)


_global_generator: Generator | None = None


@tf_export("random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator for all; made on first use, of a state that no seed decides."""
    global _global_generator
    if _global_generator is None:
        _global_generator = Generator.from_non_deterministic_state()
    return _global_generator


@tf_export("random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replaces the generator for all.

    Args:
      generator: a `tf.random.experimental.Generator`.
    """
    global _global_generator
    _global_generator = generator
