"""`tf.Session`: runs a recorded graph."""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import threading
import warnings
import weakref
from collections.abc import Callable, Collection, Mapping
from typing import Any

import jax
import numpy as np

from tf1compat.core import context, dtypes, errors, local_targets, waiting
from tf1compat.core import mixed_precision_global_state as mixed_precision
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find, tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.graph_partition import partitioned
from tf1compat.core.operation import Operation
from tf1compat.core.scopes import default_session
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import containers as containers_lib
from tf1compat.runtime import fetches as fetch_lib
from tf1compat.runtime import memory, metadata, partial, profiler
from tf1compat.runtime import options as options_lib
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.allocator import keep_freed_memory
from tf1compat.runtime.callables import SessionCallable
from tf1compat.runtime.cluster import master as master_lib
from tf1compat.runtime.cluster.tasks import member
from tf1compat.runtime.compile.state import State, get_x64, set_x64
from tf1compat.runtime.devices import LOCALHOST, device_attributes
from tf1compat.runtime.placer import Placer
from tf1compat.runtime.program import Program
from tf1compat.runtime.watch import graph as watched_graph
from tf1compat.runtime.watch.program import WatchedProgram

# The runs of all sessions are counted together, as in TF 1.15.
_steps = itertools.count(1)
_live: weakref.WeakSet[BaseSession] = weakref.WeakSet()


class _Run:
    """A repeated `run`: the program and how to convert what goes in and out."""

    __slots__ = ("_forms", "build", "feeds", "kinds", "mutations", "program")

    def __init__(
        self,
        graph: Graph,
        fetch: fetch_lib.Fetch,
        feeds: list[Tensor],
        program: Callable[..., Any] = Program,
    ):
        self.build = fetch.build
        self.feeds = feeds
        # Of each feed, the dtype and shape of the array that was fed last.
        self._forms: list[Any] = [None] * len(feeds)
        self.mutations = graph._mutations
        # What each fetched element gives: the position of its feed, a result of the program, or
        # None.
        places = {tensor: i for i, tensor in enumerate(feeds)}
        tensors = []
        self.kinds: list[Any] = []
        for element in fetch.elements:
            if isinstance(element, Operation):
                self.kinds.append(_NOTHING)
            elif element in places:
                self.kinds.append(places[element])
            else:
                self.kinds.append(_COMPUTED)
                tensors.append(element)
        targets = [element for element in fetch.elements if isinstance(element, Operation)]
        self.program = program(tensors, targets, feeds)
        if all(kind is _COMPUTED for kind in self.kinds):
            self.kinds = []

    def fed(self, values: Collection[Any]) -> list[Any]:
        """What is fed, as arrays.

        Args:
          values: what the feed dict gives for each of `feeds`.

        Raises:
          TypeError, ValueError: see `fetches.feed_array`.
        """
        forms, arrays = self._forms, []
        for i, value in enumerate(values):
            is_array = type(value) is np.ndarray
            if is_array and forms[i] == (value.dtype, value.shape):
                arrays.append(value)  # It is like the one before, which was taken as it was.
                continue
            array = fetch_lib.feed_array(self.feeds[i], value)
            if is_array and array is value and not value.dtype.hasobject:
                forms[i] = value.dtype, value.shape
            arrays.append(array)
        return arrays


_GRPC = "grpc://"
_HOST_AND_PORT = re.compile(r"[^/]*: *\d{1,10}")
_NOTHING = None
_COMPUTED = -1
_TIMEOUT = "Timed out waiting for notification"


