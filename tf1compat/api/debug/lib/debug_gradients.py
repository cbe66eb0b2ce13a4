"""Gradients by the tensors that they are of (`tensorflow.python.debug.lib.debug_gradients`)."""

from __future__ import annotations

import re
import uuid
from typing import Any

from tf1compat.api.debug.lib import debug_dump, debug_graphs
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core import gradient_registry, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

_TAG = "gradient_debug_"
_debuggers: dict[str, GradientsDebugger] = {}


class GradientsDebugger:
    """Finds the gradients of tensors, as tf_debug.GradientsDebugger in TF 1.15.

    Args:
      y_tensor: what is differentiated, if its graph is to be the only one.
    """

    def __init__(self, y_tensor: Tensor | None = None):
        self._uuid = uuid.uuid4().hex
        _debuggers[self._uuid] = self
        self._gradients: dict[str, Tensor] = {}
        self._y_tensor = y_tensor
        self._graph = None if y_tensor is None else y_tensor.graph
        self._is_active = False

    y_tensor: Tensor | None = attribute("_y_tensor", "What is differentiated.")
    graph = attribute("_graph", "The graph.")

    def __enter__(self) -> None:
        self._is_active = True

    def __exit__(self, *error: object) -> None:
        self._is_active = False

    def identify_gradient(self, input_tensor: Tensor) -> Tensor:
        """An identity of a tensor, whose gradient is noted when it is made.

        Args:
          input_tensor: the tensor.

        Raises:
          ValueError: the graph has an operation of the identity's name.
        """
        node, slot = debug_graphs.parse_node_or_tensor_name(input_tensor.name)
        name = f"{node}_{slot}/{_TAG}{self._uuid}"
        is_ref = input_tensor.dtype._is_ref_dtype
        identity = raw_ops.function(
            "DebugGradientRefIdentity" if is_ref else "DebugGradientIdentity"
        )
        result = identity(input_tensor, name=name)
        if result.op.name != name:
            raise ValueError(f"The graph already contains an op named {name}")
        return result

    def watch_gradients_by_tensors(self, graph: ops.Graph, tensors: Any) -> GradientsDebugger:
        """Has the gradients of some tensors noted, which have consumers already.

        Args:
          graph: their graph.
          tensors: a tensor or variable, or a list.
        """
        listed = tensors if isinstance(tensors, list) else [tensors]
        names = "|".join(re.escape(tensor.name) + "$" for tensor in listed)
        return self.watch_gradients_by_tensor_names(graph, f"({names})")

    def watch_gradients_by_tensor_names(
        self, graph: ops.Graph, tensor_name_regex: str
    ) -> GradientsDebugger:
        """As `watch_gradients_by_tensors`, of the tensors whose names match."""
        pattern = re.compile(tensor_name_regex)
        with graph.as_default():
            for op in graph.get_operations():
                for output in op.outputs:
                    if pattern.match(output.name):
                        self._put_between(output)
        return self

    def _put_between(self, tensor: Tensor) -> None:
        identity = self.identify_gradient(tensor)
        for consumer in tensor.consumers():
            for i, taken in enumerate(consumer.inputs):
                if taken is tensor and consumer is not identity.op:
                    consumer._update_input(i, identity)

    def register_gradient_tensor(self, x_tensor_name: str, gradient_tensor: Tensor) -> None:
        """Notes the gradient of a tensor, if this debugger is the one that is asked.

        Raises:
          ValueError: it is of another graph.
        """
        if len(_debuggers) != 1 and not self._is_active:
            return
        if self._graph is None:
            self._graph = gradient_tensor.graph
        elif self._graph is not gradient_tensor.graph:
            raise ValueError(
                f"The graph of the value ({gradient_tensor.graph}) is not the same as the graph "
                f"{self._graph}"
            )
        self._gradients[x_tensor_name] = gradient_tensor

    def gradient_tensor(self, x_tensor: Any) -> Tensor:
        """The gradient of a tensor, a variable, or what has a name.

        Raises:
          TypeError: `x_tensor` is none of these.
          LookupError: there is none.
        """
        if isinstance(x_tensor, Tensor | Variable):
            name = x_tensor.name
        elif isinstance(x_tensor, str):
            name = x_tensor
        else:
            raise TypeError(
                "x_tensor must be a str or tf.Tensor or tf.Variable, but instead has type "
                f"{type(x_tensor)}"
            )
        if name not in self._gradients:
            raise LookupError(
                "This GradientsDebugger has not received any gradient tensor for x-tensor " + name
            )
        return self._gradients[name]

    def gradient_tensors(self) -> dict[str, Tensor]:
        """Name of a tensor -> its gradient."""
        return self._gradients


def clear_gradient_debuggers() -> None:
    """Forgets all debuggers."""
    _debuggers.clear()


@gradient_registry.RegisterGradient("DebugGradientIdentity")
def _identity_grad(op: Operation, dy: Tensor) -> Tensor:
    *scopes, place, tag = op.name.split("/")
    node, _, slot = place.rpartition("_")
    debugger = _debuggers[tag.removeprefix(_TAG).partition("_")[0]]
    debugger.register_gradient_tensor("/".join([*scopes, node]) + f":{slot}", dy)
    return dy


gradient_registry.RegisterGradient("DebugGradientRefIdentity")(_identity_grad)


def gradient_values_from_dump(
    grad_debugger: GradientsDebugger, x_tensor: Any, dump: debug_dump.DebugDumpDir
) -> list[Any]:
    """The values of a tensor's gradient in a dump; none if it was not computed.

    Args:
      grad_debugger: the debugger that knows the gradient.
      x_tensor: see `GradientsDebugger.gradient_tensor`.
      dump: the dump.

    Raises:
      LookupError, TypeError: see `GradientsDebugger.gradient_tensor`.
      ValueError: the dump is of another graph.
    """
    graph = dump.python_graph
    if graph and grad_debugger.graph and graph is not grad_debugger.graph:
        raise ValueError(
            f"This GradientsDebugger instance has a graph ({grad_debugger.graph}) that differs "
            f"from the graph of the DebugDumpDir object ({graph})."
        )
    name = grad_debugger.gradient_tensor(x_tensor).name
    node, slot = debug_graphs.parse_node_or_tensor_name(name)
    try:
        return dump.get_tensors(node, slot or 0, "DebugIdentity")
    except debug_dump.WatchKeyDoesNotExistInDebugDumpDirError:
        return []
