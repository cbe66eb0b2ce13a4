"""`tensorflow.compiler.xla.experimental.xla_sharding.xla_sharding`: which devices have what of a
tensor, said in an attr of its operation.

XLA heeds it for computations of several cores; here, as on TF's CPUs, one device has everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.formats import xla_data_pb2

_ATTR = "_XlaSharding"


class Sharding:
    """How a tensor is divided; made by one of the methods below.

    Args:
      proto: an `OpSharding` message; none says nothing.
    """

    def __init__(self, proto: Any = None):
        self._proto = proto

    @classmethod
    def replicate(cls) -> Sharding:
        """Every core has all of the tensor.

        Returns:
          A `Sharding`.
        """
        return cls(_message("REPLICATED"))

    @classmethod
    def assign_device(cls, core: int) -> Sharding:
        """One core has the tensor.

        Args:
          core: its number.

        Returns:
          A `Sharding`.
        """
        return cls(_message("MAXIMAL", [1], [core]))

    @classmethod
    def tile(cls, tile_assignment: np.ndarray) -> Sharding:
        """The tensor is cut into tiles.

        Args:
          tile_assignment: the core of each tile, an array of the tensor's rank.

        Returns:
          A `Sharding`.

        Raises:
          TypeError: it is no NumPy array.
        """
        if not isinstance(tile_assignment, np.ndarray):
            raise TypeError("Tile assignment must be of type np.ndarray")
        return cls(_message("OTHER", tile_assignment.shape, tile_assignment.flatten()))

    @classmethod
    def split(cls, tensor: Tensor, split_dimension: int, num_devices: int) -> Sharding:
        """The tensor is cut along one dimension; the cores 0, 1, … have the parts.

        Args:
          tensor: a tensor of known rank.
          split_dimension: which dimension.
          num_devices: into how many parts.

        Returns:
          A `Sharding`.

        Raises:
          ValueError: the dimension is smaller than the number of parts.
        """
        shape = tensor.shape.as_list()
        size = shape[split_dimension]
        if size is not None and size < num_devices:
            raise ValueError(
                "Split dimension was smaller than the required number of splits: "
                f"shape={shape!r}, dimension={split_dimension!r}, num_devices={num_devices!r}"
            )
        tiles = [1] * len(shape)
        tiles[split_dimension] = num_devices
        return cls(_message("OTHER", tiles, range(num_devices)))

    @property
    def proto(self) -> Any:
        """The `OpSharding` message."""
        return self._proto

    def apply_to_tensor(self, tensor: Tensor, assign_tuple_sharding: bool = False) -> None:
        """Writes it into the operation that gives a tensor.

        Args:
          tensor: the tensor.
          assign_tuple_sharding: whether to say it as one of the operation's outputs even where
            there is only one.
        """
        op, proto = tensor.op, self._proto
        if assign_tuple_sharding or len(op.outputs) > 1:
            proto = _message("TUPLE")
            proto.tuple_shardings.extend(_parts(op))
            proto.tuple_shardings[tensor.value_index].CopyFrom(self._proto)
        op._set_attr(_ATTR, to_attr_value(proto.SerializeToString(), "string"))


def _parts(op: Operation) -> list[Any]:
    """What is said so far of each output of an operation."""
    if _ATTR in op._attrs:
        said = xla_data_pb2.OpSharding.FromString(op.get_attr(_ATTR))
        if said.type == said.TUPLE:
            return list(said.tuple_shardings)
    return [_message("REPLICATED") for _ in op.outputs]


def _message(kind: str, tiles: Any = (), devices: Any = ()) -> Any:
    message = xla_data_pb2.OpSharding
    return message(
        type=getattr(message, kind),
        tile_assignment_dimensions=tiles,
        tile_assignment_devices=devices,
    )


def replicate(tensor: Tensor, assign_tuple_sharding: bool = False) -> Tensor:
    """As `Sharding.replicate`, of a tensor.

    Args:
      tensor: the tensor.
      assign_tuple_sharding: as in `Sharding.apply_to_tensor`.

    Returns:
      The tensor.
    """
    Sharding.replicate().apply_to_tensor(tensor, assign_tuple_sharding)
    return tensor


def assign_device(tensor: Tensor, device: int, assign_tuple_sharding: bool = False) -> Tensor:
    """As `Sharding.assign_device`, of a tensor.

    Args:
      tensor: the tensor.
      device: the number of the core.
      assign_tuple_sharding: as in `Sharding.apply_to_tensor`.

    Returns:
      The tensor.
    """
    Sharding.assign_device(device).apply_to_tensor(tensor, assign_tuple_sharding)
    return tensor


def tile(
    tensor: Tensor, tile_assignment: np.ndarray, assign_tuple_sharding: bool = False
) -> Tensor:
    """As `Sharding.tile`, of a tensor.

    Args:
      tensor: the tensor.
      tile_assignment: the core of each tile, an array of the tensor's rank.
      assign_tuple_sharding: as in `Sharding.apply_to_tensor`.

    Returns:
      The tensor.

    Raises:
      TypeError: `tile_assignment` is no NumPy array.
    """
    Sharding.tile(tile_assignment).apply_to_tensor(tensor, assign_tuple_sharding)
    return tensor


def split(
    tensor: Tensor, split_dimension: int, num_devices: int, assign_tuple_sharding: bool = False
) -> Tensor:
    """As `Sharding.split`, of a tensor.

    Args:
      tensor: a tensor of known rank.
      split_dimension: which dimension.
      num_devices: into how many parts.
      assign_tuple_sharding: as in `Sharding.apply_to_tensor`.

    Returns:
      The tensor.

    Raises:
      ValueError: the dimension is smaller than the number of parts.
    """
    sharding = Sharding.split(tensor, split_dimension, num_devices)
    sharding.apply_to_tensor(tensor, assign_tuple_sharding)
    return tensor
