"""Resizing, cropping and padding images (a part of TF's image_ops_impl)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.image.image_checks import (
    as_batch,
    check_image,
    checked_image,
    dimensions,
    is_tensor,
    require,
    unbatched,
)
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_MODULE = "tensorflow.python.ops.image_ops_impl"


def _maximum(x: Any, y: Any) -> Any:
    return math_ops.maximum(x, y) if is_tensor(x) or is_tensor(y) else max(x, y)


def _minimum(x: Any, y: Any) -> Any:
    return math_ops.minimum(x, y) if is_tensor(x) or is_tensor(y) else min(x, y)


def _equal(x: TensorLike, y: TensorLike) -> Any:
    return math_ops.equal(x, y) if is_tensor(x) or is_tensor(y) else x == y


def _static(sizes: list[Any]) -> list[Any]:
    return [None if is_tensor(size) else size for size in sizes]


# Cropping and padding.


@tf_export("image.central_crop")
def central_crop(image: TensorLike, central_fraction: float) -> Tensor:
    """The middle of images.

    Args:
      image: [rows, columns, channels], or a batch of such.
      central_fraction: how much of the rows and of the columns to keep, in (0, 1].

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the fraction or the rank of the image is out of range.
    """
    with ops.name_scope(None, "central_crop", [image]):
        image = ops.convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        checked_image(image)
        rank = image.get_shape().ndims
        if rank not in (3, 4):
            raise ValueError(
                f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}."
            )
        starts, sizes, static = [], [], []
        found = image.get_shape().as_list()
        lengths: list[Any] = [
            found[axis] if found[axis] is not None else array_ops.shape(image)[axis]
            for axis in (rank - 3, rank - 2)
        ]
        for length in lengths:
            if is_tensor(length):
                whole = math_ops.cast(length, dtypes.float64)
                start = math_ops.cast((whole - whole * central_fraction) / 2, dtypes.int32)
            else:
                start = int((float(length) - float(length) * central_fraction) / 2)
            starts.append(start)
        for length, start in zip(lengths, starts):
            sizes.append(length - start * 2)
            static.append(None if is_tensor(length) else sizes[-1])
        batch = [] if rank == 3 else [0]
        begin = array_ops.stack([*batch, *starts, 0])
        size = array_ops.stack([*(-1 for _ in batch), *sizes, -1])
        result = array_ops.slice(image, begin, size)
        result.set_shape([*found[: rank - 3], *static, found[-1]])
        return result


@tf_export("image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Puts images into larger ones of zeros.

    Args:
      image: [rows, columns, channels], or a batch of such.
      offset_height, offset_width: rows above and columns to the left of it.
      target_height, target_width: the size of the result.

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the image does not fit, or has another rank.
    """
    with ops.name_scope(None, "pad_to_bounding_box", [image]):
        image, was_batch = as_batch(image)
        checks = check_image(image)
        batch, height, width, depth = dimensions(image, 4)
        right = target_width - offset_width - width
        below = target_height - offset_height - height
        checks += require(offset_height >= 0, "offset_height must be >= 0")
        checks += require(offset_width >= 0, "offset_width must be >= 0")
        checks += require(right >= 0, "width must be <= target - offset")
        checks += require(below >= 0, "height must be <= target - offset")
        image = control_flow_ops.with_dependencies(checks, image)
        flat = array_ops.stack([0, 0, offset_height, below, offset_width, right, 0, 0])
        padded = array_ops.pad(image, array_ops.reshape(flat, [4, 2]))
        padded.set_shape(_static([batch, target_height, target_width, depth]))
        return unbatched(padded, was_batch)


