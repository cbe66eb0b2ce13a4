"""K-means clustering (`tensorflow.python.ops.clustering_ops`): Lloyd's algorithm in full batches,
or in mini-batches (Sculley, 2010)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops, while_loop
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops, nn_impl
from tf1compat.api.random import random_ops, random_seed
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor import Tensor

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"

RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"

CLUSTERS_VAR_NAME = "clusters"

kmc2_chain_initialization = raw_ops.KMC2ChainInitialization
kmeans_plus_plus_initialization = raw_ops.KmeansPlusPlusInitialization
nearest_neighbors = raw_ops.NearestNeighbors


def check_settings(
    initial_clusters: Any, distance_metric: Any, algorithms: tuple[str, ...]
) -> None:
    """Refuses unknown ways of choosing centers, and unknown distances.

    Raises:
      ValueError: one is not known.
    """
    if isinstance(initial_clusters, str) and initial_clusters not in algorithms:
        raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError(f"Unsupported distance metric '{distance_metric}'")


def _beside(value: Any) -> Any:
    return ops.colocate_with(value, ignore_existing=True)


def _on_sphere(rows: Any) -> Tensor:
    return nn_impl.l2_normalize(rows, axis=1)


def _row_count(tensor: Any) -> Tensor:
    return array_ops.shape(tensor)[0]


class KMeans:
    """The graph of k-means clustering.

    Args:
      inputs: float32 [points, dimensions], or a list of such.
      num_clusters: how many clusters; not read if `initial_clusters` are centers.
      initial_clusters: the centers, float32 [clusters, dimensions]; a function of `inputs` and of
        the number of centers that are still to be chosen; or "random", "kmeans_plus_plus" or
        "kmc2".
      distance_metric: "squared_euclidean" or "cosine".
      use_mini_batch: whether a step sees a part of the points.
      mini_batch_steps_per_iteration: after how many such steps the centers are renewed.
      random_seed: of the choice of centers.
      kmeans_plus_plus_num_retries: how many more points k-means++ tries for each center; negative
        for a number that grows with the logarithm of those wanted.
      kmc2_chain_length: how many points the Markov chain for a center goes through.

    Raises:
      ValueError: the way of choosing centers or the distance is not known.
    """

    def __init__(
        self, inputs: Any, num_clusters: Any, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1, random_seed: Any = 0,
        kmeans_plus_plus_num_retries: int = 2, kmc2_chain_length: int = 200,
    ):  # fmt: skip
        check_settings(
            initial_clusters, distance_metric, (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
        )
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._distance_metric = distance_metric
        self._use_mini_batch = use_mini_batch
        self._mini_batch_steps_per_iteration = int(mini_batch_steps_per_iteration)
        self._seed = self._seed_of(random_seed)
        self._kmeans_plus_plus_num_retries = kmeans_plus_plus_num_retries
        self._kmc2_chain_length = kmc2_chain_length

    def _seed_of(self, given: Any) -> Any:
        return random_seed.get_seed(given)[0]

    def _no_centers(self) -> Tensor:
        return array_ops.placeholder_with_default([], shape=None)

    @property
    def _is_cosine(self) -> bool:
        return self._distance_metric == COSINE_DISTANCE

    @property
    def _has_two_copies(self) -> bool:
        """Whether steps change a copy of the centers, which replaces them now and then."""
        return self._use_mini_batch and self._mini_batch_steps_per_iteration > 1

    def _clusters_l2_normalized(self) -> bool:
        return self._is_cosine and (not self._use_mini_batch or self._has_two_copies)

    def training_graph(self) -> tuple[Any, ...]:
        """Records the choice of centers and a step of training.

        Returns:
          all_scores: for each input its distances to all centers, float32 [points, clusters].
          cluster_idx: for each input the nearest centers, int64 [points].
          scores: for each input the distances to those, float32 [points].
          cluster_centers_initialized: a bool variable, whether all centers are chosen.
          init_op: chooses centers; to be run until all are.
          training_op: a step.
        """
        chosen = self._initial_clusters
        if isinstance(chosen, str) or callable(chosen):
            num_clusters = ops.convert_to_tensor(self._num_clusters)
        else:
            chosen = ops.convert_to_tensor(chosen)
            num_clusters = _row_count(chosen)

        variables = self._create_variables(num_clusters)
        centers, initialized, counts, updated, update_in_steps = variables
        init_op = _Starter(
            self._inputs, num_clusters, chosen, self._is_cosine, self._seed,
            self._kmeans_plus_plus_num_retries, self._kmc2_chain_length, centers, updated,
            initialized,
        ).op()  # fmt: skip

        inputs, seen_centers = self._inputs, centers
        if self._is_cosine:
            inputs = [_normalized_beside(points) for points in inputs]
            if not self._clusters_l2_normalized():
                seen_centers = _on_sphere(centers)
        all_scores, scores, cluster_idx = self._infer_graph(inputs, seen_centers)
        if self._use_mini_batch:
            sync = self._mini_batch_sync_updates_op(update_in_steps, centers, updated, counts)
            with ops.control_dependencies([sync]):
                training_op = self._mini_batch_training_op(inputs, cluster_idx, updated, counts)
        else:
            training_op = self._full_batch_training_op(inputs, num_clusters, cluster_idx, centers)
        return all_scores, cluster_idx, scores, initialized, init_op, training_op

    def _create_variables(self, num_clusters: Any) -> tuple[Any, ...]:
        """(centers, whether they are chosen, points of each, their new copy, steps to its use)."""
        nothing, variable = self._no_centers(), variable_scope.variable
        centers = variable(nothing, name=CLUSTERS_VAR_NAME, validate_shape=False)
        initialized = variable(False, dtype=dtypes.bool, name="initialized")
        if self._has_two_copies:
            updated = variable(nothing, name="clusters_updated", validate_shape=False)
            left = variable(
                self._mini_batch_steps_per_iteration, dtype=dtypes.int64, name="update_in_steps"
            )
            counts = variable(array_ops.zeros([num_clusters], dtype=dtypes.int64))
            return centers, initialized, counts, updated, left
        counts = None
        if self._use_mini_batch:
            counts = variable(array_ops.ones([num_clusters], dtype=dtypes.int64))
        return centers, initialized, counts, centers, None

    def _infer_graph(self, inputs: list[Any], centers: Any) -> Any:
        """(distances to all centers, to the nearest, which it is), each a tuple of all inputs."""
        distances = self._distance_graph(inputs, centers, self._distance_metric)
        if self._is_cosine and not self._clusters_l2_normalized():
            with _beside(centers):
                centers = _on_sphere(centers)
        found = []
        for points, of_all in zip(inputs, distances):
            with _beside(points):
                index, nearest = nearest_neighbors(points, centers, 1)
                if self._is_cosine:
                    # Of unit vectors the squared distance is twice the cosine's.
                    nearest *= 0.5
                nearest = array_ops.squeeze(nearest, [-1])
                found.append((of_all, nearest, array_ops.squeeze(index, [-1])))
        return zip(*found)

    @classmethod
    def _distance_graph(
        cls, inputs: list[Any], clusters: Any, distance_metric: str
    ) -> list[Tensor]:
        rules = {
            SQUARED_EUCLIDEAN_DISTANCE: cls._compute_euclidean_distance,
            COSINE_DISTANCE: cls._compute_cosine_distance,
        }
        return rules[distance_metric](inputs, clusters)

    @classmethod
    def _compute_euclidean_distance(cls, inputs: list[Any], clusters: Any) -> list[Tensor]:
        found = []
        for points in inputs:
            with _beside(points):
                own = math_ops.reduce_sum(math_ops.square(points), 1, keepdims=True)
                found.append(
                    own
                    - 2 * math_ops.matmul(points, clusters, transpose_b=True)
                    + array_ops.transpose(
                        math_ops.reduce_sum(math_ops.square(clusters), 1, keepdims=True)
                    )
                )
        return found

    @classmethod
    def _compute_cosine_distance(
        cls, inputs: list[Any], clusters: Any, inputs_normalized: bool = True
    ) -> list[Tensor]:
        if not inputs_normalized:
            with _beside(clusters):
                clusters = _on_sphere(clusters)
        found = []
        for points in inputs:
            with _beside(points):
                if not inputs_normalized:
                    points = _on_sphere(points)
                found.append(1 - math_ops.matmul(points, clusters, transpose_b=True))
        return found

    def _mini_batch_sync_updates_op(
        self, update_in_steps: Any, centers: Any, updated: Any, counts: Any
    ) -> Any:
        """Counts the steps; after enough of them the new centers replace the old."""
        if not self._has_two_copies:
            return control_flow_ops.no_op()

        def renew() -> Tensor:
            again = state_ops.assign(update_in_steps, self._mini_batch_steps_per_iteration - 1)
            with ops.control_dependencies([again]):
                with _beside(updated):
                    new = _on_sphere(updated) if self._is_cosine else updated
                with _beside(centers):
                    assigned = state_ops.assign(centers, new)
                    with ops.control_dependencies([assigned]), _beside(None):
                        cleared = state_ops.assign(counts, array_ops.zeros_like(counts))
                        with ops.control_dependencies([cleared]):
                            return array_ops.identity(update_in_steps)

        with _beside(update_in_steps):
            return control_flow_ops.cond(
                update_in_steps <= 0, renew, lambda: state_ops.assign_sub(update_in_steps, 1)
            )

    def _mini_batch_training_op(
        self, inputs: list[Any], cluster_idx_list: Any, centers: Any, counts: Any
    ) -> ops.Operation:
        """Moves each center x of n points, to which k came of sum s, by (s - k x) / (n + k)."""
        updates = []
        for points, index in zip(inputs, cluster_idx_list):
            with _beside(points):
                ids, places = array_ops.unique(array_ops.reshape(index, [-1]))
                size = array_ops.size(ids)
                with _beside(counts):
                    old_counts = array_ops.gather(counts, ids)
                with _beside(centers):
                    old_centers = array_ops.gather(centers, ids)
                came = math_ops.unsorted_segment_sum(
                    array_ops.ones_like(places, dtype=counts.dtype), places, size
                )
                move = math_ops.unsorted_segment_sum(points, places, size)
                first = array_ops.reshape(size, [1])
                others = array_ops.reshape(array_ops.rank(points) - 1, [1])
                column = array_ops.concat([first, array_ops.ones(others, dtype=dtypes.int32)], 0)
                came_column = math_ops.cast(array_ops.reshape(came, column), points.dtype)
                move -= came_column * old_centers
                rate = math_ops.reciprocal(math_ops.cast(old_counts + came, points.dtype))
                move *= array_ops.reshape(rate, column)
            updates.append(state_ops.scatter_add(counts, ids, came))
            updates.append(state_ops.scatter_add(centers, ids, move))
        return control_flow_ops.group(*updates)

    def _full_batch_training_op(
        self, inputs: list[Any], num_clusters: Any, cluster_idx_list: Any, centers: Any
    ) -> Tensor:
        """Moves the centers to the means of their points."""
        sums, counts = [], []
        epsilon = constant_op.constant(1e-6, dtype=inputs[0].dtype)
        for points, index in zip(inputs, cluster_idx_list):
            with _beside(points):
                sums.append(math_ops.unsorted_segment_sum(points, index, num_clusters))
                size = array_ops.reshape(_row_count(points), [-1])
                ones = array_ops.reshape(array_ops.ones(size), [-1, 1])
                counts.append(math_ops.unsorted_segment_sum(ones, index, num_clusters))
        with _beside(centers):
            total = math_ops.add_n(sums)
            count = math_ops.cast(math_ops.add_n(counts), sums[0].dtype)
            new = total / (count + epsilon)
            if self._clusters_l2_normalized():
                new = _on_sphere(new)
        return state_ops.assign(centers, new)


def _normalized_beside(points: Any) -> Tensor:
    with _beside(points):
        return _on_sphere(points)


class _Starter:
    """Chooses centers until there are enough, a batch of points after the other.

    Args:
      As `KMeans` has them, and its variables.
    """

    def __init__(
        self, inputs: list[Any], num_clusters: Any, initial_clusters: Any, is_cosine: bool,
        seed: int, num_retries: int, chain_length: int, centers: Any, updated: Any,
        initialized: Any,
    ):  # fmt: skip
        self._inputs = inputs
        self._num_clusters = num_clusters
        self._initial_clusters = initial_clusters
        self._normalize = _on_sphere if is_cosine else (lambda rows: rows)
        self._seed = seed
        self._num_retries = num_retries
        self._chain_length = chain_length
        self._centers, self._updated, self._initialized = centers, updated, initialized
        self._selected = _row_count(centers)
        self._remaining = num_clusters - self._selected
        self._available = math_ops.add_n([_row_count(points) for points in inputs])

    def op(self) -> Any:
        """What chooses as many centers as it can, and notes whether these are all."""
        return control_flow_ops.cond(
            math_ops.equal(self._remaining, 0),
            lambda: check_ops.assert_equal(self._initialized, True),
            self._choose,
        )

    def _choose(self) -> Any:
        with ops.control_dependencies([check_ops.assert_positive(self._remaining)]):
            if isinstance(self._initial_clusters, str) and self._initial_clusters == KMC2_INIT:
                left = self._add_by_chains()
            else:
                left = self._add(self._candidates())
            return control_flow_ops.cond(
                math_ops.equal(left, 0),
                lambda: state_ops.assign(self._initialized, True),
                control_flow_ops.no_op,
            )

    def _add(self, new: Any) -> Tensor:
        """Adds centers; gives how many are still to be chosen."""
        new = self._normalize(new)
        centers = control_flow_ops.cond(
            math_ops.equal(self._selected, 0),
            lambda: new,
            lambda: array_ops.concat([self._centers, new], 0),
        )
        return self._num_clusters - _row_count(self._set(centers))

    def _set(self, centers: Any) -> Tensor:
        centers = state_ops.assign(self._centers, centers, validate_shape=False)
        if self._updated is not self._centers:
            centers = state_ops.assign(self._updated, centers, validate_shape=False)
        return centers

    def _candidates(self) -> Any:
        chosen = self._initial_clusters
        if isinstance(chosen, str):
            if chosen == RANDOM_INIT:
                return control_flow_ops.cond(
                    self._available <= self._remaining,
                    lambda: array_ops.concat(self._inputs, 0),
                    self._random,
                )
            enough = check_ops.assert_greater_equal(self._available, self._remaining)
            with ops.control_dependencies([enough]):
                return self._far_apart()
        if callable(chosen):
            return chosen(self._inputs, self._remaining)
        with ops.control_dependencies(
            [check_ops.assert_equal(self._remaining, _row_count(chosen))]
        ):
            return chosen

    def _random(self) -> Tensor:
        indices = random_ops.random_uniform(
            array_ops.reshape(self._remaining, [-1]), minval=0,
            maxval=math_ops.cast(self._available, dtypes.int64), seed=self._seed,
            dtype=dtypes.int64,
        )  # fmt: skip
        return embedding_ops.embedding_lookup(self._inputs, indices, partition_strategy="div")

    def _far_apart(self) -> Tensor:
        # As in TF, only the first of several inputs is looked at.
        points = self._normalize(self._inputs[0])
        wanted = math_ops.cast(self._remaining, dtypes.int64)
        return kmeans_plus_plus_initialization(points, wanted, self._seed, self._num_retries)

    def _add_by_chains(self) -> Tensor:
        """Adds centers by k-MC2 (Bachem et al., 2016): one for each chain of points that the first
        input has, but at least one. Gives how many are still to be chosen."""
        points, length = self._inputs[0], self._chain_length
        chains = math_ops.cast(_row_count(points) / length, dtype=dtypes.int32)
        wanted = math_ops.maximum(math_ops.minimum(self._remaining, chains), 1)

        def first() -> Tensor:
            return self._normalize(array_ops.reshape(points[0], [1, -1]))

        def by_chain(i: Any) -> Callable[[], Tensor]:
            def draw() -> Tensor:
                start = i * length
                subset = points[start : start + length]
                _, distances = nearest_neighbors(subset, self._centers, 1)
                place = kmc2_chain_initialization(array_ops.squeeze(distances), self._seed)
                new = self._normalize(array_ops.reshape(subset[place], [1, -1]))
                return array_ops.concat([self._centers, new], 0)

            return draw

        def body(i: Any, _: Any) -> tuple[Any, Any]:
            is_first = math_ops.equal(self._selected, 0)
            centers = self._set(control_flow_ops.cond(is_first, first, by_chain(i)))
            return i + 1, self._num_clusters - _row_count(centers)

        _, left = while_loop.while_loop(lambda i, _: math_ops.less(i, wanted), body, [0, 0])
        return left
