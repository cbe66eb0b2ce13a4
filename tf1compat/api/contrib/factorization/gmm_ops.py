"""Mixtures of Gaussians by expectation maximization
(`tensorflow.contrib.factorization.python.ops.gmm_ops`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.random import random_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

MEPS = np.finfo(float).eps
FULL_COVARIANCE = "full"
DIAG_COVARIANCE = "diag"

# What is added to variances, so that covariances can be inverted.
_SMALLEST_VARIANCE = 1e-3


def _covariance(x: TensorLike, diag: bool) -> Tensor:
    """The covariance of points [points, dimensions]: [dimensions, dimensions], or the diagonal
    alone, [1, dimensions]."""
    count = math_ops.cast(array_ops.shape(x)[0], dtypes.float32)
    x -= math_ops.reduce_mean(x, 0, keepdims=True)
    if diag:
        total = math_ops.reduce_sum(math_ops.square(x), 0, keepdims=True)
    else:
        total = math_ops.matmul(x, x, transpose_a=True)
    return total / (count - 1)


def _init_clusters_random(data: list[Any], num_clusters: int, random_seed: Any) -> Tensor:
    """Some points, float32 [clusters, dimensions]."""
    count = math_ops.add_n([array_ops.shape(shard)[0] for shard in data])
    with ops.control_dependencies([check_ops.assert_less_equal(num_clusters, count)]):
        indices = random_ops.random_uniform(
            [num_clusters], minval=0, maxval=math_ops.cast(count, dtypes.int64),
            seed=random_seed, dtype=dtypes.int64,
        )  # fmt: skip
    indices %= math_ops.cast(count, dtypes.int64)
    return embedding_ops.embedding_lookup(data, indices, partition_strategy="div")


@tf_export("contrib.factorization.GmmAlgorithm")
class GmmAlgorithm:
    """The graph of a mixture of Gaussians and of a step of its fit.

    Args:
      data: a list of points, each float32 [points, dimensions].
      num_classes: how many Gaussians.
      initial_means: float32 [classes, dimensions]; some points if None.
      params: what is fitted: "w" the weights, "m" the means, "c" the covariances.
      covariance_type: "full" or "diag".
      random_seed: of the choice of points.

    Raises:
      Exception: there is no such covariance type.
    """

    CLUSTERS_WEIGHT = "alphas"
    CLUSTERS_VARIABLE = "clusters"
    CLUSTERS_COVS_VARIABLE = "clusters_covs"

    def __init__(
        self, data: list[Any], num_classes: int, initial_means: Any = None, params: str = "wmc",
        covariance_type: str = FULL_COVARIANCE, random_seed: Any = 0,
    ):  # fmt: skip
        if covariance_type not in (DIAG_COVARIANCE, FULL_COVARIANCE):
            raise Exception(f"programmer error: Invalid covariance type: {covariance_type}")
        self._params = params
        self._random_seed = random_seed
        self._covariance_type = covariance_type
        self._num_classes = num_classes
        self._dimensions = array_ops.shape(data[0])[1]
        ones = array_ops.ones(array_ops.stack([self._dimensions]))
        self._min_var = array_ops.diag(ones) * _SMALLEST_VARIANCE
        self._create_variables()
        self._init_ops = self._initialize_variables(data, initial_means)
        # Of each of the data: log probabilities [points, classes] with the weights, their
        # logarithmic sum [points, 1], and the share of each class in a point [points, classes].
        self._probs: list[Any] = []
        self._prior_probs: list[Any] = []
        self._w: list[Any] = []
        # Sums over its points: the shares, and the shares times x and times x x'.
        self._points_in_k: list[Any] = []
        self._w_mul_x: list[Any] = []
        self._w_mul_x2: list[Any] = []
        for shard in data:
            self._expect(shard)
        self._train_ops = self._maximization_ops()
        sums = [math_ops.reduce_logsumexp(probs) for probs in self._prior_probs]
        self._log_likelihood_op = math_ops.reduce_logsumexp(sums)
        scores = [prior + math_ops.log(w) for prior, w in zip(self._prior_probs, self._w)]
        self._scores = array_ops.squeeze(
            math_ops.reduce_logsumexp(scores, axis=2, keepdims=True), axis=0
        )

    @property
    def _is_full(self) -> bool:
        return self._covariance_type == FULL_COVARIANCE

    def _create_variables(self) -> None:
        nothing, variable = constant_op.constant([], dtype=dtypes.float32), variable_scope.variable
        self._means = variable(nothing, name=self.CLUSTERS_VARIABLE, validate_shape=False)
        self._covs = variable(nothing, name=self.CLUSTERS_COVS_VARIABLE, validate_shape=False)
        count = self._num_classes
        self._alpha = variable(
            array_ops.tile([1.0 / count], [count]), name=self.CLUSTERS_WEIGHT,
            validate_shape=False,
        )  # fmt: skip
        self._initialized = variable(False, dtype=dtypes.bool, name="initialized")

    def _initialize_variables(self, data: list[Any], initial_means: Any) -> list[ops.Operation]:
        if initial_means is None:
            initial_means = _init_clusters_random(data, self._num_classes, self._random_seed)
        means = array_ops.expand_dims(initial_means, 1)
        cov = _covariance(data[0], not self._is_full) + self._min_var
        if not self._is_full:
            cov = array_ops.diag_part(cov)
        repeats = [self._num_classes, 1, 1] if self._is_full else [self._num_classes, 1]
        covs = array_ops.tile(array_ops.expand_dims(cov, 0), repeats)
        with ops.colocate_with(self._initialized):
            is_done = control_flow_ops.with_dependencies(
                [means, covs], array_ops.identity(self._initialized)
            )
        return [
            self._set_once(is_done, variable, value)
            for variable, value in ((self._means, means), (self._covs, covs))
        ]

    def _set_once(self, is_done: Any, variable: Any, value: Any) -> ops.Operation:
        with ops.colocate_with(variable):
            assigned = state_ops.assign(variable, value, validate_shape=False)
            noted = control_flow_ops.with_dependencies(
                [assigned], state_ops.assign(self._initialized, True)
            )
            return control_flow_ops.cond(is_done, control_flow_ops.no_op, lambda: noted).op

    def init_ops(self) -> ops.Operation:
        """What gives the means and covariances their first values."""
        return control_flow_ops.group(*self._init_ops)

    def training_ops(self) -> ops.Operation:
        """A step of the fit."""
        return control_flow_ops.group(*self._train_ops)

    def is_initialized(self) -> Any:
        """A bool variable: whether the means and covariances have values."""
        return self._initialized

    def alphas(self) -> Any:
        """The Gaussians' weights, a variable of float32 [classes]."""
        return self._alpha

    def clusters(self) -> Any:
        """The means, a variable of float32 [classes, 1, dimensions]."""
        return self._means

    def covariances(self) -> Any:
        """The covariances, a variable of float32 [classes, dimensions, dimensions], or of
        [classes, dimensions] if they are diagonal."""
        return self._covs

    def assignments(self) -> list[Tensor]:
        """For each of the data the likeliest class of each point, int64 [points]."""
        return [math_ops.argmax(w, 1) for w in self._w]

    def scores(self) -> Tensor:
        """The log likelihood of each point, float32 [points, 1]."""
        return self._scores

    def log_likelihood_op(self) -> Tensor:
        """The logarithm of the sum of all points' likelihoods, a float32 scalar."""
        return self._log_likelihood_op

    def _expect(self, shard: Any) -> None:
        """The probabilities of points, and the sums that the next parameters are made of."""
        count = array_ops.shape(shard)[0]
        shard = array_ops.expand_dims(shard, 0)
        of_classes = self._full_log_probs(shard) if self._is_full else self._diag_log_probs(shard)
        of_classes += math_ops.log(self._alpha)
        total = math_ops.reduce_logsumexp(of_classes, axis=1, keepdims=True)
        shares = math_ops.exp(array_ops.expand_dims(of_classes, 0) - total)
        w = array_ops.reshape(shares, array_ops.stack([count, self._num_classes]))

        points_in_k = math_ops.reduce_sum(w, 0, keepdims=True)
        points = array_ops.squeeze(shard, [0])
        w_mul_x = array_ops.expand_dims(math_ops.matmul(w, points, transpose_a=True), 1)
        x = array_ops.concat([shard] * self._num_classes, 0)
        columns = array_ops.transpose(x, perm=[0, 2, 1])
        weighted = [
            array_ops.expand_dims(columns[k, :, :] * w[:, k], 0) for k in range(self._num_classes)
        ]
        w_mul_x2 = math_ops.matmul(array_ops.concat(weighted, 0), x)
        for kept, value in (
            (self._probs, of_classes), (self._prior_probs, total), (self._w, w),
            (self._points_in_k, points_in_k), (self._w_mul_x, w_mul_x),
            (self._w_mul_x2, w_mul_x2),
        ):  # fmt: skip
            kept.append(value)

    def _full_log_probs(self, shard: Any) -> Tensor:
        away = shard - self._means
        root = linalg_ops.cholesky(self._covs + self._min_var)
        log_det = 2.0 * math_ops.reduce_sum(math_ops.log(array_ops.matrix_diag_part(root)), 1)
        away = array_ops.transpose(away, perm=[0, 2, 1])
        scaled = linalg_ops.matrix_triangular_solve(root, away, lower=True)
        squares = math_ops.reduce_sum(math_ops.square(scaled), 1)
        distances = array_ops.transpose(squares)
        dimensions = math_ops.cast(self._dimensions, dtypes.float32)
        return -0.5 * (distances + dimensions * math_ops.log(2 * np.pi) + log_det)

    def _diag_log_probs(self, shard: Any) -> Tensor:
        log_det = math_ops.reduce_sum(
            math_ops.log(self._covs + _SMALLEST_VARIANCE), 1, keepdims=True
        )
        squares = math_ops.squared_difference(shard, self._means)
        precision = array_ops.expand_dims(1.0 / (self._covs + _SMALLEST_VARIANCE), 2)
        distances = array_ops.squeeze(math_ops.matmul(squares, precision), [2])
        distances = array_ops.transpose(distances)
        dimensions = math_ops.cast(self._dimensions, dtypes.float32)
        constant = dimensions * math_ops.log(2.0 * np.pi)
        return -0.5 * (constant + array_ops.transpose(log_det) + distances)

    def _maximization_ops(self) -> list[Any]:
        with ops.control_dependencies(self._w):
            points_in_k = array_ops.squeeze(math_ops.add_n(self._points_in_k), axis=[0])
            alpha_op = means_op = None
            if "w" in self._params:
                mean_points = points_in_k / len(self._w)
                count = math_ops.cast(math_ops.reduce_sum(mean_points), dtypes.float32)
                alpha_op = self._alpha.assign(mean_points / (count + MEPS))
            else:
                alpha_op = control_flow_ops.no_op()
            count = array_ops.reshape(points_in_k, [self._num_classes, 1, 1])
            if "m" in self._params:
                total = math_ops.add_n(self._w_mul_x)
                means_op = self._means.assign(math_ops.div(total, count + MEPS))
            else:
                means_op = control_flow_ops.no_op()
            with ops.control_dependencies([means_op]):
                squares = math_ops.add_n(self._w_mul_x2) / (count + MEPS)
                covs = array_ops.concat(
                    [self._new_covariance(squares, k) for k in range(self._num_classes)], 0
                )
                if "c" not in self._params:
                    return [alpha_op]
                with ops.control_dependencies([means_op, covs]):
                    assigned = state_ops.assign(self._covs, covs, validate_shape=False)
        return [alpha_op, assigned]

    def _new_covariance(self, squares: Any, k: int) -> Tensor:
        mean = self._means.value()[k, :, :]
        of_mean = math_ops.matmul(mean, mean, transpose_a=True)
        cov = squares[k, :, :] - of_mean + self._min_var
        return array_ops.expand_dims(cov if self._is_full else array_ops.diag_part(cov), 0)


