"""Queues that feed TPUs, how tensors are divided, and computations for inference: recorded."""

import tensorflow as tf
from tensorflow.python.tpu import tpu, tpu_feed, tpu_sharding

tf.logging.set_verbosity(tf.logging.ERROR)
SHOWN = "shapes dtypes device_ordinal shape dtype layouts".split()


def attempt(function):
    try:
        found = function()
        print(found if isinstance(found, (bool, int, str, list, tuple)) else str(found))
    except Exception as error:
        print(type(error).__name__, error)


def part(label, function):
    print("##", label)
    with tf.Graph().as_default() as graph:
        attempt(function)
    for op in graph.get_operations():
        attrs = op.node_def.attr
        shown = [(k, str(attrs[k])) for k in sorted(attrs) if k in SHOWN or k.startswith("_")]
        text = " ".join(str(shown).replace("\\n", " ").split())
        print(op.type, op.name, op.device, [t.name for t in op.inputs], text)


def split():
    queue = tpu_feed.InfeedQueue(number_of_tuple_elements=2, name="q")
    queue.set_tuple_types([tf.float32, tf.int32])
    queue.set_tuple_shapes([[8, 4], [8]])
    queue.set_shard_dimensions([0, 0])
    queue.set_number_of_shards(4)
    print(queue.number_of_tuple_elements, queue.tuple_types, queue.tuple_shapes)
    print(queue.number_of_shards, [str(p) for p in queue.sharding_policies], queue.shard_dimensions)
    queue.split_inputs_and_generate_enqueue_ops([tf.zeros([8, 4]), tf.zeros([8], tf.int32)])
    return queue.generate_dequeue_op()


def of_shards():
    queue = tpu_feed.InfeedQueue(tuple_types=[tf.float32], tuple_shapes=[[2, 4]])
    shards = [[tf.zeros([2, 4])], [tf.ones([2, 4])]]
    queue.set_configuration_from_sharded_input_tensors(shards)
    host = "/job:w/task:{}/cpu:0".format
    queue.generate_enqueue_ops(
        shards, tpu_ordinal_function=lambda i: i, placement_function=lambda i: host(i)
    )
    return queue.generate_dequeue_op(tpu_device=1)


def uneven():
    queue = tpu_feed.InfeedQueue(1)
    queue.set_configuration_from_input_tensors([tf.zeros([5, 2])])
    queue.set_number_of_shards(2)


def mistakes():
    with tf.device("/cpu:0"):
        a = tf.ones([2, 2])
    with tf.device("/cpu:1"):
        b = tf.ones([2, 2])
    new = tpu_feed.InfeedQueue
    queue = new(1)
    queue.generate_enqueue_ops([[a], [b]])
    numbers = tf.ones([2, 2], tf.int32)
    for function in (
        lambda: new(),
        lambda: new(0),
        lambda: new(2, tuple_types=[tf.int32]),
        lambda: new(2, shard_dimensions=[0, 1]).generate_enqueue_ops([[a, b], [a, a]]),
        lambda: new(1).set_tuple_types([object]),
        lambda: new(1).generate_dequeue_op(),
        lambda: new(1, tuple_types=[tf.int32]).generate_dequeue_op(),
        lambda: new(2).set_configuration_from_input_tensors([a]),
        lambda: new(1).set_configuration_from_sharded_input_tensors([[a, b]]),
        lambda: new(1).set_configuration_from_sharded_input_tensors([[a], [numbers]]),
        lambda: queue.generate_enqueue_ops([[a], [b]]),
        lambda: (queue.generate_dequeue_op(None), queue.generate_dequeue_op()),
        lambda: queue.set_number_of_shards(3),
        lambda: queue.set_tuple_types([tf.int32]),
        lambda: queue.set_tuple_shapes([[3]]),
        lambda: queue.set_shard_dimensions([1]),
    ):
        attempt(function)


def policy():
    one = tpu_sharding.ShardingPolicy()
    print(one, one.number_of_shards, one.shard_dimension, one.get_sharded_shape([3]))
    one.set_number_of_shards(2)
    one.set_shard_dimension(1)
    print(one, one.get_sharded_shape([4, 6]), one.get_unsharded_shape([[4, 3], [4, 3]]))
    for function in (
        lambda: one.get_sharded_shape([4, 5]),
        lambda: one.get_sharded_shape([4, None]),
        lambda: one.get_sharded_shape([4]),
        lambda: one.get_sharded_shape(None),
        lambda: one.get_sharded_shape([4, 6], 2),
        lambda: one.get_unsharded_shape([[4, 3]]),
        lambda: one.get_unsharded_shape([[4, 3], [5, 3]]),
        lambda: one.set_number_of_shards(0),
        lambda: (one.freeze(), one.set_number_of_shards(3)),
        lambda: one.set_shard_dimension(0),
        lambda: one.merge(tpu_sharding.ShardingPolicy()),
    ):
        attempt(function)


def replicated():
    queue = tpu_feed.InfeedQueue(tuple_types=[tf.float32], tuple_shapes=[[4, 2]])
    queue.set_number_of_shards(2)
    found = tf.contrib.tpu.replicate(lambda x: tf.reduce_sum(x), [[], []], infeed_queue=queue)
    queue.split_inputs_and_generate_enqueue_ops([tf.ones([4, 2])])
    return found


def repeated():
    queue = tpu_feed.InfeedQueue(tuple_types=[tf.float32], tuple_shapes=[[4, 2]])

    def step(x, fed):
        return x + tf.reduce_sum(fed)

    def computation():
        return tf.contrib.tpu.repeat(3, step, [0.0], infeed_queue=queue)

    return tf.contrib.tpu.shard(computation, num_shards=1)


def inference():
    attempt(lambda: tpu.validate_inference_rewrite_for_variables(tf.get_default_graph()))

    def computation(x):
        print(tpu.under_tpu_inference_context())
        return x * tf.get_variable("v", [2], initializer=tf.ones_initializer())

    def without_scope(x):
        return x * tf.Variable(1.0, use_resource=True)

    print(tpu.under_tpu_inference_context())
    attempt(lambda: tpu.rewrite_for_inference(computation, [tf.ones([2])]))
    tpu.validate_inference_rewrite_for_variables(tf.get_default_graph())
    attempt(lambda: tpu.rewrite_for_inference(without_scope, [tf.ones([2])]))


for function in (
    split, of_shards, uneven, mistakes, policy, replicated, repeated, inference,
):  # fmt: skip
    part(function.__name__, function)
