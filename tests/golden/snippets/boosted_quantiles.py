"""Quantiles that boosted trees make of many batches, as TensorFlow's own op types and as those of
tf.contrib.boosted_trees make them; sums of gradients; operations that run for several resources."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib.boosted_trees.python.ops import (
    batch_ops_utils,
    quantile_ops,
    stats_accumulator_ops,
)
from tensorflow.python.ops import boosted_trees_ops, resources


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value
    return np.round(np.asarray(value, "f8"), 4).tolist() if value is not None else None


def refused(session, fetch):
    try:
        print(plain(session.run(fetch)))
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


def batch(number, size):
    return np.random.RandomState(number).randn(size).astype("f")


def shared():
    return resources.initialize_resources(resources.shared_resources())


def streams(size, epsilon, most, batches):
    print("-- a stream of", batches, "batches")
    tf.reset_default_graph()
    handle = boosted_trees_ops.quantile_resource_handle_op(shared_name="q")
    made = boosted_trees_ops.create_quantile_stream_resource(handle, epsilon, 1, max_elements=most)
    given = tf.placeholder(tf.float32, [None])
    summary = boosted_trees_ops.make_quantile_summaries([given], tf.ones_like(given), epsilon)
    add = boosted_trees_ops.quantile_add_summaries(handle, summary)
    flush = boosted_trees_ops.quantile_flush(handle, 5)
    with tf.Session() as session:
        session.run(made)
        for number in range(batches):
            session.run(add, {given: batch(number, size)})
        session.run(flush)
        print(plain(session.run(boosted_trees_ops.get_bucket_boundaries(handle, 1))))


def accumulator(epsilon, count, exact, most, size):
    print("-- an accumulator", epsilon, count, exact, most, size)
    tf.reset_default_graph()
    more = {} if most is None else {"max_elements": most}
    held = quantile_ops.QuantileAccumulator(
        0, epsilon, count, name="q_0", generate_quantiles=exact, **more
    )
    column = tf.placeholder(tf.float32, [None, 1])
    add = held.add_summary(0, column, tf.ones_like(column))
    state = held._saveable.specs[1].tensor
    with tf.Session() as session:
        refused(session, list(held.get_buckets(0)))
        session.run(shared())
        for number in range(4):
            session.run(add, {column: batch(number, size)[:, None]})
        print(session.run(state)[:60])
        saver = tf.train.Saver()
        path = saver.save(session, os.path.join(tempfile.mkdtemp(), "model"))
        print(sorted(tf.train.NewCheckpointReader(path).get_variable_to_shape_map().items()))
        session.run(held.flush(0, 1))
        for stamp in (0, 1):
            print(plain(session.run(list(held.get_buckets(stamp)))))
        saver.restore(session, path)
        print(session.run(state)[-60:], plain(session.run(list(held.get_buckets(0)))))
        print(session.run(held.flush_summary(0, 3))[-60:], session.run(state))
    print([op.name for op in tf.get_default_graph().get_operations()])


def batches_apart():
    print("-- op types of quantiles")
    tf.reset_default_graph()
    gen = quantile_ops.gen_quantile_ops
    sparse = tf.constant([[0, 0], [2, 1], [5, 0]], tf.int64)
    weights = tf.ones([8, 1])
    with tf.Session() as session:
        for fetch in (
            gen.bucketize_with_input_boundaries([-5.0, 100.0, 10.0, 9.5], [0.0, 10.0, 100.0]),
            gen.bucketize_with_input_boundaries([1.0], [3.0, 2.0]),
            gen.quantiles(
                [tf.constant([1.0, 2.0, 9.0])], [tf.constant([1.0, 5.0, 2.0])],
                [tf.constant([1.5, 2.0])], [tf.constant([2.0, 6.0])], [sparse],
            ),
            gen.make_quantile_summaries(
                [tf.constant([[1.0], [2.0]])], [], [], [], [[0.0], [2.0]], 0.01
            ),
            gen.make_quantile_summaries(
                [], [sparse], [tf.constant([1.0, 7.0, 3.0])], [tf.constant([8, 2], tf.int64)],
                weights, 0.05,
            ),
            gen.quantile_buckets(
                [tf.constant([[1.0], [2.0], [5.0]])], [], [], [], tf.ones([3, 1]),
                [b"\x09\x9a\x99\x99\x99\x99\x99\xb9\x3f\x10\x03"], [],
            ),
        ):  # fmt: skip
            refused(session, fetch)
    for wrong in (
        lambda: gen.make_quantile_summaries([[[1.0], [2.0]]], [], [], [], [[1.0]], 0.1),
        lambda: gen.quantile_accumulator_add_summaries(
            [gen.quantile_stream_resource_handle_op()], 0, [["a"]]
        ),
        lambda: gen.quantile_accumulator_get_buckets([], 0),
    ):
        try:
            print(wrong())
        except ValueError as error:
            print(error)


def sums():
    print("-- sums")
    tf.reset_default_graph()
    shape = tf.TensorShape
    held = stats_accumulator_ops.StatsAccumulator(0, shape([]), shape([]), name="a_b c")
    add = held.add(0, [3, 1, 1], [[0, 1], [5, 0], [5, 0]], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    wide = stats_accumulator_ops.StatsAccumulator(0, shape([2]), shape([2, 2]), name="wide")
    hessians = np.arange(8, dtype="f").reshape(2, 2, 2)
    add_wide = wide.add(0, [1, 1], [[2, 0], [2, 0]], [[0.5, 1.0], [2.0, 3.0]], hessians)
    print([(spec.name, spec.tensor.shape) for spec in held.saveable.specs])
    print(held.flush(0, 1), wide.flush(0, 1))
    with tf.Session() as session:
        refused(session, add)
        session.run(shared())
        session.run([add, add_wide])
        session.run(held.add(7, [1], [[1, 1]], [1.0], [1.0]))
        print(plain(session.run(held.saveable.serialize())))
        saver = tf.train.Saver()
        path = saver.save(session, os.path.join(tempfile.mkdtemp(), "model"))
        print(plain(session.run(held.flush(0, 1))), plain(session.run(held.flush(1, 2))))
        print(plain(session.run(wide.flush(0, 1))), plain(session.run(wide.flush(1, 2))))
        saver.restore(session, path)
        print(plain(session.run([held.saveable.serialize(), wide.saveable.serialize()])))
        refused(session, wide.add(0, [1], [[0, 0]], [[1.0, 2.0, 3.0]], hessians[:1]))
        refused(session, wide.add(0, [1], [[0, 0]], [[1.0, 2.0]], [[1.0, 2.0]]))
        refused(session, wide.saveable.serialize())


def together():
    print("-- together")
    tf.reset_default_graph()
    scalar = tf.TensorShape([])
    with tf.device("/job:w"):
        first = stats_accumulator_ops.StatsAccumulator(0, scalar, scalar, name="a")
        second = stats_accumulator_ops.StatsAccumulator(0, scalar, scalar, name="b")
        quantile = quantile_ops.QuantileAccumulator(0, 0.1, 3, name="q")
    scheduled = {
        0: [first.schedule_add([1], [[2, 0]], [0.1], [0.2]), quantile.schedule_get_buckets()],
        1: [second.schedule_add([1], [[2, 0]], [0.1], [0.2])],
    }
    results = batch_ops_utils.run_handler_scheduled_ops(scheduled, 0, "/job:z")
    print([getattr(one, "name", one) for key in sorted(results) for one in results[key]])
    for op in tf.get_default_graph().get_operations():
        print(op.name, op.type, [x.name for x in op.inputs], op.device)
    for names in ("x", "xy"):
        batch = [
            batch_ops_utils.ScheduledStampedResourceOp(
                first.resource_handle, lambda *args, **kwargs: None, **{name: tf.constant(1)}
            )
            for name in names
        ]
        batch[-1].op = batch[0].op
        try:
            batch_ops_utils.run_handler_scheduled_ops({0: batch}, 0, None)
        except ValueError as error:
            print(str(error)[:40])


streams(10, 0.3, 8, 7)
streams(50, 0.1, 64, 6)
streams(100, 0.05, 1000, 5)
streams(200, 0.3, 1 << 40, 4)
for settings in (
    (0.01, 4, False, None, 20), (0.1, 10, True, 1000, 200), (0.3, 2, False, 100, 12),
    (0.05, 30, True, None, 300),
):  # fmt: skip
    accumulator(*settings)
batches_apart()
sums()
together()
