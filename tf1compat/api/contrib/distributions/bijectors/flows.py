"""Bijectors whose shift and scale are functions of other elements of the same vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.api.layers import core as layers
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import template, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_LIBRARY = "tf.contrib.distributions"
_AUTOREGRESSIVE = "bijectors.masked_autoregressive"
MASK_INCLUSIVE = "inclusive"
MASK_EXCLUSIVE = "exclusive"


def _depth(x: Any) -> Any:
    return dimension_value(x.shape.with_rank_at_least(1)[-1])


def _known_depth(x: TensorLike) -> int:
    depth = _depth(x)
    if depth is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    return depth


def _moved_and_scaled(x: Any, shift: Any, log_scale: Any) -> Any:
    if log_scale is not None:
        x *= math_ops.exp(log_scale)
    return x if shift is None else x + shift


def _moved_and_scaled_back(y: Any, shift: Any, log_scale: Any) -> Any:
    if shift is not None:
        y -= shift
    return y if log_scale is None else y * math_ops.exp(-log_scale)


@tf_export("contrib.distributions.bijectors.MaskedAutoregressiveFlow")
class MaskedAutoregressiveFlow(Bijector):
    """Each element is shifted and scaled by functions of those of y before it."""

    @moved(_AUTOREGRESSIVE, _LIBRARY)
    def __init__(
        self,
        shift_and_log_scale_fn: Any,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: Name = None,
    ) -> None:
        """An autoregressive flow.

        Args:
          shift_and_log_scale_fn: y -> (shift, log_scale), each of the shape of y or None, where no
            element depends on those of y from its own on.
          is_constant_jacobian: whether `log_scale` is the same everywhere.
          validate_args: see `Bijector`.
          unroll_loop: whether `forward` is recorded without a loop.
          name: scope of the ops.
        """
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        self._unroll_loop = unroll_loop
        super().__init__(
            is_constant_jacobian=is_constant_jacobian,
            forward_min_event_ndims=1,
            validate_args=validate_args,
            name=name or "masked_autoregressive_flow",
        )

    def _forward(self, x: TensorLike) -> Any:
        return self._unrolled(x) if self._unroll_loop else self._looped(x)

    def _unrolled(self, x: Any) -> Any:
        size = _depth(x)
        if size is None:
            raise ValueError(
                "The final dimension of `x` must be known at graph construction time if "
                f"`unroll_loop=True`. `x.shape: {x.shape!r}`"
            )
        y = array_ops.zeros_like(x, name="y0")
        for _ in range(size):
            y = _moved_and_scaled(x, *self._shift_and_log_scale_fn(y))
        return y

    def _looped(self, x: TensorLike) -> Any:
        size, known_size = array_ops.shape(x)[-1], _depth(x)
        start = array_ops.zeros_like(x, name="y0")
        self._shift_and_log_scale_fn(start)  # Its variables are made outside of the loop.

        def body(index: Any, y: TensorLike) -> Any:
            with variable_scope.variable_scope(variable_scope.get_variable_scope()) as scope:
                if scope.caching_device is None:
                    scope.set_caching_device(lambda op: op.device)
                shift, log_scale = self._shift_and_log_scale_fn(y)
            y = _moved_and_scaled(x, shift, log_scale)
            return index + 1, y

        return control_flow_ops.while_loop(
            cond=lambda index, _: index < size,
            body=body,
            loop_vars=(0, start),
            maximum_iterations=known_size,
        )[1]

    def _inverse(self, y: TensorLike) -> Any:
        return _moved_and_scaled_back(y, *self._shift_and_log_scale_fn(y))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return constant_op.constant(0.0, dtype=y.dtype, name="ildj")
        return -math_ops.reduce_sum(log_scale, axis=-1)


def _gen_slices(
    num_blocks: int, n_in: int, n_out: int, mask_type: str = "exclusive"
) -> list[list[slice]]:
    """For each block of inputs the rows of outputs that see it, and its columns."""
    wide, high = n_in // num_blocks, n_out // num_blocks
    first = 1 if mask_type == "exclusive" else 0
    return [
        [slice((block + first) * high, None), slice(block * wide, (block + 1) * wide)]
        for block in range(num_blocks)
    ]


def _gen_mask(
    num_blocks: int,
    n_in: int,
    n_out: int,
    mask_type: str = "exclusive",
    dtype: DTypeLike = dtypes.float32,
) -> np.ndarray:
    """[n_out, n_in], 1 where an output's block comes after an input's, or is the same one."""
    mask = np.zeros([n_out, n_in], dtypes.as_dtype(dtype).as_numpy_dtype)
    for rows, columns in _gen_slices(num_blocks, n_in, n_out, mask_type):
        mask[rows, columns] = 1
    return mask


@tf_export("contrib.distributions.bijectors.masked_dense")
@moved(_AUTOREGRESSIVE, _LIBRARY)
def masked_dense(
    inputs: Any,
    units: Any,
    num_blocks: Any = None,
    exclusive: bool = False,
    kernel_initializer: Any = None,
    reuse: Any = None,
    name: Any = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """A dense layer in which a block of outputs sees only the blocks of inputs up to its own.

    Args:
      inputs: float tensor [..., depth].
      units: how many outputs.
      num_blocks: how many blocks inputs and outputs are divided into.
      exclusive: whether a block does not see its own inputs either.
      kernel_initializer: of the weights before they are masked; by default Glorot's normal one.
      reuse: whether the layer of that name is used again.
      name: of the layer.
      *args, **kwargs: more arguments of `tf.layers.Dense`.

    Returns:
      A tensor [..., units].

    Raises:
      NotImplementedError: the depth is not known.
    """
    kind = "exclusive" if exclusive else "inclusive"
    mask = _gen_mask(num_blocks, _known_depth(inputs), units, kind).T
    initializer = kernel_initializer or init_ops.glorot_normal_initializer()

    def masked(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initializer(shape, dtype, partition_info)

    with ops.name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        layer = layers.Dense(
            units,
            *args,
            kernel_initializer=masked,
            kernel_constraint=lambda kernel: mask * kernel,
            name=name,
            dtype=inputs.dtype.base_dtype,
            _scope=name,
            _reuse=reuse,
            **kwargs,
        )
        return layer.apply(inputs)


@tf_export("contrib.distributions.bijectors.masked_autoregressive_default_template")
@moved(_AUTOREGRESSIVE, _LIBRARY)
def masked_autoregressive_default_template(
    hidden_layers: Any,
    shift_only: bool = False,
    activation: Callable[..., Any] | str = nn_ops.relu,
    log_scale_min_clip: Any = -5.0,
    log_scale_max_clip: Any = 3.0,
    log_scale_clip_gradient: bool = False,
    name: Any = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Masked dense layers for a `MaskedAutoregressiveFlow`.

    Args:
      hidden_layers: how many units each hidden layer has.
      shift_only: whether there is no scale.
      activation: of the hidden layers.
      log_scale_min_clip, log_scale_max_clip: the bounds of the logarithm of the scale.
      log_scale_clip_gradient: whether the gradient is 0 beyond them.
      name: of the template.
      *args, **kwargs: more arguments of `tf.layers.dense`.

    Returns:
      A function y -> (shift, log_scale) whose variables are made at its first call.
    """
    name = name or "masked_autoregressive_default_template"
    with ops.name_scope(name, values=[log_scale_min_clip, log_scale_max_clip]):

        def network(x: Any) -> Any:
            depth = _known_depth(x)
            defined = x.shape.is_fully_defined()
            shape = np.array(x.shape.as_list(), np.int32) if defined else array_ops.shape(x)
            for i, units in enumerate(hidden_layers):
                x = masked_dense(
                    *args,
                    inputs=x,
                    units=units,
                    num_blocks=depth,
                    exclusive=i == 0,
                    activation=activation,
                    **kwargs,
                )
            units = (1 if shift_only else 2) * depth
            x = masked_dense(
                *args, inputs=x, units=units, num_blocks=depth, activation=None, **kwargs
            )
            if shift_only:
                return array_ops.reshape(x, shape=shape), None
            x = array_ops.reshape(x, shape=array_ops.concat([shape, [2]], axis=0))
            shift, log_scale = array_ops.unstack(x, num=2, axis=-1)
            clip = clip_ops.clip_by_value if log_scale_clip_gradient else _clipped_in_value
            return shift, clip(log_scale, log_scale_min_clip, log_scale_max_clip)

        return template.make_template(name, network)


