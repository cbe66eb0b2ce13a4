"""Mistakes that TensorFlow 1.15 refuses while the graph is recorded; see `error_cases.py`."""

from __future__ import annotations

import numpy as np


def inside(context, function=lambda: None):
    """Calls `function` in a context."""
    with context:
        return function()


def other_graph_tensor(tf, value=1.0):
    with tf.Graph().as_default():
        return tf.constant(value, name="foreign")


def created(tf, op_type, *inputs, **attrs):
    """What `Graph.create_op` makes of inputs, as one float32."""
    return tf.get_default_graph().create_op(op_type, list(inputs), [tf.float32], attrs=attrs)


def twice(tf, **second):
    """Gets a variable of shape [2], and again in the way that `second` says."""
    tf.get_variable("v", [2])
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        return tf.get_variable("v", **dict({"shape": [2]}, **second))


def finalized(tf):
    x = tf.constant(1.0)
    tf.get_default_graph().finalize()
    return x + x


def registered_twice(tf):
    for _ in range(2):
        tf.RegisterGradient("GoldenErrorTwice")(lambda op, grad: grad)


def overridden_gradient(tf, name, function=None, op=None):
    """The gradient of an op (tf.identity) under an override that does not work."""
    if function is not None:
        try:
            tf.RegisterGradient(name)(function)
        except KeyError:
            pass  # registered by an earlier test of this process
    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Identity": name}):
        y = (op or tf.identity)(x)
    return tf.gradients(y, x)


def gradient(tf, function, x, **arguments):
    return tf.gradients(function(x), x, **arguments)


def custom_gradient_of_variable(tf):
    v = tf.get_variable("v", [2])
    return tf.custom_gradient(lambda x: (x * v, lambda dy: dy))(tf.constant(1.0))


def wrong_initializer(tf):
    v = tf.Variable(tf.zeros([2]), name="v")
    return tf.assign(v, tf.zeros([3]))


def loop_shape_changes(tf):
    return tf.while_loop(
        lambda i: tf.reduce_sum(i) < 9, lambda i: tf.concat([i, i], 0), [tf.ones([1])]
    )


def reused_layer(tf):
    layer = tf.layers.Dense(3, name="d")
    layer(tf.ones([2, 4]))
    return layer(tf.ones([2, 5]))


def dense_twice(tf):
    x = tf.ones([2, 4])
    tf.layers.dense(x, 3, name="d")
    return tf.layers.dense(x, 3, name="d")


def import_graph(tf, **arguments):
    tf.constant(1.0, name="a")
    graph_def = tf.get_default_graph().as_graph_def()
    return tf.import_graph_def(graph_def, **arguments)


def placeholder(tf, shape, dtype="float32", name="x"):
    return tf.placeholder(dtype, shape, name)


