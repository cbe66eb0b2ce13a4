"""What the image functions check of their images, and how they take one image for a batch of it
(a part of TF's image_ops_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_RANK = "'image' must have either 3 or 4 dimensions."
_POSITIVE = "all dims of 'image.shape' must be > 0"


def is_tensor(value: TensorLike) -> bool:
    """Whether a size or an offset is known only when the graph runs."""
    return isinstance(value, Tensor | variables.Variable)


def require(condition: TensorLike, text: str) -> list[Any]:
    """The assertions that `condition`, a tensor, needs.

    Raises:
      ValueError: it is no tensor and does not hold.
    """
    if is_tensor(condition):
        return [control_flow_ops.Assert(condition, [text])]
    if not condition:
        raise ValueError(text)
    return []


def dimensions(image: Any, rank: int) -> list[Any]:
    """The sizes of an image: ints where they are static, else scalar tensors."""
    if image.get_shape().is_fully_defined():
        return image.get_shape().as_list()
    static = image.get_shape().with_rank(rank).as_list()
    dynamic = array_ops.unstack(array_ops.shape(image), rank)
    return [d if s is None else s for s, d in zip(static, dynamic)]


def check_image(image: Any) -> list[Any]:
    """The assertions that make sure that a tensor has three dimensions or more, none of them empty.

    Raises:
      ValueError: its static shape says that it hasn't.
    """
    try:
        if image.get_shape().ndims is None:
            shape = image.get_shape().with_rank(3)
        else:
            shape = image.get_shape().with_rank_at_least(3)
    except ValueError:
        raise ValueError("'image' must be at least three-dimensional.") from None
    if any(size == 0 for size in shape):
        raise ValueError(f"{_POSITIVE}: {shape}")
    if shape.is_fully_defined():
        return []
    return [
        check_ops.assert_positive(array_ops.shape(image), [f"{_POSITIVE}."]),
        check_ops.assert_greater_equal(
            array_ops.rank(image), 3, message="'image' must be at least three-dimensional."
        ),
    ]


def checked_image(image: TensorLike) -> Tensor:
    """The image, after the assertions of `check_image`."""
    return control_flow_ops.with_dependencies(check_image(image), image)


def checked_grayscale(image: Any) -> Tensor:
    """The image, after the assertions that it has one channel.

    Raises:
      ValueError: its static shape says that it hasn't.
    """
    few, one = (
        "A grayscale image must be at least two-dimensional.",
        "Last dimension of a grayscale image should be size 1.",
    )
    try:
        if image.get_shape().ndims is None:
            shape = image.get_shape().with_rank(2)
        else:
            shape = image.get_shape().with_rank_at_least(2)
    except ValueError:
        raise ValueError(few) from None
    if shape.is_fully_defined():
        if shape[-1] != 1:
            raise ValueError(one)
        return control_flow_ops.with_dependencies([], image)
    checks = [
        check_ops.assert_equal(array_ops.shape(image)[-1], 1, message=one),
        check_ops.assert_greater_equal(array_ops.rank(image), 3, message=few),
    ]
    return control_flow_ops.with_dependencies(checks, image)


def by_rank(image: Any, one: Any, many: Any) -> Any:
    """`one()` for an image (or what may be one), `many()` for a batch.

    Raises:
      ValueError: the image has another rank.
    """
    rank = image.get_shape().ndims
    if rank == 3 or rank is None:
        return one()
    if rank == 4:
        return many()
    raise ValueError(_RANK)


def as_batch(image: TensorLike) -> tuple[Tensor, bool]:
    """The image as a batch, and whether it was one already.

    Raises:
      ValueError: it has neither 3 nor 4 dimensions.
    """
    image = ops.convert_to_tensor(image, name="image")
    rank = image.get_shape().ndims
    if rank == 4:
        return image, True
    if rank not in (3, None):
        raise ValueError(_RANK)
    batch = array_ops.expand_dims(image, 0)
    if rank is None:
        batch.set_shape([None] * 4)
    return batch, False


def unbatched(batch: Tensor, was_batch: bool) -> Tensor:
    """The inverse of `as_batch`."""
    return batch if was_batch else array_ops.squeeze(batch, axis=[0])
