"""Layers of several inputs (`tensorflow.python.keras.layers.merge`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _exported(cls: Any) -> Any:
    return tf_export(f"keras.layers.{cls.__name__}")(cls)


def _broadcast(shape1: Any, shape2: Any) -> Any:
    """The shape of an element-wise operation."""
    if shape1 is None or shape2 is None:
        return None
    if len(shape1) < len(shape2):
        shape1, shape2 = shape2, shape1
    if not shape2:
        return shape1
    sizes = list(shape1[: -len(shape2)])
    for i, j in zip(shape1[-len(shape2) :], shape2, strict=True):
        if i is None or j is None:
            sizes.append(None)
        elif i == 1 or j == 1:
            sizes.append(j if i == 1 else i)
        elif i != j:
            raise ValueError(
                f"Operands could not be broadcast together with shapes {shape1} {shape2}"
            )
        else:
            sizes.append(i)
    return tuple(sizes)


def _without_batch(shapes: Any) -> Any:
    found = None if shapes[0] is None else shapes[0][1:]
    for shape in shapes[1:]:
        found = _broadcast(found, None if shape is None else shape[1:])
    return found


def _check_masks(inputs: Any, mask: TensorLike) -> None:
    if not isinstance(mask, list):
        raise ValueError("`mask` should be a list.")
    if not isinstance(inputs, list):
        raise ValueError("`inputs` should be a list.")
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")


class _Merge(Layer):
    """Combines inputs element by element; their shapes broadcast."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True

    def _merge_function(self, inputs: Any) -> Any:
        raise NotImplementedError

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Checks the shapes."""
        if not isinstance(input_shape, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError(
                "A merge layer should be called on a list of at least 2 inputs. Got "
                f"{len(input_shape)} inputs."
            )
        batches = {shape[0] for shape in input_shape if shape is not None} - {None}
        if len(batches) > 1:
            raise ValueError(
                "Can not merge tensors with different batch sizes. Got tensors with shapes : "
                f"{input_shape}"
            )
        _without_batch(input_shape)
        self._reshape_required = None in input_shape or len(set(map(len, input_shape))) != 1

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The combination."""
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if not self._reshape_required:
            return self._merge_function(inputs)
        ranks = [backend.ndim(x) for x in inputs]
        if None not in ranks:
            widest = max(ranks)
            widened = []
            for x, rank in zip(inputs, ranks, strict=True):
                for _ in range(widest - rank):
                    x = array_ops.expand_dims(x, axis=1)
                widened.append(x)
            return self._merge_function(widened)
        return self._merge_unknown_ranks(inputs)

    def _merge_unknown_ranks(self, inputs: Any) -> Any:
        """Moves the batch to the end, so that shapes broadcast."""
        moved, transposed = [], False
        for x in inputs:
            rank = backend.ndim(x)
            if rank is None:
                shape = array_ops.shape(x)
                batch = shape[0]
                new = backend.concatenate([shape[1:], array_ops.expand_dims(batch, axis=-1)])
                flat = array_ops.stack([batch, math_ops.reduce_prod(shape[1:])], axis=0)
                x = array_ops.transpose(array_ops.reshape(x, flat), perm=(1, 0))
                moved.append(array_ops.reshape(x, new))
                transposed = True
            elif rank > 1:
                moved.append(array_ops.transpose(x, perm=[*range(1, rank), 0]))
                transposed = True
            else:
                moved.append(x)
        y = self._merge_function(moved)
        rank = backend.ndim(y)
        if not transposed:
            return y
        if rank is None:
            shape = array_ops.shape(y)
            rank = array_ops.shape(shape)[0]
            batch = shape[rank - 1]
            new = backend.concatenate([array_ops.expand_dims(batch, axis=-1), shape[: rank - 1]])
            y = array_ops.reshape(y, (-1, batch))
            y = array_ops.transpose(y, perm=(1, 0))
            return array_ops.reshape(y, new)
        if rank > 1:
            return array_ops.transpose(y, perm=[rank - 1, *range(rank - 1)])
        return y

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape that the inputs broadcast to."""
        batches = {shape[0] for shape in input_shape if shape is not None} - {None}
        batch = batches.pop() if len(batches) == 1 else None
        return (batch, *_without_batch(input_shape))

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Where no input is masked."""
        if mask is None:
            return None
        _check_masks(inputs, mask)
        if all(m is None for m in mask):
            return None
        masks = [array_ops.expand_dims(m, axis=0) for m in mask if m is not None]
        return backend.all(backend.concatenate(masks, axis=0), axis=0, keepdims=False)


