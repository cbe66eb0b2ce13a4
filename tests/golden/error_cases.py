"""Mistakes and what TensorFlow 1.15 says about them.

`CASES` is a table of (id, function of the `tensorflow` module that must raise). Every function runs
with an empty default graph. `BUILD` cases raise while the graph is recorded, `RUN` cases in a
session.
"""

from __future__ import annotations

import numpy as np
from build_error_cases import BUILD, other_graph_tensor


def run(tf, build, feed=None, initialize=False):
    """Runs what `build()` returns, its feeds by name; variables are initialised on request."""
    tf.no_op(name="first")  # a session refuses an empty graph before it looks at the fetches
    fetches = build()
    with tf.Session() as sess:
        if initialize:
            sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


def fed_variable(tf):
    variable = tf.get_variable("v", [], use_resource=False)
    run(tf, lambda: tf.assign_add(variable, 1.0), {"v:0": 1.0})


def feature(tf, values):
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def examples(tf, one=False, **features):
    """Parses an Example for two int64 features: one value of `a`, pairs of `b`."""
    message = {name: feature(tf, values) for name, values in features.items()}
    example = tf.train.Example(features=tf.train.Features(feature=message))
    text = example.SerializeToString(deterministic=True)
    wanted = {
        "a": tf.FixedLenFeature([1], tf.int64),
        "b": tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True),
    }
    if not features.get("b"):
        wanted["c"] = tf.FixedLenFeature([0], tf.int64)
    parse = tf.parse_single_example if one else tf.parse_example
    run(tf, lambda: parse(text if one else [text], wanted))


def sequence(tf, parse, values, shape=()):
    """Parses a SequenceExample of one step for a sequence of int64 values of a shape."""
    steps = tf.train.FeatureList(feature=[feature(tf, values)])
    lists = tf.train.FeatureLists(feature_list={"s": steps})
    text = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    wanted = {"s": tf.FixedLenSequenceFeature(list(shape), tf.int64)}
    many = parse is not tf.parse_single_sequence_example
    run(tf, lambda: parse([text] if many else text, sequence_features=wanted)[1]["s"])


def filtered(tf):
    dataset = tf.data.Dataset.from_tensor_slices([[1, 2]])
    dataset = dataset.filter(lambda x: tf.placeholder_with_default([True, False], None))
    run(tf, dataset.make_one_shot_iterator().get_next)


def closed_session(tf):
    sess = tf.Session()
    sess.close()
    sess.run(tf.constant(1.0))


def empty_graph(tf):
    tf.Session(graph=tf.Graph()).run([])


def session_of_other_graph(tf):
    x = tf.constant(1.0)
    with tf.Session(graph=tf.Graph()) as sess:
        sess.run(x)


def run_in_finalized(tf):
    x = tf.constant(1.0)
    tf.get_default_graph().finalize()
    with tf.Session() as sess:
        sess.run(x + 1.0)


def fed(tf, value, shape=(None, 2), dtype="float32"):
    """Sums a placeholder fed with `value`."""
    x = tf.placeholder(dtype, shape, name="x")
    return run(tf, lambda: tf.reduce_sum(x) if x.dtype != tf.string else x, {x: value})


def at_run_time(tf, function, **values):
    """Runs function(placeholders of unknown shape fed with the values)."""
    arrays = {name: np.asarray(value) for name, value in values.items()}
    inputs = {name: tf.placeholder(a.dtype, None, name=name) for name, a in arrays.items()}
    return run(tf, lambda: function(**inputs), {inputs[name]: arrays[name] for name in inputs})


def ones(*shape):
    return np.ones(shape, np.float32)


def failing_py_func(tf, error):
    def fail(x):
        raise error

    return run(tf, lambda: tf.py_func(fail, [1.0], tf.float32, name="failing"))


def end_of_data(tf):
    item = tf.data.Dataset.range(1).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        sess.run(item)
        sess.run(item)


