"""`tf.distributions.StudentT`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.moved import moved, replaced
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops, special_math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.StudentT")
class StudentT(Broadcasting):
    """Student's t distribution of `df` degrees of freedom, shifted by `loc`, stretched by
    `scale`."""

    _broadcast = ("df", "loc", "scale")
    _positive = ("df",)
    df = parameter("df", "The degrees of freedom.")
    loc = parameter("loc", "The locations.")
    scale = parameter("scale", "The scales, which are not the standard deviations.")

    @moved("student_t")
    def __init__(
        self,
        df: TensorLike,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "StudentT",
    ) -> None:
        """A batch of Student's t distributions.

        Args:
          df: positive float tensor, the degrees of freedom.
          loc: float tensor that broadcasts with it, the locations.
          scale: float tensor that broadcasts with both, the scales.
          validate_args: whether `df` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the parameters are of different dtypes.
        """
        self._set_up(dict(locals()))

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        normal = random_ops.random_normal(shape, dtype=self.dtype, seed=seed)
        df = self.df * self._ones()
        gamma_seed = util.gen_new_seed(seed, salt="student_t")
        gamma = random_ops.random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=gamma_seed)
        return normal * math_ops.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x: TensorLike) -> Any:
        y = (x - self.loc) / self.scale
        exponent = -0.5 * (self.df + 1.0) * math_ops.log1p(y**2.0 / self.df)
        return exponent - self._log_normalization()

    def _log_normalization(self) -> Any:
        scales = math_ops.log(math_ops.abs(self.scale)) + 0.5 * math_ops.log(self.df)
        half = scales + 0.5 * np.log(np.pi) + math_ops.lgamma(0.5 * self.df)
        return half - math_ops.lgamma(0.5 * (self.df + 1.0))

    def _cdf(self, x: TensorLike) -> Any:
        y = (x - self.loc) / math_ops.abs(self.scale)
        x_t = self.df / (y**2.0 + self.df)
        lower = 0.5 * math_ops.betainc(0.5 * self.df, 0.5, x_t)
        return array_ops.where_v2(math_ops.less(y, 0.0), lower, 1.0 - lower)

    def _entropy(self) -> Any:
        v = self._ones()[..., array_ops.newaxis]
        u = v * self.df[..., array_ops.newaxis]
        beta_argument = array_ops.concat([u, v], -1) / 2.0
        scales = math_ops.log(math_ops.abs(self.scale)) + 0.5 * math_ops.log(self.df)
        rest = scales + special_math_ops.lbeta(beta_argument)
        weight = 0.5 * (self.df + 1.0)
        psi = math_ops.digamma(0.5 * (self.df + 1.0)) - math_ops.digamma(0.5 * self.df)
        return rest + weight * psi

    @util.AppendDocstring("The mean is `loc` where `df > 1`, and undefined elsewhere.")
    def _mean(self) -> Any:
        mean = self.loc * self._ones()
        return self._where_df_above_1(mean, "mean")

    @util.AppendDocstring(
        "The variance is infinite where `1 < df <= 2`, and undefined where `df <= 1`."
    )
    def _variance(self) -> Any:
        has_variance = math_ops.greater(self.df, 2.0)
        denominator = array_ops.where_v2(has_variance, self.df - 2.0, array_ops.ones_like(self.df))
        variance = self._ones() * math_ops.square(self.scale) * self.df / denominator
        inf = np.array(np.inf, self.dtype.as_numpy_dtype)
        is_finite = self.df > array_ops.fill(self.batch_shape_tensor(), 2.0)
        infinite = array_ops.fill(self.batch_shape_tensor(), inf, name="inf")
        defined = array_ops.where_v2(is_finite, variance, infinite)
        return self._where_df_above_1(defined, "variance")

    def _mode(self) -> Any:
        return array_ops.identity(self.loc)

    def _ones(self) -> Any:
        return array_ops.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _where_df_above_1(self, value: TensorLike, statistic: str) -> Any:
        if self.allow_nan_stats:
            is_defined = math_ops.greater(self.df, self._ones())
            nan = np.array(np.nan, self.dtype.as_numpy_dtype)
            nans = array_ops.fill(self.batch_shape_tensor(), nan, name="nan")
            return array_ops.where_v2(is_defined, value, nans)
        check = check_ops.assert_less(
            array_ops.ones([], dtype=self.dtype),
            self.df,
            message=f"{statistic} not defined for components of df <= 1",
        )
        return control_flow_ops.with_dependencies([check], value)


class StudentTWithAbsDfSoftplusScale(StudentT):
    """A t distribution of `floor(abs(df))` degrees of freedom and scale `softplus(scale)`."""

    @replaced(
        "student_t",
        "Use `tfd.StudentT(tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale)) instead.",
    )
    def __init__(
        self,
        df: TensorLike,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[df, scale]) as name:
            whole = math_ops.floor(math_ops.abs(df))
            positive = nn_ops.softplus(scale, name="softplus_scale")
            super().__init__(whole, loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters
