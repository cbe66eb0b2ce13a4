"""Layers made of layers (`tensorflow.python.keras.engine.network`)."""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any

from tf1compat.api.keras import backend, metrics
from tf1compat.api.keras.engine import base_layer, base_layer_utils, network_maps, node, op_layers
from tf1compat.api.keras.engine.network_maps import make_node_key
from tf1compat.api.keras.engine.network_saving import NetworkSaving
from tf1compat.api.keras.utils import generic_utils, layer_utils, tf_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.tracking import data_structures
from tf1compat.api.training.tracking import layer_utils as trackable_layer_utils
from tf1compat.api.training.tracking.util import saver_with_op_caching
from tf1compat.api.util.serialization import get_json_type
from tf1compat.core import context, errors, nest, ops
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike


class Network(NetworkSaving, base_layer.Layer):
    """A layer made of layers: of a graph of their calls, if it is given inputs and outputs, else of
    those that are attributes of the object.

    Args:
      inputs, outputs: tensors of `tf.keras.Input` and what layers made of them.
      name: the name.
    """

    _layers: list[Any]
    inputs: Any
    outputs: Any

    def __init__(self, *args: Any, **kwargs: Any):  # pyright: ignore[reportMissingSuperCall]
        if (
            len(args) == 2
            or (len(args) == 1 and "outputs" in kwargs)
            or ("inputs" in kwargs and "outputs" in kwargs)
        ):
            self._init_graph_network(*args, **kwargs)
        else:
            self._init_subclassed_network(**kwargs)
        tf_utils.assert_no_legacy_layers(self.layers)

    def _base_init(self, name: Name = None, **kwargs: Any) -> None:
        generic_utils.validate_kwargs(kwargs, {"trainable", "dtype", "dynamic", "autocast"})
        self._init_set_name(name, zero_based=True)
        own = {
            "_activity_regularizer": None,
            "_trainable": kwargs.get("trainable", True),
            "_is_compiled": False,
            "_layers": [],
            "_compute_output_and_mask_jointly": False,
            "supports_masking": False,
            "_input_spec": None,
        }
        for attribute, value in own.items():
            self._set_private(attribute, value)
        self._set_private("_trackable_saver", saver_with_op_caching(self))
        if not hasattr(self, "optimizer"):
            self._set_private("optimizer", None)
        self._init_state(kwargs.get("dtype"), kwargs.get("dynamic", False))

    def _init_graph_network(self, inputs: Any, outputs: Any, name: Name = None, **kwargs: Any):
        generic_utils.validate_kwargs(
            kwargs,
            {"trainable"},
            "Functional models may only specify `name` and `trainable` keyword arguments during "
            "initialization. Got an unexpected argument:",
        )
        if isinstance(inputs, list) and len(nest.flatten(inputs)) == 1:
            inputs = inputs[0]
        if isinstance(outputs, list) and len(nest.flatten(outputs)) == 1:
            outputs = outputs[0]
        self._set_private("_nested_outputs", outputs)
        self._set_private("_nested_inputs", inputs)
        self._set_private("inputs", nest.flatten(inputs))
        self._set_private("outputs", nest.flatten(outputs))
        if any(not hasattr(x, "_keras_history") for x in self.outputs):
            base_layer_utils.create_keras_history(self._nested_outputs)
        self._base_init(name=name, **kwargs)
        self._validate_graph_inputs_and_outputs()
        nodes, nodes_by_depth, layers, _ = network_maps.map_graph_network(self.inputs, self.outputs)
        own: dict[str, Any] = {
            "built": True,
            "_compute_output_and_mask_jointly": True,
            "_is_graph_network": True,
            "_expects_training_arg": True,
            "_expects_mask_arg": True,
            "_autocast": False,
            "_call_fn_args": ["inputs", "training", "mask"],
            "_input_layers": [x._keras_history.layer for x in self.inputs],
            "_output_layers": [x._keras_history.layer for x in self.outputs],
            "_input_coordinates": [tuple(x._keras_history) for x in self.inputs],
            "_output_coordinates": [tuple(x._keras_history) for x in self.outputs],
            "_output_shape_cache": {},
            "_network_nodes": nodes,
            "_nodes_by_depth": nodes_by_depth,
            "_layers": layers,
            "_layer_call_argspecs": {layer: inspect.getfullargspec(layer.call) for layer in layers},
        }
        for attribute, value in own.items():
            self._set_private(attribute, value)
        self._track_layers()
        node.Node(
            outbound_layer=self, inbound_layers=[], node_indices=[], tensor_indices=[],
            input_tensors=self._nested_inputs, output_tensors=self._nested_outputs,
        )  # fmt: skip
        self._set_private("output_names", self._unique_output_names())
        fed = [layer for layer in self._input_layers if layer.is_placeholder]
        self._set_private("input_names", [layer.name for layer in self._input_layers])
        self._set_private("_feed_input_names", [layer.name for layer in fed])
        self._set_private("_feed_inputs", [layer.input for layer in fed])
        self._set_private("_feed_input_shapes", [layer._batch_input_shape for layer in fed])

    def _unique_output_names(self) -> list[str]:
        names: list[str] = []
        counts: dict[str, int] = {}
        for layer in self._output_layers:
            proposal = layer.name
            while proposal in names:
                count = counts.get(layer.name, 1)
                proposal = f"{layer.name}_{count}"
                counts[layer.name] = count + 1
            names.append(proposal)
        return names

    def _init_subclassed_network(self, name: Name = None, **kwargs: Any) -> None:
        self._base_init(name=name, **kwargs)
        self._set_private("_is_graph_network", False)
        self._init_call_fn_args()
        autocast = kwargs.get("autocast", base_layer_utils.v2_dtype_behavior_enabled())
        self._set_private("_autocast", autocast)
        for attribute, value in (("outputs", []), ("inputs", []), ("built", False)):
            self._set_private(attribute, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_is_graph_network" not in self.__dict__ and all(
            isinstance(v, base_layer.Layer | data_structures.TrackableDataStructure)
            or trackable_layer_utils.has_weights(v)
            for v in nest.flatten(value)
        ):
            # The class has it too; only the constructor gives it to the object.
            if "_losses" not in self.__dict__:
                raise RuntimeError(
                    "It looks like you are subclassing `Model` and you forgot to call "
                    "`super(YourClass, self).__init__()`. Always start with this line."
                )
        super().__setattr__(name, value)
        if isinstance(value, metrics.Metric):
            self._metrics.append(value)

    # What belongs to it.

    @property
    def dynamic(self) -> bool:
        """Whether a layer can only run eagerly."""
        inner = any(layer.dynamic for layer in self.layers)
        return inner if self._is_graph_network else self._dynamic or inner

    @property
    def stateful(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether a layer keeps state between batches."""
        return any(getattr(layer, "stateful", False) for layer in self.layers)

    def reset_states(self) -> None:
        """Resets the layers that keep state."""
        for layer in self.layers:
            if hasattr(layer, "reset_states") and getattr(layer, "stateful", False):
                layer.reset_states()

    @property
    def state_updates(self) -> list[Any]:
        """The updates of the layers that keep state."""
        return [
            update
            for layer in self.layers
            if getattr(layer, "stateful", False)
            for update in getattr(layer, "updates", ())
        ]

    @property
    def layers(self) -> list[Any]:
        """The layers."""
        return trackable_layer_utils.filter_empty_layer_containers(self._layers)

    @property
    def _object_identifier(self) -> str:
        return "_tf_keras_network"

    def _track_layers(self) -> None:
        """Lets checkpoints name the layers by position, those with weights by a count of their own
        besides. What has weights only later keeps the name that it got first."""
        with_weights = 0
        for i, layer in enumerate(self._layers):
            try:
                has_weights = bool(layer.weights)
            except ValueError:  # Not built yet.
                has_weights = False
            if has_weights:
                name = f"layer_with_weights-{with_weights}"
                self._track_trackable(layer, name=name, overwrite=True)
                with_weights += 1
            self._track_trackable(layer, name=f"layer-{i}", overwrite=True)

    def get_layer(self, name: Name = None, index: Any = None) -> Any:
        """The layer of a name or index.

        Raises:
          ValueError: there is none.
        """
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self.layers)} layers."
                )
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)

    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer."""
        self._assert_weights_created()
        found = [w for layer in self._layers for w in layer.weights]
        return found + self._trainable_weights + self._non_trainable_weights

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables."""
        self._assert_weights_created()
        return trackable_layer_utils.gather_trainable_weights(
            self.trainable, self._layers, self._trainable_weights
        )

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        self._assert_weights_created()
        return trackable_layer_utils.gather_non_trainable_weights(
            self.trainable, self._layers, self._non_trainable_weights + self._trainable_weights
        )

    def _assert_weights_created(self) -> None:
        if self.dynamic:
            return
        if not self._is_graph_network and "build" in type(self).__dict__ and not self.built:
            raise ValueError(
                f"Weights for model {self.name} have not yet been created. Weights are created "
                "when the Model is first called on inputs or `build()` is called with an "
                "`input_shape`."
            )

    @property
    def input_spec(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What the input layers demand."""
        if not self._is_graph_network:
            return None
        specs: list[Any] = []
        for layer in self._input_layers:
            if layer.input_spec is None:
                specs.append(None)
            elif not isinstance(layer.input_spec, list):
                raise TypeError(
                    f"Layer {layer.name} has an input_spec attribute that is not a list. We "
                    f"expect a list. Found input_spec = {layer.input_spec}"
                )
            else:
                specs += layer.input_spec
        return specs[0] if len(specs) == 1 else specs

    # Calls.

    @property
    def _should_compute_mask(self) -> bool:
        return self._is_graph_network and super()._should_compute_mask

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """The masks of the outputs."""
        if not self._is_graph_network:
            return None
        outputs = self._run_internal_graph(inputs, mask=mask)
        return nest.map_structure(lambda x: x._keras_mask, outputs)

    @base_layer_utils.default
    def build(self, input_shape: Any) -> None:
        """Makes the variables of a network without a graph, by calling it on placeholders.

        Args:
          input_shape: a shape, or a list of them.
        """
        if self._is_graph_network:
            self._set_private("built", True)
            return
        if input_shape is None:
            raise ValueError(
                "Input shape must be defined when calling build on a model subclass network."
            )
        if not isinstance(input_shape, tuple | list | TensorShape):
            raise ValueError(
                "Specified input shape is not one of the valid types. Please specify a batch input "
                "shape of type tuple or list of input shapes. User provided input type: "
                f"{type(input_shape)}"
            )
        if input_shape and not self.inputs:
            graph = FuncGraph("build_graph") if context.executing_eagerly() else backend.get_graph()
            with graph.as_default():
                self._build_by_calling(input_shape)
        self._track_layers()
        self._set_private("built", True)

    def _build_by_calling(self, input_shape: Any) -> None:
        placeholder = base_layer_utils.generate_placeholders_from_shape
        if isinstance(input_shape, list):
            x: Any = [placeholder(shape) for shape in input_shape]
        else:
            x = placeholder(input_shape)
        kwargs = {}
        found = inspect.getfullargspec(self.call)
        names = found.args
        if len(names) > 2:
            names = names[2 : -len(found.defaults)] if found.defaults else names[2:]
            for name in names:
                if name != "training":
                    raise ValueError(
                        "Currently, you cannot build your model if it has positional or keyword "
                        "arguments that are not inputs to the model, but are required for its "
                        "`call` method. Instead, in order to instantiate and build your model, "
                        "`call` your model on real tensor data with all expected call arguments."
                    )
                kwargs["training"] = False
        elif len(names) < 2:
            raise ValueError(
                "You can only call `build` on a model if its `call` method accepts an `inputs` "
                "argument."
            )
        try:
            self.call(x, **kwargs)
        except (errors.InvalidArgumentError, TypeError):
            raise ValueError(
                "You cannot build your model by calling `build` if your layers do not support "
                "float type inputs. Instead, in order to instantiate and build your model, `call` "
                "your model on real tensor data (of the correct dtype)."
            ) from None

    def call(self, inputs: Any, training: Any = None, mask: TensorLike | None = None) -> Any:  # pyright: ignore
        """Calls the layers on new inputs."""
        if not self._is_graph_network:
            raise NotImplementedError(
                "When subclassing the `Model` class, you should implement a `call` method."
            )
        return self._run_internal_graph(inputs, training=training, mask=mask)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shapes of the outputs, as the layers work them out."""
        if not self._is_graph_network:
            return super().compute_output_shape(input_shape)
        input_shape = tf_utils.convert_shapes(input_shape, to_tuples=False)
        flat = nest.flatten(input_shape)
        if len(flat) != len(self._input_layers):
            raise ValueError(
                f"Invalid input_shape argument {input_shape}: model has "
                f"{len(self._input_layers)} tensor inputs."
            )
        key = generic_utils.object_list_uid(input_shape)
        if key not in self._output_shape_cache:
            self._output_shape_cache[key] = self._shapes_of_outputs(flat)
        return self._output_shape_cache[key]

    def _shapes_of_outputs(self, input_shapes: Any) -> Any:
        # (layer, node, tensor) -> shape
        shapes: dict[tuple[Any, int, int], Any] = {
            (layer, 0, 0): shape
            for layer, shape in zip(self._input_layers, input_shapes, strict=True)
        }
        for depth in sorted(self._nodes_by_depth, reverse=True):
            for call in self._nodes_by_depth[depth]:
                layer = call.outbound_layer
                if layer in self._input_layers:
                    continue
                found = [shapes[tuple(place[:3])] for place in call.iterate_inbound()]
                found = nest.pack_sequence_as(call.inbound_layers, found)
                found = tf_utils.convert_shapes(found, to_tuples=True)
                outputs = tf_utils.convert_shapes(
                    layer.compute_output_shape(found), to_tuples=False
                )
                index = layer._inbound_nodes.index(call)
                for i, shape in enumerate(nest.flatten(outputs)):
                    shapes[layer, index, i] = shape
        found = [shapes[place] for place in self._output_coordinates]
        return nest.pack_sequence_as(self._nested_outputs, found)

    def _run_internal_graph(
        self, inputs: Any, training: Any = None, mask: TensorLike | None = None
    ) -> Any:
        """Calls each layer again, from the inputs to the outputs."""
        inputs = nest.flatten(inputs)
        masks = [None] * len(inputs) if mask is None else nest.flatten(mask)
        for x, own_mask in zip(inputs, masks, strict=False):
            x._keras_mask = own_mask
        # id of a tensor of this network -> the one that takes its place
        computed = {id(x): y for x, y in zip(self.inputs, inputs, strict=False)}

        def new(x: Any) -> Any:
            return computed[id(x)]

        def new_argument(x: Any) -> Any:
            return new(x) if isinstance(x, ops.Tensor) and hasattr(x, "_keras_history") else x

        phases = backend.learning_phases()
        for depth in sorted(self._nodes_by_depth, reverse=True)[1:]:
            for call in self._nodes_by_depth[depth]:
                if not all(id(x) in computed for x in nest.flatten(call.input_tensors)):
                    continue
                layer = call.outbound_layer
                kwargs = copy.copy(call.arguments) if call.arguments else {}
                if "training" in self._layer_call_argspecs[layer].args:
                    kwargs.setdefault("training", training)
                    given = kwargs["training"]
                    if isinstance(given, ops.Tensor) and any(given is x for x in phases):
                        kwargs["training"] = training
                kwargs = nest.map_structure(new_argument, kwargs)
                outputs = layer(nest.map_structure(new, call.input_tensors), **kwargs)
                for x, y in zip(
                    nest.flatten(call.output_tensors), nest.flatten(outputs), strict=False
                ):
                    computed[id(x)] = y
        found = []
        for x in self.outputs:
            assert id(x) in computed, f"Could not compute output {x}"
            found.append(new(x))
        key = generic_utils.object_list_uid([x.shape for x in inputs])
        self._output_shape_cache[key] = nest.pack_sequence_as(
            self._nested_outputs, [x.shape for x in self.outputs]
        )
        return nest.pack_sequence_as(self._nested_outputs, found)

    # Configs.

    def get_config(self) -> dict[str, Any]:
        """The layers, how they are connected, the inputs and outputs."""
        if not self._is_graph_network:
            raise NotImplementedError
        return network_maps.get_config(self)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A network from what `get_config` gave.

        Args:
          config: the config.
          custom_objects: classes and functions that are not Keras's, by name.
        """
        inputs, outputs, created = network_maps.reconstruct(config, custom_objects)
        model = cls(inputs=inputs, outputs=outputs, name=config.get("name"))
        extra = [layer for layer in created.values() if layer not in model.layers]
        if extra:
            nodes = [
                call
                for layer in created.values()
                for call in layer.inbound_nodes[1 if network_maps.skips_first(layer) else 0 :]
            ]
            model._insert_layers(extra, nodes)
        return model

    def _updated_config(self) -> dict[str, Any]:
        return {
            "class_name": type(self).__name__,
            "config": self.get_config(),
            "keras_version": "2.2.4-tf",
            "backend": backend.backend(),
        }

    def to_json(self, **kwargs: Any) -> str:
        """The config as JSON; `**kwargs` as in `json.dumps`."""
        return json.dumps(self._updated_config(), default=get_json_type, **kwargs)

    def to_yaml(self, **kwargs: Any) -> str:
        """The config as YAML; `**kwargs` as in `yaml.dump`."""
        try:
            import yaml  # pyright: ignore[reportMissingModuleSource]
        except ImportError:
            raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
        return yaml.dump(self._updated_config(), **kwargs)

    def summary(self, line_length: Any = None, positions: Any = None, print_fn: Any = None) -> None:
        """Prints the layers, the shapes of their outputs and how many numbers they hold.

        Args:
          line_length: how wide the table is.
          positions: where its columns end, as parts of the width or absolutely.
          print_fn: what is called for each line; `print` by default.
        """
        if not self.built:
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or "
                "calling `fit()` with some data, or specify an `input_shape` argument in the first "
                "layer(s) for automatic build."
            )
        layer_utils.print_summary(
            self, line_length=line_length, positions=positions, print_fn=print_fn
        )

    # Making a graph network.

    def _validate_graph_inputs_and_outputs(self) -> None:
        cls_name = type(self).__name__
        if len({id(x) for x in self.inputs}) != len(self.inputs):
            raise ValueError(
                "The list of inputs passed to the model is redundant. All inputs should only "
                f"appear once. Found: {self.inputs}"
            )
        for x in self.inputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError(
                    f"Input tensors to a {cls_name} must come from `tf.keras.Input`. Received: {x} "
                    "(missing previous layer metadata)."
                )
            layer = x._keras_history.layer
            nodes = layer._inbound_nodes
            if len(nodes) > 1 or (nodes and nodes[0].inbound_layers):
                logging.warning(
                    f"{cls_name} inputs must come from `tf.keras.Input` (thus holding past layer "
                    "metadata), they cannot be the output of a previous non-Input layer. Here, a "
                    f'tensor specified as input to "{self.name}" was not an Input tensor, it was '
                    f"generated by layer {layer.name}.\nNote that input tensors are instantiated "
                    "via `tensor = tf.keras.Input(shape)`.\nThe tensor that caused the issue was: "
                    f"{x.name}"
                )
        sizes = [network_maps.static_batch_size(x._keras_history.layer) for x in self.inputs]
        if len({size for size in sizes if size is not None}) > 1:
            raise ValueError(
                "The specified batch sizes of the Input Layers are incompatible. Found batch "
                f"sizes: {sizes}"
            )
        for x in self.outputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError(
                    f"Output tensors to a {cls_name} must be the output of a TensorFlow `Layer` "
                    f"(thus holding past layer metadata). Found: {x}"
                )

    def _insert_layers(self, layers: Any, relevant_nodes: Any = None) -> None:
        """Adds layers that compute losses or metrics of what the network computes."""
        layers = nest.flatten(layers)
        tf_utils.assert_no_legacy_layers(layers)
        network_maps.insert_nodes(self, layers, relevant_nodes)
        for layer in layers:
            if layer not in self._layers:
                self._layers.append(layer)
                self._layer_call_argspecs[layer] = inspect.getfullargspec(layer.call)

    def _graph_network_add_loss(self, symbolic_loss: Any) -> None:
        self._add_end(symbolic_loss, lambda: op_layers.AddLoss(unconditional=False))

    def _graph_network_add_metric(self, value: Any, aggregation: Any, name: Name) -> None:
        self._add_end(value, lambda: op_layers.AddMetric(aggregation, name))

    def _add_end(self, value: Any, make: Any) -> None:
        nodes, layers = network_maps.map_subgraph_network(self.inputs, [value])
        layer = make()
        layer(value)
        self._insert_layers([*layers, layer], nodes + layer.inbound_nodes)


__all__ = ["Network", "make_node_key"]