def uninitialized_iterator(tf):
    iterator = tf.data.Dataset.range(1).make_initializable_iterator()
    return run(tf, iterator.get_next)


def closed_queue(tf):
    queue = tf.FIFOQueue(2, tf.float32, name="queue")
    with tf.Session() as sess:
        sess.run(queue.close())
        sess.run(queue.dequeue())


def saved_elsewhere(tf):
    tf.get_variable("v", [2])
    with tf.Session() as sess:
        tf.train.Saver().restore(sess, "no_such_folder/model.ckpt")


def sparse_entropy(tf, labels, logits):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name="entropy"
    )


def assign_unshaped(tf, value):
    x = tf.placeholder(tf.float32, None, name="x")
    v = tf.Variable(tf.zeros([2]), name="v")
    return run(tf, lambda: tf.assign(v, x), {x: value}, initialize=True)


def queue_timeout_ms(tf):
    queue = tf.FIFOQueue(2, [tf.float32])
    put = tf.raw_ops.QueueEnqueueV2
    return run(tf, lambda: put(handle=queue.queue_ref, components=[1.0], timeout_ms=5))


def dequeue_too_long(tf):
    element = tf.FIFOQueue(2, [tf.float32], name="q").dequeue()
    with tf.Session() as sess:
        sess.run(element, options=tf.RunOptions(timeout_in_ms=50))


