"""What a layer computes, as functions that a SavedModel holds: all of a layer are recorded for the
same arguments."""

from __future__ import annotations

import contextlib
import inspect
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.functions import function as def_function
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import input_spec
from tf1compat.api.keras.engine.call_context import call_context
from tf1compat.api.keras.saving import saving_utils
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.training.tracking import base, layer_utils
from tf1compat.core import nest

_TRAINING = "training"


def layers_of(layer: Any) -> list[Any]:
    """The layers in a layer."""
    if saving_utils.is_model(layer):
        return layer.layers
    return layer_utils.filter_empty_layer_containers(layer._layers)


@contextlib.contextmanager
def without_losses(parent: Any) -> Iterator[None]:
    """While a `with` block runs, a layer and those in it have no losses of calls."""
    layers = [*layers_of(parent), parent]
    before = [(layer, layer._losses, layer._eager_losses) for layer in layers]
    for layer in layers:
        layer._set_private("_losses", [])
        layer._set_private("_eager_losses", [])
    try:
        yield
    finally:
        for layer, losses, eager_losses in before:
            layer._set_private("_losses", losses)
            layer._set_private("_eager_losses", eager_losses)


def _uses_training(layer: Any) -> bool:
    return layer._expects_training_arg or any(map(_uses_training, layers_of(layer)))


def _parameters(call: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(call).parameters.values())


def _with_training(parameters: list[inspect.Parameter], default: Any) -> list[inspect.Parameter]:
    """Parameters of which `training` is one, with a default."""
    names = [parameter.name for parameter in parameters]
    if _TRAINING in names:
        i = names.index(_TRAINING)
        if parameters[i].default is None:
            parameters[i] = parameters[i].replace(default=default)
        return parameters
    only = inspect.Parameter(_TRAINING, inspect.Parameter.KEYWORD_ONLY, default=default)
    place = len(names) - any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    return [*parameters[:place], only, *parameters[place:]]


def _index_of_training(parameters: list[inspect.Parameter]) -> int:
    """The place of `training` among positional arguments; -1 if it can only be named."""
    for i, parameter in enumerate(parameters):
        if parameter.name == _TRAINING and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            return i
    return -1


def _training_of(index: int, args: Any, kwargs: Any) -> Any:
    return args[index] if 0 <= index < len(args) else kwargs.get(_TRAINING)


