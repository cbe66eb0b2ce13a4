"""Fake quantization of the weights and activations of a graph."""

from __future__ import annotations

import dataclasses
import logging
from typing import Any

from tf1compat.api.contrib.quantize import common, quant_ops
from tf1compat.api.contrib.quantize.graph_matcher import GraphMatcher, OneofPattern, OpTypePattern
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.graph import Graph

_LAYERS = "Conv2D|DepthwiseConv2dNative|MatMul"
_ADD = "Add|AddV2"
_ACTIVATIONS = ("Relu", "Relu6", "Identity")
_RELUS = ("Relu", "Relu6")
_ELEMENTWISE = ("Add", "AddV2", "Mul")
_FAKE_QUANT = (
    "FakeQuantWithMinMaxVars",
    "FakeQuantWithMinMaxArgs",
    "FakeQuantWithMinMaxVarsPerChannel",
)
_PASSING = ("Reshape", "Identity", "BatchToSpaceND", "SpaceToBatchND", "MaxPool", "Max")

_log = logging.getLogger("tensorflow")


@dataclasses.dataclass
class _Layer:
    """A convolution or product, and what comes after it."""

    op: Any
    weights: Any
    activation: Any
    bypass: Any = None  # an addition of something else, before the activation
    later_bypass: Any = None  # one after it
    bias_add: Any = None


def Quantize(
    graph: Graph,
    is_training: bool,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    ema_decay: float = 0.999,
    quant_delay: Any = None,
    vars_collection: Any = ops.GraphKeys.GLOBAL_VARIABLES,
    scope: Any = None,
) -> None:
    """Puts fake quantization behind the weights and the activations of layers.

    Args:
      graph: it is changed.
      is_training: whether ranges are learnt.
      weight_bits: of weights.
      activation_bits: of activations.
      symmetric: whether ranges lie about 0.
      ema_decay: how much of an activation's old range stays.
      quant_delay: how many steps nothing is quantized at first.
      vars_collection: where the ranges' variables are added.
      scope: only what is in this scope is quantized.

    Raises:
      ValueError: what follows a layer is not fed by it any more.
    """
    if scope and not scope.endswith("/"):
        scope += "/"
    insert = _Inserter(graph, is_training, symmetric, ema_decay, quant_delay, vars_collection)
    done: set[Any] = set()
    for layer in _layers(graph):
        context = _scope_of(layer.op.name)
        if layer.weights is not None:
            insert.weights(context, layer.weights.op, weight_bits, scope)
        outer = _scope_of(context) if layer.bypass else context
        insert.activation(
            outer, "act_quant", layer.activation, activation_bits, scope, init_min=0.0
        )
        done.add(layer.activation)
        if layer.bypass is not None:
            bits = activation_bits
            insert.activation(context, "conv_quant", layer.bias_add, bits, scope, scope)
            done.add(layer.bias_add)
            if not insert.leads_to(layer.bypass, _ACTIVATIONS):
                insert.activation(outer, "add_quant", layer.bypass, bits, scope, scope)
                done.add(layer.bypass)
        later = layer.later_bypass
        if later is not None and not insert.leads_to(later, _RELUS):
            name = "post_activation_bypass_quant"
            insert.activation(_scope_of(later.name), name, later, activation_bits, scope)
            done.add(later)
    insert = dataclasses.replace(insert, symmetric=False)
    for op in graph.get_operations():
        if _needs_quantization(op, done):
            _log.info("Inserting fake quant op activation_%s_quant after %s", op.type, op.name)
            name = f"activation_{op.type}_quant"
            insert.activation(op.name, name, op, activation_bits, scope)


def _scope_of(name: str) -> str:
    return name.rpartition("/")[0]


# ---- Finding layers ----------


def _layers(graph: Graph) -> list[_Layer]:
    """The layers, first those followed by most."""
    variable = OpTypePattern("Variable|VariableV2")
    part = OpTypePattern("Identity", inputs=[variable])
    joined = OpTypePattern("ConcatV2", inputs=[part, "*", "*"])
    read = OpTypePattern("Identity", inputs=[OneofPattern([part, joined, variable])])
    resource = OpTypePattern("ReadVariableOp")
    folded = OpTypePattern("Mul")
    weights = (read, resource, folded)

    def either_way(op_type: str, *inputs: Any) -> OpTypePattern:
        return OpTypePattern(op_type, inputs=list(inputs), ordered_inputs=False)

    layer = either_way(_LAYERS, "*", OneofPattern(weights))
    spaced = OpTypePattern("BatchToSpaceND", inputs=[layer, "*", "*"])
    output = OneofPattern([spaced, layer])
    separable = either_way(_LAYERS, OneofPattern([output]), "*")
    corrected = either_way(_ADD, either_way("Mul", "*", output), "*")
    folded_bias = either_way(_ADD, corrected, "*")
    identity = OpTypePattern("Identity", inputs=[folded_bias])
    bias = either_way(f"{_ADD}|BiasAdd", output, "*")
    bypass = either_way(_ADD, OneofPattern([bias, folded_bias, identity]), "*")
    activation = OpTypePattern(
        "|".join(_ACTIVATIONS),
        inputs=[OneofPattern([bias, folded_bias, identity, bypass, layer])],
    )
    later_bypass = either_way(_ADD, "*", activation)

    found: dict[Any, _Layer] = {}

    def keep(match: Any, kinds: Any, **parts: Any) -> None:
        op = match.get_op(layer)
        if op not in found:
            tensors = (match.get_tensor(pattern) for pattern in kinds)
            own = next((tensor for tensor in tensors if tensor is not None), None)
            found[op] = _Layer(op, own, **parts)

    def either(match: Any, *patterns: Any) -> Any:
        made = (match.get_op(pattern) for pattern in patterns)
        return next((op for op in made if op is not None), None)

    for match in GraphMatcher(later_bypass).match_graph(graph):
        keep(
            match,
            weights,
            activation=match.get_op(activation),
            bypass=match.get_op(bypass),
            later_bypass=match.get_op(later_bypass),
            bias_add=either(match, bias, folded_bias),
        )
    for match in GraphMatcher(activation).match_graph(graph):
        if not _feeds_batch_norm(match.get_op(activation)):
            keep(
                match,
                weights,
                activation=match.get_op(activation),
                bypass=match.get_op(bypass),
                bias_add=either(match, bias, folded_bias),
            )
    for match in GraphMatcher(OneofPattern([bias, folded_bias])).match_graph(graph):
        keep(match, weights, activation=either(match, bias, folded_bias))
    for match in GraphMatcher(separable).match_graph(graph):
        if match.get_op(layer) is not None:
            keep(match, (read, resource), activation=match.get_op(layer))
    return list(found.values())


