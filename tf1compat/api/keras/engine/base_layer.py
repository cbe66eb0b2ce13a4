"""The base of all layers (`tensorflow.python.keras.engine.base_layer`).

A layer makes its variables in `build`, once it knows the shape and dtype of its inputs, and
computes in `call`; calling the layer does both, and keeps losses and updates that its variables and
outputs bring about.
"""

from __future__ import annotations

import contextlib
import inspect
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.autograph.impl import api as autograph
from tf1compat.api.keras import backend, lookup
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.api.keras.engine.base_layer_utils import autocast_context_manager as autocast
from tf1compat.api.keras.engine.base_layer_utils import default
from tf1compat.api.keras.engine.call_context import call_context
from tf1compat.api.keras.engine.input_spec import InputSpec, assert_input_compatibility
from tf1compat.api.keras.engine.layer_nodes import LayerNodes
from tf1compat.api.keras.engine.layer_results import LayerResults
from tf1compat.api.keras.mixed_precision.experimental import autocast_variable, policy
from tf1compat.api.keras.utils import generic_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import serialize_keras_object, to_snake_case
from tf1compat.api.math import math_ops
from tf1compat.api.module.module import Module
from tf1compat.api.random import init_ops
from tf1compat.api.training.tracking import data_structures, layer_utils
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.api.util import serialization
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, dtypes, errors, export, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.scopes import executing_eagerly_outside_functions
from tf1compat.core.type_spec import TensorSpec

__all__ = ["InputSpec", "KerasHistory", "Layer", "is_trainable", "to_snake_case"]

_KEYWORDS = frozenset(
    "activity_regularizer autocast batch_input_shape batch_size input_shape weights".split()
)


class KerasHistory(NamedTuple):
    """Where a tensor comes from: a layer, which of its calls, which of its outputs."""

    layer: Any
    node_index: int
    tensor_index: int


@contextlib.contextmanager
def _python_control_flow_refused() -> Iterator[None]:
    """Has `call` fail where it takes a symbolic tensor for a value, with the advice of TF 1.15."""
    try:
        yield
    except errors.OperatorNotAllowedInGraphError as error:
        raise TypeError(
            "You are attempting to use Python control flow in a layer that was not declared to be "
            "dynamic. Pass `dynamic=True` to the class constructor.\n"
            f'Encountered error:\n"""\n{error}\n"""'
        ) from error


