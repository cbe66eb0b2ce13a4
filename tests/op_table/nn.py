"""Rows of activations over an axis, normalisation and biases."""

from __future__ import annotations

from op_table.case import DEFAULT, EVERYTHING, FLOATS, Case, arr, val

F32 = ["float32"]


def _fused(training, **keywords):
    """Fused batch normalisation: the mean and the variance are inputs only when it is not training,
    and outputs worth reading only when it is."""

    def record(tf, x, scale, offset, mean=None, variance=None):
        outputs = tf.nn.fused_batch_norm(
            x, scale, offset, mean=mean, variance=variance, is_training=training, **keywords
        )
        return list(outputs) if training else [outputs[0]]

    return record


def _fused_transposed(training):
    """NCHW by way of NHWC, the only layout of TensorFlow's CPU kernel."""

    def record(tf, x, *statistics):
        y, *rest = _fused(training)(tf, tf.transpose(x, [0, 2, 3, 1]), *statistics)
        return [tf.transpose(y, [0, 3, 1, 2]), *rest]

    return record


def _raw_fused(version, training):
    def record(tf, x, scale, offset, mean, variance):
        outputs = getattr(tf.raw_ops, f"FusedBatchNorm{version}")(
            x=x, scale=scale, offset=offset, mean=mean, variance=variance, is_training=training
        )
        return list(outputs[: 3 if training else 1])

    return record


_NHWC = [arr(2, 2, 3, 2), arr(2, low=0.5), arr(2)]
_STATS = [arr(2), arr(2, low=0.5)]
_NONE = [val([], "float32"), val([], "float32")]

