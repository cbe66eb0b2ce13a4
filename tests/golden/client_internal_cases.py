"""Modules of contrib and of TF's framework that client code imports: cases as in
keras_internal_cases.py.
"""

from __future__ import annotations

import importlib

import numpy as np
from internal_cases import error, nodes, numbers
from keras_internal_cases import case


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
