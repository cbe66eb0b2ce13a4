"""Small parts of tf.contrib: constrained_optimization, copy_graph, util, leftovers of framework,
an area with its confidence interval.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_parts.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _problem(tf, proxy=False):
    tfco = tf.contrib.constrained_optimization
    w = tf.get_variable("w", initializer=[1.0, -0.5])
    x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])

    class Problem(tfco.ConstrainedMinimizationProblem):
        @property
        def objective(self):
            return tf.reduce_sum(tf.square(tf.tensordot(x, w, 1) - [1.0, 2.0, 0.0]))

        @property
        def constraints(self):
            return tf.stack([w[0] - 0.2, 0.3 - w[1]])

        @property
        def proxy_constraints(self):
            return tf.stack([tf.exp(w[0]) - 1.2, 0.3 - w[1]]) if proxy else None

        @property
        def pre_train_ops(self):
            return [tf.no_op(name="before")] if proxy else None

    return Problem()


def external_regret(tf):
    optimizer = tf.contrib.constrained_optimization.AdditiveExternalRegretOptimizer(
        tf.train.GradientDescentOptimizer(0.05)
    )
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(_problem(tf), unconstrained_steps=1, global_step=step)
    # TF 1.15 may update the variables before or after it has read them for the multipliers.
    return Case(said=[train], steps=0)


def external_regret_bounded(tf):
    optimizer = tf.contrib.constrained_optimization.AdditiveExternalRegretOptimizer(
        tf.train.AdamOptimizer(0.05),
        tf.train.GradientDescentOptimizer(1.0),
        maximum_multiplier_radius=0.1,
    )
    train = optimizer.minimize(_problem(tf, True), name="train")
    return Case([], [train], said=[train])


def additive_swap_regret(tf):
    optimizer = tf.contrib.constrained_optimization.AdditiveSwapRegretOptimizer(
        tf.train.GradientDescentOptimizer(0.05)
    )
    train = optimizer.minimize(_problem(tf, True))
    return Case([], [train], said=[train])


def multiplicative_swap_regret(tf):
    optimizer = tf.contrib.constrained_optimization.MultiplicativeSwapRegretOptimizer(
        tf.train.GradientDescentOptimizer(0.05), tf.train.GradientDescentOptimizer(0.5)
    )
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize_constrained(_problem(tf), global_step=step)
    return Case([step], [train], said=[train])


def candidates(tf):
    tfco = tf.contrib.constrained_optimization
    objectives = np.array([0.31, 0.1, 0.57, 0.2])
    constraints = np.array([[0.1, 0.4, -0.2, 0.3], [-0.1, 0.2, -0.3, 0.1]])
    said = [
        tfco.find_best_candidate_index(objectives, constraints),
        tfco.find_best_candidate_index(objectives, constraints, rank_objectives=True),
        np.abs(np.round(tfco.find_best_candidate_distribution(objectives, constraints), 4)),
        np.abs(
            np.round(tfco.find_best_candidate_distribution(objectives, constraints + 0.5, 1e-3), 2)
        ),
    ]
    return Case(said=said, steps=0)


def confidence(tf):
    labels = tf.placeholder(tf.int64, [None, 1])
    predictions = tf.placeholder(tf.float32, [None])
    metric = tf.contrib.metrics.auc_with_confidence_intervals
    first = metric(labels, predictions, metrics_collections=["m"], updates_collections=["u"])
    rng = np.random.RandomState(0)
    feeds = {labels: rng.permutation([0, 1, 0, 1, 1, 0])[:, None], predictions: rng.rand(6)}
    said = [first[0]._fields, tf.get_collection("m"), tf.get_collection("u")]
    return Case([first[1]], [first[0]], lambda step: feeds, said, steps=1)


def copied(tf):
    ct = tf.contrib.copy_graph
    here = tf.get_default_graph()
    other = tf.Graph()
    with other.as_default():
        a = tf.constant(2.0, name="a")
        v = tf.Variable([1.0, 2.0], name="v")
        with tf.control_dependencies([a]):
            b = tf.multiply(v, a, name="b")
        tf.add_to_collection("mine", b)
        plain = tf.square(a, name="plain")
    copied_v = ct.copy_variable_to_graph(v, here, "to")
    ct.copy_op_to_graph(plain, here, [], "")
    c = ct.copy_op_to_graph(b, here, [copied_v], "to")
    again = ct.copy_op_to_graph(b, here, [copied_v], "to")
    said = [copied_v, c, again is c, ct.get_copied_op(b, here, "to") is c]
    said.append(tf.get_collection("to/mine"))
    return Case([c, "plain:0"], said=said, steps=1)


def framework(tf):
    fw = tf.contrib.framework
    p = tf.placeholder_with_default(True, [])
    x = tf.constant(1.0)
    said = [
        fw.smart_case([(False, lambda: x), (True, lambda: x + 1.0)], default=lambda: x),
        fw.smart_case([(tf.constant(True), lambda: x), (p, lambda: x + 2.0)], name="c"),
        fw.smart_case([(p, lambda: x), (False, lambda: x * 2)], lambda: x * 3, exclusive=False),
    ]
    spec = fw.BoundedTensorSpec((2, 3), tf.int32, 0, [1, 2, 3], "n")
    said += [spec, spec == fw.BoundedTensorSpec((2, 3), tf.int32, 0, [1, 2, 3], "n")]
    said += [fw.BoundedTensorSpec.from_spec(tf.TensorSpec([1], tf.int8)), spec.maximum.tolist()]
    v = tf.Variable(tf.ones([2]), name="v")
    r = tf.get_variable("r", initializer=[1.0], use_resource=True)
    zeros = [fw.zero_initializer(v), fw.zero_initializer(r, name="zr")]
    said += zeros
    util = tf.contrib.util
    proto = util.make_tensor_proto([1.0, 2.0])
    said += [util.make_ndarray(proto).tolist()]
    ops = util.stripped_op_list_for_graph(tf.get_default_graph().as_graph_def())
    said += [util.ops_used_by_graph_def(tf.get_default_graph().as_graph_def()) is not None]
    said.append(sorted(op.name for op in ops.op))
    from tensorflow.contrib.hooks import ProfilerHook

    said.append(ProfilerHook.__name__)
    return Zeros([v, r], zeros, said)


class Zeros(Case):
    """Variables that begin as zeros."""

    def __init__(self, variables, zeros, said):
        super().__init__(said=said)
        self.variables, self.zeros = variables, zeros

    def run(self, tf):
        with tf.Session() as session:
            session.run([op.op for op in self.zeros])
            return list(zip(self.variables, session.run(self.variables)))


def supervised(tf):
    """Placeholders like what an input function gives."""

    def input_fn(size):
        rows = tf.data.Dataset.from_tensors(({"a": tf.ones([3]), "b": tf.zeros([2, 1])}, [1, 0]))
        return rows.batch(size)

    build = tf.contrib.estimator.build_supervised_input_receiver_fn_from_input_fn
    receiver = build(input_fn, size=2)()
    return Case(said=[sorted(receiver.features), receiver.labels], steps=0)


def record_input(tf):
    """Files of equal records, as their order is not TensorFlow's alone to choose."""
    kinds = tf.python_io.TFRecordCompressionType
    for name, kind in (("plain", kinds.NONE), ("zipped", kinds.GZIP)):
        with tf.python_io.TFRecordWriter(name, tf.python_io.TFRecordOptions(kind)) as writer:
            for _ in range(3):
                writer.write(name.encode())
    reader = tf.contrib.framework.RecordInput
    plain = reader("plain", batch_size=2, buffer_size=2, seed=3, name="reader").get_yield_op()
    zipped = reader(
        "zipped", 1, 2, shift_ratio=0.5, batches=2, name="two", compression_type=kinds.GZIP
    )
    zipped = zipped.get_yield_op()
    return Case([plain], [x for batch in zipped for x in batch], steps=2)


