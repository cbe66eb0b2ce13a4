"""What old programs and libraries met: what only constants lead to, copies of datasets for devices,
and what sets, pools, functions, loops, assignments and gradient checks refuse.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_legacy.py`.
"""

from __future__ import annotations

import re

import numpy as np
from case_runs import Case, collect


def _sparse(tf, values=(3, 4), shape=(3, 2)):
    return tf.SparseTensor([[0, 0], [1, 0]], tf.constant(list(values)), list(shape))


def _words(tf):
    return tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [3, 2])


def _dense(tf, sparse):
    return tf.sparse.to_dense(sparse, "" if sparse.dtype == tf.string else None)


# Vectors that TensorFlow knows while recording, as it runs what leads to them.
_KNOWN = {
    "add": lambda tf: tf.sparse.add(_sparse(tf), _sparse(tf)).dense_shape,
    "fill_empty_rows": lambda tf: tf.sparse.fill_empty_rows(_sparse(tf), 1)[0].values,
    "reduce_max": lambda tf: tf.sparse_reduce_max_sparse(_sparse(tf), 0).dense_shape,
    "reduce_sum": lambda tf: tf.sparse_reduce_sum_sparse(_sparse(tf), 1).dense_shape,
    "split": lambda tf: tf.sparse.split(sp_input=_sparse(tf), num_split=2, axis=1)[1].dense_shape,
    "unique": lambda tf: tf.raw_ops.UniqueV2(x=[3, 2, 2, 3], axis=[0])[0],
    "set_size": lambda tf: tf.sets.size(_sparse(tf, shape=(2, 2))),
    "union": lambda tf: tf.sets.union(_sparse(tf), _sparse(tf)).dense_shape,
    "union_of_dense": lambda tf: (
        tf.sets.union(tf.constant([[1], [2], [3]]), _sparse(tf)).dense_shape
    ),
    "cross": lambda tf: tf.sparse.cross([_sparse(tf)]).dense_shape,
    "cross_hashed": lambda tf: tf.sparse.cross_hashed([_words(tf)]).dense_shape,
    "segment_sum": lambda tf: tf.segment_sum([1, 2, 3], [0, 0, 1]),
    "segment_max": lambda tf: tf.segment_max([1, 2, 3], [0, 0, 1]),
    "matmul": lambda tf: tf.reshape(tf.matmul([[1, 2]], [[3], [1]]), [1]),
    "non_max_suppression": lambda tf: tf.image.non_max_suppression(
        [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 2.0, 2.0]], [1.0, 2.0], 2
    ),
    "confusion_matrix": lambda tf: tf.confusion_matrix([1, 0], [1, 1])[0],
    "searchsorted": lambda tf: tf.searchsorted([1, 2, 3], [1, 3]),
    "histogram": lambda tf: tf.histogram_fixed_width([1.0, 2.0], [0.0, 3.0], nbins=3),
    "ctc": lambda tf: (
        tf.nn.ctc_greedy_decoder(np.zeros((2, 1, 3), np.float32), [2])[0][0].dense_shape
    ),
    "determinant": lambda tf: [tf.cast(tf.matrix_determinant([[2.0, 0.0], [0.0, 1.0]]), tf.int32)],
    "parsed": lambda tf: tf.parse_single_example(
        tf.train.Example(
            features=tf.train.Features(
                feature={
                    "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[3])),
                }
            )
        ).SerializeToString(),
        {"a": tf.FixedLenFeature([1], tf.int64)},
    )["a"],
    # What isn't known: a value that is given, a conditional, a draw.
    "given": lambda tf: tf.matmul(tf.placeholder_with_default([[1]], [1, 1]), [[2]])[0],
    "conditional": lambda tf: tf.cond(
        tf.constant(True), lambda: tf.constant([2]), lambda: tf.constant([3])
    ),
    "drawn": lambda tf: tf.random.uniform([1], 1, 3, tf.int32, seed=1),
}


def _filled(known):
    return lambda tf: Case([tf.shape(tf.zeros(known(tf)))], steps=1)


def crossed_indicator(tf):
    column = tf.feature_column
    crossed = column.indicator_column(column.crossed_column(["a", "b"], 7))
    numbers = tf.SparseTensor([[0, 0], [1, 1]], tf.constant([1, 2], tf.int64), [3, 2])
    return Case([column.input_layer({"a": _words(tf), "b": numbers}, [crossed])], steps=1)


