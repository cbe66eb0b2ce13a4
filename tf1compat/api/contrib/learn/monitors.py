"""Monitors of training (`tensorflow.contrib.learn.python.learn.monitors`)."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.contrib.learn.monitor_base import BaseMonitor, EveryN, _extract_output
from tf1compat.api.contrib.learn.monitor_base import (
    RunHookAdapterForMonitors as RunHookAdapterForMonitors,
)
from tf1compat.api.contrib.learn.monitor_base import (
    replace_monitors_with_hooks as replace_monitors_with_hooks,
)
from tf1compat.api.estimator import estimator as core_estimator
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary.writer import writer, writer_cache
from tf1compat.api.training import (
    checkpoint_management,
    saving_hooks,
)
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import export, ops, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name

_monitor = export.internal_class("tensorflow.contrib.learn.python.learn.monitors")


@_monitor
class StopAtStep(BaseMonitor):
    """Ends the training.

    Args:
      num_steps: after so many steps.
      last_step: or else after this one.

    Raises:
      ValueError: both or none are given.
    """

    def __init__(self, num_steps: Any = None, last_step: Any = None):
        super().__init__()
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps: Any = num_steps
        self._last_step: Any = last_step

    @property
    def run_on_all_workers(self) -> bool:
        """See `BaseMonitor`."""
        return True

    def step_begin(self, step: int) -> list[Any]:
        """See `BaseMonitor`."""
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """See `BaseMonitor`."""
        super().step_end(step, output)
        return step >= self._last_step


def _said(names: dict[str, Any], outputs: dict[Any, Any]) -> str:
    found = [(tag, name) for tag, name in names.items() if name in outputs]
    return ", ".join(f"{tag} = {_extract_output(outputs, name)}" for tag, name in found)


@_monitor
class PrintTensor(EveryN):
    """Logs tensors.

    Args:
      tensor_names: a list of names, or {tag: name}.
      every_n, first_n: see `EveryN`.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1):
        super().__init__(every_n, first_n)
        if not isinstance(tensor_names, dict):
            tensor_names = {name: name for name in tensor_names}
        self._tensor_names = tensor_names

    def every_n_step_begin(self, step: int) -> list[Any]:
        """See `EveryN`."""
        super().every_n_step_begin(step)
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> None:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        logging.info("Step %d: %s", step, _said(self._tensor_names, outputs))


