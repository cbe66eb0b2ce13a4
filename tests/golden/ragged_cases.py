"""tf.ragged: ragged tensors made, rearranged, reduced, combined, differentiated; and the functions
of strings that make them.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_ragged.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _parts(value):
    """The tensors that a value (nested at will) consists of."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _parts(item)]
    if hasattr(value, "nested_row_splits"):
        return list(value.nested_row_splits) + [value.flat_values]
    if hasattr(value, "dense_shape"):
        return [value.indices, value.values, value.dense_shape]
    return [value]


def _case(*values, **kwargs):
    """Values fetched once; said are the ragged ones as text."""
    said = [v for v in values if hasattr(v, "nested_row_splits")]
    said += [(v.shape, v.ragged_rank) for v in said]
    return Case(_parts(values), said=said + kwargs.pop("said", []), steps=1, **kwargs)


def _numbers(tf, dtype=None):
    return tf.ragged.constant([[3, 1, 4], [], [1, 5], [9]], dtype=dtype)


def _deep(tf):
    return tf.ragged.constant([[[1, 2], [3]], [], [[4], [], [5, 6, 7]]])


# ---- made ----------


def factories(tf):
    ragged, values = tf.RaggedTensor, tf.constant([1, 2, 3, 4, 5])
    found = []
    for validate in (True, False):
        found += [
            ragged.from_row_splits(values, [0, 2, 2, 5], validate=validate),
            ragged.from_row_lengths(values, [2, 0, 3], validate=validate),
            ragged.from_row_starts(values, [0, 2, 2], validate=validate),
            ragged.from_row_limits(values, [2, 2, 5], validate=validate),
            ragged.from_value_rowids(values, [0, 0, 2, 2, 2], validate=validate),
            ragged.from_value_rowids(values, [0, 0, 2, 2, 2], 4, validate=validate),
        ]
    return _case(*found)


def of_unknown_shapes(tf):
    values = tf.placeholder_with_default([1.0, 2.0, 3.0], None)
    ids = tf.placeholder_with_default(np.array([0, 0, 1], np.int32), None)
    some = tf.placeholder_with_default(np.array([0, 0, 1], np.int32), [None])
    return _case(
        tf.RaggedTensor.from_row_splits(values, [0, 2, 3], validate=False),
        tf.RaggedTensor.from_value_rowids([1, 2, 3], some, name="mine"),
        tf.RaggedTensor.from_row_lengths(tf.constant([[1, 2]]), some[2:], validate=True),
        tf.RaggedTensor.from_row_starts(values, some[:2]),
        said=[ids],
    )


def nested(tf):
    ragged, values = tf.RaggedTensor, tf.constant([1, 2, 3, 4])
    return _case(
        ragged.from_nested_row_splits(values, ([0, 2, 3], [0, 1, 1, 4])),
        ragged.from_nested_row_lengths(values, ([2, 1], [1, 0, 3])),
        ragged.from_nested_value_rowids(values, ([0, 0, 1], [0, 2, 2, 2])),
        ragged.from_nested_value_rowids(values, ([0, 0, 1], [0, 2, 2, 2]), [4, 3]),
    )


def constants(tf):
    constant = tf.ragged.constant
    return _case(
        _numbers(tf),
        _deep(tf),
        constant([["a"], ["b", "c"]], name="texts"),
        constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1, dtype=tf.float32),
        constant([[[1, 2]], [[3, 4], [5, 6]]], inner_shape=(2,)),
        constant([[], []]),
        constant([[1], []], row_splits_dtype=tf.int32),
        constant(3),
        constant([1, 2]),
        said=[
            tf.ragged.constant_value([[1, 2], [], [3]]),
            repr(tf.ragged.constant_value([[[1.5]], []])),
            tf.ragged.constant_value([[[1, 2]], []], ragged_rank=1).shape,
            tf.ragged.constant_value([[1], []], dtype=tf.int32, row_splits_dtype="int32").dtype,
        ],
    )