def _copied(transform):
    def record(tf):
        dataset = transform(tf, tf.data.Dataset.range(7).batch(2))
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        return _Initialized(iterator.initializer, [following])

    return record


class _Initialized(Case):
    def __init__(self, initializer, fetches):
        super().__init__(fetches)
        self._initializer = initializer

    def run(self, tf):
        with tf.Session() as session:
            session.run(self._initializer)
            return [(f, session.run(f)) for _ in range(4) for f in self.fetches]


def _pool(name, ksize, padding, static=(None, 4, 4, 1)):
    def record(tf):
        x = tf.placeholder_with_default(np.ones((1, 4, 4, 1), np.float32), list(static))
        y = getattr(tf.nn, name)(x, ksize, [1, 1, 1, 1], padding)
        return Case([y, tf.gradients(y, x)[0]], steps=1)

    return record


CASES = {
    "constants": {name: _filled(known) for name, known in _KNOWN.items()},
    "columns": collect(crossed_indicator),
    "devices": {
        "copied": _copied(lambda tf, d: d.apply(tf.data.experimental.copy_to_device("/cpu:0"))),
        "prefetched": _copied(
            lambda tf, d: d.apply(tf.data.experimental.prefetch_to_device("/cpu:0", 1))
        ),
    },
    "pools": {
        "average_of_nothing": _pool("avg_pool", [1, 0, 2, 1], "VALID"),
        "average_of_no_column": _pool("avg_pool", [1, 2, 0, 1], "SAME"),
    },
}


# Temporary variables, which are found by their names.


def _temporary(tf, value, name="v", **kwargs):
    from tensorflow.python.ops import gen_state_ops

    shape = np.shape(value)
    made = gen_state_ops.temporary_variable(shape, tf.float32, var_name=name, **kwargs)
    return tf.assign(made, value)


def _destroyed(made, name="v"):
    from tensorflow.python.ops import gen_state_ops

    return gen_state_ops.destroy_temporary_variable(made, name)


def temporary_variables(tf):
    first = _destroyed(tf.assign_add(_temporary(tf, [1.0, 2.0]), [3.0, 4.0]))
    with tf.control_dependencies([first]):
        again = _temporary(tf, [5.0])
    return Case([first, _destroyed(again), _temporary(tf, [[7.0]], name="left")])


def temporary_destroyed_twice(tf):
    made = _temporary(tf, [1.0])
    first = _destroyed(made)
    with tf.control_dependencies([first]):
        return _destroyed(made)


def temporary_of_a_name_that_is_taken(tf):
    from tensorflow.python.ops import gen_state_ops

    made = _temporary(tf, [1.0])
    with tf.control_dependencies([made]):
        more = gen_state_ops.temporary_variable([1], tf.float32, var_name="v")
    return tf.assign(more, [2.0])


def temporary_of_another_name(tf):
    return _destroyed(_temporary(tf, [1.0]), "w")


# Graphs that others wrote.


def _imported(tf, change, record=None):
    with tf.Graph().as_default() as graph:
        if record is not None:
            record()
        graph_def = graph.as_graph_def(add_shapes=True)
    change(graph_def)
    tf.import_graph_def(graph_def)
    return tf.get_default_graph()


def _old_placeholder(producer):
    def change(graph_def):
        graph_def.versions.producer = producer
        node = graph_def.node.add(name="p", op="Placeholder")
        node.attr["dtype"].type = 1
        node.attr["shape"].shape.SetInParent()

    def case(tf):
        p = _imported(tf, change).get_tensor_by_name("import/p:0")
        later = tf.placeholder(tf.float32, [])
        return Case(said=[p.shape, later.shape])

    return case


def unregistered_op_in_a_function(tf):
    def change(graph_def):
        graph_def.node.add(name="c", op="NoOp")
        function = graph_def.library.function.add()
        function.signature.name = "F"
        function.node_def.add(name="x", op="Nope")

    graph = _imported(tf, change)
    function = graph.as_graph_def().library.function[0]
    return Case([tf.constant(1) + 1], said=[function.node_def[0].op])


