"""Small nets of tf.contrib.layers and slim, old losses and training steps.

Cases are written and run as those of `layer_cases`.
"""

from __future__ import annotations

import functools

import contrib_framework_cases
import numpy as np
from contrib_mistake_cases import MISTAKES as MISTAKES
from contrib_mistake_cases import _net
from layer_cases import _collect, _input, _nothing, _trained


def _unlogged(build):
    """A case whose graph counts only."""

    @functools.wraps(build)
    def case(tf):
        return [], _nothing, [str(y) for y in build(tf)]

    return case


# ---- layers ----------


def dense(tf):
    tf.set_random_seed(1)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 5)
    y = layers.fully_connected(x, 4)
    y = layers.linear(y, 4, scope="linear")
    y = layers.relu6(y, 4)
    y = layers.elu(y, 4, biases_initializer=None)
    return _trained(tf, layers.relu(y, 2, trainable=False), feeds, tf.model_variables())


def dense_settings(tf):
    tf.set_random_seed(2)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 5)
    settings = {
        "weights_initializer": layers.variance_scaling_initializer(),
        "weights_regularizer": layers.l2_regularizer(0.1),
        "biases_initializer": tf.ones_initializer(),
        "biases_regularizer": layers.l1_regularizer(0.2),
        "variables_collections": {"weights": ["w"], "biases": ["b", "both"]},
        "outputs_collections": "ends",
    }
    y = layers.fully_connected(x, 5, scope="a", **settings)
    with tf.variable_scope("outer"):
        z = layers.fully_connected(y, 5, tf.tanh, scope="b", **settings)
    w = layers.fully_connected(z, 5, scope="a", reuse=True, variables_collections=["all"])
    said = [tf.get_collection(key) for key in ("w", "b", "both", "all", "ends")]
    said += [y.aliases, z.aliases, tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)]
    return _trained(tf, w, feeds, *said)


def dense_with_norm(tf):
    tf.set_random_seed(3)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 5)
    y = layers.fully_connected(x, 4, normalizer_fn=layers.layer_norm)
    y = layers.fully_connected(
        y, 3, tf.sigmoid, normalizer_fn=layers.layer_norm, normalizer_params={"scale": False}
    )
    return _trained(tf, y, feeds, tf.trainable_variables())


def legacy_dense(tf):
    tf.set_random_seed(4)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 5)
    y = layers.legacy_fully_connected(x, 4, tf.nn.relu, weight_regularizer=tf.nn.l2_loss)
    y = layers.legacy_relu(y, 3, name="named", bias_init=None)
    y = layers.legacy_linear(tf.reshape(y, [-1, 3]), 2, trainable=False)
    said = [tf.get_collection(key) for key in ("weights", "biases", "activations")]
    layers.apply_regularization(layers.l1_regularizer(0.1))
    return _trained(tf, y, feeds, *said)


def partitioned(tf):
    tf.set_random_seed(5)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 6)
    with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
        y = layers.fully_connected(
            x, 4, weights_regularizer=layers.l2_regularizer(0.1), variables_collections=["vars"]
        )
    return _trained(tf, y, feeds, tf.get_collection("vars"), tf.model_variables())


def convolutions(tf):
    tf.set_random_seed(6)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 9, 8, 2)
    y = layers.conv2d(x, 3, 3)
    y = layers.conv2d(y, 4, [3, 2], stride=[2, 1], padding="VALID", normalizer_fn=layers.batch_norm)
    z = layers.convolution2d(x, 3, 2, rate=2, activation_fn=None, scope="dilated")
    w = layers.convolution(x, 2, 1, biases_initializer=None, outputs_collections=["ends"])
    v = layers.conv1d(x[:, :, 0], 3, 3, stride=2, weights_regularizer=layers.l2_regularizer(0.1))
    said = [tf.get_collection("ends"), w.aliases]
    return _trained(tf, [y, z, w, v], feeds, *said)


