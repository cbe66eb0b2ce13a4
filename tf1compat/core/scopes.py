"""What user code says around ops: name scopes, devices, colocation, control dependencies, default
graph and session."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from tf1compat.core import context, protos, tape
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import internal_class, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor, TensorBase


@internal_class("tensorflow.python.framework.ops")
class NullContextmanager:
    """A context manager that does nothing."""

    def __init__(self, *args: Any, **kwargs: Any):
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: Any) -> None:
        pass


@tf_export("get_default_graph")
def get_default_graph() -> Graph:
    """The graph that new operations join in this thread."""
    return context.default_graph()


def has_default_graph() -> bool:
    """Whether a graph was made the default with `as_default`."""
    return bool(context.thread.graphs)


@tf_export("reset_default_graph")
def reset_default_graph() -> None:
    """Replaces the global default graph by a fresh one.

    Raises:
      AssertionError: inside a `with graph.as_default()`.
    """
    if context.thread.graphs:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    context.reset_global_graph()


@tf_export("get_default_session")
def get_default_session() -> Any:
    """The innermost session entered with `with`, or None.

    Returns:
      A `tf.Session`.
    """
    return context.default_session()


@contextlib.contextmanager
def default_session(session: Any) -> Iterator[Any]:
    """Makes `session` the default inside the `with` block."""
    sessions = context.thread.sessions
    sessions.append(session)
    try:
        yield session
    finally:
        if sessions[-1] is not session:
            raise AssertionError(f"Nesting violated for default stack of {type(session)} objects")
        sessions.pop()


def eval_using_default_session(
    tensors: Any, feed_dict: Any, graph: Any, session: Any = None
) -> Any:
    """Runs `tensors` in `session`, or in the default one (`Tensor.eval`)."""
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError(
                "Cannot evaluate tensor using `eval()`: No default session is registered. "
                "Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`"
            )
        if session.graph is not graph:
            raise ValueError(
                "Cannot use the default session to evaluate tensor: the tensor's graph is "
                "different from the session's graph. Pass an explicit session to "
                "`eval(session=sess)`."
            )
    elif session.graph is not graph:
        raise ValueError(
            "Cannot use the given session to evaluate tensor: the tensor's graph is different from "
            "the session's graph."
        )
    return session.run(tensors, feed_dict)


def run_using_default_session(
    operation: Any, feed_dict: Any, graph: Any, session: Any = None
) -> None:
    """Runs `operation` in `session`, or in the default one (`Operation.run`)."""
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError(
                "Cannot execute operation using `run()`: No default session is registered. "
                "Use `with sess.as_default():` or pass an explicit session to `run(session=sess)`"
            )
        if session.graph is not graph:
            raise ValueError(
                "Cannot use the default session to execute operation: the operation's graph is "
                "different from the session's graph. Pass an explicit session to run(session=sess)."
            )
    elif session.graph is not graph:
        raise ValueError(
            "Cannot use the given session to execute operation: the operation's graph is different "
            "from the session's graph."
        )
    session.run(operation, feed_dict)


_eval_using_default_session = eval_using_default_session
_run_using_default_session = run_using_default_session


def get_graph_from_inputs(values: Any, graph: Any = None) -> Any:
    """The graph that an op with these inputs belongs to.

    Raises:
      ValueError: the inputs are of different graphs.
    """
    default = context.default_graph()
    if default.building_function:
        return default
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    given = graph is not None
    first = None
    for value in values:
        element = _graph_element(value)
        if element is None:
            continue
        if graph is None:
            first, graph = element, element.graph
        elif element.graph is not graph:
            if given:
                raise ValueError(f"{element} is not from the passed-in graph.")
            raise ValueError(f"{element} must be from the same graph as {first}.")
    return graph if graph is not None else default


_get_graph_from_inputs = get_graph_from_inputs


def _graph_element(value: Any) -> Any:
    if isinstance(value, Operation):
        return value
    if isinstance(value, TensorBase):
        return value if getattr(value, "_is_eager", False) is False else None
    convert = getattr(value, "_as_graph_element", None)
    return convert() if convert is not None else None


@tf_export("name_scope", "keras.backend.name_scope")
class name_scope:
    """Opens a name scope of the graph that `values` belong to.

    Args:
      name: the scope's name; "x/" re-enters scope x; None or "" with no `default_name` leaves all
        scopes.
      default_name: used when `name` is None.
      values: tensors that decide the graph.
    """

    def __init__(self, name: Any, default_name: Any = None, values: Any = None):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely "
                "meant to pass this into the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._default_name = default_name
        self._values = values

    @property
    def name(self) -> Any:
        return self._name

    def __enter__(self) -> str:
        self._graph_manager = None
        if context.executing_eagerly():
            return self._enter_eager()
        if self._name is None and self._values is not None:
            raise ValueError(
                f"At least one of name ({self._name}) and default_name ({self._default_name}) must "
                "be provided."
            )
        graph = context.default_graph()
        if self._values and not graph.building_function:
            wanted = get_graph_from_inputs(self._values)
            if wanted is not graph:
                graph = wanted
                self._graph_manager = graph.as_default()
                self._graph_manager.__enter__()
        self._scope = graph.name_scope(self._name)
        try:
            return self._scope.__enter__()
        except BaseException:
            if self._graph_manager is not None:
                self._graph_manager.__exit__(None, None, None)
            raise

    def _enter_eager(self) -> str:
        for value in self._values or ():
            if hasattr(value, "graph"):
                # Operations on it are recorded: the scope is one of its graph.
                self._scope = value.graph.name_scope(self._name)
                return self._scope.__enter__()
        thread = context.thread
        before = thread.eager_scope
        self._scope = _RestoreEagerScope(before)
        if not self._name:
            thread.eager_scope = ""
        elif self._name.endswith("/"):
            thread.eager_scope = self._name
        else:
            thread.eager_scope = f"{before}{self._name}/"
        return thread.eager_scope

    def __exit__(self, *exc_info: Any) -> None:
        self._scope.__exit__(*exc_info)
        if self._graph_manager is not None:
            self._graph_manager.__exit__(*exc_info)


class _RestoreEagerScope:
    def __init__(self, before: str):
        self._before = before

    def __exit__(self, *exc_info: Any) -> None:
        context.thread.eager_scope = self._before


@tf_export("compat.v2.name_scope")
class name_scope_v2(name_scope):
    """`tf.name_scope` of TF 2: a name only.

    Args:
      name: the scope's name, a str.
    """

    def __init__(self, name: str):
        if name is None or not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        super().__init__(name)


@tf_export("op_scope")
@contextlib.contextmanager
def op_scope(values: Any, name: Any, default_name: Any = None) -> Iterator[str]:
    """Deprecated form of `name_scope`.

    Args:
      values: tensors that must be in the graph that is used.
      name, default_name: as in `name_scope`.

    Yields:
      The name of the scope, with a slash at its end.
    """
    with name_scope(name, default_name=default_name, values=values) as scope:
        yield scope


def get_name_scope() -> str:
    """The current name scope of the default graph."""
    if context.executing_eagerly():
        return context.thread.eager_scope.rstrip("/")
    return get_default_graph().get_name_scope()


@tf_export("device")
def device(device_name_or_function: Any) -> Any:
    """As `Graph.device`, of the default graph.

    Args:
      device_name_or_function: a device's name, a function of an operation that gives one, or None.

    Returns:
      A context manager.
    """
    if context.executing_eagerly():
        if callable(device_name_or_function):
            raise RuntimeError(
                "tf.device does not support functions when eager execution is enabled."
            )
        return _eager_device(device_name_or_function)
    return get_default_graph().device(device_name_or_function)


@tf_export("compat.v2.device")
def device_v2(device_name: Any) -> Any:
    """`device` of TF 2: a name only.

    Args:
      device_name: the name of a device, or None.

    Returns:
      A context manager.

    Raises:
      RuntimeError: a function is given.
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return device(device_name)