@_monitor
class LoggingTrainable(EveryN):
    """Logs the trainable variables.

    Args:
      scope: of those of this scope only.
      every_n, first_n: see `EveryN`.
    """

    def __init__(self, scope: Any = None, every_n: int = 100, first_n: int = 1):
        super().__init__(every_n, first_n)
        self._scope = scope
        self._names: dict[str, Any] = {}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """See `EveryN`."""
        super().every_n_step_begin(step)
        variables = ops.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES, scope=self._scope)
        self._names = {variable.name: variable.value().name for variable in variables}
        return list(self._names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> None:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        logging.info("Logging Trainable: Step %d: %s", step, _said(self._names, outputs))


@_monitor
class SummarySaver(EveryN):
    """Writes summaries.

    Args:
      summary_op: a string tensor with a Summary; the scaffold's if it is None.
      save_steps: at every so many steps.
      output_dir: the folder; the estimator's by default.
      summary_writer: a writer, instead of a folder.
      scaffold: a `tf.train.Scaffold`.
    """

    def __init__(
        self, summary_op: Any, save_steps: int = 100, output_dir: str | None = None,
        summary_writer: Any = None, scaffold: Any = None,
    ):  # fmt: skip
        super().__init__(every_n_steps=save_steps)
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = writer.FileWriter(output_dir)
        self._scaffold = scaffold

    def set_estimator(self, estimator: Any) -> None:
        """See `BaseMonitor`."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = writer.FileWriter(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> list[Any]:
        """See `EveryN`."""
        super().every_n_step_begin(step)
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        if self._summary_op is not None and self._summary_writer:
            summary = _extract_output(outputs, self._summary_op)
            self._summary_writer.add_summary(summary, step)
        return False

    def end(self, session: SessionInterface | None = None) -> None:
        """See `BaseMonitor`."""
        super().end(session=session)
        if self._summary_writer:
            self._summary_writer.flush()


@_monitor
class ValidationMonitor(EveryN):
    """Evaluates the estimator whenever there is a new checkpoint; may end the training early.

    Args:
      x, y, input_fn, batch_size, eval_steps, metrics, hooks, name: see `Estimator.evaluate`.
      every_n_steps: at every so many steps it looks for a checkpoint.
      early_stopping_rounds: the training ends if the metric was not better for so many steps.
      early_stopping_metric: the metric's name.
      early_stopping_metric_minimize: whether less is better.
      check_interval_secs: so many seconds lie between two looks; None for no such limit.

    Raises:
      ValueError: there are neither arrays nor an input function.
    """

    def __init__(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        batch_size: Any = None,
        eval_steps: Any = None, every_n_steps: int = 100, metrics: Any = None, hooks: Any = None,
        early_stopping_rounds: Any = None, early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True, name: Name = None,
        check_interval_secs: Any = 5,
    ):  # fmt: skip
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x, self.y, self.input_fn, self.batch_size = x, y, input_fn, batch_size
        self.eval_steps, self.metrics, self.hooks, self.name = eval_steps, metrics, hooks, name
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self._best_value_step: Any = None
        self._best_value: Any = None
        self._best_metrics: Any = None
        self._early_stopped = False
        self._latest_path: Any = None
        self._latest_path_step: Any = None
        self._last_checkpoint_check_time: Any = None
        self._check_interval_secs = check_interval_secs

    early_stopped: bool = attribute("_early_stopped", "Whether it ended the training.")
    best_step = attribute("_best_value_step", "The step at which the metric was best.")
    best_value = attribute("_best_value", "The metric at that step.")
    best_metrics = attribute("_best_metrics", "All metrics at that step.")

    def _evaluate_estimator(self) -> dict[str, Any]:
        wanted = {
            "input_fn": self.input_fn, "steps": self.eval_steps, "hooks": self.hooks,
            "name": self.name,
        }  # fmt: skip
        old = {"x": self.x, "y": self.y, "batch_size": self.batch_size, "metrics": self.metrics}
        if isinstance(self._estimator, core_estimator.Estimator):
            if any(value is not None for value in old.values()):
                raise ValueError(
                    "tf.estimator.Estimator does not support following arguments: x, y, "
                    "batch_size, metrics. Should set as `None` in ValidationMonitor"
                )
            return self._estimator.evaluate(**wanted)
        return self._estimator.evaluate(**wanted, **old)

    def _new_checkpoint(self, step: int) -> bool:
        """Whether there is a checkpoint that was not evaluated yet."""
        now, last = time.time(), self._last_checkpoint_check_time
        pause = self._check_interval_secs
        if pause is not None and last is not None and now - last <= pause:
            logging.debug(
                "Skipping evaluation since less than %d seconds have passed since last check for a "
                "new checkpoint.",
                pause,
            )
            return False
        self._last_checkpoint_check_time = now
        path = checkpoint_management.latest_checkpoint(self._estimator.model_dir)
        if path is None:
            logging.debug(
                "Skipping evaluation since model has not been saved yet at step %d.", step
            )
            return False
        if path == self._latest_path:
            logging.debug(
                "Skipping evaluation due to same checkpoint %s for step %d as for step %d.",
                path, step, self._latest_path_step,
            )  # fmt: skip
            return False
        self._latest_path, self._latest_path_step = path, step
        return True

    def _is_better(self, value: Any) -> bool:
        best = self._best_value
        if best is None:
            return True
        return value < best if self.early_stopping_metric_minimize else value > best

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """See `EveryN`.

        Raises:
          ValueError: there is no estimator, or no such metric.
        """
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        if not self._new_checkpoint(step):
            return False
        found = self._evaluate_estimator()
        said = ", ".join(f"{name} = {value}" for name, value in found.items())
        logging.info("Validation (step %d): %s", step, said)
        if self.early_stopping_rounds is None:
            return False
        if self.early_stopping_metric not in found:
            raise ValueError(
                f"Metric {self.early_stopping_metric} missing from outputs {set(found.keys())}."
            )
        if self._is_better(found[self.early_stopping_metric]):
            self._best_value = found[self.early_stopping_metric]
            self._best_metrics = copy.deepcopy(found)
            self._best_value_step = step
        if step - self._best_value_step < self.early_stopping_rounds:
            return False
        logging.info(
            "Stopping. Best step: %s with %s = %s.",
            self._best_value_step, self.early_stopping_metric, self._best_value,
        )  # fmt: skip
        self._early_stopped = True
        return True


@_monitor
class CaptureVariable(EveryN):
    """Keeps a variable's values.

    Args:
      var_name: the name of its tensor.
      every_n, first_n: see `EveryN`.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1):
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._var_values: dict[int, Any] = {}

    values: dict[int, Any] = attribute("_var_values", "{step: the value}.")

    def every_n_step_begin(self, step: int) -> list[Any]:
        """See `EveryN`."""
        super().every_n_step_begin(step)
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> None:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        self._var_values[step] = _extract_output(outputs, self._var_name)