def volumes(tf):
    tf.set_random_seed(7)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 4, 5, 4, 2)
    y = layers.conv3d(x, 3, [2, 3, 2], stride=[1, 2, 1])
    y = layers.conv3d_transpose(y, 2, 2, stride=2)
    y = layers.conv3d_transpose(y, 2, 2, padding="VALID", normalizer_fn=layers.batch_norm)
    z = [layers.max_pool3d(x, 2), layers.avg_pool3d(x, [2, 2, 1], 1, padding="SAME")]
    return _trained(tf, [y] + z, feeds)


def core_volumes(tf):
    tf.set_random_seed(8)
    x, feeds = _input(tf, 4, 5, 4, 2)
    y = tf.layers.conv3d(x, 3, 2, padding="same", activation=tf.nn.relu)
    y = tf.layers.conv3d_transpose(y, 2, (2, 1, 2), strides=(1, 2, 1), padding="same")
    z = [
        tf.layers.max_pooling3d(x, 2, 2),
        tf.layers.average_pooling3d(x, (2, 2, 1), 1, padding="same", name="named"),
    ]
    layer = tf.layers.Conv3DTranspose(3, 3)
    said = [layer.compute_output_shape([None, 4, 4, None, 2])]
    return _trained(tf, [y, layer(x)] + z, feeds, *said)


def transposed_convolutions(tf):
    tf.set_random_seed(9)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 4, 3, 2)
    y = layers.conv2d_transpose(x, 3, 3, stride=2, variables_collections=["vars"])
    y = layers.conv2d_transpose(y, 2, [2, 3], 1, "VALID", normalizer_fn=layers.batch_norm)
    z = layers.convolution2d_transpose(x, 2, 1, activation_fn=None, biases_initializer=None)
    return _trained(tf, [y, z], feeds, tf.get_collection("vars"))


def separable_convolutions(tf):
    tf.set_random_seed(10)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 6, 7, 2)
    outputs = [
        layers.separable_conv2d(x, 3, 3, 2),
        layers.separable_conv2d(x, None, 3, 2, stride=2, weights_regularizer=tf.nn.l2_loss),
        layers.separable_conv2d(x, None, 3, 1, normalizer_fn=layers.batch_norm),
        layers.separable_convolution2d(
            x, 2, [2, 3], 1, rate=2, normalizer_fn=layers.batch_norm, scope="named",
            pointwise_initializer=tf.ones_initializer(), variables_collections=["vars"],
        ),
        layers.conv2d_in_plane(x, [2, 3], 2),
        layers.convolution2d_in_plane(x, 3, normalizer_fn=layers.layer_norm, padding="VALID"),
    ]  # fmt: skip
    return _trained(tf, outputs, feeds, tf.get_collection("vars"))


@_unlogged
def channels_first(tf):
    tf.set_random_seed(24)
    layers = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 2, 8, 9])
    outputs = [
        layers.conv2d(x, 3, 3, data_format="NCHW"),
        layers.separable_conv2d(x, 3, 3, data_format="NCHW"),
        layers.separable_conv2d(x, None, 3, data_format="NCHW"),
        layers.max_pool2d(x, 2, data_format="NCHW"),
        layers.avg_pool2d(x, [2, 3], 1, data_format="NCHW"),
        layers.bias_add(x, data_format="NCHW"),
        layers.batch_norm(x, data_format="NCHW"),
        layers.batch_norm(x, data_format="NCHW", fused=False, scale=True),
        layers.batch_norm(x[:, :, 0, 0], data_format="NCHW", is_training=False),
        layers.instance_norm(x, data_format="NCHW"),
        layers.group_norm(x, 2, channels_axis=1, reduction_axes=(2, 3)),
        layers.spatial_softmax(x, data_format="NCHW"),
    ]
    volumes = tf.placeholder(tf.float32, [None, 2, 4, 6, 5])
    return outputs + [
        layers.conv3d(volumes, 3, 2, data_format="NCDHW"),
        layers.max_pool3d(volumes, 2, data_format="NCDHW"),
        layers.avg_pool3d(volumes, 2, data_format="NCDHW"),
        layers.conv3d_transpose(volumes, 3, 2, data_format="NCDHW"),
    ]


