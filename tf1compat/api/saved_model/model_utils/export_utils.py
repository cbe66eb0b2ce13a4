"""Signatures and folders of exported models
(`tensorflow.python.saved_model.model_utils.export_utils`)."""

from __future__ import annotations

import os
import time
from typing import Any

from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import signature_constants, tag_constants
from tf1compat.api.saved_model import signature_def_utils_impl as signature_def_utils
from tf1compat.api.saved_model.model_utils import export_output as export_output_lib
from tf1compat.api.saved_model.model_utils import mode_keys
from tf1compat.api.saved_model.model_utils.mode_keys import KerasModeKeys as ModeKeys
from tf1compat.api.util import compat

EXPORT_TAG_MAP = mode_keys.ModeKeyMap(
    **{
        ModeKeys.PREDICT: [tag_constants.SERVING],
        ModeKeys.TRAIN: [tag_constants.TRAINING],
        ModeKeys.TEST: [tag_constants.EVAL],
    }
)
SIGNATURE_KEY_MAP = mode_keys.ModeKeyMap(
    **{
        ModeKeys.PREDICT: signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY,
        ModeKeys.TRAIN: signature_constants.DEFAULT_TRAIN_SIGNATURE_DEF_KEY,
        ModeKeys.TEST: signature_constants.DEFAULT_EVAL_SIGNATURE_DEF_KEY,
    }
)
# Names of what is given without any.
SINGLE_FEATURE_DEFAULT_NAME = "feature"
SINGLE_RECEIVER_DEFAULT_NAME = "input"
SINGLE_LABEL_DEFAULT_NAME = "label"

MAX_DIRECTORY_CREATION_ATTEMPTS = 10


def build_all_signature_defs(
    receiver_tensors: Any, export_outputs: Any, receiver_tensors_alternatives: Any = None,
    serving_only: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """{name: a SignatureDef} for all pairs of inputs and outputs that make one.

    Args:
      receiver_tensors: a tensor, or {name: a tensor}: the inputs.
      export_outputs: {name: an `ExportOutput`}.
      receiver_tensors_alternatives: {name: other inputs}.
      serving_only: leave out what is only for training and evaluation.

    Raises:
      ValueError: `export_outputs` is no dict.
    """

    def named(tensors: Any) -> dict[str, Any]:
        is_dict = isinstance(tensors, dict)
        return tensors if is_dict else {SINGLE_RECEIVER_DEFAULT_NAME: tensors}

    if not isinstance(export_outputs, dict):
        raise ValueError(f"export_outputs must be a dict and not{type(export_outputs)}")
    included: dict[str, Any] = {}
    excluded: dict[str, str] = {}
    inputs = [("", named(receiver_tensors))]
    for name, tensors in (receiver_tensors_alternatives or {}).items():
        inputs.append((f"{name or 'None'}:", named(tensors)))
    for prefix, tensors in inputs:
        for key, output in export_outputs.items():
            signature_name = f"{prefix}{key or 'None'}"
            try:
                included[signature_name] = output.as_signature_def(tensors)
            except ValueError as error:
                excluded[signature_name] = str(error)
    _log_signature_report(included, excluded)
    if serving_only:
        is_valid = signature_def_utils.is_valid_signature
        included = {name: one for name, one in included.items() if is_valid(one)}
    return included


_FRIENDLY_METHOD_NAMES = {
    signature_constants.CLASSIFY_METHOD_NAME: "Classify",
    signature_constants.REGRESS_METHOD_NAME: "Regress",
    signature_constants.PREDICT_METHOD_NAME: "Predict",
    signature_constants.SUPERVISED_TRAIN_METHOD_NAME: "Train",
    signature_constants.SUPERVISED_EVAL_METHOD_NAME: "Eval",
}


def _log_signature_report(included: dict[str, Any], excluded: dict[str, str]) -> None:
    by_method: dict[str, list[str]] = {method: [] for method in _FRIENDLY_METHOD_NAMES}
    for name, signature in included.items():
        by_method.setdefault(signature.method_name, []).append(name)
    for method, names in by_method.items():
        method = _FRIENDLY_METHOD_NAMES.get(method, method)
        logging.info(f"Signatures INCLUDED in export for {method}: {names or 'None'}")
    if excluded:
        logging.info(
            "Signatures EXCLUDED from export because they cannot be be served via TensorFlow "
            "Serving APIs:"
        )
        for name, message in excluded.items():
            logging.info(f"'{name}' : {message}")
    if not included:
        logging.warn("Export includes no signatures!")
    elif signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in included:
        logging.warn("Export includes no default signature!")


def get_timestamped_export_dir(export_dir_base: str) -> bytes:
    """A folder named after the time, which is not there yet.

    Raises:
      RuntimeError: there was one, ten times.
    """
    for attempt in range(1, MAX_DIRECTORY_CREATION_ATTEMPTS + 1):
        folder = os.path.join(compat.as_bytes(export_dir_base), b"%d" % int(time.time()))
        if not gfile.Exists(folder):
            return folder
        time.sleep(1)
        logging.warn(
            f"Directory {folder} already exists; retrying (attempt {attempt}/"
            f"{MAX_DIRECTORY_CREATION_ATTEMPTS})"
        )
    raise RuntimeError(
        "Failed to obtain a unique export directory name after "
        f"{MAX_DIRECTORY_CREATION_ATTEMPTS} attempts."
    )


def get_temp_export_dir(timestamped_export_dir: bytes) -> bytes:
    """Where a model is written before it gets its name (which is that of the bytes, as in TF)."""
    folder, name = os.path.split(timestamped_export_dir)
    return os.path.join(compat.as_bytes(folder), compat.as_bytes(f"temp-{name}"))


def export_outputs_for_mode(
    mode: str, serving_export_outputs: Any = None, predictions: Any = None, loss: Any = None,
    metrics: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """{name: an `ExportOutput`} of a mode.

    Raises:
      ValueError: there is no such mode.
    """
    if mode not in SIGNATURE_KEY_MAP:
        raise ValueError(
            f"Export output type not found for mode: {mode}. Expected one of: "
            f"{SIGNATURE_KEY_MAP.keys()}.\nOne likely error is that V1 Estimator Modekeys were "
            "somehow passed to this function. Please ensure that you are using the new ModeKeys."
        )
    if mode_keys.is_predict(mode):
        return get_export_outputs(serving_export_outputs, predictions)
    is_train = mode_keys.is_train(mode)
    kind = export_output_lib.TrainOutput if is_train else export_output_lib.EvalOutput
    key = SIGNATURE_KEY_MAP[mode]
    return {key: kind(loss=loss, predictions=predictions, metrics=metrics)}


def get_export_outputs(export_outputs: Any, predictions: Any) -> dict[str, Any]:
    """The outputs of prediction; by default the predictions themselves.

    Raises:
      TypeError: they are no dict of `ExportOutput`s.
      ValueError: there are several, and none is the default.
    """
    default = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if export_outputs is None:
        export_outputs = {default: export_output_lib.PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    if not all(isinstance(v, export_output_lib.ExportOutput) for v in export_outputs.values()):
        raise TypeError(
            f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}"
        )
    return _maybe_add_default_serving_output(export_outputs)


def _maybe_add_default_serving_output(export_outputs: dict[str, Any]) -> dict[str, Any]:
    default = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if len(export_outputs) == 1:
        export_outputs.setdefault(default, next(iter(export_outputs.values())))
    elif export_outputs and default not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default.  "
            "Do this by naming one of them with "
            "signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs
