"""Rows of sparse tensors."""

from __future__ import annotations

from op_table.case import DEFAULT, Case, Spec, arr, val

INDICES = [[0, 1], [1, 0], [1, 2]]
BY_VALUE = "shape depends on values"
F32 = ["float32"]


def _sparse(fn, indices=INDICES, shape=(2, 3)):
    """Records `fn` on a sparse tensor whose values are the row's first input."""
    return lambda tf, values, *rest: fn(tf, tf.SparseTensor(indices, values, list(shape)), *rest)


def _to_dense(tf, indices, shape, values):
    return tf.sparse_to_dense(
        tf.placeholder_with_default(indices, None),
        tf.placeholder_with_default(shape, None),
        tf.placeholder_with_default(values, None),
    )


def _reduce(tf, name, s, kwargs, suffix=""):
    return getattr(tf.sparse, f"reduce_{name.lower()}{suffix}")(s, **kwargs)


def _dense_add(tf, indices, values, shape, dense):
    return tf.sparse.add(tf.SparseTensor(indices, values, shape), dense)


def _ids(tf, ids, weights):
    where = [[0, 0], [0, 1], [1, 0]]
    return tf.SparseTensor(where, ids, [2, 2]), tf.SparseTensor(where, weights, [2, 2])


def _some_ids(tf, ids, weights):
    """Ids of two dimensions of rows, of which some are empty."""
    where = [[0, 0, 0], [0, 0, 1], [1, 1, 0]]
    return tf.SparseTensor(where, ids, [2, 2, 2]), tf.SparseTensor(where, weights, [2, 2, 2])


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
    # Errors while it runs; the shapes are not known while recording.
    *(
        Case(
            "SparseToDense",
            _to_dense,
            [val(i, "int64"), val(s, "int64"), arr(n)],
            label,
            F32,
            raises=True,
        )
        for label, i, s, n in (
            ("repeated", [[1, 0], [1, 0]], [2, 2], 2),
            ("order_matrix", [[1, 0], [0, 0]], [2, 2], 2),
            ("rank", [[[1, 0], [1, 0]]], [2, 2], 2),
            ("shape_rank", [[1, 0]], [2, 2, 2], 1),
            ("values", [[0, 0], [1, 0]], [2, 2], 3),
            ("negative", [[0, 0]], [2, -2], 1),
        )
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([1, 7], [5], v, validate_indices=False),
        [arr(2)],
        "not_validated",
        F32,
        raises=True,
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense(1, [3], v),
        [arr()],
        "scalar",
        F32,
        grad=(),
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse_to_dense([1, 2], [3], v),
        [arr()],
        "one_value",
        F32,
        grad=(),
    ),
    Case(
        "SparseToDense",
        _sparse(lambda tf, s: tf.sparse.to_dense(s, default_value="none")),
        [val(["a", "b", "c"], "O")],
        "strings",
        no_jax="strings",
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse.to_dense(tf.sparse.eye(3, 2)) * v,
        [arr()],
        "eye",
        F32,
    ),
    Case(
        "SparseToDense",
        lambda tf, v: tf.sparse.from_dense(v),
        [val([[1, 0], [0, 2]])],
        "sparse",
        F32,
        grad=(),
        no_jax=BY_VALUE,
    ),
    *(
        Case(
            "SparseTensorDenseMatMul",
            lambda tf, i, v, s, b, kwargs=kwargs: tf.sparse.matmul(
                tf.SparseTensor(i, v, s), b, **kwargs
            ),
            [val(i, "int64"), arr(1), val(s, "int64"), arr(3, 2)],
            label,
            F32,
            raises=True,
        )
        for label, i, s, kwargs in (
            ("row", [[5, 0]], [2, 3], {}),
            ("column", [[0, 5]], [2, 3], {}),
            ("row_adjoint", [[5, 0]], [3, 2], {"adjoint_a": True}),
            ("column_adjoint", [[0, 5]], [3, 2], {"adjoint_a": True}),
            ("inner", [[0, 1]], [2, 4], {}),
        )
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse.matmul(s, b, adjoint_a=True, adjoint_b=True)),
        [arr(3), arr(4, 2)],
        "adjoint_both",
        ["float32", "float64"],
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse.matmul(s, b, adjoint_a=True, adjoint_b=True)),
        [arr(3), arr(4, 2)],
        "complex",
        ["complex64"],
        grad=(),
    ),
    Case(
        "SparseTensorDenseMatMul",
        _sparse(lambda tf, s, b: tf.sparse.matmul(s, b), [[0, 1], [0, 1], [1, 0]]),
        [arr(3), arr(3, 2)],
        "repeated",
        F32,
    ),
    Case(
        "SparseTensorDenseMatMul",
        lambda tf, i, v, b: tf.sparse.matmul(tf.SparseTensor(i, v, [2, 3]), b),
        [Spec((0, 2), dtype="int64"), arr(0), arr(3, 2)],
        "empty",
        F32,
    ),
    Case(
        "SparseTensorDenseAdd",
        _dense_add,
        [val([[5, 0]], "int64"), arr(1), val([3, 2], "int64"), arr(3, 2)],
        "place",
        F32,
        raises=True,
    ),
    Case(
        "SparseTensorDenseAdd",
        _dense_add,
        [val([[1, 0]], "int64"), arr(1), val([3, 3], "int64"), arr(3, 2)],
        "shape",
        F32,
        raises=True,
    ),
    Case(
        "SparseAdd",
        _sparse(
            lambda tf, s, v: tf.sparse.add(
                s, tf.SparseTensor([[0, 1], [0, 2]], v, [2, 3]), threshold=0.5
            )
        ),
        [val([1.0, 2.0, 0.1]), val([-1.2, 3.0])],
        "threshold",
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseAdd",
        _sparse(lambda tf, s: tf.sparse.add(s, tf.SparseTensor([[0, 1]], [1.0], [2, 4]))),
        [arr(3)],
        "static_shape",
        F32,
        raises=True,
    ),
    Case(
        "SparseAdd",
        lambda tf, v, s: tf.sparse.add(
            tf.SparseTensor([[0, 1]], v, s), tf.SparseTensor([[0, 1]], v, [2, 4])
        ),
        [arr(1), val([2, 3], "int64")],
        "shape",
        F32,
        raises=True,
    ),
    Case("SparseAdd", lambda tf, v: tf.sparse.add(v, v), [arr(1)], "dense", F32, raises=True),
    Case(
        "SparseSparseMaximum",
        _sparse(
            lambda tf, s, v: tf.sparse.maximum(s, tf.SparseTensor([[0, 1], [0, 2]], v, [2, 3]))
        ),
        [arr(3), arr(2)],
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseSparseMinimum",
        _sparse(
            lambda tf, s, v: tf.sparse.minimum(s, tf.SparseTensor([[0, 1], [0, 2]], v, [2, 3]))
        ),
        [arr(3), arr(2)],
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseDenseCwiseMul", _sparse(lambda tf, s, b: b * s), [arr(3), arr(3)], "dense_first", F32
    ),
    Case(
        "SparseDenseCwiseMul",
        _sparse(lambda tf, s, b: s * b),
        [arr(3), arr(2, 1)],
        "broadcast",
        F32,
    ),
    Case(
        "SparseDenseCwiseDiv",
        _sparse(lambda tf, s: s / 3),
        [val([7, -8, 9], "int32")],
        "integers",
        grad=(),
    ),
    Case(
        "SparseDenseCwiseDiv",
        _sparse(lambda tf, s: s.__div__(3)),
        [val([7, -8, 9], "int32")],
        "div",
        grad=(),
    ),
    Case(
        "SparseDenseCwiseMul",
        lambda tf, v, s, b: tf.SparseTensor([[0, 1]], v, s) * b,
        [arr(1), val([3, 2], "int64"), arr(2, 1)],
        "shape",
        F32,
        raises=True,
    ),
    Case(
        "SparseDenseCwiseAdd",
        _sparse(
            lambda tf, s, b: tf.raw_ops.SparseDenseCwiseAdd(
                sp_indices=s.indices, sp_values=s.values, sp_shape=s.dense_shape, dense=b
            )
        ),
        [arr(3), arr(3)],
        "",
        F32,
    ),
    *(
        Case(
            f"SparseReduce{name}",
            _sparse(lambda tf, s, name=name, kwargs=kwargs: _reduce(tf, name, s, kwargs)),
            [arr(3)],
            label,
            F32,
            grad=None if name == "Sum" else (),
        )
        for name in ("Sum", "Max")
        for label, kwargs in (
            ("all", {}),
            ("rows", {"axis": 0}),
            ("kept", {"axis": [-1], "keepdims": True}),
            ("old_names", {"reduction_axes": [1], "keep_dims": False}),
        )
    ),
    *(
        Case(
            f"SparseReduce{name}Sparse",
            _sparse(
                lambda tf, s, name=name, kwargs=kwargs: _reduce(tf, name, s, kwargs, "_sparse")
            ),
            [arr(3)],
            label,
            F32,
            grad=(),
            no_jax=BY_VALUE,
        )
        for name in ("Sum", "Max")
        for label, kwargs in (
            ("all", {}),
            ("rows", {"axis": 0}),
            ("kept", {"axis": [-1], "keepdims": True}),
        )
    ),
    Case(
        "SparseReduceSum",
        _sparse(lambda tf, s, axis: tf.sparse.reduce_sum(s, axis)),
        [arr(3), val(2, "int32")],
        "axis",
        F32,
        raises=True,
    ),
    Case(
        "SparseReshape",
        _sparse(lambda tf, s, n: tf.sparse.reshape(s, n)),
        [arr(3), val([-1, 4], "int32")],
        "indivisible",
        F32,
        raises=True,
    ),
    Case(
        "SparseReshape",
        _sparse(lambda tf, s, n: tf.sparse.reshape(s, n)),
        [arr(3), val([-1, -1], "int32")],
        "two_unknown",
        F32,
        raises=True,
    ),
    Case(
        "SparseReshape",
        _sparse(lambda tf, s: tf.sparse.reshape(s, [4, 4])),
        [arr(3)],
        "static",
        F32,
        raises=True,
    ),
    Case(
        "SparseReshape",
        _sparse(lambda tf, s: tf.sparse.reshape(s, [-1, -1])),
        [arr(3)],
        "static_unknown",
        F32,
        raises=True,
    ),
    Case(
        "SparseReorder",
        lambda tf, v, s: tf.sparse.reorder(tf.SparseTensor([[1, 2], [0, 1]], v, s)),
        [arr(2), val([2, 3], "int64")],
        "fed_shape",
        F32,
    ),
    Case(
        "SparseTranspose",
        _sparse(lambda tf, s: tf.sparse.transpose(s, [1, 0])),
        [arr(3)],
        "perm",
        F32,
    ),
    Case("SparseExpandDims", _sparse(lambda tf, s: tf.sparse.expand_dims(s, 1)), [arr(3)], "", F32),
    Case(
        "SparseExpandDims",
        _sparse(lambda tf, s: tf.sparse.expand_dims(s, 1.5)),
        [arr(3)],
        "axis",
        F32,
        raises=True,
    ),
    Case("SparseResetShape", _sparse(lambda tf, s: tf.sparse.reset_shape(s)), [arr(3)], "", F32),
    Case(
        "SparseResetShape",
        _sparse(lambda tf, s: tf.sparse.reset_shape(s, [4, 4])),
        [arr(3)],
        "larger",
        F32,
    ),
    Case(
        "SparseResetShape",
        _sparse(lambda tf, s, n: tf.sparse.reset_shape(s, n)),
        [arr(3), val([4, 4], "int32")],
        "fed",
        F32,
    ),
    Case(
        "SparseResetShape",
        _sparse(lambda tf, s: tf.sparse.reset_shape(s, [1, 4])),
        [arr(3)],
        "smaller",
        F32,
        raises=True,
    ),
    Case(
        "SparseConcat",
        _sparse(
            lambda tf, s, v: tf.sparse.concat(
                1, [s, tf.SparseTensor([[0, 1]], v, [4, 4])], expand_nonconcat_dim=True
            )
        ),
        [arr(3), arr(1)],
        "expand",
        F32,
        grad=(),
    ),
    Case(
        "SparseConcat",
        lambda tf, v, s: tf.sparse.concat(
            1, [tf.SparseTensor([[0, 1]], v, s), tf.SparseTensor([[0, 1]], v, [2, 4])]
        ),
        [arr(1), val([3, 4], "int64")],
        "shapes",
        F32,
        raises=True,
    ),
    Case(
        "SparseConcat",
        _sparse(lambda tf, s: tf.sparse.concat(2, [s, s])),
        [arr(3)],
        "axis",
        F32,
        raises=True,
    ),
    Case(
        "SparseConcat",
        _sparse(lambda tf, s: tf.sparse.concat(0, [s, s])),
        [val(["a", "b", "c"], "O")],
        "strings",
        no_jax="strings",
    ),
    Case(
        "SparseSplit",
        _sparse(lambda tf, s: tf.sparse.split(sp_input=s, num_split=9, axis=1)),
        [arr(3)],
        "too_many",
        F32,
        raises=True,
    ),
    Case(
        "SparseSplit",
        _sparse(lambda tf, s: tf.sparse.split(s, 3, 1)),
        [arr(3)],
        "by_position",
        F32,
        raises=True,
    ),
    Case(
        "SparseSlice",
        _sparse(lambda tf, s: tf.sparse.slice(s, [1, 1], [9, 9])),
        [arr(3)],
        "past_the_end",
        F32,
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseFillEmptyRows",
        _sparse(lambda tf, s, d: tf.sparse.fill_empty_rows(s, d), [[3, 1], [0, 0], [0, 1]], (5, 2)),
        [arr(3), arr()],
        "all",
        F32,
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseFillEmptyRows",
        lambda tf, v, i: tf.sparse.fill_empty_rows(tf.SparseTensor(i, v, [2, 2]), 1.0),
        [arr(1), val([[9, 0]], "int64")],
        "place",
        F32,
        raises=True,
    ),
    Case(
        "SparseMerge",
        lambda tf, i, v: tf.sparse.merge(
            tf.SparseTensor([[0, 0], [1, 0], [1, 1]], i, [2, 2]),
            tf.SparseTensor([[0, 0], [1, 0], [1, 1]], v, [2, 2]),
            5,
        ),
        [val([3, 4, 1], "int32"), arr(3)],
        "",
        F32,
    ),
    Case(
        "SparseMerge",
        lambda tf, i, v: tf.sparse.merge(i, v, 5),
        [val([3, 4, 1], "int32"), arr(3)],
        "dense",
        F32,
        raises=True,
    ),
    Case(
        "SparseSoftmax",
        _sparse(lambda tf, s: tf.sparse.softmax(s), [[0], [1], [2]], (3,)),
        [arr(3)],
        "rank",
        F32,
        raises=True,
    ),
    Case(
        "SparseCross",
        lambda tf, a, b: tf.sparse.cross([tf.SparseTensor([[0, 0], [1, 0], [1, 1]], a, [2, 2]), b]),
        [val([1, -2, 300], "int64"), val([["x", "y"], ["z", "w"]], "O")],
        no_jax="strings",
    ),
    Case(
        "SparseCross",
        lambda tf, a, b: tf.sparse.cross_hashed(
            [tf.SparseTensor([[0, 0], [1, 0], [1, 1]], a, [2, 2]), b], 100
        ),
        [val([1, -2, 300], "int64"), val([[7], [8]], "int64")],
        "hashed",
        no_jax=BY_VALUE,
    ),
    Case(
        "SparseCross",
        lambda tf, a, b: tf.sparse.cross([tf.SparseTensor([[0, 0]], a, [2, 2]), b]),
        [val([1], "int64"), val([[7]], "int64")],
        "batch",
        raises=True,
    ),
    Case(
        "SerializeSparse",
        _sparse(lambda tf, s: tf.serialize_sparse(s)),
        [val([1.5, 2.0, -1.0])],
        "",
        F32,
        grad=(),
        no_jax="strings",
    ),
    Case(
        "SerializeSparse",
        _sparse(lambda tf, s: tf.serialize_sparse(s)),
        [val(["a", "b" * 130, ""], "O")],
        "strings",
        no_jax="strings",
    ),
    Case(
        "DeserializeManySparse",
        _sparse(
            lambda tf, s: tf.deserialize_many_sparse(
                tf.serialize_many_sparse(s), tf.float32, rank=2
            )
        ),
        [arr(3)],
        "",
        F32,
        grad=(),
        no_jax="strings",
    ),
    Case(
        "DeserializeManySparse",
        _sparse(lambda tf, s: tf.deserialize_many_sparse(tf.serialize_many_sparse(s), tf.int32)),
        [arr(3)],
        "dtype",
        F32,
        raises=True,
    ),
    Case(
        "DeserializeManySparse",
        lambda tf, s: tf.deserialize_many_sparse(s, tf.int32),
        [val([["a", "b", "c"]], "O")],
        "garbage",
        raises=True,
    ),
    Case(
        "DeserializeSparse",
        _sparse(
            lambda tf, s: tf.raw_ops.DeserializeSparse(
                serialized_sparse=tf.serialize_many_sparse(s, out_type=tf.variant), dtype=tf.float32
            )
        ),
        [arr(3)],
        "variant",
        F32,
        grad=(),
        no_jax="variants",
    ),
    Case(
        "TakeManySparseFromTensorsMap",
        _sparse(
            lambda tf, s: tf.raw_ops.TakeManySparseFromTensorsMap(
                sparse_handles=[
                    tf.raw_ops.AddSparseToTensorsMap(
                        sparse_indices=s.indices,
                        sparse_values=s.values,
                        sparse_shape=s.dense_shape,
                        shared_name="one",
                    )
                ],
                dtype=tf.float32,
                shared_name="one",
            )
        ),
        [arr(3)],
        "",
        F32,
        grad=(),
        no_jax=BY_VALUE,
    ),
    Case(
        "TakeManySparseFromTensorsMap",
        _sparse(
            lambda tf, s: tf.raw_ops.TakeManySparseFromTensorsMap(
                sparse_handles=tf.raw_ops.AddManySparseToTensorsMap(
                    sparse_indices=s.indices,
                    sparse_values=s.values,
                    sparse_shape=s.dense_shape,
                    shared_name="many",
                ),
                dtype=tf.float32,
                shared_name="many",
            )
        ),
        [arr(3)],
        "many",
        F32,
        grad=(),
        no_jax=BY_VALUE,
    ),
    # Elementwise functions of sparse tensors.
    *(
        Case(
            "SparseElementwise",
            _sparse(lambda tf, s, name=name: getattr(tf, name)(s)),
            [arr(3, low=0.1)],
            name,
            F32,
        )
        for name in ("abs", "negative", "sign", "square", "sqrt", "erf", "tanh")
    ),
    Case(
        "SparseElementwise",
        _sparse(lambda tf, s: tf.math.bessel_i0e(s, name="b")),
        [arr(3)],
        "bessel_i0e",
        F32,
    ),
    Case(
        "SparseElementwise",
        _sparse(lambda tf, s: tf.abs(x=s, name="a")),
        [arr(3, low=0.1)],
        "by_name",
        F32,
    ),
    *(
        Case(
            "EmbeddingLookupSparse",
            lambda tf, p, i, w, combiner=combiner: tf.nn.embedding_lookup_sparse(
                p, *_ids(tf, i, w), combiner=combiner, max_norm=1.0 if combiner == "mean" else None
            ),
            [arr(4, 2), val([1, 3, 1], "int64"), arr(3, low=0.5)],
            f"weights_{combiner}",
            F32,
            no_jax=BY_VALUE,
        )
        for combiner in ("mean", "sqrtn")
    ),
    Case(
        "EmbeddingLookupSparse",
        lambda tf, p, q, i: tf.nn.embedding_lookup_sparse(
            [p, q], _ids(tf, i, i)[0], None, combiner="sqrtn"
        ),
        [arr(2, 2), arr(2, 2), val([1, 3, 1], "int64")],
        "two_tables",
        F32,
        no_jax=BY_VALUE,
    ),
    Case(
        "EmbeddingLookupSparse",
        lambda tf, p, i: tf.nn.embedding_lookup_sparse(p, i, None),
        [arr(2, 2), val([1, 3, 1], "int64")],
        "dense",
        F32,
        raises=True,
    ),
    Case(
        "EmbeddingLookupSparse",
        lambda tf, p, i: tf.nn.embedding_lookup_sparse(p, _ids(tf, i, i)[0], None, combiner="max"),
        [arr(2, 2), val([1, 3, 1], "int64")],
        "combiner",
        F32,
        raises=True,
    ),
    *(
        Case(
            "SafeEmbeddingLookupSparse",
            lambda tf, p, i, w, kwargs=kwargs: tf.nn.safe_embedding_lookup_sparse(
                p, *_some_ids(tf, i, w), **kwargs
            ),
            [arr(4, 2), val([1, 3, -1], "int64"), val([0.5, 2.0, 1.0])],
            label,
            F32,
            no_jax=BY_VALUE,
        )
        for label, kwargs in (("", {}), ("default", {"default_id": 2, "combiner": "sum"}))
    ),
    Case(
        "SafeEmbeddingLookupSparse",
        lambda tf, p, i: tf.nn.safe_embedding_lookup_sparse(p, _some_ids(tf, i, i)[0]),
        [arr(4, 2), val([1, 3, -1], "int64")],
        "no_weights",
        F32,
        no_jax=BY_VALUE,
    ),
]