class BaseSession(SessionInterface):
    """Runs operations of a graph and holds the values of its variables.

    Threads may call `run` at once: each program updates variables atomically, and none waits for
    another one's host steps.

    Args:
      target: the execution engine: "", or the target of a server of this process, whose sessions
        share variables, tables and queues.
      graph: the graph to run; the default graph if None.
      config: a `ConfigProto`; what becomes of each field is in `option_table.py`.

    Raises:
      TypeError: an argument of another type.
      NotImplementedError: `config` asks for what there is not here.
      tf.errors.NotFoundError: there is no such engine, or executor.
    """

    # Which tier runs the session's programs (`tiers.set_tier`); None: that of the process.
    _tier: str | None = None

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None):
        keep_freed_memory()
        if graph is None:
            self._graph = context.default_graph()
        else:
            if not isinstance(graph, Graph):
                raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
            self._graph = graph
        self._target = _checked_target(target)
        if config is not None and type(config).__name__ != "ConfigProto":
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        config = _with_mixed_precision(config)
        self._config = config
        if config is not None:
            options_lib.check_config(config)
        self._timeout = 0 if config is None else config.operation_timeout_in_ms
        self._closed = False
        self._was_reset = False
        self._lock = threading.RLock()
        self._variables = State()
        self._runs: dict[Any, _Run] = {}
        self._partial_runs: dict[str, Any] = {}
        self.resources: dict[Any, Any] = {}
        self._server = local_targets.find(self._target)
        if self._server is not None and not master_lib.is_isolated(config):
            self._share(containers_lib.of(self._server))
        if self._server is not None:
            options_lib.check_config(self._server.config)
        self._master = self._master_of_tasks()
        if self._master is None:
            _ = self._placer  # It may have to say something.
        _live.add(self)

    def _master_of_tasks(self) -> master_lib.Master | None:
        """What runs the session's programs if other tasks than this process may have a part."""
        target = (self._target or b"").decode()
        cluster = master_lib.given_cluster(self._config)
        if self._server is None:
            is_remote = target.startswith(_GRPC)
        else:
            is_remote = cluster is not None or master_lib.is_of_tasks(self._server.cluster)
        if not is_remote:
            if master_lib.is_of_tasks(cluster):
                raise NotImplementedError(
                    "ConfigProto.cluster_def of several tasks, of a session on no server: not "
                    "supported by tf1compat"
                )
            return None
        return master_lib.Master(self, self._server, target.removeprefix(_GRPC), self._config)

    @functools.cached_property
    def _placer(self) -> Placer:
        master = self._master
        devices = None if master is None else master.devices
        return Placer(self._graph, self._device_config, self._task, self._config, devices)

    def _share(self, shared: containers_lib.Containers) -> None:
        """Has this session work on what lives in a server."""
        self._lock = shared.lock
        self._variables = containers_lib.SessionState(shared.variables)
        self.shared_resources = shared.resources

    @property
    def _task(self) -> str:
        """What the names of the session's devices begin with."""
        if self._master is not None:
            return self._master.task
        return LOCALHOST if self._server is None else self._server.task

    @property
    def _device_config(self) -> Any:
        """The `ConfigProto` that says what devices there are."""
        if self._server is not None:
            return self._server.config
        return self._config if self._master is None else self._master.target_config

    graph: Graph = attribute("_graph", "The graph that this session runs.")

    @property
    def graph_def(self) -> Any:
        """The GraphDef of the graph."""
        add_shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=add_shapes)

    sess_str: bytes | None = attribute("_target", "The target, as bytes.")

    def as_default(self) -> Any:
        """A context manager that makes this the default session."""
        return default_session(self)

    def close(self) -> None:
        """Frees the session's variables; it can't run any more."""
        self._closed = True
        if self._master is not None:
            self._master.close()
        self._forget()

    def _forget(self) -> None:
        self._variables = State()
        for run in self._runs.values():
            run.program.release()
        self._runs = {}
        self._partial_runs = {}
        self.resources = {}

    def list_devices(self) -> list[Any]:
        """The devices there are, as `tf.Session.list_devices` gives them.

        Raises:
          tf.errors.CancelledError: the session is closed.
        """
        self._check_open()
        if self._master is not None:
            return list(self._master.devices)
        return device_attributes(self._device_config, self._task)

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs operations and evaluates tensors.

        Args:
          fetches: a tensor, operation, variable or name, or any nested list, tuple, namedtuple or
            dict of these.
          feed_dict: tensors (or names, or tuples of tensors) -> values.
          options: a `RunOptions`; what becomes of each field is in `option_table.py`.
          run_metadata: a `RunMetadata` to fill in.

        Returns:
          The structure of `fetches` with NumPy values; None for operations.

        Raises:
          RuntimeError: the session is closed, or the graph empty.
          TypeError, ValueError: `fetches` or `feed_dict` are not what they must be.
          NotImplementedError: `options` ask for what there is not here.
          tf.errors.OpError: the run failed; variables are then as they were.
          tf.errors.DeadlineExceededError: it lasted longer than it may.
        """
        if profiler.is_running:
            with profiler.annotated("SessionRun"):
                return self._run_with(fetches, feed_dict, options, run_metadata)
        if options is None and run_metadata is None and not self._timeout:
            return self._run(fetches, feed_dict)
        return self._run_with(fetches, feed_dict, options, run_metadata)

    def _run_with(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        trace = metadata.Trace(options, run_metadata, self._task)
        if self._server is None:
            trace.placer = self._placer
        timeout = self._timeout
        if options is not None:
            options_lib.check_run(options, self._config)
            timeout = options.timeout_in_ms or timeout
        trace_of_run = None if trace.is_idle else trace
        with self._at_most(timeout):
            if options is not None and options.debug_options.debug_tensor_watch_opts:
                result = self._run_watched(fetches, feed_dict, trace_of_run, options.debug_options)
            else:
                result = self._run(fetches, feed_dict, trace_of_run)
        trace.finish()
        return result

    def _at_most(self, milliseconds: int) -> Any:
        """A context whose body fails where it lasts longer."""
        if milliseconds <= 0:
            return contextlib.nullcontext()
        text = _TIMEOUT if self._server is None else master_lib.TIMEOUT
        return waiting.at_most(milliseconds, text)

    def _run(self, fetches: Any, feed_dict: Any, trace: Any = None) -> Any:
        if self._closed or self._was_reset:
            self._refuse()
        graph = self._graph
        try:
            key = (_key(fetches), tuple(feed_dict) if feed_dict else ())
            run = self._runs.get(key)
        except TypeError:
            key = run = None
        if run is None or run.mutations != graph._mutations:
            return self._first_run(key, fetches, feed_dict, trace)
        values = run.fed(feed_dict.values()) if feed_dict else []
        return self._execute(run, values, trace, feed_dict)

    def _run_watched(self, fetches: Any, feed_dict: Any, trace: Any, options: Any) -> Any:
        """As `_run`, with the watches of some `DebugOptions`."""
        if self._closed or self._was_reset:
            self._refuse()
        if self._master is not None:
            raise NotImplementedError(
                "Watched tensors (RunOptions.debug_options) in a cluster are not supported by "
                "tf1compat"
            )
        kept = type(options)()
        kept.CopyFrom(options)
        every = options_lib.computes_all(self._config)
        make = functools.partial(WatchedProgram, options=kept, task=self._task, every=every)
        items = self._feeds_of(feed_dict)
        fetch = self._fetch_of(fetches)
        key = (*fetch.elements, *items, options.SerializeToString())
        run = self._runs.get(key)
        if run is None or run.mutations != self._graph._mutations:
            with self._lock:
                self._placer.place()
                run = self._runs[key] = _Run(self._graph, fetch, list(items), make)
                self._placer.place_run(run.program.ops)
        return self._execute(run, list(items.values()), trace, feed_dict)

    def _check_open(self) -> None:
        if self._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")

    def _refuse(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._server is not None or self._master is not None:
            raise errors.AbortedError(None, None, f"Session {id(self):016x} is not found.")
        raise errors.CancelledError(None, None, "Session has been closed.")

    def _first_run(self, key: Any, fetches: Any, feed_dict: Any, trace: Any) -> Any:
        items = self._feeds_of(feed_dict)
        # What is fed may be named by other objects than tensors, such as variables.
        known = None if key is None else (key[0], tuple(items))
        run = self._runs.get(known)
        if run is None or run.mutations != self._graph._mutations:
            fetch = self._fetch_of(fetches)
            master = self._master
            if master is not None:
                master.open()  # It may have to wait, and holds no lock meanwhile.
            make = self._program if master is None else master.program
            waiting.end_late()
            with self._lock, waiting.not_counting():
                plan_lib.refuse_mistyped(self._graph)
                self._placer.place()
                run = _Run(self._graph, fetch, list(items), make)
                self._placer.place_run(run.program.ops)
                if known is not None:
                    self._runs[known] = run
        return self._execute(run, list(items.values()), trace, feed_dict)

    def _program(
        self, fetches: list[Tensor], targets: list[Operation], feeds: list[Tensor]
    ) -> Program | master_lib.ClusterProgram:
        """The program of a run of one task."""
        every = options_lib.computes_all(self._config)
        program = Program(fetches, targets, feeds, every=every)
        if any(map(member, program.ops)):
            return master_lib.program_of_collectives(self, fetches, targets, feeds)
        return program

    def _feeds_of(self, feed_dict: Any) -> dict[Tensor, Any]:
        """The tensors that are fed, with their values as arrays."""
        graph = self._graph
        if graph.version == 0:
            raise RuntimeError(
                "The Session graph is empty.  Add operations to the graph before calling run()."
            )
        items: dict[Tensor, Any] = {}
        for tensor, value in fetch_lib.feed_items(graph, feed_dict) if feed_dict else ():
            array = fetch_lib.feed_array(tensor, value)
            if not graph.is_feedable(tensor):
                raise ValueError(f"Tensor {tensor} may not be fed.")
            items[tensor] = array
        return items

    def _fetch_of(self, fetches: Any) -> fetch_lib.Fetch:
        fetch = fetch_lib.fetch_of(self._graph, fetches)
        for element in fetch.elements:
            fetch_lib.check_fetchable(self._graph, element)
        return fetch

    def _execute(self, run: _Run, feeds: list[Any], trace: Any, feed_dict: Any) -> Any:
        bits = get_x64()
        self._step = next(_steps)
        try:
            values = run.program.run(self._variables, feeds, self._lock, self, trace)
            results = [fetch_lib.result(value) for value in values]
            if trace is not None and trace.wants_graphs and isinstance(run.program, Program):
                self._tell_graph(run.program, trace)
        except (MemoryError, jax.errors.JaxRuntimeError) as error:
            memory.explain(error)
        except errors.OpError as error:
            # The errors of several tasks have been told apart already. Of those of the server's
            # steps, the one about a variable that is fetched names no operation.
            of_step = error.op is not None or error.message.startswith("Attempting to use uninit")
            if self._server is not None and self._master is None and of_step:
                raise self._from_server(error) from None
            raise
        finally:
            set_x64(bits)
        if run.kinds:
            computed = iter(results)
            results = [
                next(computed)
                if kind == _COMPUTED
                else None
                if kind is _NOTHING
                else self._as_fed(run.feeds[kind], feeds[kind], feed_dict)
                for kind in run.kinds
            ]
        return run.build(results)

    def _tell_graph(self, program: Program, trace: Any) -> None:
        ops = watched_graph.members(program.ops)
        device = f"{self._task}/device:CPU:0"
        graph = watched_graph.debug_graph_def(ops, program.fetches, program.feeds, {}, device)
        places = {op.name: trace.place(op, device) for op in ops}
        for node in graph.node:
            node.device = places.get(node.name, device)
        trace.graphs += partitioned(graph, ops)

    def _as_fed(self, tensor: Tensor, array: Any, feed_dict: Any) -> np.ndarray:
        """The value of a fetch that is fed: texts stay the `str` that they were, as in TF 1.15."""
        if tensor._dtype is not dtypes.string:
            return np.array(array)
        return np.array(dict(fetch_lib.feed_items(self._graph, feed_dict))[tensor], dtype=object)

    def _from_server(self, error: Any) -> errors.OpError:
        """An error as the master of a server hands it on."""
        text = f"From {self._task}:\n{error.message}"
        return errors.make_exception(error.node_def, error.op, text, error.error_code)

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Any:
        """A function that runs `fetches` with the values of `feed_list` as its arguments.

        Args:
          fetches: as in `run`.
          feed_list: the tensors that the arguments feed.
          accept_options: the function then also takes `options` and `run_metadata`; with a
            `feed_list` it always does, as in TF 1.15.

        Raises:
          TypeError: `feed_list` is not a list, or `fetches` not what it must be.
          tf.errors.CancelledError: the session is closed; with a `feed_list` it is a call of the
            function that fails, with a RuntimeError.
        """
        if feed_list is not None:
            if not isinstance(feed_list, list | tuple):
                raise TypeError("`feed_list` must be a list or tuple.")

            def feed_and_run(*values: Any, **kwargs: Any) -> Any:
                return self.run(fetches, dict(zip(feed_list, values, strict=False)), **kwargs)

            return feed_and_run
        if self._placer.has_new:
            self._check_open()  # As TF finds it out when it hands on what the graph got.
        self._fetch_of(fetches)
        self._placer.place()

        def run(*options: Any, **kwargs: Any) -> Any:
            self._check_open()
            return self.run(fetches, None, *options, **kwargs)

        return run if accept_options else lambda: run()

    # What debuggers, Keras and tests call.

    _Callable = SessionCallable

    def _make_callable_from_options(self, callable_options: Any) -> SessionCallable:
        self._check_open()
        self._placer.place()
        return SessionCallable(self, callable_options)

    def _extend_graph(self) -> None:
        """Places what was recorded since the last run; what runs needs no more."""
        if self._placer.has_new:
            self._check_open()
            self._placer.place()

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Prepares a run in several steps.

        Args:
          fetches: all that the steps will fetch.
          feeds: the tensors that they will feed.

        Returns:
          A handle for `partial_run`.
        """
        if self._closed or self._was_reset:
            self._refuse()
        master = self._master
        if master is not None:
            master.open()
        self._feeds_of(None)
        self._placer.place()
        make = Program if master is None else master.program
        return partial.setup(self, fetches, feeds, make)

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """Continues a run that `partial_run_setup` prepared; every operation runs once over all
        steps.

        Args:
          handle: what `partial_run_setup` gave.
          fetches: as in `run`, but no operations.
          feed_dict: as in `run`.

        Raises:
          tf.errors.InvalidArgumentError: an unknown or finished handle, or feeds and fetches that
            it does not have, or that were used already, or that can't be computed yet.
        """
        if self._closed or self._was_reset:
            self._refuse()
        with self._at_most(self._timeout):
            return partial.step(self, handle, fetches, self._feeds_of(feed_dict))