@tf_export("keras.layers.Layer")
class Layer(LayerNodes, LayerResults, Module):
    """Base class of layers.

    Args:
      trainable: whether the variables join the trainable ones.
      name: the layer's name; one made of the class's name by default.
      dtype: of the variables; that of the first input by default.
      dynamic: whether the layer can only run eagerly.
      **kwargs: `activity_regularizer`, a function of an output whose result joins the losses;
        `weights`, the variables' first values; `input_shape`, `batch_input_shape` and `batch_size`,
        which only models read; `autocast`, whether to cast float inputs to the layer's dtype.

    Raises:
      TypeError: any other keyword argument.
    """

    if TYPE_CHECKING:
        # Many attributes are set by name, past `__setattr__`.
        def __getattr__(self, name: str) -> Any: ...

    _input_spec: Any
    _trainable_weights: list[Any]
    _non_trainable_weights: list[Any]
    _is_graph_network = False
    _compute_output_and_mask_jointly = False
    _dtype_policy: policy.Policy

    def __init__(
        self, trainable: bool = True, name: Any = None, dtype: Any = None, dynamic: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        generic_utils.validate_kwargs(kwargs, _KEYWORDS)
        self._trainable = trainable
        self.stateful = False
        self.built = False
        self.input_spec = None
        self.supports_masking = False
        self._init_set_name(name)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._init_state(dtype, dynamic)
        self._autocast = kwargs.get("autocast", base_layer_utils.v2_dtype_behavior_enabled())
        self._init_call_fn_args()
        if "batch_input_shape" in kwargs:
            self._set_private("_batch_input_shape", tuple(kwargs["batch_input_shape"]))
        elif "input_shape" in kwargs:
            shape = (kwargs.get("batch_size"), *kwargs["input_shape"])
            self._set_private("_batch_input_shape", shape)
        self._set_private("_initial_weights", kwargs.get("weights"))

    def _init_state(self, dtype: Any, dynamic: bool) -> None:
        """What a layer keeps of its calls."""
        for field in ("_trainable_weights", "_non_trainable_weights", "_layers"):
            if field not in self.__dict__:
                self._set_private(field, [])
        for field in (
            "_updates", "_losses", "_eager_losses", "_callable_losses", "_metrics",
            "_inbound_nodes", "_outbound_nodes",
        ):  # fmt: skip
            self._set_private(field, [])
        self._set_dtype_policy(dtype)
        self._dynamic = dynamic

    def _set_dtype_policy(self, dtype: Any) -> None:
        self._set_private("_dtype_policy", policy.of_layer(dtype))

    @property
    def _dtype_defaulted_to_floatx(self) -> bool:
        return self._dtype_policy is policy.global_policy() and policy.policy_defaults_to_floatx()

    def _maybe_create_attribute(self, name: str, default_value: Any) -> None:
        if not hasattr(self, name):
            self._set_private(name, data_structures.wrap(default_value))

    def _set_private(self, name: str, value: Any) -> None:
        """Sets an attribute that has no part in what belongs to the layer."""
        object.__setattr__(self, name, value)

    # What subclasses define.

    @default
    def build(self, input_shape: Any) -> None:
        """Makes the layer's variables.

        Args:
          input_shape: the TensorShape of the inputs, or a structure of them.
        """
        self.built = True

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; the inputs by default."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shape of the outputs for inputs of that shape.

        In eager execution a layer that does not say it is called, on placeholders.

        Raises:
          NotImplementedError: it can't be found out so, or not in a graph.
        """
        if not context.executing_eagerly():
            raise NotImplementedError
        self._maybe_build(input_shape)
        training = {"training": False} if self._expects_training_arg else {}
        with FuncGraph("graph").as_default():
            inputs = nest.map_structure(
                lambda shape: array_ops.placeholder(backend.floatx(), shape),
                tf_utils.convert_shapes(input_shape, to_tuples=False),
            )
            try:
                outputs = self(inputs, **training)
            except TypeError:
                raise NotImplementedError(
                    "We could not automatically infer the static shape of the layer's output. "
                    "Please implement the `compute_output_shape` method on your layer "
                    f"({type(self).__name__})."
                ) from None
        return nest.map_structure(lambda x: x.shape, outputs)

    def compute_output_signature(self, input_signature: Any) -> Any:
        """The TensorSpecs of the outputs for inputs of given ones.

        Raises:
          TypeError: what is given is something else.
        """

        def shape_of(spec: Any) -> Any:
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    "Only TensorSpec signature types are supported, but saw signature signature "
                    f"entry: {spec}."
                )
            return spec.shape

        shapes = self.compute_output_shape(nest.map_structure(shape_of, input_signature))
        dtype = self._compute_dtype or nest.flatten(input_signature)[0].dtype
        return nest.map_structure(lambda shape: TensorSpec(shape, dtype), shapes)

    @default
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the outputs: that of the inputs, where the layer supports masking.

        Raises:
          TypeError: there is a mask and the layer supports none.
        """
        if not self.supports_masking:
            if any(m is not None for m in nest.flatten(mask)):
                raise TypeError(
                    f"Layer {self.name} does not support masking, but was passed an input_mask: "
                    f"{mask!s}"
                )
            return None
        return mask

    @default
    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer.

        Raises:
          NotImplementedError: the constructor takes arguments of its own, which only the class
            knows.
        """
        arguments = inspect.getfullargspec(self.__init__).args
        config: dict[str, Any] = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        if self.dynamic:
            config["dynamic"] = True
        own = [name for name in arguments if name not in config and name != "dynamic"]
        if len(own) > 1 and hasattr(self.get_config, "_is_default"):
            raise NotImplementedError(
                "Layers with arguments in `__init__` must override `get_config`."
            )
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**config)

    # Properties.

    name: str = attribute("_name", "The layer's name.")
    dtype = attribute(
        "_dtype_policy.variable_dtype",
        "The name of the variables' dtype, or None until the first input tells it.",
    )

    @property
    def _dtype(self) -> Any:
        return self._dtype_policy.variable_dtype

    @_dtype.setter
    def _dtype(self, value: Any) -> None:
        self._set_private("_dtype_policy", policy.Policy(dtypes.as_dtype(value).name))

    _compute_dtype = attribute("_dtype_policy.compute_dtype")
    dynamic: bool = attribute("_dynamic", "Whether the layer can only run eagerly.")

    @property
    def trainable(self) -> bool:
        """Whether the layer's variables are trainable; setting it sets it for the layers inside
        too."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for layer in getattr(self, "_layers", ()):
            layer.trainable = value

    @property
    def activity_regularizer(self) -> Any:
        """A function of each output, whose result joins the losses; or None."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    @property
    def input_spec(self) -> Any:
        """What the layer demands of its inputs: an `InputSpec`, a structure of them, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        for spec in nest.flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        self._set_private("_input_spec", value)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables, of the layers inside too; none if the layer is not trainable."""
        return (
            self._trainable_weights + self._gather_children_attribute("trainable_weights")
            if self.trainable
            else []
        )

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        if self.trainable:
            return self._non_trainable_weights + self._gather_children_attribute(
                "non_trainable_weights"
            )
        own = self._trainable_weights + self._non_trainable_weights
        return own + self._gather_children_attribute("weights")

    @property
    def _unique_trainable_weights(self) -> list[Any]:
        return list({id(w): w for w in self.trainable_weights}.values())

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self) -> list[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """All variables."""
        return self.weights

    @property
    def trainable_variables(self) -> list[Any]:  # pyright: ignore
        """The trainable variables."""
        return self.trainable_weights

    non_trainable_variables: list[Any] = attribute(
        "non_trainable_weights", "The variables that are not trainable."
    )

    def _gather_children_attribute(self, attribute: str) -> list[Any]:
        layers = self.__dict__.get("_layers")
        if not layers:
            return []
        found = layer_utils.filter_empty_layer_containers(layers)
        return [item for layer in found for item in getattr(layer, attribute)]

    def count_params(self) -> int:
        """How many numbers the variables hold.

        Raises:
          ValueError: the layer has no variables yet.
        """
        if not self.built:
            if self._is_graph_network:
                self._maybe_build(self.inputs)  # pyright: ignore[reportAttributeAccessIssue]
            else:
                raise ValueError(
                    f"You tried to call `count_params` on {self.name}, but the layer isn't built. "
                    f"You can build it manually via: `{self.name}.build(batch_input_shape)`."
                )
        return int(sum(np.prod(weight.shape.as_list()) for weight in self.weights))

    # Variables, losses and updates.

    def add_weight(
        self, name: Any = None, shape: Any = None, dtype: Any = None, initializer: Any = None,
        regularizer: Any = None, trainable: bool | None = None, constraint: Any = None,
        partitioner: Any = None, use_resource: bool | None = None,
        synchronization: Any = variables_lib.VariableSynchronization.AUTO,
        aggregation: Any = variables_lib.VariableAggregation.NONE, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Makes a variable of the layer.

        Args:
          name: the variable's name.
          shape: its shape; a scalar by default.
          dtype: the layer's own by default.
          initializer: Glorot uniform for floats, zeros for integers and bools by default.
          regularizer: a function of the variable whose result joins the losses.
          trainable: True by default.
          constraint, partitioner, use_resource, synchronization, aggregation: see
            `tf.get_variable`.
          **kwargs: `getter`, what makes the variable; `collections`; `experimental_autocast`,
            whether it is cast when it is read, if the layer computes in another dtype.

        Raises:
          ValueError: a dtype that needs an initializer has none, or a variable synchronised on read
            is to be trainable.
        """
        shape = () if shape is None else shape
        for keyword in kwargs:
            if keyword not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", keyword)
        getter = kwargs.get("getter", base_layer_utils.make_variable)
        dtype = dtypes.as_dtype(dtype if dtype is not None else self.dtype or backend.floatx())
        if self._dtype_policy.variable_dtype is None:
            self._dtype = dtype.base_dtype.name
        initializer = lookup.initializer(initializer)
        regularizer = lookup.regularizer(regularizer)
        trainable = is_trainable(trainable, synchronization)
        if initializer is None:
            if dtype.is_floating:
                initializer = init_ops.GlorotUniform()
            elif dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
                initializer = init_ops.Zeros()
            else:
                raise ValueError(
                    f"An initializer for variable {name} of type {dtype.base_dtype} is required "
                    "for "
                    f"layer {self.name}"
                )
        variable = getter(
            name=name, shape=shape, dtype=dtype, initializer=initializer,
            constraint=lookup.constraint(constraint), trainable=trainable, partitioner=partitioner,
            use_resource=use_resource, collections=kwargs.get("collections"),
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        if kwargs.get("experimental_autocast", True) and self._dtype_policy.should_cast_variables:
            variable = autocast_variable.AutoCastVariable(variable)
        backend.track_variable(variable)
        if isinstance(variable, Trackable):
            self._track_trackable(variable, name=name, overwrite=True)
        if regularizer is not None:
            self._handle_weight_regularization(
                variable.name.partition(":")[0],  # pyright: ignore[reportAttributeAccessIssue]
                variable,
                regularizer,
            )
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        return variable

    @deprecated(None, "Please use `layer.add_weight` method instead.")
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """As `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def get_weights(self) -> list[np.ndarray]:
        """The values of the variables."""
        return backend.batch_get_value(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Gives the variables values.

        Args:
          weights: arrays, as `get_weights` gives them.

        Raises:
          ValueError: their number or shapes don't fit.
        """
        params = self.weights
        if len(params) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of '
                "length "
                f"{len(weights)}, but the layer was expecting {len(params)} weights. Provided "
                "weights: "
                f"{str(weights)[:50]}..."
            )
        for param, value in zip(params, weights, strict=True):
            if not param.shape.is_compatible_with(np.shape(value)):
                raise ValueError(
                    f"Layer weight shape {param.shape} not compatible with provided weight shape "
                    f"{np.shape(value)}"
                )
        if params:
            backend.batch_set_value(list(zip(params, weights, strict=True)))

    # Being part of a SavedModel.

    @property
    def _object_identifier(self) -> str:
        return "_tf_keras_layer"

    @property
    def _tracking_metadata(self) -> str:
        return json.dumps(self._metadata(), default=serialization.get_json_type)

    def _metadata(self) -> dict[str, Any]:
        """What a SavedModel says of the layer."""
        regularizer = self.activity_regularizer
        metadata: dict[str, Any] = {
            "class_name": type(self).__name__,
            "name": self.name,
            "trainable": self.trainable,
            "expects_training_arg": self._expects_training_arg,
            "dtype": self.dtype,
            "batch_input_shape": getattr(self, "_batch_input_shape", None),
        }
        # A class of one's own may have no config.
        with contextlib.suppress(NotImplementedError):
            metadata["config"] = self.get_config()
        metadata["input_spec"] = nest.map_structure(
            lambda spec: None if spec is None else serialize_keras_object(spec), self.input_spec
        )
        known = hasattr(regularizer, "get_config")
        metadata["activity_regularizer"] = serialize_keras_object(regularizer) if known else None
        return metadata

    def _list_extra_dependencies_for_serialization(self, serialization_cache: Any) -> Any:
        from tf1compat.api.keras.saving.saved_model import save  # which needs this module

        return save.serialize_all_attributes(self, serialization_cache).objects_to_serialize

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        from tf1compat.api.keras.saving.saved_model import save  # which needs this module

        made = save.serialize_all_attributes(self, serialization_cache)
        own = super()._list_functions_for_serialization(serialization_cache)
        return {**made.functions_to_serialize, **own}

    # Calling.

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Applies the layer.

        Args:
          inputs: the input tensor, or a structure of them; arrays and numbers become tensors.
          *args, **kwargs: further arguments of `call`. `training`, where it is not given, is that
            of the layer which this one is called by; `mask` that of the inputs.

        Returns:
          What `call` returns.

        Raises:
          ValueError: the inputs don't fit, or `call` returns None.
        """
        inputs_list = nest.flatten(inputs)
        symbolic = tf_utils.are_all_symbolic_tensors(inputs_list)
        plain = (np.ndarray, float, int)
        if any(isinstance(x, plain) for x in inputs_list):
            inputs = nest.map_structure(
                lambda x: ops.convert_to_tensor(x) if isinstance(x, plain) else x, inputs
            )
        given = dict(kwargs)
        masks = self._collect_input_masks(inputs, args, kwargs)
        if (
            self._expects_mask_arg
            and masks is not None
            and not self._call_arg_was_passed("mask", args, kwargs)
        ):
            kwargs["mask"] = masks
        training = self._training_argument(symbolic, args, kwargs)
        given = {key: value for key, value in given.items() if key in kwargs}
        if symbolic and base_layer_utils.needs_keras_history(inputs):
            base_layer_utils.create_keras_history(inputs)
        if not call_context.in_call and base_layer_utils.is_in_eager_or_tf_function():
            self._clear_losses()
        # What is symbolic in eager execution belongs to Keras's own graph.
        graph = backend.get_graph().as_default() if symbolic else contextlib.nullcontext()
        with call_context.enter(self, inputs, training), graph:
            if symbolic:
                assert_input_compatibility(self.input_spec, inputs, self.name)
            with backend.name_scope(self._name_scope()):
                self._maybe_build(inputs)
                cast = self._maybe_cast_inputs(inputs)
                if symbolic and self.dynamic:
                    outputs = self._symbolic_call(inputs)
                else:
                    with _python_control_flow_refused(), autocast(self._compute_dtype):
                        outputs = base_layer_utils.call_in_order(
                            self._call_fn(symbolic), cast, *args, **kwargs
                        )
                if symbolic and outputs is None:
                    raise ValueError(
                        "A layer's `call` method should return a Tensor or a list of Tensors, not "
                        f"None (layer: {self.name})."
                    )
                if symbolic and base_layer_utils.have_all_keras_metadata(inputs):
                    inputs, outputs = self._set_connectivity_metadata_(inputs, outputs, args, given)
                self._handle_activity_regularization(inputs, outputs)
                self._set_mask_metadata(inputs, outputs, masks)
                if symbolic and hasattr(self, "_set_inputs") and not self.inputs:  # pyright: ignore
                    self._set_inputs(inputs, outputs)  # pyright: ignore
        return outputs

    @deprecated(None, "Please use `layer.__call__` method instead.")
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """As calling the layer."""
        return self.__call__(inputs, *args, **kwargs)

    def _init_call_fn_args(self) -> None:
        found = inspect.getfullargspec(self.call)
        names = found.args[1:] if found.args[:1] == ["self"] else found.args
        self._set_private("_call_fn_args", names)
        self._expects_training_arg = "training" in names or found.varkw is not None
        self._expects_mask_arg = "mask" in names or found.varkw is not None

    @property
    def _call_accepts_kwargs(self) -> bool:
        return inspect.getfullargspec(self.call).varkw is not None

    def _training_argument(self, symbolic: bool, args: Any, kwargs: dict[str, Any]) -> Any:
        """The value of `training` for this call; put into `kwargs` where it was not given, but a
        layer around this one, the learning phase or Keras's own graph says it."""
        if self._call_arg_was_passed("training", args, kwargs):
            value = self._get_call_arg_value("training", args, kwargs)
            if not self._expects_training_arg:
                kwargs.pop("training")
            return value
        training = call_context.training
        if training is None and backend.global_learning_phase_is_set():
            training = backend.learning_phase()
        elif training is None and symbolic:
            with backend.get_graph().as_default():
                if backend.in_keras_graph():
                    training = backend.learning_phase()
        if self._expects_training_arg and training is not None:
            is_tensor = isinstance(training, ops.Tensor)
            training = math_ops.cast(training, dtypes.bool) if is_tensor else bool(training)
            kwargs["training"] = training
        return training

    def _call_fn(self, symbolic: bool) -> Any:
        """`call`; that of a user's class with its control flow converted where it is recorded."""
        if symbolic and not export.is_tf_class(type(self)):
            return autograph.tf_convert(self.call, ag_ctx.control_status_ctx())
        return self.call

    def _symbolic_call(self, inputs: Any) -> Any:
        """Placeholders in the shapes of the outputs: what a dynamic layer gives in a graph."""
        shapes = self.compute_output_shape(nest.map_structure(lambda x: x.shape, inputs))

        def placeholder(shape: Any) -> Any:
            x = backend.placeholder(shape=shape, dtype=self.dtype)
            x._keras_mask = None
            return x

        return nest.map_structure(placeholder, shapes)

    def _maybe_build(self, inputs: Any) -> None:
        if not self.built:
            assert_input_compatibility(self.input_spec, inputs, self.name)
            inputs_list = nest.flatten(inputs)
            if inputs_list and self._compute_dtype is None:
                dtype = getattr(inputs_list[0], "dtype", None)
                if dtype is not None:
                    name = dtypes.as_dtype(dtype).base_dtype.name
                    self._set_private(
                        "_dtype_policy", policy.with_input_dtype(self._dtype_policy, name)
                    )
            shapes = None
            if all(hasattr(x, "shape") for x in inputs_list):
                shapes = nest.map_structure(lambda x: x.shape, inputs)
            if not hasattr(self.build, "_is_default"):
                # A function being traced makes its variables outside of itself.
                lifted = (
                    getattr(self, "_keras_style", True) and executing_eagerly_outside_functions()
                )
                with ops.init_scope() if lifted else contextlib.nullcontext():
                    self.build(shapes)
            self.built = True
        if getattr(self, "_initial_weights", None) is not None:
            eager = ops.executing_eagerly_outside_functions()
            # In eager execution variables have values, whatever is being recorded.
            with ops.init_scope() if eager else contextlib.nullcontext():
                self.set_weights(self._initial_weights)
            self._set_private("_initial_weights", None)

    def _maybe_cast_inputs(self, inputs: Any) -> Any:
        wanted = self._compute_dtype
        if not self._autocast or not wanted or not dtypes.as_dtype(wanted).is_floating:
            return inputs

        def cast(x: Any) -> Any:
            if (
                isinstance(x, ops.Tensor)
                and x.dtype.is_floating
                and x.dtype.base_dtype.name != wanted
            ):
                return math_ops.cast(x, wanted)
            return x

        return nest.map_structure(cast, inputs)

    def _name_scope(self) -> str:
        return self.name

    def _init_set_name(self, name: Any, zero_based: bool = True) -> None:
        if not name:
            name = backend.unique_object_name(
                to_snake_case(type(self).__name__), zero_based=zero_based
            )
        self._name = name

    # Layers and variables that are attributes belong to the layer.

    def _is_layer(self) -> bool:
        return True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_graph_network or hasattr(type(self), name):
            try:
                object.__setattr__(self, name, value)
            except AttributeError:
                raise AttributeError(
                    f'Can\'t set the attribute "{name}", likely because it conflicts with an '
                    "existing read-only @property of the object. Please choose a different name."
                ) from None
            return
        value = data_structures.wrap(value)
        old = self.__dict__.get(name)
        object.__setattr__(self, name, value)
        if old is not None:
            self._forget(old)
        if isinstance(value, Trackable) and self._self_setattr_tracking:
            self._track_trackable(value, name=name, overwrite=True)
        if type(self).__name__ != "Sequential" and (
            isinstance(value, Layer) or layer_utils.has_weights(value)
        ):
            layers = self.__dict__.setdefault("_layers", [])
            if value is not layers and not any(layer is value for layer in layers):
                layers.append(value)
                if hasattr(value, "_use_resource_variables"):
                    value._use_resource_variables = True  # pyright: ignore
        for item in nest.flatten(value):
            if isinstance(item, variables_lib.Variable):
                group = "_trainable_weights" if item.trainable else "_non_trainable_weights"
                weights = self.__dict__.setdefault(group, [])
                if not any(weight is item for weight in weights):
                    weights.append(item)
                    backend.track_variable(item)

    def __delattr__(self, name: str) -> None:
        old = self.__dict__.get(name)
        object.__delattr__(self, name)
        if old is not None:
            self._forget(old)

    def _forget(self, old: Any) -> None:
        """A layer or variable that was an attribute, and is none any more, is not the layer's any
        more."""
        if not isinstance(old, Layer | variables_lib.Variable) and not layer_utils.has_weights(old):
            return
        if any(value is old for value in self.__dict__.values()):
            return
        for group in ("_layers", "_trainable_weights", "_non_trainable_weights"):
            items = self.__dict__.get(group, ())
            object.__setattr__(self, group, [item for item in items if item is not old])

    def _get_trainable_state(self) -> dict[Any, bool]:
        """layer -> whether it is trainable, for this one and those inside."""
        state = {self: self.trainable}
        for layer in layer_utils.filter_empty_layer_containers(self._layers):
            state.update(layer._get_trainable_state())
        return state

    def _set_trainable_state(self, trainable_state: Any) -> None:
        if self in trainable_state:
            self.trainable = trainable_state[self]
        for layer in layer_utils.filter_empty_layer_containers(self._layers):
            layer._set_trainable_state(trainable_state)


def is_trainable(trainable: bool | None, synchronization: Any) -> bool:
    """Whether a variable of a layer is trainable: unless it is synchronised on read.

    Raises:
      ValueError: it is to be both.
    """
    if synchronization == variables_lib.VariableSynchronization.ON_READ:
        if trainable:
            raise ValueError(
                "Synchronization value can be set to VariableSynchronization.ON_READ only for "
                "non-trainable variables. You have specified trainable=True and "
                "synchronization=VariableSynchronization.ON_READ."
            )
        return False
    return True if trainable is None else trainable