@tf_export("image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Cuts a box out of images.

    Args:
      image: [rows, columns, channels], or a batch of such.
      offset_height, offset_width: the first row and column of the box.
      target_height, target_width: the size of the box.

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the box is not within the image, or the image has another rank.
    """
    with ops.name_scope(None, "crop_to_bounding_box", [image]):
        image, was_batch = as_batch(image)
        checks = check_image(image)
        batch, height, width, depth = dimensions(image, 4)
        checks += require(offset_width >= 0, "offset_width must be >= 0.")
        checks += require(offset_height >= 0, "offset_height must be >= 0.")
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        checks += require(
            width >= (target_width + offset_width), "width must be >= target + offset."
        )
        checks += require(
            height >= (target_height + offset_height), "height must be >= target + offset."
        )
        image = control_flow_ops.with_dependencies(checks, image)
        begin = array_ops.stack([0, offset_height, offset_width, 0])
        size = array_ops.stack([-1, target_height, target_width, -1])
        cropped = array_ops.slice(image, begin, size)
        cropped.set_shape(_static([batch, target_height, target_width, depth]))
        return unbatched(cropped, was_batch)


@tf_export("image.resize_with_crop_or_pad", "image.resize_image_with_crop_or_pad")
def resize_image_with_crop_or_pad(
    image: TensorLike, target_height: Any, target_width: Any
) -> Tensor:
    """Brings images to a size by cropping them, or padding them with zeros, on all sides alike.

    Args:
      image: [rows, columns, channels], or a batch of such.
      target_height, target_width: the size.

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the size is not positive, or the image has another rank.
    """
    with ops.name_scope(None, "resize_image_with_crop_or_pad", [image]):
        image, was_batch = as_batch(image)
        checks = check_image(image)
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        image = control_flow_ops.with_dependencies(checks, image)
        if is_tensor(target_height):
            target_height = control_flow_ops.with_dependencies(checks, target_height)
        if is_tensor(target_width):
            target_width = control_flow_ops.with_dependencies(checks, target_width)
        _, height, width, _ = dimensions(image, 4)
        more_columns = target_width - width
        crop_left = _maximum(-more_columns // 2, 0)
        pad_left = _maximum(more_columns // 2, 0)
        more_rows = target_height - height
        crop_top = _maximum(-more_rows // 2, 0)
        pad_top = _maximum(more_rows // 2, 0)
        cropped = crop_to_bounding_box(
            image,
            crop_top,
            crop_left,
            _minimum(target_height, height),
            _minimum(target_width, width),
        )
        resized = pad_to_bounding_box(cropped, pad_top, pad_left, target_height, target_width)
        if resized.get_shape().ndims is None:
            raise ValueError("resized contains no shape.")
        _, height, width, _ = dimensions(resized, 4)
        checks = require(_equal(height, target_height), "resized height is not correct.")
        checks += require(_equal(width, target_width), "resized width is not correct.")
        resized = control_flow_ops.with_dependencies(checks, resized)
        return unbatched(resized, was_batch)


# Resizing.


@tf_export("image.ResizeMethod")
class ResizeMethodV1:
    """The methods of `resize_images`."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


@tf_export("compat.v2.image.ResizeMethod")
class ResizeMethod:
    """The methods of `resize_images_v2`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_BY_SCALE = (
    ResizeMethod.LANCZOS3,
    ResizeMethod.LANCZOS5,
    ResizeMethod.GAUSSIAN,
    ResizeMethod.MITCHELLCUBIC,
)


def _preserved(images: Tensor, height: Any, width: Any) -> list[Tensor]:
    """The largest size within `height` and `width` that keeps the aspect ratio of images."""
    _, rows, columns, _ = dimensions(images, 4)
    by_height = math_ops.cast(height, dtypes.float32) / math_ops.cast(rows, dtypes.float32)
    by_width = math_ops.cast(width, dtypes.float32) / math_ops.cast(columns, dtypes.float32)
    scale = math_ops.minimum(by_height, by_width)
    return [
        math_ops.cast(math_ops.round(scale * math_ops.cast(size, dtypes.float32)), dtypes.int32)
        for size in (rows, columns)
    ]


def _resize_images(
    images: Any,
    resize: Callable[[Any, Any], Tensor],
    size: Any,
    preserve_aspect_ratio: bool,
    name: Any,
    skip_if_same: bool,
) -> Tensor:
    """Resizes an image or a batch by `resize(batch, size)`."""
    with ops.name_scope(name, "resize", [images, size]):
        images = ops.convert_to_tensor(images, name="images")
        rank = images.get_shape().ndims
        if rank is None:
            raise ValueError("'images' contains no shape.")
        if rank == 3:
            images = array_ops.expand_dims(images, 0)
        elif rank != 4:
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        _, height, width, _ = images.get_shape().as_list()
        try:
            size = ops.convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        if not size.get_shape().is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        new_height, new_width = _known_size(size)
        if preserve_aspect_ratio:
            kept = _preserved(images, new_height, new_width)
            size = ops.convert_to_tensor(kept, dtypes.int32, name="size")
            new_height, new_width = _known_size(size)
        known = None not in (new_width, width, new_height, height)
        if not (skip_if_same and known and width == new_width and height == new_height):
            images = resize(images, size)
            images.set_shape([None, new_height, new_width, None])
        return unbatched(images, rank == 4)


def _known_size(size: TensorLike) -> tuple[Any, Any]:
    # Of a size of unknown length TF says that None has no items.
    dims: Any = tensor_util.constant_value_as_shape(size).dims
    return dims[0].value, dims[1].value


@tf_export("image.resize_images", "image.resize")
def resize_images(
    images: TensorLike,
    size: TensorLike,
    method: Any = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: Name = None,
) -> Tensor:
    """Resizes images, as in TF 1.15: pixels are their upper left corners.

    Args:
      images: [rows, columns, channels], or a batch of such.
      size: int32 [2], the new rows and columns.
      method: one of `ResizeMethod`.
      align_corners: whether the centres of the corner pixels stay where they are.
      preserve_aspect_ratio: whether `size` is a limit, within which the aspect ratio is kept.
      name: the scope's name.

    Returns:
      A tensor of the rank of `images`, float32 unless the method is NEAREST_NEIGHBOR or nothing is
      to do.

    Raises:
      ValueError: a shape does not fit, or the method is unknown.
    """

    def resize(images: TensorLike, size: TensorLike) -> Tensor:
        if method in (ResizeMethodV1.BILINEAR, ResizeMethod.BILINEAR):
            record = raw_ops.ResizeBilinear
        elif method in (ResizeMethodV1.NEAREST_NEIGHBOR, ResizeMethod.NEAREST_NEIGHBOR):
            record = raw_ops.ResizeNearestNeighbor
        elif method in (ResizeMethodV1.BICUBIC, ResizeMethod.BICUBIC):
            record = raw_ops.ResizeBicubic
        elif method in (ResizeMethodV1.AREA, ResizeMethod.AREA):
            record = raw_ops.ResizeArea
        else:
            raise ValueError("Resize method is not implemented.")
        return record(images, size, align_corners=align_corners)

    return _resize_images(images, resize, size, preserve_aspect_ratio, name, True)


@tf_export("compat.v2.image.resize")
def resize_images_v2(
    images: TensorLike,
    size: TensorLike,
    method: Any = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: Name = None,
) -> Tensor:
    """Resizes images, as `tf.compat.v2.image.resize` in TF 1.15: pixels are their centres.

    Args:
      images: [rows, columns, channels], or a batch of such.
      size: int32 [2], the new rows and columns.
      method: one of `ResizeMethod`.
      preserve_aspect_ratio: whether `size` is a limit, within which the aspect ratio is kept.
      antialias: whether images that become smaller are smoothed first.
      name: the scope's name.

    Returns:
      A tensor of the rank of `images`, float32 unless the method is NEAREST_NEIGHBOR.

    Raises:
      ValueError: a shape does not fit, or the method is unknown.
    """

    def by_scale(images: TensorLike, size: TensorLike, kernel: str) -> Tensor:
        new = math_ops.cast(size, dtype=dtypes.float32)
        scale = new / math_ops.cast(array_ops.shape(images)[1:3], dtype=dtypes.float32)
        return raw_ops.ScaleAndTranslate(
            images, size, scale, array_ops.zeros([2]), kernel_type=kernel, antialias=antialias
        )

    def resize(images: TensorLike, size: TensorLike) -> Tensor:
        if method == ResizeMethod.BILINEAR:
            if antialias:
                return by_scale(images, size, "triangle")
            return raw_ops.ResizeBilinear(images, size, half_pixel_centers=True)
        if method == ResizeMethod.NEAREST_NEIGHBOR:
            return raw_ops.ResizeNearestNeighbor(images, size, half_pixel_centers=True)
        if method == ResizeMethod.BICUBIC:
            if antialias:
                return by_scale(images, size, "keyscubic")
            return raw_ops.ResizeBicubic(images, size, half_pixel_centers=True)
        if method == ResizeMethod.AREA:
            return raw_ops.ResizeArea(images, size)
        if method in _BY_SCALE:
            return by_scale(images, size, method)
        raise ValueError("Resize method is not implemented.")

    return _resize_images(images, resize, size, preserve_aspect_ratio, name, False)


def _resize_with_pad(
    image: TensorLike, target_height: Any, target_width: Any, resize: Callable[[Any, Any], Tensor]
) -> Tensor:
    with ops.name_scope(None, "resize_image_with_pad", [image]):
        image, was_batch = as_batch(image)
        checks = check_image(image)
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        image = control_flow_ops.with_dependencies(checks, image)
        _, height, width, _ = dimensions(image, 4)
        height, width, whole_height, whole_width = (
            math_ops.cast(size, dtype=dtypes.float64)
            for size in (height, width, target_height, target_width)
        )
        ratio = _maximum(width / whole_width, height / whole_height)
        new_height, new_width = height / ratio, width / ratio
        rows = math_ops.cast(math_ops.floor(new_height), dtype=dtypes.int32)
        columns = math_ops.cast(math_ops.floor(new_width), dtype=dtypes.int32)
        above, left = (whole_height - new_height) / 2, (whole_width - new_width) / 2
        above, left = math_ops.floor(above), math_ops.floor(left)
        top = _maximum(0, math_ops.cast(above, dtype=dtypes.int32))
        before = _maximum(0, math_ops.cast(left, dtype=dtypes.int32))
        resized = resize(image, [rows, columns])
        padded = pad_to_bounding_box(resized, top, before, target_height, target_width)
        if padded.get_shape().ndims is None:
            raise ValueError("padded contains no shape.")
        dimensions(padded, 4)
        return unbatched(padded, was_batch)


@tf_export("image.resize_image_with_pad")
def resize_image_with_pad_v1(
    image: TensorLike,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """Resizes images as far as a size allows, keeping their aspect ratio, and pads the rest.

    Args:
      image: [rows, columns, channels], or a batch of such.
      target_height, target_width: the size.
      method, align_corners: as in `resize_images`.

    Returns:
      A tensor of the rank of `image`.

    Raises:
      ValueError: the size is not positive, or the image has another rank.
    """

    def resize(images: TensorLike, size: TensorLike) -> Tensor:
        return resize_images(images, size, method, align_corners=align_corners)

    return _resize_with_pad(image, target_height, target_width, resize)


@tf_export("compat.v2.image.resize_with_pad")
def resize_image_with_pad_v2(
    image: TensorLike,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """As `resize_image_with_pad_v1`, by `resize_images_v2`.

    Args:
      image, target_height, target_width, method: as in `resize_image_with_pad_v1`.
      antialias: whether to filter what becomes smaller.

    Returns:
      As `resize_image_with_pad_v1`.
    """

    def resize(images: TensorLike, size: TensorLike) -> Tensor:
        return resize_images_v2(images, size, method, antialias=antialias)

    return _resize_with_pad(image, target_height, target_width, resize)


# The ops themselves.


def _instead(method: str, module: str = _MODULE) -> Any:
    text = f"Use `tf.image.resize(...method=ResizeMethod.{method}...)` instead."
    return deprecated(None, text, module=module)


resize_area_deprecation = _instead("AREA", "tensorflow.python.ops.gen_image_ops")
resize_bicubic_deprecation = _instead("BICUBIC")
resize_bilinear_deprecation = _instead("BILINEAR")
resize_nearest_neighbor_deprecation = _instead("NEAREST_NEIGHBOR")


@tf_export("image.resize_area")
def resize_area(
    images: TensorLike, size: TensorLike, align_corners: bool = False, name: Name = None
) -> Tensor:
    """Resizes images; a pixel is the mean of the area that it stands for.

    Args:
      images: [batch, rows, columns, channels].
      size: int32 [2], the new rows and columns.
      align_corners: whether the centres of the corner pixels stay where they are.
      name: the operation's name.

    Returns:
      A float32 tensor.
    """
    return raw_ops.ResizeArea(images, size, align_corners=align_corners, name=name)


@tf_export("image.resize_bicubic")
def resize_bicubic(
    images: TensorLike,
    size: TensorLike,
    align_corners: bool = False,
    name: Name = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Resizes images by cubic interpolation.

    Args:
      images: [batch, rows, columns, channels].
      size: int32 [2], the new rows and columns.
      align_corners: whether the centres of the corner pixels stay where they are.
      name: the operation's name.
      half_pixel_centers: whether pixels are their centres.

    Returns:
      A float32 tensor.
    """
    return raw_ops.ResizeBicubic(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


@tf_export("image.resize_bilinear")
def resize_bilinear(
    images: TensorLike,
    size: TensorLike,
    align_corners: bool = False,
    name: Name = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Resizes images by linear interpolation; arguments and result as in `resize_bicubic`.

    Args:
      images, size, align_corners, name, half_pixel_centers: as in `resize_bicubic`.

    Returns:
      float32 [batch, height, width, channels].
    """
    return raw_ops.ResizeBilinear(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


@tf_export("image.resize_nearest_neighbor")
def resize_nearest_neighbor(
    images: TensorLike,
    size: TensorLike,
    align_corners: bool = False,
    name: Name = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Resizes images by taking the nearest pixel; arguments as in `resize_bicubic`.

    Args:
      images, size, align_corners, name, half_pixel_centers: as in `resize_bicubic`.

    Returns:
      A tensor of the dtype of `images`.
    """
    return raw_ops.ResizeNearestNeighbor(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )
