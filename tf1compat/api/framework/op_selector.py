"""`tensorflow.python.ops.op_selector`: what operations and tensors depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.util.object_identity import ObjectIdentitySet
from tf1compat.core import gradient_registry, ops
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation


class UnliftableError(Exception):
    """Tensors can't be copied to another graph, as they hang on something that must not be."""

    ag_pass_through = True


def is_differentiable(op: Operation) -> bool:
    """Whether gradients flow through an operation."""
    try:
        return gradient_registry.get_gradient_function(op) is not None
    except LookupError:
        return False


def is_iterable(obj: Any) -> bool:
    """Whether an object can be iterated over; tensors can't."""
    if isinstance(obj, ops.Tensor):
        return False
    try:
        iter(obj)
    except Exception:
        return False
    return True


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Adds to list `la` what of `lb` isn't in it; returns `la`."""
    found = set(la)
    for element in lb:
        if element not in found:
            la.append(element)
            found.add(element)
    return la


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Any:
    """The graph of operations and tensors.

    Args:
      tops: a graph, or some of these.
      check_types: the classes that are allowed.
      none_if_empty: whether there may be none of them.

    Raises:
      TypeError: something of another class is among them.
      ValueError: they belong to several graphs, or there are none.
    """
    if isinstance(tops, ops.Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    if check_types is None:
        check_types = (Operation, ops.Tensor)
    elif not is_iterable(check_types):
        check_types = (check_types,)
    graph = None
    for top in tops:
        if not isinstance(top, check_types):
            expected = ", ".join(str(t) for t in check_types)
            raise TypeError(f"Expected a type in ({expected}), got: {type(top)}")
        if graph is None:
            graph = top.graph
        elif graph is not top.graph:
            raise ValueError(f"Operation {top} does not belong to given graph")
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def _listed(
    tops: Any, kind: Any, of_graph: Callable[[Any], list[Any]], check_graph: bool,
    allow_graph: bool, ignore_others: bool,
) -> list[Any]:  # fmt: skip
    if isinstance(tops, ops.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return of_graph(tops)
    if not is_iterable(tops):
        tops = [tops]
    if not tops:
        return []
    if check_graph:
        get_unique_graph(tops, check_types=None if ignore_others else kind)
    return [top for top in tops if isinstance(top, kind)]


def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Any]:
    """Operations as a list.

    Args:
      ops: an operation, several, or a graph: all of its operations.
      check_graph: whether they must be of one graph.
      allow_graph: whether a graph is allowed.
      ignore_ts: whether tensors are left out, rather than refused.

    Raises:
      TypeError: something else than an operation is among them.
      ValueError: they belong to several graphs.
    """
    return _listed(
        ops, Operation, lambda g: g.get_operations(), check_graph, allow_graph, ignore_ts
    )


def get_tensors(graph: Graph) -> list[Any]:
    """All tensors of a graph.

    Raises:
      TypeError: `graph` isn't one.
    """
    if not isinstance(graph, ops.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [t for op in graph.get_operations() for t in op.outputs]


def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False
) -> list[Any]:
    """Tensors as a list. Args and Raises: as of `make_list_of_op`."""
    return _listed(ts, ops.Tensor, get_tensors, check_graph, allow_graph, ignore_ops)


def get_generating_ops(ts: Any) -> list[Any]:
    """The operations that compute tensors."""
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Any]:
    """The operations that take tensors, each once."""
    found: list[Any] = []
    for t in make_list_of_t(ts, allow_graph=False):
        concatenate_unique(found, t.consumers())
    return found


def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
    within_ops_fn: Callable[[Any], bool] | None = None, stop_at_ts: Any = (),
    control_inputs: bool = False, only_differentiable: bool = False,
) -> list[Any]:  # fmt: skip
    """What operations or tensors depend on.

    Args:
      seed_ops: operations, or tensors: the operations that compute them.
      inclusive: whether they are among what is found.
      within_ops: the operations that may be found; all by default.
      within_ops_fn: a function that says whether one may.
      stop_at_ts: tensors that aren't followed.
      control_inputs: whether control inputs are.
      only_differentiable: whether only those tensors are that gradients flow to.

    Returns:
      Operations, those nearer to the seeds first.
    """
    if not is_iterable(seed_ops):
        seed_ops = [seed_ops]
    if not seed_ops:
        return []
    if isinstance(seed_ops[0], ops.Tensor):
        seeds = get_generating_ops(seed_ops)
    else:
        seeds = make_list_of_op(seed_ops, allow_graph=False)
    control_inputs = control_inputs and not only_differentiable

    def before(op: Any) -> list[Any]:
        inputs = op.inputs
        if only_differentiable and not is_differentiable(op):
            inputs = ()
        found = [t.op for t in inputs if t not in stops]
        return found + op.control_inputs if control_inputs else found

    stops = frozenset(make_list_of_t(stop_at_ts))
    return walk(seeds, before, inclusive, within_ops, within_ops_fn)


