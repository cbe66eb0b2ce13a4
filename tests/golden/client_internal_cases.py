"""Modules of contrib and of TF's framework that client code imports: cases as in
keras_internal_cases.py.
"""

from __future__ import annotations

import importlib

import numpy as np
from internal_cases import error, internal, nodes, numbers
from keras_internal_cases import case, eager


def contrib(name):
    return importlib.import_module("tensorflow.contrib." + name)


@case
def parts_of_cluster_loss(tf):
    losses = contrib("losses.python.metric_learning.metric_loss_ops")
    rng = np.random.RandomState(1)
    points = rng.normal(size=[9, 2]) + np.repeat([[0, 0], [3, 0], [0, 3]], 3, axis=0)
    labels = tf.constant(np.repeat([4, 7, 9], 3))
    distances = losses.pairwise_distance(tf.constant(points, tf.float32))
    medoids = losses.compute_augmented_facility_locations(
        distances, labels, tf.range(9), 1.0, "const"
    )
    better = losses.compute_augmented_facility_locations_pam(
        distances, labels, 1.0, "const", medoids, 2
    )
    assigned = losses.get_cluster_assignment(distances, better)
    scores = [
        losses.compute_clustering_score(labels, other, "const") for other in (labels, labels + 1)
    ]
    fetches = {
        "medoids": medoids,
        "better": better,
        "assigned": assigned,
        "scores": scores,
        "changed": losses.update_1d_tensor(tf.range(4), 1, [9]),
        "energy": losses.compute_facility_energy(distances, better),
        "right": losses.compute_gt_cluster_score(distances, labels),
    }
    with tf.Session() as session:
        found = session.run(fetches)
    said = {key: np.round(value, 4).tolist() for key, value in sorted(found.items())}
    return [
        said,
        nodes(tf),
        error(losses.compute_clustering_score, labels, labels, "other"),
        error(losses.cluster_loss, labels, points, 1.0),
    ]


@case
def printed_tensors(tf):
    print_op = contrib("framework.python.ops.prettyprint_ops").print_op
    x = tf.constant([0.0, 1.0], name="x")
    mask = tf.constant([False, True])
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    array = tf.TensorArray(tf.float32, 2).unstack(x)
    made = [
        print_op(x, [mask, sparse], "said: ", name="shown"),
        print_op(mask, summarize_indicator_vector=False, print_shape=False),
        print_op(sparse, first_n=1).values,
        print_op(array, print_tensor_type=False).stack(),
    ]
    with tf.Session() as session:
        values = [numbers(v) for v in session.run(made)]
    texts = [
        str(op.get_attr("value").string_val[0])
        for op in tf.get_default_graph().get_operations()
        if op.type == "Const" and op.get_attr("dtype") == tf.string
    ]
    return [values, nodes(tf), texts, error(print_op, None), error(print_op, 3)]


@case
def consumers_of_operations(tf):
    ops = contrib("quantize.python.input_to_ops")
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.gradients(tf.add(tf.square(x, name="s"), x, name="y"), x)
    found = ops.InputToOps(tf.get_default_graph())
    names = [
        sorted(op.name for op in found.ConsumerOperations(producer.op))
        for producer in (x, tf.get_default_graph().get_tensor_by_name("s:0"))
    ]
    tuner = contrib("training.python.training.tuner").Tuner
    return [names, sorted(t.name for t in found.mapping), sorted(tuner.__abstractmethods__)]


@case
def sequence_loss_as_a_loss_of_keras(tf):
    loss = contrib("seq2seq.python.ops.loss").SequenceLoss
    logits = tf.constant(np.arange(12.0).reshape(2, 3, 2) % 5, tf.float32)
    classes = tf.constant([[0, 1, 1], [1, 0, 0]])
    weights = tf.constant([[1.0, 1.0, 0.0], [2.0, 0.0, 0.0]])
    made = [
        loss()(classes, logits, weights),
        loss(True, True, False, False, name="mean")(classes, logits, weights),
        loss(sum_over_batch=False)(classes, logits, weights),
        loss(False, False, False, False)(classes, logits, weights),
    ]
    with tf.Session() as session:
        values = [np.round(v, 4).tolist() for v in session.run(made)]
    return [values, nodes(tf), error(loss(True), classes, logits, weights), loss().reduction]


def _watched(said):
    def callback(op_type, inputs, attrs, outputs, op_name=None, graph=None):
        names = sorted({str(a) for a in attrs[::2]})  # TF has some twice, running eagerly.
        said.append([op_type, len(inputs), names, len(outputs), op_name, graph is None])
        return outputs

    return callback


