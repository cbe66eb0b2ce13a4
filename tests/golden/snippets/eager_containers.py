"""Lists that checkpoints hold, and the structures of datasets, in eager execution."""

import copy

import numpy as np
import tensorflow as tf
from tensorflow.python.data.util import convert, nest, structure
from tensorflow.python.training.tracking import base, data_structures, tracking

tf.enable_eager_execution()
Object = tracking.AutoTrackable


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, error)


made = data_structures.List([tf.Variable(1.0, name="v")])
made += [Object()]
for other in (made + [Object()], [Object()] + made, made * 2, 2 * made, made.copy()):
    print(type(other).__name__, [found.name for found in other._checkpoint_dependencies])
print(type(copy.copy(made)).__name__, type(copy.deepcopy(data_structures.List([[1]]))).__name__)
print([name for name in ("append", "pop", "insert", "sort", "clear") if hasattr(made, name)])
try:
    made[0] = 3
except TypeError as error:
    print(error)
holder = Object()
holder.first = Object()
print(base.Trackable()._setattr_tracking, holder._setattr_tracking)
holder._setattr_tracking = False
holder.part = Object()
print([found.name for found in holder._checkpoint_dependencies])

show(nest.map_structure, lambda x: x, (1,), other=3)
show(nest.map_structure, lambda x, y: x + y, (1, 2), (3, 4), check_types=False)
show(structure.type_spec_from_value, (np.ones([2]), np.array(["a"])))
show(convert.partial_shape_to_tensor, tf.constant([1]))
show(convert.partial_shape_to_tensor, tf.constant([[1]], tf.int64))
with tf.Graph().as_default() as graph:
    structure.type_spec_from_value({"a": np.ones([2])})
    print(graph.get_operations())
