"""Boxes in images: finding, drawing, cropping them (a part of TF's image_ops_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.random import random_seed
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_MODULE = "tensorflow.python.ops.image_ops_impl"


# Cropping.


@tf_export("compat.v2.image.crop_and_resize")
def crop_and_resize_v2(
    image: TensorLike,
    boxes: TensorLike,
    box_indices: Any,
    crop_size: TensorLike,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: Name = None,
) -> Tensor:
    """As `crop_and_resize_v1`.

    Args:
      image, boxes, crop_size, method, extrapolation_value, name: as in `crop_and_resize_v1`.
      box_indices: as `box_ind` in `crop_and_resize_v1`.

    Returns:
      As `crop_and_resize_v1`.
    """
    return raw_ops.CropAndResize(
        image, boxes, box_indices, crop_size, method, extrapolation_value, name
    )


@tf_export("image.crop_and_resize")
@deprecated_args(None, "box_ind is deprecated, use box_indices instead", "box_ind", module=_MODULE)
def crop_and_resize_v1(
    image: TensorLike,
    boxes: TensorLike,
    box_ind: TensorLike | None = None,
    crop_size: TensorLike | None = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: Name = None,
    box_indices: Any = None,
) -> Tensor:
    """Cuts boxes out of images and resizes them, with the corners of pixels aligned.

    Args:
      image: [batch, rows, columns, channels].
      boxes: float32 [boxes, 4]: first row, first column, last row, last column, where 0 and 1 are
        the first and last of the image.
      box_ind: the old name of `box_indices`.
      crop_size: int32 [2].
      method: "bilinear" or "nearest".
      extrapolation_value: what is outside the image.
      name: the operation's name.
      box_indices: int32 [boxes]: the image of each box.

    Returns:
      A float32 tensor [boxes, rows, columns, channels].
    """
    box_ind = renamed("box_indices", box_indices, "box_ind", box_ind)
    return raw_ops.CropAndResize(
        image, boxes, box_ind, crop_size, method, extrapolation_value, name
    )


@tf_export("image.extract_glimpse")
def extract_glimpse(
    input: TensorLike,
    size: TensorLike,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: Name = None,
) -> Tensor:
    """Cuts one window out of each image; what is outside the image is noise.

    Args:
      input: float32 [batch, rows, columns, channels].
      size: int32 [2], of the windows.
      offsets: float32 [batch, 2]: where the windows' centres are.
      centered: whether (0, 0) is the image's centre, not its upper left corner.
      normalized: whether offsets are parts of the image's size.
      uniform_noise: whether the noise is uniform, not normal.
      name: the operation's name.

    Returns:
      float32 [batch, rows, columns, channels].
    """
    return raw_ops.ExtractGlimpse(
        input=input,
        size=size,
        offsets=offsets,
        centered=centered,
        normalized=normalized,
        uniform_noise=uniform_noise,
        name=name,
    )


@tf_export("compat.v2.image.extract_glimpse")
def extract_glimpse_v2(
    input: TensorLike,
    size: TensorLike,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: Name = None,
) -> Tensor:
    """As `extract_glimpse`; `noise` is "uniform", "gaussian" or "zero".

    Args:
      input, size, offsets, centered, normalized, name: as in `extract_glimpse`.
      noise: what stands where the image ends: "uniform", "gaussian" or "zero".

    Returns:
      As `extract_glimpse`.
    """
    return raw_ops.ExtractGlimpse(
        input=input,
        size=size,
        offsets=offsets,
        centered=centered,
        normalized=normalized,
        noise=noise,
        uniform_noise=False,
        name=name,
    )


@tf_export("compat.v2.image.sample_distorted_bounding_box")
def sample_distorted_bounding_box_v2(
    image_size: Any,
    bounding_boxes: Any,
    seed: int = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: Name = None,
) -> Any:
    """As `sample_distorted_bounding_box`.

    Args:
      image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes, name: as in `sample_distorted_bounding_box`.
      seed: a number other than 0 makes it deterministic.

    Returns:
      As `sample_distorted_bounding_box`.
    """
    seed1, seed2 = random_seed.get_seed(seed) if seed else (0, 0)
    return sample_distorted_bounding_box(
        image_size,
        bounding_boxes,
        seed1,
        seed2,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
        name,
    )


@tf_export("image.sample_distorted_bounding_box")
@deprecated(
    None, "`seed2` arg is deprecated.Use sample_distorted_bounding_box_v2 instead.", module=_MODULE
)
def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: Any = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: Name = None,
) -> Any:
    """Draws a box within an image that covers enough of one of some boxes.

    Args:
      image_size: integers [3]: rows, columns, channels.
      bounding_boxes: float32 [batch, boxes, 4], as in `crop_and_resize`.
      seed, seed2: of the op's generator.
      min_object_covered: how much of a box has to be covered.
      aspect_ratio_range: of width to height; (0.75, 1.33) by default.
      area_range: as a part of the image; (0.05, 1) by default.
      max_attempts: after so many the whole image is taken; 100 by default.
      use_image_if_no_bounding_boxes: whether the whole image stands in where there are none.
      name: the scope's name.

    Returns:
      (begin, size, bboxes): for `tf.slice`, and the box for `draw_bounding_boxes`.
    """
    with ops.name_scope(name, "sample_distorted_bounding_box"):
        return raw_ops.SampleDistortedBoundingBoxV2(
            image_size,
            bounding_boxes,
            min_object_covered,
            seed=seed,
            seed2=seed2,
            aspect_ratio_range=aspect_ratio_range,
            area_range=area_range,
            max_attempts=max_attempts,
            use_image_if_no_bounding_boxes=use_image_if_no_bounding_boxes,
            name=name,
        )


# Drawing.


@tf_export("compat.v2.image.draw_bounding_boxes")
def draw_bounding_boxes_v2(
    images: TensorLike, boxes: TensorLike, colors: Any, name: Name = None
) -> Tensor:
    """As `draw_bounding_boxes`.

    Args:
      images, boxes, name: as in `draw_bounding_boxes`.
      colors: float32 [n, channels], taken in turn by the boxes.

    Returns:
      As `draw_bounding_boxes`.
    """
    if colors is None:
        return raw_ops.DrawBoundingBoxes(images, boxes, name)
    return raw_ops.DrawBoundingBoxesV2(images, boxes, colors, name)


@tf_export("image.draw_bounding_boxes")
def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, name: Name = None, colors: Any = None
) -> Tensor:
    """Draws boxes on images.

    Args:
      images: float16 or float32 [batch, rows, columns, channels].
      boxes: float32 [batch, boxes, 4], as in `crop_and_resize`.
      name: the operation's name.
      colors: float32 [colours, channels], used in turn; TF's own ten if None.

    Returns:
      A tensor like `images`.
    """
    return draw_bounding_boxes_v2(images, boxes, colors, name)


# Non-maximum suppression.


def _thresholds(**values: Any) -> list[Tensor]:
    return [ops.convert_to_tensor(value, name=name) for name, value in values.items()]


@tf_export("image.non_max_suppression")
def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    name: Name = None,
) -> Tensor:
    """Chooses boxes by their scores, without those that overlap a better one too much.

    Args:
      boxes: [boxes, 4]: two opposite corners each, in any scale.
      scores: [boxes].
      max_output_size: an int32 scalar.
      iou_threshold: the largest overlap, as intersection over union.
      score_threshold: boxes below are not chosen.
      name: the scope's name.

    Returns:
      int32 [chosen]: the indices of the boxes, best first.
    """
    with ops.name_scope(name, "non_max_suppression"):
        limits = _thresholds(iou_threshold=iou_threshold, score_threshold=score_threshold)
        return raw_ops.NonMaxSuppressionV3(boxes, scores, max_output_size, *limits)


@tf_export("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    soft_nms_sigma: Any = 0.0,
    name: Name = None,
) -> tuple[Tensor, Tensor]:
    """As `non_max_suppression`; overlaps may lower scores in place of leaving boxes out (soft-NMS,
    Bodla and others, 2017).

    Args:
      boxes, scores, max_output_size, iou_threshold, score_threshold, name: as there.
      soft_nms_sigma: of the Gaussian by which scores fall; 0 leaves boxes out.

    Returns:
      (indices, scores) of the chosen boxes.
    """
    with ops.name_scope(name, "non_max_suppression_with_scores"):
        limits = _thresholds(
            iou_threshold=iou_threshold,
            score_threshold=score_threshold,
            soft_nms_sigma=soft_nms_sigma,
        )
        chosen, found, _ = raw_ops.NonMaxSuppressionV5(
            boxes, scores, max_output_size, *limits, pad_to_max_output_size=False
        )
        return chosen, found


@tf_export("image.non_max_suppression_padded")
def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: Name = None,
) -> tuple[Tensor, Tensor]:
    """As `non_max_suppression`.

    Args:
      boxes, scores, max_output_size, iou_threshold, score_threshold, name: as there.
      pad_to_max_output_size: whether zeros make the result as long as it may be.

    Returns:
      (indices, how many of them count).
    """
    with ops.name_scope(name, "non_max_suppression_padded"):
        limits = _thresholds(iou_threshold=iou_threshold, score_threshold=score_threshold)
        return raw_ops.NonMaxSuppressionV4(
            boxes, scores, max_output_size, *limits, pad_to_max_output_size
        )


@tf_export("image.non_max_suppression_overlaps")
def non_max_suppression_with_overlaps(
    overlaps: Any,
    scores: TensorLike,
    max_output_size: TensorLike,
    overlap_threshold: Any = 0.5,
    score_threshold: TensorLike = float("-inf"),
    name: Name = None,
) -> Tensor:
    """As `non_max_suppression`, by a matrix that says how much boxes overlap.

    Args:
      overlaps: float32 [boxes, boxes].
      scores, max_output_size, score_threshold, name: as there.
      overlap_threshold: the largest overlap.

    Returns:
      int32 [chosen]: the indices of the boxes, best first.
    """
    with ops.name_scope(name, "non_max_suppression_overlaps"):
        (threshold,) = _thresholds(overlap_threshold=overlap_threshold)
        return raw_ops.NonMaxSuppressionWithOverlaps(
            overlaps, scores, max_output_size, threshold, score_threshold
        )


@tf_export("image.combined_non_max_suppression")
def combined_non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: Name = None,
) -> Any:
    """Non-maximum suppression for each class of each image of a batch.

    Args:
      boxes: float32 [batch, boxes, classes or 1, 4].
      scores: float32 [batch, boxes, classes].
      max_output_size_per_class: an int32 scalar.
      max_total_size: an int32 scalar, for all classes.
      iou_threshold, score_threshold: as in `non_max_suppression`.
      pad_per_class: whether results have `max_output_size_per_class * classes` boxes if that is
        less than `max_total_size`.
      clip_boxes: whether boxes are clipped to [0, 1].
      name: the scope's name.

    Returns:
      (boxes, scores, classes, how many of them count), best first, for each image.
    """
    with ops.name_scope(name, "combined_non_max_suppression"):
        iou_threshold = ops.convert_to_tensor(
            iou_threshold, dtype=dtypes.float32, name="iou_threshold"
        )
        score_threshold = ops.convert_to_tensor(
            score_threshold, dtype=dtypes.float32, name="score_threshold"
        )
        return raw_ops.CombinedNonMaxSuppression(
            boxes,
            scores,
            max_output_size_per_class,
            max_total_size,
            iou_threshold,
            score_threshold,
            pad_per_class,
            clip_boxes,
        )
