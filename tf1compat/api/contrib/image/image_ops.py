"""`tensorflow.contrib.image`: images turned, moved and projected."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, ShapeLike, TensorLike

_IMAGE_DTYPES = {
    dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64,
}  # fmt: skip


def _as_batch(image: Tensor) -> Tensor:
    """Images [batch, rows, columns, channels] of what may have no batch, or no channels."""
    if image.dtype.base_dtype not in _IMAGE_DTYPES:
        raise TypeError(f"Invalid dtype {image.dtype}.")
    rank = image.get_shape().ndims
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank == 2:
        return image[None, :, :, None]
    if rank == 3:
        return image[None, :, :, :]
    if rank == 4:
        return image
    raise TypeError("Images should have rank between 2 and 4.")


def _unbatched(output: Tensor, image: Tensor) -> Tensor:
    """The inverse of `_as_batch`."""
    rank = image.get_shape().ndims
    if rank == 2:
        return output[0, :, :, 0]
    return output[0, :, :, :] if rank == 3 else output


@tf_export("contrib.image.rotate")
def rotate(
    images: TensorLike, angles: Any, interpolation: str = "NEAREST", name: Name = None
) -> Tensor:
    """Turns images counter-clockwise about their centres.

    Args:
      images: [batch, rows, columns, channels], [rows, columns, channels] or [rows, columns].
      angles: a float scalar, or one for each image, in radians.
      interpolation: "NEAREST" or "BILINEAR".
      name: the scope's name.

    Returns:
      A tensor like `images`; what was outside is 0.

    Raises:
      TypeError: the images have another dtype or rank.
    """
    with ops.name_scope(name, "rotate"):
        image = ops.convert_to_tensor(images)
        batch = _as_batch(image)
        height = math_ops.cast(array_ops.shape(batch)[1], dtypes.float32)[None]
        width = math_ops.cast(array_ops.shape(batch)[2], dtypes.float32)[None]
        transforms = angles_to_projective_transforms(angles, height, width)
        return _unbatched(transform(batch, transforms, interpolation=interpolation), image)


@tf_export("contrib.image.translate")
def translate(
    images: TensorLike, translations: Any, interpolation: str = "NEAREST", name: Name = None
) -> Tensor:
    """Moves images.

    Args:
      images, interpolation, name: as in `rotate`.
      translations: [dx, dy], or one such for each image.

    Returns:
      A tensor like `images`; what was outside is 0.
    """
    with ops.name_scope(name, "translate"):
        return transform(
            images, translations_to_projective_transforms(translations), interpolation=interpolation
        )


@tf_export("contrib.image.angles_to_projective_transforms")
def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: Name = None
) -> Tensor:
    """The transforms that turn images of some height and width by angles.

    Args:
      angles: radians, counterclockwise, a scalar or [images].
      image_height, image_width: scalars of the angles' dtype.
      name: the operation's name.

    Returns:
      float32 [angles, 8], for `transform`.
    """
    with ops.name_scope(name, "angles_to_projective_transforms"):
        angles = ops.convert_to_tensor(angles, name="angles", dtype=dtypes.float32)
        rank = len(angles.get_shape())
        if rank not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        if rank == 0:
            angles = angles[None]
        cos, sin = math_ops.cos, math_ops.sin
        x = (
            (image_width - 1) - (cos(angles) * (image_width - 1) - sin(angles) * (image_height - 1))
        ) / 2.0
        y = (
            (image_height - 1)
            - (sin(angles) * (image_width - 1) + cos(angles) * (image_height - 1))
        ) / 2.0
        count = array_ops.shape(angles)[0]
        values = [
            cos(angles)[:, None],
            -sin(angles)[:, None],
            x[:, None],
            sin(angles)[:, None],
            cos(angles)[:, None],
            y[:, None],
            array_ops.zeros((count, 2), dtypes.float32),
        ]
        return array_ops.concat(values=values, axis=1)


@tf_export("contrib.image.translations_to_projective_transforms")
def translations_to_projective_transforms(translations: Any, name: Name = None) -> Tensor:
    """The transforms that move images by [dx, dy], or by [images, 2].

    Args:
      translations: [2] or [images, 2].
      name: the operation's name.

    Returns:
      float32 [images, 8], for `transform`.
    """
    with ops.name_scope(name, "translations_to_projective_transforms"):
        moves = ops.convert_to_tensor(translations, name="translations", dtype=dtypes.float32)
        rank = moves.get_shape().ndims
        if rank is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if rank not in (1, 2):
            raise TypeError("Translations should have rank 1 or 2.")
        if rank == 1:
            moves = moves[None]
        count = array_ops.shape(moves)[0]

        def of_all(make: Any, columns: int = 1) -> Tensor:
            return make((count, columns), dtypes.float32)

        ones, zeros = array_ops.ones, array_ops.zeros
        rows = [of_all(ones), of_all(zeros), -moves[:, 0, None]]
        rows += [of_all(zeros), of_all(ones), -moves[:, 1, None]]
        return array_ops.concat(values=[*rows, of_all(zeros, 2)], axis=1)


@tf_export("contrib.image.transform")
def transform(
    images: TensorLike,
    transforms: Any,
    interpolation: str = "NEAREST",
    output_shape: ShapeLike | None = None,
    name: Name = None,
) -> Tensor:
    """Projects images: the pixel (x, y) of the result is that at ((a0 x + a1 y + a2) / k,
    (b0 x + b1 y + b2) / k) of the image, where k = c0 x + c1 y + 1.

    Args:
      images, interpolation, name: as in `rotate`.
      transforms: float32 [8]: a0, a1, a2, b0, b1, b2, c0, c1, or [images, 8].
      output_shape: int32 [2], the rows and columns of the result; those of the images if None.

    Returns:
      A tensor of the rank and dtype of `images`; what is outside is 0.

    Raises:
      TypeError: the images or transforms have another dtype or rank.
      ValueError: the output shape has another form.
    """
    with ops.name_scope(name, "transform"):
        image = ops.convert_to_tensor(images, name="images")
        transforms = ops.convert_to_tensor(transforms, name="transforms", dtype=dtypes.float32)
        batch = _as_batch(image)
        if output_shape is None:
            output_shape = array_ops.shape(batch)[1:3]
            if not context.executing_eagerly():
                known = tensor_util.constant_value(output_shape)
                output_shape = output_shape if known is None else known
        output_shape = ops.convert_to_tensor(output_shape, dtypes.int32, name="output_shape")
        if not output_shape.get_shape().is_compatible_with([2]):
            raise ValueError(
                "output_shape must be a 1-D Tensor of 2 elements: new_height, new_width"
            )
        output = raw_ops.ImageProjectiveTransformV2(
            batch,
            output_shape=output_shape,
            transforms=_several(transforms),
            interpolation=interpolation.upper(),
        )
        return _unbatched(output, image)


def _several(transforms: Tensor) -> Tensor:
    rank = len(transforms.get_shape())
    if rank == 1:
        return transforms[None]
    if rank == 2:
        return transforms
    raise TypeError("Transforms should have rank 1 or 2.")


@tf_export("contrib.image.compose_transforms")
def compose_transforms(*transforms: Any) -> Tensor:
    """The transform that does what `transforms` do one after the other.

    Args:
      *transforms: float32 [8] or [images, 8] each.

    Returns:
      [images, 8].
    """
    assert transforms, "transforms cannot be empty"
    with ops.name_scope("compose_transforms"):
        matrices = map(flat_transforms_to_matrices, transforms)
        return matrices_to_flat_transforms(functools.reduce(math_ops.matmul, matrices))


@tf_export("contrib.image.flat_transforms_to_matrices")
def flat_transforms_to_matrices(transforms: Any) -> Tensor:
    """Transforms [8] or [images, 8] as matrices [images, 3, 3].

    Args:
      transforms: [8] or [images, 8].

    Returns:
      [images, 3, 3]; the last element of each is 1.
    """
    with ops.name_scope("flat_transforms_to_matrices"):
        transforms = ops.convert_to_tensor(transforms, name="transforms")
        if transforms.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms!s}")
        transforms = array_ops.reshape(transforms, constant_op.constant([-1, 8]))
        count = array_ops.shape(transforms)[0]
        full = array_ops.concat([transforms, array_ops.ones([count, 1])], axis=1)
        return array_ops.reshape(full, constant_op.constant([-1, 3, 3]))


@tf_export("contrib.image.matrices_to_flat_transforms")
def matrices_to_flat_transforms(transform_matrices: Any) -> Tensor:
    """The inverse of `flat_transforms_to_matrices`.

    Args:
      transform_matrices: [3, 3] or [images, 3, 3].

    Returns:
      [images, 8], divided by the last element of each.
    """
    with ops.name_scope("matrices_to_flat_transforms"):
        matrices = ops.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices!s}")
        transforms = array_ops.reshape(matrices, constant_op.constant([-1, 9]))
        transforms /= transforms[:, 8:9]
        return transforms[:, :8]


def projective_gradient(op: Any, grad: Any) -> list[Any]:
    """The gradient of ImageProjectiveTransformV2: the image of `grad` by the inverse transform."""
    image, transforms = op.inputs[0], op.inputs[1]
    if image.dtype.base_dtype not in _IMAGE_DTYPES:
        raise TypeError(f"Invalid dtype {image.dtype}.")
    matrices = flat_transforms_to_matrices(transforms=_several(transforms))
    inverse = raw_ops.MatrixInverse(matrices)
    transforms = matrices_to_flat_transforms(inverse)
    output = raw_ops.ImageProjectiveTransformV2(
        images=grad,
        transforms=transforms,
        output_shape=array_ops.shape(image)[1:3],
        interpolation=op.get_attr("interpolation"),
    )
    return [output, None, None]


@tf_export("contrib.image.bipartite_match")
def bipartite_match(
    distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str = "bipartite_match"
) -> Any:
    """Matches rows and columns, the nearest pairs first.

    Args:
      distance_mat: float32 [rows, columns].
      num_valid_rows: a scalar or one element, how many rows take part; all if negative.
      top_k: how many pairs there are at most; no limit if negative.
      name: the operation's name.

    Returns:
      The column of each row and the row of each column, int32, -1 where there is none.
    """
    return raw_ops.BipartiteMatch(distance_mat, num_valid_rows, top_k, name=name)


@tf_export("contrib.image.connected_components")
def connected_components(images: TensorLike) -> Tensor:
    """Labels parts of images whose pixels are neighbours and have one value.

    Args:
      images: bools or numbers [rows, columns], or [images, rows, columns].

    Returns:
      int32 of the same shape: the number of the pixel's component, from 1 on in the order of their
      first pixels; 0 where the image is 0.

    Raises:
      TypeError: the images have another rank.
    """
    with ops.name_scope("connected_components"):
        given = ops.convert_to_tensor(images, name="images")
        rank = len(given.get_shape())
        if rank not in (2, 3):
            raise TypeError(
                f"images should have rank 2 (HW) or 3 (NHW). Static shape is {given.get_shape()}"
            )
        components = raw_ops.ImageConnectedComponents(given[None, :, :] if rank == 2 else given)
        numbers, places = array_ops.unique(array_ops.reshape(components, [-1]))
        zeros = array_ops.where_v2(math_ops.equal(numbers, 0))[:, 0]
        consecutive = math_ops.range(array_ops.shape(numbers)[0] - array_ops.shape(zeros)[0]) + 1

        def with_zero() -> Tensor:
            at = math_ops.cast(zeros[0], dtypes.int32)
            before, after = consecutive[:at], consecutive[at:]
            return array_ops.concat([before, [0], after], axis=0)

        new = control_flow_ops.cond(
            math_ops.equal(array_ops.shape(zeros)[0], 0), lambda: consecutive, with_zero
        )
        found = array_ops.reshape(array_ops.gather(new, places), array_ops.shape(components))
        return found[0, :, :] if rank == 2 else found