def more_shapes_than_outputs(tf):
    def change(graph_def):
        shapes = graph_def.node[0].attr["_output_shapes"].list.shape
        shapes[0].Clear()
        shapes[0].dim.add(size=4)
        shapes.add()

    graph = _imported(tf, change, lambda: tf.placeholder(tf.float32, name="p"))
    return Case(said=[graph.get_tensor_by_name("import/p:0").shape])


def fewer_shapes_than_outputs(tf):
    def change(graph_def):
        for node in graph_def.node:
            if node.name == "split":
                del node.attr["_output_shapes"].list.shape[1:]

    _imported(tf, change, lambda: tf.split(tf.placeholder(tf.float32), 2))


# An empty batch.


def gradient_of_an_empty_batch(tf):
    x = tf.placeholder(tf.float32, [None, 2, 2, 3])
    y = tf.layers.batch_normalization(x, training=True, gamma_initializer=tf.ones_initializer())
    fetches = tf.gradients(tf.reduce_sum(y), [x, *tf.trainable_variables()])
    return Case(fetches, feeds=lambda step: {x: np.zeros((0, 2, 2, 3))})


def sparse_buckets(tf):
    words = tf.SparseTensor([[0], [1]], ["a", "b"], [3])
    which, (words, number) = tf.contrib.training.bucket_by_sequence_length(
        tf.constant(3), [words, tf.constant(1)], 2, [5, 10]
    )
    found = [which, words.values, words.indices, words.dense_shape, number]
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners(session, coordinator)
        said = session.run(found)
        coordinator.request_stop()
        coordinator.join(threads, ignore_live_threads=True)
    return Case(said=[np.array(value).tolist() for value in said])


# The graph that a run was.


def _partitions(tf, fetches, feeds=None):
    from tensorflow.core.protobuf import rewriter_config_pb2

    rewrites = rewriter_config_pb2.RewriterConfig(disable_meta_optimizer=True)
    level = tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0)
    options = tf.GraphOptions(optimizer_options=level, rewrite_options=rewrites)
    metadata = tf.RunMetadata()
    with tf.Session(config=tf.ConfigProto(graph_options=options)) as session:
        asked = tf.RunOptions(output_partition_graphs=True)
        session.run(fetches, feeds, options=asked, run_metadata=metadata)
    return [
        sorted((node.name, node.op, list(node.input), node.device) for node in graph.node)
        for graph in metadata.partition_graphs
    ]


def partition_graphs(tf):
    p, q = tf.placeholder(tf.float32, name="p"), tf.placeholder(tf.float32, name="q")
    total = tf.add(tf.constant(1.0, name="one"), p, name="total")
    twice = total * 2.0
    v = tf.Variable([1.0], name="v", use_resource=False)
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    said = [
        _partitions(tf, [total, total, p, q], {p: 1.0, q: 2.0}),
        _partitions(tf, twice, {total: 3.0}),
        _partitions(tf, v.initializer),
        _partitions(tf, loop),
    ]
    return Case(said=said)


CASES.update(
    {
        "runs": collect(
            temporary_variables, gradient_of_an_empty_batch, sparse_buckets, partition_graphs
        ),
        "imports": {
            "placeholder_of_version_21": _old_placeholder(21),
            "placeholder_of_version_22": _old_placeholder(22),
            **collect(unregistered_op_in_a_function, more_shapes_than_outputs),
        },
    }
)


def _run(record):
    def case(tf):
        fetches = record(tf)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(fetches)

    return case


def _of_any_step(case):
    """The case; its error's text does not say which run of the process it was."""

    def run(tf):
        try:
            case(tf)
        except tf.errors.OpError as error:
            text = re.sub("__per_step_[0-9]+", "__per_step", error.message)
            raise type(error)(None, None, text) from None

    return run


def _sets(first, second, name="intersection"):
    def record(tf):
        made = [
            tf.SparseTensor(*map(tf.convert_to_tensor, x))
            if isinstance(x, tuple)
            else tf.placeholder_with_default(np.array(x, np.int64), None)
            for x in (first, second)
        ]
        return getattr(tf.sets, name)(*made)

    return _run(record)


def _i64(*rows):
    return np.array(rows, np.int64)


_ROW = (_i64([0], [1]), _i64(3, 4), _i64(3))
_MATRIX = (_i64([0, 0], [1, 0]), _i64(3, 4), _i64(2, 3))
_OTHER = (_i64([0, 0], [1, 0]), _i64(3, 4), _i64(3, 3))