def _feeds_batch_norm(activation: Any) -> bool:
    """Whether it is an identity between a layer and its batch normalization."""
    if activation.type != "Identity" or len(activation.outputs) != 1:
        return False
    consumers = activation.outputs[0].consumers()
    return len(consumers) == 1 and consumers[0].type in ("FusedBatchNorm", "FusedBatchNormV3")


def _needs_quantization(op: Any, done: set[Any]) -> bool:
    """Whether an addition or product, not of a layer, works on what is quantized."""
    if op in done or op.type not in _ELEMENTWISE:
        return False
    if len(op.outputs) == 1:
        consumers = op.outputs[0].consumers()
        if len(consumers) == 1 and consumers[0].type in _RELUS:
            return False
    for tensor in op.inputs:
        source = tensor.op
        while source.type in _PASSING:
            source = source.inputs[0].op
        if source.type == _FAKE_QUANT[0] or source.name.find("delayed_quant/Merge") > 0:
            return True
        if source.type in _ELEMENTWISE:
            if any(_needs_quantization(x.op, done) for x in source.inputs):
                return True
    return False


# ---- Inserting operations ----------


@dataclasses.dataclass
class _Inserter:
    """Puts fake quantization between operations."""

    graph: Any
    is_training: bool
    symmetric: bool
    ema_decay: float
    quant_delay: Any
    collection: Any

    def __post_init__(self) -> None:
        self._consumers = common.InputToOps(self.graph)

    def leads_to(self, op: Any, types: tuple[str, ...]) -> bool:
        """Whether one of the operations that it is fed to is of some types."""
        return any(consumer.type in types for consumer in self._consumers.consumers(op))

    def weights(self, context: str, producer: Any, bits: int, scope: Any) -> None:
        """Behind weights: of the range of their last values, narrow."""
        consumers = self._within(scope, self._consumers.consumers(producer))
        if consumers is None or _is_quantized(producer.outputs[0]):
            return
        name = self._name(context, "weights_quant")
        quantized = quant_ops.LastValueQuantize(
            producer.outputs[0],
            is_training=self.is_training,
            num_bits=bits,
            symmetric=self.symmetric,
            narrow_range=True,
            vars_collection=self.collection,
            name_prefix=name,
        )
        self._feed(quantized, producer.outputs[0], consumers, name)

    def activation(
        self,
        context: str,
        name: str,
        producer: Any,
        bits: int,
        scope: Any = None,
        consumer_scope: Any = None,
        init_min: float = -6.0,
    ) -> None:
        """Behind an activation: of a moving average of its range."""
        if scope and not producer.name.startswith(scope):
            return
        consumers = self._within(consumer_scope, self._consumers.consumers(producer))
        if consumers is None or _is_quantized(producer.outputs[0]):
            return
        name = self._name(context, name)
        quantized = quant_ops.MovingAvgQuantize(
            producer.outputs[0],
            init_min=init_min,
            ema_decay=self.ema_decay,
            is_training=self.is_training,
            num_bits=bits,
            symmetric=self.symmetric,
            vars_collection=self.collection,
            name_prefix=name,
        )
        self._feed(quantized, producer.outputs[0], consumers, name)

    @staticmethod
    def _within(scope: Any, consumers: list[Any]) -> list[Any] | None:
        """The consumers, if all of them are in the scope."""
        if scope and not all(op.name.startswith(scope) for op in consumers):
            return None
        return consumers

    def _name(self, context: str, name: str) -> str:
        name = f"{context}/{name}" if context else name
        current = ops.get_name_scope()
        return name.removeprefix(f"{current}/") if current else name

    def _feed(self, quantized: Any, tensor: Any, consumers: list[Any], name: str) -> None:
        if self.quant_delay and self.quant_delay > 0:
            step = common.create_or_get_quantization_step()
            active = math_ops.greater_equal(step, self.quant_delay, name=f"{name}/activate_quant")
            on = quantized
            quantized = control_flow_ops.cond(
                active, lambda: on, lambda: tensor, name=f"{name}/delayed_quant"
            )
        if consumers:
            count = common.reroute_tensor(quantized, tensor, can_modify=consumers)
            if count < len(consumers):
                names = ", ".join(op.name for op in consumers)
                raise ValueError(f"No inputs quantized for ops: [{names}]")


def _is_quantized(tensor: Any) -> bool:
    consumers = list(tensor.consumers())
    while consumers:
        op = consumers.pop()
        if op.type in _FAKE_QUANT:
            return True
        if op.type in ("Reshape", "Identity"):
            consumers += [consumer for output in op.outputs for consumer in output.consumers()]
    return False
