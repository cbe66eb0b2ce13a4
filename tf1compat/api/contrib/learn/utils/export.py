"""The exports of 2016, which `tf.contrib.session_bundle` reads
(`tensorflow.contrib.learn.python.learn.utils.export`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.session_bundle import exporter, gc
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management, training_util
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import find

_use_savedmodel = deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")
_use_alternatives = deprecated(
    "2017-03-25",
    "signature_fns are deprecated. For canned Estimators they are no longer needed. For custom "
    "Estimators, please return output_alternatives from your model_fn via ModelFnOps.",
)
_NO_SIGNATURE_FN = (
    "Change warning: `signature_fn` will be required after2016-08-01.\nUsing generic signatures "
    "for now.  To maintain this behavior, pass:\n  signature_fn=export.generic_signature_fn\nAlso "
    "consider passing a regression or classification signature; see cl/126430915 for an example."
)


@_use_savedmodel
def _get_first_op_from_collection(collection_name: str) -> Any:
    found = ops.get_collection(collection_name)
    return found[0] if found else None


@_use_savedmodel
def _get_saver() -> Any:
    """The first saver of the default graph, or a new one of all its variables."""
    saver = _get_first_op_from_collection(ops.GraphKeys.SAVERS)
    saver = saver[0] if saver else None
    if saver is None and variables.global_variables():
        saver = saver_lib.Saver()
        ops.add_to_collection(ops.GraphKeys.SAVERS, saver)
    return saver


def _check_examples(examples: Any) -> None:
    if examples is None:
        raise ValueError("examples cannot be None when using this signature fn.")


def _one(predictions: Any, key: str) -> Any:
    return predictions[key] if isinstance(predictions, dict) else predictions


@_use_alternatives
def generic_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Any:
    """A signature of the examples ("inputs") and all predictions ("outputs", or their names).

    Args:
      examples: a tensor.
      unused_features: unused.
      predictions: a tensor, or {name: a tensor}.

    Returns:
      The default signature, and no named ones.

    Raises:
      ValueError: there are no examples.
    """
    _check_examples(examples)
    outputs = predictions if isinstance(predictions, dict) else {"outputs": predictions}
    return exporter.generic_signature({"inputs": examples, **outputs}), {}


@_use_alternatives
def classification_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Any:
    """A signature of classes.

    Args:
      examples: a tensor.
      unused_features: unused.
      predictions: the classes, or a dict of "classes".

    Returns:
      The default signature, and no named ones.

    Raises:
      ValueError: there are no examples.
    """
    _check_examples(examples)
    classes = _one(predictions, "classes")
    return exporter.classification_signature(examples, classes_tensor=classes), {}


@_use_alternatives
def classification_signature_fn_with_prob(
    examples: Any, unused_features: Any, predictions: Any
) -> Any:
    """A signature of classes' probabilities.

    Args:
      examples: a tensor.
      unused_features: unused.
      predictions: the probabilities, or a dict of "probabilities".

    Returns:
      The default signature, and no named ones.

    Raises:
      ValueError: there are no examples.
    """
    _check_examples(examples)
    scores = _one(predictions, "probabilities")
    return exporter.classification_signature(examples, scores_tensor=scores), {}


@_use_alternatives
def regression_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Any:
    """A signature of a regression.

    Args:
      examples: a tensor.
      unused_features: unused.
      predictions: a tensor.

    Returns:
      The default signature, and no named ones.

    Raises:
      ValueError: there are no examples.
    """
    _check_examples(examples)
    found = exporter.regression_signature(input_tensor=examples, output_tensor=predictions)
    return found, {}


@_use_alternatives
def logistic_regression_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Any:
    """A signature of the probability of the second of two classes.

    Args:
      examples: a tensor.
      unused_features: unused.
      predictions: the probabilities, [batch, 2], or a dict of "probabilities".

    Returns:
      The default signature, and no named ones.

    Raises:
      ValueError: there are no examples.
    """
    _check_examples(examples)
    probabilities = _one(predictions, "probabilities")
    shape = probabilities.get_shape()
    if len(shape) != 2:
        logging.fatal(
            f"Expected predictions to have rank 2, but received predictions with rank: {len(shape)}"
            f" and shape: {shape}"
        )
    if shape[1] != 2:
        logging.fatal(
            "Expected predictions to have 2nd dimension: 2, but received predictions with 2nd "
            f"dimension: {shape[1]} and shape: {shape}. Did you mean to use "
            "regression_signature_fn or classification_signature_fn_with_prob instead?"
        )
    second = probabilities[:, 1]
    return exporter.regression_signature(input_tensor=examples, output_tensor=second), {}


@_use_savedmodel
def _default_input_fn(estimator: Any, examples: Any) -> Any:
    return estimator._get_feature_ops_from_example(examples)


@deprecated("2016-09-23", "Please use Estimator.export_savedmodel() instead.")
def export_estimator(
    estimator: Any, export_dir: Any, signature_fn: Any = None, input_fn: Any = _default_input_fn,
    default_batch_size: int = 1, exports_to_keep: int | None = None,
) -> None:  # fmt: skip
    """Exports a model.

    Args:
      estimator: the estimator.
      export_dir: the folder of the exports.
      signature_fn: a function of examples, features and predictions that gives signatures.
      input_fn: a function of the estimator and a tensor of `Example`s that gives features.
      default_batch_size: how many examples that tensor has.
      exports_to_keep: how many exports are kept; all by default.
    """
    _export_estimator(
        estimator=estimator, export_dir=export_dir, signature_fn=signature_fn, input_fn=input_fn,
        default_batch_size=default_batch_size, exports_to_keep=exports_to_keep,
    )  # fmt: skip


@_use_savedmodel
def _export_estimator(
    estimator: Any, export_dir: Any, signature_fn: Any, input_fn: Any, default_batch_size: int,
    exports_to_keep: int | None, input_feature_key: Any = None,
    use_deprecated_input_fn: bool = True, prediction_key: Any = None,
    checkpoint_path: str | None = None,
) -> Any:  # fmt: skip
    if use_deprecated_input_fn:
        input_fn = input_fn or _default_input_fn
    elif input_fn is None:
        raise ValueError("input_fn must be defined.")
    path = checkpoint_path or checkpoint_management.latest_checkpoint(estimator._model_dir)
    with ops.Graph().as_default() as graph:
        training_util.create_global_step(graph)
        examples = None
        if use_deprecated_input_fn:
            name = "input_example_tensor"
            examples = array_ops.placeholder(dtypes.string, [default_batch_size], name)
            features = input_fn(estimator, examples)
        else:
            features, _ = input_fn()
            if input_feature_key is not None:
                examples = features.pop(input_feature_key)
        if examples is None and not features:
            raise ValueError("Either features or examples must be defined.")
        predictions = estimator._get_predict_ops(features).predictions
        if prediction_key is not None:
            predictions = predictions[prediction_key]
        signatures = _signatures(estimator, signature_fn, examples, features, predictions)
        kept = None if exports_to_keep is None else gc.largest_export_versions(exports_to_keep)
        return _export_graph(graph, _get_saver(), path, export_dir, *signatures, kept)


def _signatures(
    estimator: Any, signature_fn: Callable[..., Any] | None, *tensors: Any
) -> tuple[Any, Any]:
    """The default signature and the named ones."""
    if signature_fn:
        return signature_fn(*tensors)
    try:
        return estimator._create_signature_fn()(*tensors)
    except AttributeError:
        logging.warn(_NO_SIGNATURE_FN)
        return generic_signature_fn(*tensors)


@_use_savedmodel
def _export_graph(
    graph: Any, saver: Any, checkpoint_path: Any, export_dir: Any, default_graph_signature: Any,
    named_graph_signatures: Any, exports_to_keep: Any,
) -> Any:  # fmt: skip
    with graph.as_default(), find("Session")("") as session:
        variables.local_variables_initializer()
        lookup_ops.tables_initializer()
        saver.restore(session, checkpoint_path)
        export = exporter.Exporter(saver)
        starts = [variables.local_variables_initializer(), lookup_ops.tables_initializer()]
        signatures = {
            "default_graph_signature": default_graph_signature,
            "named_graph_signatures": named_graph_signatures,
        }
        files = ops.get_collection(ops.GraphKeys.ASSET_FILEPATHS)
        start = control_flow_ops.group(*starts)
        export.init(init_op=start, assets_collection=files, **signatures)
        step = training_util.get_global_step()
        return export.export(export_dir, step, session, exports_to_keep=exports_to_keep)
