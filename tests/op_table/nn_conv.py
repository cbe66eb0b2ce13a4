"""Rows of convolutions and pools."""

from __future__ import annotations

from op_table.case import DEFAULT, Case, arr, spaced, val

F32 = ["float32"]
IMAGE = arr(2, 5, 6, 2)


def _conv(strides=(1, 1, 1, 1), padding="SAME", **keywords):
    return lambda tf, x, w: tf.nn.conv2d(x, w, strides=list(strides), padding=padding, **keywords)


def _transposed(function):
    """NCHW by way of NHWC, the only layout of TensorFlow's CPU kernels."""

    def record(tf, x, *rest):
        return tf.transpose(function(tf, tf.transpose(x, [0, 2, 3, 1]), *rest), [0, 3, 1, 2])

    return record


def _dilated(padding, rate):
    """Dilation by rearranging, because TensorFlow's CPU kernels have no gradient of a dilated
    convolution."""
    return lambda tf, x, w: tf.nn.convolution(x, w, padding, dilation_rate=rate)


def _depthwise(strides=(1, 1, 1, 1), padding="SAME", **keywords):
    return lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, list(strides), padding, **keywords)


def _pool(kind, size=(1, 2, 2, 1), strides=(1, 2, 2, 1), padding="VALID", **keywords):
    return lambda tf, x: getattr(tf.nn, kind)(x, list(size), list(strides), padding, **keywords)


