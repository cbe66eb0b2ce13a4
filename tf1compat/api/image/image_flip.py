"""Flipping and turning images (a part of TF's image_ops_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_case, control_flow_ops
from tf1compat.api.image.image_checks import by_rank, checked_image
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def fix_image_flip_shape(image: Any, result: Any) -> Any:
    """Gives what was flipped the static shape of the image; rank 3 where that is unknown."""
    shape = image.get_shape()
    result.set_shape([None, None, None] if shape.ndims is None else shape)
    return result


def _random_flip(image: TensorLike, axis: int, seed: Any, scope: str) -> Tensor:
    with ops.name_scope(None, scope, [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        image = checked_image(image)

        def one() -> Tensor:
            drawn = random_ops.random_uniform([], 0, 1.0, seed=seed)
            flip = math_ops.less(drawn, 0.5)
            result = control_flow_ops.cond(
                flip, lambda: array_ops.reverse(image, [axis]), lambda: image, name=name
            )
            return fix_image_flip_shape(image, result)

        def many() -> Tensor:
            batch = array_ops.shape(image)[0]
            drawn = random_ops.random_uniform([batch], 0, 1.0, seed=seed)
            drawn = array_ops.reshape(drawn, [batch, 1, 1, 1])
            flips = math_ops.cast(math_ops.round(drawn), image.dtype)
            return flips * array_ops.reverse(image, [axis + 1]) + (1 - flips) * image

        return by_rank(image, one, many)


@tf_export("image.random_flip_up_down")
def random_flip_up_down(image: TensorLike, seed: int | None = None) -> Tensor:
    """Turns images upside down, each with probability 1/2.

    Args:
      image: [rows, columns, channels], or a batch of such.
      seed: see `tf.set_random_seed`.

    Returns:
      A tensor like `image`.

    Raises:
      ValueError: the image has another rank.
    """
    return _random_flip(image, 0, seed, "random_flip_up_down")


@tf_export("image.random_flip_left_right")
def random_flip_left_right(image: TensorLike, seed: int | None = None) -> Tensor:
    """Mirrors images, each with probability 1/2; as `random_flip_up_down`.

    Args:
      image: [height, width, channels] or [batch, height, width, channels].
      seed: the operation's seed, beside the graph's.

    Returns:
      A tensor like `image`.
    """
    return _random_flip(image, 1, seed, "random_flip_left_right")


def _flip(image: TensorLike, axis: int, scope: str) -> Tensor:
    with ops.name_scope(None, scope, [image]):
        image = ops.convert_to_tensor(image, name="image")
        image = checked_image(image)
        return by_rank(
            image,
            lambda: fix_image_flip_shape(image, array_ops.reverse(image, [axis])),
            lambda: array_ops.reverse(image, [axis + 1]),
        )


@tf_export("image.flip_left_right")
def flip_left_right(image: TensorLike) -> Tensor:
    """Mirrors images.

    Args:
      image: [rows, columns, channels], or a batch of such.

    Returns:
      A tensor like `image`.

    Raises:
      ValueError: the image has another rank.
    """
    return _flip(image, 1, "flip_left_right")


@tf_export("image.flip_up_down")
def flip_up_down(image: TensorLike) -> Tensor:
    """Turns images upside down; as `flip_left_right`.

    Args:
      image: [height, width, channels] or [batch, height, width, channels].

    Returns:
      A tensor like `image`.
    """
    return _flip(image, 0, "flip_up_down")


@tf_export("image.rot90")
def rot90(image: TensorLike, k: TensorLike = 1, name: Name = None) -> Tensor:
    """Turns images counter-clockwise by right angles.

    Args:
      image: [rows, columns, channels], or a batch of such.
      k: an int32 scalar, how many times.
      name: the scope's name.

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the image has another rank.
    """
    with ops.name_scope(name, "rot90", [image, k]) as scope:
        image = ops.convert_to_tensor(image, name="image")
        image = checked_image(image)
        k = ops.convert_to_tensor(k, dtype=dtypes.int32, name="k")
        k.get_shape().assert_has_rank(0)
        k = math_ops.mod(k, 4)
        return by_rank(
            image, lambda: _turned(image, k, 0, scope), lambda: _turned(image, k, 1, scope)
        )


def _turned(image: Any, k: Any, batch: int, scope: Any) -> Tensor:
    """The image turned `k` times; `batch` dimensions come before its rows."""
    rows, columns = batch, batch + 1
    order = [*range(batch), columns, rows, batch + 2]

    def once() -> Tensor:
        return array_ops.transpose(array_ops.reverse_v2(image, [columns]), order)

    def twice() -> Tensor:
        return array_ops.reverse_v2(image, [rows, columns])

    def thrice() -> Tensor:
        return array_ops.reverse_v2(array_ops.transpose(image, order), [columns])

    cases = [(math_ops.equal(k, i), turn) for i, turn in ((1, once), (2, twice), (3, thrice))]
    result = control_flow_case.case(cases, default=lambda: image, exclusive=True, name=scope)
    if batch:
        shape = result.get_shape()
        result.set_shape([shape[0], None, None, shape[3]])
    else:
        result.set_shape([None, None, image.get_shape()[2]])
    return result


@tf_export("image.transpose", "image.transpose_image")
def transpose(image: TensorLike, name: Any = None) -> Tensor:
    """Swaps the rows and columns of images.

    Args:
      image: [rows, columns, channels], or a batch of such.
      name: the operation's name.

    Returns:
      A tensor of the rank and dtype of `image`.

    Raises:
      ValueError: the image has another rank.
    """
    with ops.name_scope(name, "transpose", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image = checked_image(image)
        return by_rank(
            image,
            lambda: array_ops.transpose(image, [1, 0, 2], name=name),
            lambda: array_ops.transpose(image, [0, 2, 1, 3], name=name),
        )
