"""Small nets of tf.layers, losses of tf.losses, and the functions that these are made of.

Every function takes the `tensorflow` module. Those in `GRAPHS` record a graph and return
`(fetches, feeds, said, train)`, or the first three: it is compared node for node, `fetches` and
then `train` are run three times with `feeds(step)`, and what is `said` is compared as text.
`MISTAKES` are compared by the exception that they raise.
"""

from __future__ import annotations

import numpy as np
from layer_mistake_cases import MISTAKES as MISTAKES

STEPS = 3


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _nothing(step):
    return {}


def _input(tf, *shape, **kwargs):
    """A placeholder with an unknown batch of 4, and what to feed it."""
    dtype = kwargs.get("dtype", tf.float32)
    x = tf.placeholder(dtype, (None, *shape), name="x")

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, *shape).astype(dtype.as_numpy_dtype)}

    return x, feeds


def _trained(tf, outputs, feeds, *said):
    """A step of training towards outputs of -1/2, with penalties and updates."""
    outputs = outputs if isinstance(outputs, list) else [outputs]
    loss = tf.add_n([tf.reduce_mean(tf.square(y + 0.5)) for y in outputs])
    penalties = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    loss = tf.add_n([loss, *penalties]) if penalties else loss
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return [loss, *outputs], feeds, [str(y) for y in outputs] + [str(s) for s in said], train


# ---- tf.layers ----------


def dense(tf):
    tf.set_random_seed(1)
    x, feeds = _input(tf, 5)
    y = tf.layers.dense(x, 4, tf.nn.relu)
    return _trained(tf, tf.layers.dense(y, 2, name="top"), feeds)


def dense_settings(tf):
    tf.set_random_seed(2)
    x, feeds = _input(tf, 3, 5)
    y = tf.layers.dense(
        x,
        4,
        activation="tanh",
        kernel_initializer="he_normal",
        bias_initializer="ones",
        kernel_regularizer=lambda w: 0.1 * tf.reduce_sum(tf.abs(w)),
        bias_regularizer=lambda b: None,
        activity_regularizer=tf.nn.l2_loss,
        kernel_constraint=lambda w: tf.clip_by_norm(w, 1.0),
    )
    z = tf.layers.dense(y, 2, use_bias=False, trainable=False)
    return _trained(tf, z, feeds, tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))


def dense_in_scopes(tf):
    tf.set_random_seed(3)
    x, feeds = _input(tf, 5)
    initializer = tf.random_normal_initializer(stddev=0.3)
    with tf.variable_scope("net", initializer=initializer, regularizer=tf.nn.l2_loss):
        y = tf.layers.dense(x, 5)
        with tf.name_scope("inner"):
            y = tf.layers.dense(y, 5, name="named")
    with tf.variable_scope("net", reuse=True):
        y = tf.layers.dense(y, 5, name="named")
    with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
        for _ in range(2):
            y = tf.layers.dense(y, 5, name="shared")
    y = tf.layers.dense(y, 5, name="shared2", reuse=False)
    y = tf.layers.dense(y, 5, name="shared2", reuse=True)
    return _trained(tf, y, feeds, tf.global_variables())


def layer_objects(tf):
    tf.set_random_seed(4)
    x, feeds = _input(tf, 5)
    layer = tf.layers.Dense(5, kernel_regularizer=tf.nn.l2_loss)
    other = tf.layers.Dense(3, name="other")
    said = [layer.name, layer.built, layer.dtype, repr(layer.input_spec)]
    y = other(layer(layer(x)))
    with tf.name_scope("again"):
        y += other.apply(x)
    said += [layer.name, other.name, layer.scope_name, layer.dtype, repr(layer.input_spec)]
    said += [layer.kernel, layer.variables, layer.trainable_weights, other.count_params()]
    said += [len(layer.losses), layer.get_updates_for(None), layer.non_trainable_variables]
    said += [other.compute_output_shape([None, 5])]
    other.trainable = False
    said += [other.trainable_variables, other.non_trainable_weights]
    return _trained(tf, y, feeds, *said)


