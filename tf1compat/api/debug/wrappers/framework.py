"""Sessions around sessions (`tensorflow.python.debug.wrappers.framework`)."""

from __future__ import annotations

import abc
import dataclasses
import re
import threading
from collections.abc import Callable
from typing import Any

from tf1compat.api.debug.lib import debug_utils
from tf1compat.api.platform import tf_logging
from tf1compat.api.training import monitored_session
from tf1compat.api.training.wrapped_sessions import StepContext
from tf1compat.core import errors, nest
from tf1compat.core.attribute import attribute
from tf1compat.core.export import required
from tf1compat.core.scopes import default_session
from tf1compat.core.session_interface import SessionInterface


def _check_type(obj: Any, expected_types: Any) -> None:
    if not isinstance(obj, expected_types):
        raise TypeError(f"Expected type {expected_types}; got type {type(obj)}")


def _session_types() -> tuple[type, ...]:
    (base,) = (cls for cls in required("Session").__mro__ if cls.__name__ == "BaseSession")
    return base, monitored_session.MonitoredSession


class OnSessionInitRequest:
    """What `on_session_init` is given: the session.

    Args:
      sess: a `tf.Session` or `tf.train.MonitoredSession`.
    """

    def __init__(self, sess: Any):
        _check_type(sess, _session_types())
        self.session = sess


class OnSessionInitAction:
    """What may follow `on_session_init`."""

    PROCEED = "proceed"
    REMOTE_INSTR_LOOP = "remote_instr_loop"


class OnSessionInitResponse:
    """What `on_session_init` gives: one of `OnSessionInitAction`."""

    def __init__(self, action: str):
        _check_type(action, str)
        self.action = action


@dataclasses.dataclass(eq=False)
class OnRunStartRequest:
    """What `on_run_start` is given: the arguments of `run`, and the how-manieth it is."""

    fetches: Any
    feed_dict: Any
    run_options: Any
    run_metadata: Any
    run_call_count: int
    is_callable_runner: bool = False


class OnRunStartAction:
    """What a run may be."""

    DEBUG_RUN = "debug_run"
    PROFILE_RUN = "profile_run"
    NON_DEBUG_RUN = "non_debug_run"


class OnRunStartResponse:
    """What `on_run_start` gives.

    Args:
      action: one of `OnRunStartAction`.
      debug_urls: where debug ops send what they see.
      debug_ops, node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist,
        tolerate_debug_op_creation_failures: see `debug_utils.watch_graph`.
    """

    def __init__(
        self, action: str, debug_urls: list[str], debug_ops: Any = "DebugIdentity",
        node_name_regex_whitelist: str | None = None, op_type_regex_whitelist: str | None = None,
        tensor_dtype_regex_whitelist: str | None = None,
        tolerate_debug_op_creation_failures: bool = False,
    ):  # fmt: skip
        _check_type(action, str)
        _check_type(debug_urls, list)
        self.action = action
        self.debug_urls = debug_urls
        self.debug_ops = debug_ops
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    @property
    def watches(self) -> dict[str, Any]:
        """What to watch, as arguments of `debug_utils.watch_graph`."""
        return {name: value for name, value in vars(self).items() if name != "action"}


class OnRunEndRequest:
    """What `on_run_end` is given.

    Args:
      performed_action: one of `OnRunStartAction`.
      run_metadata: the run's `RunMetadata`.
      client_graph_def: the GraphDef of the session's graph.
      tf_error: the error of the run.
    """

    def __init__(
        self, performed_action: str, run_metadata: Any = None, client_graph_def: Any = None,
        tf_error: errors.OpError | None = None,
    ):  # fmt: skip
        _check_type(performed_action, str)
        if run_metadata is not None:
            _check_type(run_metadata, required("RunMetadata"))
        self.performed_action = performed_action
        self.run_metadata = run_metadata
        self.client_graph_def = client_graph_def
        self.tf_error = tf_error


class OnRunEndResponse:
    """What `on_run_end` gives: nothing yet."""


