"""How a tensor is divided among replicas (`tensorflow.python.tpu.tpu_sharding`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import Dimension, TensorShape


class ShardingPolicy:
    """Into how many parts a tensor is divided, and along which axis; neither is known at first."""

    def __init__(self) -> None:
        self._shards: int | None = None
        self._axis: Dimension | None = None
        self._frozen = False

    number_of_shards: int | None = attribute("_shards", "Into how many parts; None if not set.")
    shard_dimension: Dimension | None = attribute("_axis", "Along which axis; None if not set.")

    def __str__(self) -> str:
        if self._shards is None or self._axis is None:
            return "ShardingPolicy(unset)"
        return f"ShardingPolicy({self._shards} shards dimension {self._axis})"

    def freeze(self) -> None:
        """Allows no further change; what is not set is one part, and axis 0."""
        self._complete()
        self._frozen = True

    def _complete(self) -> tuple[int, Dimension]:
        """The parts and the axis, which are set if they are not."""
        if self._shards is None:
            self._shards = 1
        if self._axis is None:
            self._axis = Dimension(0)
        return self._shards, self._axis

    def set_number_of_shards(self, number_of_shards: int) -> None:
        """Sets into how many parts tensors are divided.

        Args:
          number_of_shards: how many.

        Raises:
          ValueError: there are none, or it was frozen with another number.
        """
        if self._frozen and number_of_shards != self._shards:
            raise ValueError(
                f"Can't set sharding policy to use {number_of_shards} shards since it has been "
                f"frozen to use {self._shards}."
            )
        if number_of_shards <= 0:
            raise ValueError(
                f"Can't set sharding policy to use {number_of_shards} shards; value must be >0"
            )
        self._shards = number_of_shards

    def set_shard_dimension(self, shard_dimension: Any) -> None:
        """Sets the axis.

        Args:
          shard_dimension: an int, or a `Dimension`.

        Raises:
          ValueError: it is neither, or it was frozen with another one.
        """
        if self._frozen:
            if self._axis != shard_dimension:
                raise ValueError(
                    f"Can't set shard dimension to {shard_dimension} since it has been frozen to "
                    f"use {self._axis}."
                )
            return
        self._axis = tensor_shape.as_dimension(shard_dimension)

    def merge(self, other: ShardingPolicy) -> None:
        """Takes over what another policy has set.

        Args:
          other: the policy.

        Raises:
          ValueError: this one was frozen, and differs.
        """
        if other.number_of_shards is not None:
            self.set_number_of_shards(other.number_of_shards)
        if other.shard_dimension is not None:
            self.set_shard_dimension(other.shard_dimension)

    def get_sharded_shape(self, shape: Any, shard_index: int | None = None) -> TensorShape | None:
        """The shape of a part.

        Args:
          shape: of the whole tensor.
          shard_index: of which part; all parts have the same shape.

        Returns:
          The shape; None while it is not set how tensors are divided.

        Raises:
          ValueError: there is no such part, or the shape can't be divided so.
        """
        shards, axis = self._shards, self._axis
        if shards is None or axis is None:
            return None
        if shard_index is not None and not 0 <= shard_index < shards:
            raise ValueError(f"shard_index {shard_index}, but must be in [0,{shards}).")
        whole = tensor_shape.as_shape(shape)
        if shards == 1:
            return whole
        dims, number = self._dims(whole)
        size = dims[number]
        if size is None:
            raise ValueError(
                f"shape {dims} must have a fixed size for dimension {number} that is known at "
                "graph construction time."
            )
        if size % shards:
            raise ValueError(
                f"shape {dims} cannot be sharded {shards} ways along dimension {number}"
            )
        dims[number] = size // shards
        return tensor_shape.as_shape(dims)

    def get_unsharded_shape(self, shapes: Any) -> TensorShape:
        """The shape of the tensor of which these are the parts.

        Args:
          shapes: of all parts.

        Returns:
          The shape.

        Raises:
          ValueError: there is another number of parts, or they do not fit.
        """
        shards, axis = self._complete()
        if len(shapes) != shards:
            raise ValueError(
                f"shapes is {shapes} but must be a list of length number_of_shards={shards}"
            )
        wholes = [self._whole(shape) for shape in shapes]
        if not all(whole.is_compatible_with(wholes[-1]) for whole in wholes):
            raise ValueError(
                f"sharded shapes {shapes} are not consistent shards of a full shape sharded "
                f"{shards} ways along dimension {axis}"
            )
        return wholes[0]

    def _whole(self, part: Any) -> TensorShape:
        shape = tensor_shape.as_shape(part)
        if self._shards == 1:
            return shape
        dims, number = self._dims(shape)
        size = dims[number]
        # TF, too, cannot multiply a size that is not known.
        dims[number] = size * self._shards  # type: ignore[operator]
        return tensor_shape.as_shape(dims)

    def _dims(self, shape: TensorShape) -> tuple[list[int | None], int]:
        """The sizes of a shape, and the number of the axis among them."""
        if shape.ndims is None:
            raise ValueError("shape must be a specified shape not Unknown")
        dims, number = shape.as_list(), int(self._axis)  # type: ignore[arg-type]
        if number >= len(dims):
            raise ValueError(f"shape {dims} does not contain shard_dimension {number}")
        return dims, number