@_exported
class Add(_Merge):
    """The sum of a list of inputs."""

    def _merge_function(self, inputs: Any) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output += x
        return output


@_exported
class Subtract(_Merge):
    """The difference of two inputs."""

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Checks the shapes."""
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")

    def _merge_function(self, inputs: Any) -> Any:
        if len(inputs) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")
        return inputs[0] - inputs[1]


@_exported
class Multiply(_Merge):
    """The product of a list of inputs."""

    def _merge_function(self, inputs: Any) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output *= x
        return output


@_exported
class Average(_Merge):
    """The mean of a list of inputs."""

    def _merge_function(self, inputs: Any) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output += x
        return output / len(inputs)


@_exported
class Maximum(_Merge):
    """The maximum of a list of inputs."""

    def _merge_function(self, inputs: Any) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = math_ops.maximum(output, x)
        return output


@_exported
class Minimum(_Merge):
    """The minimum of a list of inputs."""

    def _merge_function(self, inputs: Any) -> Any:
        output = inputs[0]
        for x in inputs[1:]:
            output = math_ops.minimum(output, x)
        return output


@_exported
class Concatenate(_Merge):
    """A list of inputs, joined along an axis."""

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis
        self._reshape_required = False

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Checks the shapes."""
        if not isinstance(input_shape, list) or len(input_shape) < 2:
            raise ValueError(
                "A `Concatenate` layer should be called on a list of at least 2 inputs"
            )
        if all(shape is None for shape in input_shape):
            return
        others = set()
        for shape in input_shape:
            sizes = list(shape)
            del sizes[self.axis]
            others.add(tuple(sizes))
        if len(others) > 1:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concat "
                f"axis. Got inputs shapes: {input_shape}"
            )

    def _merge_function(self, inputs: Any) -> Any:
        return backend.concatenate(inputs, axis=self.axis)

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of an input, with the sizes along the axis added up."""
        if not isinstance(input_shape, list):
            raise ValueError("A `Concatenate` layer should be called on a list of inputs.")
        sizes = list(input_shape[0])
        joined = [shape[self.axis] for shape in input_shape]
        sizes[self.axis] = None if None in joined else sum(joined)
        return tuple(sizes)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The masks, joined."""
        if mask is None:
            return None
        _check_masks(inputs, mask)
        if all(m is None for m in mask):
            return None
        masks = []
        for x, m in zip(inputs, mask, strict=True):
            if m is None:
                masks.append(array_ops.ones_like(x, dtype="bool"))
            elif backend.ndim(m) < backend.ndim(x):
                masks.append(array_ops.expand_dims(m, axis=-1))
            else:
                masks.append(m)
        return backend.all(backend.concatenate(masks, axis=self.axis), axis=-1, keepdims=False)

    get_config = settings("axis")