def own_layer(tf):
    tf.set_random_seed(5)

    class Scaled(tf.layers.Layer):
        def __init__(self, power, **kwargs):
            super(Scaled, self).__init__(**kwargs)
            self.power = power

        def build(self, input_shape):
            size = int(input_shape[-1])
            self.scale = self.add_weight("scale", [size], initializer=tf.ones_initializer())
            self.shift = self.add_variable("shift", [size], trainable=False)
            self.count = self.add_weight("count", [], tf.int32, trainable=False)
            super(Scaled, self).build(input_shape)

        def call(self, inputs, training=True):
            self.add_loss(tf.reduce_sum(inputs), inputs=inputs)
            if training:
                self.add_update(tf.assign_add(self.count, 1))
            return inputs**self.power * self.scale + self.shift

    x, feeds = _input(tf, 3, dtype=tf.float64)
    layer = Scaled(2, name="mine")
    y = layer(x) + layer(x, training=False) + Scaled(3)(x)
    return _trained(tf, y, feeds, layer.updates, layer.losses, layer.dtype, layer.weights)


def layer_in_layer(tf):
    tf.set_random_seed(6)

    class Block(tf.layers.Layer):
        def build(self, input_shape):
            self.first = tf.layers.Dense(4, activation=tf.nn.relu)
            self.second = tf.layers.Dense(3, name="second")
            super(Block, self).build(input_shape)

        def call(self, inputs, training=None):
            return self.second(self.first(inputs))

    x, feeds = _input(tf, 3)
    block = Block()
    return _trained(tf, block(block(x)), feeds, block.weights, block.name)


def convolutions(tf):
    tf.set_random_seed(7)
    x, feeds = _input(tf, 9, 8, 2)
    y = tf.layers.conv2d(x, 3, 3, padding="same", activation=tf.nn.relu)
    y = tf.layers.conv2d(y, 4, (3, 2), (2, 1), use_bias=False)
    z = tf.layers.conv2d(x, 3, 2, dilation_rate=2, padding="SAME", name="dilated")
    w = tf.layers.conv2d(x, 3, 2, dilation_rate=(1, 3), name="wide")
    return _trained(tf, [y, z, w], feeds)


def channels_first(tf):
    tf.set_random_seed(8)
    x, feeds = _input(tf, 9, 8, 2)
    x = tf.transpose(x, [0, 3, 1, 2])
    y = tf.layers.conv2d(x, 3, 3, data_format="channels_first")
    y = tf.layers.batch_normalization(y, axis=1, training=True)
    y = tf.layers.flatten(y, data_format="channels_first")
    # TF 1.15 has no such convolution on CPUs.
    return [], _nothing, [str(y)]


def convolutions_1d(tf):
    tf.set_random_seed(9)
    x, feeds = _input(tf, 9, 2)
    y = tf.layers.conv1d(x, 3, 3, padding="same", activation=tf.nn.relu)
    y = tf.layers.conv1d(y, 4, 2, strides=2)
    z = tf.layers.conv1d(x, 3, 2, dilation_rate=2)
    w = tf.layers.Conv1D(2, 3, padding="causal", dilation_rate=2)(x)
    return _trained(tf, [y, z, w], feeds)


def transposed_convolutions(tf):
    tf.set_random_seed(10)
    x, feeds = _input(tf, 4, 3, 2)
    y = tf.layers.conv2d_transpose(x, 3, 3, strides=2, padding="same", activation=tf.nn.relu)
    z = tf.layers.conv2d_transpose(x, 3, (2, 3), strides=(1, 2), use_bias=False)
    return _trained(tf, [y, z], feeds)


def separable_convolutions(tf):
    tf.set_random_seed(11)
    x, feeds = _input(tf, 6, 7, 2)
    y = tf.layers.separable_conv2d(x, 3, 3, depth_multiplier=2, activation=tf.nn.relu)
    z = tf.layers.separable_conv2d(x, 3, 2, padding="same", dilation_rate=2, use_bias=False)
    w = tf.layers.separable_conv1d(x[:, :, 0], 3, 2, padding="same")
    return _trained(tf, [y, z, w], feeds)


