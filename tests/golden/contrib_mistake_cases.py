"""What tf.contrib.layers, slim, old losses and training refuse, as cases of `layer_cases`."""

from __future__ import annotations

import numpy as np
from layer_cases import _input
from layer_mistake_cases import _fetch, _x


def _net(tf):
    tf.set_random_seed(20)
    x, feeds = _input(tf, 3)
    y = tf.contrib.layers.fully_connected(x, 2, tf.tanh, scope="a")
    y = tf.contrib.layers.fully_connected(y, 1, None, scope="b")
    return tf.reduce_mean(tf.square(y + 1.0)), feeds


def _scoped(tf, *args, **kwargs):
    with tf.contrib.framework.arg_scope(*args, **kwargs):
        pass


def _closing_over(tf, x):
    return tf.contrib.layers.recompute_grad(lambda y: x + y)


def _optimize(tf, rate=0.1, optimizer="SGD", **kwargs):
    loss, _ = _net(tf)
    tf.contrib.layers.optimize_loss(loss, None, rate, optimizer, **kwargs)


def _hparams(tf, **kwargs):
    return tf.contrib.training.HParams(a=1, b=2.5, c="x", d=[1, 2], e=True, **kwargs)


MISTAKES = {
    "layers": {
        "num_outputs": lambda tf: tf.contrib.layers.fully_connected(_x(tf, 2, 3), 4.0),
        "dense of unknown size": lambda tf: tf.contrib.layers.fully_connected(_x(tf, 2, None), 4),
        "conv's format": lambda tf: tf.contrib.layers.conv2d(
            _x(tf, 2, 3, 3, 1), 4, 1, data_format="WHCN"
        ),
        "conv's rank": lambda tf: tf.contrib.layers.conv2d(_x(tf, 2, 3, 3), 4, 1),
        "no conv of the rank": lambda tf: tf.contrib.layers.convolution(_x(tf, 2, 3), 4, 1),
        "pool's format": lambda tf: tf.contrib.layers.max_pool2d(
            _x(tf, 2, 3, 3, 1), 2, data_format="NDHWC"
        ),
        "pool's format in 3-D": lambda tf: tf.contrib.layers.avg_pool3d(
            _x(tf, 2, 3, 3, 3, 1), 2, data_format="NHWC"
        ),
        "pool's rank": lambda tf: tf.contrib.slim.pool(_x(tf, 2, 3), 2, "MAX"),
        "pool of unknown rank": lambda tf: tf.contrib.slim.pool(
            tf.placeholder(tf.float32), 2, "MAX"
        ),
        "pool's size": lambda tf: tf.contrib.slim.pool(_x(tf, 2, 3, 3, 1), [2, 2, 2], "MAX"),
        "pool's zero": lambda tf: tf.contrib.slim.pool(_x(tf, 2, 3, 3, 1), 0, "MAX"),
        "plane's kernel": lambda tf: tf.contrib.layers.conv2d_in_plane(_x(tf, 2, 3, 3, 1), [2]),
        "plane's channels": lambda tf: tf.contrib.layers.conv2d_in_plane(_x(tf, 2, 3, 3, None), 2),
        "plane's rank": lambda tf: tf.contrib.layers.conv2d_in_plane(_x(tf, 2, 3), 2),
        "transpose's format": lambda tf: tf.contrib.layers.conv2d_transpose(
            _x(tf, 2, 3, 3, 1), 2, 2, data_format="HW"
        ),
        "3-D transpose's rank": lambda tf: tf.contrib.layers.conv3d_transpose(
            _x(tf, 2, 3, 3, 1), 2, 2
        ),
        "3-D transpose's channels": lambda tf: tf.layers.conv3d_transpose(
            _x(tf, 2, 3, 3, 1, None), 2, 2
        ),
        "norm of unknown rank": lambda tf: tf.contrib.layers.batch_norm(
            tf.placeholder(tf.float32, name="x"), updates_collections=None
        ),
        "norm's channels": lambda tf: tf.contrib.layers.batch_norm(_x(tf, 2, None)),
        "norm's format": lambda tf: tf.contrib.layers.batch_norm(_x(tf, 2, 3), data_format="CN"),
        "image norm's channels": lambda tf: tf.contrib.layers.batch_norm(
            _x(tf, 2, 3, 3, None), updates_collections=None
        ),
        "unfused norm's channels": lambda tf: tf.contrib.layers.batch_norm(
            _x(tf, 2, 3, 3, None), updates_collections=None, fused=False
        ),
        "renorm": lambda tf: tf.contrib.layers.batch_norm(
            _x(tf, 2, 3), renorm=True, updates_collections=None
        ),
        "weights' batch": lambda tf: tf.contrib.layers.batch_norm(
            _x(tf, 2, 3), batch_weights=[1.0, 2.0, 3.0]
        ),
        "layer norm's axes": lambda tf: tf.contrib.layers.layer_norm(
            _x(tf, 2, 3), begin_norm_axis=2
        ),
        "layer norm's rank": lambda tf: tf.contrib.layers.layer_norm(tf.placeholder(tf.float32)),
        "layer norm's size": lambda tf: tf.contrib.layers.layer_norm(_x(tf, 2, None)),
        "instance norm's rank": lambda tf: tf.contrib.layers.instance_norm(
            tf.placeholder(tf.float32)
        ),
        "instance norm's size": lambda tf: tf.contrib.layers.instance_norm(_x(tf, 2, 3, 3, None)),
        "instance norm's format": lambda tf: tf.contrib.layers.instance_norm(
            _x(tf, 2, 3), data_format="CN"
        ),
        "groups": lambda tf: tf.contrib.layers.group_norm(_x(tf, 2, 3, 3, 4)),
        "groups' size": lambda tf: tf.contrib.layers.group_norm(_x(tf, 2, 3, 3, 4), 3),
        "groups' axis": lambda tf: tf.contrib.layers.group_norm(_x(tf, 2, 3), 1, 4),
        "groups' axes": lambda tf: tf.contrib.layers.group_norm(
            _x(tf, 2, 3, 3, 4), 2, reduction_axes=[3]
        ),
        "groups' unknown size": lambda tf: tf.contrib.layers.group_norm(_x(tf, 2, None, 3, 4), 2),
        "groups' channels": lambda tf: tf.contrib.layers.group_norm(_x(tf, 2, 3, 3, None), 2),
        "bias of unknown rank": lambda tf: tf.contrib.layers.bias_add(tf.placeholder(tf.float32)),
        "bias of unknown size": lambda tf: tf.contrib.layers.bias_add(_x(tf, 2, None)),
        "bias' format": lambda tf: tf.contrib.layers.bias_add(_x(tf, 2, 3), data_format="NCHW"),
        "unit norm's dim": lambda tf: tf.contrib.layers.unit_norm(_x(tf, 2, 3), 2),
        "maxout's units": lambda tf: tf.contrib.layers.maxout(_x(tf, 2, 3), 2),
        "softmax's rank": lambda tf: tf.contrib.layers.softmax(_x(tf, 2)),
        "keypoints' channels": lambda tf: tf.contrib.layers.spatial_softmax(_x(tf, 2, 3, 3, None)),
        "keypoints' format": lambda tf: tf.contrib.layers.spatial_softmax(
            _x(tf, 2, 3, 3, 1), data_format="CN"
        ),
        "stack's arguments": lambda tf: tf.contrib.layers.stack(
            _x(tf, 2, 3), tf.contrib.layers.fully_connected, 3
        ),
        "legacy rank": lambda tf: tf.contrib.layers.legacy_fully_connected(_x(tf, 2), 3),
        "legacy unknown rank": lambda tf: tf.contrib.layers.legacy_fully_connected(
            tf.placeholder(tf.float32), 3
        ),
        "legacy size": lambda tf: tf.contrib.layers.legacy_fully_connected(_x(tf, 2, None), 3),
        "embedding's size": lambda tf: tf.contrib.layers.embed_sequence([1], 3),
        "no table": lambda tf: tf.contrib.layers.safe_embedding_lookup_sparse(None, None),
        "no tables": lambda tf: tf.contrib.layers.safe_embedding_lookup_sparse([], None),
        "bag's size": lambda tf: tf.contrib.layers.bow_encoder([[1]], 3, None),
        "recomputed closure": lambda tf: _closing_over(tf, tf.ones([2])),
        "recomputed input": lambda tf: tf.contrib.layers.recompute_grad(lambda x: x)(1.0),
        "gdn's format": lambda tf: tf.contrib.layers.gdn(_x(tf, 2, 3, 3), data_format="NHWC"),
        "gdn's channels": lambda tf: tf.contrib.layers.gdn(_x(tf, 2, 3, None)),
        "gdn's rank": lambda tf: tf.contrib.layers.gdn(_x(tf, 2, 3)),
        "initializer's dtype": lambda tf: tf.contrib.layers.xavier_initializer(dtype=tf.int32),
        "initializer's dtype later": lambda tf: tf.contrib.layers.xavier_initializer()(
            [2], tf.int32
        ),
        "initializer's mode": lambda tf: tf.contrib.layers.variance_scaling_initializer(mode="FAN"),
        "int scale": lambda tf: tf.contrib.layers.l2_regularizer(1),
        "negative scale": lambda tf: tf.contrib.layers.l1_regularizer(-0.5),
        "negative scale of l2": lambda tf: tf.contrib.layers.l2_regularizer(-0.5),
        "int scales": lambda tf: tf.contrib.layers.l1_l2_regularizer(0.1, 2),
        "no weights": lambda tf: tf.contrib.layers.apply_regularization(tf.nn.l2_loss),
        "penalty's rank": lambda tf: tf.contrib.layers.apply_regularization(tf.abs, [tf.ones([2])]),
    },
    "training": {
        "rate": lambda tf: _optimize(tf, -0.1),
        "rate's type": lambda tf: _optimize(tf, 1),
        "summary": lambda tf: _optimize(tf, summaries=["all"]),
        "optimizer's name": lambda tf: _optimize(tf, optimizer="sgd"),
        "optimizer": lambda tf: _optimize(tf, optimizer=3),
        "optimizer's function": lambda tf: _optimize(tf, optimizer=lambda rate: 3, summaries=[]),
        "no rate": lambda tf: _optimize(tf, None),
        "clip": lambda tf: _optimize(tf, clip_gradients=1, summaries=[]),
        "decay without step": lambda tf: _optimize(
            tf, learning_rate_decay_fn=lambda rate, step: rate
        ),
        "multipliers": lambda tf: tf.contrib.training.multiply_gradients((), {1: 2}),
        "no multipliers": lambda tf: tf.contrib.training.multiply_gradients([], {}),
        "multipliers' type": lambda tf: tf.contrib.slim.learning.multiply_gradients([], [1]),
        "multiple of None": lambda tf: tf.contrib.training.multiply_gradients(
            [(None, tf.Variable(1.0, name="v"))], {"v": 2.0}
        ),
        "two outputs": lambda tf: tf.contrib.training.byte_size_load_fn(tf.split([1, 2], 2)[0].op),
    },
    "hparams": {
        "reserved": lambda tf: _hparams(tf).add_hparam("a", 2),
        "empty list": lambda tf: _hparams(tf, f=[]),
        "float for int": lambda tf: _hparams(tf).set_hparam("a", 1.5),
        "unknown": lambda tf: _hparams(tf).parse("z=1"),
        "malformed": lambda tf: _hparams(tf).parse("a:1"),
        "twice": lambda tf: _hparams(tf).parse("a=1,a=2"),
        "int": lambda tf: _hparams(tf).parse("a=x"),
        "bool": lambda tf: _hparams(tf).parse("e=maybe"),
        "list": lambda tf: _hparams(tf).parse("d=[1,x]"),
        "list index": lambda tf: _hparams(tf).parse("d[0]=[1]"),
        "list for one": lambda tf: _hparams(tf).parse("a=[1,2]"),
        "one for list": lambda tf: _hparams(tf).parse("d=3"),
        "element twice": lambda tf: tf.contrib.training.parse_values("a[1]=1,a[1]=2", {"a": int}),
        "text for int": lambda tf: _hparams(tf).set_hparam("a", "1"),
        "int for text": lambda tf: _hparams(tf).set_hparam("c", 1),
        "int for bool": lambda tf: _hparams(tf).set_hparam("e", 1),
        "bool for int": lambda tf: _hparams(tf).set_hparam("a", True),
        "text for float": lambda tf: _hparams(tf).set_hparam("b", "2"),
        "default": lambda tf: _hparams(tf).get("a", "x"),
        "list default": lambda tf: _hparams(tf).get("d", 1),
        "missing": lambda tf: _hparams(tf).set_hparam("z", 1),
    },
    "losses": {
        "shapes": lambda tf: tf.contrib.losses.mean_squared_error(_x(tf, 2, 3), _x(tf, 3, 2)),
        "no axis": lambda tf: tf.contrib.losses.cosine_distance(_x(tf, 2), _x(tf, 2)),
        "axis and dim": lambda tf: tf.contrib.losses.cosine_distance(
            _x(tf, 2), _x(tf, 2), 1, dim=1
        ),
        "losses' rank": lambda tf: tf.contrib.losses.compute_weighted_loss(
            tf.placeholder(tf.float32)
        ),
        "weights' rank": lambda tf: tf.contrib.losses.compute_weighted_loss(
            _x(tf, 2), tf.placeholder(tf.float32)
        ),
    },
    "framework": {
        "scope's type": lambda tf: _scoped(tf, tf.identity),
        "scope with arguments": lambda tf: _scoped(tf, {}, a=1),
        "undecorated": lambda tf: _scoped(tf, [_scoped], a=1),
        "no such variable": lambda tf: tf.contrib.framework.get_unique_variable("v"),
        "not unique": lambda tf: [
            tf.get_variable("v/a", [1]),
            tf.contrib.framework.get_unique_variable("v"),
        ],
        "include": lambda tf: tf.contrib.framework.get_variables_to_restore("a"),
        "exclude": lambda tf: tf.contrib.framework.get_variables_to_restore(exclude="a"),
        "assign to nothing": lambda tf: tf.contrib.framework.assign_from_values({"v": 1}),
        "global step": lambda tf: tf.contrib.framework.assert_global_step(tf.constant(1.0)),
        "two global steps": lambda tf: [
            tf.contrib.framework.create_global_step() for _ in range(2)
        ],
        "no sum": lambda tf: tf.contrib.framework.reduce_sum_n([]),
        "shape": lambda tf: tf.contrib.framework.with_shape([3, 2], _x(tf, 2, 3)),
        "shape's rank": lambda tf: tf.contrib.framework.with_shape([[3]], _x(tf, 2, 3)),
        "shape's dtype": lambda tf: tf.contrib.framework.with_shape([1.0], _x(tf, 2, 3)),
        "shape's tensor": lambda tf: tf.contrib.framework.with_shape(
            tf.constant([1.0]), _x(tf, 2, 3)
        ),
        "shape when run": lambda tf: _fetch(
            tf,
            tf.contrib.framework.with_shape(
                [2, 2], tf.placeholder_with_default(np.ones([2, 3], "f"), None, name="x")
            ),
        ),
        "any size": lambda tf: tf.contrib.framework.with_shape(
            [-1, 2], tf.placeholder(tf.float32, name="x")
        ),
        "no int": lambda tf: tf.contrib.framework.assert_scalar_int(tf.constant(1.0)),
        "no scalar": lambda tf: tf.contrib.framework.assert_scalar_int(tf.constant([1])),
        "no graph": lambda tf: tf.contrib.framework.get_placeholders(3),
        "arguments": lambda tf: tf.contrib.framework.py_func(abs, 3),
        "keyword arguments": lambda tf: tf.contrib.framework.py_func(abs, [3], [3]),
    },
}
