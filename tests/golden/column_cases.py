"""Feature columns: `tf.feature_column`, and what is below it in TensorFlow's modules.

Read by `record_cases.py`, and by tests/api/test_columns.py. Runs under TensorFlow 1.15 too.
"""

from __future__ import annotations

import functools
import itertools
from unittest import mock

import numpy as np
import recording
from case_runs import Case, collect
from column_mistake_cases import MISTAKES as MISTAKES
from column_vocabulary_cases import vocabularies


def _numbered(case):
    """A case whose tables have numbers for names."""

    @functools.wraps(case)
    def build(tf):
        with mock.patch("uuid.uuid4", side_effect=itertools.count().__next__):
            return case(tf)

    return build


WORDS = ["ape", "bee", "cat"]


def _sparse(rows, dtype):
    """Ragged rows as what a sparse placeholder is fed; each entry is a value or a list of them."""
    indices, values = [], []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            indices.append([i, j])
            values.append(value)
    width = max(len(row) for row in rows)
    indices = np.array(indices, np.int64).reshape(-1, 2)
    return indices, np.array(values, dtype), np.array([len(rows), width], np.int64)


def _features(tf, shape=None):
    """Features of three examples, and what to feed.

    Args:
        tf: the `tensorflow` module.
        shape: what is known of the shape of features that otherwise have none.
    """
    features = {
        "size": tf.placeholder(tf.float32, [None, 2], name="size"),
        "age": tf.placeholder(tf.int64, shape or [None], name="age"),
        "word": tf.sparse_placeholder(tf.string, shape, name="word"),
        "dense_word": tf.placeholder(tf.string, [None, 2], name="dense_word"),
        "id": tf.placeholder(tf.int64, [None, 1], name="id"),
        "ids": tf.sparse_placeholder(tf.int64, shape, name="ids"),
        "weight": tf.sparse_placeholder(tf.float32, shape, name="weight"),
        "unknown": tf.placeholder(tf.float32, name="unknown"),
    }

    def feeds(step):
        # As many different ids in each step: other shapes would be compiled anew.
        return {
            features["size"]: np.roll([[-1.0, 0.2], [0.1, 0.6], [-0.2, 3.0]], step, axis=0),
            features["age"]: np.roll([2, 20, 60], step).reshape(
                [3, 1][: len(features["age"].shape)]
            ),
            features["word"]: _sparse([["ape"], ["cow", "cat"], []], object),
            features["dense_word"]: np.roll([["dog", "bee"], ["", "cat"], ["eel", ""]], step, 0),
            features["id"]: np.roll([[0], [2], [3]], step, axis=0),
            features["ids"]: _sparse([[1, 3], [2], [7]], np.int64),
            features["weight"]: _sparse([[0.5, 2.0], [1.5], [-1.0]], np.float32),
            features["unknown"]: [step - 0.5, 1.0, 2.0],
        }

    return features, feeds


def _file():
    with open("words.txt", "w") as file:
        file.write("\n".join(WORDS) + "\n")
    return "words.txt"


def _columns(tf):
    """A dense column and a categorical one of each kind."""
    fc = tf.feature_column
    size = fc.numeric_column("size", shape=2, default_value=[1.0, 2.0])
    age = fc.numeric_column("age", dtype=tf.int64, normalizer_fn=_third)
    ages = fc.bucketized_column(age, [3.0, 10.0])
    sizes = fc.bucketized_column(size, (-0.5, 0, 0.5))
    word = fc.categorical_column_with_vocabulary_list("word", WORDS, num_oov_buckets=2)
    hashed = fc.categorical_column_with_hash_bucket("dense_word", 5)
    in_file = fc.categorical_column_with_vocabulary_file("dense_word", _file(), 3)
    ids = fc.categorical_column_with_identity("ids", 8)
    one = fc.categorical_column_with_identity("id", 3, default_value=1)
    weighted = fc.weighted_categorical_column(ids, "weight")
    crossed = fc.crossed_column([ages, "dense_word", word], 9, hash_key=3)
    return size, age, ages, sizes, word, hashed, in_file, ids, one, weighted, crossed