@functools.cache
def _inside(outer: str, name: str) -> str:
    """A device of eager execution, of which what is not said is that around it."""
    if not outer:
        return name
    spec = DeviceSpec.from_string(outer)
    return spec.make_merged_spec(DeviceSpec.from_string(name)).to_string()


@contextlib.contextmanager
def _eager_device(name: Any) -> Iterator[None]:
    if name is not None and not isinstance(name, str):
        raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
    before = context.thread.eager_device
    context.thread.eager_device = "" if name is None else _inside(before, name)
    try:
        yield
    finally:
        context.thread.eager_device = before


@tf_export("container")
def container(container_name: str) -> Any:
    """As `Graph.container`, of the default graph.

    Args:
      container_name: the resource container of operations that are made inside.

    Returns:
      A context manager.
    """
    return get_default_graph().container(container_name)


def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """As `Graph.colocate_with`, of the default graph."""
    if context.executing_eagerly():
        return NullContextmanager()
    graph = get_default_graph()
    # What is eager is in no graph, and has no operation to be colocated with.
    if isinstance(op, Tensor) and op._is_eager:
        return graph.device(op.device)
    return graph.colocate_with(op, ignore_existing)


def _colocate_with_for_gradient(op: Any, gradient_uid: Any, ignore_existing: bool = False) -> Any:
    if context.executing_eagerly():
        return NullContextmanager()
    return get_default_graph()._colocate_with_for_gradient(op, gradient_uid, ignore_existing)


