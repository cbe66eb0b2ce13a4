"""Exports as SavedModels
(`tensorflow.contrib.learn.python.learn.utils.saved_model_export_utils`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.layers import feature_column
from tf1compat.api.contrib.learn import export_strategy
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.metric_key import MetricKey
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.api.contrib.learn.utils import gc, input_fn_utils
from tf1compat.api.estimator import estimator as core_estimator
from tf1compat.api.estimator.export import export as core_export
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import signature_constants, signature_def_utils_impl
from tf1compat.api.training import checkpoint_management, summary_io
from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, errors
from tf1compat.core.export import tf_export

DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"
FEATURES_INPUT_ALTERNATIVE_KEY = "features_input_alternative"
_FALLBACK_DEFAULT_OUTPUT_ALTERNATIVE_KEY = "default_output_alternative"
MAX_DIRECTORY_CREATION_ATTEMPTS = 10

_EXPORTER = deprecated(None, "Switch to tf.estimator.Exporter and associated utilities.")


@_EXPORTER
def build_standardized_signature_def(
    input_tensors: dict[str, Any], output_tensors: dict[str, Any], problem_type: Any
) -> Any:
    """A signature of the kind that a problem has.

    Args:
      input_tensors, output_tensors: {name: a tensor}.
      problem_type: a `ProblemType`.

    Returns:
      A SignatureDef: to classify or to regress if the tensors allow it, else to predict.

    Raises:
      ValueError: there are no tensors.
    """
    if not input_tensors:
        raise ValueError("input_tensors must be provided.")
    if not output_tensors:
        raise ValueError("output_tensors must be provided.")
    first, only = next(iter(input_tensors.values())), next(iter(output_tensors.values()))
    has_one_input, has_one_output = len(input_tensors) == 1, len(output_tensors) == 1
    if has_one_input and problem_type in (
        ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION
    ):  # fmt: skip
        classes = output_tensors.get(PredictionKey.CLASSES)
        if classes is not None and classes.dtype != dtypes.string:
            classes = None
        scores = output_tensors.get(PredictionKey.SCORES)
        if scores is None:
            scores = output_tensors.get(PredictionKey.PROBABILITIES)
        if classes is None and scores is None and has_one_output:
            classes, scores = (only, None) if only.dtype == dtypes.string else (None, only)
        if classes is not None or scores is not None:
            return signature_def_utils_impl.classification_signature_def(first, classes, scores)
    if has_one_input and has_one_output and problem_type == ProblemType.LINEAR_REGRESSION:
        return signature_def_utils_impl.regression_signature_def(first, only)
    return signature_def_utils_impl.predict_signature_def(input_tensors, output_tensors)


@_EXPORTER
def get_input_alternatives(input_ops: Any) -> tuple[dict[str, Any], Any]:
    """What an input function gave: {name: its placeholders}, and the features.

    Raises:
      ValueError: there are no features.
    """
    alternatives = {}
    if isinstance(input_ops, input_fn_utils.InputFnOps):
        alternatives[DEFAULT_INPUT_ALTERNATIVE_KEY] = input_ops.default_inputs
        features = input_ops.features
    else:
        features, _ = input_ops
    if not features:
        raise ValueError("Features must be defined.")
    return alternatives, features


@_EXPORTER
def get_output_alternatives(
    model_fn_ops: Any, default_output_alternative_key: Any = None
) -> tuple[dict[Any, Any], Any]:
    """A model's outputs.

    Args:
      model_fn_ops: a `ModelFnOps`.
      default_output_alternative_key: which of several outputs is served; the predictions if the
        model says none.

    Returns:
      {name: (a `ProblemType`, {name: a tensor})}, and which is served.

    Raises:
      ValueError: there is no such output, or there are several and none is chosen.
    """
    found, wanted = model_fn_ops.output_alternatives, default_output_alternative_key
    names = sorted(found or {}, key=str)
    if wanted and wanted not in names:
        raise ValueError(
            f"Requested default_output_alternative: {wanted}, but available output_alternatives "
            f"are: {names}"
        )
    if not found:
        predictions = model_fn_ops.predictions
        if not isinstance(predictions, dict):
            predictions = {PredictionKey.GENERIC: predictions}
        name = _FALLBACK_DEFAULT_OUTPUT_ALTERNATIVE_KEY
        return {name: (ProblemType.UNSPECIFIED, predictions)}, name
    if not wanted and len(names) > 1:
        raise ValueError(
            "Please specify a default_output_alternative.  Available output_alternatives are: "
            f"{names}"
        )
    return found, wanted or names[0]


@_EXPORTER
def build_all_signature_defs(
    input_alternatives: dict[str, Any], output_alternatives: dict[Any, Any],
    actual_default_output_alternative_key: Any,
) -> dict[str, Any]:  # fmt: skip
    """{name: a SignatureDef} for each input with each output, and the one that is served.

    Raises:
      ValueError: there is no input to be served.
    """
    signatures = {
        f"{input_key}:{output_key or 'None'}": build_standardized_signature_def(
            inputs, outputs, problem_type
        )
        for input_key, inputs in input_alternatives.items()
        for output_key, (problem_type, outputs) in output_alternatives.items()
    }
    inputs = input_alternatives.get(DEFAULT_INPUT_ALTERNATIVE_KEY)
    if not inputs:
        raise ValueError("A default input_alternative must be provided.")
    problem_type, outputs = output_alternatives[actual_default_output_alternative_key]
    served = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    signatures[served] = build_standardized_signature_def(inputs, outputs, problem_type)
    return signatures


@_EXPORTER
def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """A folder with the time as its name, which is not there yet.

    Raises:
      RuntimeError: ten such folders are there.
    """
    for attempt in range(1, MAX_DIRECTORY_CREATION_ATTEMPTS + 1):
        folder = os.path.join(compat.as_bytes(export_dir_base), b"%d" % int(time.time()))
        if not gfile.Exists(folder):
            return folder
        time.sleep(1)
        logging.warning(
            "Export directory %s already exists; retrying (attempt %s/%s)",
            folder, attempt, MAX_DIRECTORY_CREATION_ATTEMPTS,
        )  # fmt: skip
    raise RuntimeError(
        "Failed to obtain a unique export directory name after "
        f"{MAX_DIRECTORY_CREATION_ATTEMPTS} attempts."
    )


@_EXPORTER
def get_temp_export_dir(timestamped_export_dir: Any) -> bytes:
    """The folder in which an export is written before it is given its name."""
    folder, name = os.path.split(timestamped_export_dir)
    return os.path.join(compat.as_bytes(folder), b"temp-" + compat.as_bytes(name))


def _export_version_parser(path: gc.Path) -> gc.Path | None:
    name = os.path.basename(path.path)
    is_time = len(name) == 10 and name.isdigit()
    return path._replace(export_version=int(name)) if is_time else None


@_EXPORTER
def get_most_recent_export(export_dir_base: Any) -> gc.Path | None:
    """The newest export in a folder (a `gc.Path`), or None."""
    paths = gc.get_paths(export_dir_base, parser=_export_version_parser)
    return next(iter(gc.largest_export_versions(1)(paths)), None)


@_EXPORTER
def garbage_collect_exports(export_dir_base: Any, exports_to_keep: Any) -> None:
    """Deletes all but the newest exports in a folder; none if the number to keep is None."""
    if exports_to_keep is None:
        return
    paths = gc.get_paths(export_dir_base, parser=_export_version_parser)
    for path in gc.negation(gc.largest_export_versions(exports_to_keep))(paths):
        try:
            gfile.DeleteRecursively(path.path)
        except errors.NotFoundError as error:
            logging.warning("Can not delete %s recursively: %s", path.path, error)


@tf_export("contrib.learn.make_export_strategy")
@_EXPORTER
def make_export_strategy(
    serving_input_fn: Any, default_output_alternative_key: Any = None, assets_extra: Any = None,
    as_text: bool = False, exports_to_keep: Any = 5, strip_default_attrs: Any = None,
) -> Any:  # fmt: skip
    """The way "Servo" to export: as SavedModels.

    Args:
      serving_input_fn: the input function.
      default_output_alternative_key: which of several outputs is served.
      assets_extra, as_text: see `Estimator.export_savedmodel`.
      exports_to_keep: how many exports stay; None for all.
      strip_default_attrs: whether attrs at their defaults are left out.

    Returns:
      An `ExportStrategy`.
    """

    def export_fn(
        estimator: Any, export_dir_base: Any, checkpoint_path: str | None = None,
        strip_default_attrs: Any = False,
    ) -> Any:  # fmt: skip
        given = {}
        if not isinstance(estimator, core_estimator.Estimator):
            given["default_output_alternative_key"] = default_output_alternative_key
        elif default_output_alternative_key is not None:
            raise ValueError(
                "default_output_alternative_key is not supported in core Estimator. Given: "
                f"{default_output_alternative_key}"
            )
        result = estimator.export_savedmodel(
            export_dir_base, serving_input_fn, assets_extra=assets_extra, as_text=as_text,
            checkpoint_path=checkpoint_path, strip_default_attrs=strip_default_attrs, **given,
        )  # fmt: skip
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return result

    return export_strategy.ExportStrategy("Servo", export_fn, strip_default_attrs)


@deprecated(None, "Use tf.estimator.export.build_parsing_serving_input_receiver_fn")
def make_parsing_export_strategy(
    feature_columns: Any, default_output_alternative_key: Any = None, assets_extra: Any = None,
    as_text: bool = False, exports_to_keep: Any = 5, target_core: bool = False,
    strip_default_attrs: Any = None,
) -> Any:  # fmt: skip
    """`make_export_strategy`, of Examples with the features of some columns.

    Args:
      feature_columns: the columns.
      target_core: whether the estimator is a `tf.estimator` one.
      The others: see `make_export_strategy`.
    """
    spec = feature_column.create_feature_spec_for_parsing(feature_columns)
    if target_core:
        input_fn: Any = core_export.build_parsing_serving_input_receiver_fn(spec)
    else:
        input_fn = input_fn_utils.build_parsing_serving_input_fn(spec)
    return make_export_strategy(
        input_fn, default_output_alternative_key=default_output_alternative_key,
        assets_extra=assets_extra, as_text=as_text, exports_to_keep=exports_to_keep,
        strip_default_attrs=strip_default_attrs,
    )  # fmt: skip


def _default_compare_fn(curr_best_eval_result: Any, cand_eval_result: Any) -> bool:
    both = {"curr_best_eval_result": curr_best_eval_result, "cand_eval_result": cand_eval_result}
    for name, result in both.items():
        if not result or MetricKey.LOSS not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return curr_best_eval_result[MetricKey.LOSS] > cand_eval_result[MetricKey.LOSS]


class BestModelSelector:
    """Keeps the best evaluation.

    Args:
      event_file_pattern: event files with earlier evaluations.
      compare_fn: a function of the best result and another one that says whether the latter is
        better; that with less loss by default.
    """

    @_EXPORTER
    def __init__(self, event_file_pattern: Any = None, compare_fn: Any = None):
        self._compare_fn = compare_fn or _default_compare_fn
        self._best_eval_result = self._get_best_eval_result(event_file_pattern)

    def update(self, checkpoint_path: Any, eval_result: Any) -> tuple[Any, Any]:
        """Shows it another evaluation.

        Returns:
          The arguments if it is the best, else "" and None.

        Raises:
          ValueError: one of them is missing.
        """
        if not checkpoint_path:
            raise ValueError("Checkpoint path is empty.")
        if eval_result is None:
            raise ValueError("%s has empty evaluation results.", checkpoint_path)
        best = self._best_eval_result
        if best is not None and not self._compare_fn(best, eval_result):
            return "", None
        self._best_eval_result = eval_result
        return checkpoint_path, eval_result

    def _get_best_eval_result(self, event_files: Any) -> Any:
        best = None
        for path in gfile.Glob(event_files) if event_files else ():
            for event in summary_io.summary_iterator(path):
                if event.HasField("summary"):
                    values = [v for v in event.summary.value if v.HasField("simple_value")]
                    result = {value.tag: value.simple_value for value in values}
                    if best is None or self._compare_fn(best, result):
                        best = result
        return best


@_EXPORTER
def make_best_model_export_strategy(
    serving_input_fn: Any, exports_to_keep: Any = 1, model_dir: Any = None,
    event_file_pattern: Any = None, compare_fn: Any = None,
    default_output_alternative_key: Any = None, strip_default_attrs: Any = None,
) -> Any:  # fmt: skip
    """The way "best_model" to export: as "Servo", but only what evaluates better than all before.

    Args:
      model_dir: the folder of the event files.
      event_file_pattern, compare_fn: see `BestModelSelector`.
      The others: see `make_export_strategy`.
    """
    servo = make_export_strategy(
        serving_input_fn, exports_to_keep=exports_to_keep,
        default_output_alternative_key=default_output_alternative_key,
        strip_default_attrs=strip_default_attrs,
    )  # fmt: skip
    has_events = model_dir and event_file_pattern
    events = os.path.join(model_dir, event_file_pattern) if has_events else None
    selector = BestModelSelector(events, compare_fn)

    def export_fn(
        estimator: Any, export_dir_base: Any, checkpoint_path: Any, eval_result: Any = None
    ) -> Any:
        path = checkpoint_path or checkpoint_management.latest_checkpoint(estimator.model_dir)
        best, result = selector.update(path, eval_result)
        if not best or result is None:
            return ""
        folder = os.path.join(export_dir_base, compat.as_bytes(os.path.basename(best)))
        return servo.export(estimator, folder, best, result)

    return export_strategy.ExportStrategy("best_model", export_fn)


@_EXPORTER
def extend_export_strategy(
    base_export_strategy: Any, post_export_fn: Callable[[Any, Any], Any],
    post_export_name: Any = None,
) -> Any:  # fmt: skip
    """A way to export that goes on with what another one exported.

    Args:
      base_export_strategy: the other one.
      post_export_fn: a function of the folder of its export and of another folder, in which it
        writes; it gives the folder there that is kept.
      post_export_name: the name; the other one's by default.

    Returns:
      An `ExportStrategy`.
    """

    def new_folder(export_dir_base: Any, what: str) -> Any:
        folder = os.path.join(
            compat.as_bytes(export_dir_base),
            compat.as_bytes(f"temp-{what}-export-{int(time.time())}"),
        )
        if gfile.Exists(folder):
            kind = "base" if what == "base" else "temp"
            raise RuntimeError(f"Failed to obtain {kind} export directory")
        gfile.MakeDirs(folder)
        return folder

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: str | None = None) -> Any:
        base = new_folder(export_dir_base, "base")
        exported = base_export_strategy.export(estimator, base, checkpoint_path)
        post = new_folder(export_dir_base, "post")
        result = compat.as_bytes(post_export_fn(exported, post))
        if not result.startswith(post):
            raise ValueError(f"post_export_fn must return a sub-directory of {post}")
        target = os.path.join(compat.as_bytes(export_dir_base), os.path.relpath(result, post))
        if gfile.Exists(target):
            raise RuntimeError("Failed to obtain final export directory")
        gfile.Rename(result, target)
        gfile.DeleteRecursively(base)
        gfile.DeleteRecursively(post)
        return target

    return export_strategy.ExportStrategy(post_export_name or base_export_strategy.name, export_fn)
