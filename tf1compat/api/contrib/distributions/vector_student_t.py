"""Student's distribution of vectors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.bijectors.affine import Affine
from tf1compat.api.distributions import student_t, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import Name, TensorLike


class _VectorStudentT(TransformedDistribution):
    """y = scale @ x + loc, where the elements of x are of Student's distribution."""

    @moved("vector_student_t", "tf.contrib.distributions")
    def __init__(
        self,
        df: TensorLike,
        loc: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "VectorStudentT",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          df: float tensor, the degrees of freedom.
          loc: float tensor [..., k]; None for 0.
          scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor,
            scale_perturb_diag: see `bijectors.Affine`.
          validate_args: whether the scale is checked to be invertible.
          allow_nan_stats: not used.
          name: scope of the ops.
        """
        parameters = dict(locals())
        given = {
            "shift": loc,
            "scale_identity_multiplier": scale_identity_multiplier,
            "scale_diag": scale_diag,
            "scale_tril": scale_tril,
            "scale_perturb_factor": scale_perturb_factor,
            "scale_perturb_diag": scale_perturb_diag,
        }
        with ops.name_scope(name) as name:  # noqa: SIM117
            with ops.name_scope("init", values=[df, *given.values()]):
                affine = Affine(**given, validate_args=validate_args)
                distribution = student_t.StudentT(
                    df=df,
                    loc=array_ops.zeros([], dtype=affine.dtype),
                    scale=array_ops.ones([], dtype=affine.dtype),
                )
                batch_shape, event_shape = distribution_util.shapes_from_loc_and_scale(
                    affine.shift, affine.scale
                )
                batch_shape = util.pick_vector(
                    distribution.is_scalar_batch(),
                    batch_shape,
                    constant_op.constant([], dtype=dtypes.int32),
                )
                super().__init__(
                    distribution=distribution,
                    bijector=affine,
                    batch_shape=batch_shape,
                    event_shape=event_shape,
                    validate_args=validate_args,
                    name=name,
                )
                self._parameters = parameters

    df = attribute("distribution.df", "The degrees of freedom.")
    loc = attribute("bijector.shift", "What is added, or None.")
    scale = attribute("bijector.scale", "What x is multiplied by.")
