"""Checkpoints written beside the training (`tensorflow.python.tpu.async_checkpoint`)."""

from __future__ import annotations

import threading
import time
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import saving_hooks
from tf1compat.core.export import tf_export


@tf_export("contrib.tpu.AsyncCheckpointSaverHook")
class AsyncCheckpointSaverHook(saving_hooks.CheckpointSaverHook):
    """Writes checkpoints from a thread, while the training goes on.

    A checkpoint that falls due while one is being written is left out. Listeners are told as by a
    `CheckpointSaverHook`, in that thread, but can't stop the training. The last checkpoint is
    written before `end` returns.

    Args:
      checkpoint_dir: the directory.
      save_secs: write one every so many seconds.
      save_steps: write one every so many steps.
      saver: a `Saver`; the one of the scaffold, or of the graph, by default.
      checkpoint_basename: the files' name.
      scaffold: a `Scaffold` that has the saver.
      listeners: `CheckpointSaverListener`s.

    Raises:
      ValueError: not one of the times is given, or both a saver and a scaffold.
    """

    _created = "Create AsyncCheckpointSaverHook."
    _thread: threading.Thread | None = None
    _last_checkpoint_step: Any = None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_context.session.run(self._global_step_tensor)
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            logging.info("Triggering checkpoint. %s", step)
            self._save(run_context.session, step)

    def end(self, session: Any) -> None:
        if self._thread is not None:
            logging.info("Waiting for any pending checkpoints to finish.")
            self._thread.join()
        last_step = session.run(self._global_step_tensor)
        if self._last_checkpoint_step != last_step:
            self._last_checkpoint_step = last_step
            self._write(session, last_step)
        for listener in self._listeners:
            listener.end(session, last_step)

    def _save(self, session: Any, step: Any) -> bool:
        """Begins to write a checkpoint; never wants to stop."""
        if self._thread is not None:
            self._thread.join(timeout=0.1)
            if self._thread.is_alive():
                logging.info("Saver thread still in progress, skipping checkpoint.")
                return False
        self._last_checkpoint_step = step
        self._thread = threading.Thread(target=self._write, args=(session, step))
        self._thread.start()
        return False

    def _write(self, session: Any, step: Any) -> list[Any]:
        begun = time.time()
        stopping = super()._write(session, step)
        logging.info("Checkpoint actual writing time: (%.3f sec)", time.time() - begun)
        logging.info("Checkpoint finished for %d into %s.", step, self._save_path)
        return stopping