def fed(tf):
    x = tf.ragged.placeholder(tf.float32, 1, [2], name="x")
    y = tf.ragged.placeholder(tf.int32, 2, [])
    value = tf.ragged.constant_value
    feeds = {
        x: value([[[1, 2]], [], [[3, 4], [5, 6]]], ragged_rank=1, dtype=np.float32),
        y: value([[[1]], [[2, 3], []]], dtype=np.int32),
    }
    return _case(x, y, x * 2.0, y + 1, feeds=lambda step: feeds)


def of_tensors(tf):
    x = tf.constant([[1, 2, 0], [0, 3, 0], [4, 0, 0]])
    cubes = tf.reshape(tf.range(12), [2, 3, 2])
    make = tf.RaggedTensor.from_tensor
    sparse = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [4, 2])
    return _case(
        make(x),
        make(x, lengths=[2, 0, 9]),
        make(x, padding=0, row_splits_dtype=tf.int32),
        make(cubes, ragged_rank=2),
        make(cubes, padding=[4, 5]),
        make(cubes, lengths=([2, 3], [1, 2, 0, 2, 1])),
        tf.RaggedTensor.from_sparse(sparse),
    )


def to_tensors(tf):
    x, y = _numbers(tf), _deep(tf)
    return _case(
        x.to_tensor(), x.to_tensor(-1), y.to_tensor(7), x.to_sparse(), y.to_sparse(name="s"),
        tf.ragged.constant([["a"], []]).to_tensor(),
    )  # fmt: skip


def _to_dense(tf):
    from tensorflow.python.ops.ragged import ragged_conversion_ops

    return ragged_conversion_ops.ragged_to_dense


def to_dense(tf):
    x, y, dense = _numbers(tf), _deep(tf), _to_dense(tf)
    ids = tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 2, 2], 4)
    return _case(
        dense(x), dense(x, default_value=-1, shape=[3, 2]), dense(y), dense(ids, 9),
        dense(x, shape=tf.constant([5, 5])),
    )  # fmt: skip


def variants(tf):
    from tensorflow.python.ops.ragged.ragged_tensor import RaggedTensor

    x, y = _numbers(tf), _deep(tf)
    return _case(
        RaggedTensor._from_variant(x._to_variant(), tf.int32, 1),
        RaggedTensor._from_variant(y._to_variant(batched_input=True), tf.int32, 2),
        RaggedTensor._from_variant(x._to_variant(batched_input=True), tf.int32, 1, 0),
        RaggedTensor._from_variant(y._to_variant(batched_input=True)[2], tf.int32, 1),
    )


MADE = collect(
    factories, of_unknown_shapes, nested, constants, fed, of_tensors, to_tensors, to_dense, variants
)

# ---- looked at ----------


def parts(tf):
    x, y = _numbers(tf), _deep(tf)
    matrix = tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1)
    return _case(
        y.value_rowids(), y.nested_value_rowids(), y.nrows(), y.nrows(tf.int32), y.row_starts(),
        y.row_limits(), y.row_lengths(), y.row_lengths(0), y.row_lengths(2),
        matrix.row_lengths(2), y.nested_row_lengths(), y.bounding_shape(), x.bounding_shape(0),
        x.bounding_shape(1), matrix.bounding_shape(axis=[2, 0]),
        x.with_values(tf.constant(["a", "b", "c", "d", "e", "f"])),
        y.with_flat_values(tf.zeros([7])), y.with_row_splits_dtype(tf.int32),
        said=[x.dtype, y.flat_values, y.values, x.consumers()],
    )  # fmt: skip


def segments(tf):
    splits = tf.ragged.row_splits_to_segment_ids
    ids = tf.ragged.segment_ids_to_row_splits
    return _case(
        splits([0, 3, 3, 5]),
        splits(tf.constant([0, 1]), out_type=tf.int64),
        ids([0, 0, 2]),
        ids(tf.constant([0, 0, 2]), 4, name="mine"),
        ids([0, 1], tf.constant(3), out_type=tf.int64),
        tf.ragged.range([0, 5, 8], [3, 3, 12]),
        tf.ragged.range([2, 0, 3]),
        tf.ragged.range([0, 5], [3, 1], [1, -2], row_splits_dtype=tf.int32),
        tf.ragged.range(0.0, [1.0, 0.5], 0.3, name="floats"),
        tf.ragged.range(0, 3, dtype=tf.int64),
    )


