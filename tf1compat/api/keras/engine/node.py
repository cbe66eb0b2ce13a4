"""One call of a layer (`tensorflow.python.keras.engine.node`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.core import nest, ops


class Node:
    """What a layer was called with and what it gave.

    Args:
      outbound_layer: the layer.
      inbound_layers, node_indices, tensor_indices: of each input the layer it comes from, which of
        its calls, which of its outputs.
      input_tensors, output_tensors: in the structures that the call had.
      arguments: further arguments of the call.
    """

    def __init__(
        self, outbound_layer: Any, inbound_layers: Any, node_indices: Any, tensor_indices: Any,
        input_tensors: Any, output_tensors: Any, arguments: Any = None,
    ):  # fmt: skip
        if isinstance(outbound_layer, list | tuple | dict):
            raise ValueError(
                "`outbound_layer` should be a layer instance, not a list, tuple, or, dict."
            )
        self.outbound_layer = outbound_layer
        self.inbound_layers = inbound_layers
        self.node_indices = node_indices
        self.tensor_indices = tensor_indices
        self.input_tensors = input_tensors
        self.output_tensors = output_tensors
        self.input_shapes = nest.map_structure(backend.int_shape, input_tensors)
        self.output_shapes = nest.map_structure(backend.int_shape, output_tensors)
        self.arguments = arguments
        for x in nest.flatten(arguments):
            if isinstance(x, ops.Tensor) and base_layer_utils.needs_keras_history(
                x, ignore_call_context=True
            ):
                base_layer_utils.create_keras_history(x)
        for layer in nest.flatten(inbound_layers):
            if layer is not None:
                layer.outbound_nodes.append(self)
        outbound_layer.inbound_nodes.append(self)

    def iterate_inbound(self, include_arguments: bool = False) -> list[tuple[Any, ...]]:
        """(layer, index of its node, index of the tensor, tensor) of each input; of tensors among
        the arguments too if asked for."""
        parts = self.inbound_layers, self.node_indices, self.tensor_indices, self.input_tensors
        found = list(zip(*map(nest.flatten, parts), strict=False))
        further = nest.flatten(self.arguments) if include_arguments else []
        return found + [(*x._keras_history, x) for x in further if hasattr(x, "_keras_history")]

    def _get_all_node_dependencies(self) -> list[Node]:
        """The nodes that inputs and arguments come from."""
        found = [layer._inbound_nodes[index] for layer, index, _, _ in self.iterate_inbound()]
        for x in nest.flatten(self.arguments):
            if isinstance(x, ops.Tensor) and hasattr(x, "_keras_history"):
                history = x._keras_history  # pyright: ignore[reportAttributeAccessIssue]
                found.append(history.layer._inbound_nodes[history.node_index])
        return found

    def get_config(self) -> dict[str, Any]:
        """The names of the layers, and the indices."""
        return {
            "outbound_layer": self.outbound_layer.name,
            "inbound_layers": nest.map_structure(
                lambda layer: layer.name if layer else None, self.inbound_layers
            ),
            "node_indices": self.node_indices,
            "tensor_indices": self.tensor_indices,
        }
