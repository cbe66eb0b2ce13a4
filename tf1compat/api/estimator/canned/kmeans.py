"""K-means clustering (`tensorflow_estimator.python.estimator.canned.kmeans`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator, model_fn
from tf1compat.api.estimator.export import export_output
from tf1compat.api.feature_column import feature_column
from tf1compat.api.learning import clustering_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_impl
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import signature_constants
from tf1compat.api.summary import summary
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.training.saving_hooks import CheckpointSaverHook
from tf1compat.api.variables import state_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


class _LossRelativeChangeHook(session_run_hook.SessionRunHook):
    """Stops when the loss hardly changes.

    Args:
      loss_tensor: the loss, a scalar.
      tolerance: the relative change below which training stops.
    """

    def __init__(self, loss_tensor: Any, tolerance: float):
        self._loss_tensor = loss_tensor
        self._tolerance = tolerance
        self._prev_loss: Any = None

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return session_run_hook.SessionRunArgs(self._loss_tensor)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        loss, before = run_values.results, self._prev_loss
        if self._has_loss(before) and abs(loss - before) < self._tolerance * (1 + abs(before)):
            run_context.request_stop()
        self._prev_loss = loss

    @staticmethod
    def _has_loss(before: Any) -> bool:
        return bool(before)  # After a loss of 0 nothing stops, as in TF.


class _InitializeClustersHook(session_run_hook.SessionRunHook):
    """Chooses centers when a session is made; who is not the chief waits for them.

    Args:
      init_op: chooses some centers, or all.
      is_initialized: a bool variable, whether all are chosen.
      is_chief: whether this worker chooses.
    """

    def __init__(self, init_op: Any, is_initialized: Any, is_chief: bool):
        self._init_op = init_op
        self._is_initialized = is_initialized
        self._is_chief = is_chief

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        while True:
            try:
                if session.run(self._is_initialized):
                    return
                if self._is_chief:
                    session.run(self._init_op)
                else:
                    time.sleep(1)
            except RuntimeError as error:
                logging.info(error)


class _CountingSaverHook(CheckpointSaverHook):
    """The estimator's saver, which counts the step in which the input ends.

    In TF the counter waits for nothing and is moved on before that step fails, so that there is a
    last checkpoint: of the centers, if choosing them took the only batch. Here a run that fails
    changes nothing.

    Args:
      step_op: moves the counter on.
      config: the estimator's `RunConfig`.
    """

    def __init__(self, step_op: Any, config: Any):
        super().__init__(
            config.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
        )
        self._step_op = step_op
        self._is_running = False

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        self._is_running = True
        return super().before_run(run_context)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        self._is_running = False
        super().after_run(run_context, run_values)

    def end(self, session: SessionInterface) -> None:
        if self._is_running:
            session.run(self._step_op)
        super().end(session)


def _parse_features_if_necessary(features: Any, feature_columns: Any) -> Any:
    if not isinstance(features, dict):
        return features
    if feature_columns:
        return feature_column.input_layer(features, feature_columns)
    keys = sorted(features)
    with ops.colocate_with(features[keys[0]]):
        return array_ops.concat([features[key] for key in keys], axis=1)


@tf_export("estimator.experimental.KMeans")
class KMeansClustering(estimator.Estimator):
    """K-means clustering.

    Args:
      num_clusters: how many clusters; not read if `initial_clusters` are centers.
      model_dir: where checkpoints and summaries are written.
      initial_clusters: the centers, float32 [clusters, dimensions]; a function of a batch and a
        number that chooses at most so many of its points; "random" or "kmeans_plus_plus".
      distance_metric: "squared_euclidean" or "cosine".
      seed: of the choice of centers.
      use_mini_batch: whether a step sees a part of the points; if not, it sees them all.
      mini_batch_steps_per_iteration: after how many such steps the centers are renewed.
      kmeans_plus_plus_num_retries: how many more points k-means++ tries for each center; negative
        for a number that grows with the logarithm of those wanted.
      relative_tolerance: training stops when the loss changes by less than this part of it.
      config: see `tf.estimator.Estimator`.
      feature_columns: what points are made of; by default of all features.

    Raises:
      ValueError: the way of choosing centers or the distance is not known.
    """

    SQUARED_EUCLIDEAN_DISTANCE = clustering_ops.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = clustering_ops.COSINE_DISTANCE
    RANDOM_INIT = clustering_ops.RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = clustering_ops.KMEANS_PLUS_PLUS_INIT
    # A key of what `evaluate` returns, and two of what `predict` does.
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = clustering_ops.CLUSTERS_VAR_NAME

    _algorithm: type[clustering_ops.KMeans] = clustering_ops.KMeans

    def __init__(
        self, num_clusters: Any, model_dir: str | None = None,
        initial_clusters: Any = clustering_ops.RANDOM_INIT,
        distance_metric: str = clustering_ops.SQUARED_EUCLIDEAN_DISTANCE, seed: int | None = None,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2, relative_tolerance: float | None = None,
        config: Any = None, feature_columns: Any = None,
    ):  # fmt: skip
        clustering_ops.check_settings(
            initial_clusters, distance_metric, (self.RANDOM_INIT, self.KMEANS_PLUS_PLUS_INIT)
        )
        self._distance_metric = distance_metric
        settings = {
            "num_clusters": num_clusters, "initial_clusters": initial_clusters,
            "distance_metric": distance_metric, "random_seed": seed,
            "use_mini_batch": use_mini_batch,
            "mini_batch_steps_per_iteration": mini_batch_steps_per_iteration,
            "kmeans_plus_plus_num_retries": kmeans_plus_plus_num_retries,
        }  # fmt: skip
        # An estimator's function may not be a method that a subclass has made its own.
        algorithm = self._algorithm

        def model_fn(features: Any, mode: Any, config: Any) -> Any:
            points = _parse_features_if_necessary(features, feature_columns)
            graph = algorithm(inputs=points, **settings).training_graph()
            return _spec(mode, graph, relative_tolerance, config)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def _predict_one_key(self, input_fn: Callable[..., Any], predict_key: str) -> Iterator[Any]:
        for result in self.predict(input_fn=input_fn, predict_keys=[predict_key]):
            yield result[predict_key]

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the index of the nearest center, point by point."""
        yield from self._predict_one_key(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable[..., Any]) -> Any:
        """The sum of the (squared) distances of one batch's points to their nearest centers."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the distances to all centers, float32 [clusters], point by point."""
        is_squared = self._distance_metric == self.SQUARED_EUCLIDEAN_DISTANCE
        for distances in self._predict_one_key(input_fn, self.ALL_DISTANCES):
            yield np.sqrt(distances) if is_squared else distances

    def cluster_centers(self) -> Any:
        """The centers of the last checkpoint, float32 [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


def _spec(mode: Any, graph: Any, relative_tolerance: float | None, config: Any) -> Any:
    """What an estimator asks for, of a graph of k-means."""
    (distances,), (index,), scores, is_initialized, init_op, train_op = graph
    loss = math_ops.reduce_sum(scores)
    summary.scalar("loss/raw", loss)
    step = state_ops.assign_add(training_util.get_global_step(), 1)
    train_op = control_flow_ops.with_dependencies([train_op, step], loss)
    hooks: list[Any] = [_InitializeClustersHook(init_op, is_initialized, config.is_chief)]
    saves = config.save_checkpoints_steps or config.save_checkpoints_secs
    savers = [_CountingSaverHook(step, config)] if saves and mode == "train" else []
    if relative_tolerance is not None:
        hooks.append(_LossRelativeChangeHook(loss, relative_tolerance))
    found = {KMeansClustering.ALL_DISTANCES: distances, KMeansClustering.CLUSTER_INDEX: index}
    exported = dict(found, **{signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: index})
    return model_fn.EstimatorSpec(
        mode=mode, predictions=found, loss=loss, train_op=train_op,
        eval_metric_ops={KMeansClustering.SCORE: metrics_impl.mean(loss)}, training_hooks=hooks,
        training_chief_hooks=savers,
        export_outputs={k: export_output.PredictOutput(v) for k, v in exported.items()},
    )  # fmt: skip
