"""All of `tf.distributions` in one module, as TF's internal one of this name."""

from tf1compat.api.distributions.bernoulli import Bernoulli
from tf1compat.api.distributions.beta import Beta
from tf1compat.api.distributions.categorical import Categorical
from tf1compat.api.distributions.dirichlet import Dirichlet
from tf1compat.api.distributions.dirichlet_multinomial import DirichletMultinomial
from tf1compat.api.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)
from tf1compat.api.distributions.exponential import Exponential
from tf1compat.api.distributions.gamma import Gamma
from tf1compat.api.distributions.kullback_leibler import RegisterKL, kl_divergence
from tf1compat.api.distributions.laplace import Laplace
from tf1compat.api.distributions.multinomial import Multinomial
from tf1compat.api.distributions.normal import Normal
from tf1compat.api.distributions.student_t import StudentT
from tf1compat.api.distributions.uniform import Uniform

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "Gamma",
    "Laplace",
    "Multinomial",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]