def slices(tf):
    x, y = _numbers(tf), _deep(tf)
    one = tf.constant(1)
    return _case(
        x[0], x[2, 1], x[:2], x[1:], x[::2], x[:, 1:], x[:, :-1], x[:, ::2], x[one], x[:, one:],
        x[..., 1:], x[tf.newaxis], x[:, tf.newaxis], y[0], y[2, 2], y[:, :, 1:], y[2, :, :1],
        y[1:, 1:], y[...],
    )  # fmt: skip


LOOKED_AT = collect(parts, segments, slices)

# ---- computed ----------


def unary(tf):
    x, n = _numbers(tf, tf.float32), _numbers(tf)
    words = tf.ragged.constant([["a", "bc"], ["12"]])
    return _case(
        tf.abs(x), tf.exp(-x), tf.cast(x, tf.int32), tf.square(x), tf.identity(x),
        tf.ones_like(x), tf.zeros_like(n), tf.clip_by_value(x, 2.0, 4.0), tf.bitwise.invert(n),
        tf.logical_not(x > 3.0), tf.round(x), tf.as_string(n), tf.strings.length(words),
        tf.strings.substr(words, 0, 1), tf.strings.to_number([["1"]]), abs(x), ~(x > 1.0),
        tf.strings.to_hash_bucket_fast(words, 10), tf.strings.regex_replace(words, "a", "b"),
        tf.check_numerics(x, "no"), tf.math.log_sigmoid(x),
    )  # fmt: skip


def binary(tf):
    x, y = _numbers(tf), _numbers(tf) * 2
    f = tf.cast(x, tf.float32)
    return _case(
        x + y, x - y, x * 3, 3 * x, f / 2.0, 2.0 / f, x // 2, 7 % x, f ** 2.0, x > y, x <= 4,
        tf.maximum(x, 2), tf.equal(x, 1), tf.add_n([x, y]), (x > 1) & (y > 1), tf.constant(1) + x,
        tf.strings.join([tf.as_string(x), "!"]), tf.math.divide_no_nan(f, 0.0), tf.pow(x, x),
    )  # fmt: skip


def broadcast(tf):
    x, y = _numbers(tf), _deep(tf)
    return _case(x + [[1], [2], [3], [4]], tf.constant([[10]]) * x, y + 1, y + [[[1]]])


def mapped(tf):
    x, y = _numbers(tf), _numbers(tf)
    mapping = tf.ragged.map_flat_values
    return _case(
        mapping(tf.multiply, x, y),
        mapping(tf.ones_like, x),
        mapping(lambda a, b: a + b["k"], x, {"k": y}),
        mapping(tf.add, tf.constant(1), y=2),
    )


def reductions(tf):
    x, y = _numbers(tf, tf.float32), _deep(tf)
    flags = tf.ragged.constant([[True, False], [], [True]])
    words = tf.ragged.constant([["a", "b"], ["c"]])
    return _case(
        tf.reduce_sum(x, axis=0), tf.reduce_sum(x, 1), tf.reduce_sum(x), tf.reduce_sum(y, 2),
        tf.reduce_sum(y, [1, 2]), tf.reduce_sum(y, axis=[-1]), tf.reduce_prod(x, 1),
        tf.reduce_min(y, 0), tf.reduce_max(x, tf.constant(1)), tf.reduce_mean(x, 1),
        tf.reduce_mean(tf.cast(y, tf.float32), 2), tf.reduce_all(flags, 1),
        tf.reduce_any(flags, 1), tf.reduce_join(words, axis=1, separator="-"),
    )  # fmt: skip


def segment_sums(tf):
    x = _numbers(tf, tf.float32)
    ids = [0, 2, 0, 1]
    deep_ids = tf.ragged.constant([[0, 1, 0], [], [1, 2], [2]])
    return _case(
        tf.math.unsorted_segment_sum(x, ids, 3), tf.math.unsorted_segment_prod(x, ids, 3),
        tf.math.unsorted_segment_min(x, ids, 3), tf.math.unsorted_segment_max(x, ids, 3),
        tf.math.unsorted_segment_mean(x, ids, 3), tf.math.unsorted_segment_sqrt_n(x, ids, 3),
        tf.math.unsorted_segment_sum(x, deep_ids, 3),
    )  # fmt: skip


