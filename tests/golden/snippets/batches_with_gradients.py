"""`batch_function_v1`: what a function does with the rows of several runs, with gradients."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib.batching.python.ops import batch_ops

x = tf.placeholder(tf.float32, [None, 2], name="x")


@batch_ops.batch_function_v1(1, 10, 100000)
def doubled(rows):
    return rows * 2.0


@batch_ops.batch_function_v1(
    2, 8, 1000, allowed_batch_sizes=[4, 8], grad_timeout_micros=5, unbatch_timeout_micros=7
)
def sum_and_difference(a, b):
    return a + b, a - b


one = doubled(x)
both = sum_and_difference(x, one)
gradient = tf.gradients(one, x)
try:
    doubled(np.ones(2, "float32"))
except ValueError as error:
    print(error)
for op in tf.get_default_graph().get_operations():
    attrs = sorted((key, str(value)) for key, value in op.node_def.attr.items())
    shown = attrs if op.type in ("Batch", "Unbatch", "UnbatchGrad") else ""
    print(op.type, op.name, [i.name for i in op.inputs], shown)
with tf.Session() as session:
    for value in session.run([one, both, gradient], {x: [[1, 2.0]]}):
        print(np.asarray(value).tolist())
