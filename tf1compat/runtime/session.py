"""`tf.Session`: runs a recorded graph."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from tf1compat.core import context
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.scopes import default_session
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import fetches as fetch_lib
from tf1compat.runtime.program import Program


class _Run:
    """A repeated `run`: the program and how to convert what goes in and out."""

    __slots__ = ("build", "feeds", "fetch", "kinds", "mutations", "program")

    def __init__(self, graph: Graph, fetch: fetch_lib.Fetch, feeds: list[Tensor]):
        self.fetch = fetch
        self.feeds = feeds
        self.mutations = graph._mutations
        tensors = [e for e in fetch.elements if isinstance(e, Tensor)]
        targets = [e for e in fetch.elements if isinstance(e, Operation)]
        self.kinds = [isinstance(e, Tensor) for e in fetch.elements]
        self.program = Program(tensors, targets, feeds)


class BaseSession:
    """Runs operations of a graph and holds the values of its variables.

    Args:
      target: the execution engine; only "" (in-process) is supported.
      graph: the graph to run; the default graph if None.
      config: a `ConfigProto`; accepted.
    """

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None):
        if graph is None:
            self._graph = context.default_graph()
        else:
            if not isinstance(graph, Graph):
                raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
            self._graph = graph
        if target is not None and not isinstance(target, str | bytes):
            raise TypeError("target must be a string, but got %s" % type(target))  # noqa: UP031
        if target:
            raise NotImplementedError(
                f"Sessions on a remote target ({target!r}) are not supported by tf1compat yet"
            )
        if config is not None and type(config).__name__ != "ConfigProto":
            raise TypeError("config must be a tf.ConfigProto, but got %s" % type(config))  # noqa: UP031
        self._config = config
        self._target = target
        self._closed = False
        self._lock = threading.RLock()
        self._variables: dict[Any, Any] = {}
        self._runs: dict[Any, _Run] = {}
        self.resources: dict[Any, Any] = {}
        self._default_session = None
        self._default_graph = None

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The GraphDef of the graph."""
        return self._graph.as_graph_def()

    @property
    def sess_str(self) -> bytes:
        """The target, as bytes."""
        return (self._target or "").encode()

    def as_default(self) -> Any:
        """A context manager that makes this the default session."""
        return default_session(self)

    def close(self) -> None:
        """Frees the session's variables; it can't run any more."""
        self._closed = True
        self._variables = {}
        self._runs = {}
        self.resources = {}

    def list_devices(self) -> list[Any]:
        """The devices there are, as `tf.Session.list_devices` gives them."""
        from tf1compat.runtime.devices import device_attributes

        return device_attributes()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs operations and evaluates tensors.

        Args:
          fetches: a tensor, operation, variable or name, or any nested list, tuple, namedtuple or
            dict of these.
          feed_dict: tensors (or names, or tuples of tensors) -> values.
          options: a `RunOptions`; accepted.
          run_metadata: a `RunMetadata` to fill in.

        Returns:
          The structure of `fetches` with NumPy values; None for operations.

        Raises:
          RuntimeError: the session is closed, or the graph empty.
          TypeError, ValueError: `fetches` or `feed_dict` are not what they must be.
          tf.errors.OpError: the run failed; variables are then as they were.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if options is not None or run_metadata is not None:
            from tf1compat.runtime import metadata

            with metadata.traced(self, options, run_metadata):
                return self._run(fetches, feed_dict)
        return self._run(fetches, feed_dict)

    def _run(self, fetches: Any, feed_dict: Any) -> Any:
        graph = self._graph
        try:
            key = (_key(fetches), tuple(feed_dict) if feed_dict else ())
            run = self._runs.get(key)
        except TypeError:
            key = run = None
        if run is None or run.mutations != graph._mutations:
            return self._first_run(key, fetches, feed_dict)
        values = []
        if feed_dict:
            for tensor, value in zip(run.feeds, feed_dict.values(), strict=True):
                values.append(fetch_lib.feed_array(tensor, value))
        return self._execute(run, values)

    def _first_run(self, key: Any, fetches: Any, feed_dict: Any) -> Any:
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
        fetch = fetch_lib.fetch_of(graph, fetches)
        for element in fetch.elements:
            fetch_lib.check_fetchable(graph, element)
        run = _Run(graph, fetch, list(items))
        # Only a plain dict of tensors says by its keys alone what is fed.
        if key is not None and (not feed_dict or list(items) == list(feed_dict)):
            self._runs[key] = run
        return self._execute(run, list(items.values()))

    def _execute(self, run: _Run, feeds: list[Any]) -> Any:
        with self._lock:
            values = run.program.run(self._variables, feeds, self)
            results = [
                fetch_lib.result(value, tensor._dtype)
                for value, tensor in zip(values, run.program.fetches, strict=True)
            ]
        computed = iter(results)
        return run.fetch.build([next(computed) if is_tensor else None for is_tensor in run.kinds])

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Any:
        """A function that runs `fetches` with the values of `feed_list` as its arguments.

        Args:
          fetches: as in `run`.
          feed_list: the tensors that the arguments feed.
          accept_options: the function then also takes `options` and `run_metadata`.
        """
        if feed_list is not None and not isinstance(feed_list, list | tuple):
            raise TypeError("`feed_list` must be a list or tuple.")
        feeds = [
            self._graph.as_graph_element(feed, allow_tensor=True, allow_operation=False)
            for feed in feed_list or ()
        ]

        def call(*values: Any, options: Any = None, run_metadata: Any = None) -> Any:
            if len(values) != len(feeds):
                raise ValueError(
                    f"Expected {len(feeds)} values for the feed list, got {len(values)}."
                )
            feed_dict = dict(zip(feeds, values, strict=True))
            if accept_options:
                return self.run(fetches, feed_dict, options, run_metadata)
            return self.run(fetches, feed_dict)

        return call

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Prepares a run in several steps; see `partial_run`."""
        from tf1compat.runtime import partial

        return partial.setup(self, fetches, feeds)

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Continues a run that `partial_run_setup` prepared: every operation runs once over all
        steps."""
        from tf1compat.runtime import partial

        return partial.step(self, handle, fetches, feed_dict)


@tf_export("Session")
class Session(BaseSession):
    """A session that becomes the default inside `with`, and closes at its end."""

    def __enter__(self) -> Session:
        self._graph_manager = self._graph.as_default()
        self._session_manager = self.as_default()
        self._graph_manager.__enter__()
        return self._session_manager.__enter__()

    def __exit__(self, *exc_info: Any) -> None:
        self._session_manager.__exit__(*exc_info)
        self._graph_manager.__exit__(*exc_info)
        self.close()

    @staticmethod
    def reset(target: Any, containers: Any = None, config: Any = None) -> None:
        """Resets resource containers of a remote target."""
        raise NotImplementedError("tf.Session.reset is not supported by tf1compat yet")


@tf_export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that makes itself the default at once, for shells and notebooks."""

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None):
        super().__init__(target, graph, config)
        self._explicit_graph = graph
        if graph is not None:
            self._default_graph = graph.as_default()
            self._default_graph.__enter__()
        self._default_session = self.as_default()
        self._default_session.__enter__()

    def close(self) -> None:
        """Closes the session, which is the default no more."""
        super().close()
        if self._default_session is not None:
            sessions = context.thread.sessions
            if self in sessions:
                sessions.remove(self)
            self._default_session = None
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