@case
def callbacks_of_recorded_operations(tf):
    op_callbacks = internal("framework.op_callbacks")
    said, inner = [], []
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    with op_callbacks.op_callback(_watched(said)):
        tf.add(x, 1.0, name="sum")
        tf.split(x, 2, name="parts")
        with op_callbacks.op_callback(_watched(inner)):
            tf.matmul(x, x, transpose_b=True, name="product")
            tf.Variable(1.0, name="v")

    def doubled(op_type, inputs, attrs, outputs, op_name=None, graph=None):
        return [tf.multiply(t, 2.0, name="doubled") for t in outputs]

    with op_callbacks.op_callback(doubled):
        changed = tf.square(x, name="square")

    def dropping(op_type, inputs, attrs, outputs, op_name=None, graph=None):
        return []

    def refused():
        with op_callbacks.op_callback(dropping):
            tf.square(x, name="last")

    return [
        said,
        inner,
        changed.name,
        error(refused),
        error(op_callbacks.op_callback, None),
        error(op_callbacks.op_callback, 3),
        bool(op_callbacks.should_invoke_op_callbacks()),
        nodes(tf),
    ]


@eager
def callbacks_of_operations_that_run(tf):
    op_callbacks = internal("framework.op_callbacks")
    said = []
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with op_callbacks.op_callback(_watched(said)):
        tf.add(x, x)
        tf.split(x, 2)
        told = bool(op_callbacks.should_invoke_op_callbacks())
    tf.square(x)
    return [said, told, bool(op_callbacks.should_invoke_op_callbacks())]


@case
def conversions_of_types(tf):
    registry = internal("framework.tensor_conversion_registry")
    type_spec = internal("framework.type_spec")

    class Celsius(object):
        pass

    class Kelvin(Celsius):
        pass

    def late(value, dtype=None, name=None, as_ref=False):
        return NotImplemented

    def early(value, dtype=None, name=None, as_ref=False):
        return NotImplemented

    registry.register_tensor_conversion_function(Celsius, late)
    registry.register_tensor_conversion_function((Kelvin, bytes), early, 1)
    found = [
        [f.__name__ for _, f in registry.get(c) if f in (early, late)] for c in (Celsius, Kelvin)
    ]
    batchable = type_spec.BatchableTypeSpec
    specs = [
        tf.TensorSpec([2], tf.float32), tf.SparseTensorSpec([2]), tf.RaggedTensorSpec([2, None]),
        tf.IndexedSlicesSpec([2]), tf.data.DatasetSpec(tf.TensorSpec([])),
    ]  # fmt: skip
    return [
        found,
        [len(registry.get(kind)) for kind in (int, np.ndarray, np.float32)],
        registry.get(int)[0][0].__name__,
        [isinstance(spec, batchable) for spec in specs],
    ]


@case
def matrices_of_time_series(tf):
    utils = contrib("timeseries.python.timeseries.math_utils")
    rng = np.random.RandomState(5)
    a = tf.constant(rng.normal(size=[2, 2]), tf.float32)
    batch = tf.constant(rng.normal(size=[3, 2, 2]), tf.float32)
    unknown = tf.placeholder_with_default(batch, [None, None, 2])
    positive = utils.sign_magnitude_positive_definite(a, 0.5, [0.1, 0.2])
    made = [
        utils.mvn_tril_log_prob(tf.zeros([2]), tf.linalg.cholesky(positive), tf.ones([2])),
        utils.clip_covariance(batch, 10.0, 0.1),
        utils.block_diagonal([batch, unknown, batch[:, :1]]),
        utils.power_sums_tensor(3, a, positive),
        utils.matrix_to_powers(a, [0, 1, 2, 5]),
        utils.batch_matrix_pow(batch, [3, 0, 1]),
        utils.batch_times_matrix(unknown, a, adj_y=True),
        utils.batch_times_matrix(batch, a, adj_x=True),
        utils.matrix_times_batch(a, batch, adj_x=True),
        utils.make_toeplitz_matrix(batch, name="toeplitz"),
        positive,
        utils.variable_covariance_matrix(2, "noise", tf.float32, [1.0, 2.0], 0.3),
        utils.batch_start_time(tf.constant([[1, 2], [3, 4]])),
        utils.batch_end_time(tf.constant([[1, 2], [3, 4]])),
        utils.log_noninformative_covariance_prior(positive),
        utils.entropy_matched_cauchy_scale(positive),
    ]
    covariances = utils.transform_to_covariance_matrices(tf.ones([3, 4]), 2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = [np.round(v, 3).tolist() for v in session.run(made)]
    return [
        values,
        [str(t.shape) for t in [*made, covariances]],
        nodes(tf),
        error(utils.batch_times_matrix, a, a),
    ]