def unknown_set_operation(tf):
    from tensorflow.python.ops import gen_set_ops

    operate = gen_set_ops.dense_to_dense_set_operation
    with tf.Session() as session:
        session.run(operate([[1]], [[2]], "foo"))


def negative_bincount(tf):
    with tf.Session() as session:
        session.run(tf.bincount([-1, 2]))


def depth_pool_3d(tf):
    x = tf.ones([1, 3, 3, 3, 4])
    with tf.Session() as session:
        session.run(tf.nn.max_pool3d(x, [1, 1, 1, 1, 2], [1, 1, 1, 1, 2], "VALID"))


def batch_pool_gradient(tf):
    x = tf.ones([2, 4, 4, 1])
    y = tf.nn.avg_pool(x, [2, 2, 2, 1], [1, 1, 1, 1], "SAME")
    with tf.Session() as session:
        session.run(tf.gradients(y, x))


def instance_norm_of_a_vector(tf):
    tf.contrib.layers.instance_norm(tf.ones([3]))


def instance_norm_of_a_vector_channels_first(tf):
    tf.contrib.layers.instance_norm(tf.ones([3]), data_format="NCHW")


def no_gradient_to_check(tf):
    x = tf.constant([1.0, 2.0])
    with tf.Session():
        tf.test.compute_gradient(x, [2], tf.constant([3.0]), [1])


def copied_for_a_gpu_once(tf):
    dataset = tf.data.Dataset.range(3).apply(tf.data.experimental.copy_to_device("/gpu:0"))
    dataset._dataset.make_one_shot_iterator()


def loop_that_changes_a_dtype(tf):
    loop = tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [0])
    with tf.Session() as session:
        session.run(loop)


def assignment_of_another_shape(tf):
    start = tf.placeholder_with_default(np.array([1, 2], np.float32), None)
    variable = tf.Variable(start, validate_shape=False, use_resource=False)
    with tf.Session() as session:
        session.run(variable.initializer)
        session.run(variable.assign([3.0]))


def function_of_another_dtype(tf):
    from tensorflow.python.framework import function

    double = function.Defun(tf.float32, tf.float32, func_name="double")(lambda x, y: x * y)
    double(tf.ones([2]), tf.constant([1, 2]))


def function_with_too_many_names(tf):
    from tensorflow.python.framework import function

    double = function.Defun(tf.float32, out_names=["z", "y"])(lambda x: x * 2.0)
    double(tf.ones([2]))


def _assertion(method, *args):
    def case(tf):
        class Test(tf.test.TestCase):
            def runTest(self):
                pass

        getattr(Test(), method)(*args)

    return case


MISTAKES = {
    "sets": {
        "vectors": _sets([1, 2], [1, 2]),
        "sparse_vectors": _sets(_ROW, _ROW),
        "sparse_vector_first": _sets(_ROW, _MATRIX),
        "sparse_vector_second": _sets(_MATRIX, _ROW),
        "other_shapes": _sets(_MATRIX, _OTHER),
        "dense_and_vector": _sets([[1, 2], [3, 4]], _ROW, "difference"),
    },
    "values": collect(
        unknown_set_operation,
        negative_bincount,
        depth_pool_3d,
        batch_pool_gradient,
        instance_norm_of_a_vector,
        instance_norm_of_a_vector_channels_first,
        no_gradient_to_check,
        copied_for_a_gpu_once,
        loop_that_changes_a_dtype,
        assignment_of_another_shape,
        function_of_another_dtype,
        function_with_too_many_names,
    ),  # fmt: skip
    "temporary": {
        "destroyed_twice": _of_any_step(_run(temporary_destroyed_twice)),
        "name_that_is_taken": _of_any_step(_run(temporary_of_a_name_that_is_taken)),
        "another_name": _of_any_step(_run(temporary_of_another_name)),
    },
    "imports": collect(fewer_shapes_than_outputs),
    "assertions": {
        "equal_ragged_lists": _assertion("assertNotAllEqual", [[1, 2], [3]], [[1, 2], [3]]),
        "not_numbers": _assertion("assertAllInRange", [[1, 2], [3]], 0, 2),
    },
}
