"""`tensorflow.python.framework.subscribe`: side effects that happen when a tensor is computed."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

SideEffect = Callable[[Tensor], Sequence[Any]]


class _Waiting:
    """Which operations of a graph wait for an operation; looked up once for a graph."""

    def __init__(self) -> None:
        self._graphs: dict[Any, dict[Operation, set[Operation]]] = {}

    def on(self, op: Operation) -> set[Operation]:
        """Those that wait for `op`."""
        if op.graph not in self._graphs:
            found = collections.defaultdict(set)
            for other in op.graph.get_operations():
                for awaited in other.control_inputs:
                    found[awaited].add(other)
            self._graphs[op.graph] = found
        return self._graphs[op.graph].get(op, set())


def _effects(tensor: Tensor, side_effects: Iterable[SideEffect]) -> list[Any]:
    return [out for effect in side_effects for out in effect(tensor)]


def _is_subscribed_identity(tensor: Tensor) -> bool:
    """Whether `subscribe` made this tensor."""
    if tensor.op.type != "Identity":
        return False
    source, marked, rest = tensor.name.partition("/subscription/Identity")
    return bool(marked and rest) and "/" not in rest and source == tensor.op.inputs[0].op.name


def _extended(tensor: Tensor, side_effects: Iterable[SideEffect]) -> Tensor:
    """Adds side effects to a tensor that has some already."""
    source = tensor.op.inputs[0]
    with ops.name_scope(f"{source.op.name}/subscription/"):
        outs = _effects(source, side_effects)
    tensor.op._add_control_inputs([out.op if isinstance(out, Tensor) else out for out in outs])
    return tensor


def _replaced(tensor: Tensor, side_effects: Iterable[SideEffect], waiting: _Waiting) -> Tensor:
    """Puts an identity with side effects between a tensor and all that depends on it."""
    readers = [(op, list(op.inputs).index(tensor)) for op in tensor.consumers()]
    waiters = waiting.on(tensor.op)
    with ops.name_scope(f"{tensor.op.name}/subscription/"):
        outs = _effects(tensor, side_effects)
        with ops.control_dependencies(outs):
            result = array_ops.identity(tensor)
    for reader, index in readers:
        reader._update_input(index, result)
    for waiter in waiters:
        awaited = [op for op in waiter.control_inputs if op is not tensor.op]
        waiter._remove_all_control_inputs()
        waiter._add_control_inputs([*awaited, result.op])
    return result


def _subscribe(tensor: Tensor, side_effects: Iterable[SideEffect], waiting: _Waiting) -> Tensor:
    if not tensor.dtype.is_numpy_compatible:
        logging.debug(
            f"Tensor {tensor.name} has an un-supported {tensor.dtype} type and cannot be "
            "subscribed."
        )
        return tensor
    if _is_subscribed_identity(tensor):
        return _extended(tensor, side_effects)
    start = f"{tensor.op.name}/subscription/Identity"
    made = [op for op in tensor.consumers() if op.name.startswith(start)]
    assert len(made) <= 1, f"Op {tensor.op.name} must only have one subscription op connected to it"
    if made and _is_subscribed_identity(made[0].outputs[0]):
        return _extended(made[0].outputs[0], side_effects)
    return _replaced(tensor, side_effects, waiting)


def _where_it_is(tensor: Tensor, side_effects: Iterable[SideEffect], waiting: _Waiting) -> Tensor:
    """Subscribes within the device and the control flow context of the tensor."""
    around = tensor.op._get_control_flow_context()
    with ops.device(tensor.device):
        if around is None:
            return _subscribe(tensor, side_effects, waiting)
        around.Enter()
        try:
            return _subscribe(tensor, side_effects, waiting)
        finally:
            around.Exit()


def _recursive_apply(tensors: Any, apply_fn: Callable[[Tensor], Any]) -> Any:
    """Applies a function to each tensor of a structure as sessions fetch them."""
    kind = type(tensors)
    if kind is Tensor:
        return apply_fn(tensors)
    if isinstance(tensors, variables.Variable):
        return apply_fn(tensors.value())
    if isinstance(tensors, list | tuple):
        applied = [_recursive_apply(part, apply_fn) for part in tensors]
        return kind(applied) if kind in (list, tuple) else kind(*applied)
    if kind is dict:
        return {key: _recursive_apply(part, apply_fn) for key, part in tensors.items()}
    raise TypeError(f"_recursive_apply argument {tensors!r} has invalid type {kind!r}")


def subscribe(tensors: Any, side_effects: SideEffect | Iterable[SideEffect]) -> Any:
    """Makes side effects happen whenever tensors are computed.

    Each tensor gets an identity, named `<its operation>/subscription/Identity`, that waits for the
    side effects; all that read the tensor, or waited for it, now do so of the identity. Of a tensor
    that has side effects already these are added to them.

    Args:
      tensors: a tensor, or a structure of them as `Session.run` takes.
      side_effects: a function of a tensor that records what is to happen and returns a list of
        operations or tensors; or several.

    Returns:
      The tensors with the side effects, in the same structure.

    Raises:
      TypeError: the structure holds something else.
    """
    effects: Any = side_effects if hasattr(side_effects, "__iter__") else [side_effects]
    waiting = _Waiting()
    return _recursive_apply(tensors, lambda tensor: _where_it_is(tensor, effects, waiting))