def _third(x):
    return x / 3


def _trained(tf, outputs, feeds, *said):
    """Steps of training towards outputs of -1/2."""
    loss = tf.add_n([tf.reduce_mean(tf.square(y + 0.5)) for y in outputs])
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    said = [str(y) for y in outputs] + list(said)
    said = [recording.normalise_text(str(x)) for x in said]
    # All that reads a variable is also what it is trained by: one run does both.
    return Case([loss, train] + list(outputs), (), feeds, said, steps=2)


def _named(columns):
    return sorted((getattr(c, "name", c), [v.name for v in vs]) for c, vs in columns.items())


def _collections(tf):
    keys = (tf.GraphKeys.MODEL_VARIABLES, tf.GraphKeys.TRAINABLE_VARIABLES, "mine")
    return [[v.name for v in tf.get_collection(key)] for key in keys]


# ---- tf.feature_column ----------


@_numbered
def input_layer(tf):
    tf.set_random_seed(1)
    fc = tf.feature_column
    features, feeds = _features(tf)
    size, age, ages, sizes, word, hashed, in_file, ids, one, weighted, crossed = _columns(tf)
    columns = [
        sizes, size, age, ages, fc.indicator_column(word), fc.indicator_column(one),
        fc.indicator_column(weighted), fc.numeric_column("unknown"),
        fc.embedding_column(hashed, 2), fc.embedding_column(weighted, 3, combiner="sqrtn"),
        fc.embedding_column(crossed, 2, combiner="sum", max_norm=0.4),
        fc.embedding_column(word, 2, initializer=tf.ones_initializer(), trainable=False),
    ]  # fmt: skip
    variables, parts = {}, {}
    y = fc.input_layer(features, columns, ["mine"], cols_to_vars=variables,
                       cols_to_output_tensors=parts)  # fmt: skip
    z = fc.input_layer(features, fc.embedding_column(in_file, 2), trainable=False)
    spec = fc.make_parse_example_spec(columns)
    parts = sorted((c.name, str(part)) for c, part in parts.items())
    said = [_named(variables), parts, _collections(tf), sorted(spec.items())]
    return _trained(tf, [y, z], feeds, columns[:5] + columns[6:8], *said)


@_numbered
def linear_model(tf):
    tf.set_random_seed(2)
    fc = tf.feature_column
    features, feeds = _features(tf)
    size, age, ages, sizes, word, hashed, in_file, ids, one, weighted, crossed = _columns(tf)
    variables = {}
    y = fc.linear_model(
        features, [sizes, age, word, hashed, weighted, crossed, fc.embedding_column(one, 2)],
        units=2, weight_collections=["mine"], cols_to_vars=variables,
    )  # fmt: skip
    z = fc.linear_model(features, (size, ids), sparse_combiner="mean")
    w = fc.linear_model(features, iter([in_file, ages, one]), trainable=False)
    with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(2)):
        v = fc.linear_model(features, [size, ids], cols_to_vars=variables)
    return _trained(tf, [y, z, w, v], feeds, _named(variables), _collections(tf))


@_numbered
def shared(tf):
    tf.set_random_seed(3)
    from tensorflow.python.feature_column import feature_column

    fc = tf.feature_column
    features, feeds = _features(tf)
    ids = fc.categorical_column_with_identity("ids", 8)
    columns = fc.shared_embedding_columns(
        [ids, fc.categorical_column_with_identity("id", 8)], 3, "sum", max_norm=1.0
    )
    words = fc.shared_embedding_columns(
        [fc.categorical_column_with_hash_bucket(key, 5) for key in ("word", "dense_word")], 2,
        shared_embedding_collection_name="words", trainable=False,
    )  # fmt: skip
    y = fc.input_layer(features, columns + words)
    layer = feature_column.InputLayer([fc.embedding_column(ids, 2), fc.numeric_column("size", 2)])
    z = [layer(features), layer(features)]
    said = [c._var_scope_name for c in columns + words] + [layer.name]
    said += [[v.name for v in layer.trainable_variables], _collections(tf)]
    return _trained(tf, [y] + z, feeds, *said)