def pooling(tf):
    x, feeds = _input(tf, 7, 6, 2)
    images = [
        tf.layers.max_pooling2d(x, 2, 2),
        tf.layers.max_pooling2d(x, (3, 2), (2, 1), padding="same", name="named"),
        tf.layers.average_pooling2d(x, [2, 3], 2),
        tf.layers.AveragePooling2D(2, 1, "SAME")(x),
    ]
    rows = x[:, :, 0]
    lines = [
        tf.layers.max_pooling1d(rows, 2, 2),
        tf.layers.average_pooling1d(rows, 3, 1, padding="same"),
        tf.layers.max_pooling1d(rows, 2, 2, data_format="channels_first"),
    ]
    outputs = images + lines
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    return [*outputs, tf.gradients(loss, x)[0]], feeds, [str(y) for y in outputs]


def flatten(tf):
    x, feeds = _input(tf, 3, 2, 2)
    unknown = tf.placeholder_with_default(np.ones([2, 3, 4], np.float32), [None, None, 4])
    y = tf.layers.flatten(x)
    z = tf.layers.flatten(unknown, name="unknown")
    fixed = tf.layers.flatten(tf.ones([2, 3]))
    return [y, z, fixed], feeds, [str(y), str(z), str(fixed)]


def dropout(tf):
    tf.set_random_seed(12)
    x, feeds = _input(tf, 6)
    training = tf.placeholder_with_default(True, [], name="training")
    outputs = [
        tf.layers.dropout(x, 0.4, training=True),
        tf.layers.dropout(x, 0.4),
        tf.layers.dropout(x, 0.4, training=training),
        tf.layers.dropout(x, 0.4, noise_shape=(None, 1), seed=5, training=1, name="rows"),
        tf.layers.dropout(x, rate=tf.constant(0.7), training=tf.constant(True)),
    ]
    return outputs, feeds, [str(y) for y in outputs]


def batch_normalization(tf):
    tf.set_random_seed(13)
    x, feeds = _input(tf, 5)
    training = tf.placeholder_with_default(True, [], name="training")
    outputs = [
        tf.layers.batch_normalization(x, training=True),
        tf.layers.batch_normalization(x),
        tf.layers.batch_normalization(x, training=training, momentum=0.5, epsilon=0.1),
        tf.layers.batch_normalization(x, training=True, center=False, scale=False, name="bare"),
    ]
    return _trained(tf, outputs, feeds, tf.get_collection(tf.GraphKeys.UPDATE_OPS))


def fused_batch_normalization(tf):
    tf.set_random_seed(14)
    x, feeds = _input(tf, 3, 4, 2)
    training = tf.placeholder_with_default(True, [], name="training")
    outputs = [
        tf.layers.batch_normalization(x, training=True),
        tf.layers.batch_normalization(x, gamma_initializer=tf.constant_initializer(0.5)),
        tf.layers.batch_normalization(x, training=training, momentum=0.9, name="maybe"),
        tf.layers.batch_normalization(x, training=True, center=False, scale=False),
        tf.layers.batch_normalization(x, training=True, fused=False),
        tf.layers.batch_normalization(x, axis=[1, 3], training=True),
    ]
    return _trained(tf, outputs, feeds, tf.get_collection(tf.GraphKeys.UPDATE_OPS))


def unusual_batch_normalization(tf):
    tf.set_random_seed(15)
    x, feeds = _input(tf, 3, 4, 2)
    clipping = {"rmax": 3.0, "rmin": 0.3, "dmax": 5.0}
    outputs = [
        tf.layers.batch_normalization(x, training=True, virtual_batch_size=2),
        tf.layers.batch_normalization(
            x, training=True, renorm=True, renorm_clipping=clipping, renorm_momentum=0.9
        ),
        tf.layers.batch_normalization(x, axis=1, training=True, fused=False),
        tf.layers.batch_normalization(
            x, training=True, adjustment=lambda shape: (tf.ones([4, 1, 1, 1]), tf.zeros([1]))
        ),
    ]
    return _trained(tf, outputs, feeds)


