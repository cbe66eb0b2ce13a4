"""`tf.contrib.constrained_optimization`: which of several solutions is the best."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.export import tf_export


def _check_shapes(objective_vector: Any, constraints_matrix: Any) -> tuple[int, int]:
    constraints, candidates = np.shape(constraints_matrix)
    if (candidates,) != np.shape(objective_vector):
        raise ValueError(
            "objective_vector must have shape (n,), and constraints_matrix (m, n), where n is the "
            "number of candidates, and m is the number of constraints"
        )
    return constraints, candidates


def _distribution(
    objective_vector: Any, constraints_matrix: Any, maximum_violation: Any = 0.0
) -> Any:
    """The best distribution over candidates that violates no constraint by more than so much; None
    if there is none."""
    constraints, candidates = _check_shapes(objective_vector, constraints_matrix)
    import scipy.optimize

    result = scipy.optimize.linprog(
        objective_vector,
        A_ub=constraints_matrix,
        b_ub=np.full((constraints, 1), maximum_violation),
        A_eq=np.ones((1, candidates)),
        b_eq=np.ones((1, 1)),
        bounds=(0, None),
    )
    return result.x if result.success else None


@tf_export("contrib.constrained_optimization.find_best_candidate_distribution")
def find_best_candidate_distribution(
    objective_vector: Any, constraints_matrix: Any, epsilon: Any = 0.0
) -> Any:
    """The distribution over candidates of the least objective among those that violate the
    constraints least.

    Args:
      objective_vector: the objective of each candidate, [n].
      constraints_matrix: the constraints' values, [m, n].
      epsilon: how exactly the least violation is found.

    Returns:
      [n] shares.

    Raises:
      ValueError: `epsilon` is negative, or the shapes don't fit.
      ImportError: SciPy is not there.
    """
    if epsilon < 0.0:
        raise ValueError("epsilon must be nonnegative")
    best = _distribution(objective_vector, constraints_matrix)
    if best is not None:
        return best
    lower, upper = 0.0, np.min(np.amax(constraints_matrix, axis=0))
    best = _distribution(objective_vector, constraints_matrix, upper)
    assert best is not None
    while True:
        middle = 0.5 * (lower + upper)
        if middle - lower <= epsilon or upper - middle <= epsilon:
            return best
        found = _distribution(objective_vector, constraints_matrix, middle)
        if found is None:
            lower = middle
        else:
            best, upper = found, middle


@tf_export("contrib.constrained_optimization.find_best_candidate_index")
def find_best_candidate_index(
    objective_vector: Any, constraints_matrix: Any, rank_objectives: Any = False
) -> Any:
    """The candidate whose worst rank among all, by constraints, is the best.

    Args:
      objective_vector: the objective of each candidate, [n]; decides between equal ranks.
      constraints_matrix: the constraints' values, [m, n].
      rank_objectives: whether the objective has a rank, too.

    Returns:
      Its number.

    Raises:
      ValueError: the shapes don't fit.
      ImportError: SciPy is not there.
    """
    _, candidates = _check_shapes(objective_vector, constraints_matrix)
    import scipy.stats

    ranks = np.zeros(candidates, dtype=np.int64)
    if rank_objectives:
        ranks = scipy.stats.rankdata(objective_vector, method="min")
    for row in np.asarray(constraints_matrix):
        ranks = np.maximum(ranks, scipy.stats.rankdata(np.maximum(0.0, row), method="min"))
    best = None
    for i in range(candidates):
        if (
            best is None
            or ranks[i] < ranks[best]
            or (ranks[i] == ranks[best] and objective_vector[i] <= objective_vector[best])
        ):
            best = i
    return best
