"""A session whose runs are dumped (`tensorflow.python.debug.wrappers.dumping_wrapper`)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.debug.lib import debug_data
from tf1compat.api.debug.wrappers import framework
from tf1compat.api.platform import gfile
from tf1compat.core import protos
from tf1compat.core.session_interface import SessionInterface


def _write(run_dir: str, tag: str, message: str) -> None:
    event = protos.load("event_pb2", "Event")()
    event.log_message.message = message
    with gfile.Open(os.path.join(run_dir, debug_data.METADATA_FILE_PREFIX + tag), "wb") as file:
        file.write(event.SerializeToString())


class DumpingDebugWrapperSession(framework.NonInteractiveDebugWrapperSession):
    """Dumps each run into a folder of its own, as in TF 1.15.

    Args:
      sess, watch_fn, thread_name_filter, pass_through_operrors: see
        `NonInteractiveDebugWrapperSession`.
      session_root: the folder of these; there is none yet, or it is empty.
      log_usage: has no meaning.

    Raises:
      ValueError: it is a file, or not empty.
    """

    def __init__(
        self, sess: SessionInterface, session_root: str, watch_fn: Callable[[Any, Any],
        Any] | None = None,
        thread_name_filter: str | None = None, pass_through_operrors: bool | None = None,
        log_usage: bool = True,
    ):  # fmt: skip
        del log_usage
        super().__init__(sess, watch_fn, thread_name_filter, pass_through_operrors)
        root = os.path.expanduser(session_root)
        if not gfile.Exists(root):
            gfile.MakeDirs(root)
        elif not gfile.IsDirectory(root):
            raise ValueError(f"session_root path points to a file: {root}")
        elif gfile.ListDirectory(root):
            raise ValueError(f"session_root path points to a non-empty directory: {root}")
        self._session_root = root
        self._run_counter = 0
        self._run_counter_lock = threading.Lock()

    def prepare_run_debug_urls(self, fetches: Any, feed_dict: dict[Any, Any]) -> list[str]:
        """See `NonInteractiveDebugWrapperSession`."""
        with self._run_counter_lock:
            name = f"run_{int(time.time() * 1e6)}_{self._run_counter}"
            self._run_counter += 1
        run_dir = os.path.join(self._session_root, name)
        gfile.MkDir(run_dir)
        feeds = repr(feed_dict.keys()) if feed_dict else repr(feed_dict)
        _write(run_dir, debug_data.FETCHES_INFO_FILE_TAG, repr(fetches))
        _write(run_dir, debug_data.FEED_KEYS_INFO_FILE_TAG, feeds)
        return [f"file://{run_dir}"]