def shared_batch_normalization(tf):
    tf.set_random_seed(16)
    x, feeds = _input(tf, 5)
    layer = tf.layers.BatchNormalization(beta_regularizer=tf.nn.l2_loss, name="norm")
    train = layer(x, training=True)
    test = layer(x * 2.0, training=False)
    other = tf.layers.batch_normalization(x, name="norm", reuse=True)
    said = [train, test, layer.updates, layer.get_updates_for(x), layer.weights]
    # TF 1.15 may read the averages before or after their update: each in its own run.
    return [train, test, other], feeds, [str(s) for s in said], tf.group(*layer.updates)


def half_precision(tf):
    x, feeds = _input(tf, 4, dtype=tf.float16)
    y = tf.layers.batch_normalization(x, training=True)
    z = tf.layers.batch_normalization(tf.reshape(x, [-1, 2, 2, 1]), training=True)
    return [], _nothing, [str(y), str(z), str(tf.global_variables())]


def resource_variables(tf):
    tf.set_random_seed(17)
    x, feeds = _input(tf, 4, 4, 2)
    with tf.variable_scope("net", use_resource=True):
        y = tf.layers.conv2d(x, 3, 2, use_bias=False)
        y = tf.layers.batch_normalization(y, training=True)
        y = tf.layers.dense(tf.layers.flatten(y), 2)
    return _trained(tf, y, feeds)


def partitioned(tf):
    tf.set_random_seed(18)
    x, feeds = _input(tf, 6)
    partitioner = tf.fixed_size_partitioner(2)
    with tf.variable_scope("net", partitioner=partitioner):
        y = tf.layers.dense(x, 3, use_bias=False, kernel_regularizer=tf.nn.l2_loss)
        y = tf.layers.batch_normalization(y, training=True)
    return _trained(tf, y, feeds, tf.global_variables())


# ---- convolutions and pooling of any kind ----------


def nn_convolutions(tf):
    rng = np.random.RandomState(0)
    x, feeds = _input(tf, 7, 6, 2)
    w = tf.constant(rng.randn(3, 2, 2, 3).astype("f"), name="w")
    depthwise = tf.constant(rng.randn(2, 2, 2, 2).astype("f"), name="depthwise")
    pointwise = tf.constant(rng.randn(1, 1, 4, 3).astype("f"), name="pointwise")
    line = tf.constant(rng.randn(3, 2, 4).astype("f"), name="line")
    outputs = [
        tf.nn.convolution(x, w, "SAME", strides=[2, 1]),
        tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 3], name="dilated"),
        tf.nn.atrous_conv2d(x, w, 2, "SAME"),
        tf.nn.depthwise_conv2d(x, depthwise, [1, 1, 1, 1], "SAME"),
        tf.nn.depthwise_conv2d(x, depthwise, [1, 1, 1, 1], "VALID", rate=[2, 2]),
        tf.nn.separable_conv2d(x, depthwise, pointwise, [1, 2, 2, 1], "SAME"),
        tf.nn.conv1d(x[:, :, 0], line, 1, "SAME"),
        tf.nn.convolution(x[:, :, 0], line, "VALID", dilations=[2]),
        tf.nn.pool(x, [2, 3], "MAX", "SAME", strides=[2, 2]),
        tf.nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 1]),
        tf.nn.pool(x[:, :, 0], [2], "MAX", "VALID"),
    ]
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    grads = tf.gradients(loss, [x, w, depthwise, pointwise, line])
    return [*outputs, *grads], feeds, [str(y) for y in outputs]


def dilated_unknown_size(tf):
    x = tf.placeholder(tf.float32, [None, None, None, 2], name="x")
    w = tf.constant(np.random.RandomState(0).randn(2, 2, 2, 3).astype("f"), name="w")
    y = tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2])
    values = np.random.RandomState(1).randn(2, 5, 6, 2)
    return [y, tf.gradients(y, x)[0]], lambda step: {x: values}, [str(y)]


