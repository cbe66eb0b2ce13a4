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
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike

_RANK = "'image' must have either 3 or 4 dimensions."
_POSITIVE = "all dims of 'image.shape' must be > 0"


def is_tensor(value: TensorLike) -> bool:
    """Whether a size or an offset is known only when the graph runs."""
    return isinstance(value, Tensor | variables.Variable)


def _assert(cond: TensorLike, ex_type: type[Exception], msg: str) -> list[Any]:
    """The assertions that a condition needs if it is a tensor; else it has to hold.

    Raises:
      Exception: one of class `ex_type`, if it is no tensor and does not hold.
    """
    if is_tensor(cond):
        return [control_flow_ops.Assert(cond, [msg])]
    if not cond:
        raise ex_type(msg)
    return []


def require(condition: TensorLike, text: str) -> list[Any]:
    """The assertions that a condition needs: `_assert`, with a ValueError."""
    return _assert(condition, ValueError, text)


def dimensions(image: Any, rank: int) -> list[Any]:
    """The sizes of an image: ints where they are static, else scalar tensors."""
    if image.get_shape().is_fully_defined():
        return image.get_shape().as_list()
    static = image.get_shape().with_rank(rank).as_list()
    dynamic = array_ops.unstack(array_ops.shape(image), rank)
    return [d if s is None else s for s, d in zip(static, dynamic)]


def _Check3DImage(image: Any, require_static: bool = True) -> list[Any]:  # noqa: N802 - TF's name
    """The assertions that make sure that a tensor has three dimensions, none of them empty.

    Args:
      image: the tensor.
      require_static: whether its static shape has to be known.

    Raises:
      ValueError: its static shape says that it hasn't.
    """
    try:
        shape = image.get_shape().with_rank(3)
    except ValueError:
        raise ValueError(f"'image' (shape {image.shape}) must be three-dimensional.") from None
    if require_static and not shape.is_fully_defined():
        raise ValueError(f"'image' (shape {shape}) must be fully defined.")
    return _check_sizes(image, shape)


def _Assert3DImage(image: TensorLike) -> Tensor:  # noqa: N802 - TF's name
    """The image, after the assertions of `_Check3DImage`."""
    return control_flow_ops.with_dependencies(_Check3DImage(image, require_static=False), image)


def _check_sizes(image: Any, shape: TensorShape) -> list[Any]:
    if any(size == 0 for size in shape):
        raise ValueError(f"{_POSITIVE}: {shape}")
    if shape.is_fully_defined():
        return []
    return [check_ops.assert_positive(array_ops.shape(image), [f"{_POSITIVE}."])]


def check_image(image: Any) -> list[Any]:
    """The assertions of an image that may be of a batch, whose static shape need not be known."""
    return _CheckAtLeast3DImage(image, require_static=False)


def _CheckAtLeast3DImage(  # noqa: N802 - TF's name
    image: Any, require_static: bool = True
) -> list[Any]:
    """As `_Check3DImage`, of a tensor with three dimensions or more."""
    try:
        if image.get_shape().ndims is None:
            shape = image.get_shape().with_rank(3)
        else:
            shape = image.get_shape().with_rank_at_least(3)
    except ValueError:
        raise ValueError("'image' must be at least three-dimensional.") from None
    if require_static and not shape.is_fully_defined():
        raise ValueError("'image' must be fully defined.")
    checks = _check_sizes(image, shape)
    if checks:
        checks.append(
            check_ops.assert_greater_equal(
                array_ops.rank(image), 3, message="'image' must be at least three-dimensional."
            )
        )
    return checks


def checked_image(image: TensorLike) -> Tensor:
    """The image, after the assertions of `check_image`."""
    return control_flow_ops.with_dependencies(check_image(image), image)


def checked_grayscale(image: Any) -> Tensor:
    """The image, after the assertions of `_CheckGrayscaleImage`."""
    checks = _CheckGrayscaleImage(image, require_static=False)
    return control_flow_ops.with_dependencies(checks, image)


def _CheckGrayscaleImage(  # noqa: N802 - TF's name
    image: Any, require_static: bool = True
) -> list[Any]:
    """The assertions that make sure that an image has one channel.

    Args:
      image: two or more dimensions.
      require_static: whether its static shape has to be known.

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
    if require_static and not shape.is_fully_defined():
        raise ValueError("'image' must be fully defined.")
    if shape.is_fully_defined():
        return _assert(shape[-1] == 1, ValueError, one)
    return [
        check_ops.assert_equal(array_ops.shape(image)[-1], 1, message=one),
        check_ops.assert_greater_equal(array_ops.rank(image), 3, message=few),
    ]


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
