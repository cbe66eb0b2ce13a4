"""The names of `tf.contrib.distributions` for what is in `tf.distributions` and its modules."""

from __future__ import annotations

from tf1compat.api.distributions import (
    beta,
    distributions,
    exponential,
    gamma,
    laplace,
    normal,
    student_t,
    util,
)
from tf1compat.core.export import export_constant

for _module, _names in (
    (distributions, distributions.__all__),
    (beta, ["BetaWithSoftplusConcentration"]),
    (exponential, ["ExponentialWithSoftplusRate"]),
    (gamma, ["GammaWithSoftplusConcentrationRate"]),
    (laplace, ["LaplaceWithSoftplusScale"]),
    (normal, ["NormalWithSoftplusScale"]),
    (student_t, ["StudentTWithAbsDfSoftplusScale"]),
    (
        util,
        [
            "fill_triangular",
            "fill_triangular_inverse",
            "matrix_diag_transform",
            "reduce_weighted_logsumexp",
            "softplus_inverse",
            "tridiag",
        ],
    ),
):
    for _name in _names:
        export_constant(f"contrib.distributions.{_name}", getattr(_module, _name))
