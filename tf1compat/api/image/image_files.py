"""Images in files: JPEG, PNG, GIF and BMP (a part of TF's image_ops_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.image.image_color import convert_image_dtype
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("io.is_jpeg", "image.is_jpeg")
def is_jpeg(contents: TensorLike, name: Name = None) -> Tensor:
    """Whether a file is JPEG.

    Args:
      contents: a string scalar.
      name: the scope's name.

    Returns:
      A bool scalar.
    """
    with ops.name_scope(name, "is_jpeg"):
        start = raw_ops.Substr(contents, 0, 3)
        return math_ops.equal(start, b"\xff\xd8\xff", name=name)


def _is_png(contents: TensorLike, name: Name = None) -> Tensor:
    with ops.name_scope(name, "is_png"):
        start = raw_ops.Substr(contents, 0, 3)
        return math_ops.equal(start, b"\211PN", name=name)


@tf_export("io.decode_jpeg", "image.decode_jpeg")
def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: Name = None,
) -> Tensor:
    """The image of a JPEG file.

    Args:
      contents: a string scalar.
      channels: 1 or 3; 0 takes those of the file.
      ratio: 1, 2, 4 or 8: how much smaller the image is read.
      fancy_upscaling: whether the colours are interpolated.
      try_recover_truncated: whether a file that ends too early is read as far as it goes.
      acceptable_fraction: how much of it must be there then.
      dct_method: "", "INTEGER_FAST" or "INTEGER_ACCURATE".
      name: the operation's name.

    Returns:
      uint8 [rows, columns, channels].
    """
    return raw_ops.DecodeJpeg(
        contents,
        channels,
        ratio,
        fancy_upscaling,
        try_recover_truncated,
        acceptable_fraction,
        dct_method,
        name=name,
    )


@tf_export("io.decode_and_crop_jpeg", "image.decode_and_crop_jpeg")
def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: Name = None,
) -> Tensor:
    """A part of the image of a JPEG file.

    Args:
      contents: a string scalar.
      crop_window: int32 [4]: first row, first column, rows, columns.
      channels, ratio, fancy_upscaling, try_recover_truncated: as in `decode_jpeg`.
      acceptable_fraction, dct_method, name: as in `decode_jpeg`.

    Returns:
      uint8 [rows, columns, channels].
    """
    return raw_ops.DecodeAndCropJpeg(
        contents,
        crop_window,
        channels,
        ratio,
        fancy_upscaling,
        try_recover_truncated,
        acceptable_fraction,
        dct_method,
        name=name,
    )


@tf_export("io.extract_jpeg_shape", "image.extract_jpeg_shape")
def extract_jpeg_shape(
    contents: TensorLike, output_type: DTypeLike = dtypes.int32, name: Name = None
) -> Tensor:
    """The size of the image of a JPEG file.

    Args:
      contents: a string scalar.
      output_type: int32 or int64.
      name: the operation's name.

    Returns:
      [3]: rows, columns, channels.
    """
    return raw_ops.ExtractJpegShape(contents, output_type, name=name)


@tf_export("io.encode_jpeg", "image.encode_jpeg")
def encode_jpeg(
    image: TensorLike,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: Name = None,
) -> Tensor:
    """A JPEG file of an image.

    Args:
      image: uint8 [rows, columns, channels].
      format: "grayscale", "rgb", or "" for what the channels say.
      quality: 0 to 100.
      progressive: whether the file shows a rough image first.
      optimize_size: whether time is spent on a smaller file.
      chroma_downsampling: whether colours have half the resolution.
      density_unit: "in" or "cm".
      x_density, y_density: pixels in a unit.
      xmp_metadata: text to embed.
      name: the operation's name.

    Returns:
      A string scalar.
    """
    return raw_ops.EncodeJpeg(
        image,
        format,
        quality,
        progressive,
        optimize_size,
        chroma_downsampling,
        density_unit,
        x_density,
        y_density,
        xmp_metadata,
        name=name,
    )


@tf_export("io.decode_png", "image.decode_png")
def decode_png(
    contents: TensorLike, channels: int = 0, dtype: DTypeLike = dtypes.uint8, name: Name = None
) -> Tensor:
    """The image of a PNG file.

    Args:
      contents: a string scalar.
      channels: 1 to 4; 0 takes those of the file.
      dtype: uint8 or uint16.
      name: the operation's name.

    Returns:
      [rows, columns, channels] of `dtype`.
    """
    return raw_ops.DecodePng(contents, channels, dtype, name=name)


@tf_export("image.encode_png")
def encode_png(image: TensorLike, compression: int = -1, name: Name = None) -> Tensor:
    """A PNG file of an image.

    Args:
      image: uint8 or uint16 [rows, columns, channels].
      compression: 0 to 9, or -1 for the usual level.
      name: the operation's name.

    Returns:
      A string scalar.
    """
    return raw_ops.EncodePng(image, compression, name=name)


@tf_export("io.decode_gif", "image.decode_gif")
def decode_gif(contents: TensorLike, name: Name = None) -> Tensor:
    """The frames of a GIF file.

    Args:
      contents: a string scalar.
      name: the operation's name.

    Returns:
      uint8 [frames, rows, columns, 3].
    """
    return raw_ops.DecodeGif(contents, name=name)


@tf_export("io.decode_bmp", "image.decode_bmp")
def decode_bmp(contents: TensorLike, channels: int = 0, name: Name = None) -> Tensor:
    """The image of a BMP file.

    Args:
      contents: a string scalar.
      channels: 3 or 4; 0 takes those of the file.
      name: the operation's name.

    Returns:
      uint8 [rows, columns, channels].
    """
    return raw_ops.DecodeBmp(contents, channels, name=name)


@tf_export("io.decode_image", "image.decode_image")
def decode_image(
    contents: TensorLike,
    channels: Any = None,
    dtype: DTypeLike = dtypes.uint8,
    name: Name = None,
    expand_animations: bool = True,
) -> Tensor:
    """The image of a JPEG, PNG, GIF or BMP file.

    Args:
      contents: a string scalar.
      channels: 1, 3 or 4; 0 or None takes those of the file.
      dtype: of the result.
      name: the scope's name.
      expand_animations: whether all frames of a GIF are read, not the first one alone.

    Returns:
      A tensor of `dtype`, [rows, columns, channels], or [frames, rows, columns, 3] of a GIF.

    Raises:
      ValueError: there can't be so many channels.
    """
    with ops.name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        start = raw_ops.Substr(contents, 0, 3)
        wanted = 0 if channels is None else channels

        def allowed(holds: Any, counts: str, kind: str) -> Any:
            text = f"Channels must be in (None, 0, {counts}) when decoding {kind} images"
            return control_flow_ops.Assert(holds, [text])

        def bmp() -> Tensor:
            signature = raw_ops.Substr(contents, 0, 2)
            is_bmp = math_ops.equal(signature, "BM", name="is_bmp")
            text = "Unable to decode bytes as JPEG, PNG, GIF, or BMP"
            readable = control_flow_ops.Assert(is_bmp, [text])
            good = math_ops.not_equal(wanted, 1, name="check_channels")
            with ops.control_dependencies([readable, allowed(good, "3", "BMP")]):
                return convert_image_dtype(raw_ops.DecodeBmp(contents), dtype)

        def gif() -> Tensor:
            good = math_ops.logical_and(
                math_ops.not_equal(wanted, 1, name="check_gif_channels"),
                math_ops.not_equal(wanted, 4, name="check_gif_channels"),
            )
            with ops.control_dependencies([allowed(good, "3", "GIF")]):
                result = convert_image_dtype(raw_ops.DecodeGif(contents), dtype)
                return result if expand_animations else array_ops.gather(result, 0)

        def gif_or_bmp() -> Tensor:
            is_gif = math_ops.equal(start, b"\x47\x49\x46", name="is_gif")
            return control_flow_ops.cond(is_gif, gif, bmp, name="cond_gif")

        def png() -> Tensor:
            depth = dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16
            return convert_image_dtype(raw_ops.DecodePng(contents, channels, dtype=depth), dtype)

        def png_or_other() -> Tensor:
            return control_flow_ops.cond(_is_png(contents), png, gif_or_bmp, name="cond_png")

        def jpeg() -> Tensor:
            good = math_ops.not_equal(wanted, 4, name="check_jpeg_channels")
            with ops.control_dependencies([allowed(good, "1, 3", "JPEG")]):
                return convert_image_dtype(raw_ops.DecodeJpeg(contents, channels), dtype)

        return control_flow_ops.cond(is_jpeg(contents), jpeg, png_or_other, name="cond_jpeg")