def pooling(tf):
    layers, slim = tf.contrib.layers, tf.contrib.slim
    x, feeds = _input(tf, 7, 6, 2)
    outputs = [
        layers.max_pool2d(x, 2),
        layers.max_pool2d(x, [3, 2], [2, 1], "SAME", scope="named", outputs_collections="ends"),
        layers.avg_pool2d(x, 3, 1),
        slim.pool(x, 2, "MAX", "SAME", stride=2),
        slim.pool(x, [2, 3], "AVG", dilation_rate=2, scope="dilated"),
    ]
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    said = [str(y) for y in outputs] + [str(tf.get_collection("ends")), outputs[1].aliases]
    return outputs + tf.gradients(loss, x), feeds, said


def batch_norm(tf):
    tf.set_random_seed(11)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 2)
    training = tf.placeholder_with_default(True, [], name="training")
    settings = {
        "param_initializers": {"gamma": tf.constant_initializer(0.5)},
        "param_regularizers": {"gamma": layers.l2_regularizer(0.1), "beta": tf.nn.l2_loss},
    }
    outputs = [
        layers.batch_norm(x),
        layers.batch_norm(x, scale=True, is_training=False, activation_fn=tf.nn.relu, **settings),
        layers.batch_norm(x, decay=0.9, is_training=training, variables_collections=["vars"]),
        layers.batch_norm(x, center=False, fused=False, scope="unfused", scale=True, **settings),
        layers.batch_norm(x, renorm=True, renorm_decay=0.9),
        layers.batch_norm(x, adjustment=lambda shape: (tf.ones([1, 1, 1, 2]), tf.zeros([1]))),
        layers.batch_norm(x[:, 0], trainable=False, outputs_collections="ends"),
    ]
    said = [tf.get_collection(key) for key in ("vars", "ends", tf.GraphKeys.UPDATE_OPS)]
    return _trained(tf, outputs, feeds, *said)


def forced_batch_norm(tf):
    tf.set_random_seed(12)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 2)
    training = tf.placeholder_with_default(True, [], name="training")
    regularizers = {"gamma": layers.l2_regularizer(0.1)}
    outputs = [
        layers.batch_norm(x, updates_collections=None, scope="a"),
        layers.batch_norm(x, updates_collections=None, is_training=False),
        layers.batch_norm(x, updates_collections=None, is_training=training, scale=True),
        layers.batch_norm(x[:, 0, 0], updates_collections="mine", decay=0.9),
        layers.batch_norm(x[:, 0, 0], is_training=training, center=False),
        layers.batch_norm(x[:, 0, 0], scale=True, param_regularizers=regularizers),
        layers.batch_norm(x, updates_collections=None, fused=False, scale=True),
        layers.batch_norm(x, updates_collections=["mine", "too"], fused=False),
        layers.batch_norm(x, updates_collections="mine", fused=False, is_training=training),
        layers.batch_norm(x, updates_collections=None, fused=False, is_training=training),
        layers.batch_norm(x, updates_collections=None, fused=False, is_training=False),
        layers.batch_norm(x, batch_weights=[1.0, 2.0, 0.0, 0.5], updates_collections=None),
    ]
    said = [tf.get_collection("mine"), tf.get_collection("too")]
    # The averages are read when they have moved.
    return _trained(tf, outputs, feeds, *said)


def debiased_batch_norm(tf):
    tf.set_random_seed(13)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 2)
    outputs = [
        layers.batch_norm(x, zero_debias_moving_mean=True, updates_collections=None),
        layers.batch_norm(x, zero_debias_moving_mean=True, updates_collections=None, fused=False),
        layers.batch_norm(x[:, 0, 0], zero_debias_moving_mean=True),
    ]
    return _trained(tf, outputs, feeds)


@_unlogged
def unfused_channels_first(tf):
    x = tf.placeholder(tf.float32, [None, 2, 3, 4])
    batch_norm = tf.contrib.layers.batch_norm
    weights = tf.placeholder(tf.float32, [None])
    return [
        batch_norm(x, data_format="NCHW", fused=False, updates_collections=None, scale=True),
        batch_norm(x, data_format="NCHW", batch_weights=weights),
        batch_norm(x, data_format="NCHW", updates_collections="mine"),
    ]


