"""Rows of sparse tensors."""

from __future__ import annotations

from op_table.case import DEFAULT, Case, arr, val

INDICES = [[0, 1], [1, 0], [1, 2]]
BY_VALUE = "shape depends on values"
F32 = ["float32"]


def _sparse(fn, indices=INDICES, shape=(2, 3)):
    """Records `fn` on a sparse tensor whose values are the row's first input."""
    return lambda tf, values, *rest: fn(tf, tf.SparseTensor(indices, values, list(shape)), *rest)


CASES = [
    Case("SparseToDense", _sparse(lambda tf, s: tf.sparse_tensor_to_dense(s)), [arr(3)], "tensor"),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([1, 3], [5], v, default_value=-1),
        [arr(2)],
        grad=(),
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([[0, 1], [2, 0]], [3, 2], v),
        [arr(2)],
        "matrix",
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([3, 1], [5], v),
        [arr(2)],
        "not_sorted",
        F32,
        raises=True,
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([1, 7], [5], v),
        [arr(2)],
        "out_of_range",
        F32,
        raises=True,
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse_tensor_dense_matmul(s, b)),
        [arr(3), arr(3, 2)],
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse_tensor_dense_matmul(s, b, adjoint_a=True)),
        [arr(3), arr(2, 2)],
        "adjoint_a",
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse_tensor_dense_matmul(s, b, adjoint_b=True)),
        [arr(3), arr(2, 3)],
        "adjoint_b",
    ),
    Case("SparseAdd", _sparse(lambda tf, s: tf.sparse_add(s, s)), [arr(3)], "", no_jax=BY_VALUE),
    Case(
        "SparseTensorDenseAdd", _sparse(lambda tf, s, b: tf.sparse_add(s, b)), [arr(3), arr(2, 3)]
    ),
    Case("SparseDenseCwiseMul", _sparse(lambda tf, s, b: (s * b).values), [arr(3), arr(2, 3)]),
    Case(
        "SparseDenseCwiseDiv",
        _sparse(lambda tf, s, b: (s / b).values),
        [arr(3), arr(2, 3, low=0.5)],
    ),
    Case("SparseReduceSum", _sparse(lambda tf, s: tf.sparse_reduce_sum(s, 1)), [arr(3)]),
    Case("SparseReduceMax", _sparse(lambda tf, s: tf.sparse_reduce_max(s, 1)), [arr(3)], grad=()),
    Case("SparseSoftmax", _sparse(lambda tf, s: tf.sparse_softmax(s).values), [arr(3)]),
    Case(
        "SparseReorder",
        _sparse(lambda tf, s: tf.sparse_reorder(s), [[1, 2], [0, 1], [1, 0]]),
        [arr(3)],
    ),
    Case("SparseReshape", _sparse(lambda tf, s: tf.sparse_reshape(s, [3, -1])), [arr(3)]),
    Case("SparseTranspose", _sparse(lambda tf, s: tf.sparse_transpose(s)), [arr(3)]),
    Case(
        "SparseSlice",
        _sparse(lambda tf, s: tf.sparse_slice(s, [0, 0], [2, 2])),
        [arr(3)],
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseSplit",
        _sparse(lambda tf, s: tf.sparse_split(sp_input=s, num_split=3, axis=1)),
        [arr(3)],
        grad=(),
        no_jax=BY_VALUE,
    ),
    Case("SparseConcat", _sparse(lambda tf, s: tf.sparse_concat(0, [s, s])), [arr(3)]),
    Case(
        "SparseRetain",
        _sparse(lambda tf, s: tf.sparse_retain(s, [True, False, True])),
        [arr(3)],
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseFillEmptyRows",
        _sparse(
            lambda tf, s: tf.sparse_fill_empty_rows(s, 1.5)[0], [[0, 1], [2, 0], [2, 1]], (3, 2)
        ),
        [arr(3)],
        "",
        F32,
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseToIndicator",
        lambda tf, v: tf.sparse_to_indicator(tf.SparseTensor([[0, 0], [1, 0]], v, [2, 1]), 4),
        [val([1, 3], "int64")],
        no_jax=BY_VALUE,
    ),
    Case(
        "EmbeddingLookupSparse",
        lambda tf, p, i: tf.nn.embedding_lookup_sparse(
            p, tf.SparseTensor([[0, 0], [0, 1], [1, 0]], i, [2, 2]), None, combiner="mean"
        ),
        [arr(4, 2), val([1, 3, 1], "int64")],
        "mean",
        DEFAULT,
        no_jax=BY_VALUE,
    ),
    Case(
        "EmbeddingLookupSparse",
        lambda tf, p, i, w: tf.nn.embedding_lookup_sparse(
            p,
            tf.SparseTensor([[0, 0], [0, 1], [1, 0]], i, [2, 2]),
            tf.SparseTensor([[0, 0], [0, 1], [1, 0]], w, [2, 2]),
            combiner="sum",
        ),
        [arr(4, 2), val([1, 3, 1], "int64"), arr(3, low=0.5)],
        "weights",
        DEFAULT,
        no_jax=BY_VALUE,
    ),
    Case(
        "IndexedSlices",
        lambda tf, v, i: tf.convert_to_tensor(tf.IndexedSlices(v, i, dense_shape=[4, 2])),
        [arr(2, 2), val([3, 1], "int32")],
    ),
    Case(
        "SparsePlaceholder",
        lambda tf, v: tf.sparse_tensor_to_dense(
            tf.SparseTensor(
                tf.where(v > 0), tf.boolean_mask(v, v > 0), tf.shape(v, out_type=tf.int64)
            )
        ),
        [val([[1.0, -1.0], [-1.0, 2.0]])],
        "from_dense",
        grad=(),
        no_jax=BY_VALUE,
    ),
]
