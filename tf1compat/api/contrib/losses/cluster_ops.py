"""A loss of embeddings that shall make clusters
(part of `tensorflow.contrib.losses.python.metric_learning.metric_loss_ops`).

Song et al., "Deep Metric Learning via Facility Location", 2017. A cluster has a medoid, which is
one of the elements, given by its index; all distances are between elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, gather_ops, sequence_ops, slicing
from tf1compat.api.contrib.losses.metric_loss_ops import pairwise_distance
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.functions import script_ops
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.summary import summary
from tf1compat.core import dtypes
from tf1compat.core.deferred import Deferred
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike

__all__ = ["cluster_loss"]

_metrics: Any = Deferred("sklearn.metrics")

# scikit-learn's function of each score, whether it can be negative, and how it is named here.
_SCORES = {
    "nmi": ("normalized_mutual_info_score", False),
    "ami": ("adjusted_mutual_info_score", True),
    "ari": ("adjusted_rand_score", True),
    "vmeasure": ("v_measure_score", True),
}


def update_1d_tensor(y: Any, index: Any, value: TensorLike) -> Tensor:
    """A vector with another element.

    Args:
      y: the vector.
      index: which element.
      value: the new one.
    """
    value = array_ops.squeeze(value)
    before = slicing.slice(y, [0], [index])
    after = slicing.slice(y, [index + 1], [-1])
    return array_ops.concat([before, [value], after], 0)


def get_cluster_assignment(pairwise_distances: Any, centroid_ids: Any) -> Tensor:
    """The number of the nearest medoid for each element; a medoid's own is itself.

    Args:
      pairwise_distances: floats [n, n].
      centroid_ids: the medoids, int32 [k].

    Returns:
      int64 [n].
    """
    nearest = math_ops.argmin(gather_ops.gather(pairwise_distances, centroid_ids), dimension=0)
    count = array_ops.shape(pairwise_distances)[0]
    is_medoid = math_ops.reduce_any(
        array_ops.one_hot(centroid_ids, count, True, False, axis=-1, dtype=dtypes.bool), axis=0
    )
    one, zero = (array_ops.constant(x, dtype=dtypes.int64) for x in (1, 0))
    places = array_ops.one_hot(centroid_ids, count, one, zero, axis=0, dtype=dtypes.int64)
    numbers = math_ops.cast(math_ops.range(array_ops.shape(centroid_ids)[0]), dtypes.int64)
    own = array_ops.transpose(math_ops.multiply(places, numbers))
    return gather_ops.where(is_medoid, math_ops.reduce_sum(own, axis=0), nearest)


def compute_facility_energy(pairwise_distances: Any, centroid_ids: Any) -> Tensor:
    """Minus the sum of the distances to the nearest medoids.

    Args:
      pairwise_distances: floats [n, n].
      centroid_ids: the medoids, int32 [k].
    """
    rows = gather_ops.gather(pairwise_distances, centroid_ids)
    return -1.0 * math_ops.reduce_sum(math_ops.reduce_min(rows, axis=0))


def compute_clustering_score(labels: Any, predictions: Any, margin_type: str) -> Tensor:
    """How well two clusterings agree, from 0 to 1.

    Args:
      labels: ints [n], the right one.
      predictions: ints [n].
      margin_type: "nmi", "ami", "ari" or "vmeasure", which scikit-learn computes; or "const", which
        is 1 for the same numbers and else 0.

    Raises:
      ValueError: it is none of these.
    """
    if margin_type == "const":
        same = math_ops.cast(math_ops.equal(labels, predictions), dtypes.int32)
        is_same = math_ops.equal(math_ops.reduce_sum(same), array_ops.shape(labels)[0])
        return array_ops.squeeze(math_ops.cast(is_same, dtypes.float32))
    if margin_type not in _SCORES:
        raise ValueError(f"Unrecognized margin_type: {margin_type}")
    function, can_be_negative = _SCORES[margin_type]
    score = script_ops.py_func(
        getattr(_metrics, function), [labels, predictions], [dtypes.float64], name=margin_type
    )
    score = math_ops.cast(score, dtypes.float32)
    return array_ops.squeeze(math_ops.maximum(0.0, score) if can_be_negative else score)


def _disagreements(
    count: Any, labels: Any, margin_type: str, distances: Any, medoids: Callable[[Any], Any],
    initial: Any, iteration: Any,
) -> Tensor:  # fmt: skip
    """1 minus the score of each of `count` sets of medoids, which `medoids(i)` gives."""

    def following(i: Any, scores: Any) -> Any:
        assigned = get_cluster_assignment(distances, medoids(i))
        score = compute_clustering_score(labels, assigned, margin_type)
        before, after = array_ops.zeros([i]), array_ops.zeros([count - 1 - i])
        return i + 1, scores + array_ops.concat([before, [1.0 - score], after], 0)

    return control_flow_ops.while_loop(
        lambda i, _: i < count, following, [iteration, initial]
    )[1]  # fmt: skip


def _best(scores: Any, margin_multiplier: Any, disagreements: Any) -> Tensor:
    total = math_ops.add(scores, margin_multiplier * disagreements)
    return math_ops.cast(math_ops.argmax(total, axis=0), dtypes.int32)


def _next_medoid(
    distances: Any, labels: Any, chosen_ids: Any, candidate_ids: Any, margin_multiplier: Any,
    margin_type: str,
) -> Tensor:  # fmt: skip
    """The candidate that makes the best set with those that are chosen."""
    count = array_ops.shape(candidate_ids)[0]
    of_chosen = gather_ops.gather(distances, chosen_ids)
    of_candidates = gather_ops.gather(distances, candidate_ids)
    of_chosen = array_ops.tile(of_chosen, [1, count])
    both = array_ops.concat([of_chosen, array_ops.reshape(of_candidates, [1, -1])], 0)
    nearest = math_ops.reduce_min(both, axis=0, keepdims=True)
    energies = -1.0 * math_ops.reduce_sum(array_ops.reshape(nearest, [count, -1]), axis=1)
    disagreements = _disagreements(
        count, labels, margin_type, distances,
        lambda i: array_ops.concat([chosen_ids, [candidate_ids[i]]], 0),
        array_ops.zeros([count]), array_ops.constant(0),
    )  # fmt: skip
    return candidate_ids[_best(energies, margin_multiplier, disagreements)]


def compute_augmented_facility_locations(
    pairwise_distances: Any, labels: Any, all_ids: Any, margin_multiplier: Any, margin_type: str
) -> Tensor:
    """Medoids, as many as there are labels, chosen one after the other.

    Args:
      pairwise_distances: floats [n, n].
      labels: ints [n].
      all_ids: the numbers of all elements, int32 [n].
      margin_multiplier: what a bad score weighs; the worst medoids are looked for.
      margin_type: which score, see `compute_clustering_score`.

    Returns:
      int32 [k].
    """
    number = array_ops.size(sequence_ops.unique(labels)[0])
    none = array_ops.constant(0, dtype=dtypes.int32, shape=[0])
    first = array_ops.constant(0)

    def following(i: Any, chosen_ids: Any) -> Any:
        others = sequence_ops.setdiff1d(all_ids, chosen_ids)[0]
        medoid = _next_medoid(
            pairwise_distances, labels, chosen_ids, others, margin_multiplier, margin_type
        )
        chosen_ids = array_ops.concat([chosen_ids, [medoid]], 0)
        return i + 1, chosen_ids

    return control_flow_ops.while_loop(
        lambda i, _: i < number, following, [first, none],
        shape_invariants=[first.get_shape(), TensorShape([None])],
    )[1]  # fmt: skip


def update_medoid_per_cluster(
    pairwise_distances: Any, pairwise_distances_subset: Any, labels: Any, chosen_ids: Any,
    cluster_member_ids: Any, cluster_idx: Any, margin_multiplier: Any, margin_type: str,
) -> Tensor:  # fmt: skip
    """Medoids with the best one for one cluster.

    Args:
      pairwise_distances: floats [n, n].
      pairwise_distances_subset: those in the cluster, [m, 1, 1, m].
      labels: ints [n].
      chosen_ids: the medoids, int32 [k].
      cluster_member_ids: the elements of the cluster, [m, 1].
      cluster_idx: which cluster it is.
      margin_multiplier: see `compute_augmented_facility_locations`.
      margin_type: see `compute_clustering_score`.
    """
    within = array_ops.squeeze(pairwise_distances_subset, [1, 2])
    energies = -1.0 * math_ops.reduce_sum(within, axis=0)
    first = array_ops.constant(0)
    count = array_ops.size(cluster_member_ids)

    def member(i: Any) -> Tensor:
        return math_ops.cast(cluster_member_ids[i], dtypes.int32)

    disagreements = _disagreements(
        count, labels, margin_type, pairwise_distances,
        lambda i: update_1d_tensor(chosen_ids, cluster_idx, member(i)),
        array_ops.zeros([count]), first,
    )  # fmt: skip
    best = member(_best(energies, margin_multiplier, disagreements))
    return update_1d_tensor(chosen_ids, cluster_idx, best)


def _among(distances: Any, mask: Any) -> tuple[Tensor, Tensor]:
    """The elements for which a mask is true, [m, 1], and the distances between them."""
    members = gather_ops.where(mask)
    rows = array_ops.transpose(gather_ops.gather(distances, members))
    return members, array_ops.transpose(gather_ops.gather(rows, members))


def update_all_medoids(
    pairwise_distances: Any, predictions: Any, labels: Any, chosen_ids: Any,
    margin_multiplier: Any, margin_type: str,
) -> Tensor:  # fmt: skip
    """Medoids with the best one for each cluster.

    Args:
      pairwise_distances: floats [n, n].
      predictions: the cluster of each element, ints [n].
      labels: ints [n].
      chosen_ids: the medoids, int32 [k].
      margin_multiplier: see `compute_augmented_facility_locations`.
      margin_type: see `compute_clustering_score`.
    """
    number = array_ops.size(sequence_ops.unique(labels)[0])

    def following(i: Any, medoids: Any) -> Any:
        mask = math_ops.equal(*(math_ops.cast(x, dtypes.int64) for x in (predictions, i)))
        members, within = _among(pairwise_distances, mask)
        medoids = update_medoid_per_cluster(
            pairwise_distances, within, labels, medoids, members, i, margin_multiplier, margin_type
        )
        return i + 1, medoids

    first = array_ops.constant(0)
    return control_flow_ops.while_loop(
        lambda i, _: i < number, following, [first, chosen_ids]
    )[1]  # fmt: skip


def compute_augmented_facility_locations_pam(
    pairwise_distances: Any, labels: Any, margin_multiplier: Any, margin_type: str,
    chosen_ids: Any, pam_max_iter: int = 5,
) -> Tensor:  # fmt: skip
    """Medoids made better: by turns elements are assigned to them, and they are chosen anew.

    Args:
      pairwise_distances: floats [n, n].
      labels: ints [n].
      margin_multiplier: see `compute_augmented_facility_locations`.
      margin_type: see `compute_clustering_score`.
      chosen_ids: the medoids to begin with, int32 [k].
      pam_max_iter: how many turns.
    """
    for _ in range(pam_max_iter):
        assigned = get_cluster_assignment(pairwise_distances, chosen_ids)
        chosen_ids = update_all_medoids(
            pairwise_distances, assigned, labels, chosen_ids, margin_multiplier, margin_type
        )
    return chosen_ids


def compute_gt_cluster_score(pairwise_distances: Any, labels: Any) -> Tensor:
    """Minus the sum of the distances to the best medoids of the right clusters.

    Args:
      pairwise_distances: floats [n, n].
      labels: ints [n].
    """
    classes = sequence_ops.unique(labels)[0]
    number = array_ops.size(classes)

    def following(i: Any, total: Any) -> Any:
        _, within = _among(pairwise_distances, math_ops.equal(labels, classes[i]))
        least = -1.0 * math_ops.reduce_min(math_ops.reduce_sum(within, axis=0))
        return i + 1, total + least

    start = [array_ops.constant(0), array_ops.constant(0.0, dtype=dtypes.float32)]
    return control_flow_ops.while_loop(lambda i, _: i < number, following, start)[1]


def cluster_loss(
    labels: Any, embeddings: Any, margin_multiplier: Any, enable_pam_finetuning: bool = True,
    margin_type: str = "nmi", print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """How much better the worst clustering is than the right one.

    Args:
      labels: ints [n, 1].
      embeddings: floats [n, size], normalised.
      margin_multiplier: what a clustering that is unlike the right one gains by it.
      enable_pam_finetuning: whether medoids are made better by turns.
      margin_type: see `compute_clustering_score`.
      print_losses: whether to print it.

    Returns:
      A scalar.

    Raises:
      ImportError: scikit-learn is not installed.
    """
    try:
        _ = _metrics.v_measure_score
    except ImportError:
        raise ImportError("Cluster loss depends on sklearn.") from None
    distances = pairwise_distance(embeddings)
    labels = array_ops.squeeze(labels)
    every = math_ops.range(array_ops.shape(embeddings)[0])
    margin = (margin_multiplier, margin_type)
    found = [compute_augmented_facility_locations(distances, labels, every, *margin)]
    energies = [compute_facility_energy(distances, found[0])]
    if enable_pam_finetuning:
        found += [compute_augmented_facility_locations_pam(distances, labels, *margin, found[0])]
        energies += [compute_facility_energy(distances, found[-1])]
    energy, assigned = energies[-1], get_cluster_assignment(distances, found[-1])
    score = compute_clustering_score(labels, assigned, margin_type)
    right = compute_gt_cluster_score(distances, labels)
    loss = math_ops.maximum(
        energy + margin_multiplier * (1.0 - score) - right, 0.0, name="clustering_loss"
    )
    loss.set_shape([])
    if print_losses:
        loss = logging_ops.Print(loss, ["clustering_loss: ", loss, array_ops.shape(loss)])
    for name, value in (("score_pred", energy), (margin_type, score), ("score_gt", right)):
        summary.scalar(f"losses/{name}", value)
    return loss
