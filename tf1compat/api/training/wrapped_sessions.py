"""The layers that a monitored session is made of (of TF's `monitored_session`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import session_run_hook
from tf1compat.core import errors, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.session_interface import SessionInterface

# A server of the cluster was started anew.
PREEMPTION_ERRORS = (errors.AbortedError, errors.UnavailableError)
_ADVICE = (
    "This may be due to a preemption in a connected worker or parameter server. The current "
    "session will be closed and a new session will be created. This error may also occur due to a "
    "gRPC failure caused by high memory or network bandwidth usage in the parameter servers. If "
    "this error occurs repeatedly, try increasing the number of parameter servers assigned to the "
    "job. Error: %s"
)


class StepContext:
    """What a step function is given.

    Args:
      session: the `tf.Session`.
      run_with_hooks_fn: runs with the hooks.
    """

    def __init__(self, session: SessionInterface, run_with_hooks_fn: Callable[..., Any]):
        self._session = session
        self._run_with_hooks_fn = run_with_hooks_fn

    session = attribute("_session", "The `tf.Session`; its runs call no hooks.")

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """`Session.run`, with the hooks."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the loop around `run_step_fn`."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class WrappedSession:
    """A session within another one.

    Args:
      sess: the inner one.
    """

    def __init__(self, sess: Any):
        self._sess: Any = sess
        self._wrapped_is_stoppable = isinstance(sess, WrappedSession)

    graph = attribute("_sess.graph", "The graph that runs.")
    sess_str = attribute("_sess.sess_str", "The target.")

    def should_stop(self) -> bool:
        """Whether the session has ended, or must."""
        if self._check_stop():
            return True
        if self._sess:
            return self._wrapped_is_stoppable and self._sess.should_stop()
        return True

    def _check_stop(self) -> bool:
        """Whether this layer wants to stop."""
        return False

    def close(self) -> None:
        """Closes the inner session."""
        if not self._sess:
            return
        try:
            self._sess.close()
        except PREEMPTION_ERRORS as error:
            logging.warning(
                "An error occurred when attempting to close the session. This may be due to a "
                "preemption in a connected worker or parameter server. Error: %s",
                error,
            )
        finally:
            self._sess = None

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """`Session.run`."""
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn: Any, raw_session: Any, run_with_hooks: Any) -> Any:
        """Calls a step function."""
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class RecoverableSession(WrappedSession):
    """Makes a new session when a server was lost.

    Args:
      sess_creator: a `SessionCreator`.
    """

    def __init__(self, sess_creator: Any):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self) -> Any:
        while True:
            try:
                return self._sess_creator.create_session()
            except PREEMPTION_ERRORS as error:
                logging.info(
                    "An error was raised while a session was being created. This may be due to a "
                    "preemption of a connected worker or parameter server. A new session will be "
                    "created. This error may also occur due to a gRPC failure caused by high "
                    "memory or network bandwidth usage in the parameter servers. If this error "
                    "occurs repeatedly, try increasing the number of parameter servers assigned "
                    "to the job. Error: %s",
                    error,
                )

    def _check_stop(self) -> bool:
        try:
            return self._sess._check_stop() if self._sess else True
        except PREEMPTION_ERRORS as error:
            logging.info(
                "An error was raised while considering whether the session is complete. " + _ADVICE,
                error,
            )
            self.close()
            self._sess = self._create_session()
            return False
        except Exception:
            return True

    def _repeat(self, function: Callable[[Any], Any]) -> Any:
        """Calls a function of the session until no server is lost on the way."""
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return function(self._sess)
            except PREEMPTION_ERRORS as error:
                logging.info("An error was raised. " + _ADVICE, error)
                self.close()
                self._sess = None

    def run(
        self,
        fetches: Any,
        feed_dict: dict[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        return self._repeat(
            lambda sess: sess.run(
                fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
            )
        )

    def run_step_fn(self, step_fn: Any, raw_session: Any, run_with_hooks: Any) -> Any:
        return self._repeat(lambda sess: sess.run_step_fn(step_fn, raw_session, sess.run))


class CoordinatedSession(WrappedSession):
    """Stops with a coordinator.

    Args:
      sess: the inner session.
      coord: the `Coordinator`.
      stop_grace_period_secs: how long its threads may take to stop.
    """

    def __init__(self, sess: Any, coord: Any, stop_grace_period_secs: Any = 120):
        super().__init__(sess)
        self._coord = coord
        self._stop_grace_period_secs = stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        self._coord.request_stop()
        try:
            self._coord.join(
                stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True
            )
        finally:
            # `join` reports what matters.
            with contextlib.suppress(Exception):
                super().close()

    def run(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._sess.run(*args, **kwargs)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            # A lost server, if a thread met it first, is the cause.
            try:
                self._coord.raise_requested_exception()
            except PREEMPTION_ERRORS:
                raise
            except Exception:
                pass
            raise


class HookedSession(WrappedSession):
    """Calls hooks around each run.

    Args:
      sess: the `tf.Session`.
      hooks: `SessionRunHook`s.
    """

    def __init__(self, sess: Any, hooks: Any):
        super().__init__(sess)
        self._hooks = hooks
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(
        self,
        fetches: Any,
        feed_dict: dict[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        actual_fetches = {"caller": fetches}
        run_context = session_run_hook.SessionRunContext(
            original_args=session_run_hook.SessionRunArgs(fetches, feed_dict), session=self._sess
        )
        asked = options is not None or run_metadata is not None
        options = options or protos.load("config_pb2", "RunOptions")()
        feed_dict = self._call_hook_before_run(run_context, actual_fetches, feed_dict, options)
        run_metadata = run_metadata or protos.load("config_pb2", "RunMetadata")()
        # Without options that ask for them, nothing would be noted, only later.
        noted = asked or bool(options.ByteSize())
        outputs = self._sess.run(
            fetches=actual_fetches,
            feed_dict=feed_dict,
            options=options if noted else None,
            run_metadata=run_metadata if noted else None,
        )
        for hook in self._hooks:
            values = session_run_hook.SessionRunValues(
                results=outputs.get(hook), options=options, run_metadata=run_metadata
            )
            hook.after_run(run_context, values)
        self._should_stop = self._should_stop or run_context.stop_requested
        return outputs["caller"]

    def _call_hook_before_run(
        self, run_context: Any, fetch_dict: Any, user_feed_dict: Any, options: Any
    ) -> Any:
        """Adds what the hooks ask for to the fetches and the options; returns all feeds."""
        hook_feeds: dict[Any, Any] = {}
        for hook in self._hooks:
            request = hook.before_run(run_context)
            if request is None:
                continue
            if request.fetches is not None:
                fetch_dict[hook] = request.fetches
            if request.feed_dict:
                _refuse_common_feeds(
                    hook_feeds, request.feed_dict, "Same tensor is fed by two hooks."
                )
                hook_feeds.update(request.feed_dict)
            if request.options:
                _merge_run_options(options, request.options)
        if not hook_feeds:
            return user_feed_dict
        if not user_feed_dict:
            return hook_feeds
        _refuse_common_feeds(
            user_feed_dict, hook_feeds, "Same tensor is fed by a SessionRunHook and user."
        )
        hook_feeds.update(user_feed_dict)
        return hook_feeds


def _refuse_common_feeds(feeds1: Any, feeds2: Any, message: str) -> None:
    common = set(feeds1.keys()) & set(feeds2.keys())
    if common:
        raise RuntimeError(f"{message} Conflict(s): {list(common)}")


def _merge_run_options(options: Any, incoming: Any) -> None:
    """Adds what `incoming` asks for to `options`."""
    for field in ("trace_level", "timeout_in_ms", "inter_op_thread_pool"):
        setattr(options, field, max(getattr(options, field), getattr(incoming, field)))
    for field in ("output_partition_graphs", "report_tensor_allocations_upon_oom"):
        setattr(options, field, getattr(options, field) or getattr(incoming, field))
    ours, theirs = options.debug_options, incoming.debug_options
    ours.debug_tensor_watch_opts.extend(theirs.debug_tensor_watch_opts)
    if theirs.reset_disk_byte_usage:
        ours.reset_disk_byte_usage = True
