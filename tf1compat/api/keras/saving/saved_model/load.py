"""`tensorflow.python.keras.saving.saved_model.load`: Keras models from SavedModels."""

from __future__ import annotations

import json
from typing import Any

from tf1compat.api.functions.function import common_shape
from tf1compat.api.keras import regularizers
from tf1compat.api.keras.engine import base_layer, input_spec, network, sequential, training
from tf1compat.api.keras.saving import saving_utils
from tf1compat.api.keras.saving.saved_model import layer_functions
from tf1compat.api.keras.saving.saved_model.attributes import KERAS_ATTR, PUBLIC
from tf1compat.api.keras.utils.generic_utils import deserialize_keras_object
from tf1compat.api.saved_model import load as load_lib
from tf1compat.api.training.tracking import base, tracking
from tf1compat.core import nest
from tf1compat.core.type_spec import TensorSpec

# The functions of a layer that another SavedModel holds, too.
CALL_FUNCTIONS = (
    "__call__",
    "activity_regularizer_fn",
    "call_and_return_all_conditional_losses",
    "call_and_return_conditional_losses",
)


def load(path: str, compile: bool = True) -> Any:
    """The model in a SavedModel: its layers call the functions that were saved.

    Args:
      path: the folder.
      compile: whether to compile it as it was when it was saved.
    """
    model: Any = load_lib.load_internal(path, loader_cls=KerasObjectLoader)
    config = getattr(model, "_training_config", None)
    if compile and isinstance(model, RevivedModel) and config is not None:
        arguments = saving_utils.compile_args_from_training_config(config)
        model.compile(**arguments)  # pyright: ignore
    return model


class RevivedLayer:
    """A layer of a SavedModel."""

    _serialized_attributes: dict[str, Any]

    @classmethod
    def _init_from_metadata(cls, metadata: dict[str, Any]) -> Any:
        given = {"name": metadata["name"], "trainable": metadata["trainable"]}
        for key in ("dtype", "batch_input_shape"):
            if metadata.get(key) is not None:
                given[key] = metadata[key]
        made: Any = cls(**given)
        with base.no_automatic_dependency_tracking_scope(made):
            if metadata.get("input_spec") is not None:
                made.input_spec = _deserialized(metadata["input_spec"])
            if metadata.get("_is_feature_layer") is not None:
                made._is_feature_layer = metadata["_is_feature_layer"]
            made._describe(metadata)
        return made

    def _describe(self, metadata: dict[str, Any]) -> None:
        """Takes what is known of a layer of any kind."""
        layer: Any = self
        layer._expects_training_arg = metadata["expects_training_arg"]
        if metadata.get("config") is not None:
            layer._set_private("_config", metadata["config"])
        if metadata.get("activity_regularizer") is not None:
            layer.activity_regularizer = regularizers.deserialize(metadata["activity_regularizer"])
        layer._set_private("_serialized_attributes", {})

    def _revive_setter(self, name: str, value: Any) -> None:
        """Gives the layer what it depends on."""
        layer: Any = self
        if name not in PUBLIC:
            setattr(layer, name, value)
            return
        # Only as long as a checkpoint is restored.
        if isinstance(value, base.Trackable):
            layer._track_trackable(value, name=name)
        self._serialized_attributes[name] = value

    @property
    def keras_api(self) -> Any:
        """What was saved for Keras."""
        return self._serialized_attributes.get(KERAS_ATTR)

    def get_config(self) -> Any:
        """The config that the layer had.

        Raises:
          NotImplementedError: it had none.
        """
        if "_config" not in self.__dict__:
            raise NotImplementedError
        return self.__dict__["_config"]


class RevivedNetwork(RevivedLayer):
    """A network of a SavedModel."""

    @classmethod
    def _init_from_metadata(cls, metadata: dict[str, Any]) -> Any:
        kind: Any = cls
        made = kind(name=metadata["name"])
        with base.no_automatic_dependency_tracking_scope(made):
            if metadata.get("dtype") is not None:
                made._dtype = metadata["dtype"]
            made.trainable = metadata["trainable"]
            made._describe(metadata)
        return made