def _with_mixed_precision(config: Any) -> Any:
    """A session's configuration, with the rewriting on that the program asked for."""
    unset, on, off = range(3)
    chosen = unset
    if config is not None:
        chosen = config.graph_options.rewrite_options.auto_mixed_precision
    if mixed_precision.mixed_precision_graph_rewrite_is_enabled and chosen != off:
        changed = find("ConfigProto")(device_count={"CPU": context.cpus})
        if config is not None:
            changed.CopyFrom(config)
        changed.graph_options.rewrite_options.auto_mixed_precision = on
        return changed
    if chosen != on:
        mixed_precision.non_mixed_precision_session_created = True
    return config


def _checked_target(target: Any) -> bytes | None:
    if target is None:
        return None
    if not isinstance(target, str | bytes):
        hint = ""
        if type(target).__name__ == "ConfigProto":
            hint = '. Did you do "Session(config)" instead of "Session(config=config)"?'
        raise TypeError(f"target must be a string, but got {type(target)}{hint}")
    encoded = target.encode() if isinstance(target, str) else target
    if local_targets.find(encoded) is not None:
        return encoded
    if encoded and not encoded.startswith(_GRPC.encode()):
        raise errors.NotFoundError(
            None,
            None,
            "No session factory registered for the given session options: "
            f'{{target: "{encoded.decode()}" config: }} '
            "Registered factories are {DIRECT_SESSION, GRPC_SESSION}.",
        )
    if encoded and not _HOST_AND_PORT.fullmatch(encoded.decode().removeprefix(_GRPC)):
        raise errors.InvalidArgumentError(
            None,
            None,
            f'Could not interpret "{encoded.decode().removeprefix(_GRPC)}" as a host-port pair.',
        )
    return encoded


