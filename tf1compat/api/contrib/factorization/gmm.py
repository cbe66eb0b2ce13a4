"""An estimator of mixtures of Gaussians (`tensorflow.contrib.factorization.python.ops.gmm`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.factorization import gmm_ops
from tf1compat.api.contrib.framework import variables as contrib_variables
from tf1compat.api.contrib.learn.estimators import estimator
from tf1compat.api.contrib.learn.estimators.model_fn import ModelFnOps
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned.kmeans import _InitializeClustersHook
from tf1compat.api.training import checkpoint_utils, training_util
from tf1compat.api.variables import state_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _streaming_sum(scalar: Any) -> tuple[Any, Any]:
    total = contrib_variables.local_variable(constant_op.constant(0.0))
    return total, total.assign_add(scalar)


@tf_export("contrib.factorization.GMM")
class GMM(estimator.Estimator):
    """A mixture of Gaussians.

    Args:
      num_clusters: how many Gaussians.
      model_dir, config: see `Estimator`.
      random_seed, params, initial_clusters, covariance_type: see `tf.contrib.factorization.gmm`.
    """

    SCORES = "scores"
    LOG_LIKELIHOOD = "loss"
    ASSIGNMENTS = "assignments"

    def __init__(
        self, num_clusters: int, model_dir: str | None = None, random_seed: Any = 0,
        params: str = "wmc",
        initial_clusters: Any = "random", covariance_type: str = "full", config: Any = None,
    ):  # fmt: skip
        self._num_clusters = num_clusters
        self._params = params
        self._training_initial_clusters = initial_clusters
        self._covariance_type = covariance_type
        self._random_seed = random_seed
        super().__init__(model_fn=self._model_builder(), model_dir=model_dir, config=config)

    def predict_assignments(
        self,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        outputs: Any = None,
    ) -> Iterator[Any]:
        """Yields the likeliest Gaussian, point by point."""
        found: Any = self.predict(input_fn=input_fn, batch_size=batch_size, outputs=outputs)
        for result in found:
            yield result[GMM.ASSIGNMENTS]

    def score(
        self, input_fn: Callable[..., Any] | None = None, batch_size: Any = None, steps: Any = None
    ) -> Any:
        """The logarithm of the sum of the points' likelihoods."""
        found = self.evaluate(input_fn=input_fn, batch_size=batch_size, steps=steps)
        return np.log(np.sum(np.exp(found[GMM.SCORES])))

    def weights(self) -> Any:
        """The weights of the last checkpoint, float32 [clusters]."""
        return self._load(gmm_ops.GmmAlgorithm.CLUSTERS_WEIGHT)

    def clusters(self) -> Any:
        """The means of the last checkpoint, float32 [clusters, dimensions]."""
        return np.squeeze(self._load(gmm_ops.GmmAlgorithm.CLUSTERS_VARIABLE), 1)

    def covariances(self) -> Any:
        """The covariances of the last checkpoint, float32 [clusters, dimensions, dimensions], or
        [clusters, dimensions] if they are diagonal."""
        return self._load(gmm_ops.GmmAlgorithm.CLUSTERS_COVS_VARIABLE)

    def _load(self, name: str) -> Any:
        return checkpoint_utils.load_variable(self.model_dir, name)

    def _parse_tensor_or_dict(self, features: Any) -> Any:
        if isinstance(features, dict):
            return array_ops.concat([features[key] for key in sorted(features)], 1)
        return features

    def _model_builder(self) -> Any:
        def model_fn(
            features: Any, labels: TensorLike | None, mode: Any, config: Any
        ) -> ModelFnOps:
            assert labels is None, labels
            loss, scores, assignments, train_op, init_op, is_initialized = gmm_ops.gmm(
                self._parse_tensor_or_dict(features), self._training_initial_clusters,
                self._num_clusters, self._random_seed, self._covariance_type, self._params,
            )  # fmt: skip
            step = state_ops.assign_add(training_util.get_global_step(), 1)
            train_op = control_flow_ops.with_dependencies([train_op, step], loss)
            hook = _InitializeClustersHook(init_op, is_initialized, config.is_chief)
            metrics = {GMM.SCORES: scores, GMM.LOG_LIKELIHOOD: _streaming_sum(loss)}
            return ModelFnOps(
                mode=mode, predictions={GMM.ASSIGNMENTS: assignments[0][0]},
                eval_metric_ops=metrics, loss=loss, train_op=train_op, training_hooks=[hook],
            )  # fmt: skip

        return model_fn