@tf_export("control_dependencies")
def control_dependencies(control_inputs: Any) -> Any:
    """As `Graph.control_dependencies`, of the default graph.

    Args:
      control_inputs: operations and tensors; None clears those of the scopes around.

    Returns:
      A context manager.
    """
    if context.executing_eagerly():
        for item in control_inputs or ():
            if callable(item):
                item()
        return NullContextmanager()
    return get_default_graph().control_dependencies(control_inputs)


@tf_export("add_to_collection")
def add_to_collection(name: Any, value: Any) -> None:
    """As `Graph.add_to_collection`, of the default graph.

    Args:
      name: the collection's key.
      value: what is added.
    """
    get_default_graph().add_to_collection(name, value)


@tf_export("add_to_collections")
def add_to_collections(names: Any, value: Any) -> None:
    """As `Graph.add_to_collections`, of the default graph.

    Args:
      names: keys.
      value: what is added to each collection.
    """
    get_default_graph().add_to_collections(names, value)


@tf_export("get_collection_ref")
def get_collection_ref(key: Any) -> list[Any]:
    """As `Graph.get_collection_ref`, of the default graph.

    Args:
      key: the collection's key.

    Returns:
      The list itself.
    """
    return get_default_graph().get_collection_ref(key)


@tf_export("get_collection")
def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """As `Graph.get_collection`, of the default graph.

    Args:
      key: the collection's key.
      scope: a regular expression that the items' names must begin with.

    Returns:
      A new list.
    """
    return get_default_graph().get_collection(key, scope)


def get_all_collection_keys() -> list[str]:
    """As `Graph.get_all_collection_keys`, of the default graph."""
    return get_default_graph().get_all_collection_keys()


