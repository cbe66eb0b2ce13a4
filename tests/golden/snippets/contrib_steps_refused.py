"""Small names of tf.contrib: rows that sign optimizers refuse, modules named by their path."""

import tensorflow as tf
import tensorflow.contrib.image.python.ops.dense_image_warp as warping
from tensorflow.contrib.distributions.python.ops import vector_diffeomixture
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

with tf.Graph().as_default() as graph, tf.Session() as session:
    square = vector_diffeomixture.vec_osquare(tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    print([(op.name, op.type, [t.name for t in op.inputs]) for op in graph.get_operations()])
    print(square.shape, session.run(square).tolist())