class BaseDebugWrapperSession(SessionInterface, abc.ABC):
    """A session that does something before and after each run of another one.

    Args:
      sess: a `tf.Session` or `tf.train.MonitoredSession`.
      thread_name_filter: a regular expression: in threads of other names runs are the session's.
      pass_through_operrors: whether an error of a run is raised; else it is the run's result.
    """

    def __init__(
        self, sess: Any, thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = False,
    ):  # fmt: skip
        _check_type(sess, _session_types())
        self._sess = sess
        self._threads = re.compile(thread_name_filter) if thread_name_filter else None
        self._pass_through_operrors = pass_through_operrors
        self._run_call_count = 0
        response = self.on_session_init(OnSessionInitRequest(sess))
        _check_type(response, OnSessionInitResponse)
        if response.action == OnSessionInitAction.REMOTE_INSTR_LOOP:
            raise NotImplementedError(
                "OnSessionInitAction REMOTE_INSTR_LOOP has not been implemented."
            )
        if response.action != OnSessionInitAction.PROCEED:
            raise ValueError(f"Invalid OnSessionInitAction value: {response.action}")
        self._entered: Any = None

    graph = attribute("_sess.graph", "The session's graph.")
    graph_def = attribute("_sess.graph_def", "The session's GraphDef.")
    sess_str = attribute("_sess.sess_str", "The session's target.")
    session = attribute("_sess", "The session.")
    run_call_count: int = attribute("_run_call_count", "How often `run` was called.")

    def increment_run_call_count(self) -> None:
        """Counts a run."""
        self._run_call_count += 1

    def run(
        self, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: Any = None,
        run_metadata: Any = None,
        callable_runner: Any = None, callable_runner_args: Any = None,
        callable_options: Any = None,
    ) -> Any:  # fmt: skip
        """Runs as the session does, watched or not, as `on_run_start` says.

        Args:
          fetches, feed_dict, options, run_metadata: as in `Session.run`.
          callable_runner: what `Session.make_callable` gave, to be called instead.
          callable_runner_args: its arguments.
          callable_options: not supported.

        Raises:
          ValueError: both are given, or `on_run_start` says what there is not.
        """
        if callable_options is not None:
            raise NotImplementedError(
                "callable_options of debug-wrapper sessions are not supported by tf1compat"
            )
        if callable_runner and (fetches or feed_dict):
            raise ValueError(
                "callable_runner and fetches/feed_dict are mutually exclusive, but are used "
                "simultaneously."
            )
        self.increment_run_call_count()

        def run(options: Any, run_metadata: Any) -> Any:
            if not callable_runner:
                return self._sess.run(
                    fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
                )
            given = {"options": options, "run_metadata": run_metadata} if options else {}
            return callable_runner(*callable_runner_args, **given)

        is_empty = not callable_runner and nest.is_sequence(fetches) and not nest.flatten(fetches)
        if is_empty:
            tf_logging.info(
                "Due to empty fetches, tfdbg Session wrapper is letting a Session.run pass through "
                "without any debugging actions."
            )
        if is_empty or self._is_disabled_thread():
            return run(options, run_metadata)
        started = self.on_run_start(
            OnRunStartRequest(
                fetches, feed_dict, options, run_metadata, self._run_call_count,
                is_callable_runner=bool(callable_runner),
            )
        )  # fmt: skip
        _check_type(started, OnRunStartResponse)
        if started.action == OnRunStartAction.NON_DEBUG_RUN:
            results = run(options, run_metadata)
            end = OnRunEndRequest(started.action)
        elif started.action in (OnRunStartAction.DEBUG_RUN, OnRunStartAction.PROFILE_RUN):
            results, end = self._run_noted(started, run, options, run_metadata)
        else:
            raise ValueError(f"Invalid OnRunStartAction value: {started.action}")
        _check_type(self.on_run_end(end), OnRunEndResponse)
        return results

    def _run_noted(
        self, started: OnRunStartResponse, run: Callable[..., Any], options: Any, metadata: Any
    ) -> tuple[Any, OnRunEndRequest]:
        """A run that is watched or profiled."""
        options = options or required("RunOptions")()
        metadata = metadata or required("RunMetadata")()
        debugs = started.action == OnRunStartAction.DEBUG_RUN
        if debugs:
            self._decorate_run_options_for_debug(options, **started.watches)
        else:
            self._decorate_run_options_for_profile(options)
        error = None
        try:
            results = run(options, metadata)
        except errors.OpError as found:
            if self._pass_through_operrors or not debugs:
                raise
            results = error = found
        graph_def = self._sess.graph.as_graph_def()
        return results, OnRunEndRequest(started.action, metadata, graph_def, error)

    def _is_disabled_thread(self) -> bool:
        name = threading.current_thread().name or ""
        return self._threads is not None and not self._threads.match(name)

    def _is_disk_usage_reset_each_run(self) -> bool:
        """Whether what a run dumped is removed after it."""
        return False

    def _decorate_run_options_for_debug(
        self, run_options: Any, debug_urls: Any, **watches: Any
    ) -> None:
        run_options.output_partition_graphs = True
        debug_utils.watch_graph(
            run_options,
            self._sess.graph,
            debug_urls=debug_urls,
            reset_disk_byte_usage=(
                self._run_call_count == 1 or self._is_disk_usage_reset_each_run()
            ),
            **watches,
        )

    def _decorate_run_options_for_profile(self, run_options: Any) -> None:
        run_options.trace_level = run_options.FULL_TRACE

    def run_step_fn(self, step_fn: Callable[[StepContext], Any]) -> Any:
        """As `MonitoredSession.run_step_fn`."""
        return step_fn(StepContext(self._sess, self.run))

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """As `Session.make_callable`; what is called is a run of this session."""
        runner = self._sess.make_callable(fetches, feed_list=feed_list, accept_options=True)

        def wrapped_runner(*runner_args: Any, **kwargs: Any) -> Any:
            return self.run(
                None,
                options=kwargs.get("options"),
                run_metadata=kwargs.get("run_metadata"),
                callable_runner=runner,
                callable_runner_args=runner_args,
            )

        return wrapped_runner

    def list_devices(self, *args: Any, **kwargs: Any) -> Any:
        """As the session does."""
        return self._sess.list_devices(*args, **kwargs)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """As the session does."""
        return self._sess.reset(*args, **kwargs)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Not there, as in TF 1.15."""
        raise NotImplementedError(
            "partial_run_setup is not implemented for debug-wrapper sessions."
        )

    def partial_run(
        self, handle: Any, fetches: Any, feed_dict: dict[Any, Any] | None = None
    ) -> Any:
        """Not there, as in TF 1.15."""
        raise NotImplementedError("partial_run is not implemented for debug-wrapper sessions.")

    @abc.abstractmethod
    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        """Called at the end of `__init__`."""

    @abc.abstractmethod
    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        """Called before each run: says what it is to be."""

    @abc.abstractmethod
    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        """Called after each run."""

    def as_default(self) -> Any:
        """A context manager that makes this the default session."""
        return default_session(self)

    def __enter__(self) -> Any:
        self._entered = self.as_default()
        return self._entered.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._entered.__exit__(*error)

    def close(self) -> None:
        """Closes the session."""
        self._sess.close()

    def should_stop(self) -> bool:
        """As `MonitoredSession.should_stop`.

        Raises:
          ValueError: the session has no such method.
        """
        if not hasattr(self._sess, "should_stop"):
            raise ValueError(
                f"The wrapped session {self._sess!r} does not have a method called 'should_stop'. "
                "Do you intend to wrap a tf.MonitoredSession instead?"
            )
        return self._sess.should_stop()


@dataclasses.dataclass(eq=False)
class WatchOptions:
    """Which tensors to watch, and how: what a `watch_fn` returns.

    Args:
      debug_ops: the type or types of debug ops; "DebugIdentity" by default.
      node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist: only
        tensors that match all of these.
      tolerate_debug_op_creation_failures: whether debug ops that don't fit are left out.
    """

    debug_ops: Any = None
    node_name_regex_whitelist: str | None = None
    op_type_regex_whitelist: str | None = None
    tensor_dtype_regex_whitelist: str | None = None
    tolerate_debug_op_creation_failures: bool = False

    def __post_init__(self) -> None:
        self.debug_ops = self.debug_ops or ["DebugIdentity"]


class NonInteractiveDebugWrapperSession(BaseDebugWrapperSession):
    """A wrapper all of whose runs are watched.

    Args:
      sess, thread_name_filter, pass_through_operrors: see `BaseDebugWrapperSession`.
      watch_fn: a function of fetches and feeds that gives `WatchOptions`; all is watched if None.

    Raises:
      TypeError: `watch_fn` is no function.
    """

    def __init__(
        self, sess: Any, watch_fn: Callable[[Any, Any], Any] | None = None,
        thread_name_filter: str | None = None, pass_through_operrors: bool | None = False,
    ):  # fmt: skip
        super().__init__(sess, thread_name_filter, pass_through_operrors)
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        self._watch_fn = watch_fn

    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        """See `BaseDebugWrapperSession`."""
        return OnSessionInitResponse(OnSessionInitAction.PROCEED)

    @abc.abstractmethod
    def prepare_run_debug_urls(self, fetches: Any, feed_dict: dict[Any, Any]) -> Any:
        """The URLs of a run."""

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        """See `BaseDebugWrapperSession`."""
        urls, watches = self._prepare_run_watch_config(request.fetches, request.feed_dict)
        return OnRunStartResponse(OnRunStartAction.DEBUG_RUN, urls, **vars(watches))

    def _prepare_run_watch_config(
        self, fetches: Any, feed_dict: dict[Any, Any]
    ) -> tuple[Any, WatchOptions]:
        """The URLs of a run, and what it watches."""
        urls = self.prepare_run_debug_urls(fetches, feed_dict)
        if self._watch_fn is None:
            return urls, WatchOptions()
        watches = self._watch_fn(fetches, feed_dict)
        return urls, WatchOptions(*watches) if isinstance(watches, tuple) else watches

    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        """See `BaseDebugWrapperSession`."""
        return OnRunEndResponse()
