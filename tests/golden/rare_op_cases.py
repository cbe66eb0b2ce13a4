"""Op types that hardly any program has: binomial numbers, references, what pipelines assert.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_rare_ops.py`.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3

import numpy as np
from case_runs import Case, collect
from op_cases import _OneByOne


def _generator(tf, *state):
    """A generator's variable, and what makes its buffer its own: TensorFlow's first draw would be
    lost on one that it shares with its initial value."""
    variable = tf.Variable(np.array(state, np.int64), use_resource=True)
    return variable, variable.assign_add(np.zeros(len(state), np.int64)).op


def _binomials(shape, counts, probs, dtype="float32"):
    def record(tf):
        variable, own = _generator(tf, 7, 0, 5)
        draw = tf.raw_ops.StatefulRandomBinomial(
            resource=variable.handle, algorithm=1, shape=shape, counts=np.float32(counts),
            probs=np.float32(probs), dtype=tf.as_dtype(dtype),
        )  # fmt: skip
        return _OneByOne([own, draw, variable.read_value(), draw, variable.read_value()])

    return record


def reference_of_a_gradient(tf):
    variable = tf.Variable([1.0, 2.0])
    seen = tf.raw_ops.DebugGradientRefIdentity(input=variable._ref())
    return Case([tf.assign_add(seen, [1.0, 1.0])])


def fake_queue(tf):
    queue = tf.raw_ops.FIFOQueueV2(component_types=[tf.int32], shapes=[[]], capacity=5)
    fake = tf.raw_ops.FakeQueue(resource=queue)
    put = tf.raw_ops.QueueEnqueue(handle=fake, components=[tf.constant(3)])
    taken = tf.raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.int32])
    return _OneByOne([put, taken])


_ONE = {"output_shapes": [[]]}
_MANY = {"output_shapes": [[None]]}


def _branches(numerator, denominator):
    def record(tf):
        from tensorflow.python.framework import function

        kinds = {"output_types": [tf.int64]}

        @function.Defun(tf.variant, tf.int64, func_name="batch_and_take")
        def first(dataset, count):
            batches = tf.raw_ops.BatchDatasetV2(
                input_dataset=dataset, batch_size=np.int64(2), drop_remainder=False, **kinds,
                **_MANY
            )  # fmt: skip
            return tf.raw_ops.TakeDataset(input_dataset=batches, count=count, **kinds, **_MANY)

        @function.Defun(tf.variant, tf.int64, func_name="take_and_batch")
        def second(dataset, count):
            some = tf.raw_ops.TakeDataset(input_dataset=dataset, count=count * 2, **kinds, **_ONE)
            return tf.raw_ops.BatchDatasetV2(
                input_dataset=some, batch_size=np.int64(2), drop_remainder=False, **kinds, **_MANY
            )

        count = tf.constant(30, tf.int64)
        chosen = tf.raw_ops.ChooseFastestBranchDataset(
            input_dataset=tf.data.Dataset.range(9)._variant_tensor,
            ratio_numerator=np.int64(numerator), ratio_denominator=np.int64(denominator),
            other_arguments=[count, count], num_elements_per_branch=1, branches=[first, second],
            other_arguments_lengths=[1, 1], **kinds, **_MANY
        )  # fmt: skip
        iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **kinds, **_MANY)
        begin = tf.raw_ops.MakeIterator(dataset=chosen, iterator=iterator)
        element = tf.raw_ops.IteratorGetNext(iterator=iterator, **kinds, **_MANY)
        return _OneByOne([begin] + [element] * 4)

    return record


# ---- what comes after a step of a pipeline ----------


def _asserted(expected, make, *rewrites, **settings):
    def record(tf):
        from tensorflow.python.data.experimental.ops import optimization

        dataset = make(tf, tf.data.Dataset.range(6).apply(optimization.assert_next(expected)))
        options = tf.data.Options()
        chosen = options.experimental_optimization
        chosen.apply_default_optimizations = settings.get("default", False)
        for name in rewrites:
            setattr(chosen, name, True)
        iterator = tf.data.make_initializable_iterator(dataset.with_options(options))
        return _OneByOne([iterator.initializer, iterator.get_next()])

    return record


def _batched_map(tf, dataset):
    return dataset.map(lambda x: x).batch(2)


def _mapped_twice(tf, dataset):
    return dataset.map(lambda x: x).map(lambda x: x).prefetch(1)


def _filtered_twice(tf, dataset):
    return dataset.filter(lambda x: x > 0).filter(lambda x: x > 1).prefetch(1)


def _idle(tf, dataset):
    return dataset.take(-1).skip(0).repeat(1).prefetch(0).prefetch(2)


ASSERTED = {
    "all": _asserted(["Map", "BatchV2", "Model"], _batched_map),
    "some": _asserted(["Map"], _batched_map),
    "wrong": _asserted(["Map", "Batch"], _batched_map),
    "too_few": _asserted(["Map", "BatchV2", "Model", "x"], _batched_map),
    "fused": _asserted(["MapAndBatch"], _batched_map, default=True),
    "not_fused": _asserted(["Map"], _batched_map, default=True),
    "maps": _asserted(["Map", "Prefetch"], _mapped_twice, "map_fusion"),
    "parallel": _asserted(["ParallelMap", "ParallelMap"], _mapped_twice, "map_parallelization"),
    "filters": _asserted(["Filter", "Prefetch"], _filtered_twice, "filter_fusion"),
    "idle": _asserted(["Prefetch"], _idle, "noop_elimination"),
    "take": _asserted(["x"], lambda tf, dataset: dataset.take(3)),
    "skip": _asserted(["x"], lambda tf, dataset: dataset.skip(3)),
    "cache": _asserted(["x"], lambda tf, dataset: dataset.cache()),
    "zip": _asserted(["x"], lambda tf, dataset: tf.data.Dataset.zip((dataset, dataset))),
}


def _old_normals(*state):
    """Numbers of the op type that later versions dropped: GraphDefs of old may have it."""

    def record(tf):
        definition = tf.GraphDef()
        definition.versions.producer = 20
        with tf.Graph().as_default() as graph:
            tf.constant([5], tf.int64, name="shape")
            variable = tf.raw_ops.VarHandleOp(dtype=tf.int64, shape=[4], shared_name="g", name="g")
            value = tf.constant(np.array(state, np.int64), name="value")
            tf.raw_ops.AssignVariableOp(resource=variable, value=value, name="assign")
            tf.raw_ops.ReadVariableOp(resource=variable, dtype=tf.int64, name="read")
            definition.node.extend(graph.as_graph_def().node)
        node = definition.node.add(name="old", op="StatefulStandardNormal", input=["g", "shape"])
        node.attr["dtype"].type = tf.float32.as_datatype_enum
        node.attr["shape_dtype"].type = tf.int64.as_datatype_enum
        names = ["assign", "old:0", "read:0"]
        return _OneByOne(tf.import_graph_def(definition, name="", return_elements=names))

    return record


# ---- summaries in a database ----------

# Without identifiers, which are random, times, and rows that TensorFlow only sets aside.
_QUERIES = (
    "SELECT user_name, email FROM Users",
    "SELECT experiment_name, is_watching FROM Experiments JOIN Users USING (user_id)",
    "SELECT run_name FROM Runs JOIN Experiments USING (experiment_id)",
    "SELECT tag_name, display_name, plugin_name, plugin_data, description FROM Tags "
    "JOIN Descriptions ON id = tag_id JOIN Runs USING (run_id) ORDER BY tag_name",
    "SELECT tag_name, step, dtype, shape, data FROM Tensors JOIN Tags ON series = tag_id "
    "WHERE step IS NOT NULL ORDER BY tag_name, step",
    "SELECT tag_name, idx, S.data FROM TensorStrings S JOIN Tensors T ON T.rowid = tensor_rowid "
    "JOIN Tags ON series = tag_id WHERE tag_name LIKE 'audio%' ORDER BY tag_name, idx",
    "SELECT graph_def FROM Graphs JOIN Runs USING (run_id)",
    "SELECT node_id, node_name, op, device FROM Nodes JOIN Graphs USING (graph_id)",
    "SELECT node_id, idx, input_node_id, input_node_idx, is_control FROM NodeInputs "
    "ORDER BY node_id, idx",
    "SELECT name, tbl_name FROM sqlite_master ORDER BY name",
)


class _Database(_OneByOne):
    def run(self, tf):
        found = super().run(tf)
        with contextlib.closing(sqlite3.connect("summaries.db")) as database:
            for query in _QUERIES:
                rows = [repr(tuple(row)) for row in database.execute(query)]
                found.append((query, np.array(rows, object)))
        os.remove("summaries.db")
        return found


def database(tf):
    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    writer = summary.create_db_writer("summaries.db", "experiment", "run", "user")
    with tf.Graph().as_default() as graph:
        with tf.control_dependencies([tf.no_op(name="first")]):
            tf.add(1.0, 2.0, name="sum")
    with writer.as_default(), summary.always_record_summaries():
        values = [
            summary.scalar("scalar", 3.5), summary.scalar("integer", tf.constant(4, tf.int64)),
            summary.generic("tensor", tf.constant([1, 2]), ""),
            summary.histogram("histogram", [1.0, 2.0, 3.0]),
            summary.image("image", tf.zeros([1, 2, 2, 3])),
            summary.audio("audio", tf.zeros([1, 10, 1]), 100, max_outputs=1),
        ]  # fmt: skip
        serialized = graph.as_graph_def().SerializeToString(deterministic=True)
        whole = summary.graph(tf.constant(serialized), 0)
    return _Database(
        [summary.summary_writer_initializer_op(), values, whole, step.assign_add(1), values[:2],
         writer.close()]
    )  # fmt: skip


CASES = {
    "database": collect(database),
    "binomial": {
        "gaps": _binomials([4], 10, 0.3),
        "many": _binomials([3, 2], 200, 0.6, "int64"),
        "batches": _binomials([2, 3], [100, 5], [0.5, 0.2], "int32"),
        "one_probability": _binomials([3, 2], [10, 20, 60], 0.25, "float64"),
        "certain": _binomials([3], 7, 1),
        "impossible": _binomials([3], 7, 0),
        "wrong": _binomials([2], [7, 2], [0.5, 1.5]),
        "lengths": _binomials([3], [1, 2], 0.5),
        "empty": _binomials([0], 3, 0.5),
    },
    "references": collect(reference_of_a_gradient, fake_queue),
    "branches": {"chosen": _branches(2, 1), "none": _branches(0, 1), "negative": _branches(1, -1)},
    "asserted": ASSERTED,
    "old_normals": {"drawn": _old_normals(1, 0, 0, 5), "no_algorithm": _old_normals(0, 0, 5, 7)},
}
MISTAKES = {}
