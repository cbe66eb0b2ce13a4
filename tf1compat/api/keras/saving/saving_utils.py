"""What is saved besides weights (`tensorflow.python.keras.saving.saving_utils`)."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from tf1compat.api.functions import function
from tf1compat.api.keras import backend, losses, optimizers
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import RestoredOptimizer
from tf1compat.api.keras.utils.io_utils import ask_to_proceed_with_overwrite
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.serialization import get_json_type
from tf1compat.core import nest
from tf1compat.core.export import export_constant
from tf1compat.core.type_spec import TensorSpec

# The version of Keras within TensorFlow 1.15.
KERAS_VERSION = "2.2.4-tf"
export_constant("keras.__version__", KERAS_VERSION)


def is_model(obj: Any) -> bool:
    """Whether a layer is a model."""
    from tf1compat.api.keras.engine import training  # which needs this module

    return isinstance(obj, training.Model)


def extract_model_metrics(model: Any) -> dict[str, Any] | None:
    """{name: metric} of the metrics that a model was compiled with; None if there are none."""
    if not getattr(model, "_compile_metrics", None):
        return None
    return {metric.name: metric for metric in model._compile_metric_functions}


def model_input_signature(model: Any) -> list[Any] | None:
    """The specs of a model's inputs, of any batch size: a list of one structure; None if the model
    has no inputs yet."""
    inputs = getattr(model, "inputs", None)
    names = getattr(model, "input_names", None)
    if not inputs or names is None:
        return None
    specs = [
        TensorSpec([None, *tensor.shape[1:].as_list()], tensor.dtype, name)
        for tensor, name in zip(nest.flatten(inputs), nest.flatten(names))
    ]
    packed = nest.pack_sequence_as(inputs, specs)
    return packed if isinstance(packed, list) and len(packed) == 1 else [packed]


def raise_model_input_error(model: Any) -> NoReturn:
    """Refuses to save a model without inputs."""
    raise ValueError(
        f"Model {model} cannot be saved because the input shapes have not been set. Usually, input "
        "shapes are automatically determined from calling .fit() or .predict(). To manually set "
        "the shapes, call model._set_inputs(inputs)."
    )


def trace_model_call(model: Any, input_signature: Any = None) -> Any:
    """A function of a model's inputs that gives its outputs by name.

    Args:
      model: the model.
      input_signature: the specs of its inputs; by default those that it has.

    Raises:
      ValueError: it has none.
    """
    signature = input_signature
    if signature is None and isinstance(model.call, function.TracedFunction):
        signature = model.call.input_signature
    if signature is None:
        signature = model_input_signature(model)
    if signature is None:
        raise_model_input_error(model)
    is_single = len(signature) == 1

    @function.function(input_signature=signature, autograph=False)
    def _wrapped_model(*args: Any) -> Any:
        inputs = args[0] if is_single else list(args)
        outputs = nest.flatten(model(inputs=inputs, training=False))
        names = getattr(model, "output_names", None)
        return dict(zip(names or training_utils.generic_output_names(outputs), outputs))

    return _wrapped_model


def model_metadata(
    model: Any, include_optimizer: bool = True, require_config: bool = True
) -> dict[str, Any]:
    """What describes a model: its class, its config, and how it was compiled.

    Args:
      model: the model.
      include_optimizer: whether to describe how it was compiled.
      require_config: whether it must have a config.

    Raises:
      NotImplementedError: it has no config.
    """
    model_config: dict[str, Any] = {"class_name": type(model).__name__}
    try:
        model_config["config"] = model.get_config()
    except NotImplementedError:
        if require_config:
            raise
    metadata: dict[str, Any] = {
        "keras_version": KERAS_VERSION,
        "backend": backend.backend(),
        "model_config": model_config,
    }
    optimizer = model.optimizer
    if not optimizer or not include_optimizer:
        return metadata
    if isinstance(optimizer, optimizers.TFOptimizer):
        logging.warning(
            "TensorFlow optimizers do not make it possible to access optimizer attributes or "
            "optimizer state after instantiation. As a result, we cannot save the optimizer as "
            "part of the model save file. You will have to compile your model again after loading "
            "it. Prefer using a Keras optimizer instead (see keras.io/optimizers)."
        )
        return metadata
    if isinstance(optimizer, RestoredOptimizer):
        raise NotImplementedError(
            "As of now, Optimizers loaded from SavedModel cannot be saved. If you're calling "
            "`model.save` or `tf.keras.models.save_model`, please set the `include_optimizer` "
            "option to `False`. For `tf.saved_model.save`, delete the optimizer from the model."
        )
    metadata["training_config"] = {
        "loss": model.loss,
        "metrics": model._compile_metrics,
        "weighted_metrics": model._compile_weighted_metrics,
        "sample_weight_mode": model.sample_weight_mode,
        "loss_weights": model.loss_weights,
        "optimizer_config": {
            "class_name": type(optimizer).__name__,
            "config": optimizer.get_config(),
        },
    }
    return metadata


def compile_args_from_training_config(
    training_config: dict[str, Any], custom_objects: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Arguments of `compile`, out of what `model_metadata` describes.

    Args:
      training_config: the description.
      custom_objects: classes and functions by name.
    """
    custom_objects = custom_objects or {}

    def named(config: Any) -> Any:
        def one(obj: Any) -> Any:
            return custom_objects.get(obj, obj) if isinstance(obj, str) else obj

        return nest.map_structure(one, config)

    loss = training_config["loss"]
    if isinstance(loss, dict) and "class_name" in loss:
        loss = losses.get(loss)
    return {
        "optimizer": optimizers.deserialize(
            training_config["optimizer_config"], custom_objects=custom_objects
        ),
        "loss": named(loss),
        "metrics": named(training_config["metrics"]),
        "weighted_metrics": named(training_config.get("weighted_metrics")),
        "loss_weights": training_config["loss_weights"],
        "sample_weight_mode": training_config["sample_weight_mode"],
    }


__all__ = [
    "compile_args_from_training_config",
    "extract_model_metrics",
    "get_json_type",
    "is_model",
    "model_input_signature",
    "model_metadata",
    "raise_model_input_error",
    "trace_model_call",
]


def should_overwrite(filepath: str, overwrite: bool) -> bool:
    """Whether a file is to be written: also one that is there, if the user says so.

    Args:
      filepath: the file.
      overwrite: whether the user need not be asked.
    """
    if not overwrite and os.path.isfile(filepath):
        return ask_to_proceed_with_overwrite(filepath)
    return True
