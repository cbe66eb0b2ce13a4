"""First centers of clusters, the nearest ones, and the sums of alternating least squares."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, arr, loaded, val

FACTORIZATION = "contrib.factorization.python.ops.gen_factorization_ops"
CLUSTERING = "python.ops.gen_clustering_ops"
HOST = "on the host"


def _sampled(count, seed, retries):
    return lambda tf, points: loaded(tf, "KmeansPlusPlusInitialization", CLUSTERING)(
        points=points, num_to_sample=count, seed=seed, num_retries_per_sample=retries
    )


def _chain(seed):
    return lambda tf, x: loaded(tf, "KMC2ChainInitialization", CLUSTERING)(distances=x, seed=seed)


def _nearest(k):
    return lambda tf, points, centers: loaded(tf, "NearestNeighbors", CLUSTERING)(
        points=points, centers=centers, k=k
    )


def _masked(tf, a, b, indices, transpose_a=False, transpose_b=False):
    return loaded(tf, "MaskedMatmul", FACTORIZATION)(
        a=a, b=b, mask_indices=indices, transpose_a=transpose_a, transpose_b=transpose_b
    )


def _squares(tf, factors, factor_weights, weights, indices, values, entries, transposed=False):
    return loaded(tf, "WALSComputePartialLhsAndRhs", FACTORIZATION)(
        factors=factors, factor_weights=factor_weights, unobserved_weights=0.5,
        input_weights=weights, input_indices=indices, input_values=values, entry_weights=entries,
        input_block_size=np.int64(4), input_is_transpose=transposed,
    )  # fmt: skip


def _case(op, label, fn, *inputs, **kwargs):
    return Case(op, fn, inputs, label, ("float32",), grad=(), no_jax=HOST, **kwargs)


def _fails(op, label, fn, *inputs):
    return Case(op, fn, inputs, label, ("float32",), grad=(), raises=True)


POINTS = arr(20, 3)
CENTERS = arr(6, 3)
PLACES = val([[0, 1], [2, 3], [1, 0], [2, 3]], "int64")
CELLS = val([[0, 1], [3, 2], [1, 1], [3, 0]], "int64")
MATRIX = [arr(3, 4), arr(4, 5)]
WEIGHTS = arr(3, low=0.0)
EMPTY = val(np.zeros(0), "float32")

CASES = [
    *(
        _case("KmeansPlusPlusInitialization", f"{count}_{seed}_{retries}",
              _sampled(count, seed, retries), POINTS)
        for count, seed, retries in (
            (1, 1, 0), (5, 0, 0), (5, 7, 2), (20, 3, 1), (4, 2**40, 3), (5, 2, -1),
        )
    ),
    _fails("KmeansPlusPlusInitialization", "many", _sampled(21, 1, 0), POINTS),
    _fails("KmeansPlusPlusInitialization", "none", _sampled(0, 1, 0), POINTS),
    _fails("KmeansPlusPlusInitialization", "vector", _sampled(2, 1, 0), arr(3)),
    _fails("KmeansPlusPlusInitialization", "empty", _sampled(2, 1, 0), arr(0, 3)),
    *(_case("KMC2ChainInitialization", str(seed), _chain(seed), arr(30, low=0.0)) for seed in
      (0, 5, -3)),
    _fails("KMC2ChainInitialization", "empty", _chain(1), arr(0)),
    _fails("KMC2ChainInitialization", "matrix", _chain(1), arr(2, 2)),
    *(_case("NearestNeighbors", str(k), _nearest(k), POINTS, CENTERS) for k in (1, 2, 10)),
    _case("NearestNeighbors", "ties", _nearest(2), val([[0, 0], [1, 1]]),
          val([[1, 0], [0, 1], [1, 0], [0, -1]])),
    _case("NearestNeighbors", "k", _nearest(0), POINTS, CENTERS),
    _fails("NearestNeighbors", "empty", _nearest(2), arr(0, 3), CENTERS),
    _fails("NearestNeighbors", "widths", _nearest(1), POINTS, arr(6, 2)),
    _case("NearestNeighbors", "no_centers", _nearest(1), POINTS, arr(0, 3)),
    _fails("NearestNeighbors", "rank", _nearest(1), arr(3), CENTERS),
    _case("MaskedMatmul", "", _masked, *MATRIX, PLACES),
    _case("MaskedMatmul", "transposed", lambda tf, a, b, i: _masked(tf, a, b, i, True, True),
          arr(4, 3), arr(5, 4), PLACES),
    _case("MaskedMatmul", "empty", _masked, *MATRIX, val(np.zeros([0, 2]), "int64")),
    _fails("MaskedMatmul", "shapes", _masked, arr(3, 4), arr(3, 5), PLACES),
    _fails("MaskedMatmul", "width", _masked, *MATRIX, val([[0, 1, 2]], "int64")),
    _case("WALSComputePartialLhsAndRhs", "", _squares, arr(3, 2), WEIGHTS, arr(4, low=0.0), CELLS,
          arr(4), EMPTY),
    _case("WALSComputePartialLhsAndRhs", "entries", _squares, arr(3, 2), EMPTY, EMPTY, CELLS,
          arr(4), arr(4, low=0.0)),
    _case("WALSComputePartialLhsAndRhs", "transposed",
          lambda tf, *x: _squares(tf, *x, transposed=True), arr(4, 2), arr(4, low=0.0),
          arr(4, low=0.0), CELLS, arr(4), EMPTY),
    _fails("WALSComputePartialLhsAndRhs", "values", _squares, arr(3, 2), WEIGHTS, arr(4, low=0.0),
           CELLS, arr(3), EMPTY),
]  # fmt: skip