@deprecated(None, "Use tf.train.MonitoredTrainingSession.")
def get_default_monitors(
    loss_op: Any = None, summary_op: Any = None, save_summary_steps: int = 100,
    output_dir: str | None = None, summary_writer: Any = None,
) -> list[Any]:  # fmt: skip
    """What logs a loss and writes summaries, if there are any; see `SummarySaver`."""
    monitors: list[Any] = []
    if loss_op is not None:
        monitors.append(PrintTensor(tensor_names={"loss": loss_op.name}))
    if summary_op is not None:
        saver = SummarySaver(
            summary_op, save_steps=save_summary_steps, output_dir=output_dir,
            summary_writer=summary_writer,
        )  # fmt: skip
        monitors.append(saver)
    return monitors


@_monitor
class GraphDump(BaseMonitor):
    """Keeps the first output of nearly every operation at every step.

    Args:
      ignore_ops: the op types that are left out.
    """

    IGNORE_OPS = [
        "Const", "Assign", "Identity", "Placeholder", "RandomUniform", "Cast", "RestoreSlice"
    ]  # fmt: skip

    def __init__(self, ignore_ops: Any = None):
        super().__init__()
        self._ignore_ops = ignore_ops or GraphDump.IGNORE_OPS
        self._tensors: list[Any] = []
        self._data: dict[int, Any] = {}

    def begin(self, max_steps: Any = None) -> None:
        """See `BaseMonitor`."""
        super().begin(max_steps=max_steps)
        self._tensors = []
        for op in ops.get_default_graph().get_operations():
            if op.type not in self._ignore_ops:
                logging.info("op=%s name=%s.", op.type, op.name)
                self._tensors += op.outputs[:1]

    def step_begin(self, step: int) -> list[Any]:
        """See `BaseMonitor`."""
        super().step_begin(step)
        return self._tensors

    def step_end(self, step: int, output: dict[Any, Any]) -> None:  # type: ignore[override]
        """See `BaseMonitor`."""
        super().step_end(step, output)
        self._data[step] = output

    data: dict[int, Any] = attribute("_data", "{step: {tensor: its value}}.")

    def compare(
        self, other_dump: GraphDump, step: int, atol: float = 1e-06
    ) -> tuple[list[str], dict[str, Any]]:
        """Compares what two of them kept under names.

        Returns:
          The names with equal values; {name: the difference, or both values}.

        Raises:
          ValueError: the other has no such value.
        """
        matched: list[str] = []
        non_matched: dict[str, Any] = {}
        mine, others = self.data.get(step, {}), other_dump.data.get(step, {})
        for key in mine:
            if not isinstance(key, str):
                continue
            if key not in others:
                raise ValueError("%s missing at step %s.", (key, step))
            a, b = _extract_output(mine, key), _extract_output(others, key)
            if isinstance(a, str):
                continue
            is_array = isinstance(a, np.ndarray)
            if np.allclose(a, b, atol=atol) if is_array else a == b:
                matched.append(key)
            else:
                non_matched[key] = a - b if is_array else (a, b)
        return matched, non_matched


