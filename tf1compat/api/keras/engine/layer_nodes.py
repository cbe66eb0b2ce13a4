"""What a layer knows of its calls: inputs, outputs, masks (of
`tensorflow.python.keras.engine.base_layer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import node as node_module
from tf1compat.api.keras.utils import generic_utils, tf_utils
from tf1compat.core import nest
from tf1compat.core.attribute import attribute


def _mask_of(tensors: Any) -> Any:
    if isinstance(tensors, list):
        return [getattr(x, "_keras_mask", None) for x in tensors]
    return getattr(tensors, "_keras_mask", None)


class LayerNodes:
    """The part of a layer that looks at its nodes."""

    name: Any
    _inbound_nodes: list[Any]
    _outbound_nodes: list[Any]
    _call_fn_args: list[str]
    supports_masking: bool
    compute_mask: Any
    _compute_output_and_mask_jointly: bool

    inbound_nodes: list[Any] = attribute("_inbound_nodes", "The calls of the layer.")
    outbound_nodes: list[Any] = attribute(
        "_outbound_nodes", "The calls of other layers with its outputs."
    )

    def _get_node_attribute_at_index(self, node_index: int, attr: str, attr_name: str) -> Any:
        nodes = self._inbound_nodes
        if not nodes:
            raise RuntimeError(
                f"The layer has never been called and thus has no defined {attr_name}."
            )
        if not len(nodes) > node_index:
            raise ValueError(
                f"Asked to get {attr_name} at node {node_index}, but the layer has only "
                f"{len(nodes)} inbound nodes."
            )
        values = getattr(nodes[node_index], attr)
        return values[0] if isinstance(values, list) and len(values) == 1 else values

    def get_input_at(self, node_index: int) -> Any:
        """The inputs of a call."""
        return self._get_node_attribute_at_index(node_index, "input_tensors", "input")

    def get_output_at(self, node_index: int) -> Any:
        """The outputs of a call."""
        return self._get_node_attribute_at_index(node_index, "output_tensors", "output")

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shapes of the inputs of a call."""
        return self._get_node_attribute_at_index(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shapes of the outputs of a call."""
        return self._get_node_attribute_at_index(node_index, "output_shapes", "output shape")

    def get_input_mask_at(self, node_index: int) -> Any:
        """The masks of the inputs of a call."""
        return _mask_of(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index: int) -> Any:
        """The masks of the outputs of a call."""
        return _mask_of(self.get_output_at(node_index))

    @property
    def input(self) -> Any:
        """The inputs of the first call."""
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self.name} is not connected, no input to return.")
        return self.get_input_at(0)

    @property
    def output(self) -> Any:
        """The outputs of the first call."""
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self.name} has no inbound nodes.")
        return self.get_output_at(0)

    @property
    def input_mask(self) -> Any:
        """The masks of the inputs of the first call."""
        return _mask_of(self.input)

    @property
    def output_mask(self) -> Any:
        """The masks of the outputs of the first call."""
        return _mask_of(self.output)

    @property
    def input_shape(self) -> Any:
        """The shapes of the inputs, if they are the same in all calls."""
        if not self._inbound_nodes:
            raise AttributeError(
                "The layer has never been called and thus has no defined input shape."
            )
        if len({str(node.input_shapes) for node in self._inbound_nodes}) == 1:
            return self._inbound_nodes[0].input_shapes
        raise AttributeError(
            f'The layer "{self.name} has multiple inbound nodes, with different input shapes. '
            'Hence the notion of "input shape" is ill-defined for the layer. Use '
            "`get_input_shape_at(node_index)` instead."
        )

    @property
    def output_shape(self) -> Any:
        """The shapes of the outputs, if they are the same in all calls."""
        if not self._inbound_nodes:
            raise AttributeError(
                "The layer has never been called and thus has no defined output shape."
            )
        if len({str(node.output_shapes) for node in self._inbound_nodes}) == 1:
            return self._inbound_nodes[0].output_shapes
        raise AttributeError(
            f'The layer "{self.name}" has multiple inbound nodes, with different output shapes. '
            'Hence the notion of "output shape" is ill-defined for the layer. Use '
            "`get_output_shape_at(node_index)` instead."
        )

    def _set_connectivity_metadata_(
        self, inputs: Any, outputs: Any, args: Any, kwargs: Any
    ) -> tuple[Any, Any]:
        """Makes a node of a call; outputs that are inputs become tensors of their own."""
        ids = {id(x) for x in nest.flatten(inputs)}
        flat = []
        for x in nest.flatten(outputs):
            if id(x) in ids:
                with backend.name_scope(self.name):
                    x = array_ops.identity(x)
            flat.append(x)
        outputs = nest.pack_sequence_as(outputs, flat)
        arguments = dict(zip(self._call_fn_args[1:], args, strict=False))
        arguments.update(kwargs)
        self._add_inbound_node(inputs, outputs, arguments)
        return inputs, outputs

    def _add_inbound_node(
        self, input_tensors: Any, output_tensors: Any, arguments: Any = None
    ) -> None:
        from tf1compat.api.keras.engine.base_layer import KerasHistory

        def history(place: int) -> Any:
            return nest.map_structure(lambda x: x._keras_history[place], input_tensors)

        node_module.Node(
            self, inbound_layers=history(0), node_indices=history(1), tensor_indices=history(2),
            input_tensors=input_tensors, output_tensors=output_tensors, arguments=arguments,
        )  # fmt: skip
        for i, x in enumerate(nest.flatten(output_tensors)):
            x._keras_history = KerasHistory(self, len(self._inbound_nodes) - 1, i)

    # Masks.

    @property
    def _should_compute_mask(self) -> bool:
        return "mask" in self._call_fn_args or getattr(self, "compute_mask", None) is not None

    # The arguments of a call; the first of `_call_fn_args` are the inputs.

    def _call_arg_was_passed(
        self, arg_name: str, args: Any, kwargs: Any, inputs_in_args: bool = False
    ) -> bool:
        names = self._call_fn_args[0 if inputs_in_args else 1 :]
        return arg_name in kwargs or arg_name in names[: len(args)]

    def _get_call_arg_value(
        self, arg_name: str, args: Any, kwargs: Any, inputs_in_args: bool = False
    ) -> Any:
        names = self._call_fn_args[0 if inputs_in_args else 1 :]
        return {**dict(zip(names, args, strict=False)), **kwargs}[arg_name]

    def _collect_input_masks(self, inputs: Any, args: Any, kwargs: Any) -> Any:
        """The masks of the inputs, or the one that the call is given; None if there is none."""
        if self._call_arg_was_passed("mask", args, kwargs):
            return self._get_call_arg_value("mask", args, kwargs)
        if not self._should_compute_mask:
            return None
        masks = nest.map_structure(lambda x: getattr(x, "_keras_mask", None), inputs)
        return None if generic_utils.is_all_none(masks) else masks

    def _set_mask_metadata(self, inputs: Any, outputs: Any, previous_mask: Any) -> None:
        """Gives each output its mask."""
        flat = nest.flatten(outputs)
        computed = self._compute_output_and_mask_jointly or all(
            getattr(x, "_keras_mask", None) is not None for x in flat
        )
        masks: list[Any] = [None for _ in flat]
        if computed:
            masks = [getattr(x, "_keras_mask", None) for x in flat]
        elif hasattr(self, "compute_mask") and (
            self.supports_masking or not getattr(self.compute_mask, "_is_default", False)
        ):
            found = self.compute_mask(inputs, previous_mask)
            if found is not None:
                masks = nest.flatten(found)
        for x, mask in zip(flat, masks, strict=False):
            try:
                x._keras_mask = mask
            except AttributeError:  # What takes no attributes has no mask either.
                continue
            if mask is not None and tf_utils.is_symbolic_tensor(x):
                mask._keras_history_checked = True
