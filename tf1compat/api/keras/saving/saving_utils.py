"""What is saved besides weights (`tensorflow.python.keras.saving.saving_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend, losses, optimizers
from tf1compat.api.keras.engine.network import get_json_type
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest
from tf1compat.core.export import export_constant

# The version of Keras within TensorFlow 1.15.
KERAS_VERSION = "2.2.4-tf"
export_constant("keras.__version__", KERAS_VERSION)


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
    training_config: dict[str, Any], custom_objects: Any = None
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


__all__ = ["compile_args_from_training_config", "get_json_type", "model_metadata"]