@_exported
class Dot(_Merge):
    """The products of the samples of two inputs.

    Args:
      axes: over which axis of each to sum: one int or two.
      normalize: whether to scale to norm 1 along these before.
      **kwargs: see `Layer`.
    """

    def __init__(self, axes: TensorLike, normalize: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        if not isinstance(axes, int):
            if not isinstance(axes, list | tuple):
                raise TypeError("Invalid type for `axes` - should be a list or an int.")
            if len(axes) != 2:
                raise ValueError("Invalid format for `axes` - should contain two elements.")
            if not isinstance(axes[0], int) or not isinstance(axes[1], int):
                raise ValueError('Invalid format for `axes` - list elements should be "int".')
        self.axes = axes
        self.normalize = normalize
        self._reshape_required = False

    def _axes_of(self, ranks: Any) -> list[int]:
        """The axis of each input, of an int that may count from the end."""
        if not isinstance(self.axes, int):
            return list(self.axes)
        return [self.axes % rank if self.axes < 0 else self.axes for rank in ranks]

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Checks the shapes."""
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        shape1, shape2 = input_shape
        if shape1 is None or shape2 is None:
            return
        axes = self._axes_of(map(len, input_shape))
        if shape1[axes[0]] != shape2[axes[1]]:
            raise ValueError(
                f"Dimension incompatibility {shape1[axes[0]]} != {shape2[axes[1]]}. "
                f"Layer shapes: {shape1}, {shape2}"
            )

    def _merge_function(self, inputs: Any) -> Any:
        if len(inputs) != 2:
            raise ValueError("A `Dot` layer should be called on exactly 2 inputs")
        x1, x2 = inputs
        ranks = [backend.ndim(x) for x in inputs]
        axes = self._axes_of(ranks)
        axes = [a % rank if a < 0 else a for a, rank in zip(axes, ranks, strict=True)]
        if self.normalize:
            x1 = nn_impl.l2_normalize(x1, axis=axes[0])
            x2 = nn_impl.l2_normalize(x2, axis=axes[1])
        return backend.batch_dot(x1, x2, axes)

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The sizes that are left."""
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        shape1, shape2 = list(input_shape[0]), list(input_shape[1])
        axes = self._axes_of(map(len, input_shape))
        shape1.pop(axes[0])
        shape2.pop(axes[1])
        shape2.pop(0)
        sizes = shape1 + shape2
        return tuple(sizes if len(sizes) > 1 else [*sizes, 1])

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """None."""
        return None

    get_config = settings("axes", "normalize")


@tf_export("keras.layers.add")
def add(inputs: Any, **kwargs: Any) -> Any:
    """The sum of a list of tensors.

    Args:
      inputs: at least two tensors.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Add(**kwargs)(inputs)


@tf_export("keras.layers.subtract")
def subtract(inputs: Any, **kwargs: Any) -> Any:
    """The difference of two tensors.

    Args:
      inputs: two tensors of one shape.
      **kwargs: arguments of the layer.

    Returns:
      The first less the second.
    """
    return Subtract(**kwargs)(inputs)


@tf_export("keras.layers.multiply")
def multiply(inputs: Any, **kwargs: Any) -> Any:
    """The product of a list of tensors.

    Args:
      inputs: at least two tensors.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Multiply(**kwargs)(inputs)


@tf_export("keras.layers.average")
def average(inputs: Any, **kwargs: Any) -> Any:
    """The mean of a list of tensors.

    Args:
      inputs: at least two tensors.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Average(**kwargs)(inputs)


@tf_export("keras.layers.maximum")
def maximum(inputs: Any, **kwargs: Any) -> Any:
    """The maximum of a list of tensors.

    Args:
      inputs: at least two tensors.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Maximum(**kwargs)(inputs)


@tf_export("keras.layers.minimum")
def minimum(inputs: Any, **kwargs: Any) -> Any:
    """The minimum of a list of tensors.

    Args:
      inputs: at least two tensors.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Minimum(**kwargs)(inputs)


@tf_export("keras.layers.concatenate")
def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Any:
    """A list of tensors, joined along an axis.

    Args:
      inputs: at least two tensors of one shape but for the axis.
      axis: the axis.
      **kwargs: arguments of the layer.

    Returns:
      A tensor.
    """
    return Concatenate(axis=axis, **kwargs)(inputs)


@tf_export("keras.layers.dot")
def dot(inputs: Any, axes: TensorLike, normalize: bool = False, **kwargs: Any) -> Any:
    """The products of the samples of two tensors.

    Args:
      inputs: two tensors.
      axes, normalize: as in `Dot`.
      **kwargs: arguments of the layer.

    Returns:
      As `Dot`.
    """
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