COMPUTED = collect(unary, binary, broadcast, mapped, reductions, segment_sums)

# ---- rearranged ----------


def joined(tf):
    x, y = _numbers(tf), _deep(tf)
    dense = tf.constant([[7], [8], [9], [10]])
    return _case(
        tf.concat([x, x], 0), tf.concat([x, dense], 1), tf.concat([y, y], 2), tf.concat([x], 1),
        tf.stack([x, x]), tf.stack([x, dense], axis=1), tf.stack([x, x], axis=2),
        tf.ragged.stack([[1, 2], [3, 4]]), tf.ragged.stack([dense, dense], axis=1),
    )  # fmt: skip


def gathered(tf):
    x, y = _numbers(tf), _deep(tf)
    return _case(
        tf.gather(x, [2, 0]), tf.gather(y, [[0, 2]]), tf.gather(y, 2),
        tf.gather(tf.constant([5, 6, 7]), tf.ragged.constant([[0, 1], [2]])),
        tf.gather(x, tf.ragged.constant([[0, 1], [2]])),
        tf.gather_nd(x, [[0, 1], [3, 0]]), tf.gather_nd(y, [[0], [2]]),
        tf.gather_nd(y, [[2, 2, 1]]), tf.gather_nd(y, [[[0, 1], [2, 0]]]),
        tf.batch_gather(x, tf.ragged.constant([[0, 0], [], [1], [0]])),
        tf.batch_gather(tf.constant([[1, 2], [3, 4]]), tf.ragged.constant([[0, 1, 1], [0]])),
    )  # fmt: skip


def chosen(tf):
    x = _numbers(tf)
    matrix = tf.constant([[1, 2], [3, 4]])
    mask = tf.ragged.boolean_mask
    cubes = tf.reshape(tf.range(8), [2, 2, 2])
    return _case(
        mask(x, tf.equal(x, 1)), mask(x, [True, False, True, True]),
        mask(matrix, [[True, False], [True, True]]), mask(matrix, [True, False]),
        mask(cubes, tf.equal(cubes % 3, 0)),
        mask(tf.ragged.constant([[1, 2], [3, 4]]), [[True, False], [False, True]]),
        tf.where(x > 1, x, -x), tf.where(x > 1), tf.where([True, False, True, False], x, x + 1),
        tf.where(_deep(tf) > 2),
    )  # fmt: skip


def shaped(tf):
    x, y = _numbers(tf), _deep(tf)
    ones = tf.ragged.constant([[[1]], [[2]]])
    return _case(
        tf.tile(x, [1, 2]), tf.tile(x, [2, 1]), tf.tile(y, tf.constant([1, 2, 2])),
        tf.expand_dims(x, 0), tf.expand_dims(x, 1), tf.expand_dims(x, -1), tf.expand_dims(y, 2),
        tf.size(y), tf.rank(y), tf.one_hot(x, 3), tf.squeeze(ones, 1), tf.squeeze(ones, [1, 2]),
    )  # fmt: skip


def partitions(tf):
    x = _numbers(tf)
    stack = tf.ragged.stack_dynamic_partitions
    return _case(
        stack(tf.constant([1, 2, 3]), [1, 0, 1], 3), stack(x, [1, 0, 1, 2], 3), stack(x, x, 10),
        stack(5, 1, 2), tf.dynamic_partition(x, [1, 0, 1, 0], 2),
    )  # fmt: skip


def _shape_of(tf):
    from tensorflow.python.ops.ragged import ragged_tensor_shape

    return ragged_tensor_shape


def dynamic_shapes(tf):
    module = _shape_of(tf)
    make = module.RaggedTensorDynamicShape
    shape = make.from_dim_sizes([2, tf.constant([1, 3], tf.int64), 2])
    of_x = make.from_tensor(_numbers(tf))
    return _case(
        module.broadcast_to(tf.constant([1, 2]), shape),
        module.broadcast_to(tf.constant(5), make.from_dim_sizes([2, 3])),
        module.broadcast_to(tf.constant([[1], [2], [3], [4]]), of_x),
        of_x.partitioned_dim_sizes, shape.inner_dim_sizes, shape.num_slices_in_dimension(2),
        said=[of_x.rank, shape.rank, shape.is_ragged(1), shape.is_ragged(2), shape],
    )  # fmt: skip