def norms(tf):
    tf.set_random_seed(14)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 6)
    unknown = tf.placeholder_with_default(np.ones([2, 3, 4, 6], "f"), [None, None, 4, 6])
    initializers = {"beta": tf.ones_initializer(), "gamma": tf.constant_initializer(2.0)}
    outputs = [
        layers.layer_norm(x),
        layers.layer_norm(x, begin_norm_axis=-1, begin_params_axis=1, activation_fn=tf.nn.relu),
        layers.layer_norm(x, center=False, scale=False, scope="bare"),
        layers.instance_norm(x),
        layers.instance_norm(x, scale=False, param_initializers=initializers, epsilon=0.1),
        layers.group_norm(x, 3),
        layers.group_norm(x, 2, center=False, param_initializers=initializers),
        layers.group_norm(x, 2, mean_close_to_zero=True, activation_fn=tf.tanh),
        layers.group_norm(unknown, 2, reduction_axes=[-2]),
    ]
    return _trained(tf, outputs, feeds, tf.trainable_variables())


def dropout(tf):
    tf.set_random_seed(15)
    dropout = tf.contrib.layers.dropout
    x, feeds = _input(tf, 6)
    training = tf.placeholder_with_default(True, [], name="training")
    outputs = [
        dropout(x),
        dropout(x, 0.3, is_training=False),
        dropout(x, 0.7, is_training=training, scope="maybe"),
        dropout(x, 0.7, noise_shape=[4, 1], seed=3, outputs_collections="ends"),
        dropout(x, tf.constant(0.7)),
    ]
    return outputs, feeds, [str(y) for y in outputs] + [outputs[3].aliases]


def reshaping(tf):
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 2)
    labels = tf.constant([[1, 0, 2], [0, 3, 0]])
    sequence = layers.images_to_sequence(x)
    sparse = layers.dense_to_sparse(labels, outputs_collections="ends")
    outputs = [
        layers.flatten(x),
        sequence,
        layers.sequence_to_images(sequence, 3),
        layers.sequence_to_images(tf.ones([3, 4, 2]), 2, "channels_first"),
        layers.one_hot_encoding(labels, 4),
        layers.one_hot_encoding(tf.cast(labels, tf.int64), 3, 2.0, -1.0, scope="named"),
        layers.softmax(x),
        layers.unit_norm(x, 0),
        layers.unit_norm(x, 2, 1e-3),
        layers.unit_norm(x, 3, scope="last"),
        layers.maxout(x, 1),
        layers.maxout(x, 2, axis=2),
        sparse.indices,
        sparse.values,
        sparse.dense_shape,
    ]
    return outputs, feeds, [str(y) for y in outputs] + [sparse.aliases]


def keypoints(tf):
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3, 4, 2)
    outputs = [
        layers.spatial_softmax(x),
        layers.spatial_softmax(x, 0.5, name="named", variables_collections=["vars"]),
        layers.spatial_softmax(x, 2.0, trainable=False, variables_collections=["vars"]),
    ]
    return _trained(tf, outputs, feeds, tf.get_collection("vars"))


def stacks(tf):
    tf.set_random_seed(16)
    layers = tf.contrib.layers
    x, feeds = _input(tf, 5, 5, 2)
    partial = functools.partial(layers.fully_connected, activation_fn=tf.nn.elu)
    y = layers.repeat(x, 2, layers.conv2d, 3, [3, 3])
    y = layers.repeat(y, 2, layers.conv2d, 3, 1, scope="named")
    y = layers.stack(y, layers.conv2d, [(2, 3), [3, 1]], padding="VALID", scope="convs")
    y = layers.stack(layers.flatten(y), partial, [4, 3])
    y = layers.repeat(y, 1, partial, num_outputs=2)
    return _trained(tf, layers.bias_add(y, tf.nn.relu), feeds, tf.trainable_variables())


def embeddings(tf):
    tf.set_random_seed(17)
    layers = tf.contrib.layers
    ids = tf.constant([[1, 3, 1], [0, 2, 3]])
    y = layers.embed_sequence(ids, 4, 3, scope="words")
    z = layers.embed_sequence(ids, unique=True, scope="words", reuse=True)
    w = layers.bow_encoder(ids, 4, 2, sparse_lookup=False)
    table = tf.get_variable("table", [4, 2])
    v = layers.embedding_lookup_unique(table, ids)
    return _trained(tf, [y, z, w, v], _nothing)


