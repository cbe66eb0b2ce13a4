"""The debugger as hooks (`tensorflow.python.debug.wrappers.hooks`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.debug.lib import debug_utils
from tf1compat.api.debug.wrappers import (
    dumping_wrapper,
    framework,
    grpc_wrapper,
    local_cli_wrapper,
)
from tf1compat.api.training import session_run_hook
from tf1compat.core.export import required


def _run_args(options: Any) -> session_run_hook.SessionRunArgs:
    return session_run_hook.SessionRunArgs(None, feed_dict=None, options=options)


class LocalCLIDebugHook(session_run_hook.SessionRunHook):
    """`LocalCLIDebugWrapperSession` as a hook.

    Args:
      ui_type, dump_root, thread_name_filter, config_file_path: see there.
    """

    def __init__(
        self, ui_type: str = "curses", dump_root: str | None = None,
        thread_name_filter: str | None = None, config_file_path: str | None = None,
    ):  # fmt: skip
        self._settings = {
            "ui_type": ui_type,
            "dump_root": dump_root,
            "thread_name_filter": thread_name_filter,
            "config_file_path": config_file_path,
        }
        self._filters: dict[str, Callable[..., Any]] = {}
        self._wrapper: local_cli_wrapper.LocalCLIDebugWrapperSession | None = None
        self._action = ""

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable[..., Any]) -> None:
        """See `LocalCLIDebugWrapperSession.add_tensor_filter`."""
        self._filters[filter_name] = tensor_filter
        if self._wrapper is not None:
            self._wrapper.add_tensor_filter(filter_name, tensor_filter)

    def before_run(self, run_context: Any) -> session_run_hook.SessionRunArgs:
        """See `SessionRunHook`."""
        wrapper = self._wrapper
        if wrapper is None:
            wrapper = local_cli_wrapper.LocalCLIDebugWrapperSession(
                run_context.session, **self._settings
            )
            for name, tensor_filter in self._filters.items():
                wrapper.add_tensor_filter(name, tensor_filter)
            self._wrapper = wrapper
        wrapper.increment_run_call_count()
        given = run_context.original_args
        started = wrapper.on_run_start(
            framework.OnRunStartRequest(
                given.fetches, given.feed_dict, None, None, wrapper.run_call_count
            )
        )
        self._action = started.action
        options = required("RunOptions")()
        if started.action == framework.OnRunStartAction.DEBUG_RUN:
            wrapper._decorate_run_options_for_debug(options, **started.watches)
        elif started.action == framework.OnRunStartAction.PROFILE_RUN:
            wrapper._decorate_run_options_for_profile(options)
        return _run_args(options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """See `SessionRunHook`."""
        assert self._wrapper is not None
        end = framework.OnRunEndRequest(self._action, run_values.run_metadata)
        self._wrapper.on_run_end(end)


class DumpingDebugHook(session_run_hook.SessionRunHook):
    """`DumpingDebugWrapperSession` as a hook.

    Args:
      session_root, watch_fn, thread_name_filter, log_usage: see there.
    """

    def __init__(
        self, session_root: str, watch_fn: Callable[[Any, Any], Any] | None = None,
        thread_name_filter: str | None = None, log_usage: bool = True,
    ):  # fmt: skip
        self._settings = {
            "session_root": session_root,
            "watch_fn": watch_fn,
            "thread_name_filter": thread_name_filter,
            "log_usage": log_usage,
        }
        self._wrapper: dumping_wrapper.DumpingDebugWrapperSession | None = None

    def before_run(self, run_context: Any) -> session_run_hook.SessionRunArgs:
        """See `SessionRunHook`."""
        is_first = self._wrapper is None
        if self._wrapper is None:
            self._wrapper = dumping_wrapper.DumpingDebugWrapperSession(
                run_context.session, **self._settings
            )
        self._wrapper.increment_run_call_count()
        given = run_context.original_args
        urls, watches = self._wrapper._prepare_run_watch_config(given.fetches, given.feed_dict)
        options = required("RunOptions")()
        debug_utils.watch_graph(
            options,
            run_context.session.graph,
            debug_urls=urls,
            reset_disk_byte_usage=is_first,
            **vars(watches),
        )
        return _run_args(options)


class GrpcDebugHook(session_run_hook.SessionRunHook):
    """Refused: it sends tensors to a server."""

    def __init__(self, *args: Any, **kwargs: Any):
        grpc_wrapper.refuse(f"tf_debug.{type(self).__name__}")


class TensorBoardDebugHook(GrpcDebugHook):
    """Refused: it sends tensors to TensorBoard's debugger, which TensorBoard has no more."""
