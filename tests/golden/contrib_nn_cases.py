"""Small graphs of tf.contrib.nn, deprecated and copy_graph, and what they compute.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_nn.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

NUMBERS = np.linspace(-2, 2, 12).reshape(3, 4).astype("f")


# ---- nn ----------


def softplus(tf):
    x = tf.constant(NUMBERS)
    alpha = tf.constant([0.5, 1.0, 2.0, 0.1])
    y = tf.contrib.nn.scaled_softplus(x, alpha)
    clip = tf.constant(0.8)
    z = tf.contrib.nn.scaled_softplus(x, 0.3, clip, name="named")
    grads = tf.gradients([y, z], [x, alpha, clip])
    return Case([y, z, *grads], said=[y, z, grads], steps=1)


def dropout(tf):
    tf.set_random_seed(3)
    x = tf.constant(NUMBERS)
    y = tf.contrib.nn.alpha_dropout(x, 0.6, seed=5)
    z = tf.contrib.nn.alpha_dropout(x, tf.constant(0.5), noise_shape=[3, 1], name="rows")
    same = tf.contrib.nn.alpha_dropout(x, 1.0)
    return Case([y, z, *tf.gradients([y, z], x)], said=[y, z, same], steps=2)


def flipped(tf):
    x = tf.constant(NUMBERS)
    labels = tf.constant(np.full([3, 4], 0.25, "f"))
    nn = tf.contrib.nn
    fetches = [
        nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(x, labels),
        nn.deprecated_flipped_softmax_cross_entropy_with_logits(x, labels, name="soft"),
        nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(x, [1, 0, 3]),
        nn.nth_element(x, 1, reverse=True),
        nn.conv1d_transpose(x[:, :, None], tf.ones([2, 1, 1]), [3, 8, 1], 2),
    ]
    return Case(fetches, said=fetches, steps=1)


def sampled(tf):
    tf.set_random_seed(4)
    x = tf.constant(NUMBERS)
    weights = [tf.get_variable("w%d" % i, [5, 4]) for i in range(2)]
    biases = tf.get_variable("b", [10])
    labels = tf.constant([[1], [7], [4]], tf.int64)
    nn = tf.contrib.nn
    y = nn.sampled_sparse_softmax_loss(weights, biases, labels, x, 4, 10)
    values = tf.nn.log_uniform_candidate_sampler(labels, 1, 6, True, 10, seed=7)
    z = nn.rank_sampled_softmax_loss(
        weights, biases, labels, x, 6, 3, 10, 1, values, 0.5, True, "div"
    )
    w = nn.rank_sampled_softmax_loss(
        weights, biases, labels, x, 5, 2, 10, 1, None, tf.constant(2.0), False, "mod", name="mine"
    )
    grads = tf.gradients([y, z, w], biases)
    # Samplers take long to compile: one is enough.
    given = {values[0]: [0, 2, 5, 6, 8, 9], values[1]: np.ones([3, 1]), values[2]: np.ones(6)}
    return Case([z], feeds=lambda step: given, said=[y, z, w, grads[0].values], steps=1)


def forward(tf):
    from tensorflow.contrib.nn.python.ops.fwd_gradients import fwd_gradients

    x, w = tf.constant(NUMBERS[0]), tf.constant([3.0, 1.0])
    y = [tf.sin(x) * w[0], tf.reduce_sum(tf.square(x)), tf.gather(w, [1, 1]) + 1.0]
    ways = fwd_gradients(y, [x, w], [tf.ones([4]), tf.constant([0.5, 2.0])])
    plain = fwd_gradients(y[:1], [x], assert_unused=True)
    return Case([*ways, *plain], said=ways + plain, steps=1)


# ---- summaries ----------


def summaries(tf):
    d = tf.contrib.deprecated
    x = tf.constant(NUMBERS)
    found = [
        d.scalar_summary(["a", "b"], [1.0, 2.0]),
        d.scalar_summary("c", x[0, 0], collections=["mine"], name="named"),
        d.histogram_summary("h", x),
        d.image_summary("i", tf.reshape(x, [3, 2, 2, 1]), max_images=1),
        d.audio_summary("s", x, 8000, max_outputs=2),
        d.merge_summary([d.scalar_summary("d", 3.0)], collections=["merged"], name="both"),
    ]
    found.append(d.merge_all_summaries())
    said = [found, d.merge_all_summaries("nothing")]
    said += [tf.get_collection(key) for key in ("summaries", "mine", "merged")]
    return Case(found[:3] + found[5:6], said=said, steps=1)


# ---- copy_graph ----------


def copied(tf):
    """A graph that is copied into the default one, with its variables."""
    copy = tf.contrib.copy_graph
    with tf.Graph().as_default() as source, tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [2], name="x")
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        w = tf.get_variable("w", initializer=tf.constant(3.0), trainable=False)
        with tf.control_dependencies([tf.no_op(name="first")]):
            y = tf.add(x * v.value(), w, name="y")
        tf.add_to_collection("results", y)
        parts = tf.split(y, 2)
    graph = tf.get_default_graph()
    variables = [copy.copy_variable_to_graph(u, graph) for u in (v, w)]
    z = copy.copy_op_to_graph(y, graph, variables)
    part = copy.copy_op_to_graph(parts[1], graph, variables)
    scoped = [copy.copy_variable_to_graph(u, graph, "s") for u in (v, w)]
    other = copy.copy_op_to_graph(y, graph, scoped, scope="s")
    op = copy.copy_op_to_graph(parts[0].op, graph, scoped, scope="s")
    said = [variables, z, z.op.control_inputs, part, scoped, other, op, z.device]
    said += [copy.get_copied_op(y, graph, "s"), tf.get_collection("results")]
    said += [tf.get_collection("s/results"), tf.get_collection("s/trainable_variables")]
    said += [tf.trainable_variables(), tf.global_variables()]
    said += [op.name for op in source.get_operations()]
    feed = {"x:0": [1.0, 2.0], "s/x:0": [5.0, 6.0]}
    return Case([z, part, other], feeds=lambda step: feed, said=said, steps=1)


CASES = {
    "nn": collect(softplus, dropout, flipped, sampled, forward),
    "summaries": collect(summaries),
    "copy_graph": collect(copied),
}


def _ranked(tf, num_sampled=2, num_resampled=1, strategy="mod"):
    return tf.contrib.nn.rank_sampled_softmax_loss(
        1, 2, 3, 4, num_sampled, num_resampled, 3, 1, None, 1.0, True, strategy
    )


MISTAKES = {
    "nn": {
        "keep": lambda tf: tf.contrib.nn.alpha_dropout(tf.ones([2]), 0.0),
        "keep's rank": lambda tf: tf.contrib.nn.alpha_dropout(tf.ones([2]), tf.ones([2])),
        "too many": lambda tf: _ranked(tf, 4),
        "too few": lambda tf: _ranked(tf, 2, 2),
        "strategy": lambda tf: _ranked(tf, strategy="any"),
    },
    "copy_graph": {
        "no variable": lambda tf: tf.contrib.copy_graph.copy_variable_to_graph(
            3, tf.get_default_graph()
        ),
        "no such copy": lambda tf: tf.contrib.copy_graph.get_copied_op(
            tf.constant(1.0, name="a"), tf.Graph()
        ),
    },
}
