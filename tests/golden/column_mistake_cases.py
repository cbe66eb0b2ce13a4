"""What columns of features refuse, as cases of `column_cases`."""

from __future__ import annotations

from case_runs import fetch
from column_vocabulary_cases import _loaded, _remapped, _remapping, _saved


def _fc(function):
    """A mistake in terms of `tf.feature_column`."""
    return lambda tf: function(tf.feature_column)


def _input(function, feature=None, layer="input_layer"):
    """A mistake that is found when the column reads its feature "x"."""

    def case(tf):
        fc = tf.feature_column
        value = tf.placeholder(tf.float32, [None, 1], name="x") if feature is None else feature(tf)
        features = {"x": value, "y": tf.constant([["a"]]), "w": tf.ones([1, 1])}
        return getattr(fc, layer)(features, function(fc))

    return case


def _of(name, dtype, shape=(None, 1)):
    return lambda tf: tf.placeholder(getattr(tf, dtype), shape, name=name)


def _run(function, feature):
    def case(tf):
        fc = tf.feature_column
        return fetch(tf, fc.input_layer({"x": feature(tf)}, function(fc)))

    return case


def _numeric(**kwargs):
    return _fc(lambda fc: fc.numeric_column("x", **kwargs))


def _old(function):
    def case(tf):
        from tensorflow.python.feature_column import feature_column

        return function(tf, feature_column)

    return case


def _new(function):
    def case(tf):
        from tensorflow.python.feature_column import feature_column_v2

        return function(tf, feature_column_v2)

    return case


def _layer(function):
    def case(tf):
        from tensorflow.python.feature_column import dense_features

        x = tf.placeholder(tf.int64, [None, 1], name="x")
        return dense_features.DenseFeatures(function(tf.feature_column))({"x": x})

    return case


