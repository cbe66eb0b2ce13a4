"""Values that are known while recording: what shape functions may look at.

As TF's C++ shape refiner: a tensor is known when everything it is computed from is constant (or a
static shape).  How an
op computes on constants is declared by its kernel (`fold`, `static`, `shape_value`).
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, op_registry, shapes

# Larger arrays are not worth computing, or computing with, while recording.
_MAX_ELEMENTS = 1 << 20
_UNKNOWN = object()


class _Dead:
    def __repr__(self) -> str:
        return "<dead>"


# What an untaken branch yields.
DEAD: Any = _Dead()


def known_value(tensor: Any) -> np.ndarray | None:
    """The value of `tensor` if it is known while recording, else None."""
    found = tensor._known_value
    if found is not None:
        return found
    # A static shape may be refined later (set_shape): a failure is remembered until one is.
    refined = tensor._op._graph._refined
    if tensor._unknown_since == refined:
        return None
    # Not by recursion: graphs are deeper than Python's goes.
    stack = [tensor]
    while stack:
        source = _unsettled_source(stack[-1], refined)
        if source is not None:
            stack.append(source)
            continue
        current = stack.pop()
        try:
            found = _compute(current)
        except MemoryError:  # There may be some next time.
            return None
        if found is _UNKNOWN:
            current._unknown_since = refined
        else:
            current._known_value = found
    return tensor._known_value


def _unsettled_source(tensor: Any, refined: Any) -> Any:
    """The first input of `tensor`'s operation that has to be settled before it, or None."""
    spec: op_registry.OpSpec = tensor._op._spec
    if spec.fold is None:
        return None
    for source in tensor._op._inputs:
        if source._known_value is None:
            return None if source._unknown_since == refined else source
    return None


def input_value(tensor: Any) -> np.ndarray | None:
    """`known_value` for what is an input itself: TF sees through the Enter of a constant there,
    but not through one further back.  What only constants lead to, TF runs to know it.
    """
    op = tensor._op
    tensor = op._inputs[0] if op._spec.loop == "enter" else tensor
    if known_value(tensor) is not None:
        return tensor._known_value if _is_worked_out(tensor) else None
    return _run(tensor) if _follows_from_constants(tensor._op) else None


# Operation -> the outputs of it whose values were asked for.
_told: weakref.WeakKeyDictionary[Any, set[int]] = weakref.WeakKeyDictionary()


def _is_worked_out(tensor: Any) -> bool:
    """Whether TF comes to know a value that follows from constants and static shapes.

    It runs what leads to the tensor, from constants, from what it was told before, and from the
    shapes, ranks and sizes that it finds on the way, not the tensor itself.  It feeds these by
    their names, and a name that is fed twice is an error: the value stays unknown then.
    """
    if not tensor._op._inputs or tensor._value_index in _told.get(tensor._op, ()):
        return True
    if _is_static(tensor) and not all(
        known_value(source) is not None or _follows_from_constants(source._op)
        for source in tensor._op._inputs
    ):
        return False
    fed, seen, stack = set(), {tensor._op}, [tensor._op]
    while stack:
        for source in stack.pop()._inputs:
            op = source._op
            if _is_static(source):
                if source in fed:
                    return False
                fed.add(source)
            elif op not in seen and source._value_index not in _told.get(op, ()):
                seen.add(op)
                stack.append(op)
    _told.setdefault(tensor._op, set()).add(tensor._value_index)
    return True


def _is_static(tensor: Any) -> bool:
    """Whether the value follows from a static shape: it is a shape, a rank or a size."""
    rule = tensor._op._spec.static
    values = None if rule is None else rule(tensor._op)
    return values is not None and values[tensor._value_index] is not None


# Whether an operation is one of a program of constants that can be run while recording.  It goes by
# op types alone, so it stays as it is found.
_constant: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()


def _follows_from_constants(operation: Any) -> bool:
    stack = [operation]
    while stack:
        op = stack[-1]
        if op in _constant:
            stack.pop()
            continue
        known = _can_run(op)
        for tensor in op._inputs if known else ():
            if known_value(tensor) is not None:
                continue
            if tensor._op not in _constant:
                stack.append(tensor._op)
                break
            known = known and _constant[tensor._op]
        else:
            _constant[op] = known
            stack.pop()
    return _constant[operation]


def _can_run(op: Any) -> bool:
    """Whether an operation does nothing but to compute arrays from its inputs, or to choose."""
    spec: op_registry.OpSpec = op._spec
    acts = (
        spec.effect or spec.random or spec.reads or spec.writes or spec.source or spec.given
        or spec.flows or spec.calls or spec.merges or spec.loop
        or spec.passes_refs or spec.carries_variants
        or spec.gpu_only  # TF has no kernel to run on the host.
    )  # fmt: skip
    return not (
        acts
        or not op._inputs
        or spec.op_def is None
        or spec.op_def.is_stateful
        or not all(dtype.is_numpy_compatible for dtype in op._output_dtypes)
    )


# Operation -> the values of its outputs, where a branch with a constant predicate leads to them:
# known to who asks while recording, but the runtime may be fed another predicate.
_chosen: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()