def _pool_rows():
    for op, kind in [("MaxPool", "max_pool"), ("AvgPool", "avg_pool")]:
        image = spaced(2, 4, 6, 2, step=0.05)
        yield Case(op, _pool(kind), [image], "", ["float32", "float64", "float16"], second=True)
        yield Case(op, _pool(kind, padding="SAME"), [spaced(1, 5, 5, 2)], "same", second=True)
        yield Case(
            op,
            _pool(kind, (1, 3, 3, 1), (1, 2, 2, 1)),
            [spaced(1, 5, 7, 2)],
            "overlap",
            second=True,
        )
        yield Case(
            op,
            _pool(kind, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
            [spaced(1, 5, 6, 2)],
            "overlap_same",
        )
        yield Case(
            op, _pool(kind, (1, 3, 2, 1), (1, 1, 1, 1), "SAME"), [spaced(1, 4, 5, 1)], "stride_one"
        )
        yield Case(op, _pool(kind, (1, 1, 1, 1), (1, 2, 2, 1)), [spaced(1, 4, 4, 1)], "gaps")
        yield Case(op, _pool(kind, (1, 2, 1, 1), (1, 1, 2, 1)), [spaced(1, 4, 4, 1)], "oblong")
        yield Case(op, _pool(kind, (1, 4, 6, 1), (1, 1, 1, 1)), [image], "whole")
        yield Case(op, _pool(kind), [arr(0, 4, 4, 1)], "empty", F32)
        yield Case(op, _pool(kind, (1, 5, 5, 1)), [arr(1, 4, 4, 1)], "too_large", raises=True)
        yield Case(op, _pool(kind, padding="FULL"), [arr(1, 4, 4, 1)], "bad_padding", raises=True)
        yield Case(op, _pool(kind), [arr(4, 4, 1)], "rank3", raises=True)
        yield Case(
            op,
            _pool(kind, (1, 1, 2, 2), (1, 1, 2, 2), data_format="NCHW"),
            [spaced(1, 2, 4, 4)],
            "nchw",
            F32,
            reference=_transposed(_pool(kind)),
        )
    yield Case(
        "MaxPool",
        _pool("max_pool"),
        [val([[[[1.0], [1.0]], [[1.0], [0.0]]]])],
        "ties",
        smooth=False,
    )
    yield Case(
        "MaxPool",
        _pool("max_pool", (1, 2, 2, 1), (1, 1, 1, 1)),
        [val([[[[1.0], [2.0], [2.0]], [[2.0], [2.0], [1.0]], [[0.0], [2.0], [2.0]]]])],
        "ties_overlap",
        smooth=False,
    )
    yield Case(
        "MaxPool", _pool("max_pool", (1, 1, 1, 2), (1, 1, 1, 2)), [spaced(1, 2, 2, 4)], "depth"
    )
    yield Case(
        "MaxPool",
        lambda tf, x: tf.nn.max_pool(x, ksize=2, strides=2, padding="VALID"),
        [spaced(1, 4, 4, 1)],
        "int_size",
        F32,
    )


_CONV_ROWS = [
    ("same", {}, (3, 3, 2, 3)),
    ("valid", {"padding": "VALID"}, (3, 3, 2, 3)),
    ("strides_same", {"strides": (1, 2, 2, 1)}, (3, 3, 2, 3)),
    ("strides_valid", {"strides": (1, 2, 2, 1), "padding": "VALID"}, (3, 2, 2, 2)),
    ("stride_three", {"strides": (1, 3, 3, 1)}, (2, 2, 2, 2)),
    ("even_filter", {}, (2, 4, 2, 1)),
    ("one_by_one", {}, (1, 1, 2, 3)),
    ("one_by_one_strides", {"strides": (1, 2, 2, 1)}, (1, 1, 2, 3)),
    ("whole", {"padding": "VALID"}, (5, 6, 2, 2)),
    ("explicit", {"padding": [[0, 0], [1, 0], [2, 1], [0, 0]]}, (3, 3, 2, 2)),
]

CASES = [
    Case(
        "ExtractVolumePatches",
        lambda tf, x: tf.extract_volume_patches(
            x, [1, 2, 2, 1, 1], [1, 2, 1, 1, 1], padding="VALID"
        ),
        [arr(1, 4, 3, 2, 2)],
    ),
    *[
        Case("Conv2D", _conv(**keywords), [IMAGE, arr(*shape)], label, second=label == "same")
        for label, keywords, shape in _CONV_ROWS
    ],
    Case(
        "Conv2D",
        _conv(dilations=[1, 2, 2, 1]),
        [IMAGE, arr(3, 3, 2, 2)],
        "dilations",
        reference=_dilated("SAME", [2, 2]),
    ),
    Case(
        "Conv2D",
        _conv(padding="VALID", dilations=[1, 2, 1, 1]),
        [IMAGE, arr(2, 3, 2, 2)],
        "dilations_valid",
        reference=_dilated("VALID", [2, 1]),
    ),
    Case("Conv2D", _conv(), [arr(1, 4, 4, 2), arr(3, 3, 2, 2)], "half", ["float16"]),
    Case("Conv2D", _conv(), [arr(0, 4, 4, 2), arr(3, 3, 2, 2)], "empty", F32),
    Case(
        "Conv2D",
        _conv(data_format="NCHW"),
        [arr(1, 2, 4, 4), arr(3, 3, 2, 2)],
        "nchw",
        F32,
        reference=_transposed(_conv()),
    ),
    Case(
        "Conv2D",
        lambda tf, x, w: tf.nn.conv2d(x, w, 2, "SAME"),
        [IMAGE, arr(3, 3, 2, 2)],
        "int_stride",
        F32,
    ),
    Case(
        "Conv2D",
        lambda tf, x, w: tf.nn.conv2d(x, filters=w, strides=[1, 1, 1, 1], padding="SAME"),
        [IMAGE, arr(3, 3, 2, 2)],
        "filters_name",
        F32,
    ),
    Case("Conv2D", _conv(), [IMAGE, arr(3, 3, 3, 2)], "depth_mismatch", raises=True),
    Case("Conv2D", _conv(padding="VALID"), [IMAGE, arr(7, 7, 2, 2)], "too_large", raises=True),
    Case(
        "Conv2D", _conv(strides=(2, 1, 1, 1)), [IMAGE, arr(3, 3, 2, 2)], "batch_stride", raises=True
    ),
    Case("Conv2D", _conv(padding="FULL"), [IMAGE, arr(3, 3, 2, 2)], "bad_padding", raises=True),
    Case("Conv2D", _conv(), [arr(5, 6, 2), arr(3, 3, 2, 2)], "rank3", raises=True),
    Case("Convolution", lambda tf, x, w: tf.nn.convolution(x, w, "SAME"), [IMAGE, arr(3, 3, 2, 2)]),
    Case(
        "Convolution",
        lambda tf, x, w: tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 2]),
        [IMAGE, arr(2, 2, 2, 2)],
        "dilation",
    ),
    Case(
        "Convolution",
        lambda tf, x, w: tf.nn.convolution(x, w, "SAME", strides=[2, 2]),
        [IMAGE, arr(3, 3, 2, 2)],
        "strides",
    ),
    Case(
        "AtrousConv2D",
        lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"),
        [IMAGE, arr(3, 3, 2, 2)],
    ),
    Case(
        "Conv1D",
        lambda tf, x, w: tf.nn.conv1d(x, w, stride=2, padding="SAME"),
        [arr(2, 5, 2), arr(3, 2, 3)],
    ),
    Case(
        "Conv1D",
        lambda tf, x, w: tf.nn.conv1d(x, w, 1, "VALID"),
        [arr(2, 5, 2), arr(3, 2, 3)],
        "valid",
    ),
    Case(
        "Conv2DTranspose",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 6, 8, 3], [1, 2, 2, 1]),
        [arr(2, 3, 4, 2), arr(3, 3, 3, 2)],
        "",
        second=True,
    ),
    Case(
        "Conv2DTranspose",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 5, 6, 3], [1, 1, 1, 1], padding="VALID"),
        [arr(2, 3, 4, 2), arr(3, 3, 3, 2)],
        "valid",
    ),
    Case(
        "Conv2DTranspose",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [tf.shape(x)[0], 6, 8, 3], [1, 2, 2, 1]),
        [arr(2, 3, 4, 2), arr(3, 3, 3, 2)],
        "computed_shape",
        F32,
    ),
    Case(
        "Conv2DTranspose",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 9, 8, 3], [1, 2, 2, 1]),
        [arr(2, 3, 4, 2), arr(3, 3, 3, 2)],
        "mismatch",
        F32,
        raises=True,
    ),
    Case(
        "Conv2DBackpropInput",
        lambda tf, w, g: tf.nn.conv2d_backprop_input([2, 5, 6, 2], w, g, [1, 2, 2, 1], "SAME"),
        [arr(3, 3, 2, 3), arr(2, 3, 3, 3)],
        "",
        second=True,
    ),
    Case(
        "Conv2DBackpropFilter",
        lambda tf, x, g: tf.nn.conv2d_backprop_filter(x, [3, 3, 2, 3], g, [1, 2, 2, 1], "SAME"),
        [IMAGE, arr(2, 3, 3, 3)],
        "",
        second=True,
    ),
    Case("DepthwiseConv2dNative", _depthwise(), [IMAGE, arr(3, 3, 2, 2)], "", second=True),
    Case("DepthwiseConv2dNative", _depthwise((1, 2, 2, 1)), [IMAGE, arr(3, 3, 2, 1)], "strides"),
    Case("DepthwiseConv2dNative", _depthwise(padding="VALID"), [IMAGE, arr(2, 3, 2, 2)], "valid"),
    Case("DepthwiseConv2dNative", _depthwise(rate=[2, 2]), [IMAGE, arr(3, 3, 2, 1)], "rate"),
    Case("DepthwiseConv2dNative", _depthwise(), [IMAGE, arr(3, 3, 3, 1)], "mismatch", raises=True),
    Case(
        "DepthwiseConv2dNative",
        lambda tf, x, w: tf.nn.depthwise_conv2d_native(x, w, [1, 1, 1, 1], "SAME"),
        [IMAGE, arr(3, 3, 2, 1)],
        "native",
        F32,
    ),
    Case(
        "DepthwiseConv2dNativeBackpropInput",
        lambda tf, w, g: tf.nn.depthwise_conv2d_backprop_input(
            [2, 5, 6, 2], w, g, [1, 1, 1, 1], "SAME"
        ),
        [arr(3, 3, 2, 2), arr(2, 5, 6, 4)],
        "",
        F32,
    ),
    Case(
        "DepthwiseConv2dNativeBackpropFilter",
        lambda tf, x, g: tf.nn.depthwise_conv2d_backprop_filter(
            x, [3, 3, 2, 2], g, [1, 1, 1, 1], "SAME"
        ),
        [IMAGE, arr(2, 5, 6, 4)],
        "",
        F32,
    ),
    Case(
        "SeparableConv2D",
        lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME"),
        [IMAGE, arr(3, 3, 2, 2), arr(1, 1, 4, 3)],
    ),
    Case(
        "Conv3D",
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "SAME"),
        [arr(1, 3, 4, 3, 2), arr(2, 3, 2, 2, 2)],
        "",
        second=True,
    ),
    Case(
        "Conv3D",
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 2, 2, 1, 1], "VALID"),
        [arr(1, 4, 4, 3, 1), arr(2, 2, 2, 1, 2)],
        "strides",
    ),
    Case(
        "Conv3DTranspose",
        lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [1, 4, 4, 4, 2], [1, 2, 2, 2, 1]),
        [arr(1, 2, 2, 2, 1), arr(3, 3, 3, 2, 1)],
    ),
    *_pool_rows(),
    Case(
        "MaxPoolV2",
        lambda tf, x: tf.raw_ops.MaxPoolV2(
            input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"
        ),
        [spaced(1, 4, 4, 1)],
        "",
        F32,
    ),
    Case(
        "MaxPoolWithArgmax",
        lambda tf, x: tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        [spaced(2, 3, 4, 2)],
        "",
        F32,
    ),
    Case(
        "MaxPoolWithArgmax",
        lambda tf, x: tf.nn.max_pool_with_argmax(
            x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID", include_batch_in_index=True
        ),
        [spaced(2, 4, 4, 1)],
        "batch_in_index",
        F32,
    ),
    Case(
        "MaxPoolGrad",
        lambda tf, x, g: tf.raw_ops.MaxPoolGrad(
            orig_input=x,
            orig_output=tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
            grad=g,
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="VALID",
        ),
        [spaced(1, 2, 2, 1), arr(1, 1, 1, 1)],
        "",
        DEFAULT,
        grad=(1,),
    ),
    Case(
        "MaxPoolGradGrad",
        lambda tf, x, g: tf.raw_ops.MaxPoolGradGrad(
            orig_input=x,
            orig_output=tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
            grad=g,
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="VALID",
        ),
        [spaced(1, 4, 4, 1), arr(1, 4, 4, 1)],
        "",
        DEFAULT,
        grad=(1,),
    ),
    Case(
        "MaxPool3DGrad",
        lambda tf, x, g: tf.raw_ops.MaxPool3DGrad(
            orig_input=x,
            orig_output=tf.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID"),
            grad=g,
            ksize=[1, 2, 2, 2, 1],
            strides=[1, 2, 2, 2, 1],
            padding="VALID",
        ),
        [spaced(1, 2, 2, 2, 1), arr(1, 1, 1, 1, 1)],
        "",
        F32,
        grad=(1,),
    ),
    Case(
        "MaxPool3DGradGrad",
        lambda tf, x, g: tf.raw_ops.MaxPool3DGradGrad(
            orig_input=x,
            orig_output=tf.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID"),
            grad=g,
            ksize=[1, 2, 2, 2, 1],
            strides=[1, 2, 2, 2, 1],
            padding="VALID",
        ),
        [spaced(1, 4, 2, 2, 1), arr(1, 4, 2, 2, 1)],
        "",
        F32,
        grad=(1,),
    ),
    Case(
        "MaxPoolGradV2",
        lambda tf, x, g: tf.raw_ops.MaxPoolGradV2(
            orig_input=x,
            orig_output=tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
            grad=g,
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="VALID",
        ),
        [spaced(1, 2, 4, 1), arr(1, 1, 2, 1)],
        "",
        F32,
        grad=(1,),
    ),
    Case(
        "AvgPoolGrad",
        lambda tf, g: tf.raw_ops.AvgPoolGrad(
            orig_input_shape=[1, 4, 4, 1],
            grad=g,
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="VALID",
        ),
        [arr(1, 2, 2, 1)],
        "",
        DEFAULT,
        second=True,
    ),
    Case(
        "MaxPool3D",
        lambda tf, x: tf.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"),
        [spaced(1, 3, 4, 2, 2)],
        "",
        F32,
        second=True,
    ),
    Case(
        "AvgPool3D",
        lambda tf, x: tf.nn.avg_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"),
        [spaced(1, 3, 4, 2, 2)],
        "",
        F32,
        second=True,
    ),
    Case(
        "Pool",
        lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", "VALID", strides=[2, 2]),
        [spaced(1, 4, 4, 1)],
        "max",
        F32,
    ),
    Case("Pool", lambda tf, x: tf.nn.pool(x, [2], "AVG", "SAME"), [spaced(1, 4, 2)], "avg1d", F32),
    Case(
        "Pool1D",
        lambda tf, x: [tf.nn.max_pool1d(x, 2, 2, "VALID"), tf.nn.avg_pool1d(x, 2, 2, "SAME")],
        [spaced(1, 5, 2)],
        "",
        F32,
    ),
    Case(
        "Dilation2D",
        lambda tf, x, w: tf.nn.dilation2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        [spaced(1, 4, 4, 1), arr(2, 2, 1, low=-0.01, high=0.01)],
        "",
        F32,
    ),
    Case(
        "Dilation2D",
        lambda tf, x, w: tf.nn.erosion2d(x, w, [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
        [spaced(1, 5, 5, 1), arr(2, 2, 1, low=-0.01, high=0.01)],
        "erosion",
        F32,
    ),
    Case(
        "ExtractImagePatches",
        lambda tf, x: tf.image.extract_image_patches(
            x, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"
        ),
        [arr(1, 4, 4, 2)],
        "",
        second=True,
    ),
    Case(
        "ExtractImagePatches",
        lambda tf, x: tf.image.extract_image_patches(
            x, [1, 3, 3, 1], [1, 2, 2, 1], [1, 2, 2, 1], "SAME"
        ),
        [arr(1, 5, 5, 1)],
        "rates",
    ),
]
