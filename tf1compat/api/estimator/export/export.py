"""How exported models are fed (`tensorflow_estimator.python.estimator.export.export`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import util
from tf1compat.api.io import parsing_ops
from tf1compat.api.saved_model.model_utils import export_utils
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name

_SINGLE_TENSOR_DEFAULT_NAMES = {
    "feature": export_utils.SINGLE_FEATURE_DEFAULT_NAME,
    "label": export_utils.SINGLE_LABEL_DEFAULT_NAME,
    "receiver_tensor": export_utils.SINGLE_RECEIVER_DEFAULT_NAME,
    "receiver_tensors_alternative": export_utils.SINGLE_RECEIVER_DEFAULT_NAME,
}

build_all_signature_defs = export_utils.build_all_signature_defs
get_temp_export_dir = export_utils.get_temp_export_dir
get_timestamped_export_dir = export_utils.get_timestamped_export_dir


def wrap_and_check_input_tensors(
    tensors: Any, field_name: str, allow_int_keys: bool = False
) -> dict[Any, Any]:
    """Tensors by name; a single one has a default name.

    Raises:
      ValueError: they are none, or a name is no string.
    """
    if tensors is None:
        raise ValueError(f"{field_name}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_SINGLE_TENSOR_DEFAULT_NAMES[field_name]: tensors}
    for name, tensor in tensors.items():
        _check_tensor_key(name, error_label=field_name, allow_ints=allow_int_keys)
        _check_tensor(tensor, name, error_label=field_name)
    return tensors


def _check_tensor(tensor: Any, name: Name, error_label: str = "feature") -> None:
    if isinstance(tensor, Tensor | SparseTensor):
        return
    text = f"{error_label}{f' {name}' if name else ''} must be a Tensor or SparseTensor."
    if not hasattr(tensor, "tensor"):  # Something that stands for a tensor has one.
        raise ValueError(text)
    try:
        ops.convert_to_tensor(tensor)
    except TypeError:
        raise ValueError(text) from None


def _check_tensor_key(name: Name, error_label: str = "feature", allow_ints: bool = False) -> None:
    if isinstance(name, str):
        return
    if not allow_ints:
        raise ValueError(f"{error_label} keys must be strings: {name}.")
    if not isinstance(name, int):
        raise ValueError(f"{error_label} keys must be strings or ints: {name}.")


_RECEIVER = ["features", "receiver_tensors", "receiver_tensors_alternatives"]


@tf_export("estimator.export.ServingInputReceiver")
class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _RECEIVER)):
    """The features of a model, and what is fed to get them.

    Args:
      features: a tensor, or {name: a tensor}.
      receiver_tensors: the same of what is fed.
      receiver_tensors_alternatives: {name: what may be fed instead}.

    Raises:
      ValueError: an argument is something else.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ):
        features = wrap_and_check_input_tensors(features, "feature", allow_int_keys=True)
        receiver_tensors = wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError(
                    "receiver_tensors_alternatives must be a dict: "
                    f"{receiver_tensors_alternatives}."
                )
            for name, tensors in receiver_tensors_alternatives.items():
                receiver_tensors_alternatives[name] = wrap_and_check_input_tensors(
                    tensors, "receiver_tensors_alternative"
                )
        return super().__new__(
            cls, features=features, receiver_tensors=receiver_tensors,
            receiver_tensors_alternatives=receiver_tensors_alternatives,
        )  # fmt: skip


