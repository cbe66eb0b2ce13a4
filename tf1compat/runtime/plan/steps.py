"""What a step of a plan is: an `Operation`, or what stands for several and has its attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


def members(op: Any) -> tuple[Operation, ...]:
    """The operations that a step of the plan stands for: those of a whole loop, or itself."""
    return getattr(op, "members", (op,))


def gates(op: Any) -> list[Operation]:
    """The control inputs of a step that it is dead without."""
    return getattr(op, "gates", op._control_inputs)


def gate_tensors(op: Any) -> Iterable[Tensor]:
    """Tensors that a step is dead without, though it does not use their values."""
    return getattr(op, "gate_tensors", ())


def flat(ops: Iterable[Any]) -> list[Any]:
    """`ops` with the operations of both branches in place of a choice between them."""
    return [inside for op in ops for inside in getattr(op, "branches", (op,))]


def random_ops(op: Any) -> list[Operation]:
    """The random operations that a step of the plan runs."""
    return op.random_ops if hasattr(op, "random_ops") else [op] if op._spec.random else []
