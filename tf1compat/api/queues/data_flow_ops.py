"""`tensorflow.python.ops.data_flow_ops`: cutting and putting together by index; queues."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.random import random_seed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_shape, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension, TensorShape
from tf1compat.core.typing import Name, TensorLike


@tf_export("dynamic_partition")
@add_dispatch_support
def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: Name = None
) -> list[Tensor]:
    """The parts of `data`, as many as `num_partitions`: part i is where `partitions` is i.

    Args:
      data: a tensor whose shape starts with that of `partitions`.
      partitions: int32, each in [0, num_partitions).
      num_partitions: how many parts.
      name: the operation's name.

    Returns:
      `num_partitions` tensors, of the dtype of `data`.
    """
    return raw_ops.DynamicPartition(data, partitions, num_partitions=num_partitions, name=name)


@tf_export("dynamic_stitch")
def dynamic_stitch(indices: TensorLike, data: Any, name: Name = None) -> Tensor:
    """One tensor whose rows `indices[i]` are `data[i]`; later ones win.

    Args:
      indices: int32 tensors of any shapes.
      data: as many tensors of one dtype, the i-th of shape `indices[i].shape + rest`.
      name: the operation's name.

    Returns:
      [largest index + 1, rest…].
    """
    return raw_ops.DynamicStitch(indices, data, name=name)


def parallel_dynamic_stitch(indices: Any, data: Any, name: Name = None) -> Tensor:
    """As `dynamic_stitch`; which of several rows wins is not said."""
    return raw_ops.ParallelDynamicStitch(indices, data, name=name)


# Queues.


def _type_list(types: Any) -> list[Any]:
    assert types is not None
    return list(types) if isinstance(types, list | tuple) else [types]


def _shape_list(
    shapes: Any,
    dtypes: Any,
    unknown_dim_allowed: bool = False,
    unknown_rank_allowed: bool = False,
) -> Any:
    """Shapes of components as a list of TensorShapes; None for none. The dtypes tell nothing.

    Raises:
      ValueError, TypeError: they are no shapes, or not fully known.
    """
    if unknown_dim_allowed and (
        not isinstance(shapes, Sequence)
        or not shapes
        or any(shape is None or isinstance(shape, int) for shape in shapes)
    ):
        raise ValueError("When providing partial shapes, a list of shapes must be provided.")
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, list | tuple):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(shape is None or isinstance(shape, int) for shape in shapes):
        shapes = [shapes]  # One shape, not a list of them.
    shapes = [tensor_shape.as_shape(shape) for shape in shapes]
    if not unknown_dim_allowed and not all(shape.is_fully_defined() for shape in shapes):
        raise ValueError(f"All shapes must be fully defined: {shapes}")
    if not unknown_rank_allowed and any(shape.dims is None for shape in shapes):
        raise ValueError(f"All shapes must have a defined rank: {shapes}")
    return shapes


def _name_list(names: Any, types: list[Any]) -> Any:
    if names is None:
        return None
    names = list(names) if isinstance(names, list | tuple) else [names]
    if len(names) != len(types):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return names


def _shared_name(shared_name: Any) -> Any:
    return str(ops.uid()) if context.executing_eagerly() else shared_name


def _common_shape(a: Any, b: Any) -> TensorShape:
    a, b = TensorShape(a), TensorShape(b)
    if a.ndims is None or b.ndims is None or a.ndims != b.ndims:
        return tensor_shape.unknown_shape()
    return TensorShape([m if m == n else None for m, n in zip(a.as_list(), b.as_list())])


@tf_export("queue.QueueBase", "io.QueueBase", "QueueBase")
class QueueBase:
    """What every queue has (as `tf.QueueBase` in TF 1.15).

    Args:
      dtypes: of the components of an element.
      shapes: of the components; None if they vary.
      names: of the components, or None.
      queue_ref: the handle.

    Raises:
      ValueError: there are more or fewer shapes or names than dtypes.
    """

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any):
        self._dtypes = dtypes
        if shapes is None:
            self._shapes = [tensor_shape.unknown_shape() for _ in dtypes]
        elif len(shapes) != len(dtypes):
            raise ValueError("Queue shapes must have the same length as dtypes")
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError("Queue names must have the same length as dtypes")
        self._names = names
        self._queue_ref = queue_ref
        self._name = "Empty"
        if not context.executing_eagerly():
            self._name = queue_ref.op.name.split("/")[-1]

    @staticmethod
    def from_list(index: Any, queues: Any) -> QueueBase:
        """One of several queues, chosen when the program runs.

        Raises:
          TypeError: they are no queues, or have other components.
        """
        if (
            not queues
            or not isinstance(queues, list)
            or not all(isinstance(queue, QueueBase) for queue in queues)
        ):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if any(queue.dtypes != first.dtypes for queue in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(queue.names != first.names for queue in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = [
            functools.reduce(_common_shape, column)
            for column in zip(*[queue.shapes for queue in queues])
        ]
        refs = array_ops.stack([queue.queue_ref for queue in queues])
        return QueueBase(first.dtypes, shapes, first.names, gather_ops.gather(refs, index))

    queue_ref = attribute("_queue_ref", "The handle.")

    @property
    def name(self) -> str:
        """The name of the handle's operation."""
        return self._name if context.executing_eagerly() else self._queue_ref.op.name

    dtypes = attribute("_dtypes", "The dtypes of the components.")
    shapes = attribute("_shapes", "The shapes of the components.")
    names = attribute("_names", "The names of the components, or None.")

    def _components(self, vals: Any) -> list[Tensor]:
        """What is to be added, as a list of tensors."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(self._names)})"
                )
            vals = [vals[name] for name in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            vals = vals if isinstance(vals, list | tuple) else [vals]
        return [
            ops.convert_to_tensor(value, dtype=dtype, name=f"component_{i}")
            for i, (value, dtype) in enumerate(zip(vals, self._dtypes))
        ]

    @staticmethod
    def _scope_values(vals: Any) -> Any:
        if isinstance(vals, list | tuple):
            return vals
        return list(vals.values()) if isinstance(vals, dict) else [vals]

    def _op(self, kind: str) -> Any:
        """The function that records an operation on this queue's kind of handle."""
        version = "V2" if self._queue_ref.dtype == dtypes.resource else ""
        return getattr(raw_ops, kind + version)

    def enqueue(self, vals: Any, name: str | None = None) -> ops.Operation:
        """An operation that adds an element; it waits until there is room.

        Args:
          vals: a tensor for each component: a tensor, list or dict.
          name: the operation's name.

        Raises:
          ValueError: the shapes or names are not the queue's.
        """
        values = self._scope_values(vals)
        with ops.name_scope(name, f"{self._name}_enqueue", values) as scope:
            tensors = self._components(vals)
            for tensor, shape in zip(tensors, self._shapes):
                tensor.get_shape().assert_is_compatible_with(shape)
            return self._op("QueueEnqueue")(self._queue_ref, tensors, name=scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> ops.Operation:
        """An operation that adds elements, stacked in the first dimension.

        Args:
          vals: a tensor for each component: a tensor, list or dict.
          name: the operation's name.

        Raises:
          ValueError: the shapes or names are not the queue's.
        """
        values = self._scope_values(vals)
        with ops.name_scope(name, f"{self._name}_EnqueueMany", values) as scope:
            tensors = self._components(vals)
            batch = tensors[0].get_shape().with_rank_at_least(1).dims
            count = Dimension(batch[0].value if batch else None)
            for tensor, shape in zip(tensors, self._shapes):
                dims = tensor.get_shape().with_rank_at_least(1).dims
                count = count.merge_with(Dimension(dims[0].value if dims else None))
                tensor.get_shape()[1:].assert_is_compatible_with(shape)
            return raw_ops.QueueEnqueueManyV2(self._queue_ref, tensors, name=scope)

    def _returned(self, tensors: Any, batch: list[Any]) -> Any:
        if not context.executing_eagerly():
            for output, shape in zip(tensors[0].op.outputs, self._shapes):
                output.set_shape(TensorShape(batch).concatenate(shape))
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name: str | None = None) -> Any:
        """Removes an element; waits until there is one.

        Returns:
          A tensor for each component: a tensor, list or dict.

        Raises:
          OutOfRangeError: at run time, if the queue is closed and empty.
        """
        name = f"{self._name}_Dequeue" if name is None else name
        found = self._op("QueueDequeue")(self._queue_ref, self._dtypes, name=name)
        return self._returned(found, [])

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Removes `n` elements, and stacks them; waits until there are as many.

        Raises:
          OutOfRangeError: at run time, if the queue is closed and has fewer.
        """
        name = f"{self._name}_DequeueMany" if name is None else name
        found = raw_ops.QueueDequeueManyV2(
            self._queue_ref, n=n, component_types=self._dtypes, name=name
        )
        count = None
        if not context.executing_eagerly():
            count = tensor_util.constant_value(found[0].op.inputs[1])
        return self._returned(found, [Dimension(count)])

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As `dequeue_many`; fewer elements where the queue is closed and has no more."""
        name = f"{self._name}_DequeueUpTo" if name is None else name
        found = raw_ops.QueueDequeueUpToV2(
            self._queue_ref, n=n, component_types=self._dtypes, name=name
        )
        return self._returned(found, [None])

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """An operation that lets no more elements in.

        Args:
          cancel_pending_enqueues: whether those who wait to add one fail.
          name: the operation's name.
        """
        return self._op("QueueClose")(
            self._queue_ref,
            cancel_pending_enqueues=cancel_pending_enqueues,
            name=f"{self._name}_Close" if name is None else name,
        )

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue is closed (a scalar bool)."""
        name = f"{self._name}_Is_Closed" if name is None else name
        return self._op("QueueIsClosed")(self._queue_ref, name=name)

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are (a scalar int32)."""
        name = f"{self._name}_Size" if name is None else name
        return self._op("QueueSize")(self._queue_ref, name=name)


