"""Rows of boxes in images, of random changes, and of sizes that are known only at run time."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, arr, ints, val

F32 = ["float32"]
PHOTO = arr(2, 4, 5, 3, low=0.05, high=0.95)
ONE = arr(4, 5, 3, low=0.05, high=0.95)
CORNERS = val(
    [[0.1, 0.2, 0.8, 0.7], [-0.2, 0.1, 1.3, 0.9], [0.9, 0.8, 0.2, 0.1], [0.0, 0.0, 1.0, 1.0]],
    "float32",
)
INDEX = val([1, 0, 1, 0], "int32")


def _image(name, *arguments, **keywords):
    return lambda tf, *x: getattr(tf.image, name)(*x, *arguments, **keywords)


def _v2(name, *arguments, **keywords):
    return lambda tf, *x: getattr(tf.compat.v2.image, name)(*x, *arguments, **keywords)


# Crops.


def _crops():
    for method in ("bilinear", "nearest"):
        for label, size in (("", [3, 4]), ("_one", [1, 1])):
            yield Case(
                "CropAndResize",
                lambda tf, x, b, i, s=size, m=method: tf.image.crop_and_resize(x, b, i, s, m, 0.3),
                [PHOTO, CORNERS, INDEX],
                f"many_{method}{label}",
                ["float32", "float64"],
                smooth=False,
            )
    yield Case(
        "CropAndResize",
        lambda tf, x, b, i: tf.image.crop_and_resize(x, b, i, [2, 2]),
        [ints(2, 4, 5, 3, low=0, high=255, dtype="uint8"), CORNERS, INDEX],
        "uint8",
        smooth=False,
    )
    for label, boxes, index, size in (
        ("index", CORNERS, val([2, 0, 1, 0], "int32"), [2, 2]),
        ("negative_index", CORNERS, val([0, 0, -1, 0], "int32"), [2, 2]),
        ("columns", arr(4, 3, dtype="float32"), INDEX, [2, 2]),
        ("lengths", CORNERS, val([0], "int32"), [2, 2]),
        ("size", CORNERS, INDEX, [2]),
        ("empty", CORNERS, INDEX, [0, 2]),
    ):
        yield Case(
            "CropAndResize",
            lambda tf, x, b, i, s=size: tf.image.crop_and_resize(x, b, i, s),
            [PHOTO, boxes, index],
            f"bad_{label}",
            F32,
            raises=True,
        )
    for label, keywords in (
        ("corner", {"centered": False}),
        ("pixels", {"normalized": False}),
        ("corner_pixels", {"centered": False, "normalized": False}),
    ):
        yield Case(
            "ExtractGlimpse",
            lambda tf, x, o, k=keywords: tf.compat.v2.image.extract_glimpse(
                x, [2, 3], o, noise="zero", **k
            ),
            [PHOTO, val([[0.6, 1.4], [2.3, -0.2]], "float32")],
            label,
            F32,
            grad=(),
        )
    yield Case(
        "ExtractGlimpse",
        _image("extract_glimpse", [2, 2], [[0.0, 0.0]]),
        [PHOTO],
        "batch",
        F32,
        raises=True,
    )


# Boxes that are drawn, and random ones.


def _drawn():
    boxes = val([[[0.1, 0.1, 0.7, 0.7], [-0.3, 0.2, 0.5, 1.4], [0.5, 0.5, 0.2, 0.9]]], "float32")
    colors = val([[0.1, 0.9, 0.4], [0.7, 0.2, 0.3]], "float32")
    for channels in (1, 3, 4):
        yield Case(
            "DrawBoundingBoxes",
            _image("draw_bounding_boxes"),
            [arr(1, 6, 7, channels, low=0, high=1), boxes],
            f"channels_{channels}",
            F32,
            grad=(),
        )
    image = arr(1, 6, 7, 3, low=0, high=1)
    yield Case(
        "DrawBoundingBoxesV2", _v2("draw_bounding_boxes"), [image, boxes, colors], "", F32, grad=()
    )
    yield Case(
        "DrawBoundingBoxes",
        _image("draw_bounding_boxes"),
        [arr(1, 6, 7, 2), boxes],
        "bad_channels",
        F32,
        raises=True,
    )
    yield Case(
        "DrawBoundingBoxesV2",
        lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, colors=[[1.0]]),
        [image, boxes],
        "bad_colors",
        F32,
        raises=True,
    )


def _sampled(label, size, boxes, raises=False, version=2, **keywords):
    def record(tf, size, boxes):
        if version == 2:
            return tf.image.sample_distorted_bounding_box(size, boxes, seed2=7, **keywords)
        return tf.raw_ops.SampleDistortedBoundingBox(
            image_size=size, bounding_boxes=boxes, seed2=7, **keywords
        )

    op = "SampleDistortedBoundingBoxV2" if version == 2 else "SampleDistortedBoundingBox"
    return Case(op, record, [size, boxes], label, raises=raises, no_jax="random")


def _random_boxes():
    boxes = val([[[0.1, 0.2, 0.6, 0.7], [0.3, 0.3, 0.9, 0.8]]], "float32")
    none = val(np.zeros((1, 0, 4)), "float32")
    size = val([60, 80, 3], "int32")
    for seed in range(4):
        yield _sampled(f"seed_{seed}", size, boxes, seed=seed)
    yield _sampled(
        "narrow",
        val([7, 300, 3], "int64"),
        boxes,
        seed=1,
        min_object_covered=0.9,
        area_range=[0.3, 0.9],
        aspect_ratio_range=[0.5, 2.0],
        max_attempts=20,
    )
    yield _sampled("no_box", size, none, seed=3, use_image_if_no_bounding_boxes=True)
    yield _sampled("", size, boxes, version=1, seed=5, min_object_covered=0.5)
    for label, sizes, objects, keywords in (
        ("no_box", size, none, {}),
        ("size", val([60, 80], "int32"), boxes, {}),
        ("outside", size, val([[[0.1, 0.2, 0.6, 1.4]]], "float32"), {}),
        ("rank", size, arr(2, 4, low=0, high=1, dtype="float32"), {}),
        ("covered", size, boxes, {"min_object_covered": -1.0}),
        ("area", size, boxes, {"area_range": [0.0, 0.5]}),
        ("attempts", size, boxes, {"max_attempts": 0}),
    ):
        yield _sampled(f"bad_{label}", sizes, objects, raises=True, seed=1, **keywords)


# Non-maximum suppression.

BOXES = val(
    [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 2, 1, 3], [0, 0, 1, 1], [3, 3, 2, 2], [0, 0, 1, 0.5]],
    "float32",
)
SCORES = val([0.9, 0.8, 0.7, 0.9, 0.1, 0.85], "float32")


def _suppressed(op, function, inputs=(BOXES, SCORES), label="", raises=False, host=True):
    reason = "shape depends on values" if host else ""
    return Case(op, function, list(inputs), label, grad=(), raises=raises, no_jax=reason)


def _suppressions():
    for threshold in (0.5, 0.3, 1.0):
        for least in (float("-inf"), 0.2):
            yield _suppressed(
                "NonMaxSuppressionV3",
                _image("non_max_suppression", 4, threshold, least),
                label=f"limits_{threshold}_{least}",
            )
    yield _suppressed(
        "NonMaxSuppression",
        lambda tf, b, s: tf.raw_ops.NonMaxSuppression(boxes=b, scores=s, max_output_size=9),
    )
    yield _suppressed(
        "NonMaxSuppressionV2",
        lambda tf, b, s: tf.raw_ops.NonMaxSuppressionV2(
            boxes=b, scores=s, max_output_size=2, iou_threshold=0.5
        ),
    )
    for pad in (False, True):
        label = "padded" if pad else ""
        yield _suppressed(
            "NonMaxSuppressionV4",
            _image("non_max_suppression_padded", 5, 0.5, 0.2, pad),
            label=label,
            host=not pad,
        )
        yield _suppressed(
            "NonMaxSuppressionV5",
            lambda tf, b, s, pad=pad: tf.raw_ops.NonMaxSuppressionV5(
                boxes=b,
                scores=s,
                max_output_size=5,
                iou_threshold=0.7,
                score_threshold=0.2,
                soft_nms_sigma=0.5,
                pad_to_max_output_size=pad,
            ),
            label=f"{label}soft",
            host=not pad,
        )
    yield _suppressed(
        "NonMaxSuppressionV5", _image("non_max_suppression_with_scores", 4), label="scores"
    )
    yield _suppressed(
        "NonMaxSuppressionWithOverlaps",
        _image("non_max_suppression_overlaps", 3),
        [
            val([[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]], "float32"),
            val([0.5, 0.6, 0.1], "float32"),
        ],
    )
    many = arr(2, 6, 3, 4, low=0, high=1.2, dtype="float32")
    shared = arr(2, 6, 1, 4, low=0, high=1.2, dtype="float32")
    scores = arr(2, 6, 3, low=0, high=1, dtype="float32")
    for label, boxes, total, keywords in (
        ("", many, 5, {}),
        ("rest", many, 9, {"clip_boxes": False}),
        ("shared", shared, 5, {"iou_threshold": 0.2}),
    ):
        yield _suppressed(
            "CombinedNonMaxSuppression",
            _image("combined_non_max_suppression", 2, total, score_threshold=0.1, **keywords),
            [boxes, scores],
            label,
            host=False,
        )
    # TensorFlow 1.15 fails over unknown sizes here, so the inputs are constants.
    fixed = [spec.array("", "") for spec in (many, scores)]
    yield _suppressed(
        "CombinedNonMaxSuppression",
        lambda tf: tf.image.combined_non_max_suppression(
            fixed[0], fixed[1], 2, 9, score_threshold=0.1, pad_per_class=True
        ),
        [],
        "padded",
        host=False,
    )
    three = arr(6, 3, dtype="float32")
    for label, inputs, size, threshold in (
        ("columns", [three, SCORES], 2, 0.5),
        ("scores", [BOXES, arr(2, dtype="float32")], 2, 0.5),
        ("threshold", [BOXES, SCORES], 2, 1.5),
        ("size", [BOXES, SCORES], [2], 0.5),
    ):
        yield _suppressed(
            "NonMaxSuppressionV3",
            _image("non_max_suppression", size, threshold),
            inputs,
            f"bad_{label}",
            raises=True,
        )
    yield _suppressed(
        "CombinedNonMaxSuppression",
        _image("combined_non_max_suppression", 2, 0),
        [many, scores],
        "bad_total",
        raises=True,
    )


# Random changes: with an op seed, the same in every graph.


def _random():
    for name, arguments in (
        ("random_brightness", (0.3,)),
        ("random_contrast", (0.5, 1.5)),
        ("random_hue", (0.3,)),
        ("random_saturation", (0.5, 1.5)),
        ("random_flip_left_right", ()),
        ("random_flip_up_down", ()),
    ):
        for seed in (1, 2):
            yield Case(
                "RandomImage",
                _image(name, *arguments, seed=seed),
                [ONE],
                f"{name}_{seed}",
                F32,
                grad=(),
                no_jax="random",
            )
    yield Case(
        "RandomImage",
        _image("random_flip_left_right", seed=3),
        [PHOTO],
        "random_flip_batch",
        F32,
        grad=(),
        no_jax="random",
    )
    for name, arguments in (
        ("random_brightness", (-0.1,)),
        ("random_contrast", (0.5, 0.5)),
        ("random_contrast", (-0.5, 0.5)),
        ("random_hue", (0.6,)),
        ("random_hue", (-0.1,)),
        ("random_saturation", (1.0, 0.5)),
    ):
        yield Case(
            "RandomImage",
            _image(name, *arguments),
            [ONE],
            f"bad_{name}_{arguments[0]}",
            F32,
            raises=True,
        )


# What is told apart by static shapes, and by tensors in place of numbers.


def _sizes():
    size = val([3, 7], "int32")
    two = [val(4, "int32"), val(3, "int32")]
    yield Case(
        "ResizeImages",
        _image("resize_images"),
        [PHOTO, size],
        "fed_size",
        F32,
        no_jax="its shape depends on an input",
    )
    yield Case(
        "ResizeImages",
        _image("resize_images", [6, 9], preserve_aspect_ratio=True),
        [PHOTO],
        "aspect",
        F32,
    )
    yield Case("ResizeImages", _image("resize_images", [4, 5], 2), [ONE], "same", F32)
    yield Case("ResizeImages", _image("resize_images", [3, 3], 3), [ONE], "area", F32)
    yield Case("ResizeImages", _image("resize_images", [3, 3], 7), [ONE], "bad", F32, raises=True)
    yield Case("ResizeImages", _image("resize_images", [3]), [ONE], "bad_size", F32, raises=True)
    yield Case(
        "ResizeImages", _image("resize_images", [3, 3]), [arr(2, 2)], "bad_rank", F32, raises=True
    )
    for method in (
        "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian",
        "mitchellcubic",
    ):  # fmt: skip
        antialias = method in ("lanczos5", "gaussian")
        yield Case(
            "ScaleAndTranslate"
            if method not in ("bilinear", "nearest", "area")
            else "ResizeImages",
            _v2("resize", [7, 3], method, antialias=antialias),
            [PHOTO],
            f"v2_{method}",
            F32,
        )
    for method in ("bilinear", "bicubic"):
        yield Case(
            "ScaleAndTranslate",
            _v2("resize", [2, 7], method, antialias=True),
            [ONE],
            f"antialias_{method}",
            F32,
        )
    yield Case(
        "ScaleAndTranslate",
        lambda tf, x, s, t: tf.raw_ops.ScaleAndTranslate(
            images=x, size=[5, 4], scale=s, translation=t, kernel_type="lanczos1"
        ),
        [PHOTO, val([1.3, 0.6], "float32"), val([0.7, -1.2], "float32")],
        "moved",
        F32,
    )
    yield Case("ResizeImages", _v2("resize_with_pad", 6, 8), [ONE], "v2_pad", F32)
    yield Case("CentralCrop", _image("central_crop", 0.4), [ONE], "one", F32)
    yield Case("CentralCrop", _image("central_crop", 1.0), [ONE], "all", F32)
    yield Case("CentralCrop", _image("central_crop", 1.2), [ONE], "bad", F32, raises=True)
    yield Case(
        "CropToBoundingBox",
        lambda tf, x, h, w: tf.image.crop_to_bounding_box(x, 0, 1, h, w),
        [ONE, *two],
        "fed",
        F32,
        no_jax="its shape depends on an input",
    )
    yield Case(
        "CropToBoundingBox",
        _image("crop_to_bounding_box", 1, 2, 2, 4),
        [ONE],
        "bad",
        F32,
        raises=True,
    )
    yield Case(
        "PadToBoundingBox",
        lambda tf, x, h, w: tf.image.pad_to_bounding_box(x, h, w, 9, h + 6),
        [ONE, *two],
        "fed",
        F32,
        no_jax="its shape depends on an input",
    )
    yield Case(
        "PadToBoundingBox",
        _image("pad_to_bounding_box", 1, 2, 2, 9),
        [ONE],
        "bad",
        F32,
        raises=True,
    )
    for label, sizes in (("", [3, 8]), ("_smaller", [2, 2]), ("_same", [4, 5])):
        yield Case(
            "ResizeImages",
            _image("resize_image_with_crop_or_pad", *sizes),
            [ONE],
            f"crop_or_pad_one{label}",
            F32,
        )
    yield Case(
        "ResizeImages",
        lambda tf, x, h, w: tf.image.resize_image_with_crop_or_pad(x, h, w),
        [ONE, *two],
        "crop_or_pad_fed",
        F32,
        no_jax="its shape depends on an input",
    )
    yield Case(
        "Flip",
        lambda tf, x, k: tf.image.rot90(x, k),
        [ONE, val(-1, "int32")],
        "rot90_fed",
        F32,
        grad=(),
    )
    yield Case("Flip", _image("transpose"), [ONE], "transpose_one", F32)
    yield Case("Flip", _image("flip_up_down"), [arr(3, 3)], "bad_rank", F32, raises=True)
    yield Case("Flip", _image("flip_up_down"), [arr(0, 3, 1)], "bad_empty", F32, raises=True)
    yield Case(
        "AdjustGamma",
        lambda tf, x, g: tf.image.adjust_gamma(x, g),
        [ONE, val(0.7)],
        "fed",
        F32,
        no_jax="its shape depends on an input",
        grad=(),
    )
    yield Case("AdjustGamma", _image("adjust_gamma", -1), [ONE], "bad", F32, raises=True)
    for name in ("adjust_hue", "adjust_saturation", "adjust_contrast"):
        bytes_ = ints(3, 4, 3, low=0, high=255, dtype="uint8")
        yield Case("AdjustImage", _image(name, 0.3), [bytes_], f"{name}_uint8")
        yield Case("AdjustImage", _image(name, -0.4), [PHOTO], f"{name}_negative", F32, grad=())
        yield Case("AdjustImage", _image(name, 0.3), [arr(3, 3)], f"bad_{name}", F32, raises=True)
    yield Case("RGBToHSV", _image("rgb_to_hsv"), [arr(2, 2, 4)], "bad", F32, raises=True)
    yield Case(
        "RGBToHSV",
        _image("rgb_to_hsv"),
        [
            val(
                [
                    [[0.5, 0.5, 0.5], [0.0, 0.0, 0.0], [1.0, 1.0, 0.3], [0.2, 0.7, 0.7]],
                    [[0.9, 0.4, 0.1], [0.1, 0.4, 0.9], [0.4, 0.9, 0.1], [0.4, 0.1, 0.9]],
                ]
            )
        ],
        "kinks",
        F32,
        smooth=False,
    )
    yield Case(
        "GrayscaleToRGB", _image("grayscale_to_rgb"), [arr(2, 2, 2)], "bad", F32, raises=True
    )
    yield Case("YUV", _image("yiq_to_rgb"), [PHOTO], "yiq_to_rgb", F32)
    yield Case("TotalVariation", _image("total_variation"), [ONE], "one", F32)
    yield Case(
        "PerImageStandardization",
        _image("per_image_standardization"),
        [ints(3, 4, 3, low=0, high=255, dtype="uint8")],
        "uint8",
    )
    yield Case(
        "SSIM",
        lambda tf, x, y: tf.image.ssim_multiscale(
            x, 0.5 * x + 0.5 * y, 1.0, (0.5, 0.5), filter_size=3
        ),
        [arr(1, 7, 8, 2, low=0, high=1), arr(1, 7, 8, 2, low=0, high=1)],
        "multiscale",
        F32,
        no_jax="TensorFlow's gradient of tf.cond is not exported where it takes a dead branch",
    )
    for saturate in (False, True):
        for dtype in ("uint8", "int32", "float16"):
            yield Case(
                "ConvertImageDtype",
                lambda tf, x, d=dtype, s=saturate: tf.image.convert_image_dtype(x, d, s),
                [arr(2, 2, 3, low=0.1, high=0.9)],
                f"{dtype}_{saturate}",
                F32,
                grad=(),
            )
    yield Case(
        "ConvertImageDtype",
        lambda tf, x: tf.image.convert_image_dtype(x, tf.uint8, True),
        [ints(2, 2, 3, low=0, high=30000, dtype="int16")],
        "from_int16",
    )


CASES = [
    *_crops(),
    *_drawn(),
    *_random_boxes(),
    *_suppressions(),
    *_random(),
    *_sizes(),
]
