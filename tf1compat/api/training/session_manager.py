"""Sessions whose variables are ready (`tensorflow.python.training.session_manager`)."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management
from tf1compat.core import errors, ops
from tf1compat.core.export import find, tf_export
from tf1compat.core.graph import Graph


def _maybe_name(obj: Any) -> str:
    """A name for error texts."""
    if obj is None:
        return "None"
    return obj.name if hasattr(obj, "name") else f"<no name for {type(obj)}>"


@tf_export("train.SessionManager")
class SessionManager:
    """Makes sessions and brings their variables to the state that training starts from.

    Args:
      local_init_op: run after the variables are initialised or restored.
      ready_op: gives the names of the variables that are not ready.
      ready_for_local_init_op: gives the names of those that `local_init_op` waits for.
      graph: the default graph by default.
      recovery_wait_secs: the pause between two tries.
      local_init_run_options: `RunOptions` for `local_init_op`.

    Raises:
      ValueError: `ready_for_local_init_op` without `local_init_op`.
    """

    def __init__(
        self, local_init_op: Any = None, ready_op: Any = None, ready_for_local_init_op: Any = None,
        graph: Graph | None = None, recovery_wait_secs: Any = 30,
        local_init_run_options: Any = None,
    ):  # fmt: skip
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = ops.get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs
        self._target: Any = None
        self._local_init_run_options = local_init_run_options
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op "
                f", ready_for_local_init_op [{ready_for_local_init_op}]"
            )

    def _session(self, master: Any, config: Any) -> Any:
        self._target = master
        return find("Session")(master, graph=self._graph, config=config)

    def _restore_checkpoint(
        self, master: Any, saver: Any = None, checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: Any = 7200, config: Any = None,
    ) -> tuple[Any, bool]:  # fmt: skip
        """A new session, and whether its variables are from a checkpoint."""
        sess = self._session(master, config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return sess, False
        if checkpoint_filename_with_path:
            saver.restore(sess, checkpoint_filename_with_path)
            return sess, True
        waited = 0
        while True:
            state = checkpoint_management.get_checkpoint_state(checkpoint_dir)
            if state and state.model_checkpoint_path:
                break
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return sess, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def prepare_session(
        self, master: Any, init_op: Any = None, saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: Any = 7200, config: Any = None, init_feed_dict: Any = None,
        init_fn: Callable[..., Any] | None = None,
    ) -> Any:  # fmt: skip
        """A session whose variables are restored from a checkpoint, or else initialised.

        Args:
          master: the session's target.
          init_op: run if there is no checkpoint.
          saver: a `Saver`.
          checkpoint_dir: where the latest checkpoint is looked for.
          checkpoint_filename_with_path: a checkpoint, in place of a directory.
          wait_for_checkpoint: whether to wait for one.
          max_wait_secs: how long.
          config: a `ConfigProto`.
          init_feed_dict: feeds of `init_op`.
          init_fn: called with the session after `init_op`.

        Returns:
          The session.

        Raises:
          RuntimeError: nothing is given that could initialise, or some variables are not ready.
          ValueError: both a directory and a checkpoint are given.
        """
        sess, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        if not is_loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or local_init_op was given"
                )
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        done, message = self._try_run_local_init_op(sess)
        if not done:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  "
                f"Init op: {_maybe_name(init_op)}, init fn: {init_fn}, error: {message}"
            )
        is_ready, message = self._model_ready(sess)
        if not is_ready:
            raise RuntimeError(
                "Init operations did not make model ready.  "
                f"Init op: {_maybe_name(init_op)}, init fn: {init_fn}, "
                f"local_init_op: {self._local_init_op}, error: {message}"
            )
        return sess

    def recover_session(
        self, master: Any, saver: Any = None, checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: Any = 7200, config: Any = None,
    ) -> tuple[Any, bool]:  # fmt: skip
        """A session, restored from a checkpoint if there is one.

        Args: as in `prepare_session`.

        Returns:
          The session, and whether its variables are restored and ready.

        Raises:
          ValueError: both a directory and a checkpoint are given.
        """
        sess, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        done, message = self._try_run_local_init_op(sess)
        if not is_loaded:
            return sess, False
        source = checkpoint_dir or checkpoint_filename_with_path
        if not done:
            logging.info(
                "Restoring model from %s did not make model ready for local init: %s",
                source,
                message,
            )
            return sess, False
        is_ready, message = self._model_ready(sess)
        if not is_ready:
            logging.info("Restoring model from %s did not make model ready: %s", source, message)
            return sess, False
        logging.info("Restored model from %s", source)
        return sess, is_loaded

    def wait_for_session(
        self, master: Any, config: Any = None, max_wait_secs: Any = float("Inf")
    ) -> Any:
        """A session, once its variables are ready: something else must initialise them.

        Args:
          master: the session's target.
          config: a `ConfigProto`.
          max_wait_secs: how long to wait.

        Returns:
          The session.

        Raises:
          DeadlineExceededError: they were not ready in time.
        """
        if max_wait_secs is None:
            max_wait_secs = float("Inf")
        timer = _CountDownTimer(max_wait_secs)
        while True:
            sess = self._session(master, config)
            not_ready = None
            done, not_ready_local = self._try_run_local_init_op(sess)
            if done:
                is_ready, not_ready = self._model_ready(sess)
                if is_ready:
                    return sess
            self._safe_close(sess)
            if timer.secs_remaining() - self._recovery_wait_secs < 0:
                waited = int(max_wait_secs)
                text = f"Session was not ready after waiting {waited} secs."
                raise errors.DeadlineExceededError(None, None, text)
            logging.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s",
                not_ready_local,
                not_ready,
            )
            time.sleep(self._recovery_wait_secs)

    def _safe_close(self, sess: Any) -> None:
        with contextlib.suppress(Exception):
            sess.close()

    def _model_ready(self, sess: Any) -> tuple[bool, Any]:
        return _ready(self._ready_op, sess, "Model not ready")

    def _model_ready_for_local_init(self, sess: Any) -> tuple[bool, Any]:
        return _ready(self._ready_for_local_init_op, sess, "Model not ready for local init")

    def _try_run_local_init_op(self, sess: Any) -> tuple[bool, Any]:
        """Whether the local initialisation is done; and if not, why."""
        if self._local_init_op is None:
            return True, None
        is_ready, message = self._model_ready_for_local_init(sess)
        if not is_ready:
            return False, message
        logging.info("Running local_init_op.")
        sess.run(self._local_init_op, options=self._local_init_run_options)
        logging.info("Done running local_init_op.")
        return True, None


def _ready(op: Any, sess: Any, msg: str) -> tuple[bool, Any]:
    """Whether `op` names no variable that is not initialised; and if it does, a text."""
    if op is None:
        return True, None
    try:
        value = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logging.warning("%s : error [%s]", msg, str(error))
            raise
        return False, str(error)
    if value is None or value.dtype == np.int32 or value.size == 0:
        return True, None
    names = ", ".join(name.decode("utf-8") for name in value)
    return False, "Variables not initialized: " + names


class _CountDownTimer:
    def __init__(self, duration_secs: float):
        self._end = time.time() + duration_secs

    def secs_remaining(self) -> float:
        return max(0, self._end - time.time())