@_numbered
def wide_and_deep(tf):
    """A net of examples that are read from their bytes."""
    tf.set_random_seed(4)
    fc = tf.feature_column

    def example(age, words):
        words = tf.train.Feature(bytes_list=tf.train.BytesList(value=words))
        features = {"word": words}
        if age:
            features["age"] = tf.train.Feature(float_list=tf.train.FloatList(value=age))
        features = tf.train.Features(feature=features)
        return tf.train.Example(features=features).SerializeToString()

    examples = [example([20.0], [b"ape", b"bee"]), example([], [b"cat"]), example([60.0], [])]
    age = fc.numeric_column("age", default_value=40.0)
    ages = fc.bucketized_column(age, [25.0, 50.0])
    word = fc.categorical_column_with_vocabulary_list("word", WORDS)
    crossed = fc.crossed_column([ages, "word"], 7)
    deep = [age, ages, fc.embedding_column(word, 4), fc.embedding_column(crossed, 2)]
    spec = fc.make_parse_example_spec(deep + [crossed])
    serialized = tf.placeholder(tf.string, [None], name="examples")
    features = tf.parse_example(serialized, spec)
    net = tf.layers.dense(fc.input_layer(features, deep), 5, tf.nn.relu)
    logits = tf.layers.dense(net, 1) + fc.linear_model(features, [ages, word, crossed])
    loss = tf.losses.sigmoid_cross_entropy([[1.0], [0.0], [1.0]], logits)
    ftrl = tf.train.FtrlOptimizer(0.2, l1_regularization_strength=0.01)
    train = ftrl.minimize(loss, var_list=tf.trainable_variables("linear_model"))
    others = [v for v in tf.trainable_variables() if not v.name.startswith("linear_model")]
    deeper = tf.train.AdamOptimizer(0.05).minimize(loss, var_list=others)
    return Case([loss, logits, train, deeper], (), lambda step: {serialized: examples})


@_numbered
def old_columns(tf):
    """Those of the old kind, which `tf.contrib.feature_column` is made of."""
    tf.set_random_seed(5)
    from tensorflow.python.feature_column import feature_column as fc

    features, feeds = _features(tf)
    size = fc._numeric_column("size", (2,))
    sizes = fc._bucketized_column(size, [0.0])
    word = fc._categorical_column_with_vocabulary_list("word", WORDS)
    hashed = fc._categorical_column_with_hash_bucket("id", 5, tf.int64)
    in_file = fc._categorical_column_with_vocabulary_file("dense_word", _file(), None, 1)
    ids = fc._categorical_column_with_identity("ids", 5, 2)
    weighted = fc._weighted_categorical_column(ids, "weight")
    crossed = fc._crossed_column([sizes, "dense_word"], 9)
    columns = [
        size, sizes, fc._embedding_column(word, 2), fc._indicator_column(hashed),
        fc._embedding_column(crossed, 2), fc._indicator_column(weighted),
    ]  # fmt: skip
    outputs = [
        fc.input_layer(features, columns),
        fc.linear_model(features, [sizes, in_file, weighted]),
    ]
    made = fc._transform_features(features, [size, ids])
    said = [word, hashed, in_file, weighted, crossed, fc.make_parse_example_spec([size, weighted])]
    said += [sorted((c.name, str(tensor)) for c, tensor in made.items())]
    return _trained(tf, outputs, feeds, *said)


# ---- layers ----------


