"""What TF's tests of strategies call: checks of variables' places, predictions put together."""

import numpy as np
import tensorflow as tf
from tensorflow.python.distribute import values
from tensorflow.python.keras.engine import training_v2


def show(function, *args):
    try:
        print(function(*args))
    except ValueError as error:
        print(type(error).__name__, str(error).partition("<")[0].partition("created")[0])


strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
other = tf.distribute.OneDeviceStrategy("/cpu:0")
with strategy.scope():
    mirrored = tf.compat.v1.get_variable("mirrored", [])
with other.scope():
    single = tf.compat.v1.get_variable("single", [])
for check in (values.validate_colocate, values.validate_colocate_distributed_variable):
    for variable in (mirrored, single, 3):
        for of in (strategy, other):
            show(check, variable, of.extended)
for pair in [("/cpu:0", "/device:CPU:0"), ("/cpu:0", "/cpu:1"), ("/gpu:0", "/job:localhost/gpu:0")]:
    show(values._devices_match, *pair)


class Thing(object):
    num_replicas_in_sync = 2
    outputs = ["a", "b"]


parts = [np.full([2, 3], i) for i in range(4)]
show(training_v2._aggregate_predict_results, Thing, parts, Thing)
Thing.outputs = ["a"]
Thing.num_replicas_in_sync = 1
show(training_v2._aggregate_predict_results, Thing, parts[0], Thing)
sparse = [tf.SparseTensor([[0, i]], [i], [1, 3]) for i in range(2)]
Thing.num_replicas_in_sync = 2
with tf.compat.v1.Session() as session:
    (joined,) = training_v2._aggregate_predict_results(Thing, sparse, Thing)
    show(session.run, joined)