@tf_export("Session")
class Session(BaseSession):
    """A session that becomes the default inside `with`, and closes at its end."""

    _entered: contextlib.ExitStack | None = None

    def __enter__(self) -> Session:
        if self._entered is not None:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you "
                "want "
                "to enter a session multiple times."
            )
        with contextlib.ExitStack() as entered:
            entered.enter_context(self._graph.as_default())
            entered.enter_context(self.as_default())
            self._entered = entered.pop_all()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        entered, self._entered = self._entered, None
        try:
            if entered is not None:
                entered.__exit__(*exc_info)
        finally:
            self.close()

    @staticmethod
    def reset(target: Any, containers: Any = None, config: Any = None) -> None:
        """Closes all sessions on a target; their variables are lost.

        Args:
          target: "", or that of a server.
          containers: names of the resource containers that are cleared, the default one if there
            are none; without a server all are cleared whichever are named, as in TF 1.15.
          config: a `ConfigProto`, which says nothing of a reset.
        """
        encoded = _checked_target(target)
        for session in list(_live):
            if (session._target or b"") == (encoded or b""):
                session._was_reset = True
                session._forget()
        server = local_targets.find(encoded)
        if server is not None and not master_lib.is_of_tasks(server.cluster):
            containers_lib.of(server).clear(containers or ())
        elif encoded:
            master_lib.reset(server, encoded.decode().removeprefix(_GRPC), containers or ())