@tf_export("contrib.factorization.gmm")
def gmm(
    inp: Any, initial_clusters: Any, num_clusters: int, random_seed: Any,
    covariance_type: str = FULL_COVARIANCE, params: str = "wmc",
) -> tuple[Any, ...]:  # fmt: skip
    """Records a mixture of Gaussians, and a step of its fit by expectation maximization.

    Args:
      inp: float32 [points, dimensions], or a list of such.
      initial_clusters: the first means [clusters, dimensions], or "random" for some points; points
        are taken for a tensor, too, as in TF.
      num_clusters: how many Gaussians.
      random_seed: of the choice of points.
      covariance_type: "full" or "diag".
      params: what is fitted: "w" the weights, "m" the means, "c" the covariances.

    Returns:
      loss: the logarithm of the sum of the points' likelihoods.
      scores: the log likelihood of each point, float32 [points, 1].
      assignments: in a list, for each input the likeliest Gaussian of each point, int64 [points].
      training_op: a step.
      init_op: gives the parameters their first values.
      is_initialized: a bool variable, whether they have them.
    """
    means = None
    is_random = isinstance(initial_clusters, str) and initial_clusters == "random"
    if not is_random and not isinstance(initial_clusters, ops.Tensor):
        means = constant_op.constant(initial_clusters, dtype=dtypes.float32)
    data = inp if isinstance(inp, list) else [inp]
    tool = GmmAlgorithm(data, num_clusters, means, params, covariance_type, random_seed)
    assignments = tool.assignments()
    return (
        tool.log_likelihood_op(), tool.scores(), [assignments], tool.training_ops(),
        tool.init_ops(), tool.is_initialized(),
    )  # fmt: skip