def _sparse(tf, values):
    shape = tf.placeholder_with_default(np.array([4, 3], np.int64), [2])
    return tf.SparseTensor([[0, 0], [0, 2], [2, 0], [2, 1], [3, 1]], values, shape)


def sparse_embeddings(tf):
    tf.set_random_seed(28)
    layers = tf.contrib.layers
    lookup = layers.safe_embedding_lookup_sparse
    table = tf.get_variable("table", [4, 2])
    ids = _sparse(tf, tf.constant([1, 3, 0, -1, -2], tf.int64))
    weights = _sparse(tf, tf.constant([1.0, 2.0, 0.5, 1.0, -1.0]))
    dense = tf.placeholder_with_default(np.array([[1, 0], [3, 3]], np.int32), [None, None])
    shape = tf.placeholder_with_default(np.array([2, 2, 2], np.int64), [3])
    cube = tf.SparseTensor([[0, 0, 1], [1, 1, 0]], tf.constant([1, 2], tf.int64), shape)
    outputs = [
        lookup(table, ids),
        lookup([table], ids, weights, combiner="sqrtn", default_id=2, name="named"),
        lookup(table, ids, weights, combiner="sum"),
        lookup(table, cube, combiner="mean"),
        layers.bow_encoder(dense, 4, 2),
        layers.bow_encoder(ids, 4, 2, scope="sparse"),
    ]
    return _trained(tf, outputs, _nothing)


def divisive_norms(tf):
    tf.set_random_seed(18)
    gdn = tf.contrib.layers.gdn
    x, feeds = _input(tf, 3, 4, 2)
    layer = tf.contrib.layers.GDN(name="mine", beta_min=1e-3)
    outputs = [gdn(x), gdn(x, inverse=True, gamma_init=0.3, name="inverse"), layer(x)]
    outputs += [gdn(x[:, 0], name="lines")]
    return _trained(tf, outputs, feeds)


def _inner(tf):
    def f(x):
        return tf.layers.dense(x, 2, tf.tanh, name="d")

    def g(x, side=None):
        y = tf.layers.dense(x, 2, use_bias=False, name="e")
        return y if side is None else y + side[0]

    return f, g


def reversible(tf):
    tf.set_random_seed(26)
    f, g = _inner(tf)
    x, feeds = _input(tf, 4)
    side = tf.tanh(x[:, :2])
    x1, x2 = tf.split(x, 2, axis=1)
    y1, y2 = tf.contrib.layers.rev_block(x1, x2, f, [g, f], num_layers=2)
    with tf.variable_scope("plain"):
        z1, z2 = tf.contrib.layers.rev_block(y1, y2, f, g, is_training=False)
    block = tf.contrib.layers.RevBlock(f, g, g_side_input=[side], name="mine")
    w1, w2 = block.forward(z1, z2)
    back = block.backward(w1, w2)
    loss = tf.reduce_sum(tf.square(w1)) + tf.reduce_sum(w2)
    variables = tf.trainable_variables()
    grads = tf.gradients(loss, [x] + variables)
    return [y1, y2, w1, w2] + list(back) + grads, feeds, [str(v) for v in variables + [y1, w1]]


def recomputed(tf):
    tf.set_random_seed(27)
    recompute_grad = tf.contrib.layers.recompute_grad
    x, feeds = _input(tf, 3)

    @recompute_grad
    def f(x):
        with tf.variable_scope("f", use_resource=True):
            return tf.layers.dense(tf.layers.dense(x, 3, tf.tanh, name="a"), 2, name="b")

    @recompute_grad(use_data_dep=True, tupleize_grads=True)
    def g(x, y, is_recomputing=None):
        with tf.variable_scope("g", use_resource=True):
            return tf.layers.dense(x, 2, tf.tanh, name="a") * y, y + float(is_recomputing)

    @recompute_grad(tupleize_grads=True)
    def h(x):
        return tf.square(x)

    outputs = [f(x)] + list(g(x, x[:, :2])) + [h(x)]
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    return outputs + tf.gradients(loss, [x] + tf.trainable_variables()), feeds, [str(outputs)]


