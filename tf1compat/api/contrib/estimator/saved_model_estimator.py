"""An estimator of a SavedModel's graphs
(`tensorflow_estimator.python.estimator.canned.saved_model_estimator`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.estimator import estimator, model_fn, warm_start
from tf1compat.api.estimator.export import export
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import constants, loader_impl, signature_constants, utils_impl
from tf1compat.api.saved_model.model_utils import export_output
from tf1compat.api.saved_model.model_utils.export_utils import EXPORT_TAG_MAP
from tf1compat.api.training import checkpoint_utils, monitored_session, training_util
from tf1compat.api.util.compat import as_text
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape

_OUTPUT = export_output._SupervisedOutput


@tf_export("contrib.estimator.SavedModelEstimator")
class SavedModelEstimator(estimator.EstimatorV2):
    """An estimator whose model function and first values are a SavedModel's.

    As in TF 1.15. The SavedModel is of `Estimator.experimental_export_all_saved_models` or
    `export_saved_model`; what is not in it can't be done.

    Args:
      saved_model_dir: the SavedModel's folder.
      model_dir: the folder of checkpoints of the training that goes on.

    Raises:
      ValueError: there is no checkpoint in the SavedModel.
      NotImplementedError: a subclass wants a strategy.
    """

    def __init__(self, saved_model_dir: Any, model_dir: Any = None):
        checkpoint = _checkpoint_of(saved_model_dir)
        names = [name for name, _ in checkpoint_utils.list_variables(checkpoint)]
        super().__init__(
            model_fn=self._model_fn_from_saved_model,
            model_dir=model_dir,
            warm_start_from=warm_start.WarmStartSettings(checkpoint, vars_to_warm_start=names),
        )
        if self._train_distribution or self._eval_distribution:
            raise NotImplementedError(
                "SavedModelEstimator currently does not support DistributionStrategy."
            )
        self.saved_model_dir = saved_model_dir
        self.saved_model_loader = loader_impl.SavedModelLoader(saved_model_dir)
        self._available_modes = self._extract_available_modes()

    def _extract_available_modes(self) -> list[str]:
        logging.info("Checking available modes for SavedModelEstimator.")
        found = []
        for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
            try:
                self._get_meta_graph_def_for_mode(mode)
            except RuntimeError:
                logging.warning(f"{mode} mode not found in SavedModel.")
                continue
            if self._get_signature_def_for_mode(mode) is not None:
                found.append(mode)
        logging.info(f"Available modes for Estimator: {found}")
        return found

    def _get_meta_graph_def_for_mode(self, mode: Any) -> Any:
        return self.saved_model_loader.get_meta_graph_def_from_tags(EXPORT_TAG_MAP[mode])

    def _get_signature_def_for_mode(self, mode: Any) -> Any:
        signatures = self._get_meta_graph_def_for_mode(mode).signature_def
        key = mode
        if mode == ModeKeys.PREDICT:
            key = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if key in signatures:
            return signatures[key]
        logging.warning(
            f'Metagraph for mode {mode} was found, but SignatureDef with key "{key}" is missing.'
        )
        return None

    def _create_and_assert_global_step(self, graph: Any) -> None:
        """None: the step is the SavedModel's, which is recorded by the model function."""

    def _model_fn_from_saved_model(self, features: Any, labels: Any, mode: Any) -> Any:
        if mode not in self._available_modes:
            raise RuntimeError(
                f"{mode} mode is not available in the SavedModel. Use saved_model_cli to check "
                "that the Metagraph for this mode has been exported."
            )
        graph = ops.get_default_graph()
        if training_util.get_global_step(graph) is not None:
            raise RuntimeError(
                "Graph must not contain a global step tensor before the SavedModel is loaded. "
                "Please make sure that the input function does not create a global step."
            )
        signature = self._get_signature_def_for_mode(mode)
        names = {key: info.name for key, info in signature.outputs.items()}
        _, tensors = self.saved_model_loader.load_graph(
            graph,
            EXPORT_TAG_MAP[mode],
            input_map=_input_map(signature, features, labels),
            return_elements=list(names.values()),
        )
        outputs = dict(zip(names, tensors, strict=True))
        scaffold = monitored_session.Scaffold(
            local_init_op=loader_impl._from_collection(
                self._get_meta_graph_def_for_mode(mode), constants.MAIN_OP_KEY
            )
        )
        training_util.assert_global_step(training_util.get_global_step(graph))
        found = _estimated(mode, outputs, signature.method_name)
        train_ops = ops.get_collection(constants.TRAIN_OP_KEY)
        if len(train_ops) > 1:
            raise RuntimeError("Multiple ops found in the train_op collection.")
        for key in (
            constants.ASSETS_KEY, constants.LEGACY_INIT_OP_KEY, constants.MAIN_OP_KEY,
            constants.TRAIN_OP_KEY,
        ):  # fmt: skip
            # An export of this model fills them anew.
            ops.get_collection_ref(key).clear()
        return model_fn.EstimatorSpec(
            mode=mode, scaffold=scaffold, train_op=train_ops[0] if train_ops else None, **found
        )


