"""`tf.contrib.distributions.Chi2`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions.gamma import Gamma
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.Chi2")
class Chi2(Gamma):
    """The chi-squared distribution: the sum of the squares of `df` standard normals."""

    df = parameter("df", "The degrees of freedom.")

    @moved("chi2", "tf.contrib.distributions")
    def __init__(
        self,
        df: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Chi2",
    ) -> None:
        """A batch of chi-squared distributions.

        Args:
          df: positive float tensor, the degrees of freedom.
          validate_args: whether parameters and samples are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[df]) as name:
            checks = [check_ops.assert_positive(df)] if validate_args else []
            with ops.control_dependencies(checks):
                self._df = array_ops.identity(df, name="df")
            half = 0.5 * self._df
            rate = constant_op.constant(0.5, dtype=self._df.dtype)
            super().__init__(half, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters

    @classmethod
    def _param_shapes(cls, sample_shape: TensorLike) -> Any:
        return {"df": ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)}


@tf_export("contrib.distributions.Chi2WithAbsDf")
class Chi2WithAbsDf(Chi2):
    """A chi-squared distribution of `floor(abs(df))` degrees of freedom.

    Args:
      df, validate_args, allow_nan_stats, name: as in `Chi2`.
    """

    @moved("chi2", "tf.contrib.distributions")
    def __init__(
        self,
        df: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Chi2WithAbsDf",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[df]) as name:
            whole = math_ops.floor(math_ops.abs(df, name="abs_df"), name="floor_abs_df")
            super().__init__(whole, validate_args, allow_nan_stats, name)
        self._parameters = parameters