@_numbered
def layers(tf):
    tf.set_random_seed(6)
    from tensorflow.python.feature_column import dense_features, dense_features_v2
    from tensorflow.python.feature_column import feature_column_v2 as v2

    fc = tf.feature_column
    features, feeds = _features(tf)
    size, age, ages, sizes, word, hashed, in_file, ids, one, weighted, crossed = _columns(tf)
    both = [hashed, fc.categorical_column_with_hash_bucket("word", 5)]
    shared = v2.shared_embedding_columns_v2(both, 2, shared_embedding_collection_name="both")
    columns = [size, sizes, fc.indicator_column(weighted), fc.embedding_column(ids, 2)] + shared
    dense = dense_features.DenseFeatures(columns)
    y = [dense(features), dense(features)]
    newer = dense_features_v2.DenseFeatures([fc.embedding_column(word, 2), ages], name="newer")
    y.append(newer(features))
    linear = v2._LinearModelLayer([size, one, weighted, crossed], 2, "mean")
    y.append(linear(features))
    copy = v2._LinearModelLayer.from_config(linear.get_config(), {"_third": _third})
    said = [[v.name for v in layer.variables] for layer in (dense, newer, linear)]
    said += [copy._feature_columns == linear._feature_columns, copy._units]
    said += [dense.compute_output_shape([None, 2]), newer.get_config()["feature_columns"][0]]
    return _trained(tf, y, feeds, *said)


# ---- sequences ----------


def _sequences(tf):
    features = {
        "word": tf.sparse_placeholder(tf.string, name="word"),
        "id": tf.sparse_placeholder(tf.int64, name="id"),
        "size": tf.sparse_placeholder(tf.float32, name="size"),
        "pair": tf.sparse_placeholder(tf.float32, [None, None], name="pair"),
        "weight": tf.sparse_placeholder(tf.float32, name="weight"),
    }

    def feeds(step):
        return {
            features["word"]: _sparse([["ape", "cow"], ["cat"], []], object),
            features["id"]: _sparse([[1, 3], [2], []], np.int64),
            features["size"]: _sparse([[0.5, 2.0], [1.5 + step], []], np.float32),
            features["pair"]: _sparse([[0.5, 2.0, 1.0, 3.0], [1.5, 1.0], []], np.float32),
            features["weight"]: _sparse([[0.5, 2.0], [3.0], []], np.float32),
        }

    return features, feeds


@_numbered
def sequences(tf):
    tf.set_random_seed(7)
    fc, contrib = tf.feature_column, tf.contrib.feature_column
    from tensorflow.contrib.feature_column.python.feature_column import sequence_feature_column
    from tensorflow.python.feature_column import feature_column

    features, feeds = _sequences(tf)
    word = contrib.sequence_categorical_column_with_vocabulary_list("word", WORDS)
    ids = contrib.sequence_categorical_column_with_identity("id", 4)
    columns = [
        feature_column._embedding_column(word, 2), feature_column._indicator_column(ids),
        contrib.sequence_numeric_column("size"), contrib.sequence_numeric_column("pair", 2),
    ]  # fmt: skip
    y, length = contrib.sequence_input_layer(features, columns)
    z, _ = contrib.sequence_input_layer(
        features,
        [
            fc.embedding_column(fc.sequence_categorical_column_with_hash_bucket("word", 3), 2),
            fc.indicator_column(fc.sequence_categorical_column_with_identity("id", 4)),
        ],
    )
    w = sequence_feature_column.concatenate_context_input(tf.ones([3, 2]), y)
    case = _trained(tf, [y, z, w], feeds, word, columns[2], columns[3]._parse_example_spec)
    case.fetches.append(length)
    return case


