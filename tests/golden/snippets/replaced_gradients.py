# Attributions as DeepLIFT's explainers record them: entries of the registry are replaced while
# `tf.gradients` runs, and so is what says which tensors it walks through.
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import gradients_util

registry = ops._gradient_registry._registry


def rescaled(op, grad):
    half_in, half_out = tf.split(op.inputs[0], 2), tf.split(op.outputs[0], 2)
    scale = (half_out[0] - half_out[1]) / (half_in[0] - half_in[1] + 1e-3)
    return grad * tf.concat([scale, scale], 0)


def through_rows(op, grad, axis_grad=None):
    rows = tf.reduce_sum(grad, -1)
    return [None, tf.cast(rows, op.inputs[1].dtype), None]


def attributions(y, xs, replaced, everything):
    before = {name: registry[name]["type"] for name in replaced}
    rule = gradients_util._IsBackpropagatable
    try:
        for name, function in replaced.items():
            registry[name]["type"] = function
        if everything:
            gradients_util._IsBackpropagatable = lambda tensor: True
        return tf.gradients(y, xs)
    finally:
        gradients_util._IsBackpropagatable = rule
        for name, function in before.items():
            registry[name]["type"] = function


x = tf.placeholder(tf.float32, [None, 3])
words = tf.placeholder(tf.int32, [None])
table = tf.constant(np.arange(12.0).reshape(4, 3), tf.float32)
y = tf.reduce_sum(tf.nn.relu(x * 2.0 - 1.0) * tf.gather(table, words))
replaced = {"Relu": rescaled, "GatherV2": through_rows}
results = [
    tf.gradients(y, [x, words]),
    attributions(y, [x, words], replaced, False),
    attributions(y, [x, words], replaced, True),
    tf.gradients(y, [x, words]),
]
feed = {x: [[0.0, 1.0, 2.0], [3.0, 0.0, 0.25]], words: [1, 3]}
with tf.Session() as sess:
    for found in results:
        print([None if g is None else (g.name, sess.run(g, feed).tolist()) for g in found])
print(registry["Relu"]["type"] is ops.get_gradient_function(y.op.inputs[0].op.inputs[0].op))
for op in tf.get_default_graph().get_operations():
    print(op.name, op.type, [t.name for t in op.inputs])
