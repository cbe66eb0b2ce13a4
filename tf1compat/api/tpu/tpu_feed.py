"""Queues from a host to its devices (`tensorflow.python.tpu.tpu_feed`).

They are recorded only: no device here has kernels for them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.tpu import tpu, tpu_sharding
from tf1compat.api.tpu.ops import tpu_ops
from tf1compat.core import dtypes, ops, raw_ops, tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

# A host of TPUs has so many of them.
_DEVICES_OF_A_HOST = 8


@tf_export("contrib.tpu.InfeedQueue")
class InfeedQueue:
    """A queue of tuples of tensors, each of which is divided among replicas.

    Args:
      number_of_tuple_elements: how many tensors a tuple has; by default as many as the lists say.
      tuple_types: their dtypes.
      tuple_shapes: their shapes.
      shard_dimensions: the axes along which they are divided.
      name: of the operations.

    Raises:
      ValueError: it is not said how many tensors there are, or lists differ in length.
      TypeError: there is something that is no dtype, or no shape.
    """

    def __init__(
        self, number_of_tuple_elements: int | None = None, tuple_types: Any = None,
        tuple_shapes: Any = None, shard_dimensions: Any = None, name: Name = None,
    ):  # fmt: skip
        self._name = "InfeedQueue" if name is None else name
        self._frozen = False
        self._made: set[str] = set()
        self._types: list[dtypes.DType] | None = None
        self._shapes: list[tensor_shape.TensorShape] | None = None
        count = number_of_tuple_elements
        if count is None:
            given = [x for x in (tuple_types, tuple_shapes, shard_dimensions) if x is not None]
            if not given:
                raise ValueError(
                    "number of tuple elements cannot be inferred from InfeedQueue constructor"
                )
            count = len(given[0])
        if count <= 0:
            raise ValueError(f"number_of_tuple_elements {count} must be > 0")
        self._policies = [tpu_sharding.ShardingPolicy() for _ in range(count)]
        for value, setter in (
            (tuple_types, self.set_tuple_types),
            (tuple_shapes, self.set_tuple_shapes),
            (shard_dimensions, self.set_shard_dimensions),
        ):
            if value is not None:
                setter(value)

    tuple_types: list[dtypes.DType] | None = attribute("_types", "The dtypes; None if not set.")
    tuple_shapes: list[tensor_shape.TensorShape] | None = attribute(
        "_shapes", "The shapes of whole tensors; None if not set."
    )
    sharding_policies: list[tpu_sharding.ShardingPolicy] = attribute(
        "_policies", "How each tensor is divided."
    )

    @property
    def number_of_tuple_elements(self) -> int:
        """How many tensors a tuple has."""
        return len(self._policies)

    @property
    def shard_dimensions(self) -> list[Any]:
        """Along which axis each tensor is divided; None where that is not set."""
        return [policy.shard_dimension for policy in self._policies]

    @property
    def number_of_shards(self) -> int | None:
        """Into how many parts tensors are divided; None if not set."""
        return self._policies[0].number_of_shards

    def set_tuple_types(self, tuple_types: Any) -> None:
        """Sets the dtypes.

        Args:
          tuple_types: one for each tensor.

        Raises:
          ValueError: there are more or fewer, or others than the frozen ones.
          TypeError: one is no dtype.
        """
        self._check_length("tuple_types", tuple_types)
        if self._frozen:
            return self._check_frozen("type", self._types, tuple_types)
        try:
            self._types = [dtypes.as_dtype(dtype) for dtype in tuple_types]
        except TypeError as error:
            raise TypeError(
                f"tuple_types is {tuple_types}, but must be a list of elements each convertible to "
                f"dtype: got error {error}"
            ) from None

    def set_tuple_shapes(self, tuple_shapes: Any) -> None:
        """Sets the shapes of whole tensors.

        Args:
          tuple_shapes: one for each tensor.

        Raises:
          ValueError: there are more or fewer, or others than the frozen ones, or they can't be
            divided as they should.
          TypeError: one is no shape.
        """
        self._check_length("tuple_shapes", tuple_shapes)
        try:
            shapes = [tensor_shape.as_shape(shape) for shape in tuple_shapes]
        except (ValueError, TypeError) as error:
            raise TypeError(
                f"tuple_shapes is {tuple_shapes}, but must be a list of elements each convertible "
                f"to TensorShape: got error {error}"
            ) from None
        if self._frozen:
            self._check_frozen("shape", self._shapes, shapes)
        else:
            self._shapes = shapes
        self._parts()

    def set_shard_dimensions(self, shard_dimensions: Any) -> None:
        """Sets the axes along which tensors are divided.

        Args:
          shard_dimensions: one for each tensor.

        Raises:
          ValueError: there are more or fewer, or the shapes can't be divided so.
        """
        self._check_length("shard_dimensions", shard_dimensions)
        for policy, axis in zip(self._policies, shard_dimensions, strict=True):
            policy.set_shard_dimension(axis)
        self._parts()

    def set_number_of_shards(self, number_of_shards: int) -> None:
        """Sets into how many parts tensors are divided.

        Args:
          number_of_shards: how many.

        Raises:
          ValueError: there are none, it was frozen with another number, or the shapes can't be
            divided so.
        """
        for policy in self._policies:
            policy.set_number_of_shards(number_of_shards)
        self._parts()

    def set_configuration_from_input_tensors(self, input_tensors: Any) -> None:
        """Sets dtypes and shapes as tensors have them.

        Args:
          input_tensors: whole tensors.

        Raises:
          ValueError: there are more or fewer than a tuple has.
        """
        if len(input_tensors) != self.number_of_tuple_elements:
            raise ValueError(
                f"input_tensors is {input_tensors}, but should be a list of "
                f"{self.number_of_tuple_elements} Tensors"
            )
        self.set_tuple_shapes([tensor.shape for tensor in input_tensors])
        self.set_tuple_types([tensor.dtype for tensor in input_tensors])

    def set_configuration_from_sharded_input_tensors(self, input_tensors: Any) -> None:
        """Sets dtypes, shapes and the number of parts as the parts of tensors have them.

        Args:
          input_tensors: for each replica a list of its parts.

        Raises:
          ValueError: a list has more or fewer than a tuple, or parts do not fit together.
          TypeError: replicas have parts of other dtypes.
        """
        if not self._frozen:
            self._shapes = None
        self.set_number_of_shards(len(input_tensors))
        count = self.number_of_tuple_elements
        if any(len(parts) != count for parts in input_tensors):
            raise ValueError(
                f"input_tensors is {input_tensors} but must be a list of lists, where each inner "
                f"list has length number_of_tuple_elements={count}"
            )
        self.set_tuple_shapes(
            [
                policy.get_unsharded_shape([part.shape for part in parts])
                for policy, parts in zip(self._policies, zip(*input_tensors), strict=True)
            ]
        )
        types = [[part.dtype for part in parts] for parts in input_tensors]
        if any(others != types[0] for others in types):
            raise TypeError(
                f"types of the tuple elements of input_tensors {input_tensors} are not consistent"
            )
        self.set_tuple_types(types[0])

    def freeze(self) -> None:
        """Allows no further change.

        Raises:
          ValueError: dtypes or shapes are not set.
        """
        self._frozen = True
        if self._types is None:
            raise ValueError("Can't freeze an InfeedQueue without setting all tuple types.")
        if self._shapes is None or any(shape.dims is None for shape in self._shapes):
            raise ValueError("Can't freeze an InfeedQueue without setting all tuple shapes.")
        for policy in self._policies:
            policy.freeze()
        self._parts()

    def generate_dequeue_op(self, tpu_device: int | None = 0) -> Any:
        """Records what takes a tuple on a device. Freezes the queue.

        Args:
          tpu_device: which of a replica's devices; None to leave that to the scope around.

        Returns:
          The tensors of a replica.

        Raises:
          ValueError: dtypes or shapes are not set, or there is such an operation already.
        """
        self.freeze()
        self._once("dequeue")
        placed = (
            contextlib.nullcontext() if tpu_device is None else ops.device(tpu.core(tpu_device))
        )
        with placed:
            return tpu_ops.infeed_dequeue_tuple(
                dtypes=self._types, shapes=self._parts(), name=f"{self._name}/dequeue"
            )

    def generate_enqueue_ops(
        self, sharded_inputs: Any, tpu_ordinal_function: Callable[[int], int] | None = None,
        placement_function: Callable[[int], Any] | None = None,
    ) -> list[Operation]:  # fmt: skip
        """Records what gives each replica its tuple. Freezes the queue.

        Args:
          sharded_inputs: for each replica a list of its parts.
          tpu_ordinal_function: number of a replica -> number of its device on the host.
          placement_function: number of a replica -> its host; by default where the parts are.

        Returns:
          An operation for each replica.

        Raises:
          ValueError: parts do not fit together, or not what is frozen; the parts of a replica are
            at several devices; or there are such operations already.
          TypeError: replicas have parts of other dtypes.
        """
        self.set_configuration_from_sharded_input_tensors(sharded_inputs)
        return self._enqueued(
            lambda: sharded_inputs,
            tpu_ordinal_function or (lambda number: -1),
            placement_function or (lambda number: None),
        )

    def split_inputs_and_generate_enqueue_ops(
        self, inputs: Any, device_assignment: Any = None,
        placement_function: Callable[[int], Any] | None = None,
        tpu_ordinal_function: Callable[[int], int] | None = None,
    ) -> list[Operation]:  # fmt: skip
        """Records what divides tensors and gives each replica its part. Freezes the queue.

        Args:
          inputs: whole tensors.
          device_assignment: a `DeviceAssignment`, which says where each replica is.
          placement_function: number of a replica -> its host.
          tpu_ordinal_function: number of a replica -> number of its device on the host.

        Returns:
          An operation for each replica.

        Raises:
          ValueError: the tensors can't be divided, are not as is frozen, or there are such
            operations already.
        """
        if device_assignment is None:
            host = lambda number: f"/task:{number // _DEVICES_OF_A_HOST}/device:CPU:0"  # noqa: E731
            ordinal = lambda number: number % _DEVICES_OF_A_HOST  # noqa: E731
        else:
            host = lambda number: device_assignment.host_device(replica=number)  # noqa: E731
            ordinal = lambda number: device_assignment.tpu_ordinal(replica=number)  # noqa: E731
        self.set_configuration_from_input_tensors(inputs)
        return self._enqueued(
            lambda: list(zip(*self._divided(inputs), strict=True)),
            tpu_ordinal_function or ordinal,
            placement_function or host,
        )

    def _divided(self, inputs: Any) -> list[list[Tensor]]:
        """The parts of each tensor."""
        shards = self.number_of_shards
        if shards == 1:
            return [[tensor] for tensor in inputs]
        parts = []
        for number, (tensor, axis) in enumerate(zip(inputs, self.shard_dimensions, strict=True)):
            with ops.colocate_with(tensor):
                name = f"{self._name}/split/{number}"
                parts.append(array_ops.split(tensor, shards, axis=axis, name=name))
        return parts

    def _enqueued(
        self, tuples: Callable[[], Any], ordinal: Callable[[int], int],
        host: Callable[[int], Any],
    ) -> list[Operation]:  # fmt: skip
        self.freeze()
        self._once("enqueue")
        made = []
        for number, parts in enumerate(tuples()):
            device = host(number)
            with self._beside(parts, number) if device is None else ops.device(device):
                made.append(
                    raw_ops.InfeedEnqueueTuple(
                        inputs=parts,
                        shapes=[part.shape for part in parts],
                        name=f"{self._name}/enqueue/{number}",
                        device_ordinal=ordinal(number),
                    )  # fmt: skip
                )
        return made

    def _beside(self, parts: Any, number: int) -> Any:
        devices = [part.device for part in parts]
        if len(set(devices)) > 1:
            raise ValueError(
                f"input devices for shard {number} are {devices}, but should all be the same"
            )
        return ops.colocate_with(parts[0])

    def _parts(self) -> list[Any] | None:
        """The shapes of a replica's parts.

        Raises:
          ValueError: the shapes can't be divided as they should.
        """
        if self._shapes is None:
            return None
        return [
            policy.get_sharded_shape(shape)
            for policy, shape in zip(self._policies, self._shapes, strict=True)
        ]

    def _once(self, what: str) -> None:
        if what in self._made:
            raise ValueError(f"Can't generate two {what} Ops from the same queue")
        self._made.add(what)

    def _check_length(self, what: str, values: Any) -> None:
        count = self.number_of_tuple_elements
        if len(values) != count:
            raise ValueError(f"{what} is {values}, but must be a list of length {count}")

    def _check_frozen(self, what: str, frozen: Any, values: Any) -> None:
        if any(known != value for known, value in zip(frozen, values, strict=True)):
            raise ValueError(
                "Trying to update InfeedQueue with frozen configuration with an incompatible "
                f"{what}. Frozen {what}s are {frozen}, updated {what}s are {values}"
            )
