"""What client code takes from `tensorflow.python.framework.ops` beyond `core/ops.py`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, NoReturn, TypeVar

from tf1compat.api.framework import registry
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import (
    context,
    conversion,
    device,
    dtypes,
    eager,
    export,
    gradient_registry,
    graph_scopes,
    op_defs,
    op_registry,
    protos,
    scopes,
    tensor,
)
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.typing import DTypeLike

_DTYPES_INTERN_TABLE = dtypes._INTERNED
_TENSOR_LIKE_TYPES = (tensor.Tensor,)
_USE_C_API = _USE_C_SHAPES = True
# Of a graph's `GroupLock`: who changes it, and who runs it.
_MUTATION_LOCK_GROUP, _SESSION_RUN_LOCK_GROUP = range(2)
_VALID_OP_NAME_REGEX = graph_scopes.VALID_OP_NAME
_VALID_SCOPE_NAME_REGEX = graph_scopes.VALID_SCOPE_NAME

F = TypeVar("F", bound=Callable[..., Any])


@export.tf_export("colocate_with")
@deprecated(None, "Colocations handled automatically by placer.")
def _colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """Deprecated: the placer handles colocations.

    Args:
      op: an operation or tensor.
      ignore_existing: whether colocations of scopes around are put aside.

    Returns:
      As `Graph.colocate_with`, of the default graph.
    """
    return scopes.colocate_with(op, ignore_existing)


class _Entry(dict[str, Any]):
    """An entry of the registry; what client code puts in it holds, as in `_Entries`."""

    def __init__(self, entries: _Entries, name: str, **values: Any):
        super().__init__(values)
        self._entries, self._name = entries, name

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self._entries[self._name] = self


class _Entries(MutableMapping[str, dict[str, Any]]):
    """Op type or override name -> {"type": gradient function, "location": where from}.

    Assignments and deletions reach what `tf.RegisterGradient` registered, not TF's own gradients.
    """

    def __getitem__(self, name: str) -> dict[str, Any]:
        if name not in self:
            raise KeyError(name)
        location = gradient_registry._previous_registration(name)
        return _Entry(self, name, type=gradient_registry.lookup(name), location=location)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and gradient_registry._previous_registration(name) is not None

    def __setitem__(self, name: str, entry: dict[str, Any]) -> None:
        gradient_registry._registered[name] = (entry["type"], str(entry.get("location")))

    def __delitem__(self, name: str) -> None:
        del gradient_registry._registered[name]

    def __iter__(self) -> Iterator[str]:
        names = {*gradient_registry._registered, *op_registry.registered(), *op_defs.names()}
        return (name for name in sorted(names) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _GradientRegistry:
    """`ops._gradient_registry`, which scripts ask whether a name is registered."""

    def __init__(self) -> None:
        self._registry = _Entries()

    def list(self) -> list[str]:
        """The names that have an entry."""
        return [*self._registry]

    def lookup(self, name: str) -> Any:
        """The gradient function; None where an op type is declared to have none.

        Raises:
          LookupError: there is no entry.
        """
        return gradient_registry.lookup(name)

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers a gradient function.

        Raises:
          KeyError: the name has one.
        """
        gradient_registry._register(name or candidate.__name__, candidate)


_gradient_registry = _GradientRegistry()


class RegisterShape:
    """Decorator without effect: shape functions are the ops' own since TF 1.0, as in TF 1.15."""

    def __init__(self, op_type: str):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")

    def __call__(self, f: F) -> F:
        return f


class OpStats:
    """A number that is known of an operation, such as its "flops".

    Args:
      statistic_type: what it counts.
      value: the number; None for unknown, as it is then for none.
    """

    def __init__(self, statistic_type: str, value: float | None = None):
        self.statistic_type = statistic_type
        self.value = value

    @property
    def statistic_type(self) -> str:
        """What is counted."""
        return self._statistic_type

    @statistic_type.setter
    def statistic_type(self, statistic_type: str) -> None:
        self._statistic_type = statistic_type

    @property
    def value(self) -> float | None:
        """The number; None for unknown."""
        return self._value

    @value.setter
    def value(self, value: float | None) -> None:
        self._value = value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(
                f"Can't add an OpStat of type {self.statistic_type} to one of "
                f"{other.statistic_type}."
            )
        if self.value is None:
            self.value = other.value
        elif other.value is not None:
            self.value += other.value
        return self


_statistics = registry.Registry("statistical functions")


class RegisterStatistics:
    """Decorator: the function `(graph, node_def) -> OpStats` tells a statistic of an op type.

    Args:
      op_type: the op type.
      statistic_type: what the function counts, e.g. "flops".

    Raises:
      TypeError: one of them is no string, or has a comma.
      KeyError: (when decorating) there is such a function.
    """

    def __init__(self, op_type: str, statistic_type: str):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        if "," in op_type:
            raise TypeError("op_type must not contain a comma.")
        self._op_type = op_type
        if not isinstance(statistic_type, str):
            raise TypeError("statistic_type must be a string.")
        if "," in statistic_type:
            raise TypeError("statistic_type must not contain a comma.")
        self._statistic_type = statistic_type

    def __call__(self, f: F) -> F:
        _statistics.register(f, f"{self._op_type},{self._statistic_type}")
        return f


