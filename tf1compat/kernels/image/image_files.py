"""Images in files: JPEG, PNG, GIF and BMP, on the host.

Pillow decodes and writes what it can (an optional extra, imported when it is first needed), and
simplejpeg decodes JPEG files as TensorFlow does, to the bit. PNG files of 16 bits a channel, which
Pillow narrows, and BMP files are read here.
"""

from __future__ import annotations

import functools
import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.deferred import Deferred
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.summary import escaped
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.image import png_writing

try:  # an extra
    import simplejpeg  # pyright: ignore[reportMissingImports]
except ModuleNotFoundError:
    simplejpeg = None

Image = Deferred(
    "PIL.Image",
    missing=lambda: ModuleNotFoundError(
        "Reading and writing image files needs Pillow: pip install 'tf1compat[images]'", name="PIL"
    ),
)


def _text(contents: Any, ctx: LoweringContext) -> bytes:
    """The bytes of a file."""
    if np.ndim(contents):
        refuse(ctx, f"contents must be scalar, got shape {text_of_shape(contents)}")
    return bytes(np.asarray(contents, object).item())


def _decoded_shape(contents: Any, channels: int) -> Any:
    shapes.with_rank(contents, 0)
    if channels < 0:
        raise ShapeError(f"channels must be non-negative, got {channels}")
    return None, None, channels or None


def _channels_last(image: np.ndarray) -> np.ndarray:
    """An image whose channels have an axis of their own."""
    return image[..., None] if image.ndim == 2 else image


_JPEG = b"\xff\xd8\xff"
_PNG = png_writing.SIGNATURE
_GIF = b"GIF8"


def _check_format(data: bytes, ctx: LoweringContext) -> None:
    """Refuses what is neither JPEG nor PNG nor GIF."""
    if not data:
        refuse(ctx, "Expected image (JPEG, PNG, or GIF), got empty file")
    if not data.startswith((_JPEG, _PNG, _GIF)):
        start = escaped(data[:16])
        refuse(
            ctx,
            f"Expected image (JPEG, PNG, or GIF), got unknown format starting with '{start}'",
        )


def _decode(
    data: bytes, channels: int, dtype: Any, jpeg: dict[str, Any], ctx: LoweringContext
) -> np.ndarray:
    """The image of a JPEG or PNG file, or of a GIF file of one frame.

    TF's decoders of these formats all understand the others.

    Args:
      data: the file.
      channels: how many are wanted; 0 for those of the file.
      dtype: uint8 or uint16.
      jpeg: attrs of DecodeJpeg.
      ctx: the run.
    """
    if channels not in (0, 1, 3, 4):
        refuse(ctx, f"channels must be 0, 1, 3, or 4, got {channels}")
    _check_format(data, ctx)
    if data.startswith(_JPEG):
        return _decode_jpeg(data, channels, ctx, **jpeg).astype(dtype)
    if data.startswith(_PNG):
        return _decode_png(data, channels, dtype, ctx)
    frames = _frames(data, ctx)
    if len(frames) > 1:
        refuse(
            ctx,
            f"Got {len(frames)} frames, but animated gifs can only be decoded by "
            "tf.image.decode_gif or tf.image.decode_image",
        )
    if channels not in (0, 3):
        refuse(ctx, f"channels must be 0 or 3 for GIF, got {channels}")
    return frames[0].astype(dtype)


# JPEG.

_JPEG_ATTRS = ("ratio", "fancy_upscaling", "try_recover_truncated", "dct_method")


def _jpeg_attrs(op: Operation, ctx: LoweringContext) -> dict[str, Any]:
    """The attrs that say how JPEG files are read."""
    attrs = {name: op._attrs[name] for name in _JPEG_ATTRS}
    if attrs["ratio"] not in (1, 2, 4, 8):
        refuse(ctx, f"ratio must be 1, 2, 4, or 8, got {attrs['ratio']}")
    method = attrs.pop("dct_method")
    attrs["accurate"] = method == b"INTEGER_ACCURATE"
    if method not in (b"", b"INTEGER_FAST", b"INTEGER_ACCURATE"):
        refuse(ctx, "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")
    return attrs


