"""What an eager operation sees in place of a session: variables behind handles, and resources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import (
    context,
)
from tf1compat.core.eager import Handle
from tf1compat.core.operation import Operation
from tf1compat.runtime.compile.state import State
from tf1compat.runtime.host.program import one
from tf1compat.runtime.trace.values import (
    Ref,
    Variables,
    uninitialized,
)


class EagerVariables(Variables):
    """Variables that are changed at once, as copies: tensors may share their arrays."""

    def update(
        self,
        refs: Sequence[Any],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        operands: Any,
    ) -> None:
        """See `Context.update`."""
        made = change([ref.read().copy() for ref in refs], where, *operands)
        for ref, value in zip(refs, made, strict=True):
            ref.assign(value)


class EagerVariable(Ref):
    """A resource as an operation's input."""

    __slots__ = ("_handle",)

    def __init__(self, handle: Handle, op: Operation):
        self._handle, self._op = handle, op
        self.key, self.source = handle.key, handle.op
        self.version, self.makes, self.viewed = 0, 1, None
        self.is_resource = True
        attrs = handle.source[1]
        self.dtype = attrs.get("dtype")
        shape = attrs.get("shape")
        self.shape = None if shape is None else shape.to_tuple()

    @property
    def initialized(self) -> bool:
        """Whether the variable has a value."""
        return self._handle.value is not None

    def read(self) -> Any:
        """See `Ref.read`."""
        value = self._handle.value
        if value is None:
            raise uninitialized(self.key, True, self._op)
        return value if value.__class__ is np.ndarray else np.asarray(value)

    @property
    def value_shape(self) -> tuple[int, ...]:
        """See `Ref.value_shape`."""
        return self.read().shape

    def assign(self, value: Any) -> Ref:
        """See `Ref.assign`. Arrays are never written to: a tensor and a variable may share one."""
        self._handle.value = one(value)
        return self

    def destroy(self) -> bool:
        """See `Ref.destroy`."""
        self._handle.value = None
        return True

    def seen_by(self, op: Operation, version: int, makes: int | None) -> Ref:
        """See `Ref.seen_by`."""
        return EagerVariable(self._handle, op)


class EagerSession:
    """What host steps see in place of a session.

    Args:
      resources: tables, queues and the like, by key.
      variables: the variables, for functions that are called there.
      lock: guards them.
    """

    def __init__(self, resources: Any, variables: Any = None, lock: Any = None):
        self.resources = resources
        if variables is not None:
            self._variables, self._lock = variables, lock

    @property
    def graph(self) -> Any:
        """Where functions are looked up that are called by name."""
        return context.default_graph()


class NestedResources(dict[Any, Any]):
    """The resources that a program knows by names of its own, and all others."""

    def __init__(self, own: dict[Any, Any], others: dict[Any, Any], names: Any = ()):
        super().__init__(own)
        self._others = others
        self._names = frozenset(names)

    def get(self, key: Any, default: Any = None) -> Any:
        return dict.get(self, key, self._others.get(key, default))

    def __missing__(self, key: Any) -> Any:
        return self._others[key]

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or key in self._others

    def __setitem__(self, key: Any, value: Any) -> None:
        # What an operation names by its handle's own key is kept with all others.
        if key in self._names:
            super().__setitem__(key, value)
        else:
            self._others[key] = value


class HandleState(State):
    """Variables in the place of a session's.

    Args:
      handles: (key, 0) -> the variable.
    """

    def __init__(self, handles: dict[Any, Handle]):
        super().__init__()
        self._handles = handles
        self.container_exists = True

    def __missing__(self, pair: Any) -> Any:
        if pair in self._handles and self._handles[pair].value is not None:
            return self._handles[pair].value
        raise KeyError(pair)

    def __contains__(self, pair: object) -> bool:
        if dict.__contains__(self, pair):
            return True
        handle = self._handles.get(pair)  # pyright: ignore[reportArgumentType, reportCallIssue]
        return handle is not None and handle.value is not None

    def get(self, pair: Any, default: Any = None) -> Any:
        try:
            return self[pair]
        except KeyError:
            return default

    def __setitem__(self, pair: Any, value: Any) -> None:
        if pair in self._handles:
            self._handles[pair].value = value
        else:
            super().__setitem__(pair, value)

    def commit(self, changes: Any) -> None:
        """See `State.commit`."""
        for pair, value in changes.items():
            self[pair] = value
