"""Multivariate normal distributions, by how their covariance is given."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.mvn_linear_operator import (
    MultivariateNormalLinearOperator,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.linalg.linear_operator_identity import LinearOperatorIdentity
from tf1compat.api.linalg.linear_operator_low_rank_update import LinearOperatorLowRankUpdate
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"


@tf_export("contrib.distributions.MultivariateNormalDiag")
class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """Normal distributions of vectors whose elements are independent."""

    @moved("mvn_diag", _LIBRARY)
    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "MultivariateNormalDiag",
    ) -> None:
        """A batch of normal distributions of independent elements.

        Args:
          loc: float tensor [..., k], the means; None for 0.
          scale_diag: float tensor [..., k], the standard deviations; None for 0.
          scale_identity_multiplier: float tensor [...], added to them; 1 if neither is given.
          validate_args: whether the scale is checked to be invertible.
          allow_nan_stats: not used.
          name: scope of the ops.

        Raises:
          ValueError: neither `loc` nor `scale_diag` says what k is.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            values = [loc, scale_diag, scale_identity_multiplier]
            with ops.name_scope("init", values=values):
                scale = distribution_util.make_diag_scale(*values)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@tf_export("contrib.distributions.MultivariateNormalDiagWithSoftplusScale")
class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """Normal distributions of vectors of independent elements, whose standard deviations are the
    softplus of `scale_diag`.

    Args:
      loc, scale_diag, validate_args, allow_nan_stats, name: as in `MultivariateNormalDiag`.
    """

    @moved("mvn_diag", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike,
        scale_diag: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[scale_diag]) as name:
            super().__init__(
                loc=loc,
                scale_diag=nn_ops.softplus(scale_diag),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters


@tf_export("contrib.distributions.MultivariateNormalDiagPlusLowRank")
class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """Normal distributions whose scale is a diagonal and a matrix of low rank."""

    @moved("mvn_diag_plus_low_rank", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        """A batch of normal distributions of the scale diag + u @ d @ u^T.

        Args:
          loc: float tensor [..., k], the means; None for 0.
          scale_diag: float tensor [..., k], the diagonals; None for 0.
          scale_identity_multiplier: float tensor [...], added to them; 1 if neither is given.
          scale_perturb_factor: float tensor [..., k, r], u.
          scale_perturb_diag: float tensor [..., r], the diagonals d; None for the identity.
          validate_args: whether the scale is checked.
          allow_nan_stats: not used.
          name: scope of the ops.

        Raises:
          ValueError: nothing says what k is.
        """
        parameters = dict(locals())
        factor, diag = scale_perturb_factor, scale_perturb_diag
        with ops.name_scope(name) as name:
            values = [loc, scale_diag, scale_identity_multiplier]
            with ops.name_scope("init", values=[*values, factor, diag]):
                has_low_rank = factor is not None or diag is not None
                scale = distribution_util.make_diag_scale(
                    *values, validate_args=validate_args, assert_positive=has_low_rank
                )
                factor = distribution_util.tensor_or_none(factor, "scale_perturb_factor")
                diag = distribution_util.tensor_or_none(diag, "scale_perturb_diag")
                if has_low_rank:
                    scale = LinearOperatorLowRankUpdate(
                        scale,
                        u=factor,
                        diag_update=diag,
                        is_diag_update_positive=diag is None,
                        is_non_singular=True,
                        is_self_adjoint=True,
                        is_positive_definite=True,
                        is_square=True,
                    )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@tf_export("contrib.distributions.MultivariateNormalTriL")
class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """Normal distributions whose scale is a lower triangular matrix."""

    @moved("mvn_tril", _LIBRARY)
    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "MultivariateNormalTriL",
    ) -> None:
        """A batch of normal distributions of covariance scale_tril @ scale_tril^T.

        Args:
          loc: float tensor [..., k], the means; None for 0.
          scale_tril: float tensor [..., k, k], lower triangular; None for the identity.
          validate_args: whether the scale is checked to be invertible.
          allow_nan_stats: not used.
          name: scope of the ops.

        Raises:
          ValueError: neither `loc` nor `scale_tril` is given.
        """
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with ops.name_scope(name) as name, ops.name_scope("init", values=[loc, scale_tril]):
            loc = distribution_util.tensor_or_none(loc, "loc")
            scale_tril = distribution_util.tensor_or_none(scale_tril, "scale_tril")
            if scale_tril is None:
                scale: Any = LinearOperatorIdentity(
                    num_rows=util.dimension_size(loc, -1),
                    dtype=loc.dtype,
                    is_self_adjoint=True,
                    is_positive_definite=True,
                    assert_proper_shapes=validate_args,
                )
            else:
                scale = LinearOperatorLowerTriangular(
                    scale_tril,
                    is_non_singular=True,
                    is_self_adjoint=False,
                    is_positive_definite=False,
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@tf_export("contrib.distributions.MultivariateNormalFullCovariance")
class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """Normal distributions of a given covariance."""

    @moved("mvn_full_covariance", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike | None = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "MultivariateNormalFullCovariance",
    ) -> None:
        """A batch of normal distributions.

        Args:
          loc: float tensor [..., k], the means; None for 0.
          covariance_matrix: float tensor [..., k, k], symmetric and positive definite; None for the
            identity.
          validate_args: whether it is checked to be symmetric, and its factor to be invertible.
          allow_nan_stats: not used.
          name: scope of the ops.

        Raises:
          ValueError: neither `loc` nor `covariance_matrix` is given.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:  # noqa: SIM117
            with ops.name_scope("init", values=[loc, covariance_matrix]):
                scale_tril = None
                if covariance_matrix is not None:
                    matrix = ops.convert_to_tensor(covariance_matrix, name="covariance_matrix")
                    if validate_args:
                        transposed = array_ops.matrix_transpose(matrix)
                        text = "Matrix was not symmetric"
                        check = check_ops.assert_near(matrix, transposed, message=text)
                        matrix = control_flow_ops.with_dependencies([check], matrix)
                    scale_tril = linalg_ops.cholesky(matrix)
                super().__init__(loc, scale_tril, validate_args, allow_nan_stats, name)
        self._parameters = parameters
