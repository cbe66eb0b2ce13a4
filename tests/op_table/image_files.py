"""Rows of image files.

JPEG files are read by the accurate transform: the one that Pillow has, too.
"""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

from op_table.case import Case, ints, val

PHOTO = ints(11, 18, 3, low=0, high=256, dtype="uint8")
GRAY = ints(11, 18, 1, low=0, high=256, dtype="uint8")
GIF = base64.b64decode("R0lGODdhAwACAIEAAP8AAAAA/wAAAAAAACwAAAAAAwACAAAIBwABCAxAMCAAOw==")
GIF2 = base64.b64decode(
    "R0lGODdhAwACAIEAAP8AAAAA/wAAAAAAACH5BAQAAAAALAAAAAADAAIAAAgHAAEIDEAwIAAh+QQFAAADACwBAAAA"
    "AQABAIEA/wD/AAAAAP8AAAAIBAABBAQAOw=="
)


def _bmp(channels, height):
    """A BMP file of 2 rows; they are in the file from below if `height` is positive."""
    width = 3
    stride = (channels * width + 3) // 4 * 4
    pixels = (np.arange(2 * stride) * 7 % 256).astype(np.uint8).tobytes()
    header = struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54)
    rest = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8 * channels, 0, 0, 0, 0, 0, 0)
    return header + rest + pixels


def _png(image, broken=False):
    """An interlaced PNG file of an image of 16 bits a channel; `broken`: with a wrong checksum."""
    height, width, channels = image.shape
    lines = b""
    for row, column, down, right in (
        (0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
        (1, 0, 2, 1),
    ):  # fmt: skip
        for line in image[row::down, column::right].astype(">u2"):
            lines += b"\0" + line.tobytes() if line.size else b""
    color = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    file = b"\x89PNG\r\n\x1a\n"
    for kind, content in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 16, color, 0, 0, 1)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    ):
        check = zlib.crc32(kind + content) ^ (broken and kind == b"IDAT")
        file += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
    return file


def _file(op, function, contents, label="", raises=False):
    return Case(op, function, [val(contents, "object")], label, raises=raises, no_jax="host")


def _decode(name, **keywords):
    return lambda tf, x: getattr(tf.image, name)(x, **keywords)


def _jpeg(label, decode, encode=None, image=PHOTO, op="DecodeJpeg"):
    """What was written is read again."""

    def record(tf, x):
        contents = tf.image.encode_jpeg(x, **(encode or {}))
        if op == "ExtractJpegShape":
            return tf.image.extract_jpeg_shape(contents, **decode)
        read = getattr(
            tf.image, "decode_and_crop_jpeg" if "crop_window" in decode else "decode_jpeg"
        )
        return read(contents, dct_method="INTEGER_ACCURATE", **decode)

    return Case(op, record, [image], label, no_jax="host")


def _jpegs():
    for label, encode in (
        ("", {}),
        ("quality", {"quality": 30}),
        ("worst", {"quality": 0}),
        ("whole_chroma", {"chroma_downsampling": False}),
        ("progressive", {"progressive": True}),
        ("optimized", {"optimize_size": True}),
        ("density", {"density_unit": "cm", "x_density": 7, "y_density": 9}),
        ("metadata", {"xmp_metadata": "<x/>", "format": "rgb"}),
    ):
        yield Case("EncodeJpeg", _decode("encode_jpeg", **encode), [PHOTO], label, no_jax="host")
    yield Case("EncodeJpeg", _decode("encode_jpeg"), [GRAY], "gray", no_jax="host")
    yield Case(
        "EncodeJpegVariableQuality",
        lambda tf, x, q: tf.raw_ops.EncodeJpegVariableQuality(images=x, quality=q),
        [PHOTO, val(40, "int32")],
        no_jax="host",
    )
    for label, keywords, image in (
        ("format", {"format": "grayscale"}, PHOTO),
        ("channels", {}, ints(2, 2, 2, low=0, high=9, dtype="uint8")),
        ("quality", {"quality": 101}, PHOTO),
        ("unit", {"density_unit": "x"}, PHOTO),
    ):
        yield Case(
            "EncodeJpeg", _decode("encode_jpeg", **keywords), [image], f"bad_{label}", raises=True
        )
    yield _jpeg("", {})
    yield _jpeg("to_gray", {"channels": 1})
    yield _jpeg("gray", {}, image=GRAY)
    yield _jpeg("gray_to_rgb", {"channels": 3}, image=GRAY)
    for ratio in (2, 4, 8):
        yield _jpeg(f"ratio_{ratio}", {"ratio": ratio}, {"chroma_downsampling": False})
    yield _jpeg("", {"crop_window": [1, 2, 5, 7]}, op="DecodeAndCropJpeg")
    yield _jpeg("", {}, op="ExtractJpegShape")
    yield _jpeg("gray_long", {"output_type": "int64"}, image=GRAY, op="ExtractJpegShape")
    for label, keywords in (("ratio", {"ratio": 3}), ("channels", {"channels": 2})):
        yield _file("DecodeJpeg", _decode("decode_jpeg", **keywords), b"x", f"bad_{label}", True)
    yield Case(
        "DecodeAndCropJpeg",
        lambda tf, x: tf.image.decode_and_crop_jpeg(tf.image.encode_jpeg(x), [9, 0, 5, 5]),
        [PHOTO],
        "bad_window",
        raises=True,
    )


