"""Optimizers of tf.contrib that step no rows of resource variables; modules named by their path."""

import tensorflow as tf
import tensorflow.contrib.image.python.ops.dense_image_warp as warping
from tensorflow.contrib.tfprof import model_analyzer

for make in (tf.contrib.opt.PowerSignOptimizer, tf.contrib.opt.AddSignOptimizer):
    with tf.Graph().as_default() as graph:
        table = tf.get_variable("table", [3, 2], use_resource=True)
        rows = tf.nn.embedding_lookup(table, [0, 2])
        try:
            make(0.1).minimize(tf.reduce_sum(rows))
        except NotImplementedError as e:
            print(type(e).__name__, e)
        print([op.name for op in graph.get_operations()][-8:])

print(warping.dense_image_warp is tf.contrib.image.dense_image_warp)
print(model_analyzer.advise.__name__)
