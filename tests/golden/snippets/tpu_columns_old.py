"""Old embedding columns for TPUs: what they refuse, tell and compute, off TPUs and as if on one."""

import hashlib

import tensorflow as tf
from tensorflow.python.feature_column import feature_column as old
from tensorflow.python.tpu import feature_column as tpu
from tensorflow.python.tpu import tpu_function

tf.set_random_seed(3)
columns = tf.feature_column
a, b = (columns.categorical_column_with_identity(key, 5) for key in "ab")
plain = old._categorical_column_with_identity("a", 5)
c = columns.categorical_column_with_identity("c", 7)
hashed = columns.categorical_column_with_hash_bucket("h", 5)
weighted = old._weighted_categorical_column(plain, "aw")
sequence = columns.sequence_categorical_column_with_identity("s", 5)
column = tpu.embedding_column(weighted, 3, "sum")
shared = tpu.shared_embedding_columns([a, b], 2)
named = tpu.shared_embedding_columns([a, b], 2, shared_embedding_collection_name="n")
words = tpu.embedding_column(sequence, 2, max_sequence_length=3, learning_rate_fn=abs)

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
    lambda: tpu.split_sequence_columns([a]),
):
    try:
        print(make())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

for each in [column, words] + shared + named[:1]:
    print(type(each).__name__, each.name, each.get_combiner(), each.get_embedding_table_size())
    print(each.get_feature_key_name(), each.get_weight_key_name(), each.get_embedding_var_name())
    print(each.is_categorical_column_weighted(), each.is_sequence_column())
    print(each.get_max_sequence_length(), each.get_sequence_length_feature_key_name())
    print(each.get_learning_rate_fn(), callable(each.get_initializer()), isinstance(each, tuple))
print([[x.name for x in part] for part in tpu.split_sequence_columns([column, words] + shared)])

features = {
    "a": tf.constant([[1, 2], [3, -1]]),
    "aw": tf.constant([[1.0, 2.0], [3.0, 0.0]]),
    "b": tf.constant([[1], [0]]),
    "s": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 3], tf.int64), [2, 2]),
}
dense = columns.input_layer({key: features[key] for key in ("a", "aw", "b")}, [column] + shared)
found = tf.contrib.feature_column.sequence_input_layer({"s": features["s"]}, [words])
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.tables_initializer()])
    for value in session.run([dense, found[0]]):
        print(value.round(4).tolist())
    print(session.run(found[1]).tolist())
print([(v.name, v.shape.as_list()) for v in tf.global_variables()])

fed = {"a": tf.ones([2, 3]), "b": tf.ones([2, 2]), "s": tf.ones([2, 3, 2])}
fed["s_seq_length_"] = tf.constant([2, 1])
with tpu_function.tpu_shard_context(1):
    print(old.input_layer(fed, [tpu.embedding_column(plain, 3)]))
    with tf.variable_scope("other"):
        print(columns.input_layer(fed, [shared[1]]))
        print(tf.contrib.feature_column.sequence_input_layer(fed, [words]))
        try:
            columns.input_layer(fed, [tpu.embedding_column(a, 3)])
        except ValueError as error:
            print(error)
print(sorted(tf.get_collection("_tpu_feature_column_scope")[0].items()))
nodes = [(op.name, op.type) for op in tf.get_default_graph().get_operations()]
print(len(nodes), hashlib.md5(repr(nodes).encode()).hexdigest())