class RevivedModel(RevivedNetwork):
    """A model of a SavedModel."""

    _training_config: Any = None

    @classmethod
    def _init_from_metadata(cls, metadata: dict[str, Any]) -> Any:
        made = super()._init_from_metadata(metadata)
        made._set_private("_training_config", metadata.get("training_config"))
        return made


class RevivedSequential(RevivedModel):
    """A sequential model of a SavedModel."""


# Identifier in files -> the classes of such an object.
_CLASSES: dict[str, tuple[Any, Any]] = {
    "_tf_keras_layer": (RevivedLayer, base_layer.Layer),
    "_tf_keras_network": (RevivedNetwork, network.Network),
    "_tf_keras_model": (RevivedModel, training.Model),
    "_tf_keras_sequential": (RevivedSequential, sequential.Sequential),
}


def _deserialized(config: Any) -> Any:
    """Input specs, nested in any way.

    Raises:
      ValueError: something else.
    """
    if isinstance(config, dict):
        if "class_name" in config:
            known = {"InputSpec": input_spec.InputSpec}
            return deserialize_keras_object(config, module_objects=known)
        return {key: _deserialized(value) for key, value in config.items()}
    if isinstance(config, list | tuple):
        return [_deserialized(value) for value in config]
    raise ValueError(f"Unable to decode config: {config}")


def infer_inputs_from_restored_call_function(fn: Any) -> Any:
    """The specs of a model's inputs: what all recorded functions take."""

    def common(a: Any, b: Any) -> TensorSpec:
        return TensorSpec(common_shape(a.shape, b.shape), a.dtype, a.name)

    first, *others = [f.structured_input_signature[0][0] for f in fn.concrete_functions]
    for other in others:
        first = nest.map_structure(common, first, other)
    return first


class KerasObjectLoader(load_lib.Loader):
    """Makes layers and models of what was saved as such."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        layers: list[Any] = [node for node in self._nodes if isinstance(node, RevivedLayer)]
        for layer in layers:
            self._set_call(layer)
        for layer in layers:
            if isinstance(layer, RevivedModel):
                self._set_inputs(layer)
            self._set_losses(layer)
            # It had them till the checkpoint was restored.
            for name in PUBLIC:
                tracking.delete_tracking(layer, name)

    def _set_call(self, layer: Any) -> None:
        """What was saved is what the layer computes."""
        name = "call_and_return_conditional_losses"
        if isinstance(layer, RevivedSequential) or not hasattr(layer.keras_api, name):
            return
        function = getattr(layer.keras_api, name)
        call = layer_functions.use_wrapped_call(layer, function, return_method=True)
        layer._set_private("call", call)
        layer._init_call_fn_args()

    def _set_inputs(self, model: Any) -> None:
        """Gives a model the inputs that it had."""
        function = model.keras_api.call_and_return_conditional_losses
        if function.input_signature is None:
            inputs = infer_inputs_from_restored_call_function(function)
        else:
            inputs = function.input_signature[0]
        if model._object_identifier == "_tf_keras_sequential":
            model._set_private("_layers", [])
            for layer in model.keras_api.layers:
                model.add(layer)
        if not model.inputs:
            model._set_inputs(inputs)

    def _set_losses(self, layer: Any) -> None:
        if hasattr(layer.keras_api, "layer_regularization_losses"):
            losses = layer.keras_api.layer_regularization_losses
        else:
            losses = layer._serialized_attributes.get("regularization_losses", [])
        for loss in losses:
            layer.add_loss(loss)
        if layer.activity_regularizer is None:
            layer.activity_regularizer = getattr(layer.keras_api, "activity_regularizer_fn", None)

    def _recreate_base_user_object(self, proto: Any) -> Any:
        if proto.identifier not in _CLASSES:
            return super()._recreate_base_user_object(proto)
        revived, kind = _CLASSES[proto.identifier]
        metadata = json.loads(proto.metadata)
        made = type(metadata["class_name"], (revived, kind), {"__setattr__": kind.__setattr__})
        return made._init_from_metadata(metadata), made._revive_setter