def _clipped_in_value(
    x: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: Name = None
) -> Any:
    """Clips a value whose gradient goes through as if it weren't."""
    low, high = clip_value_min, clip_value_max
    with ops.name_scope(name, "clip_by_value_preserve_grad", [x, low, high]):
        clipped = clip_ops.clip_by_value(x, low, high)
        return x + array_ops.stop_gradient(clipped - x)


@tf_export("contrib.distributions.bijectors.RealNVP")
class RealNVP(Bijector):
    """The first elements stay; the others are shifted and scaled by functions of them."""

    @moved("bijectors.real_nvp", _LIBRARY)
    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: Any,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: Name = None,
    ) -> None:
        """A real-valued non-volume preserving flow.

        Args:
          num_masked: how many elements stay.
          shift_and_log_scale_fn: (those, how many others) -> (shift, log_scale), each may be None.
          is_constant_jacobian: whether `log_scale` is the same everywhere.
          validate_args: see `Bijector`.
          name: scope of the ops.

        Raises:
          ValueError: `num_masked` is not positive.
        """
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked = num_masked
        self._input_depth: Any = None
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        super().__init__(
            is_constant_jacobian=is_constant_jacobian,
            forward_min_event_ndims=1,
            validate_args=validate_args,
            name=name or "real_nvp",
        )

    def _begin(self, x: Any) -> Any:
        if self._input_depth is None:
            self._input_depth = _known_depth(x)
            if self._num_masked >= self._input_depth:
                raise ValueError("Number of masked units must be smaller than the event size.")
        return x[:, : self._num_masked]

    def _of_rest(self, begin: TensorLike) -> Any:
        return self._shift_and_log_scale_fn(begin, self._input_depth - self._num_masked)

    def _forward(self, x: Any) -> Any:
        begin = self._begin(x)
        rest = x[:, self._num_masked :]
        rest = _moved_and_scaled(rest, *self._of_rest(begin))
        return array_ops.concat([begin, rest], axis=-1)

    def _inverse(self, y: Any) -> Any:
        begin = self._begin(y)
        rest = y[:, self._num_masked :]
        rest = _moved_and_scaled_back(rest, *self._of_rest(begin))
        return array_ops.concat([begin, rest], axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        _, log_scale = self._of_rest(self._begin(y))
        if log_scale is None:
            return constant_op.constant(0.0, dtype=y.dtype, name="ildj")
        return -math_ops.reduce_sum(log_scale, axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        _, log_scale = self._of_rest(self._begin(x))
        if log_scale is None:
            return constant_op.constant(0.0, dtype=x.dtype, name="fldj")
        return math_ops.reduce_sum(log_scale, axis=-1)


@tf_export("contrib.distributions.bijectors.real_nvp_default_template")
@moved("bijectors.real_nvp", _LIBRARY)
def real_nvp_default_template(
    hidden_layers: Any,
    shift_only: bool = False,
    activation: Callable[..., Any] | str = nn_ops.relu,
    name: Name = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Dense layers for a `RealNVP`.

    Args:
      hidden_layers: how many units each hidden layer has.
      shift_only: whether there is no scale.
      activation: of the hidden layers.
      name: scope in which the template is made.
      *args, **kwargs: more arguments of `tf.layers.dense`.

    Returns:
      A function (x, output_units) -> (shift, log_scale).
    """
    with ops.name_scope(name, "real_nvp_default_template"):

        def network(x: TensorLike, output_units: Any) -> Any:
            for units in hidden_layers:
                x = layers.dense(*args, inputs=x, units=units, activation=activation, **kwargs)
            units = (1 if shift_only else 2) * output_units
            x = layers.dense(*args, inputs=x, units=units, activation=None, **kwargs)
            if shift_only:
                return x, None
            shift, log_scale = array_ops.split(x, 2, axis=-1)
            return shift, log_scale

        return template.make_template("real_nvp_default_template", network)