def penalties(tf):
    layers = tf.contrib.layers
    x, feeds = _input(tf, 3)
    w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(2.0))
    either = layers.sum_regularizer([layers.l1_regularizer(0.1), None, layers.l2_regularizer(0.3)])
    with tf.variable_scope("net", regularizer=either):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    outputs = [
        layers.l1_regularizer(0.5)(w),
        layers.l2_regularizer(0.5, scope="named")(w),
        layers.l2_regularizer(tf.constant(0.25))(w),
        layers.l1_l2_regularizer(0.1, 0.2)(w),
        layers.l1_l2_regularizer(0.0, 0.2)(w),
        layers.l1_l2_regularizer(0.1, 0.0, scope="l1")(w),
        layers.apply_regularization(layers.l2_regularizer(0.1), [w, v]),
        layers.apply_regularization(layers.l2_regularizer(0.0), [w, v]),
    ]
    said = [
        layers.l1_regularizer(0.0)(w),
        layers.sum_regularizer([None]),
        layers.sum_regularizer([layers.l1_regularizer(0.0)])(w),
        tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES),
    ]
    return _trained(tf, outputs, feeds, *said)


def initializers(tf):
    tf.set_random_seed(19)
    layers = tf.contrib.layers
    made = {
        "xavier": layers.xavier_initializer(),
        "normal": layers.xavier_initializer(uniform=False, seed=3),
        "conv2d": layers.xavier_initializer_conv2d(),
        "scaled": layers.variance_scaling_initializer(1.0, "FAN_OUT", uniform=True),
        "double": layers.variance_scaling_initializer(dtype=tf.float64),
    }
    for name, initializer in made.items():
        dtype = tf.float64 if name == "double" else tf.float32
        for shape in ([4], [4, 3], [2, 2, 3, 4]):
            name_of_rank = "{}_{}".format(name, len(shape))
            tf.get_variable(name_of_rank, shape, dtype, initializer=initializer)
    made["xavier"]([])
    return [], _nothing, []


# ---- training ----------


def _optimized(**settings):
    def case(tf):
        loss, feeds = _net(tf)
        step = tf.train.get_or_create_global_step()
        built = {key: value(tf) if callable(value) else value for key, value in settings.items()}
        train = tf.contrib.layers.optimize_loss(loss, step, summaries=[], **built)
        return [loss], feeds, [str(train)], train

    return case


optimize_sgd = _optimized(learning_rate=0.1, optimizer="SGD")
optimize_adam = _optimized(
    learning_rate=lambda tf: tf.constant(0.1), optimizer="Adam", clip_gradients=0.1, name="named"
)
optimize_momentum = _optimized(
    learning_rate=0.1,
    optimizer="Momentum",
    gradient_multipliers={"a/weights:0": 2.0, "b/biases:0": 0.5},
    increment_global_step=False,
)
optimize_class = _optimized(
    learning_rate=0.1,
    optimizer=lambda tf: tf.train.RMSPropOptimizer,
    gradient_noise_scale=0.1,
    learning_rate_decay_fn=lambda tf: lambda rate, step: rate / (1.0 + tf.cast(step, tf.float32)),
)
optimize_function = _optimized(
    learning_rate=0.1,
    optimizer=lambda tf: lambda rate: tf.train.FtrlOptimizer(rate),
    clip_gradients=lambda tf: lambda pairs: [(tf.sign(g), v) for g, v in pairs],
    variables=lambda tf: tf.trainable_variables("a"),
)
optimize_object = _optimized(
    learning_rate=None,
    optimizer=lambda tf: tf.train.AdagradOptimizer(0.1),
    update_ops=lambda tf: [tf.assign_add(tf.get_variable("n", [], trainable=False), 1.0)],
)


def optimize_adaptively(tf):
    loss, feeds = _net(tf)
    step = tf.train.get_or_create_global_step()
    clip = tf.contrib.slim.adaptive_clipping_fn(static_max_norm=0.5, global_step=step)
    train = tf.contrib.layers.optimize_loss(
        loss, step, 0.1, "SGD", clip_gradients=clip, summaries=[]
    )
    return [loss], feeds, [str(train)], train