def _replaced(value: Any, index: int, args: Any, kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
    """Arguments with another value of `training`."""
    args, kwargs = list(args), dict(kwargs)
    if 0 <= index < len(args):
        args[index] = value
    else:
        kwargs[_TRAINING] = value
    return args, kwargs


def _signed(
    function: Callable[..., Any], call: Callable[..., Any], parameters: list[inspect.Parameter]
) -> Callable[..., Any]:
    """A function with parameters, which are those of a method if `call` is one."""
    made: Any = function
    made.__signature__ = inspect.Signature(parameters)
    if inspect.ismethod(call):
        made._self_name = next(iter(inspect.signature(call.__func__).parameters))
    return made


def deciding_training(
    layer: Any, original: Callable[..., Any], function: Callable[..., Any], default: Any
) -> tuple[Callable[..., Any], list[inspect.Parameter]]:
    """A function that is called with a known `training`, or in a conditional, and its parameters.

    Args:
      layer: the layer.
      original: what has the parameters.
      function: the function.
      default: the value of `training` if a call gives none; None for the learning phase.
    """
    parameters = _parameters(original)
    if not layer._expects_training_arg:
        return function, parameters
    index = _index_of_training(parameters)

    def decided(*args: Any, **kwargs: Any) -> Any:
        training = _training_of(index, args, kwargs)
        if training is None:
            training = default or backend.learning_phase()

        def call(value: bool) -> Any:
            args_, kwargs_ = _replaced(value, index, args, kwargs)
            return function(*args_, **kwargs_)

        return tf_utils.smart_cond(training, lambda: call(True), lambda: call(False))

    return decided, _with_training(parameters, default)


def use_wrapped_call(
    layer: Any, call_fn: Any, default_training_value: Any = None, return_method: bool = False
) -> Callable[..., Any]:
    """What becomes the `call` of a layer: a function that returns outputs and losses, of which the
    losses are added to the layer.

    Args:
      layer: the layer.
      call_fn: the function.
      default_training_value: see `deciding_training`.
      return_method: whether a method is wanted.
    """
    original = getattr(call_fn, "python_function", call_fn)
    original = getattr(call_fn, "original_call", original)
    function, parameters = deciding_training(layer, original, call_fn, default_training_value)

    def call(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        outputs, losses = function(inputs, *args, **kwargs)
        layer.add_loss(losses, inputs)
        return outputs

    if not return_method:
        return _signed(call, original, parameters)

    def method(self: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return call(inputs, *args, **kwargs)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    made: Any = method
    made.__signature__ = inspect.Signature([own, *parameters])
    return types.MethodType(made, layer)


class LayerCallCollection:
    """The functions of a layer's call: recorded together, with and without training.

    Args:
      layer: the layer.

    Attributes:
      tracing: whether they are being recorded.
    """

    def __init__(self, layer: Any):
        self.layer = layer
        self.tracing = False
        self._uses_training = _uses_training(layer)
        self._parameters = _parameters(layer.call)
        self._adds_training = self._uses_training and not layer._expects_training_arg
        if self._adds_training:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            self._parameters.append(inspect.Parameter(_TRAINING, kind, default=False))
        self._index = _index_of_training(self._parameters)
        self._has_keywords = self._uses_training or any(
            p.default is not p.empty or p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD)
            for p in self._parameters
        )
        self._input_signature = _input_signature(layer)
        # They are kept by who saves them.
        self._functions: weakref.WeakValueDictionary[str, LayerCall] = weakref.WeakValueDictionary()

    @property
    def _is_known(self) -> bool:
        return None not in nest.flatten(self._input_signature)

    @property
    def fn_input_signature(self) -> Any:
        """The input signature of the functions; None if they have none."""
        return self._input_signature if self._is_known and not self._has_keywords else None

    def add_trace(self, *args: Any, **kwargs: Any) -> None:
        """Records all functions for arguments."""
        self.tracing = True
        for function in list(self._functions.values()):
            if not self._uses_training:
                function.get_concrete_function(*args, **kwargs)
                continue
            for training in (True, False):
                args_, kwargs_ = _replaced(training, self._index, args, kwargs)
                with backend.learning_phase_scope(training):
                    function.get_concrete_function(*args_, **kwargs_)
        self.tracing = False

    def add_function(self, call_fn: Callable[..., Any], name: str) -> LayerCall:
        """Adds a function.

        Args:
          call_fn: a function of the arguments of the layer's `call`.
          name: its name.
        """
        made = LayerCall(self, self._in_call_context(call_fn), name, self.fn_input_signature)
        self._functions[name] = made
        if self._is_known and self._has_keywords:
            self.add_trace(*self._input_signature)
        return made

    def _in_call_context(self, call_fn: Callable[..., Any]) -> Callable[..., Any]:
        """A function that Keras takes for a call of the layer."""
        parameters = self._parameters if self._adds_training else _parameters(call_fn)

        def call(*args: Any, **kwargs: Any) -> Any:
            training = _training_of(self._index, args, kwargs)
            inputs = args[0] if training is not None and args else None
            if self._adds_training:
                args, kwargs = args[: self._index], dict(kwargs)
                kwargs.pop(_TRAINING, None)
            with without_losses(self.layer), call_context.enter(self.layer, inputs, training):
                return call_fn(*args, **kwargs)

        return _signed(call, self.layer.call, parameters)


def _input_signature(layer: Any) -> Any:
    """The specs of what a layer's `call` takes; None in place of those that aren't known."""
    call = layer.call
    if isinstance(call, def_function.TracedFunction) and call.input_signature is not None:
        return call.input_signature
    if saving_utils.is_model(layer):
        return saving_utils.model_input_signature(layer)
    if layer.input_spec is None:
        return None

    def known(spec: Any) -> Any:
        found = input_spec.to_tensor_spec(spec, layer.dtype)
        return None if found.shape.ndims is None else found

    return [nest.map_structure(known, layer.input_spec)]


class LayerCall(def_function.TracedFunction):
    """A function of a layer: it is recorded together with the layer's other functions.

    Args:
      call_collection: all of them.
      python_function, name, input_signature: see `tf.function`.

    Attributes:
      original_call: the layer's `call`.
    """

    def __init__(
        self,
        call_collection: LayerCallCollection,
        python_function: Callable[..., Any],
        name: str,
        input_signature: Any,
    ):
        self.call_collection = call_collection
        self.original_call = call_collection.layer.call
        super().__init__(python_function, name, input_signature, autograph=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.call_collection.tracing:
            self.call_collection.add_trace(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.function`."""
        if not self.call_collection.tracing:
            self.call_collection.add_trace(*args, **kwargs)
        return super().get_concrete_function(*args, **kwargs)


def functions_of(layer: Any) -> dict[str, Any]:
    """The functions of a layer by the names that they have in a SavedModel; None for one that the
    layer doesn't need.

    The layers in it call their own functions while these are recorded.
    """
    layer_call = layer.call

    def both(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return layer_call(inputs, *args, **kwargs), layer.get_losses_for(inputs)

    def outputs_only(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return with_losses(inputs, *args, **kwargs)[0]

    def all_losses(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        outputs, losses = with_losses(inputs, *args, **kwargs)
        losses.append(regularizer(outputs))
        return outputs, losses

    def signed(function: Callable[..., Any]) -> Callable[..., Any]:
        decided, parameters = deciding_training(layer, layer.call, function, False)

        def call(*args: Any, **kwargs: Any) -> Any:
            return decided(*args, **kwargs)

        return _signed(call, layer.call, parameters)

    name = f"{layer.name}_layer_call"
    with without_losses(layer):
        calls = LayerCallCollection(layer)
        with_losses = calls.add_function(signed(both), f"{name}_and_return_conditional_losses")
        found: dict[str, Any] = {
            "call_and_return_conditional_losses": with_losses,
            "__call__": calls.add_function(signed(outputs_only), f"{name}_fn"),
            "activity_regularizer_fn": None,
            "call_and_return_all_conditional_losses": with_losses,
        }
        if layer.activity_regularizer is not None:
            regularizer = _regularizer_function(layer)
            found["activity_regularizer_fn"] = regularizer
            found["call_and_return_all_conditional_losses"] = calls.add_function(
                signed(all_losses), f"{name}_and_return_all_conditional_losses"
            )
        with call_context.enter(layer, None, None):
            for function in found.values():
                if function is not None and function.input_signature is not None:
                    function.get_concrete_function()
    return found


def _regularizer_function(layer: Any) -> Any:
    regularizer = layer.activity_regularizer
    if isinstance(regularizer, def_function.TracedFunction):
        return regularizer
    spec = input_spec.TensorSpec(None, layer.dtype or backend.floatx())
    name = f"{layer.name}_activity_regularizer"
    return def_function.TracedFunction(regularizer, name, [spec], autograph=False)


@contextlib.contextmanager
def calling_functions(layer: Any, functions: Callable[[Any], dict[str, Any]]) -> Iterator[None]:
    """While a `with` block runs, the layers in a layer call functions.

    Args:
      layer: the layer.
      functions: (layer) -> its functions; none if they are not recorded.
    """
    before = []
    for child in layers_of(layer):
        own = functions(child)
        if not own:
            continue
        before.append((child, child.__dict__.get("call"), child.activity_regularizer))
        _set_regularizer(child, own.get("activity_regularizer_fn"))
        call = use_wrapped_call(
            child, own["call_and_return_conditional_losses"], default_training_value=False
        )
        child._set_private("call", call)
    try:
        yield
    finally:
        for child, call, regularizer in before:
            if call is None:
                del child.__dict__["call"]
            else:
                child._set_private("call", call)
            _set_regularizer(child, regularizer)


def _set_regularizer(layer: Any, regularizer: Any) -> None:
    # Some layers have one that can't be set.
    tracking_off = base.no_automatic_dependency_tracking_scope(layer)
    with tracking_off, contextlib.suppress(AttributeError):
        layer.activity_regularizer = regularizer
