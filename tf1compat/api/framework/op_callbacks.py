"""Functions that are told of each operation that runs or is recorded
(`tensorflow.python.framework.op_callbacks`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tf1compat.core import context, eager


class _State(threading.local):
    def __init__(self) -> None:
        self.callback_stack: list[Callable[..., Any]] = []
        self.invoking_callbacks = False


_state = _State()
# In how many `with` blocks of all threads recording is watched.
_lock = threading.Lock()
_watching = 0


def _watch(change: int) -> None:
    """Has the recording of operations say what it makes, as long as someone wants to know."""
    global _watching
    with _lock:
        _watching += change
        eager.operation_recorded = _recorded if _watching else None


class _OpCallbackContextManager:
    """Has a function told of operations, in a `with` block of this thread."""

    def __init__(self, callback_fn: Callable[..., Any]):
        self._callback_fn = callback_fn

    def __enter__(self) -> None:
        _state.callback_stack.append(self._callback_fn)
        _watch(1)
        if context.executing_eagerly():
            eager.callbacks.append(self._callback_fn)

    def __exit__(self, exec_type: Any, exec_value: Any, exec_traceback: Any) -> None:
        _state.callback_stack.pop()
        _watch(-1)
        if context.executing_eagerly():
            eager.callbacks.pop()


def op_callback(callback_fn: Callable[..., Any]) -> _OpCallbackContextManager:
    """A `with` block in which a function is told of each operation that runs eagerly, or that is
    recorded in a graph or a function.

    Args:
      callback_fn: `callback_fn(op_type, inputs, attrs, outputs, op_name=None, graph=None)`. What it
        gives for a recorded operation, if not None, are outputs in place of the operation's own.

    Raises:
      ValueError: it is not callable.
    """
    if callback_fn is None:
        raise ValueError("Passed callback function cannot be None.")
    if not callable(callback_fn):
        raise ValueError(
            "Callback function passed to op_callback() is expected to be callable, but is not. "
            f"Recevied {callback_fn}"
        )
    return _OpCallbackContextManager(callback_fn)


def should_invoke_op_callbacks() -> Any:
    """Whether there is a function to tell, and none is being told: true or false as Python takes
    it."""
    return _state.callback_stack and not _state.invoking_callbacks


def invoke_op_callbacks(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: str | None = None,
    graph: Any = None,
) -> Any:  # fmt: skip
    """Tells the functions of an operation, the innermost first.

    Args:
      op_type: its type.
      inputs: the tensors that it takes.
      attrs: its attrs: names and values in turn, or a dict.
      outputs: what it gives; each function is told what the one before it made of that.
      op_name: its name, if it is recorded.
      graph: where it is recorded, if it is.

    Returns:
      What the last function gave; `outputs` if there are no functions.

    Raises:
      ValueError: a function gives another number of outputs.
    """
    if not _state.callback_stack:
        return outputs
    if isinstance(attrs, dict):
        attrs = tuple(part for pair in attrs.items() for part in pair)
    given = outputs
    _state.invoking_callbacks = True
    try:
        for callback in reversed(_state.callback_stack):
            given = callback(op_type, inputs, attrs, given, op_name=op_name, graph=graph)
            if given is not None and len(given) != len(outputs):
                raise ValueError(
                    f"The op callback returned {len(given)} tensors, which does not match the "
                    f"original number of outputs of op {op_name} ({len(outputs)})."
                )
    finally:
        _state.invoking_callbacks = False
    return given


def _recorded(operation: Any) -> None:
    """Tells this thread's functions of a recorded operation, and takes their outputs."""
    if not should_invoke_op_callbacks():
        return
    values = operation.node_def.attr
    attrs = {attr: values[attr] for attr in operation._spec.op_def.attrs if attr in values}
    graph, name = operation.graph, operation.name
    # What a function records stands in the operation's own scope.
    with graph.name_scope(f"{name}/"):
        given = invoke_op_callbacks(
            operation.type, tuple(operation.inputs), attrs, tuple(operation.outputs),
            op_name=name, graph=graph,
        )  # fmt: skip
    if given is not None:
        operation._outputs[: len(given)] = given
