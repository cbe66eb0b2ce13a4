"""Estimators of Keras models (`tensorflow_estimator.python.estimator.keras`)."""

from __future__ import annotations

import os
import re
from typing import Any

from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.api.estimator import estimator as estimator_lib
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.keras import backend, models
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.saving import saving_utils
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_seed
from tf1compat.api.saved_model import signature_constants
from tf1compat.api.saved_model.model_utils import export_output
from tf1compat.api.training import (
    checkpoint_management,
    training_util,
)
from tf1compat.api.training import (
    saver as saver_lib,
)
from tf1compat.api.training import (
    scaffold as scaffold_lib,
)
from tf1compat.api.training.tracking import graph_view
from tf1compat.api.training.tracking import util as trackable_util
from tf1compat.core import ops, sparse_tensor, tensor_util
from tf1compat.core.export import find

__all__ = ["model_to_estimator"]

_UNKEPT_WEIGHTS = (
    "You are creating an Estimator from a Keras model manually subclassed from `Model`, that was "
    "already called on some inputs (and thus already had weights). We are currently unable to "
    "preserve the model's state (its weights) as part of the estimator in this case. Be warned "
    "that the estimator has been created using a freshly initialized version of your model.\n"
    "Note that this doesn't affect the state of the model instance you passed as `keras_model` "
    "argument."
)


def model_to_estimator(
    keras_model: Any = None, keras_model_path: Any = None, custom_objects: dict[str,
    Any] | None = None,
    model_dir: str | None = None, config: Any = None, checkpoint_format: Any = None,
    use_v2_estimator: bool = False,
) -> Any:  # fmt: skip
    """An Estimator that trains copies of a compiled Keras model, from its weights on.

    Features are what the model takes, or `{"features": …, "sample_weights": …}`.

    Args:
      keras_model: the model.
      keras_model_path: instead of it, an HDF5 file of one.
      custom_objects: classes and functions by name.
      model_dir, config: see `tf.estimator.Estimator`.
      checkpoint_format: "saver" for checkpoints of names, "checkpoint" (the default) for those of
        objects, which subclassed models don't have.
      use_v2_estimator: whether to give TF 2's kind of Estimator.

    Raises:
      ValueError: there is no model, or two; it isn't compiled, or has no such checkpoints.
    """
    if not (keras_model or keras_model_path):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    config = estimator_lib.maybe_overwrite_model_dir_and_session_config(config, model_dir)
    if keras_model:
        logging.info("Using the Keras model provided.")
    else:
        _refuse_cloud_storage(keras_model_path)
        logging.info("Loading models from %s", keras_model_path)
        keras_model = models.load_model(keras_model_path)
    by_object = _saves_objects(keras_model, checkpoint_format)
    if not getattr(keras_model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with "
            "`model.compile()` before calling `model_to_estimator()`."
        )
    model_fn = _create_keras_model_fn(keras_model, custom_objects, by_object)
    if not _any_weight_initialized(keras_model):
        backend.set_session(find("Session")(config=config.session_config))
    elif config.session_config.HasField("gpu_options"):
        logging.warning(
            "The Keras backend session has already been set. The _session_config passed to "
            "model_to_estimator will not be used."
        )
    first = None
    if keras_model._is_graph_network:
        first = _save_first_checkpoint(keras_model, custom_objects, config, by_object)
    elif keras_model.built:
        logging.warning(_UNKEPT_WEIGHTS)
    cls = estimator_lib.EstimatorV2 if use_v2_estimator else estimator_lib.Estimator
    return cls(model_fn, config=config, warm_start_from=first)


def _refuse_cloud_storage(path: str) -> None:
    if path.startswith("gs://") or "storage.googleapis.com" in path:
        raise NotImplementedError(
            f"tf1compat does not read models from Google's cloud storage: {path}. Download the "
            "file, and give its path."
        )


def _saves_objects(model: Any, checkpoint_format: Any) -> bool:
    if checkpoint_format == "saver":
        return False
    if checkpoint_format not in (None, "checkpoint"):
        raise ValueError(
            f'Checkpoint format must be one of "checkpoint" or "saver". Got {checkpoint_format}'
        )
    if not (model._is_graph_network or isinstance(model, models.Sequential)):
        raise ValueError(
            "Object-based checkpoints are currently not supported with subclassed models."
        )
    return True


def _any_weight_initialized(keras_model: Any) -> bool:
    """Whether a model has weights that are worth keeping."""
    if keras_model is None:
        return False
    return ops.executing_eagerly_outside_functions() or any(
        hasattr(weight, "_keras_initialized")
        for layer in keras_model.layers
        for weight in layer.weights
    )


def _create_keras_model_fn(
    keras_model: Any, custom_objects: dict[str, Any] | None = None, save_object_ckpt: bool = False
) -> Any:
    """The model function of the Estimator of a model."""
    # It is asked here, as its variables are of this graph.
    optimizer_config = _optimizer_config(keras_model.optimizer)

    def model_fn(features: Any, labels: Any, mode: Any) -> Any:
        """A copy of the model on top of an Estimator's input."""
        model = _clone_and_build_model(
            mode, keras_model, custom_objects, features, labels, optimizer_config
        )
        names = model.output_names
        if distribution_strategy_context.has_strategy():
            # The copies of all devices have the same names.
            names = [re.sub(r"_\d$", "", name) for name in names]
        predictions = dict(zip(names, model.outputs, strict=False))
        loss = train_op = metrics = None
        if mode != ModeKeys.PREDICT:
            if mode == ModeKeys.TRAIN:
                model._make_train_function()
                train_op = model.train_function.updates_op
            else:
                model._make_test_function()
            loss = model.total_loss
            metrics = saving_utils.extract_model_metrics(model)
        if (
            not model._is_graph_network
            and getattr(keras_model, "_original_attributes_cache", None) is not None
        ):
            models.in_place_subclassed_model_state_restoration(keras_model)
        return model_fn_lib.EstimatorSpec(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics,
            export_outputs={
                signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: export_output.PredictOutput(
                    predictions
                )
            },
            scaffold=_object_scaffold(model) if save_object_ckpt else None,
        )  # fmt: skip

    return model_fn