def spaces_and_batches(tf):
    x = tf.constant(np.arange(2 * 4 * 6 * 1).reshape(2, 4, 6, 1).astype("f"), name="x")
    y = tf.space_to_batch_nd(x, [2, 3], [[0, 2], [3, 0]])
    z = tf.batch_to_space_nd(y, [2, 3], [[0, 2], [3, 0]])
    w = tf.space_to_batch(x, [[0, 0], [1, 1]], 2)
    v = tf.batch_to_space(w, [[0, 0], [1, 1]], 2)
    paddings = tf.required_space_to_batch_paddings([5, 7], [2, 3])
    grads = tf.gradients([tf.square(z), tf.square(v)], x)
    return [y, z, w, v, *paddings, *grads], _nothing, [str(t) for t in (y, z, w, v)]


def normalizations(tf):
    x, feeds = _input(tf, 3, 2, 7)
    outputs = [tf.nn.lrn(x), tf.nn.local_response_normalization(x, 2, 1.5, 0.3, 0.75, name="small")]
    scale, offset = tf.constant(np.linspace(1, 2, 7, dtype="f")), tf.zeros([7])
    mean, variance = tf.constant(np.linspace(-1, 1, 7, dtype="f")), tf.ones([7]) * 0.5
    outputs += tf.nn.fused_batch_norm(x, scale, offset)
    outputs += tf.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[:1]
    outputs.append(
        tf.nn.batch_norm_with_global_normalization(x, mean, variance, offset, scale, 1e-3, True)
    )
    loss = tf.add_n([tf.reduce_sum(y**3) for y in outputs[:3] + outputs[5:]])
    grads = tf.gradients(loss, [x, scale, offset, mean, variance])
    return [*outputs, *grads], feeds, [str(y) for y in outputs]


# ---- diagonals, parts ----------


def diagonals(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4], name="x")
    d = tf.placeholder(tf.float32, [None, 3], name="d")
    square = tf.constant(np.random.RandomState(0).randn(2, 3, 2, 3).astype("f"), name="square")
    outputs = [
        tf.linalg.diag(d),
        tf.matrix_diag_part(x),
        tf.linalg.set_diag(x, d),
        tf.matrix_band_part(x, 1, -1),
        tf.linalg.band_part(x, 0, 1, name="band"),
        tf.diag(d[0]),
        tf.diag_part(square),
        tf.matrix_diag_part(tf.matmul(x, x, transpose_b=True)),
        tf.eye(3, batch_shape=[2]),
    ]
    loss = tf.add_n([tf.reduce_sum(y**2) for y in outputs])
    grads = tf.gradients(loss, [x, d, square])

    def feeds(step):
        rng = np.random.RandomState(step)
        return {x: rng.randn(2, 3, 4), d: rng.randn(2, 3)}

    return [*outputs, *grads], feeds, [str(y) for y in outputs]


def dynamic_parts(tf):
    data = tf.placeholder(tf.float32, [None, 3], name="data")
    which = tf.placeholder(tf.int32, [None], name="which")
    parts = tf.dynamic_partition(data, which, 3)
    places = tf.dynamic_partition(tf.range(tf.size(which)), which, 3)
    whole = tf.dynamic_stitch(places, [part * (i + 1.0) for i, part in enumerate(parts)])
    known = tf.dynamic_stitch([[0, 2], [[3, 1]]], [tf.ones([2, 2]), tf.zeros([1, 2, 2])])
    grads = tf.gradients([tf.square(whole)], [data])

    def feeds(step):
        rng = np.random.RandomState(step)
        return {data: rng.randn(5, 3), which: rng.randint(3, size=5)}

    return [*parts, whole, known, *grads], feeds, [str(t) for t in [*parts, whole, known]]


# ---- embeddings ----------


