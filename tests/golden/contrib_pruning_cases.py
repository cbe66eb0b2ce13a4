"""tf.contrib.model_pruning.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_pruning.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect


def _made(seed, *shape):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def layers(tf):
    tf.set_random_seed(1)
    pruning = tf.contrib.model_pruning
    x = tf.constant(_made(0, 2, 10, 10, 3))
    with tf.contrib.framework.arg_scope(
        [pruning.masked_conv2d], weights_regularizer=tf.contrib.layers.l2_regularizer(0.1)
    ):
        h = pruning.masked_conv2d(
            x, 4, 3, 2, variables_collections=["mine"], outputs_collections="out"
        )
        h = pruning.masked_convolution(
            h, 2, [2, 3], rate=2, padding="VALID", scope="own", activation_fn=None,
            normalizer_fn=tf.contrib.layers.batch_norm, normalizer_params={"is_training": False},
        )  # fmt: skip
    r = pruning.masked_fully_connected(h, 3, biases_initializer=None)
    y = pruning.masked_fully_connected(tf.contrib.layers.flatten(h), 3, scope="end")
    again = pruning.masked_fully_connected(
        tf.contrib.layers.flatten(h), 3, scope="end", reuse=True, activation_fn=tf.nn.tanh
    )
    grads = tf.gradients(tf.reduce_sum(y) + tf.reduce_sum(again), tf.trainable_variables())
    found = [r, y, again, *[g for g in grads if g is not None]]
    found += pruning.get_weight_sparsity()
    said = [
        pruning.get_masks(), pruning.get_thresholds(), pruning.get_weights(),
        [m.name for m in pruning.get_masked_weights()], y,
    ]  # fmt: skip
    return Case(found, said=said, steps=1)


def cells(tf):
    tf.set_random_seed(2)
    pruning = tf.contrib.model_pruning
    x = tf.constant(_made(1, 2, 3, 4))
    outputs = []
    for i, cell in enumerate(
        (
            pruning.MaskedBasicLSTMCell(3, forget_bias=0.5),
            pruning.MaskedLSTMCell(3, use_peepholes=True, cell_clip=0.2),
            tf.nn.rnn_cell.MultiRNNCell([pruning.MaskedLSTMCell(2), pruning.MaskedLSTMCell(4)]),
        )
    ):
        with tf.variable_scope("cell%d" % i):
            outputs.append(tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0])
    flat = pruning.MaskedBasicLSTMCell(3, state_is_tuple=False, activation=tf.nn.relu, name="flat")
    outputs.append(flat(x[:, 0], tf.ones([2, 6]))[0])
    return Case(outputs, said=[pruning.get_masks(), pruning.get_weights()], steps=1)


def _trained(tf, hparams="", partitioned=False, resource=False, **kwargs):
    tf.set_random_seed(3)
    pruning = tf.contrib.model_pruning
    partitioner = tf.fixed_size_partitioner(2) if partitioned else None
    with tf.variable_scope("net", partitioner=partitioner, use_resource=resource):
        weights = (
            tf.get_variable("weights", initializer=_made(2, 6, 8), partitioner=None)
            if (not partitioned)
            else tf.get_variable(
                "weights", [6, 8], initializer=tf.random_normal_initializer(seed=4)
            )
        )
        masked = pruning.apply_mask(weights, tf.get_variable_scope())
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.constant(_made(3, 5, 6)), masked) - 1.0))
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    pruner = pruning.Pruning(pruning.get_pruning_hparams().parse(hparams), **kwargs)
    update = pruner.conditional_mask_update_op()
    if not partitioned:
        pruner.add_pruning_summaries()
    return Case([loss, train], [update, pruner._sparsity], steps=6)


_SOON = "pruning_frequency=1,sparsity_function_end_step=5,"


def gradual(tf):
    return _trained(tf, _SOON + "target_sparsity=0.75,threshold_decay=0.25,end_pruning_step=4")


def single_weights(tf):
    return _trained(
        tf, _SOON + "name=mine,weight_sparsity_map=[net/weights:0.9],initial_sparsity=0.1"
    )


def blocks(tf):
    return _trained(tf, _SOON + "block_height=2,block_width=3,block_pooling_function=MAX")


def blocks_of_one(tf):
    return _trained(tf, _SOON + "block_dims_map=[weights:-1x2]", resource=True)


def blocks_factorized(tf):
    return _trained(tf, _SOON + "block_height=3,use_tpu=True")


def partitioned(tf):
    return _trained(tf, _SOON, partitioned=True)


def own_sparsity(tf):
    tf.set_random_seed(4)
    sparsity = tf.Variable(0.5, name="own")
    step = tf.Variable(1, name="steps", trainable=False)
    pruning = tf.contrib.model_pruning
    first = pruning.Pruning(sparsity=sparsity, global_step=step)
    second = pruning.Pruning(sparsity=sparsity, global_step=step)
    pruning.masked_fully_connected(tf.constant(_made(4, 2, 5)), 4)
    return Case([first.mask_update_op()], [second.mask_update_op()], steps=1)


def utils(tf):
    from tensorflow.contrib.model_pruning.python import pruning_utils

    a, b = tf.constant(_made(5, 2, 3)), tf.constant(_made(6, 3, 2))
    found = [
        pruning_utils.kronecker_product(a, b),
        pruning_utils.expand_tensor(a, [2, 2]),
        pruning_utils.expand_tensor(a, [1, 3]),
        pruning_utils.factorized_pool(a, [2, 2], "MAX", [2, 2], "SAME", name="pooled"),
    ]
    return Case(found, steps=1)


def stripped(tf):
    """A checkpoint read back as a graph without masks."""
    tf.set_random_seed(5)
    pruning = tf.contrib.model_pruning
    folder = tempfile.mkdtemp()
    y = pruning.masked_fully_connected(tf.constant(_made(7, 2, 4)), 3, scope="layer")
    pruner = pruning.Pruning(sparsity=0.5, global_step=tf.train.get_or_create_global_step())
    update = pruner.mask_update_op()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(update)
        tf.train.Saver().save(session, os.path.join(folder, "model"))
    tf.reset_default_graph()
    names = [y.op.name]
    full = pruning.graph_def_from_checkpoint(folder, names)
    small = pruning.strip_pruning_vars_fn(full, names)
    tf.reset_default_graph()
    (found,) = tf.import_graph_def(small, return_elements=[y.name], name="")
    return Case([found], said=[[n.name for n in full.node], [n.name for n in small.node]], steps=1)


CASES = {
    "layers": collect(layers, cells),
    "pruning": collect(
        gradual,
        single_weights,
        blocks,
        blocks_of_one,
        blocks_factorized,
        partitioned,
        own_sparsity,
    ),  # fmt: skip
    "rest": collect(utils, stripped),
}


def _settings(text):
    def mistake(tf):
        tf.train.create_global_step()
        pruning = tf.contrib.model_pruning
        pruning.masked_fully_connected(tf.constant(_made(4, 2, 5)), 4)
        spec = pruning.get_pruning_hparams().parse(text)
        pruning.Pruning(spec).mask_update_op()

    return mistake


def _rank(tf):
    tf.contrib.model_pruning.masked_conv2d(tf.zeros([1, 2, 3]), 2, 2)


def _layout(tf):
    tf.contrib.model_pruning.masked_conv2d(tf.zeros([1, 2, 3, 4]), 2, 2, data_format="NWC")


def _no_layout(tf):
    tf.contrib.model_pruning.masked_conv2d(tf.zeros([1, 2, 3, 4]), 2, 2, data_format="N")


def _outputs(tf):
    tf.contrib.model_pruning.masked_fully_connected(tf.zeros([1, 2]), 2.5)


def _size(tf):
    tf.contrib.model_pruning.masked_fully_connected(tf.placeholder(tf.float32, [2, None]), 2)


def _channels(tf):
    x = tf.placeholder(tf.float32, [2, 4, 4, None])
    tf.contrib.model_pruning.masked_conv2d(x, 2, 2)


def _checkpoint(tf):
    tf.contrib.model_pruning.graph_def_from_checkpoint("none", ["x"])


def _projection(tf):
    cell = tf.contrib.model_pruning.MaskedLSTMCell(3, num_proj=2)
    cell(tf.zeros([1, 2]), cell.zero_state(1, tf.float32))


def _slim_training(tf):
    """TensorFlow trains, and then fails to take the result apart."""
    tf.set_random_seed(6)
    pruning = tf.contrib.model_pruning
    y = pruning.masked_fully_connected(tf.constant(_made(8, 4, 3)), 2, activation_fn=None)
    loss = tf.losses.mean_squared_error(_made(9, 4, 2), y)
    train = tf.contrib.slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
    update = pruning.Pruning(sparsity=0.5).mask_update_op()
    pruning.train(train, None, update, number_of_steps=3, log_every_n_steps=10)


MISTAKES = {
    "settings": {
        "begin": _settings("begin_pruning_step=-1"),
        "end": _settings("begin_pruning_step=5,end_pruning_step=4"),
        "function_begin": _settings("sparsity_function_begin_step=-1"),
        "function_end": _settings("sparsity_function_end_step=0"),
        "decay": _settings("threshold_decay=1.0"),
        "initial": _settings("initial_sparsity=-0.5"),
        "target": _settings("target_sparsity=1.5"),
        "sparsity": _settings("weight_sparsity_map=[a:1.0]"),
        "blocks": _settings("block_dims_map=[a:2]"),
        "two_sparsities": _settings("weight_sparsity_map=[fully:0.5,weights:0.2]"),
        "two_blocks": _settings("block_dims_map=[fully:2x2,weights:1x2]"),
        "pooling": _settings("block_height=2,block_pooling_function=MIN"),
    },
    "layers": {
        "rank": _rank,
        "layout": _layout,
        "no_layout": _no_layout,
        "outputs": _outputs,
        "size": _size,
        "channels": _channels,
        "checkpoint": _checkpoint,
        "projection": _projection,
        "slim_training": _slim_training,
    },
}