CASES = [
    Case(
        "BiasAdd",
        lambda tf, x, b: tf.nn.bias_add(x, b),
        [arr(2, 3), arr(3)],
        "",
        EVERYTHING,
        second=True,
    ),
    Case(
        "BiasAdd",
        lambda tf, x, b: tf.nn.bias_add(x, b),
        [arr(2, 2, 2, 3), arr(3)],
        "image",
        second=True,
    ),
    Case("BiasAdd", lambda tf, x, b: tf.nn.bias_add(x, b), [arr(2, 2, 2, 2, 3), arr(3)], "volume"),
    Case(
        "BiasAdd",
        lambda tf, x, b: tf.nn.bias_add(x, b, data_format="NCHW"),
        [arr(2, 3, 2, 2), arr(3)],
        "nchw",
    ),
    Case("BiasAdd", lambda tf, x, b: tf.nn.bias_add(x, b), [arr(0, 3), arr(3)], "empty", F32),
    Case(
        "BiasAdd",
        lambda tf, x, b: tf.nn.bias_add(x, b),
        [arr(2, 3), arr(2)],
        "mismatch",
        raises=True,
    ),
    Case("BiasAdd", lambda tf, x, b: tf.nn.bias_add(x, b), [arr(3), arr(3)], "vector", raises=True),
    Case(
        "BiasAdd",
        lambda tf, x, b: tf.nn.bias_add(x, b, data_format="CHWN"),
        [arr(2, 3), arr(3)],
        "bad_format",
        raises=True,
    ),
    Case(
        "BiasAddV1", lambda tf, x, b: tf.raw_ops.BiasAddV1(value=x, bias=b), [arr(2, 3), arr(3)], ""
    ),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x), [arr(2, 3)], "", EVERYTHING, second=True),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x), [arr(2, 2, 3)], "rank3", second=True),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x), [arr(3)], "vector"),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x, axis=0), [arr(3, 2)], "axis0"),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x, dim=1), [arr(2, 3, 2)], "dim"),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x), [arr(0, 3)], "empty", F32),
    Case(
        "Softmax",
        lambda tf, x: tf.nn.softmax(x),
        [val([[1e4, 0.0], [-1e4, -1e4]])],
        "large",
        smooth=False,
    ),
    Case("Softmax", lambda tf, x: tf.nn.softmax(x, axis=3), [arr(2, 3)], "bad_axis", raises=True),
    Case(
        "LogSoftmax", lambda tf, x: tf.nn.log_softmax(x), [arr(2, 3)], "", EVERYTHING, second=True
    ),
    Case("LogSoftmax", lambda tf, x: tf.nn.log_softmax(x, axis=1), [arr(2, 3, 2)], "axis1"),
    Case(
        "LogSoftmax",
        lambda tf, x: tf.nn.log_softmax(x),
        [val([[1e4, 0.0], [-1e4, -1e4]])],
        "large",
        smooth=False,
    ),
    Case("Moments", lambda tf, x: tf.nn.moments(x, [0]), [arr(3, 2)], "", DEFAULT, second=True),
    Case("Moments", lambda tf, x: tf.nn.moments(x, [0, 1, 2]), [arr(2, 2, 2, 3)], "image"),
    Case(
        "Moments",
        lambda tf, x: tf.nn.moments(x, axes=[1], keep_dims=True),
        [arr(2, 3)],
        "keep_dims",
    ),
    Case("Moments", lambda tf, x: tf.nn.moments(x, [0]), [arr(3, 2)], "half", ["float16"]),
    Case(
        "Moments",
        lambda tf, x, w: tf.nn.weighted_moments(x, [0], w),
        [arr(3, 2), arr(3, 2, low=0.5)],
        "weighted",
    ),
    Case(
        "Moments", lambda tf, x: tf.nn.sufficient_statistics(x, [0])[1:3], [arr(3, 2)], "sufficient"
    ),
    Case(
        "L2Normalize", lambda tf, x: tf.nn.l2_normalize(x, 1), [arr(2, 3)], "", FLOATS, second=True
    ),
    Case(
        "L2Normalize", lambda tf, x: tf.nn.l2_normalize(x, dim=0, epsilon=1e-3), [arr(2, 3)], "dim"
    ),
    Case("L2Normalize", lambda tf, x: tf.nn.l2_normalize(x, [0, 1]), [arr(2, 3)], "axes"),
    Case(
        "L2Normalize",
        lambda tf, x: tf.nn.l2_normalize(x, 0),
        [val([0.0, 0.0])],
        "zero",
        smooth=False,
    ),
    Case(
        "ZeroFraction",
        lambda tf, x: tf.nn.zero_fraction(x),
        [val([[0.0, 1.0], [0.0, 0.0]])],
        grad=(),
    ),
    Case(
        "BatchNormalization",
        lambda tf, x, m, v, b, g: tf.nn.batch_normalization(x, m, v, b, g, 1e-3),
        [arr(2, 3), arr(3), arr(3, low=0.5), arr(3), arr(3)],
        second=True,
    ),
    Case(
        "BatchNormalization",
        lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v, None, None, 1e-3),
        [arr(2, 3), arr(3), arr(3, low=0.5)],
        "bare",
    ),
    Case(
        "BatchNormWithGlobalNormalization",
        lambda tf, x, m, v, b, g: tf.nn.batch_norm_with_global_normalization(
            x, m, v, b, g, 1e-3, True
        ),
        [arr(1, 2, 2, 3), arr(3), arr(3, low=0.5), arr(3), arr(3)],
    ),
    Case("FusedBatchNormV3", _fused(True), _NHWC, "training", F32, grad_outputs=(0,), second=True),
    Case(
        "FusedBatchNormV3",
        _fused(True, data_format="NHWC", epsilon=0.1),
        _NHWC,
        "training_epsilon",
        F32,
        grad_outputs=(0,),
    ),
    Case("FusedBatchNormV3", _fused(False), _NHWC + _STATS, "inference", F32, grad_outputs=(0,)),
    Case(
        "FusedBatchNormV3",
        _fused(True, data_format="NCHW"),
        [arr(2, 2, 2, 3), arr(2, low=0.5), arr(2)],
        "nchw",
        F32,
        grad_outputs=(0,),
        reference=_fused_transposed(True),
    ),
    Case(
        "FusedBatchNormV3",
        _fused(False, data_format="NCHW"),
        [arr(2, 2, 2, 3), arr(2, low=0.5), arr(2), *_STATS],
        "nchw_inference",
        F32,
        grad_outputs=(0,),
        reference=_fused_transposed(False),
    ),
    Case(
        "FusedBatchNormV3",
        _fused(True),
        [arr(2, 2, 3, 2, dtype="float16"), arr(2, low=0.5), arr(2)],
        "half",
        F32,
        grad_outputs=(0,),
    ),
    Case("FusedBatchNormV3", _fused(True), [arr(2, 2, 2), arr(2), arr(2)], "rank3", raises=True),
    Case(
        "FusedBatchNorm",
        _raw_fused("", True),
        _NHWC + _NONE,
        "training",
        F32,
        grad_outputs=(0,),
        grad=(0, 1, 2),
    ),
    Case(
        "FusedBatchNorm", _raw_fused("", False), _NHWC + _STATS, "inference", F32, grad_outputs=(0,)
    ),
    Case(
        "FusedBatchNormV2",
        _raw_fused("V2", True),
        _NHWC + _NONE,
        "training",
        F32,
        grad_outputs=(0,),
        grad=(0, 1, 2),
    ),
    Case(
        "FusedBatchNormV2",
        _raw_fused("V2", False),
        _NHWC + _STATS,
        "inference",
        F32,
        grad_outputs=(0,),
    ),
    Case(
        "LRN",
        lambda tf, x: tf.nn.lrn(x),
        [arr(1, 2, 2, 6)],
        "",
        ["float32", "float16"],
        smooth=False,
    ),
    Case(
        "LRN",
        lambda tf, x: tf.nn.local_response_normalization(
            x, depth_radius=1, bias=2.0, alpha=0.5, beta=0.75
        ),
        [arr(2, 1, 2, 4)],
        "options",
        F32,
        second=False,
    ),
    Case("LRN", lambda tf, x: tf.nn.lrn(x), [arr(2, 3)], "rank2", F32, raises=True),
    Case("Dropout", lambda tf, x: tf.nn.dropout(x, keep_prob=1.0), [arr(2, 3)], "keep_all"),
    Case(
        "Dropout",
        lambda tf, x: tf.nn.dropout(x, keep_prob=0.0),
        [arr(2, 3)],
        "keep_none",
        raises=True,
    ),
    Case("Dropout", lambda tf, x: tf.nn.dropout(x, rate=1.5), [arr(2, 3)], "bad_rate", raises=True),
    Case("Maxout", lambda tf, x: tf.contrib.layers.maxout(x, 2), [arr(2, 4)], "", F32),
    Case(
        "BiasAddGrad",
        lambda tf, g: tf.raw_ops.BiasAddGrad(out_backprop=g),
        [arr(2, 3)],
        "",
        DEFAULT,
        second=True,
    ),
    Case(
        "BiasAddGrad",
        lambda tf, g: tf.raw_ops.BiasAddGrad(out_backprop=g, data_format="NCHW"),
        [arr(2, 3, 2, 2)],
        "nchw",
        F32,
    ),
    *[
        Case(
            f"{name}Grad",
            lambda tf, g, x, name=name, y=y: getattr(tf.raw_ops, f"{name}Grad")(
                **{"gradients" if y != "y" else "dy": g, y: x}
            ),
            [arr(2, 3), arr(2, 3, low=low, high=high)],
            "raw",
            FLOATS,
            second=second,
        )
        for name, y, low, high, second in [
            ("Relu", "features", -2, 2, True),
            ("Relu6", "features", -2, 9, True),
            ("LeakyRelu", "features", -2, 2, True),
            ("Elu", "outputs", -0.9, 2, True),
            ("Selu", "outputs", -0.9, 2, True),
            ("Softplus", "features", -2, 2, True),
            ("Softsign", "features", 0.2, 2, False),
            ("Sigmoid", "y", 0.1, 0.9, True),
            ("Tanh", "y", -0.9, 0.9, True),
            ("Sqrt", "y", 0.5, 2, False),
            ("Rsqrt", "y", 0.5, 2, False),
            ("Reciprocal", "y", 0.5, 2, False),
            ("Inv", "y", 0.5, 2, False),
        ]
    ],
    Case(
        "QuantizeAndDequantizeV2",
        lambda tf, x: tf.quantization.quantize_and_dequantize(x, -2.0, 2.0, range_given=True),
        [arr(5)],
        "",
        F32,
        smooth=False,
    ),
    Case(
        "FakeQuantWithMinMaxArgs",
        lambda tf, x: tf.quantization.fake_quant_with_min_max_args(x, min=-1, max=1),
        [arr(5)],
        "",
        F32,
        smooth=False,
    ),
    Case(
        "FakeQuantWithMinMaxVars",
        lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars(x, a, b),
        [arr(5), val(-1.0), val(1.0)],
        "",
        F32,
        smooth=False,
    ),
    Case(
        "FakeQuantWithMinMaxVarsPerChannel",
        lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars_per_channel(x, a, b),
        [arr(2, 2), val([-1.0, -0.5]), val([1.0, 0.5])],
        "",
        F32,
        smooth=False,
    ),
]
