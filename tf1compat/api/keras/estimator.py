"""`tensorflow.python.keras.estimator`; loaded on first use, as estimators are."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator import keras as keras_lib
from tf1compat.core.export import tf_export


@tf_export("keras.estimator.model_to_estimator")
def model_to_estimator(
    keras_model: Any = None, keras_model_path: Any = None, custom_objects: dict[str,
    Any] | None = None,
    model_dir: str | None = None, config: Any = None, checkpoint_format: Any = "saver",
) -> Any:  # fmt: skip
    """An Estimator that trains copies of a compiled Keras model, from its weights on.

    Args:
      checkpoint_format: "saver" for checkpoints of names, "checkpoint" for those of objects.
      The others: see `tf1compat.api.estimator.keras.model_to_estimator`.

    Returns:
      A `tf.estimator.Estimator`.

    Raises:
      ValueError: there is no model, or two; it isn't compiled, or has no such checkpoints.
    """
    return keras_lib.model_to_estimator(
        keras_model, keras_model_path, custom_objects, model_dir, config, checkpoint_format
    )


@tf_export("compat.v2.keras.estimator.model_to_estimator")
def model_to_estimator_v2(
    keras_model: Any = None, keras_model_path: Any = None, custom_objects: dict[str,
    Any] | None = None,
    model_dir: str | None = None, config: Any = None, checkpoint_format: Any = "checkpoint",
) -> Any:  # fmt: skip
    """`model_to_estimator` as in TF 2: checkpoints are of objects by default.

    Args:
      keras_model, keras_model_path, custom_objects, model_dir, config, checkpoint_format: as in
        `tf.keras.estimator.model_to_estimator`.

    Returns:
      An `EstimatorV2`.
    """
    return keras_lib.model_to_estimator(
        keras_model, keras_model_path, custom_objects, model_dir, config, checkpoint_format,
        use_v2_estimator=True,
    )  # fmt: skip