def _run(tensor: Any) -> np.ndarray | None:
    """The value of a tensor that follows from constants; None if it can't be computed."""
    stack = [tensor._op]
    while stack:
        op = stack[-1]
        missing = [t._op for t in op._inputs if known_value(t) is None and t._op not in _chosen]
        if missing:
            stack.append(missing[0])
            continue
        stack.pop()
        values: list[Any] = [_value(t) for t in op._inputs]
        found = None
        if all(value is not DEAD and value.size <= _MAX_ELEMENTS for value in values):
            found = _outputs(op, op._spec.on_numpy, values)
        if found is None:
            _constant[op] = _constant[tensor._op] = False
            return None
        if op._spec.is_switch or any(t._op in _chosen for t in op._inputs):
            _chosen[op] = found
            continue
        for output, value in zip(op._outputs, found, strict=True):
            output._known_value = value
    value = _value(tensor)
    return None if value is DEAD else value


def _value(tensor: Any) -> Any:
    """The value of a tensor that is known, or DEAD."""
    chosen = _chosen.get(tensor._op)
    return tensor._known_value if chosen is None else chosen[tensor._value_index]


class _NotWhileRecording(Exception):
    """A kernel wants what only a run has."""


class _Checks:
    """What a kernel has of a run while recording: it may refuse its inputs."""

    def check(self, holds: Any, error: Any, text: Any, **values: Any) -> None:
        if not np.all(holds):
            raise error(None, None, "")

    def __getattr__(self, name: str) -> Any:
        raise _NotWhileRecording(name)


def _compute(tensor: Any) -> Any:
    op = tensor._op
    spec: op_registry.OpSpec = op._spec
    if spec.static is not None:
        values = spec.static(op)
        value = None if values is None else values[tensor._value_index]
        if value is not None:
            return value
    rule = spec.fold
    if rule is None or (op._inputs and tensor._shape is not None and _too_large(tensor._shape)):
        return _UNKNOWN
    values = []
    for source in op._inputs:
        value = known_value(source)
        if value is None or value.size > _MAX_ELEMENTS:
            return _UNKNOWN
        values.append(value)
    result = _fold(op, values)
    if result is None:
        return _UNKNOWN
    return result[tensor._value_index]


def follows_from_shapes(tensor: Any) -> bool:
    """Whether `tensor` is known once the shapes of what is fed are: a program is then compiled with
    its value."""
    stack, seen = [tensor], {tensor}
    while stack:
        current = stack.pop()
        spec: op_registry.OpSpec = current._op._spec
        if current._known_value is not None or spec.static is not None:
            continue
        if spec.fold is None:
            return False
        new = [source for source in current._op._inputs if source not in seen]
        stack.extend(new)
        seen.update(new)
    return True


def _too_large(shape: tuple[int | None, ...]) -> bool:
    size = 1
    for dim in shape:
        size *= dim or 1
    return size > _MAX_ELEMENTS


def fold(op: Any, values: list[Any]) -> list[np.ndarray] | None:
    """An op's outputs for NumPy inputs by its `fold` rule; None where the rule declines."""
    try:
        return _fold(op, values)
    except MemoryError:
        return None


def _fold(op: Any, values: list[Any]) -> list[np.ndarray] | None:
    return _outputs(op, op._spec.fold, values)


def _outputs(op: Any, rule: op_registry.Rule | None, values: Any) -> list[np.ndarray] | None:
    """What a rule gives for NumPy inputs; None where it declines."""
    if rule is None:
        return None
    spec: op_registry.OpSpec = op._spec
    keywords = rule.keywords(op._attrs) if rule.attrs else {}
    if "op" in rule.services:
        keywords["op"] = op
    if "ctx" in rule.services:
        keywords["ctx"] = _Checks()
    if spec.op_def is not None and spec.op_def.has_list_inputs:
        values = op_registry.group_inputs(op, values)
    try:
        with np.errstate(all="ignore"):
            result = rule.function(*values, **keywords)
    except (ValueError, IndexError, TypeError, errors.OpError, _NotWhileRecording):
        # NumPy, or the op itself, refuses the values: what the op says to that is up to its shape
        # function and its lowering.
        return None
    if result is None:
        return None
    outputs = list(result) if isinstance(result, tuple | list) else [result]
    return [
        value
        if value is DEAD
        else np.asarray(value, dtypes.in_programs(dtype) if dtype.is_numpy_compatible else object)
        for value, dtype in zip(outputs, op._output_dtypes, strict=True)
    ]


def known_shape(tensor: Any) -> tuple[int | None, ...] | None:
    """`tensor`, an int vector, read as a shape of which perhaps only a part is known (TF's
    ConstantPartialShape).

    How an op type's output is read without its value being known is its kernel's `shape_value`.

    Returns:
      The shape, a dim None where it is unknown or -1; None if nothing is known, not even its rank.

    Raises:
      ShapeError: the value is no shape.
    """
    if tensor._shape == (0,):
        return ()
    rule = tensor._op._spec.shape_value
    try:
        if rule is not None:
            found = rule(tensor._op)
            return found[tensor._value_index] if len(tensor._op._outputs) > 1 else found
        return value_as_shape(tensor)
    except shapes.ShapeError as error:
        raise shapes.BareShapeError(str(error)) from None


def value_as_shape(tensor: Any) -> tuple[int | None, ...] | None:
    """The known value of an int vector as a shape; all dims unknown where only the vector's length
    is known.
    """
    value = input_value(tensor)
    if value is not None:
        return shapes.from_sizes(value)
    length = tensor._shape
    return None if length is None or length[0] is None else (None,) * length[0]