def train_op(tf):
    loss, feeds = _net(tf)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(tf.Variable(0.0), 1.0))
    training = tf.contrib.training
    train = training.create_train_op(
        loss,
        tf.train.GradientDescentOptimizer(0.1),
        transform_grads_fn=training.clip_gradient_norms_fn(0.1),
        check_numerics=False,
    )
    return [loss], feeds, [str(train), str(tf.get_collection(tf.GraphKeys.TRAIN_OP))], train


def checked_train_op(tf):
    loss, feeds = _net(tf)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    train = tf.contrib.training.create_train_op(
        loss, optimizer, None, variables_to_train=tf.trainable_variables("a")
    )
    return [loss], feeds, [str(train)], train


def slim_train_op(tf):
    loss, feeds = _net(tf)
    slim = tf.contrib.slim
    train = slim.learning.create_train_op(
        loss,
        tf.train.GradientDescentOptimizer(0.1),
        clip_gradient_norm=0.2,
        gradient_multipliers={"a/weights": 2.0},
        check_numerics=False,
    )
    said = [train, slim.learning.clip_gradient_norms([(None, 1)], 1.0)]
    return [loss], feeds, [str(s) for s in said], train


def slim_net(tf):
    tf.set_random_seed(21)
    slim = tf.contrib.slim
    x, feeds = _input(tf, 8, 8, 2)
    with slim.arg_scope(
        [slim.conv2d, slim.fully_connected],
        activation_fn=tf.nn.elu,
        weights_regularizer=slim.l2_regularizer(0.01),
        weights_initializer=slim.variance_scaling_initializer(),
    ):
        with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, padding="VALID") as scope:
            with slim.arg_scope([slim.batch_norm], is_training=True, decay=0.9):
                y = slim.conv2d(x, 3, [3, 3], scope="conv1")
                y = slim.max_pool2d(y, [2, 2], scope="pool1")
        with slim.arg_scope(scope):
            y = slim.conv2d(y, 3, 2, scope="conv2")
        y = slim.flatten(slim.dropout(y, 0.9), scope="flat")
        y = slim.fully_connected(y, 3, activation_fn=None)
    slim.losses.softmax_cross_entropy(y, tf.one_hot([0, 1, 2, 1], 3), label_smoothing=0.1)
    loss = slim.losses.get_total_loss()
    train = slim.learning.create_train_op(
        loss, tf.train.MomentumOptimizer(0.1, 0.9), check_numerics=False
    )
    said = [slim.get_model_variables(), slim.get_variables("conv1"), slim.losses.get_losses()]
    return [loss, y], feeds, [str(s) for s in said], train


def resampled(tf):
    tf.set_random_seed(22)
    values = tf.constant([10.0, 20.0, 30.0, 40.0])
    rates = tf.placeholder_with_default(np.array([0.0, 1.0, 2.0, 0.5], "f"), [None])
    training = tf.contrib.training
    (y,) = training.resample_at_rate([values], rates)
    (z,) = training.resample_at_rate([values], rates, scope="named", seed=3, back_prop=True)
    return [], _nothing, [str(y), str(z)]


def resampled_by_weight(tf):
    tf.set_random_seed(23)
    values = tf.constant([10.0, 20.0, 30.0, 40.0])
    (y,), rates = tf.contrib.training.weighted_resample(
        [values], tf.constant([0.1, 0.5, 1.0, 0.5]), 0.8, seed=3
    )
    return [], _nothing, [str(y), str(rates), str(tf.local_variables())]


# ---- old losses ----------