@tf_export("init_scope")
@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Leaves control flow and functions being built: ops made inside join the outermost graph (or
    run eagerly)."""
    if context.executing_eagerly():
        with tape.stop_recording():
            yield
        return
    graph = get_default_graph()
    scope = graph.get_name_scope()
    scope = scope + "/" if scope else scope
    outer, devices = _outer_context(graph)
    with outer(), name_scope(scope), control_dependencies(None), tape.stop_recording():
        if context.executing_eagerly():
            yield
            return
        outer_graph = get_default_graph()
        before, outer_graph._device_stack = outer_graph._device_stack, devices
        try:
            yield
        finally:
            outer_graph._device_stack = before


def _outer_context(graph: Graph) -> tuple[Any, list[Any]]:
    """How to enter the innermost context that is not building a function, and the device stack to
    take along."""
    devices = graph._device_stack
    if not context.thread.graphs:
        if graph.building_function:
            raise RuntimeError("The global graph is building a function.")
        return graph.as_default, devices
    for building_function, enter, stack in reversed(context.thread.switches):
        if not devices and stack:
            devices = stack
        if not building_function:
            return enter, devices
    if context.eager_by_default():
        return lambda: context.mode(True), devices
    return context.global_graph().as_default, devices


def inside_function() -> bool:
    """Whether the default graph is a function being built."""
    return get_default_graph().building_function


def executing_eagerly_outside_functions() -> bool:
    """Whether ops would run at once, were it not for functions being built."""
    if context.executing_eagerly():
        return True
    if not context.thread.graphs:
        return False
    with init_scope():
        return context.executing_eagerly()


@tf_export("executing_eagerly")
def executing_eagerly() -> bool:
    """Whether ops created now run at once."""
    return context.executing_eagerly()


@tf_export("enable_eager_execution")
def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Ops run at once from now on.

    Args:
      config: a `ConfigProto`; accepted.
      device_policy: a constant `tf.contrib.eager.DEVICE_PLACEMENT_…`; accepted.
      execution_mode: `tf.contrib.eager.SYNC` or `ASYNC`; accepted.

    Raises:
      TypeError: `config` is none.
      ValueError: the process already has a default graph, if only because somebody asked for it; or
        `device_policy` or `execution_mode` is no such constant.
    """
    if config is not None and not isinstance(config, protos.load("config_pb2", "ConfigProto")):
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if device_policy not in (None, *range(4)):
        raise ValueError("device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_*")
    if execution_mode not in (None, 0, 1):
        raise ValueError(
            "execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC"
        )
    if context.eager_by_default():
        return
    if context._global_graph is not None:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    context.set_eager_by_default(True)


@tf_export("disable_eager_execution")
def disable_eager_execution() -> None:
    """Ops are recorded: the default."""
    context.set_eager_by_default(False)


def name_from_scope_name(name: str) -> str:
    """`x/` -> `x`."""
    return name[:-1] if name.endswith("/") else name


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """Removes the prefix `export_scope` from `name`."""
    import re

    if not export_scope:
        return name
    prefix = export_scope[:-1] if export_scope[-1] == "/" else export_scope
    return re.sub(r"([\^]|loc:@|^)" + prefix + r"[\/]+(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """Puts `import_scope` before `name`."""
    import re

    if not import_scope:
        return name
    scope = import_scope[:-1] if import_scope[-1] == "/" else import_scope
    return re.sub(r"([\^]|loc:@|^)(.*)", r"\1" + scope + r"/\2", name, count=1)


def dismantle_graph(graph: Graph) -> None:
    """Accepted as in TF; Python's collector frees graphs."""


# How collections are written to and read from MetaGraphs: collection name -> (proto type, to_proto,
# from_proto).
_proto_functions: dict[str, tuple[Any, Any, Any]] = {}


def register_proto_function(
    collection_name: str, proto_type: Any = None, to_proto: Any = None, from_proto: Any = None
) -> None:
    """Says how items of a collection become protos and back.

    Raises:
      TypeError: a converter is not callable.
    """
    if to_proto and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    _proto_functions[collection_name] = (proto_type, to_proto, from_proto)


def get_collection_proto_type(collection_name: str) -> Any:
    """The proto type registered for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[0]


def get_to_proto_function(collection_name: str) -> Any:
    """The to_proto function registered for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[1]


def get_from_proto_function(collection_name: str) -> Any:
    """The from_proto function registered for a collection, or None."""
    return _proto_functions.get(collection_name, (None,) * 3)[2]
