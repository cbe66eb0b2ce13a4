"""Ragged tensors: ranges, gathered rows, and other forms."""

from __future__ import annotations

from op_table.case import Case, arr, val

SIZES = "sizes depend on values"


def _splits(*numbers):
    return val(list(numbers), "int64")


def _case(op, label, fn, *inputs, **kwargs):
    kwargs.setdefault("grad", ())
    kwargs.setdefault("dtypes", None if kwargs.get("raises") else ("float32",))
    return Case(op, fn, inputs, label, no_jax=SIZES, **kwargs)


def _range(tf, *numbers):
    return tf.raw_ops.RaggedRange(starts=numbers[0], limits=numbers[1], deltas=numbers[2])


def _gather(rank):
    def gather(tf, indices, values, *splits):
        return tf.raw_ops.RaggedGather(
            params_nested_splits=splits,
            params_dense_values=values,
            indices=indices,
            OUTPUT_RAGGED_RANK=rank,
        )

    return gather


def _to_sparse(tf, values, *splits):
    return tf.raw_ops.RaggedTensorToSparse(rt_nested_splits=splits, rt_dense_values=values)


def _to_tensor(*kinds):
    def to_tensor(tf, shape, values, default, *partitions):
        return tf.raw_ops.RaggedTensorToTensor(
            shape=shape,
            values=values,
            default_value=default,
            row_partition_types=list(kinds),
            row_partition_tensors=partitions,
        )

    return to_tensor


def _to_any_shape(*kinds):
    return lambda tf, *inputs: _to_tensor(*kinds)(tf, tf.constant(-1, tf.int64), *inputs)


def _variant(rank, batched, out_rank):
    def there_and_back(tf, values, *splits):
        ops = tf.raw_ops
        variant = ops.RaggedTensorToVariant(
            rt_nested_splits=splits, rt_dense_values=values, batched_input=batched
        )
        return ops.RaggedTensorFromVariant(
            encoded_ragged=variant,
            input_ragged_rank=rank,
            output_ragged_rank=out_rank,
            Tvalues=values.dtype,
        )

    return there_and_back


def _fails(op, label, fn, *inputs):
    return _case(op, label, fn, *inputs, raises=True)


OUTER, INNER = _splits(0, 2, 2, 3), _splits(0, 1, 1, 4)
ROWS = [arr(3), OUTER]

CASES = [
    _case("RaggedRange", "vectors", _range, val([0, 5]), val([3, 1]), val([1, -2]),
          dtypes=("float64", "int32")),
    _case("RaggedRange", "scalars", _range, val(0), val([3, -1]), val(1), dtypes=("int64",)),
    _fails("RaggedRange", "step", _range, val([0]), val([1]), val([0])),
    _fails("RaggedRange", "sizes", _range, val([0, 1]), val([1, 2, 3]), val(1)),
    _fails("RaggedRange", "rank", _range, val([[0]]), val(1), val(1)),
    _case("RaggedGather", "vector", _gather(1), val([2, 0, 2], "int32"), *ROWS, grad=[1]),
    _case("RaggedGather", "matrix", _gather(3), val([[2, 0]], "int64"), arr(4, 2), OUTER, INNER,
          grad=[1]),
    _case("RaggedGather", "scalar", _gather(1), val(0, "int32"), arr(4), OUTER, INNER),
    _fails("RaggedGather", "outside", _gather(2), val([[0], [3]], "int32"), *ROWS),
    _fails("RaggedGather", "scalar_values", _gather(1), val([0], "int32"), arr(), OUTER),
    _fails("RaggedGather", "past", _gather(1), val([0], "int32"), arr(2), OUTER),
    _fails("RaggedGather", "unsorted", _gather(1), val([0], "int32"), arr(3), _splits(0, 2, 1)),
    _case("RaggedTensorToSparse", "", _to_sparse, *ROWS, grad=[0]),
    _case("RaggedTensorToSparse", "inner", _to_sparse, arr(4, 2), OUTER, INNER, grad=[0]),
    _case("RaggedTensorToSparse", "empty", _to_sparse, arr(0), _splits(0, 0)),
    _fails("RaggedTensorToSparse", "start", _to_sparse, arr(3), _splits(1, 3)),
    _fails("RaggedTensorToSparse", "end", _to_sparse, arr(3), _splits(0, 2)),
    _fails("RaggedTensorToSparse", "none", _to_sparse, arr(3), val([], "int64")),
    _case("RaggedTensorToTensor", "splits", _to_tensor("ROW_SPLITS"), val([-1, -1], "int64"),
          arr(3), val(7.0), OUTER),
    _case("RaggedTensorToTensor", "any_shape", _to_any_shape("ROW_SPLITS"), arr(3),
          val(7.0), OUTER),
    _case("RaggedTensorToTensor", "shape", _to_tensor("ROW_SPLITS", "ROW_SPLITS"),
          val([2, 3, -1, 2], "int64"), arr(4, 2), val([1.0, 2.0]), OUTER, INNER),
    _case("RaggedTensorToTensor", "rowids", _to_tensor("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
          val([-1, 4], "int64"), arr(3), val(0.0), val(4, "int64"), val([0, 2, 2], "int64")),
    _fails("RaggedTensorToTensor", "fed_shape", _to_tensor("ROW_SPLITS"), val(-1, "int64"),
           arr(3), val(0.0), OUTER),
    _fails("RaggedTensorToTensor", "kind", _to_any_shape("ROW_LIMITS"), arr(3),
           val(0.0), OUTER),
    _fails("RaggedTensorToTensor", "no_kind", _to_any_shape("ROWS"), arr(3),
           val(0.0), OUTER),
    _fails("RaggedTensorToTensor", "no_rows", _to_any_shape("ROW_SPLITS"), arr(3),
           val(0.0), val([], "int64")),
    _fails("RaggedTensorToTensor", "count", _to_any_shape("ROW_SPLITS"), arr(2),
           val(0.0), OUTER),
    _case("RaggedTensorToVariant", "", _variant(1, False, 1), *ROWS),
    _case("RaggedTensorToVariant", "batched", _variant(1, True, 2), arr(4), OUTER, INNER),
    _case("RaggedTensorFromVariant", "inferred", _variant(-1, True, 1), *ROWS),
    _fails("RaggedTensorFromVariant", "rank", _variant(0, False, 0), *ROWS),
]  # fmt: skip
