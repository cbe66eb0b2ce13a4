"""Private helpers of TF's modules that its own tests, and libraries, call."""

import os

import tensorflow as tf
from tensorflow.python.compat import compat
from tensorflow.python.distribute import all_reduce as ar
from tensorflow.python.eager import context
from tensorflow.python.layers import base as base_layers
from tensorflow.python.ops import summary_ops_v2, template, tensor_array_grad
from tensorflow.python.ops.ragged import ragged_factory_ops
from tensorflow.python.util import decorator_utils


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except (AssertionError, KeyError, RuntimeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


def nodes(make, *args):
    with tf.Graph().as_default() as graph:
        try:
            print(make(*args))
        except (AssertionError, ValueError) as error:
            print(type(error).__name__, error)
        for op in graph.get_operations():
            print(
                "", op.name, op.type, op.device, [t.name for t in op.inputs], op.colocation_groups()
            )


for doc in [None, "", "One.\n\n   Two  \n     Three.\n\n", "\n\n  One.\n\tTwo.\n  ", "  One. "]:
    show(lambda text: repr(decorator_utils._normalize_docstring(text)), doc)

day = compat._FORWARD_COMPATIBILITY_HORIZON
show(compat.forward_compatible, day.year, day.month, day.day)
os.environ[compat._FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME] = "1"
show(compat.forward_compatible, day.year, day.month, day.day)
compat._update_forward_compatibility_date_number()
show(compat.forward_compatible, day.year, day.month, day.day)
with compat.forward_compatibility_horizon(2018, 2, 3):
    show(lambda: [compat.forward_compatible(2018, 2, last) for last in (2, 3, 31)])
show(compat.forward_compatible, day.year, day.month, day.day)
del os.environ[compat._FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME]
compat._update_forward_compatibility_date_number()

for lists in [3, [], [[], [1]], [[[]], []], [1, [2]], (1, (2, [])), [[1, 2], [3]]]:
    show(ragged_factory_ops._find_scalar_and_max_depth, lists)
for lists, rank in [([[[]]], 1), ([[[1, 2]], [[3, 4]]], 1), ([[1], [2]], 2), ([[[1], [2, 3]]], 1)]:
    show(ragged_factory_ops._default_inner_shape_for_pylist, lists, rank)

show(template._skip_common_stack_elements, ["a", "b", "c"], ["a", "d"])
show(template._skip_common_stack_elements, ["a", "b"], ["a", "b", "c"])
scopes = tf.placeholder(tf.float32, name="outer/gradients_2/gradients/x")
show(tensor_array_grad._GetGradSource, scopes)
show(tensor_array_grad._GetGradSource, scopes.op)
show(tensor_array_grad._GetGradSource, tf.constant(1, name="none"))

one = tf.constant(1.0, name="one")
tf.add_to_collection("old", one)
base_layers._add_elements_to_collection([one, [scopes, scopes]], ["old", ["new"]])
show(lambda: [[t.name for t in tf.get_collection(key)] for key in ("old", "new")])
with context.eager_mode():
    show(base_layers._add_elements_to_collection, [1], ["x"])
    show(lambda: summary_ops_v2._should_record_summaries_v2().numpy())
    show(lambda: summary_ops_v2.should_record_summaries().numpy())
    show(lambda: summary_ops_v2._should_record_summaries_internal(True).numpy())
show(base_layers._is_in_keras_style_scope)
with base_layers.keras_style_scope():
    show(base_layers._is_in_keras_style_scope)


def vector(length, device="/cpu:0", value=1.0):
    with tf.device(device):
        return tf.constant([value] * length)


for pair in [(0, [0]), (1, [0, 1, 2]), (2, [2, 0, 1])]:
    for parts in (1, 2, 3, 4):
        show(ar._ring_permutations, pair[0], parts, pair[1])
nodes(lambda: [ar._padded_split(vector(5), n) for n in (2, 5, 7)])
nodes(lambda: ar._padded_split(tf.ones([2, 2]), 2))
nodes(lambda: [ar._ragged_split(vector(5), n) for n in (2, 3, 5)])
nodes(lambda: ar._ragged_split(tf.ones([2, 2]), 2))
nodes(lambda: ar._strip_padding([vector(5), vector(5)], 2))
for bad in [[], [tf.ones([2, 2])], [tf.ones([1])]]:
    nodes(ar._strip_padding, bad, 2)
nodes(lambda: ar._flatten_tensors([tf.ones([2, 2]), tf.placeholder(tf.float32, [None, 2])]))
nodes(lambda: ar._flatten_tensors([vector(2), vector(2)]))
nodes(lambda: ar._flatten_tensors([tf.placeholder(tf.float32, [None])]))
nodes(lambda: ar._flatten_tensors([]))
nodes(lambda: ar._reshape_tensors([vector(4)], tf.TensorShape([2, 2])))
devices = ["/job:w/task:%d/cpu:0" % n for n in range(4)]
show(ar._split_by_task, devices[:2] + devices[:1], "abc")
show(ar._split_by_task, devices, [1])
show(ar._split_by_task, ["/cpu:0"], [1])


def ring(parts):
    tensors = [vector(8, device) for device in devices[:2]]
    before, places = ar._ring_permutations(1, parts, [0, 1])
    chunks, padding = ar._build_ring_gather(tensors, devices, parts, before, places, tf.add)
    chunks = ar._apply_unary_to_chunks(tf.negative, chunks)
    return padding, ar._build_ring_scatter(before, places, chunks)


nodes(ring, 1)
nodes(ring, 2)
nodes(lambda: ar._build_ring_gather([], [], 1, [], [], tf.add))
nodes(lambda: ar._build_ring_gather([tf.ones([2, 2])] * 2, devices[:2], 1, [], [], tf.add))
nodes(lambda: ar._build_ring_scatter([], [], [[vector(1)] * 3] * 2))


def halves():
    tensors = [vector(4, device) for device in devices]
    parts = ar._build_recursive_hd_gather(tensors, devices, tf.add)
    return ar._build_recursive_hd_scatter(parts, devices)


nodes(halves)
nodes(lambda: ar._build_recursive_hd_gather([vector(2)] * 3, devices[:3], tf.add))
nodes(lambda: ar._build_shuffle_gather([vector(4), vector(4)], devices[:3], tf.add_n, tf.negative))
nodes(lambda: ar._build_shuffle_scatter([vector(4), vector(2)], devices[:2]))