def _decode_jpeg(
    data: bytes,
    channels: int,
    ctx: LoweringContext,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    accurate: bool = False,
) -> np.ndarray:
    """The image of a JPEG file.

    Bit for bit TF's, if simplejpeg is there. Pillow always uses the accurate integer transform,
    which differs by a few levels of 255 from the fast one, TF's default.
    """
    if channels == 4:
        refuse(ctx, "channels must be 0, 1, or 3 for JPEG, got 4")
    invalid = f"Invalid JPEG data or crop window, data size {len(data)}"
    opened = Image.open
    try:
        image = opened(io.BytesIO(data), formats=["JPEG"])
        if image.mode == "CMYK" and channels == 1:
            raise ValueError("there is no way from four inks to grey")
    except Exception:
        refuse(ctx, invalid)
    sampled = any(layer[1:3] != image.layer[0][1:3] for layer in image.layer)
    mode = {0: "L" if image.mode == "L" else "RGB", 1: "L", 3: "RGB"}[channels]
    if simplejpeg is not None and image.mode != "CMYK" and not try_recover_truncated:
        # The least size that it may give decides by which ratio it is smaller.
        width, height = (0, 0) if ratio == 1 else (-(-size // ratio) for size in image.size)
        decode = functools.partial(
            simplejpeg.decode_jpeg,
            data,
            colorspace="GRAY" if mode == "L" else "RGB",
            fastdct=not accurate,
            fastupsample=not fancy_upscaling,
            min_height=height,
            min_width=width,
        )
        try:
            return decode()
        except ValueError:
            # Pillow tells what is cut off, which TF refuses, from what it only warns of.
            try:
                image.load()
            except Exception:
                refuse(ctx, invalid)
            return decode(strict=False)
    if not fancy_upscaling and sampled and mode != "L":
        raise NotImplementedError(
            "fancy_upscaling=False needs simplejpeg: pip install 'tf1compat[images]'"
        )
    if image.mode == "CMYK":
        mode = "CMYK"
    if ratio > 1 or mode == "L":
        # The decoder itself gives grey, or a smaller image.
        width, height = image.size
        image.draft(mode, (max(width // ratio, 1), max(height // ratio, 1)))
    try:
        image.load()
    except Exception:
        if try_recover_truncated:
            raise NotImplementedError(
                "try_recover_truncated is not supported by tf1compat yet"
            ) from None
        refuse(ctx, invalid)
    if mode == "CMYK":
        inks = np.array(image).astype(np.int64)
        return (255 - inks[..., :3]) * (255 - inks[..., 3:]) // 255
    return _channels_last(np.array(image.convert(mode)))


@op("DecodeJpeg", host=True)
class DecodeJpeg:
    def shape(contents: Any, *, channels: int) -> Shape:
        return _decoded_shape(contents, channels)

    def lower(contents: Any, *, channels: int, op: Operation, ctx: LoweringContext) -> Any:
        return _decode(_text(contents, ctx), channels, np.uint8, _jpeg_attrs(op, ctx), ctx)


@op("DecodeAndCropJpeg", host=True)
class DecodeAndCropJpeg:
    def shape(contents: Any, crop_window: Shape, *, channels: int, op: Operation) -> Shape:
        _, _, depth = _decoded_shape(contents, channels)
        shapes.dim_with_value(shapes.with_rank(crop_window, 1)[0], 4)
        window = op.const_input(1)
        if window is None:
            return None, None, depth
        height, width = (None if size < 0 else int(size) for size in window[2:])
        return height, width, depth

    def lower(
        contents: Any,
        crop_window: np.ndarray,
        *,
        channels: int,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        data = _text(contents, ctx)
        image = _decode(data, channels, np.uint8, _jpeg_attrs(op, ctx), ctx)
        if not data.startswith(_JPEG):
            return image
        if np.ndim(crop_window) != 1:
            refuse(ctx, f"crop_window must be 1-D, got shape {text_of_shape(crop_window)}")
        if len(crop_window) != 4:
            refuse(ctx, f"crop_size must have four elements {text_of_shape(crop_window)}")
        y, x, rows, columns = (int(n) for n in crop_window)
        fits = y >= 0 and x >= 0 and rows > 0 and columns > 0
        if not fits or y + rows > image.shape[0] or x + columns > image.shape[1]:
            refuse(ctx, f"Invalid JPEG data or crop window, data size {len(data)}")
        return np.ascontiguousarray(image[y : y + rows, x : x + columns])


@op("ExtractJpegShape", host=True)
class ExtractJpegShape:
    def shape(contents: Any) -> Shape:
        shapes.with_rank(contents, 0)
        return (3,)

    def lower(contents: Any, *, output_type: DType, ctx: LoweringContext) -> Any:
        data = _text(contents, ctx)
        opened = Image.open
        try:
            image = opened(io.BytesIO(data), formats=["JPEG"])
        except Exception:
            refuse(ctx, f"Invalid JPEG data, size {len(data)}")
        width, height = image.size
        return np.array([height, width, len(image.getbands())], output_type.as_numpy_dtype)


def _write_jpeg(image: np.ndarray, **options: Any) -> bytes:
    if not np.size(image):
        raise errors.InternalError(None, None, "JPEG encoding failed")
    file = io.BytesIO()
    if image.shape[2] == 1:
        image = image[..., 0]
        options["subsampling"] = 0
    Image.fromarray(image).save(file, "JPEG", **options)
    return file.getvalue()


def _string(value: bytes) -> np.ndarray:
    return np.array(value, object)


def _check_jpeg(image: Any, channels: tuple[int, ...], format: str, ctx: LoweringContext) -> None:
    if np.ndim(image) != 3:
        refuse(ctx, f"image must be 3-dimensional{text_of_shape(image)}")
    if image.shape[2] not in channels:
        who = f"format {format} expects {channels[0]}" if format else "image must have 1 or 3"
        refuse(ctx, f"{who} channels, got {text_of_shape(image)}")


@op("EncodeJpeg", host=True)
class EncodeJpeg:
    def shape(image: Any) -> Shape:
        shapes.with_rank(image, 3)
        return ()

    def lower(
        image: Any,
        *,
        format: str,
        quality: int,
        progressive: bool,
        optimize_size: bool,
        chroma_downsampling: bool,
        density_unit: str,
        x_density: int,
        y_density: int,
        xmp_metadata: str,
        ctx: LoweringContext,
    ) -> Any:
        if not 0 <= quality <= 100:
            refuse(ctx, f"quality must be in [0,100], got {quality}")
        wanted = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}[format]
        _check_jpeg(image, wanted, format, ctx)
        written = _write_jpeg(
            image,
            quality=max(quality, 1),
            progressive=progressive,
            optimize=optimize_size or progressive,
            subsampling=2 if chroma_downsampling else 0,
            dpi=(x_density, y_density),
        )
        if density_unit == "cm":
            # The unit in the JFIF header.
            written = written[:13] + b"\x02" + written[14:]
        if xmp_metadata:
            text = b"http://ns.adobe.com/xap/1.0/\0" + xmp_metadata.encode()
            end = 4 + struct.unpack(">H", written[4:6])[0]
            written = (
                written[:end]
                + b"\xff\xe1"
                + struct.pack(">H", len(text) + 2)
                + text
                + (written[end:])
            )
        return _string(written)


@op("EncodeJpegVariableQuality", host=True)
class EncodeJpegVariableQuality:
    def shape(images: Any, quality: Shape) -> Shape:
        shapes.with_rank(images, 3)
        return ()

    def lower(images: Any, quality: np.ndarray, *, ctx: LoweringContext) -> Any:
        _check_jpeg(images, (1, 3), "", ctx)
        if np.ndim(quality):
            refuse(ctx, f"quality must be scalar: {text_of_shape(quality)}")
        return _string(
            _write_jpeg(
                images, quality=min(max(int(quality), 1), 100), subsampling=2, dpi=(300, 300)
            )
        )


# PNG.

_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kinds and contents of the chunks of a PNG file.

    Raises:
      zlib.error: a checksum is wrong, of a chunk that no reader may leave out.
    """
    place = len(_PNG)
    while place + 8 <= len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kind, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        check = data[place + 8 + size : place + 12 + size]
        if kind.isupper() and check != struct.pack(">I", zlib.crc32(kind + content)):
            raise zlib.error(f"the checksum of {kind!r}")
        yield kind, content
        place += size + 12


def _unfiltered(raw: np.ndarray, rows: int, width: int, step: int) -> np.ndarray:
    """The bytes [rows, width] of a PNG image; `step` of them are a pixel."""
    lines = raw[: rows * (width + 1)].reshape(rows, width + 1)
    above = np.zeros(width, np.uint8)
    result = np.empty((rows, width), np.uint8)
    for line, out in zip(lines, result):
        kind, values = line[0], line[1:]
        if kind == 0:
            out[:] = values
        elif kind == 1:
            for i in range(step):
                out[i::step] = np.cumsum(values[i::step], dtype=np.uint8)
        elif kind == 2:
            out[:] = values + above
        else:
            out[:] = _recursive(values, above, step, paeth=kind == 4)
        above = out
    return result


def _recursive(values: np.ndarray, above: np.ndarray, step: int, paeth: bool) -> np.ndarray:
    """One line by a filter that looks at the pixel before and at the line above."""
    before, up = [0] * step + values.tolist(), [0] * step + above.tolist()
    for i in range(step, len(before)):
        a, b, c = before[i - step], up[i], up[i - step]
        if paeth:
            near_a, near_b, near_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            best = a if near_a <= near_b and near_a <= near_c else b if near_b <= near_c else c
        else:
            best = (a + b) // 2
        before[i] = (before[i] + best) & 255
    return np.array(before[step:], np.uint8)


# The passes of interlaced PNG files: which rows and columns each has.
_PASSES = (
    (np.s_[::8], np.s_[::8]),
    (np.s_[::8], np.s_[4::8]),
    (np.s_[4::8], np.s_[::4]),
    (np.s_[::4], np.s_[2::4]),
    (np.s_[2::4], np.s_[::2]),
    (np.s_[::2], np.s_[1::2]),
    (np.s_[1::2], np.s_[:]),
)


def _read_png_16(
    data: bytes, width: int, height: int, channels: int, interlaced: bool
) -> np.ndarray:
    """The pixels of a PNG file of 16 bits a channel."""
    packed = b"".join(content for kind, content in _chunks(data) if kind == b"IDAT")
    raw = np.frombuffer(zlib.decompress(packed), np.uint8)
    step = 2 * channels
    pixels = np.empty((height, width, step), np.uint8)
    for rows, columns in _PASSES if interlaced else (np.s_[:, :],):
        part = pixels[rows, columns]
        if part.size:
            lines, size = part.shape[0], part.shape[1] * step
            part[:] = _unfiltered(raw, lines, size, step).reshape(part.shape)
            raw = raw[lines * (size + 1) :]
    return pixels.view(">u2").astype(np.uint16)


# Parts of 2^15 that red, green and blue have in grey, in libpng.
_GRAY = np.array([9797, 19234, 3737], np.int64)


def _png_pixels(data: bytes, header: Any) -> tuple[np.ndarray, bool]:
    """The pixels, and whether the last channel is alpha."""
    width, height, bits, color, _, _, interlaced = header
    if bits == 16:
        pixels = _read_png_16(data, width, height, _PNG_CHANNELS[color], bool(interlaced))
        return pixels, color in (4, 6)
    image = Image.open(io.BytesIO(data), formats=["PNG"])
    transparent = "transparency" in image.info
    if color == 3:
        image = image.convert("RGBA" if transparent else "RGB")
    elif color == 0:
        transparent = transparent and image.mode == "L"
        image = image.convert("LA" if transparent else "L")
    elif transparent:
        image = image.convert("RGBA")
    return _channels_last(np.array(image)), transparent or color in (4, 6)


def _decode_png(data: bytes, channels: int, dtype: Any, ctx: LoweringContext) -> np.ndarray:
    try:
        header = struct.unpack(">IIBBBBB", next(c for kind, c in _chunks(data) if kind == b"IHDR"))
    except (struct.error, StopIteration, zlib.error):
        refuse(ctx, f"Invalid PNG header, data size {len(data)}")
    try:
        pixels, has_alpha = _png_pixels(data, header)
    except Exception:
        refuse(ctx, f"Invalid PNG data, size {len(data)}")
    own = pixels.shape[2]
    if header[3] != 3 and not channels and has_alpha and header[3] not in (4, 6):
        # A transparent colour is none of the channels.
        own -= 1
    wanted = channels or own
    color, alpha = (pixels[..., :-1], pixels[..., -1:]) if has_alpha else (pixels, None)
    if wanted < 3 and color.shape[2] == 3:
        half = 1 << 14 if color.dtype == np.uint16 else 0
        gray = (color.astype(np.int64) @ _GRAY + half) >> 15
        color = gray.astype(color.dtype)[..., None]
    elif wanted >= 3 and color.shape[2] == 1:
        color = np.repeat(color, 3, 2)
    if wanted % 2 == 0:
        if alpha is None:
            # Opaque; of a file of fewer bits libpng takes the largest value of these.
            alpha = np.full_like(color[..., :1], (1 << header[2]) - 1)
        color = np.concatenate([color, alpha], 2)
    if color.dtype == dtype:
        return color
    if dtype == np.uint8:
        return (color >> 8).astype(np.uint8)
    return color.astype(np.uint16) * 257


@op("DecodePng", host=True)
class DecodePng:
    def shape(contents: Any, *, channels: int) -> Shape:
        return _decoded_shape(contents, channels)

    def lower(contents: Any, *, channels: int, dtype: DType, ctx: LoweringContext) -> Any:
        return _decode(_text(contents, ctx), channels, dtype.as_numpy_dtype, {}, ctx)


@op("EncodePng", host=True)
class EncodePng:
    def shape(image: Any) -> Shape:
        shapes.with_rank(image, 3)
        return ()

    def lower(image: Any, *, compression: int, ctx: LoweringContext) -> Any:
        ctx.check(
            -1 <= compression <= 9,
            errors.InvalidArgumentError,
            f"compression should be in [-1,9], got {compression}",
        )
        if np.ndim(image) != 3:
            refuse(ctx, f"image must be 3-dimensional{text_of_shape(image)}")
        height, width, channels = image.shape
        if channels not in (1, 2, 3, 4):
            refuse(ctx, f"image must have 1, 2, 3, or 4 channels, got {channels}")
        if not np.size(image):
            raise errors.InternalError(None, None, "PNG encoding failed")
        return _string(png_writing.png_file(image, compression))


# GIF.


_CUT_OFF = "Failed to read from given file"


def _opaque(data: bytes, place: int) -> bytes:
    """A GIF file whose frames are drawn over each other, transparent colours too, as TF does.

    Args:
      data: the file.
      place: where its blocks begin.

    Raises:
      ValueError: it has no end, or something in it that is no block.
    """
    result = bytearray(data)
    while True:
        kind = data[place : place + 1]
        if kind == b";":
            return bytes(result)
        if kind == b"!":
            if data[place + 1 : place + 2] == b"\xf9":
                result[place + 3 : place + 4] = bytes([1 << 2])  # leave the frame where it is
            place += 2
        elif kind == b",":
            flags = data[place + 9] if len(data) > place + 9 else 0
            place += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
            if len(data) == place:
                raise ValueError("Unknown error")
            place += 1
        else:
            raise ValueError("Wrong record type detected" if kind else _CUT_OFF)
        while size := (data[place : place + 1] or b"\0")[0]:
            place += size + 1
        if len(data) <= place:
            raise ValueError(_CUT_OFF)
        place += 1


def _frames(data: bytes, ctx: LoweringContext) -> list[np.ndarray]:
    """The frames of a GIF file, each as it is seen."""
    failed = f"Invalid GIF data (size {len(data)}), failed to"
    flags = data[10] if len(data) > 10 else 0
    begin = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    if len(data) < begin:
        refuse(ctx, f"{failed} open gif file: No screen descriptor detected")
    opened = Image.open
    try:
        file = io.BytesIO(_opaque(data, begin))
    except ValueError as error:
        refuse(ctx, f"{failed} slurp gif file: {error}")
    try:
        with opened(file, formats=["GIF"]) as image:
            frames = []
            for number in range(image.n_frames):
                image.seek(number)
                frames.append(np.array(image.convert("RGB")))
            return frames
    except Exception:
        refuse(ctx, f"{failed} slurp gif file: Image is defective, decoding aborted")


@op("DecodeGif", host=True)
class DecodeGif:
    def shape(contents: Any) -> Shape:
        shapes.with_rank(contents, 0)
        return None, None, None, 3

    def lower(contents: Any, *, ctx: LoweringContext) -> Any:
        data = _text(contents, ctx)
        _check_format(data, ctx)
        if data.startswith(_GIF):
            return np.stack(_frames(data, ctx))
        return _decode(data, 3, np.uint8, {}, ctx)[None]


# BMP.


@op("DecodeBmp", host=True)
class DecodeBmp:
    def shape(contents: Any, *, channels: int) -> Shape:
        return _decoded_shape(contents, channels)

    def lower(contents: Any, *, channels: int, ctx: LoweringContext) -> Any:
        if channels not in (0, 1, 3, 4):
            refuse(ctx, f"channels must be 0, 1, 3 or 4, got {channels}")
        data = _text(contents, ctx)
        if len(data) < 32:
            refuse(
                ctx,
                "Incomplete bmp content, requires at least 32 bytes to find the header size, "
                f"width, height, and bpp, got {len(data)} bytes",
            )
        (offset,) = struct.unpack("<i", data[10:14])
        # TF takes the four bytes that hold the bits of a pixel and the compression's first half.
        width, height = struct.unpack("<ii", data[18:26])
        (bits,) = struct.unpack("<i", data[28:32])
        own = int(bits / 8)
        if channels and channels != own:
            refuse(
                ctx,
                f"channels attribute {channels} does not match bits per pixel from file {own}",
            )
        if own not in (1, 3, 4):
            refuse(ctx, f"Number of channels must be 1, 3 or 4, was {own}")
        rows = abs(height)
        stride = (own * width + 3) // 4 * 4
        needed = offset + stride * (rows - 1) + own * width
        if len(data) < needed:
            refuse(
                ctx,
                f"Incomplete bmp content, requires at least {needed} bytes, got {len(data)} bytes",
            )
        # The padding of the last row may be left out.
        data += bytes(stride)
        flat = np.frombuffer(data, np.uint8, stride * rows, offset).reshape(rows, stride)
        pixels = flat[:, : own * width].reshape(rows, width, own)
        if own >= 3:
            # Blue comes first in the file.
            pixels = pixels[..., [2, 1, 0, 3][:own]]
        if height > 0:
            pixels = pixels[::-1]
        return np.ascontiguousarray(pixels)