@tf_export("queue.RandomShuffleQueue", "io.RandomShuffleQueue", "RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that gives its elements in random order.

    Args:
      capacity: how many elements it holds.
      min_after_dequeue: how many stay in it, until it is closed.
      dtypes, shapes, names: of the components of an element.
      seed: see `tf.set_random_seed`.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ):
        dtypes = _type_list(dtypes)
        shapes = _shape_list(shapes, dtypes)
        names = _name_list(names, dtypes)
        seed1, seed2 = random_seed.get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            # Those who share it must agree, whatever else their graphs hold.
            digest = hashlib.md5((str(seed1) + shared_name).encode()).hexdigest()
            seed2 = int(digest[:8], 16) & 0x7FFFFFFF
        queue_ref = raw_ops.RandomShuffleQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed1,
            seed2=seed2,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(dtypes, shapes, names, queue_ref)


@tf_export("queue.FIFOQueue", "FIFOQueue")
class FIFOQueue(QueueBase):
    """A queue that gives first what came first.

    Args:
      capacity: how many elements it holds.
      dtypes, shapes, names: of the components of an element.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ):
        dtypes = _type_list(dtypes)
        shapes = _shape_list(shapes, dtypes)
        names = _name_list(names, dtypes)
        queue_ref = raw_ops.FIFOQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(dtypes, shapes, names, queue_ref)


@tf_export("queue.PaddingFIFOQueue", "io.PaddingFIFOQueue", "PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """A queue whose elements vary in size: they are padded when they are stacked.

    Args:
      capacity: how many elements it holds.
      dtypes, shapes, names: of the components of an element; a dimension may be None.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.

    Raises:
      ValueError: there are more or fewer shapes than dtypes.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ):
        dtypes = _type_list(dtypes)
        shapes = _shape_list(shapes, dtypes, unknown_dim_allowed=True)
        names = _name_list(names, dtypes)
        if len(dtypes) != len(shapes):
            raise ValueError(
                "Shapes must be provided for all components, but received "
                f"{len(dtypes)} dtypes and {len(shapes)} shapes."
            )
        queue_ref = raw_ops.PaddingFIFOQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(dtypes, shapes, names, queue_ref)


@tf_export("queue.PriorityQueue", "io.PriorityQueue", "PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue that gives the element of the smallest priority first.

    An element's first component is its priority, int64.

    Args:
      capacity: how many elements it holds.
      types, shapes: of the other components of an element.
      names: of all components.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ):
        types = _type_list(types)
        shapes = _shape_list(shapes, types)
        queue_ref = raw_ops.PriorityQueueV2(
            component_types=types,
            shapes=shapes,
            capacity=capacity,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        super().__init__(
            [dtypes.int64, *types], [(), *shapes] if shapes else shapes, names, queue_ref
        )
