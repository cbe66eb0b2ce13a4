"""What a `Session.run` has to do, worked out once per set of fetches and feeds: prune, order
effects, partition.

Every pass is a function of plain data:

    prune(targets, feeds)        -> the operations that the fetches need, in an order that respects
    every edge order_effects(ops, feeds)    -> which version of each variable every operation sees
    partition(ops, feeds, cuts)  -> levels: a device region (one XLA program), then host steps, and
    so on
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from tf1compat.core import constants, dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

# Results up to this size are folded in NumPy when all inputs are known; larger ones are XLA's
# business.
FOLD_ELEMENTS = 4096

Versions = dict[Any, int]


def prune(
    targets: Iterable[Operation],
    feeds: set[Tensor],
    done: Collection[Operation] = (),
    expand: bool = True,
) -> list[Operation]:
    """The operations needed for `targets` when the tensors `feeds` are given, in creation order
    where that is valid.

    Args:
      done: operations that ran before and need not run again.
      expand: whether to replace calls of functions by the functions' bodies; if not, that is done
        only where the op has no meaning besides.

    Raises:
      NotImplementedError: one of them has no kernel.
    """
    needed: set[Operation] = set()
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
    kept = [
        op for op in needed if not (op._outputs and all(tensor in feeds for tensor in op._outputs))
    ]
    from tf1compat.runtime import calls, loops

    kept = calls.expand(kept, expand)
    for op in kept:
        spec = op._spec
        if not spec.supported:
            raise NotImplementedError(
                f"Op type {op.type} (operation '{op.name}') is not supported by tf1compat yet"
            )
    return topological(loops.collapse(kept, feeds), feeds)


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


class Cycle(NotImplementedError):
    """Operations that wait for each other."""

    def __init__(self, ops: list[Any]):
        super().__init__(
            f"The graph has a loop through operation '{ops[0].name}': not supported by tf1compat "
            "yet"
        )
        self.ops = ops


def topological(
    ops: list[Any], feeds: set[Tensor], after: dict[Any, list[Any]] | None = None
) -> list[Any]:
    """Sorts by creation order, except where an edge added later says otherwise.

    Args:
      ops: operations or what stands for several of them.
      feeds: tensors whose values are given.
      after: for some of the operations, others that are to come before.

    Raises:
      Cycle: there is no such order.
    """
    ops = sorted(ops, key=lambda op: op._id)
    position = {op: i for i, op in enumerate(ops)}
    owner = {member: op for op in ops for member in (op, *members(op))}

    def sources(op: Any) -> list[Any]:
        found = [tensor._op for tensor in op._inputs if tensor not in feeds]
        found = [owner[source] for source in (*found, *op._control_inputs) if source in owner]
        if after is not None:
            before = (b for member in (op, *members(op)) for b in after.get(member, ()))
            found.extend(owner[b] for b in before if owner[b] is not op)
        return found

    if all(position[source] < i for i, op in enumerate(ops) for source in sources(op)):
        return ops
    waiting = {op: len(set(sources(op))) for op in ops}
    users: dict[Operation, list[Operation]] = {op: [] for op in ops}
    for op in ops:
        for source in set(sources(op)):
            users[source].append(op)
    ready = [position[op] for op in ops if not waiting[op]]
    heapq.heapify(ready)
    order: list[Operation] = []
    while ready:
        op = ops[heapq.heappop(ready)]
        order.append(op)
        for user in users[op]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, position[user])
    if len(order) < len(ops):
        raise Cycle([op for op in ops if waiting[op]])
    return order


def is_reference(tensor: Tensor) -> bool:
    """Whether `tensor` stands for a variable or another resource rather than for a value."""
    return tensor._dtype._is_ref_dtype or tensor._dtype is dtypes.resource or is_view(tensor)


def is_view(tensor: Tensor) -> bool:
    """Whether `tensor` is a view of a reference variable.

    TF 1.15's Identity of a reference shares the variable's buffer: what reads it sees the variable
    as it is then, and a fetch of it gives the value at the end of the run.  `v + 1` after an update
    of `v` under `tf.control_dependencies` relies on it, and so do constraints of optimizers.
    """
    op = tensor._op
    return (
        op._spec.views
        and not op._output_dtypes[0]._is_ref_dtype
        and op._output_dtypes[0] is not dtypes.resource
        and is_reference(op._inputs[0])
    )


def may_grow(shape: Any) -> bool:
    """Whether a variable of this static shape can have values of several sizes."""
    return shape is None or None in shape


def views_on_the_way(tensor: Tensor) -> list[Operation]:
    """The views that lead to `tensor` from a variable that may grow."""
    found = []
    if may_grow(source_of(tensor)._shape):
        while not tensor._op._spec.source:
            if is_view(tensor):
                found.append(tensor._op)
            sources = [t for t in tensor._op._inputs if is_reference(t)]
            if not sources:
                break
            tensor = sources[0]
    return found


def source_of(tensor: Tensor) -> Tensor:
    """The output of the op that owns the variable which a ref or resource tensor leads to."""
    while True:
        op = tensor._op
        if op._spec.source:
            return tensor
        candidates = [t for t in op._inputs if is_reference(t)]
        if not candidates:
            return tensor
        tensor = candidates[0]


class Local(NamedTuple):
    """The key of a variable that lives for one run."""

    op: Operation


def variable_key(tensor: Tensor) -> Any:
    """The key in the session's state of the variable behind a ref or resource tensor."""
    source = source_of(tensor)
    op = source._op
    if op._spec.local:
        return Local(op)
    attrs = op._attrs
    shared = attrs.get("shared_name") or op._name.encode()
    return (attrs.get("container", b""), shared)