def embeddings(tf):
    tf.set_random_seed(19)
    ids = tf.placeholder(tf.int32, [None, 2], name="ids")
    table = tf.get_variable("table", [6, 3])
    resource = tf.get_variable("resource", [6, 3], use_resource=True)
    parts = [tf.get_variable("part%d" % i, [2, 3]) for i in range(3)]
    with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
        cut = tf.get_variable("table", [6, 3])
    outputs = [
        tf.nn.embedding_lookup(table, ids),
        tf.nn.embedding_lookup(resource, ids, name="from_resource"),
        tf.nn.embedding_lookup(parts, ids),
        tf.nn.embedding_lookup(cut, ids, partition_strategy="div"),
        tf.nn.embedding_lookup([table], ids[:, 0], max_norm=0.5),
        tf.nn.embedding_lookup(np.eye(6, dtype="f"), ids),
    ]

    def feeds(step):
        return {ids: np.random.RandomState(step).randint(6, size=(4, 2))}

    return _trained(tf, outputs, feeds)


# ---- tf.losses ----------

_SIMPLE = {
    "absolute_difference": {},
    "mean_squared_error": {},
    "huber_loss": {"delta": 0.5},
    "log_loss": {"epsilon": 1e-5},
    "hinge_loss": {},
    "cosine_distance": {"axis": 1},
    "mean_pairwise_squared_error": {},
    "sigmoid_cross_entropy": {"label_smoothing": 0.1},
    "softmax_cross_entropy": {"label_smoothing": 0.2},
}


def _loss(name):
    def case(tf):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        labels = tf.constant(np.eye(4, 3, dtype="f"), name="labels")
        predictions = tf.sigmoid(x)
        rows = np.array([[1.0], [0.0], [2.0], [0.5]], "f")
        weights = rows[:, 0] if name == "softmax_cross_entropy" else rows
        function = getattr(tf.losses, name)
        losses = [
            function(labels, predictions, **_SIMPLE[name]),
            function(labels, predictions, weights=weights, scope="scope", **_SIMPLE[name]),
        ]
        grads = tf.gradients(losses, x)

        def feeds(step):
            return {x: np.random.RandomState(step).randn(4, 3)}

        return [*losses, *grads], feeds, [str(loss) for loss in losses]

    return case


def weights(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    known = tf.constant(np.ones((4, 3), "f"))
    rows = np.array([[1.0], [0.0], [2.0], [0.5]], "f")
    free = tf.placeholder_with_default(rows, None, name="free")
    losses = [
        tf.losses.mean_squared_error(known, x, weights=w)
        for w in (0.5, 0.0, tf.constant(2.0), tf.placeholder_with_default(rows, [None, 1]), free)
    ]
    losses.append(tf.losses.mean_pairwise_squared_error(known, x, weights=free))
    losses.append(tf.losses.absolute_difference(tf.ones([4, 3], tf.int32), x, 2.0))

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 3)}

    return [*losses, *tf.gradients(losses, x)], feeds, [str(loss) for loss in losses]


def reductions(tf):
    x = tf.placeholder(tf.float64, [4, 3], name="x")
    rows = tf.constant([[1.0], [0.0], [2.0], [0.5]])
    losses = [
        tf.losses.compute_weighted_loss(x, rows, reduction=key)
        for key in sorted(set(tf.losses.Reduction.all()))
    ]

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 3)}

    return [*losses, *tf.gradients(losses, x)], feeds, [str(loss) for loss in losses]


def sparse_softmax(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    ids = tf.placeholder(tf.int64, [None], name="ids")
    column = tf.expand_dims(ids, 1)
    unknown = tf.placeholder_with_default(np.array([0, 1, 2, 1]), None)
    weights = tf.constant([[1.0], [0.0], [2.0], [0.5]])
    function = tf.losses.sparse_softmax_cross_entropy
    losses = [
        function(ids, x),
        function(column, x, weights=0.5),
        function(ids, x, weights=weights),
        function(unknown, x, weights=weights, loss_collection=None),
    ]
    grads = tf.gradients(losses, x)

    def feeds(step):
        rng = np.random.RandomState(step)
        return {x: rng.randn(4, 3), ids: rng.randint(3, size=4)}

    return [*losses, *grads], feeds, [str(loss) for loss in losses]


def totals(tf):
    x = tf.constant([1.0, 2.0])
    none = tf.losses.get_regularization_loss()
    tf.losses.add_loss(tf.reduce_sum(x))
    tf.losses.add_loss(tf.reduce_max(x), loss_collection=None)
    with tf.name_scope("scope"):
        tf.losses.add_loss(tf.reduce_mean(x))
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.reduce_min(x))
    tf.losses.compute_weighted_loss(x, [3.0, 0.0], reduction="weighted_sum")
    said = [tf.losses.get_losses(), tf.losses.get_losses("scope")]
    said += [tf.losses.get_regularization_losses(), tf.losses.Reduction.all()]
    totals = [
        none,
        tf.losses.get_total_loss(),
        tf.losses.get_total_loss(add_regularization_losses=False, name="own"),
        tf.losses.get_total_loss(scope="scope"),
        tf.losses.get_regularization_loss(),
    ]
    return totals, _nothing, [str(s) for s in said]


