"""Every method of the variables that strategies make: outside of the scope, in it, in replicas."""

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
mirrored = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
central = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"])
start = [1.0, 2.0, 3.0]
AGGREGATION = tf.VariableAggregation
with mirrored.scope():
    v = tf.get_variable("v", initializer=start)
    on_read = tf.VariableSynchronization.ON_READ
    r = tf.get_variable(
        "r", initializer=start, synchronization=on_read, aggregation=AGGREGATION.SUM
    )
    i = tf.get_variable("i", initializer=3, aggregation=AGGREGATION.ONLY_FIRST_REPLICA)
with central.scope():
    a = tf.get_variable("a", initializer=start, aggregation=AGGREGATION.SUM)
rows = tf.IndexedSlices(tf.constant([5.0]), tf.constant([0]))
METHODS = {
    "gather_nd": ([[0]],), "sparse_read": ([0],), "load": (np.ones(3, np.float32),),
    "count_up_to": (9,), "set_shape": ([3],), "assign": (start,), "assign_add": (start,),
    "assign_sub": (start,), "from_proto": (None,), "batch_scatter_update": (rows,),
}  # fmt: skip
for kind in "add sub update".split():
    METHODS["scatter_nd_" + kind] = ([[0]], [1.0])
for kind in "add div max min mul sub update".split():
    METHODS["scatter_" + kind] = (rows,)
for name in """
    SaveSliceInfo __iter__ constraint shape dtype name device graph initializer initial_value
    aggregation value read_value is_initialized initialized_value get_shape to_proto values
    experimental_ref primary devices device_map logical_device get distribute_strategy __array__
    numpy _shared_name
""".split():
    METHODS[name] = ()


def said(function):
    try:
        found = function()
    except Exception as error:
        return "{}: {}".format(type(error).__name__, str(error).split("\n")[0])
    if isinstance(found, (str, tf.Tensor, tf.DType, tf.TensorShape)):
        return str(found)
    return found.__name__ if isinstance(found, type) else type(found).__name__


def call(variable, name):
    found = getattr(variable, name)
    return found(*METHODS[name]) if callable(found) and not isinstance(found, type) else found


def walk(where, variable):
    for name in sorted(METHODS):
        print(where, variable.name, name, "|", said(lambda name=name: call(variable, name)))


def in_replica(variable):
    if tf.distribute.get_replica_context().replica_id_in_sync_group == 0:
        for name in sorted(set(METHODS) - {"assign", "assign_add", "assign_sub"}):
            print("replica", variable.name, name, "|", said(lambda name=name: call(variable, name)))


with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})):
    for variable, strategy in ((v, mirrored), (r, mirrored), (i, mirrored), (a, central)):
        print([isinstance(variable, kind) for kind in (tf.Variable, tf.compat.v2.Variable)])
        walk("outside", variable)
        with strategy.scope():
            walk("inside", variable)
            strategy.experimental_run_v2(lambda variable=variable: in_replica(variable))
for op in tf.get_default_graph().get_operations():
    print(op.type, op.name, op.device, [t.name for t in op.inputs])
