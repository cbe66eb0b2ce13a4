"""`tf.contrib.distributions.bijectors`: invertible functions whose Jacobians are known."""

from __future__ import annotations

from tf1compat.api.contrib.distributions.bijectors.affine import Affine, AffineLinearOperator
from tf1compat.api.contrib.distributions.bijectors.batch_normalization import BatchNormalization
from tf1compat.api.contrib.distributions.bijectors.combined import (
    Chain,
    ConditionalBijector,
    Inline,
    Invert,
)
from tf1compat.api.contrib.distributions.bijectors.elementwise import (
    AbsoluteValue,
    AffineScalar,
    Exp,
    Gumbel,
    Kumaraswamy,
    PowerTransform,
    Sigmoid,
    SinhArcsinh,
    Softplus,
    Softsign,
    Square,
    Weibull,
)
from tf1compat.api.contrib.distributions.bijectors.flows import (
    MASK_EXCLUSIVE,
    MASK_INCLUSIVE,
    MaskedAutoregressiveFlow,
    RealNVP,
    masked_autoregressive_default_template,
    masked_dense,
    real_nvp_default_template,
)
from tf1compat.api.contrib.distributions.bijectors.matrices import (
    CholeskyOuterProduct,
    FillTriangular,
    MatrixInverseTriL,
    ScaleTriL,
    TransformDiagonal,
    vector_size_to_square_matrix_size,
)
from tf1compat.api.contrib.distributions.bijectors.vectors import (
    Ordered,
    Permute,
    Reshape,
    SoftmaxCentered,
)
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.identity_bijector import Identity

__all__ = [
    "MASK_EXCLUSIVE",
    "MASK_INCLUSIVE",
    "AbsoluteValue",
    "Affine",
    "AffineLinearOperator",
    "AffineScalar",
    "BatchNormalization",
    "Bijector",
    "Chain",
    "CholeskyOuterProduct",
    "ConditionalBijector",
    "Exp",
    "FillTriangular",
    "Gumbel",
    "Identity",
    "Inline",
    "Invert",
    "Kumaraswamy",
    "MaskedAutoregressiveFlow",
    "MatrixInverseTriL",
    "Ordered",
    "Permute",
    "PowerTransform",
    "RealNVP",
    "Reshape",
    "ScaleTriL",
    "Sigmoid",
    "SinhArcsinh",
    "SoftmaxCentered",
    "Softplus",
    "Softsign",
    "Square",
    "TransformDiagonal",
    "Weibull",
    "masked_autoregressive_default_template",
    "masked_dense",
    "real_nvp_default_template",
    "vector_size_to_square_matrix_size",
]