class Effects:
    """Which version of which variable each operation sees.

    Attributes:
      visible: op -> {variable: version} of the variables written before it; others are seen as the
        run found them.
      writes: op -> {variable: the version that the op makes}.
      written: variable -> its last version.
      local: the variables that begin with one of the operations.
      lasting: `written`, of the variables that outlive the operations.
    """

    def __init__(self) -> None:
        self.visible: dict[Operation, Versions] = {}
        self.writes: dict[Operation, Versions] = {}
        self.written: Versions = {}
        self.local: set[Local] = set()
        self.lasting: Versions = {}


_NOTHING: Versions = {}


def order_effects(ops: list[Operation], feeds: set[Tensor]) -> Effects:
    """Orders reads and writes of variables.

    An operation sees the writes that a path of data or control edges puts before it.  What nothing
    orders against a write sees the variable as the run found it.  Writes happen in creation order,
    each upon the one before.
    """
    effects = Effects()
    visible = effects.visible
    written = effects.written
    for op in ops:
        seen = _NOTHING
        for tensor in op._inputs:
            if tensor not in feeds:
                seen = _merge(seen, visible.get(tensor._op, _NOTHING))
        for control in op._control_inputs:
            seen = _merge(seen, visible.get(control, _NOTHING))
        spec = op._spec
        if spec.local:
            effects.local.add(Local(op))
        if spec.writes:
            made: Versions = {}
            for index in spec.writes:
                for tensor in input_group(op, index):
                    key = variable_key(tensor)
                    if key not in made:
                        made[key] = written[key] = written.get(key, 0) + 1
            effects.writes[op] = made
            seen = {**seen, **made}
        for member in members(op):
            visible[member] = seen
        visible[op] = seen
    local = effects.local
    effects.lasting = {key: last for key, last in written.items() if key not in local}
    return effects


def input_group(op: Operation, index: int) -> list[Tensor]:
    """The tensors of input arg `index`."""
    op_def = op._spec.op_def
    if op_def is None or not op_def.has_list_inputs:
        return [op._inputs[index]]
    from tf1compat.core.op_registry import group_inputs

    group = group_inputs(op, op._inputs)[index]
    tensors = group if isinstance(group, list) else [group]
    return [tensor for tensor in tensors if is_reference(tensor)]


def _merge(a: Versions, b: Versions) -> Versions:
    if not b or a is b:
        return a
    if not a:
        return b
    if all(a.get(key, 0) >= version for key, version in b.items()):
        return a
    merged = dict(a)
    for key, version in b.items():
        if version > merged.get(key, 0):
            merged[key] = version
    return merged


class Level:
    """One device region and the host steps after it."""

    def __init__(self) -> None:
        self.device: list[Operation] = []
        self.host: list[Operation] = []


class Feeds(set[Tensor]):
    """The tensors that a run is given.

    A constant that is given is none in this run, nor is what is computed from it.
    """

    def __init__(self, tensors: Iterable[Tensor] = ()):
        super().__init__(tensors)
        self._constants = any(is_constant(tensor._op) for tensor in self)
        self._overridden: dict[Operation, bool] = {}

    def override(self, op: Operation) -> bool:
        """Whether a constant op hangs on one that is given."""
        if not self._constants:
            return False
        known = self._overridden
        stack = [op]
        while stack:
            op = stack[-1]
            sources = [tensor._op for tensor in op._inputs if tensor not in self]
            waiting = [source for source in sources if source not in known]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            given = any(tensor in self for tensor in (*op._inputs, *op._outputs))
            known[op] = given or any(known[source] for source in sources)
        return known[op]


def is_constant(op: Operation, feeds: Collection[Tensor] = ()) -> bool:
    """Whether the op is computed from constants alone, so that it belongs to every level.

    A value that is only known from static shapes does not count: what it hangs on may be dead.

    Args:
      feeds: what the run is given, if it is to be told what is a constant of this run.
    """
    if not _computed_from_constants(op):
        return False
    return not (isinstance(feeds, Feeds) and feeds.override(op))