@tf_export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that makes itself the default at once, for shells and notebooks.

    Args:
      target, graph, config: as in `Session`.
    """

    _active = 0
    _count_lock = threading.Lock()

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None):
        super().__init__(target, graph, config)
        with InteractiveSession._count_lock:
            if InteractiveSession._active:
                warnings.warn(
                    "An interactive session is already active. This can cause out-of-memory errors "
                    "in some cases. You must explicitly call `InteractiveSession.close()` to "
                    "release "
                    "resources held by the other session(s).",
                    stacklevel=2,
                )
            InteractiveSession._active += 1
        self._explicit_graph = graph
        self._is_default = True
        self._default_graph = None
        # Not with `as_default`: sessions need not be closed in the order of their creation.
        context.thread.sessions.append(self)
        if graph is not None:
            self._default_graph = graph.as_default()
            self._default_graph.__enter__()

    def close(self) -> None:
        """Closes the session, which is the default no more."""
        super().close()
        if not self._is_default:
            return
        self._is_default = False
        with InteractiveSession._count_lock:
            InteractiveSession._active -= 1
        sessions = context.thread.sessions
        if self in sessions:
            sessions.remove(self)
        if self._default_graph is not None:
            graphs = context.thread.graphs
            if graphs and graphs[-1] is self._explicit_graph:
                self._default_graph.__exit__(None, None, None)
            self._default_graph = None


def _key(fetches: Any) -> Any:
    """A hashable stand-in for a structure of fetches.

    Raises:
      TypeError: there is none.
    """
    kind = type(fetches)
    if kind is Tensor or kind is Operation:
        return fetches
    if (
        kind is list
        or kind is tuple
        or (isinstance(fetches, tuple) and hasattr(fetches, "_fields"))
    ):
        return (kind, *[_key(item) for item in fetches])
    if isinstance(fetches, Mapping):
        return (kind, *[(key, _key(value)) for key, value in fetches.items()])
    hash(fetches)
    return fetches