BUILD = [
    # dtypes
    ("add_int_float", lambda tf: tf.add(tf.constant(1), tf.constant(1.0))),
    ("operator_add_int_float", lambda tf: tf.constant(1) + tf.constant(1.0)),
    ("operator_mul_int_python_float", lambda tf: tf.constant(1) * 1.5),
    ("truediv_int_float", lambda tf: tf.constant(1) / tf.constant(1.0)),
    ("matmul_dtypes", lambda tf: tf.matmul(tf.ones([2, 2]), tf.ones([2, 2], tf.float64))),
    ("matmul_bool", lambda tf: tf.matmul(tf.constant([[True]]), tf.constant([[True]]))),
    ("sigmoid_int", lambda tf: tf.sigmoid(tf.constant(1))),
    ("sqrt_int", lambda tf: tf.sqrt(tf.constant([1, 2]))),
    ("log_python_int", lambda tf: tf.log(1)),
    ("relu_string", lambda tf: tf.nn.relu(tf.constant("a"))),
    ("logical_and_int", lambda tf: tf.logical_and(tf.constant(1), tf.constant(0))),
    ("concat_dtypes", lambda tf: tf.concat([tf.ones([1]), tf.constant([1])], 0)),
    ("stack_dtypes", lambda tf: tf.stack([tf.constant(1.0), tf.constant(1)])),
    ("pack_dtypes_raw", lambda tf: tf.raw_ops.Pack(values=[tf.constant(1.0), tf.constant(1)])),
    ("add_n_dtypes", lambda tf: tf.add_n([tf.constant(1.0), tf.constant(1)])),
    ("add_n_empty", lambda tf: tf.add_n([])),
    ("add_n_not_a_list", lambda tf: tf.add_n(3)),
    ("select_condition_float", lambda tf: tf.where(tf.constant([1.0]), [1.0], [2.0])),
    ("gather_float_indices", lambda tf: tf.gather(tf.ones([3]), tf.constant([1.0]))),
    ("one_hot_float", lambda tf: tf.one_hot(tf.constant([1.0]), 3)),
    ("reduce_sum_float_axis", lambda tf: tf.reduce_sum(tf.ones([2, 3]), 1.5)),
    ("constant_wrong_dtype", lambda tf: tf.constant(1.5, dtype=tf.int32)),
    ("constant_string_as_float", lambda tf: tf.constant("a", dtype=tf.float32)),
    ("constant_float_as_string", lambda tf: tf.constant(1.0, dtype=tf.string)),
    ("constant_none", lambda tf: tf.constant(None)),
    ("constant_none_in_list", lambda tf: tf.constant([1, None])),
    ("constant_mixed_list", lambda tf: tf.constant([1, "a"])),
    ("constant_ragged", lambda tf: tf.constant([[1, 2], [3]])),
    ("constant_object", lambda tf: tf.constant(object)),
    ("convert_none", lambda tf: tf.convert_to_tensor(None)),
    ("convert_dict", lambda tf: tf.convert_to_tensor({"a": 1})),
    ("convert_wrong_dtype", lambda tf: tf.convert_to_tensor(tf.constant(1.0), tf.int32)),
    ("dtype_unknown", lambda tf: tf.as_dtype("float31")),
    ("placeholder_bad_dtype", lambda tf: tf.placeholder("nothing")),
    ("variable_no_value", lambda tf: tf.Variable()),
    ("tensor_as_bool", lambda tf: bool(tf.constant(True))),
    ("tensor_iterated", lambda tf: list(tf.constant([1, 2]))),
    ("tensor_len", lambda tf: len(tf.constant([1, 2]))),
    ("tensor_item_assignment", lambda tf: tf.constant([1, 2]).__setitem__(0, 1)),
    ("tensor_as_array", lambda tf: np.asarray(tf.constant([1, 2]))),
    ("tensor_index_float", lambda tf: tf.ones([3])[1.5]),
    ("tensor_index_too_many", lambda tf: tf.ones([3])[1, 2]),
    ("tensor_index_out_of_range", lambda tf: tf.ones([3])[5]),
    ("tensor_index_two_ellipses", lambda tf: tf.ones([3, 3, 3])[..., 1, ...]),
    ("tensor_missing_attribute", lambda tf: tf.ones([3]).numpy()),
    # shapes
    ("matmul_inner", lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([4, 5]))),
    (
        "matmul_inner_transposed",
        lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([3, 4]), transpose_b=True),
    ),
    ("matmul_rank", lambda tf: tf.matmul(tf.ones([3]), tf.ones([3, 2]))),
    ("matmul_vectors", lambda tf: tf.matmul(placeholder(tf, [None]), tf.ones([3, 2]))),
    ("batch_matmul", lambda tf: tf.matmul(tf.ones([2, 3, 4]), tf.ones([3, 4, 5]))),
    ("add_broadcast", lambda tf: tf.ones([2, 3]) + tf.ones([4])),
    ("add_broadcast_unknown", lambda tf: placeholder(tf, [None, 3]) + tf.ones([2, 4])),
    ("bias_add", lambda tf: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([4]))),
    ("concat_shapes", lambda tf: tf.concat([tf.ones([2, 3]), tf.ones([3, 4])], 0)),
    ("concat_axis", lambda tf: tf.concat([tf.ones([2]), tf.ones([2])], 3)),
    ("concat_scalars", lambda tf: tf.concat([tf.constant(1.0), tf.constant(2.0)], 0)),
    ("stack_shapes", lambda tf: tf.stack([tf.ones([2]), tf.ones([3])])),
    ("stack_axis", lambda tf: tf.stack([tf.ones([2]), tf.ones([2])], axis=4)),
    ("unstack_unknown", lambda tf: tf.unstack(placeholder(tf, [None, 3]))),
    ("unstack_num", lambda tf: tf.unstack(tf.ones([3, 2]), num=4)),
    ("split_uneven", lambda tf: tf.split(tf.ones([3, 5]), 2, axis=1)),
    ("split_sizes", lambda tf: tf.split(tf.ones([5]), [2, 2])),
    ("reshape_size", lambda tf: tf.reshape(tf.ones([2, 3]), [4, 2])),
    ("reshape_minus_one", lambda tf: tf.reshape(tf.ones([2, 3]), [-1, 4])),
    ("reshape_none", lambda tf: tf.reshape(tf.ones([2, 3]), [None, 3])),
    ("transpose_perm", lambda tf: tf.transpose(tf.ones([2, 3]), [0, 1, 2])),
    ("transpose_range", lambda tf: tf.transpose(tf.ones([2, 3]), [0, 5])),
    ("squeeze", lambda tf: tf.squeeze(tf.ones([2, 3]), [0])),
    ("expand_dims", lambda tf: tf.expand_dims(tf.ones([2]), 3)),
    ("tile", lambda tf: tf.tile(tf.ones([2, 3]), [2])),
    ("pad", lambda tf: tf.pad(tf.ones([2, 3]), [[1, 1]])),
    ("strided_slice_zero", lambda tf: tf.ones([3])[::0]),
    ("reduce_axis", lambda tf: tf.reduce_mean(tf.ones([2, 3]), axis=2)),
    ("argmax_axis", lambda tf: tf.argmax(tf.ones([2, 3]), axis=4)),
    ("softmax_axis", lambda tf: tf.nn.softmax(tf.ones([2, 3]), axis=2)),
    ("set_shape", lambda tf: tf.ones([2, 3]).set_shape([2, 4])),
    ("set_shape_rank", lambda tf: placeholder(tf, [None, 3]).set_shape([None])),
    ("shape_as_list_unknown", lambda tf: placeholder(tf, None).get_shape().as_list()),
    ("shape_merge", lambda tf: tf.TensorShape([2, 3]).merge_with([2, 4])),
    ("shape_negative", lambda tf: tf.TensorShape([-2])),
    ("dimension_bad", lambda tf: tf.Dimension("a")),
    ("zeros_none", lambda tf: tf.zeros([None, 3])),
    ("random_none", lambda tf: tf.random_normal([None, 3])),
    ("placeholder_bad_shape", lambda tf: tf.placeholder(tf.float32, ["a"])),
    ("placeholder_with_default", lambda tf: tf.placeholder_with_default([1.0], [2])),
    ("constant_shape_too_few", lambda tf: tf.constant([1, 2, 3], shape=[2])),
    (
        "conv_depth",
        lambda tf: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 5]), [1] * 4, "SAME"),
    ),
    (
        "conv_rank",
        lambda tf: tf.nn.conv2d(tf.ones([4, 4, 3]), tf.ones([2, 2, 3, 5]), [1] * 4, "SAME"),
    ),
    (
        "conv_padding",
        lambda tf: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 5]), [1] * 4, "BAD"),
    ),
    (
        "conv_too_small",
        lambda tf: tf.nn.conv2d(tf.ones([1, 2, 2, 3]), tf.ones([5, 5, 3, 1]), [1] * 4, "VALID"),
    ),
    (
        "conv_data_format",
        lambda tf: tf.nn.conv2d(
            tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 5]), [1] * 4, "SAME", data_format="NHCW"
        ),
    ),
    (
        "sparse_softmax_shapes",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.zeros([3], tf.int32), logits=tf.ones([2, 4])
        ),
    ),
    (
        "sparse_softmax_ranks",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.zeros([3, 1], tf.int32), logits=tf.ones([3, 4])
        ),
    ),
    ("softmax_no_names", lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(tf.ones([2, 3]))),
    (
        "softmax_positional",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 3])),
    ),
    (
        "softmax_shapes",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=tf.ones([2, 3]), logits=tf.ones([2, 4])
        ),
    ),
    (
        "sigmoid_entropy_shapes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.ones([2]), logits=tf.ones([3])
        ),
    ),
    ("losses_shapes", lambda tf: tf.losses.mean_squared_error(tf.ones([2, 3]), tf.ones([3, 2]))),
    ("losses_none", lambda tf: tf.losses.mean_squared_error(None, tf.ones([3, 2]))),
    (
        "losses_weights",
        lambda tf: tf.losses.absolute_difference(
            tf.ones([2, 3]), tf.ones([2, 3]), weights=tf.ones([4])
        ),
    ),
    ("dropout_range", lambda tf: tf.nn.dropout(tf.ones([3]), 1.5)),
    ("dropout_no_prob", lambda tf: tf.nn.dropout(tf.ones([3]))),
    ("dropout_int", lambda tf: tf.nn.dropout(tf.constant([1, 2]), 0.5)),
    ("l2_normalize_axis", lambda tf: tf.nn.l2_normalize(tf.ones([2, 3]), axis=4)),
    ("lookup_empty", lambda tf: tf.nn.embedding_lookup([], [1])),
    ("in_top_k", lambda tf: tf.nn.in_top_k(tf.ones([2, 3]), tf.constant([1.0, 2.0]), 1)),
    ("top_k", lambda tf: tf.nn.top_k(tf.ones([3]), 5)),
    ("einsum", lambda tf: tf.einsum("ij,jk->ik", tf.ones([2, 3]), tf.ones([4, 5]))),
    ("tensordot", lambda tf: tf.tensordot(tf.ones([2, 3]), tf.ones([4, 5]), 1)),
    ("diag_part", lambda tf: tf.diag_part(tf.ones([2, 3]))),
    ("cholesky", lambda tf: tf.cholesky(tf.ones([2, 3]))),
    ("range_delta", lambda tf: tf.range(0, 5, -1)),
    ("meshgrid_indexing", lambda tf: tf.meshgrid([1], [2], indexing="ab")),
    # attrs, names and arguments
    ("raw_missing_argument", lambda tf: tf.raw_ops.MatMul(a=tf.ones([2, 2]))),
    ("raw_positional", lambda tf: tf.raw_ops.Neg(tf.ones([2]))),
    (
        "raw_attr_type",
        lambda tf: tf.raw_ops.MatMul(a=tf.ones([1, 1]), b=tf.ones([1, 1]), transpose_a="yes"),
    ),
    (
        "raw_attr_list",
        lambda tf: tf.raw_ops.MaxPool(
            input=tf.ones([1, 2, 2, 1]), ksize=3, strides=[1] * 4, padding="SAME"
        ),
    ),
    ("raw_attr_allowed", lambda tf: tf.raw_ops.LRN(input=tf.ones([1, 1, 1, 1], tf.float64))),
    ("raw_attr_minimum", lambda tf: tf.raw_ops.RandomShuffle(value=[1], seed="a")),
    ("raw_none_input", lambda tf: tf.raw_ops.Neg(x=None)),
    ("raw_unknown", lambda tf: tf.raw_ops.NoSuchOp(x=1)),
    ("name_invalid", lambda tf: tf.constant(1.0, name="a b")),
    ("name_leading", lambda tf: tf.constant(1.0, name="_a")),
    ("name_scope_invalid", lambda tf: inside(tf.name_scope("a:b"))),
    ("name_scope_leading", lambda tf: inside(tf.name_scope("_a"))),
    ("device_invalid", lambda tf: inside(tf.device("/nothing:x"), lambda: tf.constant(1.0))),
    ("missing_symbol", lambda tf: tf.nothing_here),
    ("missing_submodule_symbol", lambda tf: tf.nn.nothing_here),
    ("unexpected_argument", lambda tf: tf.reduce_sum(tf.ones([2]), nothing=1)),
    ("reduce_both_axes", lambda tf: tf.reduce_sum(tf.ones([2]), axis=0, reduction_indices=0)),
    ("argmax_both_axes", lambda tf: tf.argmax(tf.ones([2]), axis=0, dimension=0)),
    ("random_uniform_int", lambda tf: tf.random_uniform([2], dtype=tf.int32)),
    ("cond_not_callable", lambda tf: tf.cond(tf.constant(True), 1, 2)),
    ("cond_python_bool", lambda tf: tf.cond(True, lambda: 1, lambda: 2)),
    (
        "cond_structures",
        lambda tf: tf.cond(
            tf.constant(True), lambda: tf.constant(1.0), lambda: [tf.constant(1.0)] * 2
        ),
    ),
    (
        "cond_dtypes",
        lambda tf: tf.cond(tf.constant(True), lambda: tf.constant(1.0), lambda: tf.constant(1)),
    ),
    ("cond_none", lambda tf: tf.cond(tf.constant(True), lambda: None, lambda: tf.constant(1))),
    ("while_not_callable", lambda tf: tf.while_loop(1, lambda i: i, [0])),
    ("while_no_variables", lambda tf: tf.while_loop(lambda: True, lambda: None, [])),
    ("while_shape", loop_shape_changes),
    (
        "while_structure",
        lambda tf: tf.while_loop(
            lambda i, j: i < 3, lambda i, j: i + 1, [tf.constant(0), tf.constant(0)]
        ),
    ),
    ("case_exclusive", lambda tf: tf.case([])),
    ("map_fn_not_callable", lambda tf: tf.map_fn(3, tf.ones([2]))),
    ("control_dependencies", lambda tf: inside(tf.control_dependencies([3]))),
    ("group_number", lambda tf: tf.group(3)),
    ("tuple_none", lambda tf: tf.tuple([None])),
    # graphs
    ("other_graph", lambda tf: tf.add(tf.constant(1.0), other_graph_tensor(tf))),
    ("other_graph_operator", lambda tf: other_graph_tensor(tf) + tf.constant(1.0)),
    (
        "other_graph_control",
        lambda tf: inside(tf.control_dependencies([other_graph_tensor(tf).op])),
    ),
    ("finalized", finalized),
    ("tensor_by_name_missing", lambda tf: tf.get_default_graph().get_tensor_by_name("a:0")),
    (
        "tensor_by_name_is_op",
        lambda tf: [tf.constant(1, name="a"), tf.get_default_graph().get_tensor_by_name("a")],
    ),
    (
        "tensor_by_name_index",
        lambda tf: [tf.constant(1, name="a"), tf.get_default_graph().get_tensor_by_name("a:3")],
    ),
    ("tensor_by_name_number", lambda tf: tf.get_default_graph().get_tensor_by_name(3)),
    ("tensor_by_name_malformed", lambda tf: tf.get_default_graph().get_tensor_by_name("a:b:c")),
    ("operation_by_name_missing", lambda tf: tf.get_default_graph().get_operation_by_name("a")),
    (
        "operation_by_name_is_tensor",
        lambda tf: [tf.constant(1, name="a"), tf.get_default_graph().get_operation_by_name("a:0")],
    ),
    ("graph_element", lambda tf: tf.get_default_graph().as_graph_element(3.5)),
    ("attr_missing", lambda tf: tf.constant(1.0).op.get_attr("nothing")),
    ("collection_name", lambda tf: tf.get_default_graph().add_to_collections(3, 4)),
    ("create_op_unknown", lambda tf: tf.get_default_graph().create_op("NoSuchOp", [], [])),
    ("import_input_missing", lambda tf: import_graph(tf, input_map={"b:0": tf.constant(1.0)})),
    ("import_return_missing", lambda tf: import_graph(tf, return_elements=["b:0"])),
    ("import_not_a_graph_def", lambda tf: tf.import_graph_def("text")),
    ("default_session_missing", lambda tf: tf.constant(1.0).eval()),
    ("run_op_without_session", lambda tf: tf.no_op().run()),
    ("nested_reset", lambda tf: inside(tf.Graph().as_default(), tf.reset_default_graph)),
    # variables
    ("variable_exists", lambda tf: [tf.get_variable("v", [2]), tf.get_variable("v", [2])]),
    (
        "variable_missing",
        lambda tf: inside(tf.variable_scope("s", reuse=True), lambda: tf.get_variable("v", [2])),
    ),
    ("variable_wrong_shape", lambda tf: twice(tf, shape=[3])),
    ("variable_wrong_dtype", lambda tf: twice(tf, dtype=tf.float64)),
    ("variable_rank_reused", lambda tf: twice(tf, shape=[2, 1])),
    ("variable_no_shape", lambda tf: tf.get_variable("v")),
    ("variable_partial_shape", lambda tf: tf.get_variable("v", [None, 2])),
    ("variable_shape_and_constant", lambda tf: tf.get_variable("v", [2], initializer=tf.ones([2]))),
    (
        "variable_initializer_dtype",
        lambda tf: tf.get_variable("v", dtype=tf.int32, initializer=tf.ones([2])),
    ),
    ("variable_unknown_value_shape", lambda tf: tf.Variable(placeholder(tf, [None]))),
    ("variable_none", lambda tf: tf.Variable(None)),
    (
        "variable_in_loop",
        lambda tf: tf.while_loop(
            lambda i: i < 3, lambda i: i + tf.Variable(tf.identity(i)), [tf.constant(0)]
        ),
    ),
    ("variable_collections", lambda tf: tf.Variable(1.0, collections="text")),
    ("variable_iterated", lambda tf: list(tf.Variable([1, 2]))),
    ("assign_shape", wrong_initializer),
    ("assign_dtype", lambda tf: tf.assign(tf.Variable(1.0, name="v"), 1j)),
    ("assign_tensor", lambda tf: tf.assign(tf.constant(1.0), 2.0)),
    (
        "resource_assign_shape",
        lambda tf: tf.get_variable("r", [2], use_resource=True).assign(tf.ones([3])),
    ),
    ("scope_none", lambda tf: inside(tf.variable_scope(None))),
    ("scope_number", lambda tf: inside(tf.variable_scope(3))),
    ("scope_initializer", lambda tf: tf.get_variable("v", [2], initializer="zeros")),
    ("initializer_bad_mode", lambda tf: tf.variance_scaling_initializer(mode="fan")),
    ("initializer_bad_scale", lambda tf: tf.variance_scaling_initializer(scale=-1.0)),
    (
        "initializer_int",
        lambda tf: tf.get_variable("v", [2], tf.int32, tf.random_normal_initializer()),
    ),
    (
        "initializer_orthogonal_rank",
        lambda tf: tf.get_variable("v", [2], initializer=tf.orthogonal_initializer()),
    ),
    (
        "initializer_constant_size",
        lambda tf: tf.get_variable("v", [2], initializer=tf.constant_initializer([1.0, 2.0, 3.0])),
    ),
    ("regularizer_negative", lambda tf: tf.contrib.layers.l2_regularizer(-1.0)),
    ("saver_empty", lambda tf: tf.train.Saver()),
    ("saver_bad_list", lambda tf: tf.train.Saver([tf.constant(1.0)])),
    ("layer_input_shape", reused_layer),
    ("layer_name_exists", dense_twice),
    ("layer_unknown_depth", lambda tf: tf.layers.dense(placeholder(tf, [2, None]), 3)),
    ("layer_rank", lambda tf: tf.layers.conv2d(tf.ones([2, 3]), 3, 3)),
    ("layer_argument", lambda tf: tf.layers.dense(tf.ones([2, 3]), 3, nothing=1)),
    ("rnn_no_dtype", lambda tf: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), tf.ones([2, 5, 4]))),
    ("rnn_cell_type", lambda tf: tf.nn.dynamic_rnn(3, tf.ones([2, 5, 4]), dtype=tf.float32)),
    # gradients and optimisers
    ("gradient_registered_twice", registered_twice),
    ("gradient_not_callable_name", lambda tf: tf.RegisterGradient(3)),
    ("gradient_not_registered", lambda tf: overridden_gradient(tf, "GoldenErrorNothing")),
    (
        "gradient_of_resize",
        lambda tf: gradient(tf, lambda x: tf.image.resize_area(x, [4, 4]), tf.ones([1, 2, 2, 3])),
    ),
    (
        "gradient_count",
        lambda tf: overridden_gradient(tf, "GoldenErrorCount", lambda op, grad: [grad, grad]),
    ),
    (
        "gradient_shape",
        lambda tf: overridden_gradient(tf, "GoldenErrorShape", lambda op, grad: tf.ones([3])),
    ),
    (
        "gradient_ys_shape",
        lambda tf: tf.gradients(tf.ones([2]), tf.ones([2]), grad_ys=[tf.ones([2]), tf.ones([2])]),
    ),
    (
        "gradient_ys_dtype",
        lambda tf: gradient(tf, lambda x: x * 2.0, tf.ones([2]), grad_ys=tf.constant([1, 2])),
    ),
    ("gradient_of_string", lambda tf: tf.gradients(tf.constant("a"), tf.constant("b"))),
    ("gradient_of_none", lambda tf: tf.gradients(None, tf.constant(1.0))),
    ("gradient_to_none", lambda tf: tf.gradients(tf.constant(1.0), [None])),
    ("gradient_other_graph", lambda tf: tf.gradients(tf.constant(1.0), other_graph_tensor(tf))),
    ("gradient_complex", lambda tf: gradient(tf, lambda x: x * x, tf.constant(1j))),
    (
        "gradient_unconnected",
        lambda tf: tf.gradients(tf.constant(1.0), tf.constant(1.0), unconnected_gradients="some"),
    ),
    (
        "gradient_override_not_a_dict",
        lambda tf: inside(tf.get_default_graph().gradient_override_map([1])),
    ),
    (
        "gradient_override_not_strings",
        lambda tf: inside(tf.get_default_graph().gradient_override_map({1: "a"})),
    ),
    (
        "gradient_override_value",
        lambda tf: inside(tf.get_default_graph().gradient_override_map({"a": 1})),
    ),
    (
        "custom_gradient_kwargs",
        lambda tf: tf.custom_gradient(lambda x, k=1: (x, lambda d: d))(tf.constant(1.0), k=2),
    ),
    ("custom_gradient_no_function", lambda tf: tf.custom_gradient(lambda x: x)(tf.constant(1.0))),
    ("custom_gradient_uses_variable", custom_gradient_of_variable),
    ("stop_gradient_none", lambda tf: tf.stop_gradient(None)),
    (
        "optimizer_no_variables",
        lambda tf: tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0)),
    ),
    (
        "optimizer_no_gradients",
        lambda tf: tf.train.GradientDescentOptimizer(0.1).minimize(
            tf.constant(1.0), var_list=[tf.Variable(1.0)]
        ),
    ),
    (
        "optimizer_apply_nothing",
        lambda tf: tf.train.GradientDescentOptimizer(0.1).apply_gradients([]),
    ),
    (
        "optimizer_apply_none",
        lambda tf: tf.train.GradientDescentOptimizer(0.1).apply_gradients(
            [(None, tf.Variable(1.0, name="v"))]
        ),
    ),
    (
        "optimizer_apply_tensor",
        lambda tf: tf.train.GradientDescentOptimizer(0.1).apply_gradients(
            [(tf.constant(1.0), tf.constant(1.0))]
        ),
    ),
    ("optimizer_int_loss", lambda tf: tf.train.AdamOptimizer().minimize(tf.Variable(1) * 2)),
    (
        "optimizer_gate",
        lambda tf: tf.train.AdamOptimizer().minimize(tf.Variable(1.0) * 2.0, gate_gradients=7),
    ),
    (
        "optimizer_rate_shape",
        lambda tf: tf.train.GradientDescentOptimizer(tf.ones([2])).minimize(tf.Variable(1.0) * 2.0),
    ),
    ("clip_not_a_list", lambda tf: tf.clip_by_global_norm(tf.constant(1.0), 1.0)),
    ("clip_by_value_shape", lambda tf: tf.clip_by_value(tf.ones([2]), tf.ones([3]), 1.0)),
    ("exponential_decay_step", lambda tf: tf.train.exponential_decay(0.1, None, 1, 0.9)),
    (
        "piecewise_lengths",
        lambda tf: tf.train.piecewise_constant(tf.constant(1), [1, 2], [0.1, 0.2]),
    ),
    (
        "global_step_twice",
        lambda tf: [tf.train.create_global_step(), tf.train.create_global_step()],
    ),
    (
        "moving_average_int",
        lambda tf: tf.train.ExponentialMovingAverage(0.9).apply([tf.Variable(1)]),
    ),
    ("assert_static", lambda tf: tf.assert_equal(tf.constant(1), tf.constant(2))),
    ("assert_rank", lambda tf: tf.assert_rank(tf.ones([2]), 2, message="what I expected")),
    ("assert_type", lambda tf: tf.assert_type(tf.ones([2]), tf.int32)),
    ("sparse_rank", lambda tf: tf.SparseTensor([[0]], [1, 2], [3])),
    ("sparse_added", lambda tf: tf.SparseTensor([[0]], [1], [3]) + 1),
    ("py_func_not_callable", lambda tf: tf.py_func(3, [1.0], tf.float32)),
    ("summary_wrong_dtype", lambda tf: tf.summary.scalar("s", tf.constant("text"))),
    ("dataset_shapes", lambda tf: tf.data.Dataset.from_tensor_slices((np.ones(2), np.ones(3)))),
    ("add_n_none", lambda tf: tf.add_n(None)),
    ("scatter_on_a_tensor", lambda tf: tf.scatter_update(tf.constant([1, 2]), [0], [1.5])),
    ("unstack_out_of_range", lambda tf: tf.unstack([1, 2], 10**20)),
    ("strides_out_of_range", lambda tf: tf.nn.max_pool(tf.ones([1, 4, 4, 1]), 2, 10**20, "SAME")),
    ("placeholder_out_of_range", lambda tf: tf.placeholder(tf.float32, 10**20)),
    ("placeholder_shape_tensor", lambda tf: tf.placeholder(tf.float32, tf.ones([1]))),
    ("constant_shape_tensor", lambda tf: tf.constant(0.0, shape=tf.shape([1, 2]))),
    ("shape_of_a_tensor", lambda tf: tf.TensorShape(tf.constant([1, 2]))),
    ("eye_fraction", lambda tf: tf.eye(3.5)),
    ("piecewise_no_values", lambda tf: tf.train.piecewise_constant(tf.constant(1), [1], [])),
    (
        "weighted_cross_entropy_shapes",
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(tf.ones([2, 2]), tf.ones([2]), 2.0),
    ),
    (
        "softmax_of_a_scalar",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(labels=1.0, logits=1.0),
    ),
    ("py_func_no_list", lambda tf: tf.py_func(lambda x: x, 7, tf.float32)),
    ("cast_a_type", lambda tf: tf.cast(tf.int32, tf.float32)),
    ("dataset_iterated", lambda tf: iter(tf.data.Dataset.range(3))),
    (
        "create_op_inputs_differ",
        lambda tf: created(tf, "Add", tf.constant(1.0), tf.constant(1)),
    ),
    ("create_op_too_few", lambda tf: created(tf, "Add", tf.constant(1.0))),
    ("create_op_missing_attr", lambda tf: created(tf, "Cast", tf.constant(1.0))),
    (
        "create_op_kind_of_attr",
        lambda tf: created(tf, "Cast", tf.constant(1.0), DstT=tf.AttrValue(i=3)),
    ),
    (
        "create_op_no_such_attr",
        lambda tf: created(tf, "Identity", tf.constant(1.0), foo=tf.AttrValue(i=3)),
    ),
    (
        "create_op_attr_differs",
        lambda tf: created(tf, "Identity", tf.constant(1), T=tf.AttrValue(type=1)),
    ),
    ("create_op_not_allowed", lambda tf: created(tf, "Neg", tf.constant("a"))),
    ("operation_without_a_name", lambda tf: tf.identity(1.0, name="")),
    ("variable_without_a_name", lambda tf: tf.get_variable("", [1])),
    # Of two mistakes, the one that TF sees first.
    (
        "batch_matmul_inner",
        lambda tf: tf.matmul(tf.ones([2, 3, 4]), tf.ones([3, 5, 5])),
    ),
    ("bincount_size", lambda tf: tf.bincount([1, 2], maxlength=[3])),
    (
        "bincount_fed_size",
        lambda tf: tf.bincount([1, 2], maxlength=tf.placeholder(tf.int32, [1])),
    ),
    (
        "batch_to_space_rank",
        lambda tf: tf.batch_to_space_nd(tf.zeros([4]), [3, 2], [1]),
    ),
    (
        "fake_quant_gradients",
        lambda tf: tf.fake_quant_with_min_max_vars_per_channel_gradient(
            tf.zeros([2, 3]), tf.zeros([3, 3]), [0.0] * 3, [1.0] * 3
        ),
    ),
    (
        "cond_without_a_branch",
        lambda tf: tf.cond(tf.constant(True), false_fn=lambda: 1, fn2=lambda: 2),
    ),
    ("nameless_of_wrong_type", lambda tf: tf.ceil(tf.constant(1), name="")),
    # By the names of the Python function.
    ("squeeze_axis_of_text", lambda tf: tf.squeeze([1.0], "a")),
    ("squeeze_axis_no_list", lambda tf: tf.raw_ops.Squeeze(input=[1.0], axis=3)),
    (
        "depthwise_strides",
        lambda tf: tf.nn.depthwise_conv2d_native(
            tf.zeros([1, 5, 5, 1]), tf.zeros([2, 2, 1, 1]), [1, 2, 2], "SAME"
        ),
    ),
    (
        "two_hints",
        lambda tf: tf.convert_to_tensor(1, preferred_dtype=tf.int32, dtype_hint=tf.int32),
    ),
]
