"""Space into depth and back, and patches of images (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_MODULE = "tensorflow.python.ops.array_ops"

__all__ = [
    "depth_to_space",
    "depth_to_space_v2",
    "extract_image_patches",
    "extract_image_patches_v2",
    "extract_volume_patches",
    "space_to_depth",
    "space_to_depth_v2",
]


@tf_export("nn.space_to_depth", "space_to_depth")
def space_to_depth(
    input: TensorLike, block_size: int, name: Name = None, data_format: str = "NHWC"
) -> Tensor:
    """Moves square blocks of space into the depth of images.

    Args:
      input: images, whose height and width are multiples of `block_size`.
      block_size: an int of at least 2.
      data_format: "NHWC" or "NCHW".
      name: the operation's name.

    Returns:
      Images of `block_size` ** 2 times the channels.
    """
    return raw_ops.SpaceToDepth(input, block_size, data_format, name=name)


@tf_export("compat.v2.nn.space_to_depth")
def space_to_depth_v2(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: Name = None
) -> Tensor:
    """As `space_to_depth`.

    Args:
      input, block_size, data_format, name: as in `space_to_depth`.

    Returns:
      As `space_to_depth`.
    """
    return raw_ops.SpaceToDepth(input, block_size, data_format, name=name)


@tf_export("nn.depth_to_space", "depth_to_space")
def depth_to_space(
    input: TensorLike, block_size: int, name: Name = None, data_format: str = "NHWC"
) -> Tensor:
    """The inverse of `space_to_depth`.

    Args:
      input: images, whose channels are a multiple of `block_size` ** 2.
      block_size: an int of at least 2.
      data_format: "NHWC" or "NCHW".
      name: the operation's name.

    Returns:
      Images `block_size` times as high and as wide.
    """
    return raw_ops.DepthToSpace(input, block_size, data_format, name=name)


@tf_export("compat.v2.nn.depth_to_space")
def depth_to_space_v2(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: Name = None
) -> Tensor:
    """As `depth_to_space`.

    Args:
      input, block_size, data_format, name: as in `depth_to_space`.

    Returns:
      As `depth_to_space`.
    """
    return raw_ops.DepthToSpace(input, block_size, data_format, name=name)


@tf_export("image.extract_image_patches", "extract_image_patches")
@deprecated_args(None, "ksizes is deprecated, use sizes instead", "ksizes", module=_MODULE)
def extract_image_patches(
    images: TensorLike, ksizes: Any = None, strides: Any = None, rates: Any = None,
    padding: Any = None,
    name: Name = None, sizes: Any = None,
) -> Tensor:  # fmt: skip
    """The patches of images, each in the depth of where it is.

    Args:
      images: [batch, rows, columns, depth].
      ksizes: the old name of `sizes`.
      strides: how far patches are apart: [1, rows, columns, 1].
      rates: how far the elements of a patch are apart: [1, rows, columns, 1].
      padding: "SAME" or "VALID".
      name: the operation's name.
      sizes: the size of patches: [1, rows, columns, 1].

    Returns:
      [batch, new rows, new columns, patch rows * patch columns * channels].
    """
    sizes = renamed("sizes", sizes, "ksizes", ksizes)
    return raw_ops.ExtractImagePatches(images, sizes, strides, rates, padding, name=name)


@tf_export("image.extract_patches")
def extract_image_patches_v2(
    images: TensorLike, sizes: Any, strides: Any, rates: Any, padding: Any, name: Name = None
) -> Tensor:
    """As `extract_image_patches`.

    Args:
      images, sizes, strides, rates, padding: as in `extract_image_patches`.
      name: the operation's name.

    Returns:
      [batch, rows, columns, depth of a patch].
    """
    return raw_ops.ExtractImagePatches(images, sizes, strides, rates, padding, name=name)


@tf_export("extract_volume_patches")
def extract_volume_patches(
    input: TensorLike, ksizes: Any, strides: Any, padding: str, name: Name = None
) -> Tensor:
    """The patches of volumes [batch, planes, rows, columns, depth].

    Args:
      input: [batch, planes, rows, columns, depth].
      ksizes, strides: five ints, the first and last of which are 1.
      padding: "SAME" or "VALID".
      name: the operation's name.

    Returns:
      [batch, planes, rows, columns, depth of a patch].
    """
    return raw_ops.ExtractVolumePatches(input, ksizes, strides, padding, name=name)
