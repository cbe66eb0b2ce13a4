"""Images and their augmentation (`tensorflow.python.keras.preprocessing.image`).

As in TF 1.15 this is the package keras_preprocessing, with Keras's own settings as defaults.
"""

from __future__ import annotations

import importlib
import types
from typing import TYPE_CHECKING, Any

from tf1compat.api.keras import pypi
from tf1compat.api.keras.backend_config import floatx, image_data_format
from tf1compat.api.keras.utils.data_utils import Sequence
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike, TensorLike

image: Any = pypi.module("keras_preprocessing.image")
_affine = image.affine_transformations
if _affine.scipy is not None:
    # It calls `ndimage.interpolation.affine_transform`; the function has moved up.
    _affine.ndimage = types.SimpleNamespace(interpolation=importlib.import_module("scipy.ndimage"))

random_rotation = image.random_rotation
random_shift = image.random_shift
random_shear = image.random_shear
random_zoom = image.random_zoom
apply_channel_shift = image.apply_channel_shift
random_channel_shift = image.random_channel_shift
apply_brightness_shift = image.apply_brightness_shift
random_brightness = image.random_brightness
apply_affine_transform = image.apply_affine_transform
load_img = image.load_img

for _function in (
    random_rotation, random_shift, random_shear, random_zoom, apply_channel_shift,
    random_channel_shift, apply_brightness_shift, random_brightness, apply_affine_transform,
    load_img,
):  # fmt: skip
    export_constant(f"keras.preprocessing.image.{_function.__name__}", _function)

if TYPE_CHECKING:
    _Iterator = _DirectoryIterator = _NumpyArrayIterator = _ImageDataGenerator = Any
else:
    _Iterator = image.Iterator
    _DirectoryIterator = image.DirectoryIterator
    _NumpyArrayIterator = image.NumpyArrayIterator
    _ImageDataGenerator = image.ImageDataGenerator


def _settled(arguments: dict[str, Any]) -> dict[str, Any]:
    """A call's arguments by name, with Keras's settings for those that are None."""
    given = {k: v for k, v in arguments.items() if k not in ("self", "__class__")}
    for name, setting in (("data_format", image_data_format), ("dtype", floatx)):
        if name in given and given[name] is None:
            given[name] = setting()
    return given


@tf_export("keras.preprocessing.image.array_to_img")
def array_to_img(
    x: Any, data_format: str | None = None, scale: bool = True, dtype: DTypeLike | None = None
) -> Any:
    """An array as an image of Pillow's.

    Args:
      x: an array of rank 3 with 1, 3 or 4 channels.
      data_format: "channels_first" or "channels_last"; Keras's own by default.
      scale: whether to move and stretch its values to [0, 255].
      dtype: what it is converted to first; Keras's float by default.

    Returns:
      A `PIL.Image.Image`.

    Raises:
      ImportError: Pillow is not installed.
      ValueError: it is no image.
    """
    return image.array_to_img(**_settled(vars()))


@tf_export("keras.preprocessing.image.img_to_array")
def img_to_array(img: Any, data_format: str | None = None, dtype: DTypeLike | None = None) -> Any:
    """An image of Pillow's as an array of rank 3.

    Args:
      img: the image.
      data_format: "channels_first" or "channels_last"; Keras's own by default.
      dtype: the array's type; Keras's float by default.

    Returns:
      An array [rows, columns, channels], or channels first.

    Raises:
      ValueError: an unknown data format.
    """
    return image.img_to_array(**_settled(vars()))


@tf_export("keras.preprocessing.image.save_img")
def save_img(
    path: Any, x: Any, data_format: str | None = None, file_format: Any = None, scale: bool = True,
    **kwargs: Any,
) -> None:  # fmt: skip
    """Writes an array as an image.

    Args:
      path: the file's path, or a file.
      x: an array of rank 3.
      data_format: "channels_first" or "channels_last"; Keras's own by default.
      file_format: as in the path's extension by default.
      scale: whether to move and stretch its values to [0, 255].
      **kwargs: what Pillow's `save` takes.
    """
    if data_format is None:
        data_format = image_data_format()
    image.save_img(path, x, data_format=data_format, file_format=file_format, scale=scale, **kwargs)


@tf_export("keras.preprocessing.image.Iterator")
class Iterator(_Iterator, Sequence):
    """Base class of what makes batches of images."""


@tf_export("keras.preprocessing.image.DirectoryIterator")
class DirectoryIterator(_DirectoryIterator, Iterator):
    """Batches of the images in a folder, whose subfolders are the classes.

    Its arguments are those of `keras_preprocessing.image.DirectoryIterator`.

    Args:
      directory, image_data_generator, target_size, color_mode, classes, class_mode, batch_size,
        shuffle, seed, data_format, save_to_dir, save_prefix, save_format, follow_links, subset,
        interpolation, dtype: as in `keras_preprocessing.image.DirectoryIterator`.
    """

    def __init__(
        self, directory: Any, image_data_generator: Any, target_size: Any = (256, 256),
        color_mode: str = "rgb", classes: Any = None, class_mode: Any = "categorical",
        batch_size: int = 32, shuffle: bool = True, seed: int | None = None,
        data_format: str | None = None,
        save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png",
        follow_links: bool = False, subset: Any = None, interpolation: str = "nearest",
        dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(**_settled(vars()))


@tf_export("keras.preprocessing.image.NumpyArrayIterator")
class NumpyArrayIterator(_NumpyArrayIterator, Iterator):
    """Batches of the images in an array.

    Its arguments are those of `keras_preprocessing.image.NumpyArrayIterator`.

    Args:
      x, y, image_data_generator, batch_size, shuffle, sample_weight, seed, data_format,
        save_to_dir, save_prefix, save_format, subset, dtype: as in
        `keras_preprocessing.image.NumpyArrayIterator`.
    """

    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: int = 32,
        shuffle: bool = False, sample_weight: TensorLike | None = None, seed: int | None = None,
        data_format: str | None = None, save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", subset: Any = None, dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(**_settled(vars()))


@tf_export("keras.preprocessing.image.ImageDataGenerator")
class ImageDataGenerator(_ImageDataGenerator):
    """Batches of images that are changed at random.

    Its arguments are those of `keras_preprocessing.image.ImageDataGenerator`.

    Args:
      featurewise_center, samplewise_center, featurewise_std_normalization,
        samplewise_std_normalization, zca_whitening, zca_epsilon, rotation_range, width_shift_range,
        height_shift_range, brightness_range, shear_range, zoom_range, channel_shift_range,
        fill_mode, cval, horizontal_flip, vertical_flip, rescale, preprocessing_function,
        data_format, validation_split, dtype: as in `keras_preprocessing.image.ImageDataGenerator`.
    """

    def __init__(
        self, featurewise_center: bool = False, samplewise_center: bool = False,
        featurewise_std_normalization: bool = False, samplewise_std_normalization: bool = False,
        zca_whitening: bool = False, zca_epsilon: float = 1e-06, rotation_range: float = 0,
        width_shift_range: Any = 0.0, height_shift_range: Any = 0.0,
        brightness_range: Any = None, shear_range: float = 0.0, zoom_range: Any = 0.0,
        channel_shift_range: float = 0.0, fill_mode: str = "nearest", cval: float = 0.0,
        horizontal_flip: bool = False, vertical_flip: bool = False, rescale: Any = None,
        preprocessing_function: Any = None, data_format: str | None = None,
        validation_split: float = 0.0, dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(**_settled(vars()))