def _pngs():
    for channels in (1, 2, 3, 4):
        for dtype in ("uint8", "uint16"):
            image = ints(3, 5, channels, low=0, high=np.iinfo(dtype).max, dtype=dtype)
            for wanted in (0, 1, 3, 4):
                other = "uint16" if dtype == "uint8" and wanted else "uint8"
                yield Case(
                    "DecodePng",
                    lambda tf, x, n=wanted, d=dtype if not wanted else other: tf.image.decode_png(
                        tf.image.encode_png(x, compression=n), n, d
                    ),
                    [image],
                    f"{dtype}_{channels}_{wanted}",
                    no_jax="host",
                )
    for size in ((1, 1, 1), (3, 2, 4), (9, 13, 3)):
        image = (np.arange(np.prod(size)) * 7919 % 65521).reshape(size)
        label = "x".join(map(str, size))
        yield _file(
            "DecodePng", _decode("decode_png", dtype="uint16"), _png(image), f"interlaced_{label}"
        )
    yield _file("DecodePng", _decode("decode_png"), _png(image, True), "bad_checksum", True)
    for label, image, keywords in (
        ("channels", ints(2, 2, 5, dtype="uint8", low=0), {}),
        ("compression", PHOTO, {"compression": 11}),
    ):
        yield Case(
            "EncodePng", _decode("encode_png", **keywords), [image], f"bad_{label}", raises=True
        )
    yield _file("DecodePng", _decode("decode_png", channels=2), b"x", "bad_channels", True)
    for label, contents in (
        ("empty", b""),
        ("format", b"abc\x01'\""),
        ("header", b"\x89PNG\r\n\x1a\nxx"),
        ("jpeg", b"\xff\xd8\xff\xe0"),
        ("gif", b"GIF89a"),
    ):
        yield _file("DecodePng", _decode("decode_png"), contents, f"bad_{label}", True)


def _others():
    yield _file("DecodeGif", _decode("decode_gif"), GIF)
    yield _file("DecodeGif", _decode("decode_gif"), GIF2, "frames")
    yield _file("DecodePng", _decode("decode_png"), GIF, "gif")
    yield _file("DecodeJpeg", _decode("decode_jpeg"), GIF2, "bad_frames", True)
    for channels in (1, 3, 4):
        for height in (2, -2):
            yield _file(
                "DecodeBmp", _decode("decode_bmp"), _bmp(channels, height), f"{channels}_{height}"
            )
    yield _file("DecodeBmp", _decode("decode_bmp", channels=4), _bmp(3, 2), "bad_channels", True)
    yield _file("DecodeBmp", _decode("decode_bmp"), b"BM", "bad_size", True)
    yield _file("DecodeBmp", _decode("decode_bmp"), _bmp(3, 2)[:-4], "bad_end", True)
    yield Case(
        "ExtractJpegShape",
        _decode("extract_jpeg_shape"),
        [val(b"abc", "object")],
        "bad",
        raises=True,
    )


CASES = [*_jpegs(), *_pngs(), *_others()]
