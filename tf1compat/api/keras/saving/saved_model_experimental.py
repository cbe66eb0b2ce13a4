"""`tf.keras.experimental.export_saved_model`: a model's graphs for training, evaluation and
serving, in the form of SavedModels of sessions."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.keras import backend, models, optimizers
from tf1compat.api.keras import metrics as metrics_lib
from tf1compat.api.keras.engine import sequential
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.keras.saving import model_config, saving_utils
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import (
    builder_impl,
    constants,
    save,
    signature_def_utils_impl,
    utils_impl,
)
from tf1compat.api.saved_model.model_utils import export_utils
from tf1compat.api.saved_model.model_utils.mode_keys import KerasModeKeys as ModeKeys
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.training.tracking import graph_view
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variables
from tf1compat.core import export, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph

# The model's config, among the files of the folder.
_CONFIG_FILE = "saved_model.json"


@tf_export("keras.experimental.export_saved_model", "contrib.saved_model.save_keras_model")
@deprecated(
    None,
    'Please use `model.save(..., save_format="tf")` or '
    '`tf.keras.models.save_model(..., save_format="tf")`.',
)
def export_saved_model(
    model: Any, saved_model_path: Any, custom_objects: dict[str, Any] | None = None,
    as_text: bool = False,
    input_signature: Any = None, serving_only: bool = False,
) -> None:  # fmt: skip
    """Exports a Keras model: its weights, its config, and a graph for each mode.

    Args:
      model: the model; if it isn't compiled, it is exported for serving only.
      saved_model_path: an empty folder, or one that is not there.
      custom_objects: classes and functions by name.
      as_text: whether the graphs are written as text.
      input_signature: the `TensorSpec`s of the inputs; by default those that the model has.
      serving_only: whether only what serves is exported, as `tf.saved_model.save` does.

    Raises:
      AssertionError: the folder is not empty.
      NotImplementedError: the model is subclassed, and not for serving only.
      ValueError: nothing is known of the model's inputs.
    """
    if serving_only:
        signature = saving_utils.trace_model_call(model, input_signature)
        save.save(model, saved_model_path, signatures=signature)
    else:
        _check_exportable(model)
        exporter = _Exporter(model, saved_model_path, custom_objects, input_signature)
        exporter.export_all(as_text)
    try:
        config = model.to_json()
    except NotImplementedError:
        logging.warning(
            "Skipped saving model JSON, subclassed model does not have get_config() defined."
        )
        return
    folder = utils_impl.get_or_create_assets_dir(saved_model_path)
    file_io.atomic_write_string_to_file(os.path.join(folder, _CONFIG_FILE), config)


def _check_exportable(model: Any) -> None:
    if model._is_graph_network:
        return
    if not isinstance(model, sequential.Sequential):
        raise NotImplementedError(
            "Subclassed models can only be exported for serving. Please set argument "
            "serving_only=True."
        )
    if not model.built:
        raise ValueError(
            "Weights for sequential model have not yet been created. Weights are created when the "
            "Model is first called on inputs or `build()` is called with an `input_shape`, or the "
            "first layer in the model has `input_shape` during construction."
        )


class _Exporter:
    """Exports one model; the arguments are those of `export_saved_model`."""

    def __init__(self, model: Any, path: Any, custom_objects: Any, input_signature: Any):
        self._model = model
        self._custom_objects = custom_objects
        self._input_signature = input_signature
        self._builder = builder_impl.SavedModelBuilder(path)
        utils_impl.get_or_create_variables_dir(path)
        self._checkpoint = utils_impl.get_variables_path(path)
        self._has_saved_clone = False

    def export_all(self, as_text: bool) -> None:
        """Exports the weights, and the graphs of all modes that the model has."""
        self._model.save_weights(self._checkpoint, save_format="tf", overwrite=True)
        optimizer = self._model.optimizer
        if isinstance(optimizer, optimizers.TFOptimizer | optimizer_v2.OptimizerV2):
            self._export(ModeKeys.TRAIN)
            self._export(ModeKeys.TEST)
        elif optimizer:
            logging.warning(
                "Model was compiled with an optimizer, but the optimizer is not from `tf.train` "
                "(e.g. `tf.train.AdagradOptimizer`). Only the serving graph was exported. The "
                "train and evaluate graphs were not added to the SavedModel."
            )
        self._export(ModeKeys.PREDICT)
        self._builder.save(as_text)

    def _export(self, mode: str) -> None:
        """Records a copy of the model in a graph of its own, and adds that."""
        is_compiled = mode != ModeKeys.PREDICT
        session_class = export.required("Session")
        with Graph().as_default() as graph, backend.learning_phase_scope(mode == ModeKeys.TRAIN):
            clone = models.clone_and_build_model(
                self._model,
                input_tensors=self._placeholders(),
                custom_objects=self._custom_objects,
                compile_clone=is_compiled,
            )
            if is_compiled:
                graph.add_to_collection(ops.GraphKeys.GLOBAL_STEP, clone.optimizer.iterations)
            train_op = None
            if mode == ModeKeys.TRAIN:
                clone._make_train_function()
                train_op = clone.train_function.updates_op
            elif mode == ModeKeys.TEST:
                clone._make_test_function()
            else:
                clone._make_predict_function()
            graph.get_collection_ref(ops.GraphKeys.UPDATE_OPS).extend(clone.state_updates)
            with session_class().as_default():
                self._add(clone, mode, train_op)

    def _placeholders(self) -> Any:
        if self._input_signature is None:
            return None
        return nest.map_structure(
            lambda spec: backend.placeholder(shape=spec.shape, dtype=spec.dtype, name=spec.name),
            self._input_signature,
        )

    def _add(self, clone: Any, mode: str, train_op: Any) -> None:
        """Adds the default graph; the first one brings the variables of the optimizer along."""
        saveables, _, _ = graph_view.ObjectGraphView(clone).serialize_object_graph()
        status = clone.load_weights(self._checkpoint)
        if self._has_saved_clone:
            status.assert_existing_objects_matched()
        else:
            clone.save_weights(self._checkpoint, save_format="tf", overwrite=True)
            self._has_saved_clone = True
        signatures = _signatures_of(clone, mode)
        operations = {
            constants.INIT_OP_SIGNATURE_KEY: variables.local_variables_initializer(),
            constants.TRAIN_OP_SIGNATURE_KEY: train_op,
        }
        for key, operation in operations.items():
            if operation is not None:
                signatures[key] = signature_def_utils_impl.op_signature_def(operation, key)
        self._builder._add(
            saver_lib.Saver(saveables, allow_empty=True),
            export_utils.EXPORT_TAG_MAP[mode],
            signatures,
            clear_devices=False,
            strip_default_attrs=False,
        )


def _signatures_of(model: Any, mode: str) -> dict[str, Any]:
    """The signatures of a model; the variables of its metrics become local ones."""
    inputs = dict(zip(model.input_names, model.inputs))
    if model.optimizer:
        inputs.update((t.name.split(":")[0], t) for t in model._targets if t is not None)
    metrics = saving_utils.extract_model_metrics(model)
    if metrics is not None:
        local = ops.get_collection_ref(ops.GraphKeys.LOCAL_VARIABLES)
        for name, metric in metrics.items():
            if isinstance(metric, metrics_lib.Metric):
                known = {id(variable) for variable in local}
                local.extend(v for v in metric.variables if id(v) not in known)
                metrics[name] = (metric.result(), metric.updates[0])
    export_outputs = export_utils.export_outputs_for_mode(
        mode,
        predictions=dict(zip(model.output_names, model.outputs)),
        loss=model.total_loss if model.optimizer else None,
        metrics=metrics,
    )
    return export_utils.build_all_signature_defs(
        inputs, export_outputs=export_outputs, serving_only=mode == ModeKeys.PREDICT
    )


@tf_export("keras.experimental.load_from_saved_model", "contrib.saved_model.load_keras_model")
@deprecated(
    None,
    "The experimental save and load functions have been  deprecated. Please switch to "
    "`tf.keras.models.load_model`.",
)
def load_from_saved_model(
    saved_model_path: Any, custom_objects: dict[str, Any] | None = None
) -> Any:
    """A Keras model that `export_saved_model` exported, made anew of its config and weights.

    Args:
      saved_model_path: the folder.
      custom_objects: classes and functions by name, for those that Keras doesn't have.

    Returns:
      A `tf.keras.Model`, not compiled.
    """
    path = os.path.join(utils_impl.get_assets_dir(saved_model_path), _CONFIG_FILE)
    config = file_io.read_file_to_string(path)
    model = model_config.model_from_json(config, custom_objects=custom_objects)
    model.load_weights(utils_impl.get_variables_path(saved_model_path))
    return model
