"""The base of all layers (`tensorflow.python.keras.engine.base_layer`).

A layer makes its variables in `build`, once it knows the shape and dtype of its inputs, and
computes in `call`; calling the layer does both, and keeps losses and updates that its variables and
outputs bring about.
"""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

import numpy as np

from tf1compat.api import array_ops, init_ops, math_ops
from tf1compat.api import variables as variables_lib
from tf1compat.api.deprecation import deprecated
from tf1compat.api.keras import backend, lookup
from tf1compat.api.keras.engine.call_context import call_context
from tf1compat.api.keras.engine.input_spec import InputSpec, assert_input_compatibility
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.tensor_shape import TensorShape

_KEYWORDS = frozenset(
    "activity_regularizer autocast batch_input_shape batch_size input_shape weights".split()
)


def to_snake_case(name: str) -> str:
    """A class's name as layers are named: "Conv2D" is "conv2d", "MaxPooling2D" "max_pooling2d"."""
    spaced = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return "private" + snake if snake[0] == "_" else snake


class Layer(Trackable):
    """Base class of layers.

    Args:
      trainable: whether the variables join the trainable ones.
      name: the layer's name; one made of the class's name by default.
      dtype: of the variables; that of the first input by default.
      dynamic: True is not supported.
      **kwargs: `activity_regularizer`, a function of an output whose result joins the losses;
        `weights`, the variables' first values; `input_shape`, `batch_input_shape` and `batch_size`,
        which only models read; `autocast`, whether to cast float inputs to the layer's dtype.

    Raises:
      TypeError: any other keyword argument.
    """

    _input_spec: Any
    _trainable_weights: list[Any]
    _non_trainable_weights: list[Any]

    def __init__(
        self, trainable: bool = True, name: Any = None, dtype: Any = None, dynamic: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        for keyword in kwargs:
            if keyword not in _KEYWORDS:
                raise TypeError("Keyword argument not understood:", keyword)
        if dynamic:
            raise NotImplementedError("Layer(dynamic=True) is not supported by tf1compat yet")
        self._trainable = trainable
        self.stateful = False
        self.built = False
        self.input_spec = None
        self.supports_masking = False
        self._init_set_name(name)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        for attribute in ("_trainable_weights", "_non_trainable_weights", "_layers"):
            if not hasattr(self, attribute):
                object.__setattr__(self, attribute, [])
        self._updates: list[Any] = []
        # Each update, with the inputs of the call that made it.
        self._update_inputs: list[tuple[Any, Any]] = []
        self._losses: list[Any] = []
        # Functions of nothing that record a loss each time they are called.
        self._callable_losses: list[Any] = []
        # The losses that depend on inputs, by id.
        self._conditional_losses: set[int] = set()
        self._metrics: list[Any] = []
        self._dtype_name: str | None = dtypes.as_dtype(dtype).name if dtype else None
        self._autocast = kwargs.get("autocast", False)
        self._inbound_nodes: list[Any] = []
        self._outbound_nodes: list[Any] = []
        self._dynamic = dynamic
        self._init_call_fn_args()
        if "batch_input_shape" in kwargs:
            self._batch_input_shape = tuple(kwargs["batch_input_shape"])
        elif "input_shape" in kwargs:
            self._batch_input_shape = (kwargs.get("batch_size"), *kwargs["input_shape"])
        self._initial_weights = kwargs.get("weights")

    # What subclasses define.

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
        """The static shape of the outputs for inputs of that shape."""
        raise NotImplementedError

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the outputs: that of the inputs, where the layer supports masking.

        Raises:
          TypeError: there is a mask and the layer supports none.
        """
        if not self.supports_masking:
            if any(m is not None for m in nest.flatten(mask)):
                raise TypeError(
                    f"Layer {self.name} does not support masking, but was passed an input_mask: "
                    f"{mask}"
                )
            return None
        return mask

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer.

        Raises:
          NotImplementedError: the constructor takes arguments of its own, which only the class
            knows.
        """
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        arguments = inspect.getfullargspec(self.__init__).args
        if any(name not in config for name in arguments[1:] if name != "dynamic"):
            raise NotImplementedError(
                "Layers with arguments in `__init__` must override `get_config`."
            )
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A layer from what `get_config` gave."""
        return cls(**config)

    # Properties.

    @property
    def name(self) -> str:
        """The layer's name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The name of the variables' dtype, or None until the first input tells it."""
        return self._dtype_name

    @property
    def _dtype(self) -> Any:
        return self._dtype_name

    @_dtype.setter
    def _dtype(self, value: Any) -> None:
        self._dtype_name = dtypes.as_dtype(value).name

    @property
    def _compute_dtype(self) -> Any:
        return self._dtype_name

    @property
    def dynamic(self) -> bool:
        """False: layers that only run eagerly are not supported."""
        return self._dynamic

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
        object.__setattr__(self, "_input_spec", value)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables, of the layers inside too; none if the layer is not trainable."""
        return self._trainable_weights + self._nested("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        if self.trainable:
            return self._non_trainable_weights + self._nested("non_trainable_weights")
        own = self._trainable_weights + self._non_trainable_weights
        return own + self._nested("weights")

    @property
    def weights(self) -> list[Any]:
        """All variables, the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    variables = property(lambda self: self.weights, doc="All variables.")
    trainable_variables = property(
        lambda self: self.trainable_weights, doc="The trainable variables."
    )
    non_trainable_variables = property(
        lambda self: self.non_trainable_weights, doc="The variables that are not trainable."
    )

    @property
    def updates(self) -> list[Any]:
        """The operations that update the layer's state; none if the layer is not trainable."""
        if not self.trainable and not self.stateful:
            return []
        return [u() if callable(u) else u for u in self._updates] + self._nested("updates")

    @property
    def losses(self) -> list[Any]:
        """The losses of outputs and variables; those of variables are recorded anew at each
        look."""
        found = list(self._losses)
        for regularizer in self._callable_losses:
            loss = regularizer()
            if loss is not None:
                found.append(loss)
        return found + self._nested("losses")

    def _nested(self, attribute: str) -> list[Any]:
        return [
            item for layer in getattr(self, "_layers", ()) for item in getattr(layer, attribute)
        ]

    def count_params(self) -> int:
        """How many numbers the variables hold.

        Raises:
          ValueError: the layer has no variables yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You "
                "can "
                f"build it manually via: `{self.name}.build(batch_input_shape)`."
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
          **kwargs: `getter`, what makes the variable; `collections`; `experimental_autocast`.

        Raises:
          ValueError: a dtype that needs an initializer has none, or a variable synchronised on read
            is to be trainable.
        """
        shape = () if shape is None else shape
        for keyword in kwargs:
            if keyword not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", keyword)
        getter = kwargs.get("getter", _make_variable)
        dtype = dtypes.as_dtype(dtype if dtype is not None else self.dtype or backend.floatx())
        if self._dtype_name is None:
            self._dtype_name = dtype.base_dtype.name
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
        backend.track_variable(variable)
        if isinstance(variable, Trackable):
            self._track_trackable(variable, name=name, overwrite=True)
        if regularizer is not None:
            self._handle_weight_regularization(
                variable.name.partition(":")[0], variable, regularizer
            )
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        return variable

    @deprecated(None, "Please use `layer.add_weight` method instead.")
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """As `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _handle_weight_regularization(self, name: str, variable: Any, regularizer: Any) -> None:
        def loss(part: Any) -> Any:
            with backend.name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        partitioned = isinstance(variable, variables_lib.PartitionedVariable)
        for part in variable if partitioned else [variable]:
            self.add_loss(functools.partial(loss, part))

    def _handle_activity_regularization(self, inputs: Any, outputs: Any) -> None:
        if not self._activity_regularizer:
            return
        with backend.name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                batch_size = math_ops.cast(array_ops.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch_size, inputs=inputs)

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses.

        Args:
          losses: tensors, or functions of nothing that record one, or a structure of these.
          inputs: the inputs that they depend on; None if on none.
        """
        for loss in nest.flatten(losses):
            if callable(loss):
                self._callable_losses.append(functools.partial(_loss_of, loss))
            elif loss is not None:
                loss = _loss_of(lambda loss=loss: loss)
                self._losses.append(loss)
                if inputs is not None:
                    self._conditional_losses.add(id(loss))

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that update the layer's state; eagerly they run at once.

        Args:
          updates: operations, tensors, or functions of nothing that record one, or a list of these.
          inputs: ignored; they are known.
        """
        updates = updates if isinstance(updates, list | tuple) else [updates]
        if context.executing_eagerly():
            for update in updates:
                if callable(update) and not call_context.frozen:
                    update()
            return
        update: Any
        for update in updates:
            while callable(update):
                update = update()
            if not isinstance(update, ops.Operation):
                update = update.op if hasattr(update, "op") else ops.convert_to_tensor(update).op
            self._updates.append(update)
            self._update_inputs.append((update, call_context.inputs))

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on `inputs`; for None those that depend on no inputs of the
        layer."""
        if not self.trainable and not self.stateful:
            return []
        if inputs is not None:
            reachable = tf_utils.get_reachable_from_inputs(inputs, self.updates)
            return [update for update in self.updates if update in reachable]
        return [
            update
            for update, own in self._update_inputs
            if own is None or update not in tf_utils.get_reachable_from_inputs(own, [update])
        ]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on `inputs`; for None those that depend on none."""
        losses = self.losses
        if inputs is None:
            return [loss for loss in losses if id(loss) not in self._conditional_losses]
        losses = [loss for loss in losses if id(loss) in self._conditional_losses]
        reachable = tf_utils.get_reachable_from_inputs(inputs, losses)
        return [loss for loss in losses if loss in reachable]

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

    # Calling.

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Applies the layer.

        Args:
          inputs: the input tensor, or a structure of them; arrays and numbers become tensors.
          *args, **kwargs: further arguments of `call`. `training`, where it is not given, is that
            of the layer which this one is called by.

        Returns:
          What `call` returns.

        Raises:
          ValueError: the inputs don't fit, or `call` returns None.
        """
        inputs_list = nest.flatten(inputs)
        symbolic = all(tf_utils.is_symbolic_tensor(x) for x in inputs_list)
        plain = (np.ndarray, float, int)
        if any(isinstance(x, plain) for x in inputs_list):
            inputs = nest.map_structure(
                lambda x: ops.convert_to_tensor(x) if isinstance(x, plain) else x, inputs
            )
        training = self._training_argument(args, kwargs)
        with call_context.enter(self, inputs, training):
            if symbolic:
                assert_input_compatibility(self.input_spec, inputs, self.name)
            with backend.name_scope(self._name_scope()):
                self._maybe_build(inputs)
                outputs = self.call(self._maybe_cast_inputs(inputs), *args, **kwargs)
                if symbolic and outputs is None:
                    raise ValueError(
                        "A layer's `call` method should return a Tensor or a list of Tensors, not "
                        "None "
                        f"(layer: {self.name})."
                    )
                self._handle_activity_regularization(inputs, outputs)
        return outputs

    @deprecated(None, "Please use `layer.__call__` method instead.")
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """As calling the layer."""
        return self.__call__(inputs, *args, **kwargs)

    def _init_call_fn_args(self) -> None:
        found = inspect.getfullargspec(self.call)
        names = found.args[1:] if found.args[:1] == ["self"] else found.args
        self._call_fn_args = names
        self._expects_training_arg = "training" in names or found.varkw is not None
        self._expects_mask_arg = "mask" in names or found.varkw is not None

    def _training_argument(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The value of `training` for this call; put into `kwargs` where a layer around this one
        gave it."""
        given = dict(zip(self._call_fn_args[1:], args, strict=False)) | kwargs
        if "training" in given:
            if not self._expects_training_arg:
                kwargs.pop("training")
            return given["training"]
        training = call_context.training
        if training is None and backend.global_learning_phase_is_set():
            training = backend.learning_phase()
        if self._expects_training_arg and training is not None:
            is_tensor = isinstance(training, ops.Tensor)
            kwargs["training"] = (
                math_ops.cast(training, dtypes.bool) if is_tensor else bool(training)
            )
        return training

    def _maybe_build(self, inputs: Any) -> None:
        if not self.built:
            assert_input_compatibility(self.input_spec, inputs, self.name)
            inputs_list = nest.flatten(inputs)
            if inputs_list and self._dtype_name is None:
                dtype = getattr(inputs_list[0], "dtype", None)
                if dtype is not None:
                    self._dtype_name = dtypes.as_dtype(dtype).base_dtype.name
            shapes = None
            if all(hasattr(x, "shape") for x in inputs_list):
                shapes = nest.map_structure(lambda x: x.shape, inputs)
            if type(self).build is not Layer.build:
                # A function being traced makes its variables outside of itself.
                with ops.init_scope():
                    self.build(shapes)
            self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

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

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
            return
        old = self.__dict__.get(name)
        object.__setattr__(self, name, value)
        if old is not None:
            self._forget(old)
        if isinstance(value, Layer):
            layers = self.__dict__.setdefault("_layers", [])
            if not any(layer is value for layer in layers):
                layers.append(value)
                if hasattr(value, "_use_resource_variables"):
                    value._use_resource_variables = True
        for item in nest.flatten(value) if not name.startswith("_") else ():
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
        if not isinstance(old, Layer | variables_lib.Variable):
            return
        if any(value is old for value in self.__dict__.values()):
            return
        for group in ("_layers", "_trainable_weights", "_non_trainable_weights"):
            items = self.__dict__.get(group, ())
            object.__setattr__(self, group, [item for item in items if item is not old])


def _loss_of(loss: Any) -> Any:
    """The tensor that a function of nothing records; None if it has no loss."""
    value = loss()
    if value is None or isinstance(value, ops.Tensor):
        return value
    return ops.convert_to_tensor(value, dtype=backend.floatx())


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


def _make_variable(
    name: Any,
    shape: Any,
    dtype: Any,
    initializer: Any,
    use_resource: bool | None,
    partitioner: Any,
    **kwargs: Any,
) -> Any:
    """A variable of a layer that variable scopes know nothing of."""
    if callable(initializer):
        if inspect.isclass(initializer):
            initializer = initializer()
        value: Any = functools.partial(initializer, shape, dtype=dtype)
        variable_dtype = dtype.base_dtype
    else:
        value, variable_dtype = initializer, None
    static = TensorShape(shape)
    return variables_lib.VariableV1(
        initial_value=value,
        name=name,
        dtype=variable_dtype,
        use_resource=True if use_resource is None else use_resource,
        shape=static if static else None,
        **kwargs,
    )
