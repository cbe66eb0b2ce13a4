"""Functional control flow and lists of tensors in runs that fail, as cases of `flow_v2_cases`."""

from __future__ import annotations


def _of_lists(tf):
    from tensorflow.python.ops import list_ops

    return list_ops


def _functional(tf):
    from tensorflow.python.ops import functional_ops

    return functional_ops


def _fed(tf, value):
    return tf.placeholder_with_default(value, None)


def _list(tf, *values, **kwargs):
    found = _of_lists(tf).empty_tensor_list(kwargs.get("shape"), tf.float32, kwargs.get("limit"))
    for value in values:
        found = tf.raw_ops.TensorListPushBack(input_handle=found, tensor=_fed(tf, value))
    return found


def _stack(tf, list_, **kwargs):
    return _of_lists(tf).tensor_list_stack(list_, tf.float32, **kwargs)


def _item(tf, list_, index, shape=None):
    return _of_lists(tf).tensor_list_get_item(list_, _fed(tf, index), tf.float32, shape)


def _reserve(tf, shape, size):
    return _of_lists(tf).tensor_list_reserve(shape, size, tf.float32)


def _set(tf, list_, index, value):
    return _of_lists(tf).tensor_list_set_item(list_, _fed(tf, index), _fed(tf, value))


def _for(tf, *bounds):
    from tensorflow.python.framework import function

    @function.Defun(tf.int32, tf.float32)
    def add(i, a):
        return a + tf.cast(i, tf.float32)

    return _functional(tf).For(*[_fed(tf, bound) for bound in bounds], inputs=[1.0], body=add)


FAILING = {
    "pop_empty": lambda tf: _of_lists(tf).tensor_list_pop_back(_list(tf), tf.float32)[1],
    "push_full": lambda tf: _stack(tf, _list(tf, 1.0, 2.0, limit=1)),
    "push_shape": lambda tf: _stack(tf, _list(tf, [1.0, 2.0], shape=[3])),
    "stack_shapes": lambda tf: _stack(tf, _list(tf, [1.0, 2.0], [1.0])),
    "stack_empty": lambda tf: _stack(tf, _list(tf)),
    "stack_count": lambda tf: _stack(tf, _list(tf, [1.0]), num_elements=3),
    "stack_reserved": lambda tf: _stack(tf, _reserve(tf, None, 2)),
    "get_outside": lambda tf: _item(tf, _list(tf, 1.0), 1),
    "get_negative": lambda tf: _item(tf, _list(tf, 1.0), -1),
    "get_unset": lambda tf: _item(tf, _reserve(tf, None, 2), 1),
    "set_outside": lambda tf: _stack(tf, _set(tf, _reserve(tf, [], 2), 2, 1.0)),
    "set_shape": lambda tf: _stack(tf, _set(tf, _reserve(tf, [3], 2), 0, [1.0, 2.0])),
    "gather_outside": lambda tf: _of_lists(tf).tensor_list_gather(
        _list(tf, 1.0), [0, 2], tf.float32
    ),
    "gather_nothing": lambda tf: _of_lists(tf).tensor_list_gather(
        _list(tf, 1.0), tf.zeros([0], tf.int32), tf.float32
    ),
    "concat_scalars": lambda tf: _of_lists(tf).tensor_list_concat(_list(tf, 1.0), tf.float32),
    "concat_empty": lambda tf: _of_lists(tf).tensor_list_concat(_list(tf), tf.float32),
    "concat_shapes": lambda tf: _of_lists(tf).tensor_list_concat(
        _list(tf, [[1.0, 2.0]], [[1.0]]), tf.float32
    ),
    "split_unused": lambda tf: _item(
        tf, _of_lists(tf).tensor_list_split(tf.ones([3]), None, tf.constant([1, 1], tf.int64)), 0
    ),
    "split_beyond": lambda tf: _item(
        tf, _of_lists(tf).tensor_list_split(tf.ones([3]), None, tf.constant([1, 5], tf.int64)), 0
    ),
    "resize_negative": lambda tf: _stack(
        tf, tf.raw_ops.TensorListResize(input_handle=_list(tf, 1.0), size=_fed(tf, -1))
    ),
    "scatter_outside": lambda tf: _stack(
        tf,
        tf.raw_ops.TensorListScatterV2(
            tensor=[1.0, 2.0], indices=[2, 0], element_shape=tf.zeros([0], tf.int32), num_elements=2
        ),
    ),
    "scatter_negative": lambda tf: _stack(
        tf, _of_lists(tf).tensor_list_scatter([1.0, 2.0], [-2, 0], element_shape=[])
    ),
    "scatter_count": lambda tf: _stack(
        tf, _of_lists(tf).tensor_list_scatter([1.0, 2.0], [0], element_shape=[])
    ),
    # In this order: TensorFlow sorts what a graph adds up by names before it says which differ.
    "sum_of_lengths": lambda tf: _stack(tf, tf.add_n([_list(tf), _list(tf, 1.0)])),
    "optional_empty": lambda tf: tf.raw_ops.OptionalGetValue(
        optional=tf.raw_ops.OptionalNone(), output_types=[tf.float32], output_shapes=[[]]
    ),
    "optional_dtype": lambda tf: tf.raw_ops.OptionalGetValue(
        optional=tf.raw_ops.OptionalFromValue(components=[1.0]),
        output_types=[tf.int32],
        output_shapes=[[]],
    ),
    "optional_shape": lambda tf: tf.raw_ops.OptionalGetValue(
        optional=tf.raw_ops.OptionalFromValue(components=[1.0]),
        output_types=[tf.float32],
        output_shapes=[[2]],
    ),
    "fetch_list": lambda tf: _list(tf),
    "fetch_if": lambda tf: tf.cond(tf.constant(True), lambda: 1, lambda: 2).op.inputs[0],
    "for_no_step": lambda tf: _for(tf, 0, 2, 0),
    "for_wrong_way": lambda tf: _for(tf, 2, 0, 1),
    "for_wrong_way_down": lambda tf: _for(tf, 0, 2, -1),
    "for_vector": lambda tf: _for(tf, [0], 2, 1),
    "for_vector_limit": lambda tf: _for(tf, 0, [2], 1),
    "for_vector_delta": lambda tf: _for(tf, 0, 2, [1]),
    "for_nothing": lambda tf: _for(tf, 2, 2, 1),
    "case_without": lambda tf: tf.case(
        [(_fed(tf, False), lambda: 1), (_fed(tf, False), lambda: 2)]
    ),
}