@_numbered
def sequence_features(tf):
    tf.set_random_seed(8)
    from tensorflow.python.feature_column import sequence_feature_column

    fc = tf.feature_column
    features, feeds = _sequences(tf)
    words = fc.sequence_categorical_column_with_vocabulary_list("word", WORDS, num_oov_buckets=1)
    ids = fc.sequence_categorical_column_with_identity("id", 3, default_value=0)
    columns = [
        fc.embedding_column(words, 3), fc.indicator_column(ids), fc.sequence_numeric_column("size"),
        fc.sequence_numeric_column("pair", shape=[2], default_value=-1.0),
    ]  # fmt: skip
    layer = sequence_feature_column.SequenceFeatures(columns)
    y, length = layer(features)
    case = _trained(tf, [y], feeds, [v.name for v in layer.variables], fc.make_parse_example_spec(
        columns[:2]))  # fmt: skip
    case.fetches.append(length)
    return case


# ---- tf.contrib.layers ----------


def _contrib_columns(tf):
    layers = tf.contrib.layers
    size = layers.real_valued_column("size", 2, default_value=1)
    age = layers.real_valued_column("age", dtype=tf.int64, normalizer=_third)
    ages = layers.bucketized_column(age, [3.0, 10.0, 10.0])
    sizes = layers.bucketized_column(size, (-0.5, 0.0, 0.5))
    word = layers.sparse_column_with_keys("word", WORDS, combiner="mean")
    hashed = layers.sparse_column_with_hash_bucket("dense_word", 5)
    twice = layers.sparse_column_with_hash_bucket("word", 7, hash_keys=[[1, 2], [3, 4]])
    in_file = layers.sparse_column_with_vocabulary_file("word", _file(), 1, vocab_size=3)
    ids = layers.sparse_column_with_integerized_feature("ids", 8)
    weighted = layers.weighted_sparse_column(ids, "weight")
    crossed = layers.crossed_column([ages, hashed], 9)
    keyed = layers.crossed_column([crossed, word, sizes], 20, hash_key=5)
    return size, age, ages, sizes, word, hashed, twice, in_file, ids, weighted, crossed, keyed


@_numbered
def contrib_input(tf):
    tf.set_random_seed(9)
    layers = tf.contrib.layers
    features, feeds = _features(tf, [None, None])
    (size, age, ages, sizes, word, hashed, twice, in_file, ids, weighted, crossed, keyed) = (
        _contrib_columns(tf)
    )
    shared = layers.shared_embedding_columns([hashed, layers.sparse_column_with_hash_bucket(
        "word", 5)], 2, combiner="sum")  # fmt: skip
    columns = [
        size, ages, sizes, layers.one_hot_column(word), layers.one_hot_column(weighted),
        layers.embedding_column(twice, 2, initializer=tf.ones_initializer(), max_norm=0.5),
        layers.embedding_column(weighted, 3, combiner="sqrtn"),
        layers.embedding_column(crossed, 2), layers.embedding_column(keyed, 2, combiner="sum"),
        layers.scattered_embedding_column("word", 10, 3, hash_key=7),
        shared[0], shared[1],
    ]  # fmt: skip
    parts = {}
    y = layers.input_from_feature_columns(features, columns, ["mine"], cols_to_outs=parts)
    z = tf.feature_column.input_layer(
        features, [size, sizes, layers.embedding_column(in_file, 2), layers.one_hot_column(ids)]
    )
    spec = layers.create_feature_spec_for_parsing(columns)
    said = [
        sorted((c.name, str(part)) for c, part in parts.items()), sorted(spec.items()),
        _collections(tf), sorted(c.key for c in columns if "bject at" not in str(c)),
    ]  # fmt: skip
    return _trained(tf, [y, z], feeds, *said)


@_numbered
def contrib_sums(tf):
    tf.set_random_seed(10)
    layers = tf.contrib.layers
    features, feeds = _features(tf, [None, None])
    (size, age, ages, sizes, word, hashed, twice, in_file, ids, weighted, crossed, keyed) = (
        _contrib_columns(tf)
    )
    y, weights, bias = layers.weighted_sum_from_feature_columns(
        features, [size, ages, word, weighted, keyed], 2, weight_collections=["mine"]
    )
    z, weight, _ = layers.joint_weighted_sum_from_feature_columns(
        features, [hashed, ids, crossed], 1, trainable=True, scope="joint"
    )
    made = layers.transform_features(features, [word, crossed, age])
    said = [_named(weights), bias.name, weight, sorted((c.name, str(t)) for c, t in made.items())]
    said += [_collections(tf), layers.infer_real_valued_columns({"x": tf.ones([3, 2, 4])})]
    return _trained(tf, [y, z], feeds, *said)