@_monitor
class ExportMonitor(EveryN):
    """Exports the estimator (`Estimator.export`).

    Args:
      every_n_steps: at every so many steps.
      export_dir, input_fn, input_feature_key, exports_to_keep, signature_fn, default_batch_size:
        see `Estimator.export`.
    """

    @deprecated(
        "2017-03-25",
        "ExportMonitor is deprecated. Please pass an ExportStrategy to Experiment instead.",
    )
    def __init__(
        self, every_n_steps: int, export_dir: Any, input_fn: Callable[..., Any] | None = None,
        input_feature_key: Any = None, exports_to_keep: Any = 5, signature_fn: Any = None,
        default_batch_size: Any = 1,
    ):  # fmt: skip
        super().__init__(every_n_steps=every_n_steps)
        self._export_dir = export_dir
        self._input_fn = input_fn
        self._input_feature_key = input_feature_key
        self._exports_to_keep = exports_to_keep
        self._signature_fn = signature_fn
        self._default_batch_size = default_batch_size
        self._last_export_dir: Any = None

    export_dir = attribute("_export_dir", "The folder of the exports.")
    exports_to_keep = attribute("_exports_to_keep", "How many exports stay.")
    signature_fn = attribute("_signature_fn", "What makes the signatures.")
    last_export_dir = attribute("_last_export_dir", "The folder of the last export.")

    def _export(self, otherwise: str) -> None:
        if isinstance(self._estimator, core_estimator.Estimator):
            raise ValueError(
                "ExportMonitor does not support `tf.estimator.Estimator. `. Please pass an "
                "ExportStrategy to Experiment instead."
            )
        try:
            self._last_export_dir = self._estimator.export(
                self.export_dir, exports_to_keep=self.exports_to_keep,
                signature_fn=self.signature_fn, input_fn=self._input_fn,
                default_batch_size=self._default_batch_size,
                input_feature_key=self._input_feature_key,
                use_deprecated_input_fn=self._input_fn is None,
            )  # fmt: skip
        except NotImplementedError:
            raise
        except RuntimeError:
            logging.info(otherwise)

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> None:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        self._export(
            "Skipping exporting because the existing checkpoint has already been exported. "
            "Consider exporting less frequently."
        )

    def end(self, session: SessionInterface | None = None) -> None:
        """See `BaseMonitor`."""
        super().end(session=session)
        if checkpoint_management.latest_checkpoint(self._estimator.model_dir) is None:
            logging.info("Skipping export at the end since model has not been saved yet.")
        else:
            self._export("Skipping exporting for the same step.")