def _optimizer_config(optimizer: Any) -> Any:
    """What `get_config` says of an optimizer, or of each of a list; None if it says nothing."""
    try:
        if isinstance(optimizer, list | tuple):
            return [one.get_config() for one in optimizer]
        return optimizer.get_config()
    except (NotImplementedError, AttributeError):
        return None


def _object_scaffold(model: Any) -> Any:
    """A scaffold whose saver writes checkpoints of the model's objects."""
    model._track_trackable(training_util.get_global_step(), "estimator_global_step")
    saveables = graph_view.ObjectGraphView(model).frozen_saveable_objects()
    saver = saver_lib.Saver(var_list=saveables, sharded=True)
    saver._object_restore_saver = trackable_util.frozen_saver(model)
    return scaffold_lib.Scaffold(saver=saver)


def _clone_and_build_model(
    mode: Any, keras_model: Any, custom_objects: Any, features: Any = None, labels: Any = None,
    optimizer_config: Any = None,
) -> Any:  # fmt: skip
    """A copy of a model, on top of features and labels if there are some, compiled if the mode asks
    for that; the global step counts its optimizer's steps."""
    backend.set_learning_phase(mode == ModeKeys.TRAIN)
    inputs, targets, weights = _convert_estimator_io_to_keras(keras_model, features, labels)
    step = None
    if mode != ModeKeys.PREDICT:
        step = training_util.get_or_create_global_step()
        backend.track_variable(step)
    clone = models.clone_and_build_model(
        keras_model, inputs, targets, custom_objects, compile_clone=mode != ModeKeys.PREDICT,
        in_place_reset=not keras_model._is_graph_network, optimizer_iterations=step,
        optimizer_config=optimizer_config,
    )  # fmt: skip
    if weights is not None:
        clone._compile_weights_loss_and_weighted_metrics(
            training_utils.standardize_sample_weights(weights, clone.output_names)
        )
    return clone


def _convert_estimator_io_to_keras(
    keras_model: Any, features: Any, labels: Any
) -> tuple[Any, Any, Any]:
    """What an Estimator's input is for a model: (inputs, targets, weights of samples), each a list
    of tensors, or None."""
    weights = None
    if isinstance(features, dict) and set(features) == {"features", "sample_weights"}:
        features, weights = features["features"], features["sample_weights"]

    def names(kind: str, given: Any) -> list[str]:
        if keras_model._is_graph_network:
            return getattr(keras_model, f"{kind}_names")
        return [f"{kind}_{i}" for i in range(1, len(given) + 1)]

    if isinstance(keras_model.inputs, dict):
        inputs: Any = {key: _convert_tensor(features[key]) for key in keras_model.inputs}
    else:
        inputs = _tensors_in_order(features, names, "features", "input")
    return inputs, _tensors_in_order(labels, names, "labels", "output"), weights


def _tensors_in_order(given: Any, names: Any, kind: str, order: str) -> Any:
    if given is None:
        return None
    if not isinstance(given, dict):
        values = given if isinstance(given, list | tuple) else [given]
        return [_convert_tensor(value) for value in values]
    expected = names(order, given)
    if different := set(given) ^ set(expected):
        raise KeyError(
            f"The dictionary passed into {kind} does not have the expected {order}s keys defined "
            f"in the keras model.\n\tExpected keys: {set(expected)}\n\t{kind} keys: {set(given)}"
            f"\n\tDifference: {different}"
        )
    return [_convert_tensor(given[name]) for name in expected]


def _convert_tensor(x: Any) -> Any:
    return x if tensor_util.is_tensor(x) else sparse_tensor.convert_to_tensor_or_sparse_tensor(x)


def _save_first_checkpoint(
    keras_model: Any, custom_objects: Any, config: Any, save_object_ckpt: bool
) -> Any:
    """Saves a model's weights for its Estimator to start from.

    Returns:
      The checkpoint, in a folder of its own; one that is there already is left as it is.
    """
    folder = os.path.join(config.model_dir, "keras")
    latest = checkpoint_management.latest_checkpoint(folder)
    if latest:
        return latest
    weights = keras_model.get_weights() if _any_weight_initialized(keras_model) else None
    if not gfile.IsDirectory(folder):
        gfile.MakeDirs(folder)
    path = os.path.join(folder, "keras_model.ckpt")
    with ops.Graph().as_default():
        random_seed.set_random_seed(config.tf_random_seed)
        training_util.create_global_step()
        model = _clone_and_build_model(ModeKeys.TRAIN, keras_model, custom_objects)
        model._make_train_function()  # The optimizer's variables are saved too.
        with find("Session")(config=config.session_config) as session:
            if weights:
                model.set_weights(weights)
            backend.initialize_variables(session)
            if not save_object_ckpt:
                return saver_lib.Saver().save(session, path)
            model._track_trackable(training_util.get_global_step(), "estimator_global_step")
            model.save_weights(path)
    return path