RUN = [
    # feeds
    ("no_feed", lambda tf: run(tf, lambda: tf.placeholder(tf.float32, name="x") + 1.0)),
    ("no_feed_shape", lambda tf: run(tf, lambda: tf.placeholder(tf.int64, [None, 2], "y") + 1)),
    (
        "no_feed_behind_ops",
        lambda tf: run(tf, lambda: tf.exp(tf.placeholder(tf.float64, [], "z") * 2.0)),
    ),
    ("feed_shape", lambda tf: fed(tf, [[1.0, 2.0, 3.0]])),
    ("feed_rank", lambda tf: fed(tf, [1.0, 2.0])),
    ("feed_string", lambda tf: fed(tf, "text", None)),
    ("feed_none", lambda tf: fed(tf, None)),
    ("feed_large_int", lambda tf: fed(tf, 2**40, (), "int32")),
    ("feed_tensor", lambda tf: fed(tf, tf.ones([1, 2]))),
    ("feed_of_updated_variable", lambda tf: fed_variable(tf)),
    ("example_order", lambda tf: examples(tf, b=[1.0], a=[2.0])),
    ("example_stride", lambda tf: examples(tf, one=True, a=[1], b=[1])),
    ("example_missing", lambda tf: examples(tf, a=[1])),
    ("sequence_dtype", lambda tf: sequence(tf, tf.parse_single_sequence_example, [1.0])),
    ("sequence_count", lambda tf: sequence(tf, tf.parse_single_sequence_example, [1, 2])),
    ("sequences_dtype", lambda tf: sequence(tf, tf.io.parse_sequence_example, [1.0])),
    ("sequences_count", lambda tf: sequence(tf, tf.io.parse_sequence_example, [1, 2])),
    ("sequences_shape", lambda tf: sequence(tf, tf.io.parse_sequence_example, [1], [2])),
    ("filter_predicate", lambda tf: filtered(tf)),
    ("feed_key_number", lambda tf: run(tf, lambda: tf.constant(1.0), {3: 1.0})),
    ("feed_key_missing", lambda tf: run(tf, lambda: tf.constant(1.0), {"nothing:0": 1.0})),
    ("feed_key_operation", lambda tf: run(tf, lambda: tf.constant(1.0), {tf.no_op(): 1.0})),
    (
        "feed_key_other_graph",
        lambda tf: run(tf, lambda: tf.constant(1.0), {other_graph_tensor(tf): 1.0}),
    ),
    ("feed_not_a_dict", lambda tf: run(tf, lambda: tf.constant(1.0), [1.0])),
    ("feed_positional", lambda tf: run(tf, lambda: tf.constant(1.0), 1.0)),
    # fetches
    ("fetch_none", lambda tf: run(tf, lambda: None)),
    ("fetch_list_none", lambda tf: run(tf, lambda: [tf.constant(1.0), None])),
    ("fetch_number", lambda tf: run(tf, lambda: 3)),
    ("fetch_function", lambda tf: run(tf, lambda: {"a": len})),
    ("fetch_unknown_tensor", lambda tf: run(tf, lambda: "nothing:0")),
    ("fetch_unknown_operation", lambda tf: run(tf, lambda: "nothing")),
    ("fetch_malformed", lambda tf: run(tf, lambda: "a:b:c")),
    (
        "fetch_other_graph",
        lambda tf: run(tf, lambda: [tf.constant(1.0), other_graph_tensor(tf)][1]),
    ),
    ("fetch_other_graph_list", session_of_other_graph),
    ("fetch_unhashable", lambda tf: run(tf, lambda: np.ones(2))),
    ("empty_graph", lambda tf: tf.Session().run("a:0")),
    ("closed_session", closed_session),
    ("finalized_in_session", run_in_finalized),
    ("bad_target", lambda tf: tf.Session(target=3)),
    ("bad_graph", lambda tf: tf.Session(graph=3)),
    ("bad_config", lambda tf: tf.Session(config=3)),
    # variables
    ("uninitialized", lambda tf: run(tf, lambda: tf.Variable(1.0, name="v"))),
    ("uninitialized_used", lambda tf: run(tf, lambda: tf.Variable([1.0], name="v") * 2.0)),
    ("uninitialized_scope", lambda tf: run(tf, lambda: tf.get_variable("a/b/v", [2]) + 1.0)),
    (
        "uninitialized_resource",
        lambda tf: run(tf, lambda: tf.get_variable("r", [2], use_resource=True) + 1.0),
    ),
    (
        "uninitialized_resource_fetched",
        lambda tf: run(tf, lambda: tf.get_variable("r", [2], use_resource=True)),
    ),
    (
        "uninitialized_assign_add",
        lambda tf: run(tf, lambda: tf.assign_add(tf.Variable(1.0, name="v"), 1.0)),
    ),
    ("assign_unknown_shape", lambda tf: assign_unshaped(tf, [1.0, 2.0, 3.0])),
    (
        "scatter_out_of_range",
        lambda tf: run(
            tf,
            lambda: tf.scatter_add(tf.Variable(tf.zeros([3]), name="v"), [1, 5], [1.0, 1.0]),
            None,
            True,
        ),
    ),
    ("restore_missing", saved_elsewhere),
    # indices and labels
    ("gather_too_large", lambda tf: run(tf, lambda: tf.gather(tf.constant([1.0, 2.0]), [0, 5]))),
    ("gather_negative", lambda tf: run(tf, lambda: tf.gather(tf.constant([1.0, 2.0]), -1))),
    (
        "gather_matrix_of_indices",
        lambda tf: run(tf, lambda: tf.gather(tf.ones([3, 2]), [[0, 1], [7, 2]], name="g")),
    ),
    ("gather_axis", lambda tf: run(tf, lambda: tf.gather(tf.ones([3, 2]), [4], axis=1))),
    (
        "embedding_lookup",
        lambda tf: run(
            tf, lambda: tf.nn.embedding_lookup(tf.get_variable("e", [4, 2]), [9]), None, True
        ),
    ),
    (
        "embedding_lookup_resource",
        lambda tf: run(
            tf,
            lambda: tf.nn.embedding_lookup(tf.get_variable("e", [4, 2], use_resource=True), [9]),
            None,
            True,
        ),
    ),
    ("gather_nd", lambda tf: run(tf, lambda: tf.gather_nd(tf.ones([2, 2]), [[0, 1], [2, 0]]))),
    (
        "scatter_nd",
        lambda tf: run(
            tf, lambda: tf.scatter_nd(tf.constant([[4]]), tf.constant([1.0]), tf.constant([3]))
        ),
    ),
    ("label_too_large", lambda tf: run(tf, lambda: sparse_entropy(tf, [0, 7], tf.ones([2, 3])))),
    ("label_negative", lambda tf: run(tf, lambda: sparse_entropy(tf, [-1], tf.ones([1, 3])))),
    (
        "labels_and_logits",
        lambda tf: at_run_time(
            tf,
            lambda labels, logits: sparse_entropy(tf, labels, logits),
            labels=[0, 1, 1],
            logits=ones(2, 3),
        ),
    ),
    (
        "in_top_k",
        lambda tf: at_run_time(tf, lambda a, b: tf.nn.in_top_k(a, b, 1), a=ones(2, 3), b=[1, 2, 0]),
    ),
    ("strided_slice", lambda tf: at_run_time(tf, lambda a: a[5], a=ones(2))),
    ("slice", lambda tf: at_run_time(tf, lambda a: tf.slice(a, [1], [5]), a=ones(3))),
    ("dynamic_partition", lambda tf: run(tf, lambda: tf.dynamic_partition([1.0, 2.0], [0, 4], 2))),
    ("segment_sum", lambda tf: run(tf, lambda: tf.segment_sum(tf.ones([3]), [1, 0, 0]))),
    (
        "unsorted_segment_sum",
        lambda tf: run(tf, lambda: tf.unsorted_segment_sum(tf.ones([2]), [0, 5], 3)),
    ),
    (
        "sparse_to_dense",
        lambda tf: run(tf, lambda: tf.sparse_to_dense([[1], [9]], [4], [1.0, 2.0])),
    ),
    (
        "sparse_to_dense_order",
        lambda tf: run(tf, lambda: tf.sparse_to_dense([[2], [1]], [4], [1.0, 2.0])),
    ),
    (
        "reverse_sequence",
        lambda tf: run(tf, lambda: tf.reverse_sequence(tf.ones([2, 3]), [1, 9], seq_axis=1)),
    ),
    # shapes known at run time only
    ("add", lambda tf: at_run_time(tf, lambda a, b: a + b, a=ones(2), b=ones(3))),
    (
        "add_rank_2",
        lambda tf: at_run_time(
            tf, lambda a, b: tf.multiply(a, b, name="product"), a=ones(2, 3), b=ones(3, 2)
        ),
    ),
    (
        "matmul",
        lambda tf: at_run_time(tf, lambda a, b: tf.matmul(a, b), a=ones(2, 3), b=ones(4, 2)),
    ),
    (
        "matmul_rank",
        lambda tf: at_run_time(
            tf, lambda a, b: tf.raw_ops.MatMul(a=a, b=b), a=ones(2), b=ones(4, 2)
        ),
    ),
    (
        "batch_matmul",
        lambda tf: at_run_time(tf, lambda a, b: tf.matmul(a, b), a=ones(2, 3, 4), b=ones(2, 3, 4)),
    ),
    (
        "bias_add",
        lambda tf: at_run_time(tf, lambda a, b: tf.nn.bias_add(a, b), a=ones(2, 3), b=ones(4)),
    ),
    (
        "concat",
        lambda tf: at_run_time(tf, lambda a, b: tf.concat([a, b], 1), a=ones(2, 3), b=ones(3, 3)),
    ),
    (
        "concat_ranks",
        lambda tf: at_run_time(tf, lambda a, b: tf.concat([a, b], 0), a=ones(2, 3), b=ones(3)),
    ),
    ("stack", lambda tf: at_run_time(tf, lambda a, b: tf.stack([a, b]), a=ones(2), b=ones(3))),
    ("reshape", lambda tf: at_run_time(tf, lambda a: tf.reshape(a, [4, 2]), a=ones(2, 3))),
    (
        "reshape_minus_one",
        lambda tf: at_run_time(tf, lambda a: tf.reshape(a, [-1, 4]), a=ones(2, 3)),
    ),
    ("split", lambda tf: at_run_time(tf, lambda a: tf.split(a, 2), a=ones(3))),
    ("squeeze", lambda tf: at_run_time(tf, lambda a: tf.squeeze(a, [0]), a=ones(3))),
    ("tile", lambda tf: at_run_time(tf, lambda a: tf.tile(a, [2]), a=ones(2, 3))),
    ("reduce_axis", lambda tf: at_run_time(tf, lambda a: tf.reduce_sum(a, 2), a=ones(2, 3))),
    ("argmax_axis", lambda tf: at_run_time(tf, lambda a: tf.argmax(a, 3), a=ones(2, 3))),
    ("expand_dims", lambda tf: at_run_time(tf, lambda a: tf.expand_dims(a, 4), a=ones(2, 3))),
    (
        "conv",
        lambda tf: at_run_time(
            tf,
            lambda a, b: tf.nn.conv2d(a, b, [1] * 4, "SAME"),
            a=ones(1, 4, 4, 3),
            b=ones(2, 2, 2, 5),
        ),
    ),
    (
        "softmax",
        lambda tf: at_run_time(
            tf,
            lambda a, b: tf.nn.softmax_cross_entropy_with_logits_v2(labels=a, logits=b),
            a=ones(2, 3),
            b=ones(2, 4),
        ),
    ),
    (
        "where",
        lambda tf: at_run_time(
            tf, lambda c, a, b: tf.where(c, a, b), c=[True, False], a=ones(3), b=ones(3)
        ),
    ),
    ("add_n", lambda tf: at_run_time(tf, lambda a, b: tf.add_n([a, b]), a=ones(2), b=ones(3))),
    ("unstack", lambda tf: at_run_time(tf, lambda a: tf.unstack(a, num=2), a=ones(3))),
    (
        "ensure_shape",
        lambda tf: at_run_time(tf, lambda a: tf.ensure_shape(a, [None, 2]), a=ones(2, 3)),
    ),
    ("inverse", lambda tf: run(tf, lambda: tf.matrix_inverse(tf.zeros([2, 2])))),
    ("cholesky", lambda tf: run(tf, lambda: tf.cholesky(-tf.eye(2)))),
    ("fill_negative", lambda tf: at_run_time(tf, lambda a: tf.fill(a, 1.0), a=np.int32([-2]))),
    ("range", lambda tf: at_run_time(tf, lambda a: tf.range(0, 5, a), a=np.int32(0))),
    ("one_hot_depth", lambda tf: at_run_time(tf, lambda d: tf.one_hot([1], d), d=np.int32(-1))),
    ("random_shape", lambda tf: at_run_time(tf, lambda s: tf.random_uniform(s), s=np.int32([-1]))),
    ("random_bounds", lambda tf: run(tf, lambda: tf.random_uniform([2], 5, 3, tf.int32))),
    ("cast_string", lambda tf: run(tf, lambda: tf.cast(tf.constant("1"), tf.float32))),
    # arithmetic and assertions
    ("divide_by_zero", lambda tf: run(tf, lambda: tf.constant([1, 2]) // tf.constant([1, 0]))),
    ("divide_by_zero_tf_div", lambda tf: run(tf, lambda: tf.div(tf.constant(1), tf.constant(0)))),
    ("modulo_zero", lambda tf: run(tf, lambda: tf.constant([1, 2]) % tf.constant(0))),
    (
        "assert_false",
        lambda tf: run(
            tf, lambda: tf.Assert(tf.constant(1) > 2, ["bad", tf.constant([1, 2]), 3.5])
        ),
    ),
    (
        "assert_message",
        lambda tf: at_run_time(
            tf, lambda a: tf.assert_equal(a, 2, message="my message"), a=np.int32([1, 2])
        ),
    ),
    (
        "assert_positive",
        lambda tf: at_run_time(tf, lambda a: tf.assert_positive(a, name="check"), a=ones(2) - 1),
    ),
    (
        "assert_less",
        lambda tf: at_run_time(
            tf, lambda a: tf.assert_less(a, 2.0, data=["values", a]), a=ones(2) * 3
        ),
    ),
    (
        "assert_rank_at_run_time",
        lambda tf: at_run_time(tf, lambda a: tf.assert_rank(a, 2), a=ones(2)),
    ),
    (
        "check_numerics_nan",
        lambda tf: run(tf, lambda: tf.check_numerics(tf.log(tf.constant([-1.0])), "the log")),
    ),
    (
        "check_numerics_inf",
        lambda tf: run(
            tf, lambda: tf.check_numerics(1.0 / tf.constant([0.0, 1.0]), "the quotient")
        ),
    ),
    (
        "check_numerics_both",
        lambda tf: run(tf, lambda: tf.check_numerics(tf.constant([np.inf, np.nan]), "both")),
    ),
    (
        "check_numerics_op",
        lambda tf: [tf.log(tf.constant(-1.0), name="l"), run(tf, tf.add_check_numerics_ops)],
    ),
    (
        "verify_finite",
        lambda tf: run(
            tf, lambda: tf.verify_tensor_all_finite(tf.constant([np.nan]), "not finite")
        ),
    ),
    ("string_to_number", lambda tf: run(tf, lambda: tf.string_to_number("abc"))),
    ("decode_raw", lambda tf: run(tf, lambda: tf.decode_raw(tf.constant("abc"), tf.float32))),
    ("read_file", lambda tf: run(tf, lambda: tf.read_file("no_such_file"))),
    ("py_func_value_error", lambda tf: failing_py_func(tf, ValueError("from the function"))),
    ("py_func_type_error", lambda tf: failing_py_func(tf, TypeError("of a type"))),
    (
        "py_func_runtime_error",
        lambda tf: failing_py_func(tf, RuntimeError("unknown to TensorFlow")),
    ),
    (
        "py_func_dtype",
        lambda tf: run(tf, lambda: tf.py_func(lambda: np.float64(1.0), [], tf.float32)),
    ),
    ("py_func_count", lambda tf: run(tf, lambda: tf.py_func(lambda: (1.0, 2.0), [], [tf.float64]))),
    ("py_func_none", lambda tf: run(tf, lambda: tf.py_func(lambda: None, [], tf.float32))),
    ("dataset_end", end_of_data),
    ("iterator_uninitialized", uninitialized_iterator),
    ("queue_closed", closed_queue),
    (
        "table_uninitialized",
        lambda tf: run(
            tf, lambda: tf.contrib.lookup.index_table_from_tensor(["a"]).lookup(tf.constant(["a"]))
        ),
    ),
    ("range_known_nan", lambda tf: run(tf, lambda: tf.range(float("nan"), 5.0))),
    ("range_nan", lambda tf: at_run_time(tf, tf.range, start=0.0, limit=np.nan)),
    (
        "dynamic_partition_scalar",
        lambda tf: run(tf, lambda: tf.dynamic_partition([1.0, 2.0], 7, 2)),
    ),
    ("one_hot_on_value", lambda tf: run(tf, lambda: tf.one_hot([0, 1], 2, on_value=[[1.0]]))),
    ("queue_timeout_ms", queue_timeout_ms),
    ("dequeue_too_long", dequeue_too_long),
    (
        "tensor_array_index",
        lambda tf: run(tf, lambda: tf.TensorArray(tf.float32, 2).write(5, 1.0).flow),
    ),
    ("global_step_type", lambda tf: run(tf, lambda: tf.train.get_global_step() + 1)),
]

CASES = [("build-" + name, case) for name, case in BUILD]
CASES += [("run-" + name, case) for name, case in RUN]
