"""Bijectors that order, rearrange or normalise the elements of a vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Name, ShapeLike, TensorLike

_LIBRARY = "tf.contrib.distributions"
_checked = control_flow_ops.with_dependencies


class _OfOneVector(Bijector):
    """One between vectors of which y may be longer than x; neither may be of one element."""

    _longer = 0  # how much longer

    def _forward_event_shape(self, input_shape: Any) -> Any:
        if input_shape.ndims is None or input_shape[-1] is None:
            return input_shape
        return TensorShape([input_shape[-1] + self._longer])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._as_shape(input_shape[-1], self._longer)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        if output_shape.ndims is None or output_shape[-1] is None:
            return output_shape
        if output_shape[-1] <= 1:
            size = dimension_value(output_shape[-1])
            raise ValueError(f"output_shape[-1] = {size} <= 1")
        return TensorShape([output_shape[-1] - self._longer])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        if self.validate_args:
            text = "Need last dimension greater than 1."
            check = check_ops.assert_greater(output_shape[-1], 1, message=text)
            output_shape = _checked([check], output_shape)
        return self._as_shape(output_shape[-1], -self._longer)

    @staticmethod
    def _as_shape(size: Any, more: int) -> Any:
        if more:
            size = size + more if more > 0 else size - -more
        return size[..., None]


@tf_export("contrib.distributions.bijectors.Ordered")
class Ordered(_OfOneVector):
    """Increasing vectors to any: the first element, and the logarithms of the steps.

    Args:
      validate_args: whether x is checked.
      name: scope of the ops.
    """

    @moved("bijectors.ordered", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        x = self._checked_x(x)
        first = x[..., 0, None]
        steps = math_ops.log(x[..., 1:] - x[..., :-1])
        return array_ops.concat([first, steps], axis=-1)

    def _inverse(self, y: Any) -> Any:
        first = y[..., 0, None]
        steps = math_ops.exp(y[..., 1:])
        return math_ops.cumsum(array_ops.concat([first, steps], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return math_ops.reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._checked_x(x)
        return -math_ops.reduce_sum(math_ops.log(x[..., 1:] - x[..., :-1]), axis=-1)

    def _checked_x(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        text = "Forward transformation input must be strictly increasing."
        check = check_ops.assert_positive(x[..., 1:] - x[..., :-1], message=text)
        return _checked([check], x)


@tf_export("contrib.distributions.bijectors.SoftmaxCentered")
class SoftmaxCentered(_OfOneVector):
    """The softmax of a vector with a 0 at its end.

    Args:
      validate_args: whether shapes are checked.
      name: scope of the ops.
    """

    _longer = 1

    @moved("bijectors.softmax_centered", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward(self, x: TensorLike) -> Any:
        y = util.pad(x, axis=-1, back=True)
        self._tell_shape(y, x, 1)
        return nn_ops.softmax(y)

    def _inverse(self, y: TensorLike) -> Any:
        logs = math_ops.log(y)
        normalization = (-logs[..., -1])[..., None]
        x = logs[..., :-1] + normalization
        self._tell_shape(x, y, -1)
        return x

    @staticmethod
    def _tell_shape(x: Any, of: Any, more: int) -> None:
        if of.shape.ndims is not None:
            size = dimension_value(of.shape[-1])
            shape = of.shape[:-1].concatenate([None if size is None else size + more])
            x.shape.assert_is_compatible_with(shape)
            x.set_shape(shape)

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        return -math_ops.reduce_sum(math_ops.log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        # log(1 + sum(exp(x))), so that nothing overflows.
        total = nn_ops.softplus(math_ops.reduce_logsumexp(x, axis=-1, keepdims=True))
        negative = -total
        summed = math_ops.reduce_sum(x - total, axis=-1, keepdims=True)
        return array_ops.squeeze(negative + summed, axis=-1)


@tf_export("contrib.distributions.bijectors.Permute")
class Permute(Bijector):
    """The elements of a vector in another order."""

    permutation = parameter("permutation", "Which element of x each one of y is.")

    @moved("bijectors.permute", _LIBRARY)
    def __init__(self, permutation: Any, validate_args: bool = False, name: Name = None) -> None:
        """The elements of a vector in another order.

        Args:
          permutation: int vector: which element of x each one of y is.
          validate_args: whether it is checked when the graph runs.
          name: scope of the ops.

        Raises:
          TypeError: `permutation` is not of whole numbers.
          ValueError: it is known, and no permutation.
        """
        text = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
        with ops.name_scope(name, "permute", values=[permutation]):
            permutation = ops.convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                dtype = permutation.dtype.name
                raise TypeError(f"permutation.dtype ({dtype}) should be `int`-like.")
            known = tensor_util.constant_value(permutation)
            if known is not None:
                if set(known) != set(range(known.size)):
                    raise ValueError(text)
            elif validate_args:
                negative = -permutation
                size = array_ops.shape(permutation)[-1]
                ordered, _ = nn_ops.top_k(negative, k=size, sorted=True)
                numbers = -ordered, math_ops.range(array_ops.size(ordered))
                check = check_ops.assert_equal(*numbers, message=text)
                permutation = _checked([check], permutation)
            self._permutation = permutation
            super().__init__(
                is_constant_jacobian=True,
                forward_min_event_ndims=1,
                validate_args=validate_args,
                name=name or "permute",
            )

    def _forward(self, x: TensorLike) -> Any:
        return array_ops.gather(x, self.permutation, axis=-1)

    def _inverse(self, y: TensorLike) -> Any:
        return array_ops.gather(y, array_ops.invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return constant_op.constant(0.0, dtype=y.dtype.base_dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return constant_op.constant(0.0, dtype=x.dtype.base_dtype)


@tf_export("contrib.distributions.bijectors.Reshape")
class Reshape(Bijector):
    """Events in another shape."""

    @moved("bijectors.reshape", _LIBRARY)
    def __init__(
        self,
        event_shape_out: Any,
        event_shape_in: Any = (-1,),
        validate_args: bool = False,
        name: Name = None,
    ) -> None:
        """Events in another shape.

        Args:
          event_shape_out: int vector, the shape of one y; one element may be -1.
          event_shape_in: int vector, the shape of one x; one element may be -1.
          validate_args: whether shapes are checked when the graph runs.
          name: scope of the ops.

        Raises:
          TypeError: a shape is not of whole numbers.
          ValueError: a shape is no vector, has two elements of -1, or lower ones.
        """
        with ops.name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            out = ops.convert_to_tensor(
                event_shape_out, name="event_shape_out", preferred_dtype=dtypes.int32
            )
            in_ = ops.convert_to_tensor(
                event_shape_in, name="event_shape_in", preferred_dtype=dtypes.int32
            )
            self._assertions = [*_shape_checks(out, validate_args)]
            self._assertions += _shape_checks(in_, validate_args)
            self._event_shape_in, self._event_shape_out = in_, out
            super().__init__(
                is_constant_jacobian=True,
                forward_min_event_ndims=0,
                validate_args=validate_args,
                name=name or "reshape",
            )

    def _forward(self, x: TensorLike) -> Any:
        with ops.control_dependencies(self._assertions):
            return self._reshaped(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: TensorLike) -> Any:
        with ops.control_dependencies(self._assertions):
            return self._reshaped(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        with ops.control_dependencies(self._assertions):
            return constant_op.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with ops.control_dependencies(self._assertions):
            return constant_op.constant(0.0, dtype=x.dtype)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._of_zeros(self.forward, input_shape).shape

    def _inverse_event_shape(self, output_shape: ShapeLike) -> Any:
        return self._of_zeros(self.inverse, output_shape).shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        with ops.control_dependencies(self._assertions):
            return array_ops.shape(self._of_zeros(self.forward, input_shape))

    def _inverse_event_shape_tensor(self, output_shape: ShapeLike) -> Any:
        with ops.control_dependencies(self._assertions):
            return array_ops.shape(self._of_zeros(self.inverse, output_shape))

    def _of_zeros(self, function: Any, shape: ShapeLike) -> Any:
        with ops.control_dependencies(self._assertions):
            return function(array_ops.zeros(dtype=dtypes.float32, shape=shape))

    def _reshaped(self, x: Any, shape_in: Any, shape_out: Any) -> Any:
        count = dimension_value(shape_in.shape.with_rank_at_least(1)[0])
        event_ndims = array_ops.shape(shape_in)[0]
        rank = x.shape.ndims
        begin = array_ops.rank(x)
        tail = None
        if count is not None and rank is not None:
            tail = x.shape.with_rank_at_least(count)[rank - count :]
        if tail is not None and tail.is_fully_defined():
            event = np.array(tail.as_list(), np.int32)
        else:
            event = array_ops.shape(x)[begin - event_ndims :]
        x = self._checked_input(x, event, shape_in)
        shape = array_ops.shape(x)
        length = array_ops.rank(x) if rank is None else rank
        shape = shape[: length - math_ops.abs(event_ndims)]
        if rank is not None and count == rank:
            return array_ops.reshape(x, shape_out)
        return array_ops.reshape(x, array_ops.concat([shape, shape_out], axis=0))

    def _checked_input(self, x: TensorLike, event: Any, shape_in: Any) -> Any:
        """The tensor, once its events are known, or checked, to be of a shape."""
        known = tensor_util.constant_value(shape_in)
        if isinstance(event, np.ndarray) and known is not None:
            if not np.equal(event[known >= 0], known[known >= 0]).all():
                raise ValueError(
                    f"Input `event_shape` does not match `event_shape_in` ({event} vs {known})."
                )
        elif self.validate_args:
            given = array_ops.reshape(shape_in >= 0, [-1])
            found = array_ops.boolean_mask(event, given)
            wanted = array_ops.boolean_mask(shape_in, given)
            text = "Input `event_shape` does not match `event_shape_in`."
            x = _checked([check_ops.assert_equal(found, wanted, message=text)], x)
        return x


def _shape_checks(shape: Any, validate_args: bool) -> list[Any]:
    """The checks of a shape that wait for the run; the others are made at once."""
    if not shape.dtype.is_integer:
        raise TypeError(f"{shape} dtype ({shape.dtype.name}) should be `int`-like.")
    checks = []
    rank = array_ops.rank(shape)
    known_rank = tensor_util.constant_value(rank)
    if known_rank is not None and known_rank > 1:
        raise ValueError(f"`{shape}` rank ({known_rank}) should be <= 1.")
    if validate_args:
        text = f"`{shape}` rank should be <= 1."
        checks.append(check_ops.assert_less_equal(rank, 1, message=text))
    known = tensor_util.constant_value_as_shape(shape)
    if known.is_fully_defined():
        sizes = np.array(known.as_list(), np.int32)
        if sum(sizes == -1) > 1:
            raise ValueError(f"`{shape}` must have at most one `-1` (given {sizes})")
        if np.any(sizes < -1):
            raise ValueError(
                f"`{shape}` elements must be either positive integers or `-1`(given {sizes})."
            )
    elif validate_args:
        free = math_ops.cast(math_ops.equal(shape, -1), dtypes.int32)
        text = f"`{shape}` elements must have at most one `-1`."
        checks.append(check_ops.assert_less_equal(math_ops.reduce_sum(free), 1, message=text))
        text = f"`{shape}` elements must be either positive integers or `-1`."
        checks.append(check_ops.assert_greater_equal(shape, -1, message=text))
    return checks
