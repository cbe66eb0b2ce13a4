"""The image functions that `scipy.misc` had until SciPy 1.2, through Pillow.

Behaviour as documented for SciPy 1.1 (`scipy.misc.pilutil`): values are stretched to 0…255 unless
they are uint8 already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_FILTERS = {
    "nearest": "NEAREST",
    "lanczos": "LANCZOS",
    "bilinear": "BILINEAR",
    "bicubic": "BICUBIC",
    "cubic": "BICUBIC",
}


def _pillow() -> Any:
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "scipy.misc's image functions need Pillow: pip install 'tf1compat[images]'",
            name=error.name,
        ) from None
    return Image


def _filter(interp: str) -> Any:
    if interp not in _FILTERS:
        raise ValueError(f"interp must be one of {', '.join(_FILTERS)}. Received: {interp!r}")
    return getattr(_pillow().Resampling, _FILTERS[interp])


def bytescale(
    data: np.ndarray, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0
) -> np.ndarray:
    """Values stretched linearly from [cmin, cmax] to [low, high], as uint8.

    By default cmin and cmax are the least and the greatest value. An array that is uint8 already
    comes back as it is.
    """
    if data.dtype == np.uint8:
        return data
    if not 0 <= low <= high <= 255:
        raise ValueError(f"Expected 0 <= low <= high <= 255. Received: {low}, {high}")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    if cmax < cmin:
        raise ValueError("`cmax` should be larger than `cmin`.")
    span = float(cmax - cmin) or 1.0
    scaled = (data - cmin) * ((high - low) / span) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any,
    high: int = 255,
    low: int = 0,
    cmin: Any = None,
    cmax: Any = None,
    pal: Any = None,
    mode: str | None = None,
    channel_axis: int | None = None,
) -> Any:
    """An array as a Pillow image.

    Args:
      arr: [height, width], or three-dimensional with an axis of 3 (RGB) or 4 (RGBA) channels.
      high, low, cmin, cmax: see `bytescale`.
      pal: a palette of [n, 3] uint8 for a two-dimensional array.
      mode: Pillow's mode; "F" and "I" keep the values.
      channel_axis: the axis of the channels; by default the first one of size 3, else of size 4.

    Raises:
      ValueError: the array doesn't have such a shape.
    """
    image = _pillow()
    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("Cannot convert a complex-valued array.")
    if data.ndim == 2:
        if mode in ("F", "I"):
            return image.fromarray(data.astype(np.float32 if mode == "F" else np.int32))
        scaled = image.fromarray(bytescale(data, cmin, cmax, high, low))
        if pal is not None:
            scaled.putpalette(np.asarray(pal, np.uint8).tobytes())
        return scaled if mode in (None, "L", "P") else scaled.convert(mode)
    sizes = (3,) if mode in ("RGB", "YCbCr") else (4,) if mode in ("RGBA", "CMYK") else (3, 4)
    if channel_axis is None:
        found = [data.shape.index(size) for size in sizes if size in data.shape]
        channel_axis = found[0] if found else None
    if data.ndim != 3 or channel_axis is None or data.shape[channel_axis] not in sizes:
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    pixels = np.moveaxis(bytescale(data, cmin, cmax, high, low), channel_axis, -1)
    mode = mode or ("RGB" if pixels.shape[-1] == 3 else "RGBA")
    height, width = pixels.shape[:2]
    return image.frombytes(mode, (width, height), np.ascontiguousarray(pixels).tobytes())


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """A Pillow image as an array: [height, width] or [height, width, channels], uint8 mostly.

    With `flatten` a grey image of float32.
    """
    if mode is not None and mode != im.mode:
        im = im.convert(mode)
    elif mode is None and im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> np.ndarray:
    """Reads an image file; see `fromimage`."""
    with _pillow().open(name) as im:
        return fromimage(im, flatten=flatten, mode=mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Writes an array as an image file; see `toimage`."""
    toimage(arr, channel_axis=2 if np.ndim(arr) == 3 else None).save(name, format)


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> np.ndarray:
    """A resized image.

    Args:
      arr: the image, see `toimage`.
      size: a percentage (int), a factor (float), or (height, width).
      interp: "nearest", "lanczos", "bilinear", "bicubic" or "cubic".
      mode: Pillow's mode for the array.
    """
    im = toimage(arr, mode=mode)
    if np.issubdtype(type(size), np.signedinteger):
        size = size / 100.0
    if np.ndim(size) == 0:
        new_size = tuple((np.array(im.size) * size).astype(int).tolist())
    else:
        new_size = (int(size[1]), int(size[0]))
    return fromimage(im.resize(new_size, resample=_filter(interp)))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> np.ndarray:
    """An image rotated counter-clockwise by an angle in degrees, in its old frame."""
    resample = _filter("bicubic" if interp == "lanczos" else interp)
    return fromimage(toimage(arr).rotate(angle, resample=resample))


def imfilter(arr: Any, ftype: str) -> np.ndarray:
    """An image through one of Pillow's filters, e.g. "blur" or "edge_enhance_more"."""
    _pillow()
    from PIL import ImageFilter

    if not hasattr(ImageFilter, ftype.upper()):
        raise ValueError(f"Unknown filter type. Received: {ftype!r}")
    return fromimage(toimage(arr).filter(getattr(ImageFilter, ftype.upper())))


def imshow(arr: Any) -> None:
    """Shows an image in a viewer."""
    toimage(arr).show()


def textsize(self: Any, text: str, font: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`ImageDraw.textsize`: width and height."""
    _, _, right, bottom = self.multiline_textbbox((0, 0), text, font, *args, **kwargs)
    return right, bottom


def getsize(self: Any, text: str, *args: Any, **kwargs: Any) -> tuple[int, int]:
    """`ImageFont.getsize`: width and height."""
    _, _, right, bottom = self.getbbox(text, *args, **kwargs)
    return right, bottom