@_numbered
def contrib_parsing(tf):
    layers = tf.contrib.layers
    size, age, ages, _, word, _, _, _, ids, weighted, crossed, _ = _contrib_columns(tf)
    placeholders = layers.make_place_holder_tensors_for_base_features([size, ages, weighted])
    serialized = tf.placeholder(tf.string, [None], name="examples")
    parsed = layers.parse_feature_columns_from_examples(serialized, [ages, word, crossed])
    from tensorflow.contrib.layers.python.layers import feature_column

    lengths = feature_column._real_valued_var_len_column("size", is_sparse=True)
    padded = feature_column._real_valued_var_len_column("x", 1, normalizer=_third)
    sequence = layers.parse_feature_columns_from_sequence_examples(
        tf.placeholder(tf.string, [1]), [age], [size, word]
    )
    features, feeds = _sequences(tf)
    features["x"] = tf.placeholder_with_default(np.ones([3, 2], "f"), [None, None], name="x")
    embedded = layers.embedding_column(ids, 2, initializer=tf.ones_initializer())
    y = layers.sequence_input_from_feature_columns(
        {
            "ids": tf.sparse_placeholder(tf.int64, [None, None, None], name="ids"),
            "x": features["x"],
        },
        [embedded, padded],
    )
    said = [sorted((k, str(t)) for k, t in placeholders.items())]
    said += [sorted((getattr(k, "name", k), str(t)) for k, t in parsed.items()), y, lengths, padded]
    said += [sorted((k, str(t)) for k, t in part.items()) for part in sequence]
    return Case(said=[recording.normalise_text(str(x)) for x in said])


def _unknown(tf, value):
    shape = [None] * np.ndim(value)
    return tf.placeholder_with_default(tf.constant(value), shape)


@_numbered
def contrib_lookups(tf):
    from tensorflow.contrib.layers.python.layers import embedding_ops

    layers, slim = tf.contrib.layers, tf.contrib.slim
    # TensorFlow evaluates what it knows while it records, to find static shapes.
    words = _unknown(tf, [["ape", "bee"], ["cow", ""]])
    numbers = _unknown(tf, [7, 8])
    ids = _unknown(tf, np.array([1, 3, 1, 4]))
    ids = tf.SparseTensor([[0, 0], [0, 2], [1, 1], [2, 0]], ids, [3, 3])
    weights = tf.SparseTensor(ids.indices, tf.constant([0.5, 2.0, 1.0, 1.5]), [3, 3])
    sparse_words = tf.SparseTensor([[0, 0], [2, 1]], _unknown(tf, ["ape", "bee"]), [3, 2])
    flat = tf.get_variable("flat", initializer=np.arange(9, dtype="f"))
    table = tf.get_variable("table", initializer=np.arange(10, dtype="f").reshape(5, 2))
    parts = [tf.get_variable("p0", initializer=np.ones([3, 2], "f")),
             tf.get_variable("p1", initializer=2 * np.ones([2, 2], "f"))]  # fmt: skip
    aggregated = slim.embedding_lookup_sparse_with_distributed_aggregation
    cross = slim.sparse_feature_cross
    outputs = [
        slim.scattered_embedding_lookup(flat, words, 3),
        slim.scattered_embedding_lookup([flat[:5], flat[5:]], numbers, 2, hash_key=4),
        slim.scattered_embedding_lookup_sparse(flat, sparse_words, 3, combiner="sqrtn"),
        embedding_ops._sampled_scattered_embedding_lookup_sparse(
            flat, sparse_words, dimension=2, with_sign_hash=True
        ),
        embedding_ops._sampled_scattered_embedding_lookup(
            flat, numbers, sampled_candidates=tf.constant([[0, 2], [1, 1]])
        ),
        aggregated(table, ids, None, combiner="sum"),
        aggregated(table, ids, weights, max_norm=2.0),
        aggregated(parts, ids, None, combiner="mean"),
        aggregated(parts, ids, weights, "div", combiner="sqrtn"),
    ]
    crosses = [
        cross([words, words], True, 50),
        cross([words, words]),
        cross([tf.constant([[1, 2]]), tf.constant([["a", "b"]])], hashed_output=True),
        cross([words, words], True, 1000, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY),
    ]
    case = _trained(tf, outputs, None)
    case.fetches += [part for c in crosses for part in (c.indices, c.values, c.dense_shape)]
    return case


