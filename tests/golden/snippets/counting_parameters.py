import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28, 1])
net = tf.layers.conv2d(x, 32, 5, activation=tf.nn.relu)
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.batch_normalization(net, training=True)
net = tf.layers.dense(tf.layers.flatten(net), 10)
total = 0
for variable in tf.trainable_variables():
    shape = variable.get_shape()
    count = 1
    for dim in shape:
        count *= dim.value
    print(variable.name, shape, count)
    total += count
print(total, np.sum([np.prod(v.get_shape().as_list()) for v in tf.trainable_variables()]))
print(net)
print(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
for op in tf.get_default_graph().get_operations():
    if op.type in ("Conv2D", "MaxPool", "FusedBatchNorm", "FusedBatchNormV3", "MatMul"):
        print(op.name, op.type, [i.name for i in op.inputs])
