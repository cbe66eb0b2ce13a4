"""Trees of a forest as resources of op types of TensorFlow's own: made, saved, and asked."""

import os
import tempfile

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2
from tensorflow.python.ops import gen_tensor_forest_ops, resources, tensor_forest_ops

DENSE = """
nodes { dense_split { feature_id: 0 threshold: 0.5 left_id: 1 right_id: 2 } }
nodes { leaf { vector { value: 0.5 value: 1.0 } } }
nodes { dense_split { feature_id: 1 threshold: -1.0 left_id: 3 right_id: 4 } }
nodes { leaf { vector { value: 0.25 value: 2.0 } } }
nodes { leaf { vector { value: 0.125 value: 3.0 } } }
"""


def serialized(text):
    return text_format.Parse(text, boosted_trees_pb2.Tree()).SerializeToString()


def refused(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, str(error).split("\n\t [[")[0].split("\n")[0])


def nodes():
    for op in tf.compat.v1.get_default_graph().get_operations():
        if op.type != "Const":
            shapes = [str(t.shape) for t in op.outputs]
            print("  ", op.name, op.type, [t.name for t in op.inputs], shapes)


print("==== a forest")
params = type("Params", (), {"n_trees": 2})()
forest = tensor_forest_ops.ForestVariables(params, [serialized(DENSE), ""])
features = tf.constant([[0.0, 0.0], [1.0, -1.0], [1.0, -0.5], [0.5, 9.0]])
ops = gen_tensor_forest_ops
sizes = [ops.tensor_forest_tree_size(forest[i]) for i in range(2)]
found = ops.tensor_forest_tree_predict(forest[0], features, logits_dimension=2)
other = ops.tensor_forest_tree_predict(forest[0], tf.compat.v1.placeholder(tf.float32), 1)
print(forest[0].name, found.shape, other.shape)
nodes()
saver = tf.compat.v1.train.Saver()
path = os.path.join(tempfile.mkdtemp(), "model")
with tf.compat.v1.Session() as session:
    refused(session.run, sizes[0])
    print(session.run(resources.report_uninitialized_resources()).tolist())
    session.run(resources.initialize_resources(resources.shared_resources()))
    print(session.run(resources.report_uninitialized_resources()).tolist())
    print(session.run(sizes), session.run(found).tolist())
    print(session.run(other, {other.op.inputs[1]: [[3.0, 0.0]]}).tolist())
    print(session.run(ops.tensor_forest_tree_serialize(forest[0])) == serialized(DENSE))
    print(repr(session.run(ops.tensor_forest_tree_serialize(forest[1]))))
    saver.save(session, path, write_meta_graph=False)
with tf.compat.v1.Session() as session:
    saver.restore(session, path)
    print(session.run(sizes), session.run(found).tolist())
    replaced = ops.tensor_forest_tree_deserialize(forest[0], serialized("nodes { leaf {} }"))
    session.run(replaced)
    print(session.run(sizes))
    session.run(ops.tensor_forest_create_tree_variable(forest[0], serialized(DENSE)))
    print(session.run(sizes))
    refused(session.run, ops.tensor_forest_tree_deserialize(forest[0], "no tree"))
    refused(session.run, ops.tensor_forest_create_tree_variable(forest[0], "no tree"))

print("==== what is refused")
refused(ops.tensor_forest_tree_predict, forest[0], tf.ones([2]), 1)
refused(ops.tensor_forest_tree_predict, forest[0], tf.ones([2, 2], tf.float64), 1)
refused(ops.tensor_forest_tree_size, tf.constant(1))
