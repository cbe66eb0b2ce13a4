"""What tf.layers, tf.losses and the functions of nets refuse, as cases of `layer_cases`."""

from __future__ import annotations

import numpy as np

# ---- mistakes ----------


def _fetch(tf, fetches, feeds=None):
    with tf.Session() as session:
        session.run(fetches, feeds)


def _x(tf, *shape):
    return tf.placeholder(tf.float32, shape)


def _called_twice_with(tf, first, second):
    layer = tf.layers.Dense(2)
    layer(first)
    layer(second)


MISTAKES = {
    "layers": {
        "dense of a vector": lambda tf: tf.layers.dense(_x(tf, 3), 2),
        "dense of unknown rank": lambda tf: tf.layers.dense(tf.placeholder(tf.float32), 2),
        "dense of unknown size": lambda tf: tf.layers.dense(_x(tf, 3, None), 2),
        "dense of ints": lambda tf: tf.layers.dense(tf.ones([2, 3], tf.int32), 2),
        "another size": lambda tf: _called_twice_with(tf, _x(tf, 2, 3), _x(tf, 2, 4)),
        "reuse of nothing": lambda tf: tf.layers.dense(_x(tf, 2, 3), 2, name="a", reuse=True),
        "twice the same name": lambda tf: [
            tf.layers.dense(_x(tf, 2, 3), 2, name="a") for _ in range(2)
        ],
        "unknown argument": lambda tf: tf.layers.Dense(2, color="red"),
        "unknown activation": lambda tf: tf.layers.Dense(2, activation="no_such"),
        "unknown initializer": lambda tf: tf.layers.Dense(2, kernel_initializer="no_such"),
        "no initializer": lambda tf: tf.layers.Dense(2, kernel_initializer=3),
        "scope before use": lambda tf: tf.layers.Dense(2).scope_name,
        "count before use": lambda tf: tf.layers.Dense(2, name="d").count_params(),
        "input_spec": lambda tf: setattr(tf.layers.Dense(2), "input_spec", 3),
        "spec's axis": lambda tf: tf.layers.InputSpec(ndim=2, axes={2: 3}),
        "spec's axes": lambda tf: tf.layers.InputSpec(axes={"a": 3}),
        "conv of matrices": lambda tf: tf.layers.conv2d(_x(tf, 2, 3), 2, 3),
        "conv of unknown channels": lambda tf: tf.layers.conv2d(_x(tf, 2, 3, 3, None), 2, 3),
        "conv's kernel size": lambda tf: tf.layers.conv2d(_x(tf, 2, 3, 3, 1), 2, (3, 3, 3)),
        "conv's kernel size's type": lambda tf: tf.layers.Conv2D(2, ("a", 1)),
        "conv's strides": lambda tf: tf.layers.Conv2D(2, 3, strides=1.5),
        "conv's padding": lambda tf: tf.layers.Conv2D(2, 3, padding="none"),
        "conv's causal padding": lambda tf: tf.layers.Conv2D(2, 3, padding="causal"),
        "conv's data format": lambda tf: tf.layers.Conv2D(2, 3, data_format="NHWC"),
        "strides and dilation": lambda tf: tf.layers.conv2d(
            _x(tf, 2, 9, 9, 1), 2, 3, strides=2, dilation_rate=2
        ),
        "pool without strides": lambda tf: tf.layers.MaxPooling2D(2, None),
        "pool's size": lambda tf: tf.layers.MaxPooling2D((2, 2, 2), 1),
        "norm of unknown rank": lambda tf: tf.layers.batch_normalization(
            tf.placeholder(tf.float32)
        ),
        "norm of unknown size": lambda tf: tf.layers.batch_normalization(_x(tf, 2, None)),
        "norm's axis": lambda tf: tf.layers.batch_normalization(_x(tf, 2, 3), axis=2),
        "norm's axis's type": lambda tf: tf.layers.batch_normalization(_x(tf, 2, 3), axis="a"),
        "norm's axes": lambda tf: tf.layers.batch_normalization(_x(tf, 2, 3), axis=[1, -1]),
        "norm's clipping": lambda tf: tf.layers.BatchNormalization(
            renorm=True, renorm_clipping={"max": 1}
        ),
        "norm's batch": lambda tf: tf.layers.batch_normalization(
            _x(tf, 2, 3), virtual_batch_size=-1
        ),
        "fused norm's mean": lambda tf: tf.nn.fused_batch_norm(
            tf.ones([1, 1, 1, 2]), tf.ones([2]), tf.ones([2]), tf.ones([2])
        ),
        "convolution's rank": lambda tf: tf.nn.convolution(_x(tf, 2, 3), _x(tf, 3, 2), "SAME"),
        "convolution's channels": lambda tf: tf.nn.convolution(
            _x(tf, 2, 3, 1), _x(tf, 2, 2, 1), "SAME", dilation_rate=[2]
        ),
        "convolution's dilation": lambda tf: tf.nn.convolution(
            _x(tf, 2, 3, 2), _x(tf, 2, 2, 1), "SAME", dilation_rate=[0]
        ),
        "pool's type": lambda tf: tf.nn.pool(_x(tf, 2, 3, 2), [2], "MIN", "SAME"),
        "pool's strides": lambda tf: tf.nn.pool(_x(tf, 2, 3, 2), [1], "MAX", "SAME", strides=[2]),
        "no params": lambda tf: tf.nn.embedding_lookup([], [1]),
        "params None": lambda tf: tf.nn.embedding_lookup(None, [1]),
        "partition strategy": lambda tf: tf.nn.embedding_lookup(
            [tf.ones([2, 2]), tf.ones([2, 2])], [1], partition_strategy="no_such"
        ),
        "diag_part of odd rank": lambda tf: tf.diag_part(_x(tf, 3)),
        "diag_part of no square": lambda tf: tf.diag_part(_x(tf, 2, 3)),
        "set_diag's size": lambda tf: tf.matrix_set_diag(_x(tf, 2, 3), _x(tf, 3)),
        "set_diag's rank": lambda tf: tf.matrix_set_diag(_x(tf, 2), _x(tf, 3)),
        "band of vector": lambda tf: _fetch(tf, tf.matrix_band_part(tf.ones([2]), 0, 0)),
        "band too wide": lambda tf: _fetch(
            tf,
            tf.matrix_band_part(tf.ones([2, 2]), tf.placeholder_with_default(np.int64(5), []), 0),
        ),
        "partition's number": lambda tf: _fetch(
            tf, tf.dynamic_partition([1.0, 2.0], [0, tf.placeholder_with_default(3, [])], 2)
        ),
        "partition's shape": lambda tf: tf.dynamic_partition(_x(tf, 2, 3), [0, 1, 0], 2),
        "stitch's shape": lambda tf: tf.dynamic_stitch([[0], [1]], [_x(tf, 1, 2), _x(tf, 1, 3)]),
        "stitch's index": lambda tf: _fetch(
            tf, tf.dynamic_stitch([[1, tf.placeholder_with_default(-1, [])]], [[1.0, 2.0]])
        ),
        "space_to_batch's block": lambda tf: _fetch(
            tf,
            tf.space_to_batch_nd(
                tf.placeholder_with_default(np.ones([1, 3, 1]), None), [2], [[0, 0]]
            ),
        ),
        "space_to_batch's static block": lambda tf: tf.space_to_batch_nd(
            _x(tf, 1, 3, 1), [2], [[0, 0]]
        ),
        "batch_to_space's batch": lambda tf: _fetch(
            tf,
            tf.batch_to_space_nd(
                tf.placeholder_with_default(np.ones([3, 3, 1]), None), [2], [[0, 0]]
            ),
        ),
        "fused norm's channels": lambda tf: tf.nn.fused_batch_norm(
            _x(tf, 1, 2, 2, 3), tf.ones([2]), tf.ones([2])
        ),
        "lrn of matrix": lambda tf: tf.nn.lrn(_x(tf, 2, 2)),
        "keras float": lambda tf: tf.keras.backend.set_floatx("int8"),
        "keras phase": lambda tf: tf.keras.backend.set_learning_phase(2),
    },
    "losses": {
        "no labels": lambda tf: tf.losses.mean_squared_error(None, _x(tf, 2)),
        "no predictions": lambda tf: tf.losses.huber_loss(_x(tf, 2), None),
        "no logits": lambda tf: tf.losses.softmax_cross_entropy(_x(tf, 2), None),
        "no axis": lambda tf: tf.losses.cosine_distance(_x(tf, 2), _x(tf, 2)),
        "axis and dim": lambda tf: tf.losses.cosine_distance(_x(tf, 2), _x(tf, 2), 1, dim=1),
        "shapes": lambda tf: tf.losses.mean_squared_error(_x(tf, 2, 3), _x(tf, 3, 2)),
        "reduction": lambda tf: tf.losses.mean_squared_error(
            _x(tf, 2), _x(tf, 2), reduction="mean"
        ),
        "weights' rank": lambda tf: tf.losses.mean_squared_error(
            _x(tf, 2, 3), _x(tf, 2, 3), weights=[1.0, 2.0]
        ),
        "weights' size": lambda tf: tf.losses.mean_squared_error(
            _x(tf, 2, 3), _x(tf, 2, 3), weights=[[1.0, 2.0]]
        ),
        "weights' size at run time": lambda tf: _fetch(
            tf,
            tf.losses.absolute_difference(
                tf.ones([2, 3]),
                tf.zeros([2, 3]),
                weights=tf.placeholder_with_default(np.ones([2, 2], "f"), [None, None], name="w"),
            ),
        ),
        "weights' rank at run time": lambda tf: _fetch(
            tf,
            tf.losses.absolute_difference(
                tf.ones([2, 3]),
                tf.zeros([2, 3]),
                weights=tf.placeholder_with_default(np.ones([2], "f"), None, name="w"),
            ),
        ),
    },
}
