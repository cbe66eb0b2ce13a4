"""Embedding columns of tf.tpu.experimental, off TPUs: what they refuse, tell and compute."""

import hashlib

import tensorflow as tf

columns, tpu = tf.feature_column, tf.tpu.experimental
Spec = tf.estimator.tpu.experimental.EmbeddingConfigSpec
tf.set_random_seed(3)
a, b = (columns.categorical_column_with_identity(key, 5) for key in "ab")
c = columns.categorical_column_with_identity("c", 7)
hashed = columns.categorical_column_with_hash_bucket("h", 5)
weighted = columns.weighted_categorical_column(a, "aw")
sequence = columns.sequence_categorical_column_with_identity("s", 5)
column = tpu.embedding_column(weighted, 3, "sum")
shared = tpu.shared_embedding_columns([a, b], 2)
words = tpu.embedding_column(sequence, 2, max_sequence_length=3)
adagrad = tpu.AdagradParameters(0.1)

for make in (
    lambda: tpu.embedding_column(hashed, 3),
    lambda: tpu.embedding_column(a, 0),
    lambda: tpu.embedding_column(a, 3, initializer=4),
    lambda: tpu.embedding_column(sequence, 3),
    lambda: tpu.embedding_column(a, 3, max_sequence_length=2),
    lambda: tpu.shared_embedding_columns([a, c], 3),
    lambda: tpu.shared_embedding_columns([a, b], 3, max_sequence_lengths=[1]),
    lambda: tpu.shared_embedding_columns([a, hashed], 3),
    lambda: tpu.shared_embedding_columns([a, b], 3, initializer=2),
    lambda: Spec(),
    lambda: Spec([column], partition_strategy="x"),
    lambda: Spec([column], 3),
):
    try:
        print(make())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

for each in [column, words] + shared:
    print(type(each).__name__, each.name, each.get_combiner(), each.get_embedding_table_size())
    print(each.get_feature_key_name(), each.get_weight_key_name(), each.get_embedding_var_name())
    print(each.is_categorical_column_weighted(), each.is_sequence_column())
    print(each.get_max_sequence_length(), each.get_sequence_length_feature_key_name())

features = {
    "a": tf.constant([[1, 2], [3, -1]]),
    "aw": tf.constant([[1.0, 2.0], [3.0, 0.0]]),
    "b": tf.constant([[1], [0]]),
    "s": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 3], tf.int64), [2, 2]),
}
dense = tf.keras.layers.DenseFeatures([column] + shared)(features)
layer = columns.input_layer({key: features[key] for key in ("a", "aw")}, [column])
found = tf.keras.experimental.SequenceFeatures([words])(features)
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
    for value in session.run([dense, layer, found[0]]):
        print(value.round(4).tolist())
    print(session.run(found[1]).tolist())
print([(v.name, v.shape.as_list()) for v in tf.global_variables()])
nodes = [(op.name, op.type) for op in tf.get_default_graph().get_operations()]
print(len(nodes), hashlib.md5(repr(nodes).encode()).hexdigest())
print(Spec([column] + shared, adagrad)._fields, Spec([column], adagrad).partition_strategy)