def with_default(tf):
    from tensorflow.python.ops.ragged import ragged_batch_gather_with_default_op as module

    gather = module.batch_gather_with_default
    words = tf.ragged.constant([["a", "b"], ["c"]])
    return _case(
        gather(words, tf.ragged.constant([[0, 5], [-1]])),
        gather(tf.constant([["a", "b"], ["c", "d"]]), [[0], [3]], "?"),
    )


REARRANGED = collect(joined, gathered, chosen, shaped, partitions, dynamic_shapes, with_default)

# ---- differentiated, in conditionals, loops and functions ----------


def gradients(tf):
    flat = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    x = tf.RaggedTensor.from_row_splits(flat, [0, 2, 2, 5])
    total = tf.reduce_sum(tf.square(tf.gather(x, [2, 0, 2])), 1)
    sparse = tf.sparse.reduce_sum(tf.SparseTensor(*_parts(x.to_sparse())) * [[2.0]], 1)
    return _case(
        tf.gradients(total, flat), tf.gradients(x.to_tensor()[2], flat),
        tf.gradients(tf.reduce_mean(x * x, 1), flat),
        tf.gradients(x.to_sparse().values * 3.0, flat), sparse,
    )  # fmt: skip


def in_control_flow(tf):
    x = _numbers(tf)
    p = tf.placeholder_with_default(True, [])
    chosen = tf.cond(p, lambda: x + 1, lambda: x * 2)
    _, grown = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), [tf.constant(0), x])
    return _case(chosen, grown, tf.identity(x))


def specs(tf):
    x = _deep(tf)
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    other = tf.RaggedTensorSpec(None, tf.int32, 2, tf.int32)
    said = [
        spec, other, x._type_spec, spec.is_compatible_with(_numbers(tf)),
        spec.is_compatible_with(x), x._type_spec.most_specific_compatible_type(x._type_spec),
        spec._component_specs, other._component_specs, x._type_spec._batch(3), spec._unbatch(),
        spec == tf.RaggedTensorSpec([None, None], tf.int32), spec._to_legacy_output_types(),
        tf.RaggedTensorSpec.from_value(tf.ragged.constant_value([[1]])),
        [t.name for t in tf.nest.flatten(x, expand_composites=True)],
    ]  # fmt: skip
    return _case(x, said=said)


USED = collect(gradients, in_control_flow, specs)

# ---- strings ----------


def split(tf):
    words = tf.constant(["a b", "", " c  d "])
    matrix = tf.constant([["a b", "c"], ["d", ""]])
    tensor = "RaggedTensor"
    return _case(
        tf.strings.split(words, result_type=tensor), tf.strings.split(words),
        tf.strings.split(matrix, result_type=tensor), tf.strings.split(matrix),
        tf.strings.split("a,b,c", sep=",", maxsplit=1, result_type=tensor),
        tf.strings.split(tf.ragged.constant([["a b"], []]), result_type=tensor),
        tf.string_split(words, result_type=tensor), tf.strings.bytes_split(words),
        tf.strings.bytes_split("abc"), tf.strings.bytes_split(matrix),
    )  # fmt: skip


def unicode(tf):
    texts = tf.constant(["h\u00e9", "", "\u20acx"])
    matrix = tf.constant([["ab", "c"], ["", "d"]])
    s = tf.strings
    return _case(
        s.unicode_decode(texts, "UTF-8"), s.unicode_decode("ab", "UTF-8"),
        s.unicode_decode(matrix, "UTF-8"), s.unicode_decode_with_offsets(texts, "UTF-8"),
        s.unicode_split(texts, "UTF-8"), s.unicode_split(matrix, "UTF-8"),
        s.unicode_split("\u20acx", "UTF-8"), s.unicode_split_with_offsets(texts, "UTF-8"),
        s.unicode_encode(tf.ragged.constant([[104, 233], []]), "UTF-8"),
        s.unicode_encode([[97, 98], [99, 100]], "UTF-8"), s.unicode_encode([97, 98], "UTF-8"),
        s.unicode_encode([[[97], [98]]], "UTF-16-BE"),
        s.unicode_encode(tf.ragged.constant([[[97], [98, 99]], []], dtype=tf.int32), "UTF-8"),
        s.unicode_decode(tf.ragged.constant([["ab"], []]), "UTF-8"),
    )  # fmt: skip


