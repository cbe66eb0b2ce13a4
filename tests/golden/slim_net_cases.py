"""tf.contrib.slim.nets: the graphs of whole nets as digests, and a value of small ones.

Read by `record_slim_nets.py` under TensorFlow 1.15 and replayed by `tests/api/test_slim.py`.
"""

from __future__ import annotations

import numpy as np


def _nets(tf):
    from tensorflow.contrib.slim import nets

    return nets


def _images(tf, size, batch=2):
    return tf.placeholder(tf.float32, [batch, size, size, 3], name="images")


def _plain(module, net, arg_scope, size, **kwargs):
    def build(tf):
        slim = tf.contrib.slim
        nets = getattr(_nets(tf), module)
        with slim.arg_scope(getattr(nets, arg_scope)()):
            return getattr(nets, net)(_images(tf, size), num_classes=5, **kwargs)

    return build


def vgg_features(tf):
    slim = tf.contrib.slim
    vgg = _nets(tf).vgg
    with slim.arg_scope(vgg.vgg_arg_scope(weight_decay=0.0)), tf.variable_scope("net"):
        return vgg.vgg_19(_images(tf, 230), num_classes=3, spatial_squeeze=False)


def resnet_dense(tf):
    """A net of one's own of residual blocks, dilated, used twice."""
    slim = tf.contrib.slim
    resnet_utils, resnet_v2 = _nets(tf).resnet_utils, _nets(tf).resnet_v2
    blocks = [resnet_v2.resnet_v2_block("a", 4, 2, 2), resnet_v2.resnet_v2_block("b", 8, 2, 2)]
    x = _images(tf, 33)
    with slim.arg_scope(resnet_utils.resnet_arg_scope(batch_norm_scale=False)):
        resnet_v2.resnet_v2(x, blocks, 3, output_stride=8, scope="net")
        return resnet_v2.resnet_v2(
            x, blocks, 3, False, output_stride=8, reuse=True, scope="net", global_pool=False
        )


def inception_small(tf):
    nets = _nets(tf).inception
    x = tf.placeholder(tf.float32, [None, None, None, 3], name="images")
    with tf.contrib.slim.arg_scope(nets.inception_v2_arg_scope()):
        nets.inception_v2_base(x, "Mixed_4a", depth_multiplier=0.25, scope="small")
        return nets.inception_v2(x, 4, depth_multiplier=0.5, is_training=False)


NETS = {
    "alexnet_v2": _plain("alexnet", "alexnet_v2", "alexnet_v2_arg_scope", 224),
    "overfeat": _plain("overfeat", "overfeat", "overfeat_arg_scope", 231),
    "vgg_a": _plain("vgg", "vgg_a", "vgg_arg_scope", 224),
    "vgg_16": _plain("vgg", "vgg_16", "vgg_arg_scope", 224, is_training=False),
    "vgg_features": vgg_features,
    "resnet_v1_50": _plain("resnet_v1", "resnet_v1_50", "resnet_arg_scope", 64),
    "resnet_v2_50": _plain("resnet_v2", "resnet_v2_50", "resnet_arg_scope", 65, output_stride=16),
    "resnet_dense": resnet_dense,
    "inception_v1": _plain("inception", "inception_v1", "inception_v1_arg_scope", 224),
    "inception_v3": _plain("inception", "inception_v3", "inception_v3_arg_scope", 299),
    "inception_small": inception_small,
}


def small_resnet(tf):
    slim = tf.contrib.slim
    resnet_v1 = _nets(tf).resnet_v1
    blocks = [resnet_v1.resnet_v1_block("a", 2, 2, 2)]
    with slim.arg_scope(resnet_v1.resnet_arg_scope()):
        logits, _ = resnet_v1.resnet_v1(_images(tf, 16), blocks, 3)
    return logits, 16


def small_inception(tf):
    nets = _nets(tf).inception
    with tf.contrib.slim.arg_scope(nets.inception_v2_arg_scope()):
        net, _ = nets.inception_v2_base(
            _images(tf, 32), "Mixed_4a", min_depth=4, depth_multiplier=0.03
        )
    return tf.reduce_mean(net, [1, 2]), 32


VALUES = {"small_resnet": small_resnet, "small_inception": small_inception}


def fetch(tf, build):
    """The value of a net whose weights are set by their names' order."""
    tf.reset_default_graph()
    value, size = build(tf)
    rng = np.random.RandomState(0)
    images = rng.randn(2, size, size, 3).astype("f")
    with tf.Session() as session:
        for v in sorted(tf.global_variables(), key=lambda v: v.name):
            weights = (
                rng.rand(*v.shape.as_list())
                if "moving" in v.name
                else rng.randn(*v.shape.as_list()) * 0.3
            )
            v.load(weights.astype("f"), session)
        return session.run(value, {"images:0": images})


def _final(name):
    return lambda tf: getattr(_nets(tf).inception, name)(_images(tf, 128), "Nowhere")


MISTAKES = {
    "stride": lambda tf: _nets(tf).resnet_v1.resnet_v1_50(_images(tf, 64), output_stride=6),
    "stride not reached": lambda tf: _nets(tf).resnet_v1.resnet_v1_50(
        _images(tf, 64), output_stride=128
    ),
    "stride passed": lambda tf: _nets(tf).resnet_v1.resnet_v1(
        _images(tf, 64),
        [_nets(tf).resnet_v1.resnet_v1_block("a", 2, 2, 3)] * 2,
        output_stride=8,
    ),
    "depth": lambda tf: _nets(tf).inception.inception_v3(_images(tf, 64), depth_multiplier=0),
    "end v1": _final("inception_v1_base"),
    "end v3": _final("inception_v3_base"),
}
