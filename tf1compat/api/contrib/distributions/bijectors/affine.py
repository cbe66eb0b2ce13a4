"""Bijectors y = scale @ x + shift of vectors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.shape import _DistributionShape
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.bijector_impl import Bijector, init_scope
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_low_rank_update import LinearOperatorLowRankUpdate
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_LIBRARY = "tf.contrib.distributions"


def _refuse_different_dtypes(shift: Any, scale: Any) -> None:
    if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
        raise TypeError(
            f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype})."
        )


def _batch_ndims(scale: Any) -> Any:
    known = scale.tensor_rank
    return scale.tensor_rank_tensor() - 2 if known is None else known - 2


class _Affine(Bijector):
    """One whose scale is a linear operator; `_shaper` says what of a tensor is batch and event."""

    shift = parameter("shift", "What is added, or None.")
    scale = parameter("scale", "The operator, or None.")
    _shaper: _DistributionShape

    def _scaled(self, x: TensorLike, inverse: bool = False) -> Any:
        """Applies the operator, or its inverse, to the vectors of a tensor."""
        x, sample_shape = self._shaper.make_batch_of_event_sample_matrices(
            x, expand_batch_dim=False
        )
        if inverse:
            x = self.scale.solve(x)
        else:
            with ops.control_dependencies(self._scale_checks()):
                x = self.scale.matmul(x)
        return self._shaper.undo_make_batch_of_event_sample_matrices(
            x, sample_shape, expand_batch_dim=False
        )

    def _scale_checks(self) -> list[Any]:
        if not self.validate_args:
            return []
        try:
            return [self.scale.assert_non_singular()]
        except NotImplementedError:
            return []


@tf_export("contrib.distributions.bijectors.Affine")
class Affine(_Affine):
    """y = scale @ x + shift, where the scale is given by its parts."""

    @moved("bijectors.affine", _LIBRARY)
    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        """The scale is the sum of what is given, and the identity if nothing is.

        Args:
          shift: float tensor of vectors, or None.
          scale_identity_multiplier: float tensor: a multiple of the identity.
          scale_diag: float tensor of vectors: a diagonal.
          scale_tril: float tensor of matrices, of which what is above the diagonal is left out.
          scale_perturb_factor: float tensor of matrices u: u @ u^T, or u @ d @ u^T.
          scale_perturb_diag: float tensor of vectors, the diagonals d.
          validate_args: whether the scale is checked to be invertible.
          name: scope of the ops.

        Raises:
          ValueError: `scale_perturb_diag` is given without `scale_perturb_factor`.
          TypeError: shift and scale are of different dtypes.
        """
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError(
                "When scale_perturb_diag is specified, scale_perturb_factor must be specified."
            )
        self._is_only_identity_multiplier = (
            scale_tril is None and scale_diag is None and scale_perturb_factor is None
        )
        values = [shift, scale_identity_multiplier, scale_diag, scale_tril]
        with init_scope(name, [*values, scale_perturb_diag, scale_perturb_factor]):
            dtype = dtypes.float32
            if shift is not None:
                shift = ops.convert_to_tensor(shift, name="shift")
                dtype = shift.dtype.base_dtype
            self._shift = shift
            multiplier = scale_identity_multiplier
            if self._is_only_identity_multiplier and multiplier is None:
                multiplier = ops.convert_to_tensor(1.0, dtype=dtype)
            given = {
                "identity_multiplier": multiplier,
                "diag": scale_diag,
                "tril": scale_tril,
                "perturb_diag": scale_perturb_diag,
                "perturb_factor": scale_perturb_factor,
            }
            parts = {
                key: None if value is None else ops.convert_to_tensor(value, name=key)
                for key, value in given.items()
            }
            self._scale: Any = self._made_of(parts, validate_args)
            if self._scale.dtype is not None:
                dtype = self._scale.dtype.base_dtype
            batch_ndims = 0
            if not self._is_only_identity_multiplier:
                _refuse_different_dtypes(shift, self._scale)
                batch_ndims = _batch_ndims(self._scale)
            self._shaper = _DistributionShape(
                batch_ndims=batch_ndims, event_ndims=1, validate_args=validate_args
            )
            if tensor_util.is_tensor(self._scale):
                parents = [self._scale]
            else:
                parents = [] if shift is None else [*self._scale.graph_parents, shift]
            super().__init__(
                parents, True, validate_args, dtype, forward_min_event_ndims=1, name=name
            )

    def _made_of(self, parts: dict[str, Any], validate_args: bool) -> Any:
        """The scale: a tensor if it is a multiple of the identity, else an operator."""
        factor, multiplier = parts["perturb_factor"], parts["identity_multiplier"]
        size = None if factor is None else util.dimension_size(factor, axis=-2)
        if self._is_only_identity_multiplier:
            if not validate_args:
                return multiplier
            zero = array_ops.zeros([], multiplier.dtype)
            text = ["identity_multiplier should be non-zero."]
            check = check_ops.assert_none_equal(multiplier, zero, text)
            return control_flow_ops.with_dependencies([check], multiplier)
        scale = distribution_util.make_tril_scale(
            loc=self._shift,
            scale_tril=parts["tril"],
            scale_diag=parts["diag"],
            scale_identity_multiplier=multiplier,
            validate_args=validate_args,
            assert_positive=False,
            shape_hint=size,
        )
        if factor is None:
            return scale
        return LinearOperatorLowRankUpdate(
            scale,
            u=factor,
            diag_update=parts["perturb_diag"],
            is_diag_update_positive=parts["perturb_diag"] is None,
            is_non_singular=True,
            is_self_adjoint=True,
            is_positive_definite=True,
            is_square=True,
        )

    def _forward(self, x: TensorLike) -> Any:
        y = x * self._scale if self._is_only_identity_multiplier else self._scaled(x)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: TensorLike) -> Any:
        x = y if self.shift is None else y - self.shift
        return (
            x / self._scale if self._is_only_identity_multiplier else self._scaled(x, inverse=True)
        )

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        if not self._is_only_identity_multiplier:
            return self.scale.log_abs_determinant()
        size = math_ops.cast(array_ops.shape(x)[-1], dtype=self._scale.dtype)
        return math_ops.log(math_ops.abs(self._scale)) * size


@tf_export("contrib.distributions.bijectors.AffineLinearOperator")
class AffineLinearOperator(_Affine):
    """y = scale @ x + shift, where the scale is a linear operator."""

    @moved("bijectors.affine_linear_operator", _LIBRARY)
    def __init__(
        self,
        shift: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:
        """A shift, a scale, or both.

        Args:
          shift: float tensor of vectors, or None.
          scale: a `LinearOperator`, or None.
          validate_args: whether the scale is checked to be invertible.
          name: scope of the ops.

        Raises:
          TypeError: `scale` is no operator, or of another dtype than `shift`.
          ValueError: with `validate_args`, `scale` is not said to be invertible.
        """
        parents, batch_ndims = [], 0
        with init_scope(name, [shift]):
            dtype = dtypes.float32
            if shift is not None:
                shift = ops.convert_to_tensor(shift, name="shift")
                parents.append(shift)
                dtype = shift.dtype.base_dtype
            self._shift = shift
            if scale is not None:
                _refuse_different_dtypes(shift, scale)
                if not isinstance(scale, LinearOperator):
                    raise TypeError("scale is not an instance of tf.LinearOperator")
                if validate_args and not scale.is_non_singular:
                    raise ValueError("Scale matrix must be non-singular.")
                parents += scale.graph_parents
                batch_ndims = _batch_ndims(scale)
                if scale.tensor_rank is None:
                    parents.append(batch_ndims)
                if scale.dtype is not None:
                    dtype = scale.dtype.base_dtype
            self._scale: Any = scale
            self._shaper = _DistributionShape(
                batch_ndims=batch_ndims, event_ndims=1, validate_args=validate_args
            )
            super().__init__(
                parents, True, validate_args, dtype, forward_min_event_ndims=1, name=name
            )

    def _forward(self, x: TensorLike) -> Any:
        y = x if self.scale is None else self._scaled(x)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: TensorLike) -> Any:
        x = y if self.shift is None else y - self.shift
        return x if self.scale is None else self._scaled(x, inverse=True)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return constant_op.constant(0.0, dtype=x.dtype.base_dtype)
        with ops.control_dependencies(self._scale_checks()):
            return self.scale.log_abs_determinant()