# ---- tf.keras.backend ----------


def keras_backend(tf):
    K = tf.keras.backend  # noqa: N806
    x, feeds = _input(tf, 3)
    w = K.variable(np.array([[0.4, -1.2, 3.0]]), name="w")
    y = x * w
    outputs = [
        y + K.stop_gradient(K.round(y) - y),
        K.mean(y, axis=-1, keepdims=True),
        K.mean(K.greater(y, 0.0)),
        K.sum(K.square(y)),
        K.clip(y, -1.0, 1.0),
        K.clip(y, 0, None),
        K.sqrt(K.abs(y)),
        K.relu(y, alpha=0.1, max_value=2.0),
        K.relu(y, max_value=6.0),
        K.elu(y, 0.5),
        K.hard_sigmoid(y),
        K.softmax(y),
        K.dot(x, K.constant(np.ones([3, 2]))),
        K.concatenate([x, y]),
        K.in_train_phase(x, y),
        K.binary_crossentropy(K.zeros_like(y), K.sigmoid(y)),
        K.binary_crossentropy(K.zeros_like(y), 0.1 + 0.8 * K.sigmoid(y)),
        K.categorical_crossentropy(K.one_hot([0, 1, 2, 0], 3), K.softmax(y)),
        K.exp(K.max(y)) + K.min(y) + K.prod(y),
        K.var(y, axis=0) + K.std(y, axis=0),
        K.pow(K.maximum(y, 0.1), 3),
        K.expand_dims(K.flatten(y)),
        K.permute_dimensions(y, (1, 0)),
        K.cast(K.argmax(y), "float64"),
        K.zeros([2]) + K.ones([2]),
    ]
    loss = K.sum(K.square(outputs[0]))
    grads = K.gradients(loss, [w])
    said = [K.floatx(), K.epsilon(), K.ndim(y), K.int_shape(y), K.dtype(y), K.get_uid("u")]
    said += [K.learning_phase(), K.image_data_format(), K.get_uid("u"), K.placeholder(ndim=2)]
    said.append(K.switch(K.sum(x) > 0.0, x, y))
    return [*outputs, *grads], feeds, [str(y) for y in outputs + said]


GRAPHS = {
    "layers": _collect(
        dense,
        dense_settings,
        dense_in_scopes,
        layer_objects,
        own_layer,
        layer_in_layer,
        convolutions,
        channels_first,
        convolutions_1d,
        transposed_convolutions,
        separable_convolutions,
        pooling,
        flatten,
        dropout,
        batch_normalization,
        fused_batch_normalization,
        unusual_batch_normalization,
        shared_batch_normalization,
        half_precision,
        resource_variables,
        partitioned,
        nn_convolutions,
        dilated_unknown_size,
        spaces_and_batches,
        normalizations,
        diagonals,
        dynamic_parts,
        embeddings,
        keras_backend,
    ),
    "losses": dict(
        {name: _loss(name) for name in _SIMPLE},
        **_collect(weights, reductions, sparse_softmax, totals),
    ),
}


def run(tf, fetches, feeds, said, train=None):
    """Runs a case.

    Returns:
        (fetch, value) pairs, for every step and at last for the variables.
    """
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(STEPS if fetches else 0):
            found += zip(fetches, session.run(fetches, feeds(step)))
            if train is not None:
                session.run(train, feeds(step))
        variables = tf.global_variables()
        found += zip(variables, session.run(variables))
    return found