@_monitor
class CheckpointSaver(BaseMonitor):
    """Saves checkpoints: after the first step, at times, and at the end.

    Args:
      checkpoint_dir: the folder.
      save_secs: every so many seconds.
      save_steps: or else at every so many steps.
      saver: a saver; the scaffold's by default.
      checkpoint_basename: the beginning of the files' names.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: both times are given, or none.
    """

    def __init__(
        self, checkpoint_dir: str, save_secs: Any = None, save_steps: Any = None,
        saver: Any = None, checkpoint_basename: str = "model.ckpt", scaffold: Any = None,
    ):  # fmt: skip
        logging.info("Create CheckpointSaver.")
        super().__init__()
        self._saver = saver
        self._summary_writer = writer_cache.FileWriterCache.get(checkpoint_dir)
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._save_secs, self._save_steps = save_secs, save_steps
        self._last_saved_time: Any = None
        self._last_begin_step: Any = None
        self._last_saved_step: Any = None
        if save_steps is None and save_secs is None:
            raise ValueError("Either save_steps or save_secs should be provided")
        if save_steps is not None and save_secs is not None:
            raise ValueError("Can not provide both save_steps and save_secs.")

    def begin(self, max_steps: Any = None) -> None:
        """See `BaseMonitor`."""
        super().begin(max_steps)
        self._last_saved_time = self._last_begin_step = self._last_saved_step = None

    def step_begin(self, step: int) -> None:  # type: ignore[override]
        """See `BaseMonitor`."""
        super().step_begin(step)
        self._last_begin_step = step

    def post_step(self, step: int, session: Any) -> None:
        """See `BaseMonitor`."""
        super().post_step(step, session)
        if self._last_saved_time is None:
            self._save(step, session)
        if self._save_steps is not None:
            is_due = step >= self._last_saved_step + self._save_steps
        else:
            is_due = time.time() >= self._last_saved_time + self._save_secs
        if is_due:
            self._save(step, session)

    def end(self, session: SessionInterface | None = None) -> None:
        """See `BaseMonitor`."""
        super().end(session)
        self._save(self._last_begin_step, session)

    def _save(self, step: int, session: Any) -> None:
        if step == self._last_saved_step:
            return
        logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._last_saved_time, self._last_saved_step = time.time(), step
        saver = self._scaffold.saver if self._saver is None else self._saver
        saver.save(session, self._save_path, global_step=step)
        log = saving_hooks.session_log("CHECKPOINT", checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)


@_monitor
class StepCounter(EveryN):
    """Writes how many steps a second are taken.

    Args:
      every_n_steps: at every so many steps.
      output_dir: the folder; the estimator's by default.
      summary_writer: a writer, instead of a folder.
    """

    def __init__(
        self, every_n_steps: int = 100, output_dir: str | None = None, summary_writer: Any = None
    ):
        super().__init__(every_n_steps=every_n_steps)
        self._summary_tag = "global_step/sec"
        self._last_reported_step: Any = None
        self._last_reported_time: Any = None
        self._summary_writer = summary_writer
        if summary_writer is None and output_dir:
            self._summary_writer = writer_cache.FileWriterCache.get(output_dir)

    def set_estimator(self, estimator: Any) -> None:
        """See `BaseMonitor`."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = writer_cache.FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, current_step: int, outputs: dict[Any, Any]) -> None:  # type: ignore[override]
        """See `EveryN`."""
        del outputs
        now = time.time()
        if self._last_reported_time is not None and self._summary_writer:
            steps = current_step - self._last_reported_step
            rate = steps / (now - self._last_reported_time)
            summary = protos.load("summary_pb2", "Summary")()
            summary.value.add(tag=self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(summary, current_step)
        self._last_reported_step, self._last_reported_time = current_step, now


@tf_export("contrib.learn.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """The loss is not a number."""

    def __str__(self):
        return "NaN loss during training."


@_monitor
class NanLoss(EveryN):
    """Ends the training if the loss is not a number.

    Args:
      loss_tensor: the loss.
      every_n_steps: at every so many steps it looks.
      fail_on_nan_loss: whether it raises `NanLossDuringTrainingError`.
    """

    def __init__(self, loss_tensor: Any, every_n_steps: int = 100, fail_on_nan_loss: bool = True):
        super().__init__(every_n_steps=every_n_steps)
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def every_n_step_begin(self, step: int) -> list[Any]:
        """See `EveryN`."""
        super().every_n_step_begin(step)
        return [self._loss_tensor]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> Any:
        """See `EveryN`."""
        super().every_n_step_end(step, outputs)
        if not np.isnan(_extract_output(outputs, self._loss_tensor)):
            return None
        message = "Model diverged with loss = NaN."
        if self._fail_on_nan_loss:
            logging.error(message)
            raise NanLossDuringTrainingError
        logging.warning(message)
        return True