MISTAKES = {
    "columns": {
        "no shape": _numeric(shape=[2.0]),
        "empty shape": _numeric(shape=[0]),
        "text": lambda tf: tf.feature_column.numeric_column("x", dtype=tf.string),
        "default's shape": _numeric(shape=[2], default_value=[1.0]),
        "default's dtype": _numeric(default_value="a"),
        "normalizer": _numeric(normalizer_fn=3),
        "key": _fc(lambda fc: fc.numeric_column(3)),
        "source": _fc(lambda fc: fc.bucketized_column("x", [1])),
        "source's rank": _fc(lambda fc: fc.bucketized_column(fc.numeric_column("x", [2, 2]), [1])),
        "no boundaries": _fc(lambda fc: fc.bucketized_column(fc.numeric_column("x"), [])),
        "boundaries": _fc(lambda fc: fc.bucketized_column(fc.numeric_column("x"), [2, 1])),
        "boundaries' type": _fc(lambda fc: fc.bucketized_column(fc.numeric_column("x"), {1, 2})),
        "no buckets": _fc(lambda fc: fc.categorical_column_with_hash_bucket("x", None)),
        "0 buckets": _fc(lambda fc: fc.categorical_column_with_hash_bucket("x", 0)),
        "hashed floats": lambda tf: tf.feature_column.categorical_column_with_hash_bucket(
            "x", 2, tf.float32
        ),
        "no file": _fc(lambda fc: fc.categorical_column_with_vocabulary_file("x", "")),
        "missing file": _fc(lambda fc: fc.categorical_column_with_vocabulary_file("x", "nothing")),
        "empty file": _fc(lambda fc: fc.categorical_column_with_vocabulary_file("x", "f", 0)),
        "file's buckets": _fc(
            lambda fc: fc.categorical_column_with_vocabulary_file("x", "f", 3, 1, 2)
        ),
        "negative buckets": _fc(
            lambda fc: fc.categorical_column_with_vocabulary_file("x", "f", 3, -1)
        ),
        "no words": _fc(lambda fc: fc.categorical_column_with_vocabulary_list("x", [])),
        "a word twice": _fc(lambda fc: fc.categorical_column_with_vocabulary_list("x", [1, 1])),
        "float words": _fc(lambda fc: fc.categorical_column_with_vocabulary_list("x", [1.5])),
        "words' dtype": lambda tf: tf.feature_column.categorical_column_with_vocabulary_list(
            "x", ["a"], tf.int64
        ),
        "default and buckets": _fc(
            lambda fc: fc.categorical_column_with_vocabulary_list("x", [1], None, 0, 1)
        ),
        "no ids": _fc(lambda fc: fc.categorical_column_with_identity("x", 0)),
        "default id": _fc(lambda fc: fc.categorical_column_with_identity("x", 2, 2)),
        "weights": lambda tf: tf.feature_column.weighted_categorical_column("x", "w", tf.string),
        "uncrossed": _fc(lambda fc: fc.crossed_column(["x"], 3)),
        "cross's size": _fc(lambda fc: fc.crossed_column(["x", "y"], 0)),
        "crossed hashes": _fc(
            lambda fc: fc.crossed_column(["x", fc.categorical_column_with_hash_bucket("y", 3)], 3)
        ),
        "crossed numbers": _fc(lambda fc: fc.crossed_column(["x", fc.numeric_column("y")], 3)),
        "dimension": _fc(
            lambda fc: fc.embedding_column(fc.categorical_column_with_identity("x", 2), 0)
        ),
        "checkpoint": _fc(
            lambda fc: fc.embedding_column(
                fc.categorical_column_with_identity("x", 2), 2, ckpt_to_load_from="c"
            )
        ),
        "initializer": _fc(
            lambda fc: fc.embedding_column(
                fc.categorical_column_with_identity("x", 2), 2, initializer=3
            )
        ),
        "shared kinds": _fc(
            lambda fc: fc.shared_embedding_columns(
                [
                    fc.categorical_column_with_identity("x", 2),
                    fc.categorical_column_with_hash_bucket("y", 2),
                ],
                2,
            )
        ),
        "shared sizes": _fc(
            lambda fc: fc.shared_embedding_columns(
                [fc.categorical_column_with_identity(key, len(key)) for key in ("x", "yy")], 2
            )
        ),
        "spec of nothing": _fc(lambda fc: fc.make_parse_example_spec([3])),
        "two specs": _fc(
            lambda fc: fc.make_parse_example_spec(
                [fc.numeric_column("x"), fc.categorical_column_with_identity("x", 3)]
            )
        ),
        "weight is there": _fc(
            lambda fc: fc.make_parse_example_spec(
                [fc.weighted_categorical_column(fc.categorical_column_with_identity("x", 3), "x")]
            )
        ),
    },
    "inputs": {
        "categorical": _input(lambda fc: fc.categorical_column_with_identity("x", 3)),
        "no column": _input(lambda fc: [3]),
        "nothing": _input(lambda fc: []),
        "dict": _input(lambda fc: {"x": fc.numeric_column("x")}),
        "twice": _input(lambda fc: [fc.numeric_column("x"), fc.numeric_column("x", 2)]),
        "missing": _input(lambda fc: fc.numeric_column("z")),
        "scalar": _input(lambda fc: fc.numeric_column("x"), lambda tf: tf.constant(1.0)),
        "sparse numbers": _input(
            lambda fc: fc.numeric_column("x"),
            lambda tf: tf.SparseTensor(tf.constant([[0, 0]], tf.int64), [1.0], [1, 1]),
        ),
        "float ids": _input(
            lambda fc: fc.indicator_column(fc.categorical_column_with_identity("x", 3))
        ),
        "hashed ints": _input(
            lambda fc: fc.indicator_column(fc.categorical_column_with_hash_bucket("x", 3)),
            _of("x", "int64"),
        ),
        "words of ints": _input(
            lambda fc: fc.indicator_column(
                fc.categorical_column_with_vocabulary_list("x", ["a", "b"])
            ),
            _of("x", "int64"),
        ),
        "weights' dtype": _input(
            lambda fc: fc.indicator_column(
                fc.weighted_categorical_column(fc.categorical_column_with_identity("x", 3), "y")
            ),
            _of("x", "int64"),
        ),
        "sequence": _input(
            lambda fc: fc.embedding_column(fc.sequence_categorical_column_with_identity("x", 3), 2)
        ),
        "sequence's indicator": _input(
            lambda fc: fc.indicator_column(fc.sequence_categorical_column_with_identity("x", 3))
        ),
        "crossed weights": _input(
            lambda fc: fc.indicator_column(
                fc.crossed_column(
                    [
                        "y",
                        fc.weighted_categorical_column(
                            fc.categorical_column_with_identity("x", 3), "w"
                        ),
                    ],
                    3,
                )
            ),
            _of("x", "int64"),
        ),
        "batch sizes": lambda tf: tf.feature_column.input_layer(
            {"x": tf.ones([2, 1]), "y": tf.ones([3, 1])},
            [tf.feature_column.numeric_column("x"), tf.feature_column.numeric_column("y")],
        ),
        "linear batch sizes": lambda tf: tf.feature_column.linear_model(
            {"x": tf.ones([2, 1]), "y": tf.ones([3, 1])},
            [tf.feature_column.numeric_column("x"), tf.feature_column.numeric_column("y")],
        ),
        "no linear column": _input(lambda fc: [3], layer="linear_model"),
        "large id": _run(
            lambda fc: fc.indicator_column(fc.categorical_column_with_identity("x", 3)),
            lambda tf: tf.constant([[1], [3]]),
        ),
        "negative id": _run(
            lambda fc: fc.indicator_column(fc.categorical_column_with_identity("x", 3)),
            lambda tf: tf.constant([[1], [-3]]),
        ),
        "shared in a linear model": _new(
            lambda tf, v2: tf.feature_column.input_layer(
                {"x": tf.constant([[1]])},
                v2.shared_embedding_columns_v2(
                    [tf.feature_column.categorical_column_with_identity("x", 3)], 2
                ),
            )
        ),
    },
    "layers": {
        "categorical": _layer(lambda fc: fc.categorical_column_with_identity("x", 3)),
        "no column": _layer(lambda fc: [3]),
        "sequence": _layer(
            lambda fc: fc.embedding_column(fc.sequence_categorical_column_with_identity("x", 3), 2)
        ),
        "sequence's indicator": _layer(
            lambda fc: fc.indicator_column(fc.sequence_categorical_column_with_identity("x", 3))
        ),
        "missing": _layer(lambda fc: fc.numeric_column("y")),
        "no linear column": _new(lambda tf, v2: v2._LinearModelLayer([3])),
        "cache": _new(lambda tf, v2: v2.FeatureTransformationCache({}).get(3, None)),
        "state": _new(lambda tf, v2: v2.StateManager().get_variable(None, "x")),
        "config": _new(
            lambda tf, v2: v2.NumericColumn._from_config({"key": "x"}),
        ),
        "spec": _new(lambda tf, v2: v2.make_parse_example_spec_v2([3])),
    },
    "old": {
        "builder": _old(lambda tf, fc: fc._LazyBuilder({}).get(3)),
        "boundaries": _old(lambda tf, fc: fc._bucketized_column(fc._numeric_column("x"), [])),
        "new source": _old(
            lambda tf, fc: fc._bucketized_column(tf.feature_column.numeric_column("x"), [1])
        ),
        "crossed hashes": _old(
            lambda tf, fc: fc._crossed_column(
                ["x", fc._categorical_column_with_hash_bucket("y", 3)], 3
            )
        ),
        "crossed numbers": _old(lambda tf, fc: fc._crossed_column(["x", 3], 3)),
        "sequence": _old(
            lambda tf, fc: fc.input_layer(
                {},
                fc._embedding_column(
                    tf.contrib.feature_column.sequence_categorical_column_with_identity("x", 3), 2
                ),
            )
        ),
        "no sequence": _old(
            lambda tf, fc: tf.contrib.feature_column.sequence_input_layer(
                {}, fc._indicator_column(fc._categorical_column_with_identity("x", 3))
            )
        ),
        "no sequence, embedded": lambda tf: tf.contrib.feature_column.sequence_input_layer(
            {},
            tf.feature_column.embedding_column(
                tf.feature_column.categorical_column_with_identity("x", 3), 2
            ),
        ),
        "dense": lambda tf: tf.contrib.feature_column.sequence_input_layer(
            {}, tf.feature_column.numeric_column("x")
        ),
        "context": lambda tf: _concatenated(tf, tf.ones([3]), tf.ones([3, 2, 1])),
    },
    "contrib": {
        "no bucket": lambda tf: tf.contrib.layers.sparse_column_with_hash_bucket("x", 0),
        "no integer": lambda tf: tf.contrib.layers.sparse_column_with_integerized_feature(
            "x", 3, dtype=tf.string
        ),
        "floats": lambda tf: tf.contrib.layers.sparse_column_with_keys("x", [1], dtype=tf.float32),
        "hash keys": lambda tf: tf.contrib.layers.sparse_column_with_hash_bucket(
            "x", 3, hash_keys=[1]
        ),
        "no size": lambda tf: tf.contrib.layers.sparse_column_with_vocabulary_file("x", "f"),
        "dimension": lambda tf: tf.contrib.layers.real_valued_column("x", 1.5),
        "no dimension": lambda tf: tf.contrib.layers.real_valued_column("x", None),
        "default's length": lambda tf: tf.contrib.layers.real_valued_column("x", 2, [1.0]),
        "default's dtype": lambda tf: tf.contrib.layers.real_valued_column("x", 1, "a"),
        "float default": lambda tf: tf.contrib.layers.real_valued_column("x", 1, 1.5, tf.int32),
        "boundaries": lambda tf: tf.contrib.layers.bucketized_column(
            tf.contrib.layers.real_valued_column("x"), [2, 1]
        ),
        "source": lambda tf: tf.contrib.layers.bucketized_column("x", [1]),
        "crossed": lambda tf: tf.contrib.layers.crossed_column(
            [tf.contrib.layers.real_valued_column("x")], 3
        ),
        "scattered": lambda tf: tf.contrib.layers.scattered_embedding_column("x", 0, 3, 1),
        "weights": lambda tf: tf.contrib.layers.weighted_sparse_column("x", "w", tf.string),
        "sparse input": lambda tf: tf.contrib.layers.input_from_feature_columns(
            {"x": tf.SparseTensor([[0, 0]], ["a"], [1, 1])},
            [tf.contrib.layers.sparse_column_with_hash_bucket("x", 3)],
        ),
        "twice": lambda tf: tf.contrib.layers.check_feature_columns(
            [tf.contrib.layers.real_valued_column("x") for _ in range(2)]
        ),
        "joint numbers": lambda tf: tf.contrib.layers.joint_weighted_sum_from_feature_columns(
            {"x": tf.ones([2, 1])}, [tf.contrib.layers.real_valued_column("x")], 1
        ),
        "sequence": lambda tf: tf.contrib.layers.sequence_input_from_feature_columns(
            {}, [tf.contrib.layers.sparse_column_with_hash_bucket("x", 3)]
        ),
        "not compatible": lambda tf: tf.contrib.layers.shared_embedding_columns(
            [tf.contrib.layers.sparse_column_with_hash_bucket(k, len(k)) for k in ("x", "yy")], 2
        ),
        "one class": lambda tf: tf.contrib.layers.multi_class_target(1),
        "inferred": lambda tf: tf.contrib.layers.infer_real_valued_columns(tf.constant(["a"])),
        "cross": lambda tf: tf.contrib.slim.sparse_feature_cross(tf.constant([[1]])),
        "combiner": lambda tf: tf.contrib.slim.scattered_embedding_lookup_sparse(
            tf.ones([4]), tf.SparseTensor([[0, 0]], ["a"], [1, 1]), 2, combiner="max"
        ),
        "parts": lambda tf: tf.contrib.slim.scattered_embedding_lookup(
            [tf.ones([2]), tf.ones([4])], tf.constant(["a"]), 2
        ),
    },
    "checkpoints": {
        "short": _remapping(num_new_vocab=6),
        "twice": _remapping(old_vocab_file="twice"),
        "missing": _remapping(old_vocab_file="nothing"),
        "size": _remapping(old_vocab_size=7),
        "no size": _remapping(old_vocab_size=0),
        "file's rank": _remapping(new_vocab_file=["new"]),
        "no values": _remapped(initializing_values=[]),
        "values": _remapped(initializing_values=[1.0, 2.0, 3.0, 4.0]),
        "rows": _remapped(num_rows=2),
        "columns": _remapped(col_remapping=[1], num_cols=2),
        "all columns": _remapped(num_cols=2),
        "dtype": _remapped(old_tensor_name="ints"),
        "rank": _remapped(old_tensor_name="v"),
        "no tensor": _remapped(old_tensor_name="nothing"),
        "no file": _remapped(ckpt_path="./nothing"),
        "row": _remapped(row_remapping=[5, -1, 1]),
        "row twice": _remapped(row_remapping=[1, -1, 1]),
        "loaded rank": _loaded([5]),
        "loaded rows": _loaded([6, 3]),
        "loaded columns": _loaded([5, 4]),
        "one vocabulary": _loaded([5, 3], new_row_vocab_file=None),
        "no vocabulary": _loaded([5, 3], old_row_vocab_file=None, new_row_vocab_file=None),
        "loader": _loaded([5, 3], initializer=3),
        "unused": lambda tf: [
            _saved(tf),
            tf.get_variable("m", [4, 3]),
            tf.train.warm_start(
                "./saved", var_name_to_vocab_info={"n": tf.train.VocabInfo("new", 5, 0, "old")}
            ),
        ],
        "no words": lambda tf: [
            _saved(tf),
            tf.get_variable("m", [4, 3]),
            tf.train.warm_start(
                "./saved", var_name_to_vocab_info={"m": tf.train.VocabInfo("new", 0, 0, "old")}
            ),
        ],
    },
}


def _concatenated(tf, *inputs):
    from tensorflow.python.feature_column import sequence_feature_column

    return sequence_feature_column.concatenate_context_input(*inputs)