def ngrams(tf):
    rows = tf.ragged.constant([["a", "b", "c"], [], ["d"]])
    make = tf.strings.ngrams
    return _case(
        make(rows, 2), make(rows, [1, 3], separator=""), make(rows[::2], 2, pad_values="x"),
        make(rows[::2], 3, pad_values=("l", "r"), padding_width=1),
        make(rows, 2, preserve_short_sequences=True), make(tf.constant(["a", "b", "c"]), 2),
        make(tf.constant([["a", "b", "c"], ["d", "e", "f"]]), 2),
        make(tf.ragged.constant([[["a", "b"]], []]), 2, name="mine"),
    )  # fmt: skip


STRINGS = collect(split, unicode, ngrams)

CASES = {
    "made": MADE,
    "looked_at": LOOKED_AT,
    "computed": COMPUTED,
    "rearranged": REARRANGED,
    "used": USED,
    "strings": STRINGS,
}


# ---- mistakes ----------


def _fetched(tf, value):
    with tf.Session() as session:
        session.run(_parts(value))


def _lines(text):
    """Mistakes by name, one expression a line, of `tf`, `x` (ragged), `v` and `c` (of `tf`)."""
    found = {}
    for line in text.strip().split("\n"):
        name, code = line.strip().split(": ", 1)

        def case(tf, code=code):
            names = {"tf": tf, "R": tf.RaggedTensor, "v": [1, 2, 3], "x": _numbers(tf)}
            names.update(y=_deep(tf), P=tf.placeholder_with_default, np=np)
            names.update(c=tf.ragged.constant, cv=tf.ragged.constant_value)
            _fetched(tf, eval(compile(code, __file__, "eval"), names))

        found[name] = case
    return found


MADE_WRONG = _lines("""
constructor: R(v, [0])
not_splits: R(tf.constant(v), 3, internal=True)
not_values: R(v, tf.constant([0, 3]), internal=True)
float_splits: R(tf.constant(v), tf.constant([0.0, 3.0]), internal=True)
cached: R(tf.constant(v), tf.constant([0, 3]), [3], internal=True)
cached_dtype: R(tf.constant(v), tf.constant([0, 3]), tf.constant([3.0]), internal=True)
validate: R.from_row_splits(v, [0, 3], validate=1)
empty_splits: R.from_row_splits(v, [])
splits_dtype: R.from_row_splits(v, tf.constant([0.0]))
splits_rank: R.from_row_splits(v, [[0]])
values_rank: R.from_row_splits(3, [0, 3], validate=False)
not_sorted: R.from_row_splits(v, P(np.array([0, 2, 1]), None))
not_from_zero: R.from_row_splits(v, [1, 3])
not_to_end: R.from_row_splits(v, [0, 2])
lengths_sum: R.from_row_lengths(v, [1, 1])
lengths_negative: R.from_row_lengths(v, [4, -1])
starts: R.from_row_starts(v, [1, 2])
limits: R.from_row_limits(v, [1, 2])
rowids_count: R.from_value_rowids(v, [0, 1])
rowids_order: R.from_value_rowids(v, [0, 2, 1])
rowids_above: R.from_value_rowids(v, P(np.array([0, 1, 2]), [3]), 2)
nrows_negative: R.from_value_rowids(v, [0, 1, 2], -1)
nrows_few: R.from_value_rowids(v, [0, 1, 2], 2)
nested_splits: R.from_nested_row_splits(v, tf.constant([[0, 3]]))
nested_nrows: R.from_nested_value_rowids(v, [[0, 0, 1]], [2, 3])
mixed_splits: R.from_row_splits(c([[1]], row_splits_dtype=tf.int32), tf.constant([0, 1], tf.int64))
tensor_both: R.from_tensor([[1]], lengths=[1], padding=0)
tensor_rank: R.from_tensor([[1]], ragged_rank=0)
tensor_rank_type: R.from_tensor([[1]], ragged_rank="1")
tensor_vector: R.from_tensor([1])
tensor_padding: R.from_tensor([[1]], padding=[[1, 2]])
sparse_not: R.from_sparse([[1]])
sparse_rank: R.from_sparse(tf.SparseTensor([[0, 0, 0]], [1], [1, 1, 1]))
sparse_gaps: R.from_sparse(tf.SparseTensor([[0, 1]], [1], [1, 2]))
constant_depth: c([[1], 2])
constant_deep: c([[[1]], [2]])
constant_ragged: c([[1]], ragged_rank=5)
constant_negative: c([[1]], ragged_rank=-1)
constant_inner: c([[[1, 2]], [[3]]], ragged_rank=1)
constant_scalar: c(1, ragged_rank=1)
constant_of_ragged: c(x)
value_splits: tf.ragged.RaggedTensorValue(np.array([1]), [0, 1])
value_values: tf.ragged.RaggedTensorValue([1], np.array([0, 1]))
spec_rank: tf.RaggedTensorSpec(None)
spec_ragged_rank: tf.RaggedTensorSpec([2], tf.int32, 1)
""")

