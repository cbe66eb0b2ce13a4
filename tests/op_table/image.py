"""Rows of image ops."""

from __future__ import annotations

import numpy as np

from op_table.case import DEFAULT, Case, arr, ints, spaced, val

F32 = ["float32"]
PHOTO = arr(2, 4, 5, 3, low=0.05, high=0.95)
METHODS = [
    ("ResizeBilinear", lambda tf, x, size, **kw: tf.image.resize_bilinear(x, size, **kw)),
    (
        "ResizeNearestNeighbor",
        lambda tf, x, size, **kw: tf.image.resize_nearest_neighbor(x, size, **kw),
    ),
    ("ResizeBicubic", lambda tf, x, size, **kw: tf.image.resize_bicubic(x, size, **kw)),
    ("ResizeArea", lambda tf, x, size, **kw: tf.image.resize_area(x, size, **kw)),
]
SIZES = [("up", [7, 9]), ("down", [2, 3]), ("same", [4, 5]), ("mixed", [8, 2])]


def _rows():
    for op, resize in METHODS:
        for label, size in SIZES:
            yield Case(op, lambda tf, x, r=resize, s=size: r(tf, x, s), [PHOTO], label, ["float32"])
        yield Case(
            op,
            lambda tf, x, r=resize: r(tf, x, [7, 3], align_corners=True),
            [PHOTO],
            "align_corners",
            F32,
        )
        if op != "ResizeArea":
            yield Case(
                op,
                lambda tf, x, r=resize: r(tf, x, [7, 3], half_pixel_centers=True),
                [PHOTO],
                "half_pixel_centers",
                F32,
            )
        yield Case(
            op,
            lambda tf, x, r=resize: r(tf, x, [3, 3]),
            [ints(1, 4, 4, 1, low=0, high=255, dtype="uint8")],
            "uint8",
        )
        yield Case(op, lambda tf, x, r=resize: r(tf, x, [3]), [PHOTO], "bad_size", F32, raises=True)
        yield Case(
            op, lambda tf, x, r=resize: r(tf, x, [3, 3]), [arr(4, 4, 3)], "rank3", F32, raises=True
        )


def _image(name, *arguments, **keywords):
    return lambda tf, x: getattr(tf.image, name)(x, *arguments, **keywords)


