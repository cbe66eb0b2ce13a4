"""Bijectors that work on each number by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.bijector_impl import Bijector, init_scope
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_LIBRARY = "tf.contrib.distributions"
_checked = control_flow_ops.with_dependencies


class _Elementwise(Bijector):
    """One of scalars; the derived class asks for checks of what it is given."""

    def __init__(self, validate_args: bool, name: str, constant_jacobian: bool = False) -> None:
        super().__init__(
            is_constant_jacobian=constant_jacobian,
            forward_min_event_ndims=0,
            validate_args=validate_args,
            name=name,
        )


@tf_export("contrib.distributions.bijectors.AbsoluteValue")
class AbsoluteValue(_Elementwise):
    """y = |x|, whose inverse is the two of -y and y.

    Args:
      validate_args: whether y is checked.
      name: scope of the ops.
    """

    @moved("bijectors.absolute_value", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        with init_scope(name):
            super().__init__(validate_args, name, constant_jacobian=True)

    def _forward(self, x: TensorLike) -> Any:
        return math_ops.abs(x)

    def _inverse(self, y: Any) -> Any:
        y = self._if_not_negative(y, y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zeros = self._if_not_negative(y, constant_op.constant(0.0, dtype=y.dtype))
        return zeros, zeros

    def _if_not_negative(self, y: TensorLike, value: TensorLike) -> Any:
        if not self.validate_args:
            return value
        text = "Argument y was negative"
        return _checked([check_ops.assert_non_negative(y, message=text)], value)

    @property
    def _is_injective(self) -> bool:
        return False


@tf_export("contrib.distributions.bijectors.AffineScalar")
class AffineScalar(_Elementwise):
    """y = scale * x + shift."""

    shift = parameter("shift", "What is added, or None.")
    scale = parameter("scale", "What is multiplied by, or None.")

    @moved("bijectors.affine_scalar", _LIBRARY)
    def __init__(
        self,
        shift: TensorLike | None = None,
        scale: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "affine_scalar",
    ) -> None:
        """A shift, a scale, or both.

        Args:
          shift: float tensor, or None for 0.
          scale: float tensor, or None for 1.
          validate_args: whether `scale` is checked not to be 0.
          name: scope of the ops.
        """
        with init_scope(name, [scale, shift]):
            self._shift = None if shift is None else ops.convert_to_tensor(shift, name="shift")
            self._scale = None if scale is None else ops.convert_to_tensor(scale, name="scale")
            if validate_args and self._scale is not None:
                zero = array_ops.zeros([], dtype=self._scale.dtype)
                check = check_ops.assert_none_equal(self._scale, zero)
                self._scale = _checked([check], self._scale)
            super().__init__(validate_args, name, constant_jacobian=True)

    def _forward(self, x: TensorLike) -> Any:
        y = array_ops.identity(x)
        y = y if self.scale is None else y * self.scale
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: TensorLike) -> Any:
        x = array_ops.identity(y)
        x = x if self.shift is None else x - self.shift
        return x if self.scale is None else x / self.scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return constant_op.constant(0.0, dtype=x.dtype.base_dtype)
        return math_ops.log(math_ops.abs(self.scale))


@tf_export("contrib.distributions.bijectors.PowerTransform")
class PowerTransform(_Elementwise):
    """y = (1 + power * x) ** (1 / power), and exp(x) for a power of 0."""

    power = parameter("power", "The power, a NumPy scalar.")

    @moved("bijectors.power_transform", _LIBRARY)
    def __init__(
        self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform"
    ) -> None:
        """A power transform.

        Args:
          power: a float that is not negative.
          validate_args: whether values are checked.
          name: scope of the ops.

        Raises:
          ValueError: `power` is negative, or not known while recording.
        """
        with init_scope(name, [power]):
            power = tensor_util.constant_value(ops.convert_to_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        x = self._checked_x(x)
        if self.power == 0.0:
            return math_ops.exp(x)
        return math_ops.exp(math_ops.log1p(x * self.power) / self.power)

    def _inverse(self, y: TensorLike) -> Any:
        y = self._checked_y(y)
        if self.power == 0.0:
            return math_ops.log(y)
        return math_ops.expm1(math_ops.log(y) * self.power) / self.power

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        return (self.power - 1.0) * math_ops.log(self._checked_y(y))

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        x = self._checked_x(x)
        if self.power == 0.0:
            return x
        return (1.0 / self.power - 1.0) * math_ops.log1p(x * self.power)

    def _checked_x(self, x: TensorLike) -> Any:
        if not self.validate_args or self.power == 0.0:
            return x
        least = -1.0 / self.power
        text = f"Forward transformation input must be at least {least}."
        return _checked([check_ops.assert_non_negative(1.0 + self.power * x, message=text)], x)

    def _checked_y(self, y: TensorLike) -> Any:
        if not self.validate_args:
            return y
        text = "Inverse transformation input must be greater than 0."
        return _checked([check_ops.assert_positive(y, message=text)], y)


@tf_export("contrib.distributions.bijectors.Exp")
class Exp(PowerTransform):
    """y = exp(x).

    Args:
      validate_args: whether y is checked.
      name: scope of the ops.
    """

    @moved("bijectors.exp", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)


@tf_export("contrib.distributions.bijectors.Sigmoid")
class Sigmoid(_Elementwise):
    """y = 1 / (1 + exp(-x)).

    Args:
      validate_args: not used.
      name: scope of the ops.
    """

    @moved("bijectors.sigmoid", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        return math_ops.sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return math_ops.log(y) - math_ops.log1p(-y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -math_ops.log(y) - math_ops.log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -nn_ops.softplus(-x) - nn_ops.softplus(x)


@tf_export("contrib.distributions.bijectors.Softplus")
class Softplus(_Elementwise):
    """y = c * log(1 + exp(x / c)), where c is the softness of the hinge.

    Args:
      hinge_softness: the softness c, a tensor of floating point other than 0; 1 by default.
      validate_args: whether to check values when it runs.
      name: the bijector's name.
    """

    hinge_softness = parameter("hinge_softness", "The softness, or None for 1.")

    @moved("bijectors.softplus", _LIBRARY)
    @util.AppendDocstring(
        kwargs_dict={
            "hinge_softness": "Float tensor, not 0: how far from its kink at the origin the "
            "function is from a straight line. By default 1."
        }
    )
    def __init__(
        self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus"
    ) -> None:
        with ops.name_scope(name, values=[hinge_softness]):
            softness: Any = hinge_softness
            if softness is not None:
                softness = ops.convert_to_tensor(softness, name="hinge_softness")
            if validate_args and softness is not None:
                zero = ops.convert_to_tensor(0, dtype=softness.dtype)
                text = "hinge_softness must be non-zero"
                check = check_ops.assert_none_equal(zero, softness, message=text)
                softness = _checked([check], softness)
            self._hinge_softness = softness
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        if self.hinge_softness is None:
            return nn_ops.softplus(x)
        softness = math_ops.cast(self.hinge_softness, x.dtype)
        return softness * nn_ops.softplus(x / softness)

    def _inverse(self, y: Any) -> Any:
        if self.hinge_softness is None:
            return util.softplus_inverse(y)
        softness = math_ops.cast(self.hinge_softness, y.dtype)
        return softness * util.softplus_inverse(y / softness)

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        return -math_ops.log(-math_ops.expm1(-self._in_units(y)))

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        return -nn_ops.softplus(-self._in_units(x))

    def _in_units(self, value: Any) -> Any:
        if self.hinge_softness is None:
            return value
        return value / math_ops.cast(self.hinge_softness, value.dtype)


@tf_export("contrib.distributions.bijectors.Softsign")
class Softsign(_Elementwise):
    """y = x / (1 + |x|).

    Args:
      validate_args: whether y is checked.
      name: scope of the ops.
    """

    @moved("bijectors.softsign", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        return x / (1.0 + math_ops.abs(x))

    def _inverse(self, y: TensorLike) -> Any:
        y = self._checked_y(y)
        return y / (1.0 - math_ops.abs(y))

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        return -2.0 * math_ops.log1p(math_ops.abs(x))

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        y = self._checked_y(y)
        return -2.0 * math_ops.log1p(-math_ops.abs(y))

    def _checked_y(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        text = "Inverse transformation input must be {} than {}."
        dtype = y.dtype.base_dtype
        low = math_ops.cast(-1.0, dtype=dtype)
        checks = [check_ops.assert_greater(y, low, message=text.format("greater", "-1"))]
        high = math_ops.cast(1.0, dtype=dtype)
        checks.append(check_ops.assert_less(y, high, message=text.format("less", "1")))
        return _checked(checks, y)


@tf_export("contrib.distributions.bijectors.Square")
class Square(_Elementwise):
    """y = x ** 2 of an x that is not negative.

    Args:
      validate_args: whether x and y are checked.
      name: scope of the ops.
    """

    @moved("bijectors.square", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        return math_ops.square(self._checked_value(x))

    def _inverse(self, y: TensorLike) -> Any:
        return math_ops.sqrt(self._checked_value(y))

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        return np.log(2.0) + math_ops.log(self._checked_value(x))

    def _checked_value(self, value: TensorLike) -> Any:
        if not self.validate_args:
            return value
        text = "All elements must be non-negative."
        return _checked([check_ops.assert_non_negative(value, message=text)], value)


@tf_export("contrib.distributions.bijectors.SinhArcsinh")
class SinhArcsinh(_Elementwise):
    """y = sinh((arcsinh(x) + skewness) * tailweight)."""

    skewness = parameter("skewness", "How far the values are pushed to one side.")
    tailweight = parameter("tailweight", "How heavy the tails become.")

    @moved("bijectors.sinh_arcsinh", _LIBRARY)
    def __init__(
        self,
        skewness: Any = None,
        tailweight: Any = None,
        validate_args: bool = False,
        name: str = "SinhArcsinh",
    ) -> None:
        """A change of skewness and of the weight of the tails.

        Args:
          skewness: float tensor; by default 0.
          tailweight: positive float tensor; by default 1.
          validate_args: whether `tailweight` is checked.
          name: scope of the ops.
        """
        with init_scope(name, [skewness, tailweight]):
            self._skewness = ops.convert_to_tensor(
                0.0 if skewness is None else skewness, name="skewness"
            )
            weight = ops.convert_to_tensor(
                1.0 if tailweight is None else tailweight,
                name="tailweight",
                dtype=self._skewness.dtype,
            )
            check_ops.assert_same_float_dtype([self._skewness, weight])
            self._tailweight = _positive(weight, "tailweight") if validate_args else weight
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        return math_ops.sinh((math_ops.asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: TensorLike) -> Any:
        return math_ops.sinh(math_ops.asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        slope = math_ops.cosh(math_ops.asinh(y) / self.tailweight - self.skewness)
        return math_ops.log(slope / _hypotenuse(y)) - math_ops.log(self.tailweight)

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        slope = math_ops.cosh((math_ops.asinh(x) + self.skewness) * self.tailweight)
        return math_ops.log(slope / _hypotenuse(x)) + math_ops.log(self.tailweight)


def _hypotenuse(x: Any) -> Any:
    """sqrt(x ** 2 + 1), where x ** 2 may overflow."""
    fits = math_ops.abs(x) * np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps) <= 1.0
    return array_ops.where_v2(fits, math_ops.sqrt(x**2.0 + 1.0), math_ops.abs(x))


def _positive(value: TensorLike, name: str) -> Any:
    text = f"Argument {name} was not positive"
    return _checked([check_ops.assert_positive(value, message=text)], value)


class _OntoUnitInterval(_Elementwise):
    """A cumulative distribution function: its values are of [0, 1]."""

    def _checked_y(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        texts = ("greater than 0", "less than or equal to 1")
        low, high = (f"Inverse transformation input must be {text}." for text in texts)
        not_negative = check_ops.assert_non_negative(y, message=low)
        one = constant_op.constant(1.0, y.dtype)
        return _checked([not_negative, check_ops.assert_less_equal(y, one, message=high)], y)


@tf_export("contrib.distributions.bijectors.Gumbel")
class Gumbel(_OntoUnitInterval):
    """y = exp(-exp(-(x - loc) / scale)), the cdf of a Gumbel distribution."""

    loc = parameter("loc", "The mode of the distribution.")
    scale = parameter("scale", "Its width.")

    @moved("bijectors.gumbel", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike = 0.0,
        scale: TensorLike = 1.0,
        validate_args: bool = False,
        name: str = "gumbel",
    ) -> None:
        """The cdf of a Gumbel distribution.

        Args:
          loc: float tensor.
          scale: positive float tensor.
          validate_args: whether `scale` and y are checked.
          name: scope of the ops.
        """
        with init_scope(name, [loc, scale]):
            self._loc = ops.convert_to_tensor(loc, name="loc")
            self._scale = ops.convert_to_tensor(scale, name="scale")
            check_ops.assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                self._scale = _positive(self._scale, "scale")
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        z = (x - self.loc) / self.scale
        return math_ops.exp(-math_ops.exp(-z))

    def _inverse(self, y: TensorLike) -> Any:
        y = self._checked_y(y)
        return self.loc - self.scale * math_ops.log(-math_ops.log(y))

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        y = self._checked_y(y)
        return math_ops.log(self.scale / (-math_ops.log(y) * y))

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        z = (x - self.loc) / self.scale
        return -z - math_ops.exp(-z) - math_ops.log(self.scale)


class Weibull(_OntoUnitInterval):
    """y = 1 - exp(-(x / scale) ** concentration), the cdf of a Weibull distribution."""

    scale = parameter("scale", "The width of the distribution.")
    concentration = parameter("concentration", "Its exponent.")

    @moved("bijectors.weibull", _LIBRARY)
    def __init__(
        self,
        scale: TensorLike = 1.0,
        concentration: TensorLike = 1.0,
        validate_args: bool = False,
        name: str = "weibull",
    ) -> None:
        """The cdf of a Weibull distribution.

        Args:
          scale: positive float tensor.
          concentration: positive float tensor.
          validate_args: whether the parameters, x and y are checked.
          name: scope of the ops.
        """
        with init_scope(name, [scale, concentration]):
            self._scale = ops.convert_to_tensor(scale, name="scale")
            self._concentration = ops.convert_to_tensor(concentration, name="concentration")
            check_ops.assert_same_float_dtype([self._scale, self._concentration])
            if validate_args:
                self._scale = _positive(self._scale, "scale")
                self._concentration = _positive(self._concentration, "concentration")
        super().__init__(validate_args, name)

    def _forward(self, x: TensorLike) -> Any:
        x = self._checked_x(x)
        return -math_ops.expm1(-((x / self.scale) ** self.concentration))

    def _inverse(self, y: Any) -> Any:
        y = self._checked_y(y)
        return self.scale * (-math_ops.log1p(-y)) ** (1 / self.concentration)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._checked_y(y)
        return (
            -math_ops.log1p(-y)
            + (1 / self.concentration - 1) * math_ops.log(-math_ops.log1p(-y))
            + math_ops.log(self.scale / self.concentration)
        )

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        x = self._checked_x(x)
        return (
            -((x / self.scale) ** self.concentration)
            + (self.concentration - 1) * math_ops.log(x)
            + math_ops.log(self.concentration)
            + -self.concentration * math_ops.log(self.scale)
        )

    def _checked_x(self, x: TensorLike) -> Any:
        if not self.validate_args:
            return x
        text = "Forward transformation input must be at least 0."
        return _checked([check_ops.assert_non_negative(x, message=text)], x)


@tf_export("contrib.distributions.bijectors.Kumaraswamy")
class Kumaraswamy(_Elementwise):
    """y = (1 - (1 - x) ** (1 / concentration0)) ** (1 / concentration1)."""

    concentration1 = parameter("concentration1", "The exponent of y.")
    concentration0 = parameter("concentration0", "The exponent of 1 - y ** concentration1.")

    @moved("bijectors.kumaraswamy", _LIBRARY)
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:
        """The quantile function of a Kumaraswamy distribution.

        Args:
          concentration1: positive float tensor.
          concentration0: positive float tensor.
          validate_args: whether the parameters, x and y are checked.
          name: scope of the ops.
        """
        text = "Concentration parameter must be positive."
        given = {"concentration1": concentration1, "concentration0": concentration0}
        with init_scope(name, list(given.values())):
            for key, value in given.items():
                value = ops.convert_to_tensor(value, name=key)
                if validate_args:
                    value = _checked([check_ops.assert_positive(value, message=text)], value)
                setattr(self, f"_{key}", value)
        super().__init__(validate_args, name)

    def _forward(self, x: Any) -> Any:
        x = self._checked_value(x)
        inner = math_ops.exp(math_ops.log1p(-x) / self.concentration0)
        return math_ops.exp(math_ops.log1p(-inner) / self.concentration1)

    def _inverse(self, y: TensorLike) -> Any:
        y = self._checked_value(y)
        inner = (1 - y**self.concentration1) ** self.concentration0
        return math_ops.exp(math_ops.log1p(-inner))

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        y = self._checked_value(y)
        return (
            math_ops.log(self.concentration1)
            + math_ops.log(self.concentration0)
            + (self.concentration1 - 1) * math_ops.log(y)
            + (self.concentration0 - 1) * math_ops.log1p(-(y**self.concentration1))
        )

    def _checked_value(self, value: TensorLike) -> Any:
        if not self.validate_args:
            return value
        text = "sample must be non-negative"
        not_negative = check_ops.assert_non_negative(value, message=text)
        one = array_ops.ones([], self.concentration0.dtype)
        text = "sample must be no larger than `1`."
        at_most_one = check_ops.assert_less_equal(value, one, message=text)
        return _checked([not_negative, at_most_one], value)