USED_WRONG = _lines("""
bool: bool(x)
to_list: x.to_list()
with_values: x.with_values(tf.constant([1]))
with_dtype: x.with_row_splits_dtype(tf.float32)
rows_differ: x + (x[:, 1:])
dtypes_differ: x + x.with_row_splits_dtype(tf.int32)
not_tensor: x + object()
keepdims: tf.reduce_sum(x, 1, keepdims=True)
axis: tf.reduce_sum(x, 5)
axis_fed: tf.reduce_sum(x, P(1, []))
inner_index: y[:, 0]
slice_type: x[:, "a":]
index_many: x[..., 0, 0, 0, 0]
row_outside: x[9]
gather_axis: tf.gather(x, [0], axis=1)
gather_outside: tf.gather(x, [0, 9])
gather_rank: tf.gather(x, P([0], None))
gather_nd_ragged: tf.gather_nd(x, c([[0]]))
batch_scalar: tf.batch_gather(x, 0)
mask_scalar: tf.ragged.boolean_mask(x, True)
mask_splits: tf.ragged.boolean_mask(x, c([[True]]))
where_one: tf.where(x > 1, x)
where_shapes: tf.where(x > 1, x, 1)
squeeze_axis: tf.squeeze(x)
squeeze_size: tf.squeeze(x, 1)
stack_ranks: tf.stack([x, y])
concat_rows: tf.concat([x, [[1]]], 1)
one_hot_axis: tf.one_hot(y, 3, axis=0)
expand_axis: tf.expand_dims(x, 9)
partition_above: tf.ragged.stack_dynamic_partitions(v, [0, 1, 2], 2)
partition_count: tf.dynamic_partition(x, [0, 0, 0, 0], -1)
map_splits: tf.ragged.map_flat_values(tf.add, x, x[1:])
range_step: tf.ragged.range([1], [2], [0])
range_sizes: tf.ragged.range([1, 2], [2, 3, 4])
segment_prefix: tf.math.unsorted_segment_sum(tf.constant([1.0]), c([[0]]), 1)
matmul: tf.matmul(x, x)
convert: tf.convert_to_tensor(tf.ragged.constant_value([[1]]), tf.int32)
split_type: tf.strings.split("a", result_type="no")
encode_scalar: tf.strings.unicode_encode(1, "UTF-8")
decode_rank: tf.strings.unicode_decode(P("a", None), "UTF-8")
bytes_rank: tf.strings.bytes_split(P("a", None))
ngram_pad: tf.strings.ngrams(["a"], 2, pad_values=3)
ngram_padding: tf.strings.ngrams(["a"], 2, padding_width=1)
ngram_width: tf.strings.ngrams(["a"], 0)
ngram_scalar: tf.strings.ngrams("a", 1)
""")

MISTAKES = {"made": MADE_WRONG, "used": USED_WRONG}
