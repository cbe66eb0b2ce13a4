"""Barriers, which put elements together from components that come one by one
(`tensorflow.python.ops.data_flow_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.queues.data_flow_ops import _shape_list, _type_list
from tf1compat.core import context, export, raw_ops, tensor_shape, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import Name


@export.internal_class("tensorflow.python.ops.data_flow_ops")
class Barrier:
    """Elements of several components, which are inserted under a key and taken once all are there.

    Args:
      types: the dtypes of the components.
      shapes: of the components; needed in a run.
      shared_name: of the barrier in the session.
      name: the operation's name.

    Raises:
      ValueError: a component would have no elements.
    """

    def __init__(
        self, types: Any, shapes: Any = None, shared_name: str | None = None, name: Name = "barrier"
    ):
        self._types = _type_list(types)
        if shapes is not None:
            shapes = _shape_list(shapes, self._types)
            self._shapes = [tensor_shape.TensorShape(shape) for shape in shapes]
            for i, shape in enumerate(self._shapes):
                if shape.num_elements() == 0:
                    raise ValueError(
                        f"Empty tensors are not supported, but received shape '{shape}' at index "
                        f"{i}"
                    )
        else:
            self._shapes = [tensor_shape.unknown_shape() for _ in self._types]
        self._barrier_ref = raw_ops.Barrier(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name, name=name
        )
        self._name = "Empty"
        if not context.executing_eagerly():
            self._name = self._barrier_ref.op.name.split("/")[-1]

    barrier_ref = attribute("_barrier_ref", "The handle.")
    name: str = attribute("_barrier_ref.op.name", "The name of the operation.")

    def _named(self, name: Name, what: str) -> Any:
        return f"{self._name}_Barrier{what}" if name is None else name

    def insert_many(self, component_index: Any, keys: Any, values: Any, name: Name = None) -> Any:
        """Records the operation that gives elements a component.

        Args:
          component_index: which component.
          keys: strings [n].
          values: [n, ...].
          name: the operation's name.
        """
        return raw_ops.BarrierInsertMany(
            self._barrier_ref, keys, values, component_index, name=self._named(name, "InsertMany")
        )

    def take_many(
        self, num_elements: Any, allow_small_batch: Any = False, timeout: Any = None,
        name: Name = None,
    ) -> Any:  # fmt: skip
        """Complete elements, once there are enough.

        Args:
          num_elements: how many.
          allow_small_batch: whether fewer are enough once the barrier is closed.
          timeout: is refused, as in TF 1.15.
          name: the operation's name.

        Returns:
          (indices, keys, values): int64s that tell in which order the elements came in, strings,
          and a list of the components.
        """
        # TF gives the time to another argument.
        found = raw_ops.BarrierTakeMany(
            self._barrier_ref, num_elements, self._types, allow_small_batch, timeout,
            name=self._named(name, "TakeMany"),
        )  # fmt: skip
        if not context.executing_eagerly():
            op = found[0].op
            size = None
            if not allow_small_batch:
                size = tensor_shape.Dimension(tensor_util.constant_value(op.inputs[1]))
            rows = tensor_shape.TensorShape([size])
            for output in op.outputs[:2]:
                output.set_shape(rows)
            for output, shape in zip(op.outputs[2:], self._shapes, strict=True):
                output.set_shape(rows.concatenate(shape))
        return found

    def close(self, cancel_pending_enqueues: Any = False, name: Name = None) -> Any:
        """Records the operation that lets no new elements in.

        Args:
          cancel_pending_enqueues: whether elements that are not complete go.
          name: the operation's name.
        """
        return raw_ops.BarrierClose(
            self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
            name=self._named(name, "Close"),
        )  # fmt: skip

    def ready_size(self, name: Name = None) -> Any:
        """The number of complete elements, an int32 scalar."""
        return raw_ops.BarrierReadySize(self._barrier_ref, name=self._named(name, "ReadySize"))

    def incomplete_size(self, name: Name = None) -> Any:
        """The number of elements that are not complete, an int32 scalar."""
        return raw_ops.BarrierIncompleteSize(
            self._barrier_ref, name=self._named(name, "IncompleteSize")
        )
