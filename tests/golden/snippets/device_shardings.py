"""Which devices have what of a tensor, as the attr that XLA heeds."""

import numpy as np
import tensorflow as tf
from tensorflow.compiler.jit.ops import xla_ops
from tensorflow.compiler.tf2xla.ops import gen_xla_ops
from tensorflow.compiler.xla import xla_data_pb2
from tensorflow.compiler.xla.experimental.xla_sharding import xla_sharding


def case(call):
    try:
        print(call())
    except (AttributeError, IndexError, TypeError, ValueError) as e:
        print(type(e).__name__, e)


def attr(function, *arguments, **keywords):
    tensor = tf.ones([4, 6])
    assert function(tensor, *arguments, **keywords) is tensor
    text = tensor.op.get_attr("_XlaSharding")
    return sorted(text), xla_data_pb2.OpSharding.FromString(text)


case(lambda: attr(xla_sharding.replicate))
case(lambda: attr(xla_sharding.assign_device, 3))
case(lambda: attr(xla_sharding.assign_device, 3, assign_tuple_sharding=True))
case(lambda: attr(xla_sharding.tile, np.array([[0, 1], [2, 3]])))
case(lambda: attr(xla_sharding.split, 1, 2))
case(lambda: attr(xla_sharding.split, 0, 3, assign_tuple_sharding=True))
case(lambda: attr(xla_sharding.split, 0, 8))
case(lambda: attr(xla_sharding.split, 5, 2))
case(lambda: attr(xla_sharding.tile, [1]))
case(lambda: xla_sharding.split(tf.placeholder(tf.float32), 0, 2))
case(lambda: xla_sharding.split(tf.placeholder(tf.float32, [None, 2], name="rows"), 0, 2))
case(lambda: xla_sharding.replicate(3))
sharding = xla_sharding.Sharding
case(lambda: sharding.replicate().proto)
case(lambda: sharding.assign_device(2).proto)
case(lambda: sharding.tile(np.array([[0, 1]])).proto)
case(lambda: sharding.split(tf.ones([4, 3]), 1, 3).proto)
case(lambda: sharding().proto)
case(lambda: sharding.tile((1,)))
pieces = tf.split(tf.ones([4, 6]), 2)
sharding.assign_device(1).apply_to_tensor(pieces[0], assign_tuple_sharding=True)
print(xla_data_pb2.OpSharding.FromString(pieces[1].op.get_attr("_XlaSharding")))
print(gen_xla_ops.xla_replica_id(name="id").op.type, callable(xla_ops.xla_launch))
pieces = tf.split(tf.ones([6, 6]), 3)
for device, index, whole in (
    (1, 1, True),
    (2, 0, True),
    (3, 2, False),
    (4, 0, False),
    (5, 1, True),
):
    sharding.assign_device(device).apply_to_tensor(pieces[index], assign_tuple_sharding=whole)
    print(xla_data_pb2.OpSharding.FromString(pieces[0].op.get_attr("_XlaSharding")))
pieces = tf.split(tf.ones([6, 6]), 3)
for device, index, whole in ((1, 1, False), (2, 0, False), (3, 2, True)):
    sharding.assign_device(device).apply_to_tensor(pieces[index], assign_tuple_sharding=whole)
    print(xla_data_pb2.OpSharding.FromString(pieces[0].op.get_attr("_XlaSharding")))
