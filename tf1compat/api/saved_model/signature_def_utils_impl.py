"""`SignatureDef` protos: what a SavedModel computes from what."""

from __future__ import annotations

from typing import Any

from tf1compat.api.saved_model import signature_constants as names
from tf1compat.api.saved_model import utils_impl as utils
from tf1compat.core import errors, ops, protos
from tf1compat.core.export import tf_export

_FLOAT, _STRING = 1, 7  # Of DataType.


def _export(name: str) -> Any:
    return tf_export(f"saved_model.{name}", f"saved_model.signature_def_utils.{name}")


@_export("build_signature_def")
def build_signature_def(inputs: Any = None, outputs: Any = None, method_name: Any = None) -> Any:
    """A `SignatureDef` proto.

    Args:
      inputs, outputs: {name: a `TensorInfo`}.
      method_name: the name of the method.
    """
    made = protos.SignatureDef()
    for infos, field in ((inputs, made.inputs), (outputs, made.outputs)):
        for key in infos or ():
            field[key].CopyFrom(infos[key])
    if method_name is not None:
        made.method_name = method_name
    return made


def _checked(tensor: Any, dtype: int, text: str) -> Any:
    info = utils.build_tensor_info(tensor)
    if info.dtype != dtype:
        raise ValueError(text)
    return info


def _examples(kind: str, examples: Any) -> Any:
    """The `TensorInfo` of serialized examples."""
    if examples is None:
        raise ValueError(f"{kind} examples cannot be None.")
    text = f"{kind} examples must be a string Tensor."
    if not isinstance(examples, ops.Tensor):
        raise ValueError(text)
    return _checked(examples, _STRING, text)


@_export("regression_signature_def")
def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a regression: a string tensor of examples, a float tensor of predictions.

    Raises:
      ValueError: one is missing or of another type.
    """
    if examples is not None and isinstance(examples, ops.Tensor) and predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    inputs = {names.REGRESS_INPUTS: _examples("Regression", examples)}
    found = _checked(predictions, _FLOAT, "Regression output must be a float Tensor.")
    outputs = {names.REGRESS_OUTPUTS: found}
    return build_signature_def(inputs, outputs, names.REGRESS_METHOD_NAME)


@_export("classification_signature_def")
def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a classification: examples (string), classes (string), scores (float).

    Raises:
      ValueError: there are neither classes nor scores, or a tensor is of another type.
    """
    if examples is not None and isinstance(examples, ops.Tensor):
        if classes is None and scores is None:
            raise ValueError("Classification classes and scores cannot both be None.")
    inputs = {names.CLASSIFY_INPUTS: _examples("Classification", examples)}
    outputs = {}
    if classes is not None:
        text = "Classification classes must be a string Tensor."
        outputs[names.CLASSIFY_OUTPUT_CLASSES] = _checked(classes, _STRING, text)
    if scores is not None:
        text = "Classification scores must be a float Tensor."
        outputs[names.CLASSIFY_OUTPUT_SCORES] = _checked(scores, _FLOAT, text)
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def _infos(tensors: dict[str, Any]) -> dict[str, Any]:
    return {key: utils.build_tensor_info(tensor) for key, tensor in tensors.items()}


@_export("predict_signature_def")
def predict_signature_def(inputs: Any, outputs: Any) -> Any:
    """The signature of a prediction.

    Args:
      inputs, outputs: {name: tensor}.

    Raises:
      ValueError: one is empty.
    """
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    return build_signature_def(_infos(inputs), _infos(outputs), names.PREDICT_METHOD_NAME)


def supervised_train_signature_def(
    inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None
) -> Any:
    """The signature of training."""
    method = names.SUPERVISED_TRAIN_METHOD_NAME
    return _supervised(method, inputs, loss, predictions, metrics)


def supervised_eval_signature_def(
    inputs: Any, loss: Any, predictions: Any = None, metrics: Any = None
) -> Any:
    """The signature of evaluation."""
    method = names.SUPERVISED_EVAL_METHOD_NAME
    return _supervised(method, inputs, loss, predictions, metrics)


def _supervised(method: str, inputs: Any, *given: Any) -> Any:
    if not inputs:
        raise ValueError(f"{method} inputs cannot be None or empty.")
    outputs: dict[str, Any] = {}
    for tensors in given:
        outputs.update(_infos(tensors or {}))
    return build_signature_def(_infos(inputs), outputs, method)


@_export("is_valid_signature")
def is_valid_signature(signature_def: Any) -> bool:
    """Whether a signature is one of a prediction, a regression or a classification."""
    if signature_def is None:
        return False
    inputs, outputs = signature_def.inputs, signature_def.outputs
    method = signature_def.method_name
    if method == names.PREDICT_METHOD_NAME:
        return bool(len(inputs) and len(outputs))
    if method == names.REGRESS_METHOD_NAME:
        wanted = {names.REGRESS_OUTPUTS: _FLOAT}
        if set(outputs) != set(wanted):
            return False
    elif method == names.CLASSIFY_METHOD_NAME:
        wanted = {names.CLASSIFY_OUTPUT_CLASSES: _STRING, names.CLASSIFY_OUTPUT_SCORES: _FLOAT}
    else:
        return False
    return (
        set(inputs) == {"inputs"}
        and inputs["inputs"].dtype == _STRING
        and bool(len(outputs))
        and all(key in wanted and outputs[key].dtype == wanted[key] for key in outputs)
    )


def op_signature_def(op: Any, key: str) -> Any:
    """A signature that names an operation."""
    return build_signature_def(outputs={key: utils.build_tensor_info_from_op(op)})


def load_op_from_signature_def(
    signature_def: Any, key: str, import_scope: str | None = None
) -> Any:
    """The operation that a signature names.

    Raises:
      NotFoundError: it is not in the graph.
    """
    try:
        return utils.get_element_from_tensor_info(
            signature_def.outputs[key], import_scope=import_scope
        )
    except KeyError:
        raise errors.NotFoundError(
            None,
            None,
            f"The {key} could not be found in the graph. Please make sure the SavedModel was "
            "created by the internal _SavedModelBuilder. If you are using the public API, please "
            f'make sure the SignatureDef in the SavedModel does not contain the key "{key}".',
        ) from None