CASES = [
    *_rows(),
    Case(
        "ResizeBilinear",
        _image("resize_bilinear", [6, 6]),
        [arr(1, 3, 3, 1)],
        "double",
        ["float64"],
    ),
    Case("ResizeImages", _image("resize_images", [6, 7]), [PHOTO], "", F32),
    Case(
        "ResizeImages", _image("resize_images", [3, 3], method=1), [arr(4, 4, 3)], "one_image", F32
    ),
    Case(
        "ResizeImages", _image("resize_image_with_crop_or_pad", 6, 3), [PHOTO], "crop_or_pad", F32
    ),
    Case("ResizeImages", _image("resize_image_with_pad", 6, 8), [PHOTO], "pad", F32),
    Case(
        "CropAndResize",
        lambda tf, x, b, i: tf.image.crop_and_resize(x, b, i, [3, 3]),
        [PHOTO, val([[0.1, 0.2, 0.8, 0.7], [0.0, 0.0, 1.0, 1.0]], "float32"), val([1, 0], "int32")],
        "",
        F32,
        smooth=False,
    ),
    Case(
        "CropAndResize",
        lambda tf, x, b, i: tf.image.crop_and_resize(
            x, b, i, [2, 2], method="nearest", extrapolation_value=0.5
        ),
        [PHOTO, val([[-0.2, 0.2, 1.3, 0.7]], "float32"), val([1], "int32")],
        "nearest",
        F32,
        smooth=False,
    ),
    Case("CropToBoundingBox", _image("crop_to_bounding_box", 1, 2, 2, 3), [PHOTO], "", F32),
    Case("PadToBoundingBox", _image("pad_to_bounding_box", 1, 2, 7, 8), [PHOTO], "", F32),
    Case("CentralCrop", _image("central_crop", 0.5), [PHOTO], "", F32),
    Case("Flip", _image("flip_left_right"), [PHOTO], "left_right", F32),
    Case("Flip", _image("flip_up_down"), [arr(3, 2, 1)], "up_down", F32),
    Case("Flip", _image("transpose_image"), [PHOTO], "transpose", F32),
    Case("Flip", _image("rot90", k=3), [PHOTO], "rot90", F32, grad=()),
    Case("RGBToHSV", _image("rgb_to_hsv"), [PHOTO], "", DEFAULT, grad=()),
    Case("HSVToRGB", _image("hsv_to_rgb"), [PHOTO], "", DEFAULT, grad=()),
    Case("RGBToGrayscale", _image("rgb_to_grayscale"), [PHOTO], "", F32),
    Case("GrayscaleToRGB", _image("grayscale_to_rgb"), [arr(2, 2, 2, 1)], "", F32),
    Case("YUV", _image("rgb_to_yuv"), [PHOTO], "rgb_to_yuv", F32),
    Case("YUV", _image("yuv_to_rgb"), [PHOTO], "yuv_to_rgb", F32),
    Case("YUV", _image("rgb_to_yiq"), [PHOTO], "rgb_to_yiq", F32),
    Case("AdjustBrightness", _image("adjust_brightness", 0.2), [PHOTO], "", F32),
    Case(
        "AdjustBrightness",
        _image("adjust_brightness", 0.2),
        [ints(2, 2, 3, low=0, high=255, dtype="uint8")],
        "uint8",
    ),
    Case("AdjustContrastv2", _image("adjust_contrast", 1.7), [PHOTO], "", F32, grad=()),
    Case("AdjustHue", _image("adjust_hue", 0.2), [PHOTO], "", F32, grad=()),
    Case("AdjustSaturation", _image("adjust_saturation", 0.6), [PHOTO], "", F32, grad=()),
    Case("AdjustGamma", _image("adjust_gamma", 2.2), [PHOTO], "", F32),
    Case("PerImageStandardization", _image("per_image_standardization"), [PHOTO], "", F32),
    Case(
        "ConvertImageDtype",
        lambda tf, x: tf.image.convert_image_dtype(x, tf.uint8),
        [PHOTO],
        "to_uint8",
        F32,
        grad=(),
    ),
    Case(
        "ConvertImageDtype",
        lambda tf, x: tf.image.convert_image_dtype(x, tf.float32),
        [ints(2, 2, 3, low=0, high=255, dtype="uint8")],
        "to_float",
    ),
    Case(
        "ConvertImageDtype",
        lambda tf, x: tf.image.convert_image_dtype(x, tf.int16),
        [ints(2, 2, 3, low=0, high=255, dtype="uint8")],
        "to_int16",
    ),
    Case("TotalVariation", _image("total_variation"), [PHOTO], "", F32),
    Case("SobelEdges", _image("sobel_edges"), [PHOTO], "", F32),
    Case("ImageGradients", _image("image_gradients"), [PHOTO], "", F32),
    Case("PSNR", lambda tf, x, y: tf.image.psnr(x, y, 1.0), [PHOTO, PHOTO], "", F32),
    Case(
        "SSIM",
        lambda tf, x, y: tf.image.ssim(x, y, 1.0),
        [arr(1, 12, 12, 1, low=0, high=1), arr(1, 12, 12, 1, low=0, high=1)],
        "",
        F32,
    ),
    Case(
        "NonMaxSuppressionV3",
        lambda tf, b, s: tf.image.non_max_suppression(b, s, 3, iou_threshold=0.5),
        [
            val([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]], "float32"),
            val([0.9, 0.8, 0.7], "float32"),
        ],
        grad=(),
        no_jax="shape depends on values",
    ),
    Case(
        "DrawBoundingBoxes",
        lambda tf, x, b: tf.image.draw_bounding_boxes(x, b),
        [arr(1, 6, 6, 3, low=0, high=1), val([[[0.1, 0.1, 0.7, 0.7]]], "float32")],
        "",
        F32,
        grad=(),
    ),
    Case(
        "ExtractGlimpse",
        lambda tf, x, o: tf.image.extract_glimpse(x, [2, 2], o),
        [PHOTO, val([[0.0, 0.0], [0.3, -0.2]], "float32")],
        "",
        F32,
        grad=(),
    ),
    Case(
        "EncodePng",
        lambda tf, x: tf.image.decode_png(tf.image.encode_png(x)),
        [ints(3, 4, 3, low=0, high=255, dtype="uint8")],
        no_jax="host",
    ),
    Case(
        "DecodeRaw",
        lambda tf, x: tf.decode_raw(x, tf.uint8),
        [val([b"abc", b"def"], "object")],
        no_jax="host",
    ),
    Case(
        "Flip",
        lambda tf, x: tf.map_fn(lambda image: tf.image.flip_left_right(image), x),
        [spaced(2, 2, 2, 1)],
        "mapped",
        F32,
        grad=(),
    ),
    Case(
        "Const",
        lambda tf: tf.constant(np.arange(12, dtype=np.uint8).reshape(2, 2, 3)),
        label="image",
    ),
]
