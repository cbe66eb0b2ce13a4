"""Edges of functions of tf.contrib and of what they are made of."""

import tensorflow as tf

tf.compat.v1.logging.set_verbosity("ERROR")


def refused(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


def nodes(prefix):
    for op in tf.compat.v1.get_default_graph().get_operations():
        if op.name.startswith(prefix) and op.type != "Const":
            shapes = [t.shape.as_list() for t in op.outputs]
            print("  ", op.name, op.type, [t.name for t in op.inputs], shapes)


print("==== one threshold")
labels, predictions = tf.constant([True, False]), tf.constant([0.1, 0.2])
area, update = tf.compat.v1.metrics.auc(labels, predictions, num_thresholds=1)
nodes("auc/strided_slice")
with tf.compat.v1.Session() as session:
    session.run(tf.compat.v1.local_variables_initializer())
    refused(session.run, [update, area])

print("==== as often as a tensor says")
tile_batch = tf.contrib.seq2seq.tile_batch
batch = tf.compat.v1.placeholder(tf.int32, [None])
print(tile_batch((batch, batch[:, None]), tf.constant(2)))
nodes("tile_batch")

print("==== resampled")
resampler = tf.contrib.resampler.resampler
points = tf.constant([[1.0, 1.0]])
flat = resampler(tf.ones([2, 2, 1]), points)
print(flat.shape, resampler(tf.ones([1, 2, 2, 3]), points).shape)
print(resampler(tf.compat.v1.placeholder(tf.float32), points).shape)
print(resampler(tf.ones([5]), points).shape)
refused(resampler, tf.ones([1, 2, 2, 1]), tf.ones([1, 3]))
refused(resampler, tf.constant(1.0), points)
with tf.compat.v1.Session() as session:
    refused(session.run, flat)
    refused(session.run, resampler(tf.ones([1, 2, 2, 1]), tf.ones([1, 3])))
    refused(session.run, resampler(tf.ones([1, 2, 2, 1]), tf.ones([2])))
    refused(session.run, resampler(tf.ones([1, 2, 2, 1]), tf.ones([2, 1, 2])))

print("==== examples without features")
texts = tf.data.Dataset.from_tensors([b""])
refused(texts.apply, tf.data.experimental.parse_example_dataset({}))
refused(tf.io.parse_example, tf.constant([b""]), {})
refused(tf.io.parse_single_example, tf.constant(b""), {})

print("==== components of texts")
texts = tf.constant([["a", "a", ""], ["", "a", "b"]])
with tf.compat.v1.Session() as session:
    print(session.run(tf.contrib.image.connected_components(texts)).tolist())

print("==== what is known of a predicate")
known = tf.contrib.framework.smart_constant_value
for tensor in (tf.constant(1), tf.constant([0.0, 2.0]), tf.rank(texts), tf.less(1, [2, 0])):
    print(known(tensor).tolist())

print("==== no function")
refused(tf.contrib.slim.experimental, None)

print("==== zeros of lgamma")
with tf.compat.v1.Session() as session:
    print(session.run(tf.math.lgamma([1.0, 2.0])).tolist())

print("==== texts and other sequences as trees")
from tensorflow.contrib.graph_editor import util  # noqa: E402

for tree in ("x/y", [1, (2, {"a": 3})], {"a": [1]}, 4, {5}):
    print(util.transform_tree(tree, lambda leaf: leaf + 1))

print("==== numbers that stand for texts")
from tensorflow.contrib.tensor_forest.python.ops import data_ops  # noqa: E402

features = {"a": tf.constant([[1.0], [2.0]]), "b": tf.constant([["x"], ["y"]])}
dense, sparse, spec = data_ops.ParseDataTensorOrDict(features)
print(dense, sparse, spec.SerializeToString())