def losses(tf):
    losses = tf.contrib.losses
    x, feeds = _input(tf, 3)
    labels = tf.constant(np.eye(4, 3, dtype="f"))
    inside = tf.sigmoid(x)
    each = tf.constant([1.0, 0.0, 2.0, 0.5])
    all_weights = tf.constant(np.arange(12, dtype="f").reshape(4, 3) % 3)
    outputs = [
        losses.absolute_difference(x, labels),
        losses.mean_squared_error(x, labels, weights=0.5),
        losses.mean_squared_error(x, labels, weights=each, scope="named"),
        losses.mean_squared_error(x, labels, weights=tf.reshape(each, [4, 1])),
        losses.absolute_difference(x, labels, weights=all_weights),
        losses.log_loss(inside, labels, epsilon=1e-3),
        losses.hinge_loss(x, labels),
        losses.cosine_distance(tf.nn.l2_normalize(x, 1), labels, 1),
        losses.cosine_distance(tf.nn.l2_normalize(x, 1), labels, dim=1, weights=each),
        losses.mean_pairwise_squared_error(x, labels),
        losses.mean_pairwise_squared_error(x, labels, weights=each),
        losses.sigmoid_cross_entropy(x, labels),
        losses.sigmoid_cross_entropy(x, tf.cast(labels, tf.int32), label_smoothing=0.2),
        losses.softmax_cross_entropy(x, labels, weights=each),
        losses.softmax_cross_entropy(x, labels, label_smoothing=0.3),
        losses.sparse_softmax_cross_entropy(x, [0, 2, 1, 1]),
        losses.sparse_softmax_cross_entropy(x, tf.constant([[0], [2], [1], [1]]), each),
        losses.compute_weighted_loss(tf.cast(x, tf.float64), 0.0),
    ]
    losses.add_loss(tf.constant(1.0))
    losses.add_loss(tf.constant(2.0), None)
    said = [losses.get_losses("named"), len(losses.get_losses()), losses.get_losses("x", "none")]
    said += [losses.get_regularization_losses()]
    total = tf.add_n([loss for loss in losses.get_losses() if loss.dtype == tf.float32])
    return outputs + [total, tf.gradients(total, x)[0]], feeds, [str(s) for s in said]


def total_loss(tf):
    losses = tf.contrib.losses
    x, feeds = _input(tf, 3)
    losses.mean_squared_error(x, x + 1.0)
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(1.0))
    outputs = [losses.get_total_loss(), losses.get_total_loss(False, name="bare")]
    return outputs, feeds, [str(y) for y in outputs]


def metric_losses(tf):
    metric = tf.contrib.losses.metric_learning
    x, feeds = _input(tf, 3)
    y = tf.nn.l2_normalize(x, 1)
    labels = tf.constant([0, 1, 0, 1])
    outputs = [
        metric.contrastive_loss([1, 0, 1, 0], x, x * 0.5 + 0.1),
        metric.contrastive_loss([1, 0, 1, 0], x, x * 0.5 + 0.1, margin=2.0),
        metric.triplet_semihard_loss(labels, y),
        metric.triplet_semihard_loss(tf.constant([0, 1, 1, 2]), y, margin=0.2),
        metric.npairs_loss(labels, x, x * 0.5 + 0.1),
        metric.lifted_struct_loss(labels, x),
    ]
    return outputs + tf.gradients(outputs, x), feeds, [str(loss) for loss in outputs]


GRAPHS = {
    "layers": _collect(
        dense,
        dense_settings,
        dense_with_norm,
        legacy_dense,
        partitioned,
        convolutions,
        volumes,
        core_volumes,
        transposed_convolutions,
        separable_convolutions,
        channels_first,
        pooling,
        batch_norm,
        forced_batch_norm,
        debiased_batch_norm,
        unfused_channels_first,
        norms,
        dropout,
        reshaping,
        keypoints,
        stacks,
        embeddings,
        sparse_embeddings,
        divisive_norms,
        penalties,
        initializers,
    ),
    # TF 1.15 gives the variables to a custom gradient in no fixed order: only values are compared.
    "recomputed": _collect(reversible, recomputed),
    "training": dict(
        _collect(
            optimize_adaptively,
            train_op,
            checked_train_op,
            slim_train_op,
            slim_net,
            resampled,
            resampled_by_weight,
        ),
        optimize_sgd=optimize_sgd,
        optimize_adam=optimize_adam,
        optimize_momentum=optimize_momentum,
        optimize_class=optimize_class,
        optimize_function=optimize_function,
        optimize_object=optimize_object,
    ),
    "losses": _collect(losses, total_loss, metric_losses),
    "framework": contrib_framework_cases.GRAPHS,
}