def walk(
    seeds: Iterable[Any], following: Callable[[Any], Iterable[Any]], inclusive: bool,
    within_ops: Any, within_ops_fn: Callable[[Any], bool] | None,
) -> list[Any]:  # fmt: skip
    """The operations that can be reached, those nearer to the seeds first.

    Args:
      seeds: where to begin.
      following: gives the operations that follow one.
      inclusive, within_ops, within_ops_fn: see `get_backward_walk_ops`.
    """
    allowed = None
    # Dicts, not sets: the order is that of the graph, not of addresses.
    seeds = dict.fromkeys(seeds)
    if within_ops:
        allowed = frozenset(make_list_of_op(within_ops, allow_graph=False))
        seeds = dict.fromkeys(op for op in seeds if op in allowed)
    found = dict(seeds)
    wave = list(seeds)
    while wave:
        new: dict[Any, None] = {}
        for op in wave:
            for other in following(op):
                if other in found or other in new:
                    continue
                if allowed is not None and other not in allowed:
                    continue
                if within_ops_fn is None or within_ops_fn(other):
                    new[other] = None
        found.update(new)
        wave = list(new)
    return list(found) if inclusive else [op for op in found if op not in seeds]


def show_path(from_op: Any, tensors: Sequence[Any], sources: Sequence[Any]) -> str:
    """One way from tensors back to an operation, as text.

    Args:
      from_op: the operation where the way ends.
      tensors: where it may begin.
      sources: what it may not pass.
    """
    before = {getattr(tensor, "op", tensor): None for tensor in tensors}
    ends = {getattr(source, "op", source) for source in sources}
    queue = list(before)
    for op in queue:
        if op is from_op:
            break
        if op not in ends:
            for tensor in op.inputs:
                if tensor.op not in before:
                    before[tensor.op] = op
                    queue.append(tensor.op)
    path = []
    op = from_op
    while op is not None:
        path.append(f"{op.name} ({op.type})")
        op = before.get(op)
    return " <- ".join(reversed(path))


def graph_inputs(op: Operation) -> list[Operation]:
    """The operations that one reads from, and then those that it waits for."""
    return [tensor.op for tensor in op.inputs] + list(op.control_inputs)


def _as_operation(op_or_tensor: Any) -> Operation:
    return op_or_tensor.op if isinstance(op_or_tensor, ops.Tensor) else op_or_tensor


def _path_from(from_op: Operation, tensor: Any, sources: Iterable[Any]) -> str:
    """One way from a tensor back to an operation, through what is waited for too; else "??"."""
    end = _as_operation(tensor)
    visited = {_as_operation(source) for source in sources}
    after: dict[Operation, Operation] = {}
    waiting = [end]
    while waiting:
        op = waiting.pop()
        if op in visited:
            continue
        visited.add(op)
        if op is from_op:
            path = [op]
            while path[-1] is not end:
                path.append(after[path[-1]])
            return " <- ".join(f"{op.name} ({op.type})" for op in reversed(path))
        for other in graph_inputs(op):
            if other not in visited:
                after[other] = op
                waiting.append(other)
    return "??"


def map_subgraph(
    init_tensor: Any,
    sources: Any,
    disallowed_placeholders: Any,
    visited_ops: set[Operation],
    op_outputs: Any,
    add_sources: bool,
) -> Any:
    """Walks back from a tensor, and notes what is passed.

    Args:
      init_tensor: the tensor or operation to begin at.
      sources: the operations where the walk ends.
      disallowed_placeholders: the operations that must not be met; None for all placeholders.
      visited_ops: a set to which the operations are added; those in it are not passed again.
      op_outputs: operation -> set of those that need it; they are added.
      add_sources: whether placeholders that are no sources may be met.

    Returns:
      The set of the outputs of placeholders that were met.

    Raises:
      UnliftableError: something was met that must not be.
    """
    waiting = [_as_operation(init_tensor)]
    found: Any = ObjectIdentitySet()
    while waiting:
        op = waiting.pop()
        if op in visited_ops:
            continue
        visited_ops.add(op)
        refused = disallowed_placeholders is not None and op in disallowed_placeholders
        if not refused and op.type == "Placeholder":
            refused = disallowed_placeholders is None and not add_sources
            found.update(op.outputs)
        if refused:
            raise UnliftableError(
                f"Unable to lift tensor {init_tensor!r} because it depends transitively on "
                f"placeholder {op!r} via at least one path, e.g.: "
                f"{_path_from(op, init_tensor, sources)}"
            )
        for other in graph_inputs(op):
            op_outputs[other].add(op)
            if other not in visited_ops and other not in (sources or found):
                waiting.append(other)
    return found
