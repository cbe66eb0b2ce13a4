"""Wishart's distributions of positive definite matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"


class _WishartLinearOperator(distribution.Distribution):
    """The distribution of sums of outer products of normal vectors."""

    df = parameter("df", "The degrees of freedom: how many vectors there are.")
    scale_operator = parameter("scale_operator", "The factor of the vectors' covariance.")
    cholesky_input_output_matrices = parameter(
        "cholesky_input_output_matrices", "Whether values are given by their Cholesky factors."
    )
    dimension = parameter("dimension", "How many rows a value has.")

    @moved("wishart", _LIBRARY)
    def __init__(
        self,
        df: TensorLike,
        scale_operator: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = None,
    ) -> None:
        """A batch of Wishart distributions.

        Args:
          df: float tensor, the degrees of freedom, at least the dimension.
          scale_operator: linear operator [..., k, k] of floats.
          cholesky_input_output_matrices: whether values are given by their Cholesky factors.
          validate_args: whether `df` is checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the operator is not of floats.
          ValueError: it is not square, or `df` is too small.
        """
        parameters = dict(locals())
        self._cholesky_input_output_matrices = cholesky_input_output_matrices
        with ops.name_scope(name) as name, ops.name_scope("init", values=[df, scale_operator]):
            dtype = scale_operator.dtype
            if not dtype.is_floating:
                raise TypeError(f"scale_operator.dtype={dtype} is not a floating-point type")
            if not scale_operator.is_square:
                raise ValueError("scale_operator must be square.")
            self._scale_operator = scale_operator
            self._df = ops.convert_to_tensor(df, dtype=dtype, name="df")
            check_ops.assert_same_float_dtype((self._df, scale_operator))
            shape = scale_operator.shape
            size = None if shape.ndims is None else dimension_value(shape[-1])
            if size is None:
                size = scale_operator.domain_dimension_tensor()
                self._dimension = math_ops.cast(size, dtype=dtype, name="dimension")
            else:
                self._dimension = ops.convert_to_tensor(size, dtype=dtype, name="dimension")
            self._check_df(validate_args)
        super().__init__(
            dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._df, self._dimension, *scale_operator.graph_parents],
            name,
        )

    def _check_df(self, validate_args: bool) -> None:
        text = (
            "Degrees of freedom (df = {}) cannot be less than dimension of scale matrix "
            "(scale.dimension = {})"
        )
        df = tensor_util.constant_value(self._df)
        size = tensor_util.constant_value(self._dimension)
        if df is not None and size is not None:
            df = np.atleast_1d(df) if np.ndim(df) else [np.asarray(df)]
            if np.any(np.asarray(df) < size):
                raise ValueError(text.format(df, size))
        elif validate_args:
            text = text.format(self._dimension, self._df)
            check = check_ops.assert_less_equal(self._dimension, self._df, message=text)
            self._df = control_flow_ops.with_dependencies([check], self._df)

    # ---- Shapes ----------

    def _event_shape_tensor(self) -> Any:
        size = self.scale_operator.domain_dimension_tensor()
        return array_ops.stack([size, size])

    def _event_shape(self) -> Any:
        size = self.scale_operator.domain_dimension
        return TensorShape([size, size])

    def _batch_shape_tensor(self) -> Any:
        return self.scale_operator.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self.scale_operator.batch_shape

    # ---- Samples and densities ----------

    def _square_scale_operator(self) -> Any:
        return self.scale_operator.matmul(self.scale_operator.to_dense(), adjoint_arg=True)

    def scale(self) -> Any:
        """The covariance of the vectors, or its factor if values are given by theirs."""
        if self._cholesky_input_output_matrices:
            return self.scale_operator.to_dense()
        return self._square_scale_operator()

    def _sample_n(self, n: TensorLike, seed: int) -> Any:
        # Bartlett's decomposition: normal below the diagonal, roots of gamma draws on it.
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = array_ops.shape(batch)[0] + 3  # with the sample
        x = random_ops.random_normal(
            shape=array_ops.concat([[n], batch, event], 0),
            mean=0.0,
            stddev=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        ones = array_ops.ones(self.scale_operator.batch_shape_tensor(), self.df.dtype.base_dtype)
        df = self.df * ones
        squares = random_ops.random_gamma(
            shape=[n],
            alpha=self._multi_gamma_sequence(0.5 * df, self.dimension),
            beta=0.5,
            dtype=self.dtype,
            seed=util.gen_new_seed(seed, "wishart"),
        )
        x = array_ops.matrix_band_part(x, -1, 0)
        x = array_ops.matrix_set_diag(x, math_ops.sqrt(squares))
        # All draws at once are columns of one matrix for the operator.
        last = array_ops.concat([math_ops.range(1, rank), [0]], 0)
        x = array_ops.transpose(x, last)
        x = array_ops.reshape(x, array_ops.concat([batch, [event[0]], [-1]], 0))
        x = self.scale_operator.matmul(x)
        x = array_ops.reshape(x, array_ops.concat([batch, event, [n]], 0))
        first = array_ops.concat([[rank - 1], math_ops.range(0, rank - 1)], 0)
        x = array_ops.transpose(x, first)
        if self.cholesky_input_output_matrices:
            return x
        return math_ops.matmul(x, x, adjoint_b=True)

    def _log_prob(self, x: Any) -> Any:
        factor = x if self.cholesky_input_output_matrices else linalg_ops.cholesky(x)
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = array_ops.rank(factor)
        sample_ndims = rank - array_ops.shape(batch)[0] - 2
        sample = array_ops.strided_slice(array_ops.shape(factor), [0], [sample_ndims])

        def rotated(x: TensorLike, by: Any) -> Any:
            order = [math_ops.range(by(), rank), math_ops.range(0, by())]
            return array_ops.transpose(x, array_ops.concat(order, 0))

        solved = rotated(factor, lambda: sample_ndims)
        rows = math_ops.cast(self.dimension, dtype=dtypes.int32)
        solved = array_ops.reshape(solved, array_ops.concat((batch, (rows, -1)), 0))
        solved = self.scale_operator.solve(solved)
        solved = array_ops.reshape(solved, array_ops.concat([batch, event, sample], 0))
        solved = rotated(solved, lambda: rank - sample_ndims)
        trace = math_ops.reduce_sum(math_ops.square(solved), axis=[-2, -1])
        diag = math_ops.log(array_ops.matrix_diag_part(factor))
        half_log_det = math_ops.reduce_sum(diag, axis=[-1])
        log_density = (self.df - self.dimension - 1.0) * half_log_det - 0.5 * trace
        log_prob = log_density - self.log_normalization()
        if x.get_shape().ndims is not None:
            log_prob.set_shape(x.get_shape()[:-2])
        own = self.batch_shape.ndims
        if log_prob.get_shape().ndims is not None and own:
            log_prob.get_shape()[-own:].merge_with(self.batch_shape)
        return log_prob

    def _prob(self, x: TensorLike) -> Any:
        return math_ops.exp(self._log_prob(x))

    # ---- Statistics ----------

    def _entropy(self) -> Any:
        half_dp1 = 0.5 * self.dimension + 0.5
        half_df = 0.5 * self.df
        h = self.dimension * (half_df + half_dp1 * math.log(2.0))
        h += 2 * half_dp1 * self.scale_operator.log_abs_determinant()
        h += self._multi_lgamma(half_df, self.dimension)
        return h + (half_dp1 - half_df) * self._multi_digamma(half_df, self.dimension)

    def _mean(self) -> Any:
        if self.cholesky_input_output_matrices:
            return math_ops.sqrt(self.df) * self.scale_operator.to_dense()
        return self.df * self._square_scale_operator()

    def _variance(self) -> Any:
        x = math_ops.sqrt(self.df) * self._square_scale_operator()
        d = array_ops.expand_dims(array_ops.matrix_diag_part(x), -1)
        v = math_ops.square(x) + math_ops.matmul(d, d, adjoint_b=True)
        return linalg_ops.cholesky(v) if self.cholesky_input_output_matrices else v

    def _stddev(self) -> Any:
        if self.cholesky_input_output_matrices:
            raise ValueError(
                "Computing std. dev. when is cholesky_input_output_matrices=True does not make "
                "sense."
            )
        return linalg_ops.cholesky(self.variance())

    def _mode(self) -> Any:
        s = self.df - self.dimension - 1.0
        negative = math_ops.less(s, 0.0)
        nan = constant_op.constant(float("NaN"), dtype=self.dtype, name="nan")
        s = array_ops.where_v2(negative, nan, s)
        if self.cholesky_input_output_matrices:
            return math_ops.sqrt(s) * self.scale_operator.to_dense()
        return s * self._square_scale_operator()

    def mean_log_det(self, name: str = "mean_log_det") -> Any:
        """The mean of the logarithm of a draw's determinant, of the batch shape."""
        with self._name_scope(name):
            mean = self._multi_digamma(0.5 * self.df, self.dimension)
            mean += self.dimension * math.log(2.0)
            return mean + 2 * self.scale_operator.log_abs_determinant()

    def log_normalization(self, name: str = "log_normalization") -> Any:
        """The logarithm of what the density is divided by, of the batch shape."""
        with self._name_scope(name):
            log_det = self.df * self.scale_operator.log_abs_determinant()
            powers = 0.5 * self.df * self.dimension * math.log(2.0)
            return log_det + powers + self._multi_lgamma(0.5 * self.df, self.dimension)

    def _multi_gamma_sequence(
        self, a: TensorLike, p: Any, name: str = "multi_gamma_sequence"
    ) -> Any:
        """The arguments of the gamma functions whose product the multivariate one is."""
        with self._name_scope(name, values=[a, p]):
            zero = constant_op.constant(0.0, dtype=self.dtype)
            last = 0.5 - 0.5 * p
            steps = math_ops.linspace(zero, last, math_ops.cast(p, dtypes.int32))
            return steps + array_ops.expand_dims(a, [-1])

    def _multi_lgamma(self, a: TensorLike, p: Any, name: str = "multi_lgamma") -> Any:
        with self._name_scope(name, values=[a, p]):
            terms = self._multi_gamma_sequence(a, p)
            factor = 0.25 * p * (p - 1.0) * math.log(math.pi)
            return factor + math_ops.reduce_sum(math_ops.lgamma(terms), axis=[-1])

    def _multi_digamma(self, a: TensorLike, p: Any, name: str = "multi_digamma") -> Any:
        with self._name_scope(name, values=[a, p]):
            terms = self._multi_gamma_sequence(a, p)
            return math_ops.reduce_sum(math_ops.digamma(terms), axis=[-1])


