"""What writes saved models while an estimator is trained
(`tensorflow_estimator.python.estimator.exporter`)."""

from __future__ import annotations

import abc
import os
from typing import Any

from tf1compat.api.estimator import util
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import summary_io
from tf1compat.api.util import compat
from tf1compat.core import errors
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("estimator.Exporter")
class Exporter:
    """Something that writes a model after each evaluation."""

    @property
    @abc.abstractmethod
    def name(self) -> Any:
        """The folder, below "export" in the model's."""

    @abc.abstractmethod
    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str, eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Writes the model.

        Args:
          estimator: the `Estimator`.
          export_path: where to.
          checkpoint_path: the checkpoint.
          eval_result: {metric: its value}.
          is_the_final_export: whether training has ended.

        Returns:
          The folder, or None.
        """


class _SavedModelExporter(Exporter):
    """Writes the model each time; see `LatestExporter`."""

    def __init__(
        self, name: Name, serving_input_receiver_fn: Any, assets_extra: Any = None,
        as_text: bool = False,
    ):  # fmt: skip
        self._name = name
        self._serving_input_receiver_fn = serving_input_receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text

    name = attribute("_name", "The folder's name.")

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str, eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Writes the model; see `Exporter`."""
        return estimator.export_saved_model(
            export_path, self._serving_input_receiver_fn, assets_extra=self._assets_extra,
            as_text=self._as_text, checkpoint_path=checkpoint_path,
        )  # fmt: skip


def _delete_old(export_dir_base: str, keep: int | None) -> None:
    """Deletes all but the newest exports."""
    if keep is None:
        return
    base = compat.as_str_any(export_dir_base)
    names = [compat.as_str_any(name).rstrip("/") for name in gfile.ListDirectory(base)]
    # Folders are named after the time.
    exports = sorted((n for n in names if len(n) == 10 and n.isdigit()), key=int)
    for name in exports[:-keep]:
        path = os.path.join(base, name)
        try:
            gfile.DeleteRecursively(path)
        except errors.NotFoundError as error:
            logging.warn("Can not delete %s recursively: %s", path, error)


def _loss_smaller(best_eval_result: Any, current_eval_result: Any) -> bool:
    for name, result in (
        ("best_eval_result", best_eval_result),
        ("current_eval_result", current_eval_result),
    ):
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


def _verify_compare_fn_args(compare_fn: Any) -> None:
    names = set(util.fn_args(compare_fn))
    wanted = ("best_eval_result", "current_eval_result")
    for name in wanted:
        if name not in names:
            raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
    others = list(names - set(wanted))
    if others:
        raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {others}")


@tf_export("estimator.BestExporter")
class BestExporter(Exporter):
    """Writes the model when it is better than it was.

    Args:
      name: the folder's name.
      serving_input_receiver_fn, assets_extra, as_text: see `Estimator.export_saved_model`.
      event_file_pattern: where, in the model's folder, the results of earlier evaluations are.
      compare_fn: whether the argument `current_eval_result` is better than `best_eval_result`; by
        default whether its loss is smaller.
      exports_to_keep: how many of the newest are kept; None for all.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, name: Name = "best_exporter", serving_input_receiver_fn: Any = None,
        event_file_pattern: Any = "eval/*.tfevents.*", compare_fn: Any = _loss_smaller,
        assets_extra: Any = None, as_text: bool = False, exports_to_keep: Any = 5,
    ):  # fmt: skip
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        _verify_compare_fn_args(compare_fn)
        self._compare_fn = compare_fn
        self._saved_model_exporter = _SavedModelExporter(
            name, serving_input_receiver_fn, assets_extra, as_text
        )
        self._event_file_pattern = event_file_pattern
        self._model_dir: Any = None
        self._best_eval_result: Any = None
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(
                f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}"
            )
        self._exports_to_keep = exports_to_keep

    name = attribute("_saved_model_exporter.name", "The folder's name.")

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str, eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Writes the model if it is better; see `Exporter`."""
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            pattern = os.path.join(self._model_dir, self._event_file_pattern)
            self._best_eval_result = self._get_best_eval_result(pattern)
        if self._best_eval_result is not None and not self._compare_fn(
            best_eval_result=self._best_eval_result, current_eval_result=eval_result
        ):
            return None
        logging.info("Performing best model export.")
        self._best_eval_result = eval_result
        result = self._saved_model_exporter.export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )
        _delete_old(export_path, self._exports_to_keep)
        return result

    def _get_best_eval_result(self, event_files: Any) -> Any:
        best = None
        for file in gfile.Glob(event_files) if event_files else ():
            for event in summary_io.summary_iterator(file):
                if not event.HasField("summary"):
                    continue
                found = {
                    value.tag: value.simple_value
                    for value in event.summary.value
                    if value.HasField("simple_value")
                }
                if found and (best is None or self._compare_fn(best, found)):
                    best = found
        return best


@tf_export("estimator.FinalExporter")
class FinalExporter(Exporter):
    """Writes the model once, when training has ended.

    Args:
      name: the folder's name.
      serving_input_receiver_fn, assets_extra, as_text: see `Estimator.export_saved_model`.
    """

    def __init__(
        self, name: Name, serving_input_receiver_fn: Any, assets_extra: Any = None,
        as_text: bool = False,
    ):  # fmt: skip
        self._saved_model_exporter = _SavedModelExporter(
            name, serving_input_receiver_fn, assets_extra, as_text
        )

    name = attribute("_saved_model_exporter.name", "The folder's name.")

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str, eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Writes the model at the end; see `Exporter`."""
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return self._saved_model_exporter.export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )


@tf_export("estimator.LatestExporter")
class LatestExporter(Exporter):
    """Writes the model each time, and keeps the newest.

    Args:
      name: the folder's name.
      serving_input_receiver_fn, assets_extra, as_text: see `Estimator.export_saved_model`.
      exports_to_keep: how many are kept; None for all.

    Raises:
      ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self, name: Name, serving_input_receiver_fn: Any, assets_extra: Any = None,
        as_text: bool = False, exports_to_keep: Any = 5,
    ):  # fmt: skip
        self._saved_model_exporter = _SavedModelExporter(
            name, serving_input_receiver_fn, assets_extra, as_text
        )
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        self._exports_to_keep = exports_to_keep

    name = attribute("_saved_model_exporter.name", "The folder's name.")

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str, eval_result: Any,
        is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Writes the model; see `Exporter`."""
        result = self._saved_model_exporter.export(
            estimator, export_path, checkpoint_path, eval_result, is_the_final_export
        )
        _delete_old(export_path, self._exports_to_keep)
        return result
