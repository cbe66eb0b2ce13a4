"""Finding the operations that a run needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tf1compat.core.no_kernel import no_kernel
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import calls, idle, loops, replicas
from tf1compat.runtime.plan.order import topological

# What says that an operation is part of a computation that TF compiles as a whole.
_MARKS = ("_xla_compile_id", replicas.MARK)


def _cluster(op: Operation) -> bytes | None:
    for mark in _MARKS:
        if mark in op._attrs:
            return op._attrs[mark]
    return None


def _effects_of_clusters(ops: Iterable[Operation]) -> dict[bytes, list[Operation]]:
    """Cluster -> what in it has effects: such a computation is run as a whole, like a function."""
    found: dict[bytes, list[Operation]] = {}
    for op in ops:
        mark = _cluster(op)
        if mark is not None and (op._spec.writes or op._spec.effect):
            found.setdefault(mark, []).append(op)
    return found


def prune(
    targets: Iterable[Operation],
    feeds: set[Tensor],
    done: Collection[Operation] = (),
    expand: bool = True,
    every: bool = False,
) -> list[Operation]:
    """The operations needed for `targets` when the tensors `feeds` are given, in creation order
    where that is valid.

    Args:
      done: operations that ran before and need not run again.
      expand: whether to replace calls of functions by the functions' bodies; if not, that is done
        only where the op has no meaning besides.
      every: whether what nobody reads is computed, too.

    Raises:
      NotImplementedError: one of them has no kernel.
      InvalidArgumentError: TF has none for it, either.
    """
    targets = list(targets)
    kept = calls.expand(reached(targets, feeds, done), expand)
    kept = replicas.expand(kept, targets, feeds)
    for op in kept:
        spec = op._spec
        if spec.no_kernel and not spec.supported:
            raise no_kernel(op)
        if not spec.supported:
            raise NotImplementedError(
                f"Op type {op.type} (operation '{op.name}') is not supported by tf1compat yet"
            )
    if not every:
        kept = idle.leave_out(kept, targets, feeds)
    return topological(loops.collapse(kept, feeds), feeds)


def reached(
    targets: Iterable[Operation], feeds: set[Tensor], done: Collection[Operation] = ()
) -> list[Operation]:
    """The operations of the graph needed for `targets`, in no order; see `prune`."""
    needed: set[Operation] = set()
    clusters: dict[bytes, list[Operation]] | None = None
    stack = list(targets)
    while stack:
        op = stack.pop()
        if op in needed or op in done:
            continue
        needed.add(op)
        # An op of which every output is fed need not run.
        if op._outputs and len(feeds) and all(tensor in feeds for tensor in op._outputs):
            continue
        stack.extend(tensor._op for tensor in op._inputs if tensor not in feeds)
        stack.extend(op._control_inputs)
        mark = _cluster(op)
        if mark is not None:
            if clusters is None:
                clusters = _effects_of_clusters(op._graph.get_operations())
            stack.extend(clusters.pop(mark, ()))
    return [
        op for op in needed if not (op._outputs and all(tensor in feeds for tensor in op._outputs))
    ]