CASES = {
    "parts": collect(
        external_regret,
        external_regret_bounded,
        additive_swap_regret,
        multiplicative_swap_regret,
        candidates,
        confidence,
        copied,
        framework,
        supervised,
        record_input,
    )
}


def _twice(tf):
    v = tf.Variable(tf.ones([2]), name="v")
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(tf.contrib.framework.zero_initializer(v).op)


_tfco = "constrained_optimization"

MISTAKES = {
    "parts": {
        "radius": lambda tf: tf.contrib.constrained_optimization.AdditiveExternalRegretOptimizer(
            None, maximum_multiplier_radius=-1.0
        ),
        "least radius": lambda tf: getattr(tf.contrib, _tfco).MultiplicativeSwapRegretOptimizer(
            None, minimum_multiplier_radius=1.0
        ),
        "no step": lambda tf: tf.contrib.constrained_optimization.AdditiveSwapRegretOptimizer(
            tf.train.GradientDescentOptimizer(0.1)
        ).minimize(_problem(tf), 3),
        "epsilon": lambda tf: getattr(tf.contrib, _tfco).find_best_candidate_distribution(
            [1.0], [[1.0]], -1.0
        ),
        "candidates": lambda tf: getattr(tf.contrib, _tfco).find_best_candidate_index(
            [1.0], [[1.0, 2.0]]
        ),
        "alpha": lambda tf: tf.contrib.metrics.auc_with_confidence_intervals(
            tf.constant([1]), tf.constant([1.0]), alpha=2.0
        ),
        "copied variable": lambda tf: tf.contrib.copy_graph.copy_variable_to_graph(3, tf.Graph()),
        "bool": lambda tf: tf.contrib.framework.smart_case([(3, lambda: tf.constant(1.0))]),
        "bounds": lambda tf: tf.contrib.framework.BoundedTensorSpec((2, 3), tf.float32, [1, 2], 3),
        "no bounds": lambda tf: tf.contrib.framework.BoundedTensorSpec((2,), tf.float32, None, 3),
        "date": lambda tf: tf.contrib.framework.deprecated("soon", "x"),
        "instructions": lambda tf: tf.contrib.framework.deprecated(None, ""),
        "no such argument": lambda tf: tf.contrib.framework.deprecated_args(None, "x", "b")(
            lambda a: a
        ),
        "no argument": lambda tf: tf.contrib.framework.deprecated_args(None, "x"),
        "initialized": _twice,
    }
}