def get_stats_for_node_def(graph: Graph, node: Any, statistic_type: str) -> OpStats:
    """A statistic of a node, by the function that `RegisterStatistics` registered.

    Args:
      graph: the graph of the node.
      node: its `NodeDef`.
      statistic_type: what to count.

    Returns:
      The number; unknown where there is no function for the op type.
    """
    try:
        function = _statistics.lookup(f"{node.op},{statistic_type}")
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)


def tensor_id(tensor: Any) -> int:
    """What tells a tensor from all others."""
    return tensor._id


def numpy_text(tensor: Any, is_repr: bool = False) -> str:
    """The value of an eager tensor as text."""
    return eager.text(tensor, is_repr)


def _NodeDef(op_type: str, name: str, device: Any = None, attrs: Any = None) -> Any:  # noqa: N802
    """A `NodeDef`, without inputs.

    Args:
      op_type, name: of the node.
      device: where it runs, as a string or `DeviceSpec`, or a function of the node that gives it.
      attrs: name -> `AttrValue`.
    """
    node = protos.NodeDef(op=op_type, name=name)
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    if device is not None:
        node.device = device(node) if callable(device) else _device_string(device)
    return node


def _device_string(dev_spec: Any) -> str:
    return device.canonical_name(dev_spec)


def _error_prefix(name: str | None) -> str:
    return f"{name}: " if name else ""


def _as_graph_element(obj: Any) -> Any:
    """What an object stands for in a graph, by its method `_as_graph_element`; None without one."""
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert is not None else None


def _assert_same_graph(original_item: Any, item: Any) -> None:
    """Checks that two operations or tensors are of one graph.

    Raises:
      ValueError: they aren't.
    """
    if original_item.graph is not item.graph:
        raise ValueError(f"{item} must be from the same graph as {original_item}.")


def _op_to_colocate_with(v: Any, graph: Graph) -> Any:
    """The operation that "colocated with `v`" means; None for None."""
    if v is None:
        return None
    if hasattr(v, "handle") and hasattr(v.handle, "op") and isinstance(v.handle.op, Operation):
        return v.handle.op
    found = scopes._graph_element(v)
    found = conversion.internal_convert_to_tensor(v, as_ref=True) if found is None else found
    return found if isinstance(found, Operation) else found.op


def _operation_conversion_error(
    op: Any, dtype: DTypeLike | None = None, name: str | None = None, as_ref: bool = False
) -> NoReturn:
    raise TypeError(
        f"Can't convert Operation '{op.name}' to Tensor (target dtype={dtype!r}, name={name!r}, "
        f"as_ref={as_ref!r})"
    )


def _is_keras_symbolic_tensor(x: Any) -> bool:
    return hasattr(x, "graph") and getattr(x.graph, "name", None) == "keras_graph"


def eager_run(main: Any = None, argv: Any = None) -> NoReturn:
    """`tf.app.run` after `tf.enable_eager_execution`."""
    scopes.enable_eager_execution()
    export.find("app.run")(main, argv)
    raise AssertionError("app.run does not return")


def enable_eager_execution_internal(
    config: Any = None,
    device_policy: Any = None,
    execution_mode: Any = None,
    server_def: Any = None,
) -> None:
    """`tf.enable_eager_execution`; `server_def` is not supported."""
    if server_def is not None:
        raise NotImplementedError("server_def is not supported by tf1compat")
    scopes.enable_eager_execution(config, device_policy, execution_mode)


def enter_eager_name_scope(ctx: Any, name: str | None) -> tuple[str, str]:
    """Enters a name scope in eager execution.

    Args:
      ctx: the eager context.
      name: its name; one that ends with "/" is taken as it is, "" or None for none.

    Returns:
      The scope that there is now, and the one before.
    """
    before = ctx.scope_name
    scope = (name if name.endswith("/") else f"{before or ''}{name}/") if name else ""
    ctx.scope_name = scope
    return scope, before


class _DefaultStack:
    """What is current in this thread, as the innermost of a stack.

    Args:
      stack: gives the list, the innermost last.
    """

    def __init__(self, stack: Callable[[], list[Any]]):
        self._stack = stack

    @property
    def stack(self) -> list[Any]:
        """The list, the innermost last."""
        return self._stack()

    def get_default(self) -> Any:
        """The innermost; None if there is none."""
        return self.stack[-1] if self.stack else None

    def is_cleared(self) -> bool:
        """Whether there is none."""
        return not self.stack

    def reset(self) -> None:
        """Drops all."""
        self.stack.clear()

    @contextlib.contextmanager
    def get_controller(self, default: Any) -> Iterator[Any]:
        """A context in which `default` is the innermost."""
        self.stack.append(default)
        try:
            yield default
        finally:
            self.stack.remove(default)


class _DefaultGraphStack(_DefaultStack):
    """The graphs that are current in this thread, within the process's own."""

    def get_default(self) -> Any:
        return context.default_graph()

    def _GetGlobalDefaultGraph(self) -> Any:  # noqa: N802
        return context.global_graph()

    def reset(self) -> None:
        super().reset()
        context.reset_global_graph()

    @contextlib.contextmanager
    def get_controller(self, default: Any) -> Iterator[Any]:
        with default.as_default():
            yield default


_default_session_stack = _DefaultStack(lambda: context.thread.sessions)
_default_graph_stack = _DefaultGraphStack(lambda: context.thread.graphs)


def set_shape_and_handle_data_for_outputs(_: Any) -> None:
    """Does nothing, as in TF 1.15: shapes are set when an operation is recorded."""