def contrib_targets(tf):
    layers, slim = tf.contrib.layers, tf.contrib.slim
    x = np.arange(6, dtype="f").reshape(3, 2) / 5
    logits = tf.get_variable("logits", initializer=x)
    one = logits[:, :1]
    features = {"w": tf.constant([1, 2, 1])}
    labels = tf.constant([1, 0, 1])
    error = {"error": tf.contrib.metrics.streaming_mean_squared_error}
    targets = [
        (layers.regression_target(weight_column_name="w"), one, error),
        (layers.multi_class_target(2), one, None),
        (layers.multi_class_target(3, weight_column_name="w"), tf.concat([logits, one], 1), None),
        (slim.binary_svm_target(), one, {"acc": tf.contrib.metrics.streaming_accuracy}),
    ]  # fmt: skip
    outputs, fetches, said = [], [], []
    for target, logit, metrics in targets:
        outputs += [
            target.training_loss(logit, labels, features),
            target.loss(logit, labels, features),
        ]
        fetches.append(target.logits_to_predictions(logit))
        evaluated = target.get_eval_ops(features, logit, labels, metrics)
        said.append(sorted(evaluated))
        fetches += [tf.identity(evaluated[key][1]) for key in sorted(evaluated)]
        said += [target.problem_type, target.num_label_columns, target.label_name]
    case = _trained(tf, outputs, None, *said)
    case.fetches += fetches
    return case


# ---- plain data ----------


def plain_data(tf):
    from tensorflow.python.feature_column import serialization

    fc = tf.feature_column
    columns = list(_columns(tf))
    columns[1] = fc.numeric_column("age", normalizer_fn=_third)
    columns += [
        fc.indicator_column(columns[4]), fc.embedding_column(columns[5], 3),
        fc.sequence_categorical_column_with_identity("id", 3), fc.sequence_numeric_column("size"),
    ]  # fmt: skip
    configs = serialization.serialize_feature_columns(columns)
    back = serialization.deserialize_feature_columns(configs, {"_third": _third})
    said = [_plain(config) for config in configs if "vocabulary_file" not in str(config)]
    said += [back[:-3] == columns[:-3], [c.name for c in back], [c._is_v2_column for c in back]]
    said += [[str(p) for p in c.parents][:1] for c in columns[:4]]
    said += [back[10].parents[0] is back[2], sorted([columns[3], columns[0]]) == back[3:0:-3]]
    return Case(said=[recording.normalise_text(str(x)) for x in said])


def _plain(config):
    """Dicts as sorted pairs."""
    if isinstance(config, dict):
        return sorted((key, _plain(value)) for key, value in config.items())
    return tuple(_plain(x) for x in config) if isinstance(config, (list, tuple)) else config


CASES = {
    "feature_column": collect(input_layer, linear_model, shared, wide_and_deep, old_columns),
    "layers": collect(layers, sequence_features),
    "sequences": collect(sequences),
    "contrib": collect(
        contrib_input, contrib_sums, contrib_parsing, contrib_lookups, contrib_targets
    ),
    "checkpoints": collect(vocabularies),
    "config": collect(plain_data),
}