def _checkpoint_of(saved_model_dir: Any) -> str:
    folder = as_text(utils_impl.get_variables_dir(saved_model_dir))
    if not file_io.file_exists(os.path.join(folder, "variables.index")):
        raise ValueError(f"Directory provided has an invalid SavedModel format: {saved_model_dir}")
    return utils_impl.get_variables_path(saved_model_dir)


def _input_map(signature: Any, features: Any, labels: Any) -> dict[str, Any]:
    """{name of an input of the SavedModel, and as a control input: what is given for it}."""
    given = export.wrap_and_check_input_tensors(features, "feature")
    if labels is not None:
        given = export.wrap_and_check_input_tensors(labels, "label") | given
    found = {}
    for key, info in signature.inputs.items():
        if key not in given:
            raise ValueError(
                f'Key "{key}" not found in features or labels passed in to the model function. '
                f"All required keys: {signature.inputs.keys()}"
            )
        _check_like(given[key], info, key)
        name = info.name.partition(":")[0]
        found[name] = found["^" + name] = given[key]
    return found


def _check_like(tensor: Any, info: Any, key: str) -> None:
    dtype, shape = dtypes.DType(info.dtype), TensorShape(info.tensor_shape)
    texts = []
    if tensor.dtype != dtype:
        texts.append(f"\n\tExpected dtype: {dtype}, Got: {tensor.dtype}")
    if not tensor.shape.is_compatible_with(shape):
        texts.append(f"\n\tExpected shape: {shape}, Got: {tensor.shape}")
    if texts:
        raise ValueError(
            f"Tensor shape and/or dtype validation failed for input {key}:" + "".join(texts)
        )


def _metrics(outputs: dict[str, Any]) -> dict[str, Any]:
    """{name: (value, update)} of the metrics that have both among the outputs."""
    found = {}
    for key, value in outputs.items():
        name, _, part = key.rpartition(_OUTPUT._SEPARATOR_CHAR)
        update = _OUTPUT._SEPARATOR_CHAR.join([name, _OUTPUT.METRIC_UPDATE_SUFFIX])
        if (
            _kind(key) == _OUTPUT.METRICS_NAME
            and part == _OUTPUT.METRIC_VALUE_SUFFIX
            and update in outputs
        ):
            found[name] = (value, outputs[update])
    return found


def _kind(key: str) -> str:
    return key.partition(_OUTPUT._SEPARATOR_CHAR)[0]


def _estimated(mode: Any, outputs: dict[str, Any], method_name: str) -> dict[str, Any]:
    """Arguments of the EstimatorSpec that a signature's outputs are."""
    if mode == ModeKeys.PREDICT:
        return {"predictions": outputs}
    expected = signature_constants.SUPERVISED_TRAIN_METHOD_NAME
    if mode == ModeKeys.EVAL:
        expected = signature_constants.SUPERVISED_EVAL_METHOD_NAME
    if method_name != expected:
        raise RuntimeError(
            f"Invalid SignatureDef method name for mode {mode}.\n\tExpected: {expected}\n\t"
            f"Got: {method_name}\nPlease ensure that the SavedModel was exported with "
            "`tf.estimator.experimental_export_all_saved_models()`."
        )
    return {
        "loss": outputs[_OUTPUT.LOSS_NAME],
        "predictions": {
            key: value for key, value in outputs.items() if _kind(key) == _OUTPUT.PREDICTIONS_NAME
        },
        "eval_metric_ops": _metrics(outputs),
    }