@tf_export("estimator.export.TensorServingInputReceiver")
class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", _RECEIVER)):
    """The same for a model whose features are one tensor.

    Args: see `ServingInputReceiver`.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ):
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None)
        receiver = ServingInputReceiver(
            features=features, receiver_tensors=receiver_tensors,
            receiver_tensors_alternatives=receiver_tensors_alternatives,
        )  # fmt: skip
        return super().__new__(
            cls, features=receiver.features[export_utils.SINGLE_FEATURE_DEFAULT_NAME],
            receiver_tensors=receiver.receiver_tensors,
            receiver_tensors_alternatives=receiver.receiver_tensors_alternatives,
        )  # fmt: skip


class UnsupervisedInputReceiver(ServingInputReceiver):
    """The features of a model that is trained without labels."""

    def __new__(cls, features: Any, receiver_tensors: Any):
        return super().__new__(cls, features=features, receiver_tensors=receiver_tensors)


class SupervisedInputReceiver(
    collections.namedtuple("SupervisedInputReceiver", ["features", "labels", "receiver_tensors"])
):
    """The features and labels of a model, and what is fed to get them."""

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any):
        wrap_and_check_input_tensors(features, "feature", allow_int_keys=True)
        wrap_and_check_input_tensors(labels, "label", allow_int_keys=True)
        receiver_tensors = wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor")
        return super().__new__(
            cls, features=features, labels=labels, receiver_tensors=receiver_tensors
        )


@tf_export("estimator.export.build_parsing_serving_input_receiver_fn")
def build_parsing_serving_input_receiver_fn(
    feature_spec: Any, default_batch_size: Any = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes features of fed `tf.train.Example`s.

    Args:
      feature_spec: {key: how to parse that feature}.
      default_batch_size: how many are fed; any number by default.

    Returns:
      A function without arguments that gives a `ServingInputReceiver`.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        serialized = array_ops.placeholder(
            dtype=dtypes.string, shape=[default_batch_size], name="input_example_tensor"
        )
        features = parsing_ops.parse_example(serialized, feature_spec)
        return ServingInputReceiver(features, {"examples": serialized})

    return serving_input_receiver_fn


def _placeholder_from_tensor(t: Any, default_batch_size: Any = None) -> Tensor:
    shape = TensorShape([default_batch_size]).concatenate(t.get_shape()[1:])
    op = getattr(t, "op", None)
    return array_ops.placeholder(dtype=t.dtype, shape=shape, name=op and op.name)


def _placeholders(tensors: Any, default_batch_size: Any) -> dict[str, Tensor]:
    return {name: _placeholder_from_tensor(t, default_batch_size) for name, t in tensors.items()}


@tf_export("estimator.export.build_raw_serving_input_receiver_fn")
def build_raw_serving_input_receiver_fn(
    features: Any, default_batch_size: Any = None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes placeholders for features.

    Args:
      features: {name: a tensor like the feature}.
      default_batch_size: how many examples are fed; any number by default.

    Returns:
      A function without arguments that gives a `ServingInputReceiver`.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        tensors = _placeholders(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


@tf_export("estimator.experimental.build_raw_supervised_input_receiver_fn")
def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: Any = None
) -> Callable[[], SupervisedInputReceiver]:
    """A function that makes placeholders for features and labels.

    Args:
      features, labels: a tensor like the one that is fed, or {name: such a tensor}.
      default_batch_size: how many examples are fed; any number by default.

    Returns:
      A function without arguments that gives a `SupervisedInputReceiver`.

    Raises:
      ValueError: a feature and a label have one name.
    """

    def keys(given: Any, default: str) -> set[str]:
        return set(given) if isinstance(given, dict) else {default}

    input_name = export_utils.SINGLE_RECEIVER_DEFAULT_NAME
    label_name = export_utils.SINGLE_LABEL_DEFAULT_NAME
    overlap = keys(features, input_name) & keys(labels, label_name)
    if overlap:
        raise ValueError(
            f"Features and labels must have distinct keys. Found overlapping keys: {overlap}"
        )

    def placeholders(given: Any, default: str) -> tuple[Any, dict[str, Any]]:
        if isinstance(given, dict):
            made = _placeholders(given, default_batch_size)
            return made, made
        tensor = _placeholder_from_tensor(given, default_batch_size)
        return tensor, {default: tensor}

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        feature_tensors, feature_receivers = placeholders(features, input_name)
        label_tensors, label_receivers = placeholders(labels, label_name)
        return SupervisedInputReceiver(
            feature_tensors, label_tensors, feature_receivers | label_receivers
        )

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any
) -> Callable[[], SupervisedInputReceiver]:
    """The same for what an input function gives."""
    with ops.Graph().as_default():
        features, labels, _ = util.parse_input_fn_result(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)