def _triangular(tril: Any) -> LinearOperatorLowerTriangular:
    return LinearOperatorLowerTriangular(
        tril=tril, is_non_singular=True, is_positive_definite=True, is_square=True
    )


@tf_export("contrib.distributions.WishartCholesky")
class WishartCholesky(_WishartLinearOperator):
    """Wishart's distribution of a covariance that is given by its Cholesky factor."""

    @moved("wishart", _LIBRARY)
    def __init__(
        self,
        df: TensorLike,
        scale: TensorLike,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "WishartCholesky",
    ) -> None:
        """A batch of Wishart distributions.

        Args:
          df: float tensor, the degrees of freedom, at least k.
          scale: float tensor [..., k, k], the Cholesky factor of the covariance.
          cholesky_input_output_matrices: whether values are given by their Cholesky factors.
          validate_args: whether parameters are checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: `df` is too small.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[scale]) as name:
            with ops.name_scope("init", values=[scale]):
                scale = ops.convert_to_tensor(scale)
                if validate_args:
                    diag = array_ops.matrix_diag_part(scale)
                    text = "scale must be positive definite"
                    checks = [check_ops.assert_positive(diag, message=text)]
                    sizes = [array_ops.shape(scale)[i] for i in (-1, -2)]
                    text = "scale must be square"
                    checks.append(check_ops.assert_equal(sizes[0], sizes[1], message=text))
                    scale = control_flow_ops.with_dependencies(checks, scale)
            super().__init__(
                df,
                _triangular(scale),
                cholesky_input_output_matrices,
                validate_args,
                allow_nan_stats,
                name,
            )
        self._parameters = parameters


@tf_export("contrib.distributions.WishartFull")
class WishartFull(_WishartLinearOperator):
    """Wishart's distribution of a given covariance."""

    @moved("wishart", _LIBRARY)
    def __init__(
        self,
        df: TensorLike,
        scale: TensorLike,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "WishartFull",
    ) -> None:
        """A batch of Wishart distributions.

        Args:
          df: float tensor, the degrees of freedom, at least k.
          scale: float tensor [..., k, k], the covariance.
          cholesky_input_output_matrices: whether values are given by their Cholesky factors.
          validate_args: whether parameters are checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: `df` is too small.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name, ops.name_scope("init", values=[scale]):
            scale = ops.convert_to_tensor(scale)
            if validate_args:
                scale = util.assert_symmetric(scale)
            factor = linalg_ops.cholesky(scale)
            checks = []
            if validate_args:
                checks.append(check_ops.assert_positive(array_ops.matrix_diag_part(factor)))
            factor = control_flow_ops.with_dependencies(checks, factor)
        super().__init__(
            df,
            _triangular(factor),
            cholesky_input_output_matrices,
            validate_args,
            allow_nan_stats,
            name,
        )
        self._parameters = parameters
