"""`tensorflow.contrib.predictor.predictor_factories`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.predictor import core_estimator_predictor, saved_model_predictor
from tf1compat.core.export import tf_export


@tf_export("contrib.predictor.from_estimator")
def from_estimator(
    estimator: Any, serving_input_receiver_fn: Any, output_key: Any = None, graph: Any = None,
    config: Any = None,
) -> Any:  # fmt: skip
    """A trained estimator as a function.

    Args:
      estimator: a `tf.estimator.Estimator`.
      serving_input_receiver_fn: makes a `ServingInputReceiver`.
      output_key: which of the model's exports.
      graph: where it is recorded; a new graph by default.
      config: the session's ConfigProto.

    Returns:
      A function from {name: an array} to {name: an array}.

    Raises:
      KeyError: there is no such export.
    """
    return core_estimator_predictor.CoreEstimatorPredictor(
        estimator, serving_input_receiver_fn, output_key=output_key, graph=graph, config=config
    )


@tf_export("contrib.predictor.from_saved_model")
def from_saved_model(
    export_dir: Any, signature_def_key: Any = None, signature_def: Any = None,
    input_names: Any = None, output_names: Any = None, tags: Any = None, graph: Any = None,
    config: Any = None,
) -> Any:  # fmt: skip
    """A SavedModel as a function.

    Args:
      export_dir: the SavedModel's folder.
      signature_def_key: a signature's name, or
      signature_def: a SignatureDef, or
      input_names, output_names: {name: a tensor's name in the graph}.
      tags: of the graph, with commas; "serve" by default.
      graph: where it is loaded; a new graph by default.
      config: the session's ConfigProto.

    Returns:
      A function from {name: an array} to {name: an array}.

    Raises:
      ValueError: there is no such graph or signature, or an argument is wrong.
    """
    return saved_model_predictor.SavedModelPredictor(
        export_dir, signature_def_key=signature_def_key, signature_def=signature_def,
        input_names=input_names, output_names=output_names, tags=tags, graph=graph, config=config,
    )  # fmt: skip