def _computed_from_constants(op: Operation) -> bool:
    if op._spec.fold is None or op._control_inputs or op._spec.writes or not op._outputs:
        return False
    known = op.__dict__.get("_is_constant")
    if known is None:
        if not op._inputs:
            return True
        known = all(_computed_from_constants(tensor._op) for tensor in op._inputs)
        if known:
            values = [constants.known_value(tensor) for tensor in op._outputs]
            known = all(value is not None and value.size <= FOLD_ELEMENTS for value in values)
        op._is_constant = known  # pyright: ignore[reportAttributeAccessIssue]
    return known


def runs_on_host(op: Operation, feeds: set[Tensor]) -> bool:
    """Whether the op works on host values: declared so, or handling strings that are not
    constants."""
    spec = op._spec
    if _declared_on_host(op):
        return True
    if (spec.is_switch or spec.merges or spec.views) and _flows_on_host(op):
        return True
    for tensor in op._outputs:
        if stays_on_host(tensor, feeds) and not tensor._dtype._is_ref_dtype:
            if tensor in feeds or not _is_quoted(tensor, feeds):
                return True
    # A constant may be text that a device op quotes, unless the op writes it to a variable.
    return any(
        stays_on_host(tensor, feeds)
        and not (tensor._dtype._is_ref_dtype and source_of(tensor)._op._spec.local)
        and (bool(spec.writes) or not _is_quoted(tensor, feeds))
        for tensor in op._inputs
    )


def stays_on_host(tensor: Tensor, feeds: set[Tensor]) -> bool:
    """Whether the values of `tensor` never leave the host: strings, and variants but for those that
    programs can carry (lists, optionals, and what is given)."""
    dtype = tensor._dtype.base_dtype
    if dtype is dtypes.string:
        return True
    if dtype is not dtypes.variant:
        return False
    while True:
        op = tensor._op
        if tensor in feeds or op._spec.carries_variants:
            return False
        spec = op._spec
        passes = spec.passes_variants or spec.is_switch or spec.merges or spec.loop is not None
        if not op._inputs or not passes:
            return True
        tensor = next((t for t in op._inputs if t._op._spec.loop != "next"), op._inputs[0])


def _declared_on_host(op: Operation) -> bool:
    return op._spec.runs_on_host(op) or "_needs_host" in op.__dict__


def _flows_on_host(op: Operation) -> bool:
    """Whether the op hands on what stands for more than arrays, and is on the host."""
    while op._inputs and (op._spec.is_switch or op._spec.merges or op._spec.views or op._spec.loop):
        tensor = op._inputs[0]
        if tensor._shape:
            return False
        op = tensor._op
    return op._spec.flows and (_declared_on_host(op))


def _is_quoted(tensor: Tensor, feeds: set[Tensor]) -> bool:
    """Whether `tensor` is a constant, or the handle of what a program makes, perhaps one that
    control flow hands on."""
    while tensor not in feeds:
        op = tensor._op
        if (
            is_constant(op, feeds)
            or op._spec.flows
            or (op._spec.fold is not None and not op._inputs)
        ):
            return True
        if not op._inputs or not (op._spec.is_switch or op._spec.views or op._spec.loop):
            return False
        tensor = op._inputs[0]
    return False


def _changes_outside(op: Operation, inside: set[Operation]) -> bool:
    """Whether the op changes a variable of this run that began outside of the program: the host
    runs the program several times, and keeps it."""
    return bool(op._spec.writes) and any(
        (source := source_of(tensor)._op)._spec.local and source not in inside
        for index in op._spec.writes
        for tensor in input_group(op, index)
    )


def partition(
    ops: list[Operation], feeds: set[Tensor], cuts: set[tuple[Operation, int]]
) -> list[Level]:
    """Splits `ops` into levels.

    Args:
      cuts: (op, input index) where the input's value must be known before the op's region is
        compiled.

    Returns:
      Levels, each to be run after the one before: first its region, then its host steps.
    """
    inside = {member for op in ops for member in (op, *members(op))}
    level_of: dict[Operation, int] = {}
    on_host: dict[Operation, bool] = {}
    levels = [Level()]
    for op in ops:
        if is_constant(op, feeds):
            continue
        host = on_host[op] = runs_on_host(op, feeds) or _changes_outside(op, inside)
        level = 0
        for index, tensor in enumerate(op._inputs):
            if tensor in feeds:
                continue
            source = tensor._op
            if source in level_of:
                after = (not host and on_host[source]) or (op, index) in cuts
                level = max(level, level_of[source] + after)
        for control in op._control_inputs:
            if control in level_of:
                level = max(level, level_of[control] + (not host and on_host[control]))
        for member in members(op):
            level_of[member], on_host[member] = level, host
        while len(levels) <= level:
            levels.append(Level())
        (levels[level].host if host else levels[level].device).append(op)
    return levels
