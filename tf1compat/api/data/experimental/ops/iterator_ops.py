"""Checkpoints of where iterators stand."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops.iterator_ops import GLOBAL_ITERATORS, IteratorSaveable
from tf1compat.api.training import checkpoint_management, saver, session_run_hook
from tf1compat.api.training.saving_hooks import CheckpointSaverHook
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


def _saveable(resource: Any) -> IteratorSaveable:
    return IteratorSaveable(resource, resource.name, f"{resource.name}-state")


@tf_export("data.experimental.make_saveable_from_iterator")
def make_saveable_from_iterator(iterator: Any) -> Any:
    """What a `tf.train.Saver` saves of an iterator (as in TF 1.15).

    The number of elements that were taken is saved. When it is restored, the iterator begins anew
    and goes through them again: so a pipeline that shuffles or draws needs seeds.

    Args:
      iterator: a `tf.data.Iterator`.

    Returns:
      A `SaveableObject`, for `Saver(var_list)` or the collection `SAVEABLE_OBJECTS`.
    """
    return _saveable(iterator._iterator_resource)


class _IteratorSaver(saver.Saver):
    """A `Saver` of iterators, whose checkpoints are listed in a file of their own.

    Args:
      iterators: the resources.
      state_file: the name of that file.
    """

    def __init__(self, iterators: Any, state_file: str):
        super().__init__([_saveable(resource) for resource in iterators])
        self._state_file = state_file

    def save(self, sess: Any, save_path: str, *args: Any, **kwargs: Any) -> Any:
        if len(args) < 2:  # the second one after the path is the name
            kwargs["latest_filename"] = kwargs.get("latest_filename") or self._state_file
        return super().save(sess, save_path, *args, **kwargs)


@tf_export("data.experimental.CheckpointInputPipelineHook")
class CheckpointInputPipelineHook(session_run_hook.SessionRunHook):
    """Saves where the iterators of a graph stand, beside an estimator's checkpoints, and goes on
    there (as in TF 1.15).

    Args:
      estimator: a `tf.estimator.Estimator`: in its folder, and as often as its configuration says.
    """

    def __init__(self, estimator: Any):
        config, prefix = estimator._config, "input"
        if config.num_worker_replicas > 1:
            prefix = f"input_{config.task_type}_{config.task_id}"
        # Not a base class: an estimator with a CheckpointSaverHook makes none of its own.
        self._checkpoint_saver_hook = CheckpointSaverHook(
            estimator.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            checkpoint_basename=f"{prefix}.ckpt",
        )
        self._latest_filename = f"checkpoint_{prefix}"
        self._first_run = True

    def begin(self) -> None:
        hook = self._checkpoint_saver_hook
        if hook._saver is None and hook._scaffold is None:
            iterators = ops.get_collection(GLOBAL_ITERATORS)
            hook._saver = _IteratorSaver(iterators, self._latest_filename)
        hook.begin()

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        # The hooks that initialize iterators did so when the session was made, in whatever order.
        if self._first_run:
            self._go_on_or_save(run_context.session)
            self._first_run = False
        return self._checkpoint_saver_hook.before_run(run_context)

    def _go_on_or_save(self, session: SessionInterface) -> None:
        hook = self._checkpoint_saver_hook
        latest = checkpoint_management.latest_checkpoint(
            hook._checkpoint_dir, latest_filename=self._latest_filename
        )
        if latest:
            hook._get_saver().restore(session, latest)
            return
        step = session.run(hook._global_step_tensor)
        hook._save(session, step)
        hook._timer.update_last_triggered_step(step)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        self._checkpoint_saver_hook.after_run(run_context, run_values)

    def end(self, session: SessionInterface) -> None:
        self._checkpoint_saver_hook.end(session)
