"""Resources without a name that functions make: each function has its own."""

import tensorflow as tf
from tensorflow.python.ops import gen_data_flow_ops

tf.enable_eager_execution()


def pushed():
    queue = gen_data_flow_ops.fifo_queue_v2([tf.float32])
    gen_data_flow_ops.queue_enqueue_v2(queue, [1.0])
    return gen_data_flow_ops.queue_size_v2(queue)


def named():
    queue = gen_data_flow_ops.fifo_queue_v2([tf.float32], shared_name="everyone")
    gen_data_flow_ops.queue_enqueue_v2(queue, [1.0])
    return gen_data_flow_ops.queue_size_v2(queue)


for function in (pushed, named):
    one, other = tf.function(function), tf.function(function)
    for _ in range(3):
        print(function.__name__, one().numpy(), other().numpy())
