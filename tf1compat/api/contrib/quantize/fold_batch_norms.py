"""Batch normalization folded into the weights of the layer before it."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.quantize import common
from tf1compat.api.contrib.quantize.graph_matcher import GraphMatcher, OneofPattern, OpTypePattern
from tf1compat.api.control_flow.control_flow_ops import smart_cond
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_convolution, nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.gradient_registry import RegisterGradient
from tf1compat.core.graph import Graph

_BATCH_NORM = re.compile("^(.*)BatchNorm/batchnorm")
_ENDPOINTS = ("Relu6", "Relu", "Identity")


@dataclasses.dataclass
class _BatchNorm:
    """A batch normalization and the layer before it."""

    gamma: Any
    mean: Any  # of the batch
    variance: Any
    epsilon: Any
    moving_mean: Any = None
    moving_variance: Any = None
    decay_of_mean: Any = None
    decay_of_variance: Any = None
    op: Any = None
    layer: Any = None
    input: Any = None
    weights: Any = None
    beta: Any = None
    output: Any = None
    batch_to_space: Any = None


def FoldBatchNorms(graph: Graph, is_training: bool, freeze_batch_norm_delay: Any = None) -> None:
    """Folds the batch normalizations of a graph into the weights before them.

    Args:
      graph: it is changed.
      is_training: whether unfused ones are corrected, so that the weights are scaled by the moving
        averages and the results by the batch's.
      freeze_batch_norm_delay: after how many steps the moving averages alone are used; None for
        never.

    Raises:
      ValueError: nothing uses the result, or an operation is of another kind.
    """
    for found in _fused(graph):
        _fold_fused(graph, found, freeze_batch_norm_delay)
    _fold_unfused(graph, is_training, freeze_batch_norm_delay)


# ---- FusedBatchNorm ----------


def _fused(graph: Graph) -> list[_BatchNorm]:
    any_ = [OpTypePattern("*") for _ in range(6)]
    input_, weights, gamma, beta, mean, variance = any_
    layer = OpTypePattern("Conv2D|DepthwiseConv2dNative|MatMul", inputs=[input_, weights])
    spaced = OpTypePattern("BatchToSpaceND", inputs=[layer, "*", "*"])
    identity = OpTypePattern("Identity", inputs=[OneofPattern([spaced, layer])])
    output = OneofPattern([identity, layer, spaced])
    reshaped = OpTypePattern("Reshape", inputs=[output, "*"])
    norm = OpTypePattern(
        "FusedBatchNorm|FusedBatchNormV3",
        inputs=[OneofPattern([reshaped, output]), gamma, beta, mean, variance],
    )
    reshaped_back = OpTypePattern("Reshape", inputs=[norm, "*"])
    moving, decay = OpTypePattern("*"), OpTypePattern("*")
    difference = OpTypePattern("Sub", inputs=[moving, norm])
    update = GraphMatcher(OpTypePattern("Mul", inputs=[difference, decay]))

    def made(match: Any) -> _BatchNorm | None:
        op, layer_op = match.get_op(norm), match.get_op(layer)
        result = op.outputs[0]
        if layer_op.type == "MatMul":
            back = match.get_op(reshaped_back)
            if back is None:
                return None
            result = back.outputs[0]
        if not result.consumers():
            return None
        found = _BatchNorm(
            gamma=match.get_tensor(gamma),
            mean=match.get_tensor(mean),
            variance=match.get_tensor(variance),
            epsilon=op.get_attr("epsilon"),
            op=op,
            layer=layer_op,
            input=match.get_tensor(input_),
            weights=match.get_tensor(weights),
            beta=match.get_tensor(beta),
            output=result,
            batch_to_space=match.get_op(spaced),
        )
        if op.get_attr("is_training"):
            _use_statistics_of_batch(found, match.get_tensor(layer))
            for change in update.match_graph(graph):
                sub = change.get_op(difference)
                if sub.inputs[1].name == op.outputs[1].name:
                    found.moving_mean = sub.inputs[0]
                    found.decay_of_mean = change.get_tensor(decay)
                if sub.inputs[1].name == op.outputs[2].name:
                    found.moving_variance = sub.inputs[0]
                    found.decay_of_variance = change.get_tensor(decay)
        return found

    by_layer: dict[Any, _BatchNorm] = {}
    for match in GraphMatcher(OneofPattern([reshaped_back, norm])).match_graph(graph):
        found = made(match)
        if found is not None:
            by_layer.setdefault(found.layer, found)
    return list(by_layer.values())


def _use_statistics_of_batch(found: _BatchNorm, layer_tensor: Any) -> None:
    # Its output is not used any more, only its statistics are.
    found.op._attrs["_gradient_op_type"] = b"FoldFusedBatchNormGrad"
    found.mean = found.op.outputs[1]
    scope, slash, _ = found.op.name.rpartition("/")
    graph = ops.get_default_graph()
    with graph.as_default(), graph.name_scope(scope + slash):
        count = array_ops.size(layer_tensor) / array_ops.size(found.mean)
        n = math_ops.cast(count, dtypes.float32)
        found.variance = math_ops.multiply(
            found.op.outputs[2], (n - 1) / n, name="Undo_Bessel_Correction"
        )


@RegisterGradient("FoldFusedBatchNormGrad")
def _gradient_of_statistics(
    op: Any, unused_grad_y: Any, grad_mean: Any, grad_var: Any, *unused: Any
) -> tuple[Any, ...]:
    x = op.inputs[0]
    n = math_ops.cast(array_ops.size(x) / array_ops.size(grad_mean), dtypes.float32)
    of_mean = grad_mean / n
    of_variance = 2 * grad_var * (x - op.outputs[1]) / (n - 1)
    return of_mean + of_variance, None, None, None, None


def _fold_fused(graph: Graph, found: _BatchNorm, freeze_delay: Any) -> None:
    scope, slash, _ = found.layer.name.rpartition("/")
    outer = scope + slash
    with graph.as_default(), graph.name_scope(outer):
        scale = recip = offset = None
        with graph.name_scope(f"{outer}BatchNorm_Fold{slash}"):
            multiplier = found.gamma * math_ops.rsqrt(found.variance + found.epsilon)
            bias = math_ops.subtract(found.beta, found.mean * multiplier, name="bias")
            if found.op.get_attr("is_training"):
                scale, recip, offset = _corrections("", found, freeze_delay)
            if found.layer.type == "DepthwiseConv2dNative":
                shape = found.weights.get_shape().as_list()[2:4]
                multiplier = array_ops.reshape(multiplier, shape, name="scale_reshape")
                if scale is not None:
                    scale = array_ops.reshape(scale, shape, name="correction_reshape")
        weights = found.weights
        if scale is not None:
            weights = math_ops.multiply(scale, weights, name="correction_mult")
        folded = math_ops.multiply(weights, multiplier, name="mul_fold")
        name = found.layer.name.split("/")[-1] + "_Fold"
        y = _layer_like(found.layer, found.input, folded, name)
        if found.layer.type == "DepthwiseConv2dNative" and found.batch_to_space:
            spaced = found.layer.outputs[0].consumers()[0]
            name = spaced.name.split("/")[-1] + "_Fold"
            y = array_ops.batch_to_space_nd(y, spaced.inputs[1], spaced.inputs[2], name=name)
        if recip is not None:
            y = math_ops.multiply(recip, y, name="post_conv_mul")
            y = math_ops.add(y, offset, "correction_add")
        y = math_ops.add(y, bias, name="add_fold")
        if common.reroute_tensor(y, found.output) == 0:
            raise ValueError(f"Folding batch norms failed, {found.output.name} had no outputs.")


def _layer_like(layer: Any, x: Any, weights: Any, name: str) -> Any:
    """A layer's operation on other tensors."""
    attr = layer.get_attr
    if layer.type == "Conv2D":
        return nn_ops.conv2d(
            x,
            weights,
            strides=attr("strides"),
            padding=attr("padding"),
            use_cudnn_on_gpu=attr("use_cudnn_on_gpu"),
            data_format=attr("data_format").decode(),
            name=name,
        )
    if layer.type == "MatMul":
        transposed = {key: attr(key) for key in ("transpose_a", "transpose_b")}
        return math_ops.matmul(x, weights, **transposed, name=name)
    if layer.type == "DepthwiseConv2dNative":
        return nn_convolution.depthwise_conv2d(
            x, weights, strides=attr("strides"), padding=attr("padding"), name=name
        )
    raise ValueError(f"Cannot handle operation of type: {layer.type}")


def _corrections(prefix: str, found: _BatchNorm, freeze_delay: Any) -> tuple[Any, Any, Any]:
    """What weights are multiplied by, and what results are multiplied by and is added to them.

    The weights are those of the moving averages, which change slowly; the results those of the
    batch, until the averages are frozen.
    """
    graph = ops.get_default_graph()
    with graph.name_scope(f"{prefix}batch_norm_correction"):
        of_moving = math_ops.rsqrt(found.moving_variance + found.epsilon)
        of_batch = math_ops.rsqrt(found.variance + found.epsilon)
        scale = math_ops.divide(of_moving, of_batch, name="scale_compute")
        scale = array_ops.identity(scale, name="correction_scale")
        recip = math_ops.reciprocal(scale, name="reciprocal_compute")
        shift = found.mean * of_batch - found.moving_mean * of_moving
        offset = math_ops.multiply(found.gamma, shift, name="offset_compute")
        frozen: Any = False
        if freeze_delay is not None:
            step = common.create_or_get_quantization_step()
            frozen = math_ops.greater_equal(step, freeze_delay, name="use_moving_average")
        for decay, name in (
            (found.decay_of_mean, "freeze_moving_mean"),
            (found.decay_of_variance, "freeze_moving_var"),
        ):
            consumers = list(decay.consumers())
            used = smart_cond(frozen, lambda: 0.0, lambda decay=decay: decay, name=name)
            if used is not decay:
                common.reroute_tensor(used, decay, can_modify=consumers)
        recip_now = smart_cond(
            frozen, lambda: array_ops.ones(scale.shape), lambda: recip, name="correction_recip"
        )
        offset_now = smart_cond(
            frozen, lambda: offset, lambda: array_ops.zeros(offset.shape), name="correction_offset"
        )
    return scale, recip_now, offset_now


# ---- Batch normalization of many operations ----------


def _groups(graph: Graph) -> list[str]:
    """What stands before "BatchNorm/batchnorm" in names, each once."""
    matches = (_BATCH_NORM.search(op.name) for op in graph.get_operations())
    names = dict.fromkeys(match.group(1) for match in matches if match)
    return [name for name in names if not name.startswith(common.SKIPPED_PREFIXES)]


def _fold_unfused(graph: Graph, is_training: bool, freeze_delay: Any) -> None:
    consumers = common.InputToOps(graph)
    for group in _groups(graph):
        rsqrt = graph.get_operation_by_name(f"{group}BatchNorm/batchnorm_1/Rsqrt")
        scaled = sum(op.type == "Mul" for op in consumers.consumers(rsqrt)) == 1
        last = graph.get_operation_by_name(f"{group}BatchNorm/batchnorm_1/add_1")
        if not last.outputs[0].consumers():
            continue
        folded = _folded(graph, group, scaled, freeze_delay, is_training)
        user = _endpoint(graph, group)
        if user is None:
            outer = group.rstrip("/").rpartition("/")[0]
            user = graph.get_operation_by_name(f"{outer}/AddV2" if outer else "AddV2")
        if common.reroute_tensor(folded.outputs[0], last.outputs[0], can_modify=[user]) != 1:
            raise ValueError(f"Unexpected inputs to op: {user.name}")


def _endpoint(graph: Graph, group: str) -> Any:
    """The activation of a group, if there is one."""
    for suffix in _ENDPOINTS:
        try:
            return graph.get_operation_by_name(group + suffix)
        except KeyError:
            pass
    return None


def _statistics(graph: Graph, group: str, scaled: bool) -> _BatchNorm:
    """The tensors of a group, found by their names."""
    resource = variable_scope.get_variable_scope().use_resource

    def variable(name: str, read: str) -> Any:
        return found(f"{name}/Read/ReadVariableOp" if resource else name + read)

    def found(suffix: str) -> Any:
        """Of the tensors of that name the one whose scopes are most like the group's."""
        scopes = set(group.split("/"))
        counts = {
            op.name: len(scopes.intersection(op.name.split("/")))
            for op in graph.get_operations()
            if op.name.endswith(f"BatchNorm/{suffix}")
        }
        counts = {name: count for name, count in counts.items() if count > 0 or not group}
        if not counts:
            return None
        return graph.get_tensor_by_name(max(counts, key=lambda name: counts[name]) + ":0")

    moving_mean = variable("moving_mean", "/read")
    gamma = variable("gamma", "") if scaled else array_ops.ones(moving_mean.shape)
    return _BatchNorm(
        gamma=gamma,
        mean=found("moments/Squeeze"),
        variance=found("moments/Squeeze_1"),
        epsilon=found("batchnorm_1/add/y"),
        moving_mean=moving_mean,
        moving_variance=variable("moving_variance", "/read"),
        decay_of_mean=found("AssignMovingAvg/decay"),
        decay_of_variance=found("AssignMovingAvg_1/decay"),
    )


def _folded(graph: Graph, group: str, scaled: bool, freeze_delay: Any, is_training: bool) -> Any:
    """The operation whose output is that of the batch normalization."""
    inside = f"{group}BatchNorm/batchnorm_1/"
    mul = graph.get_operation_by_name(inside + ("mul_1" if scaled else "mul"))
    layer, spaced = mul.inputs[0].op, None
    if layer.type == "BatchToSpaceND":
        layer, spaced = layer.inputs[0].op, layer
    weights = layer.inputs[1]
    statistics = _statistics(graph, group, scaled)
    scale = recip = offset = None
    if is_training:
        scale, recip, offset = _corrections(group, statistics, freeze_delay)
    if layer.type not in ("Conv2D", "DepthwiseConv2dNative", "MatMul"):
        raise ValueError(f"Cannot handle operation of type: {layer.type}")
    multiplier = mul.inputs[1]
    if layer.type == "DepthwiseConv2dNative":
        shape = weights.get_shape().as_list()[2:4]
        op = graph.get_operation_by_name(inside + ("mul" if scaled else "Rsqrt"))
        multiplier = array_ops.reshape(op.outputs[0], shape, f"{group}scale_reshape")
        if scale is not None:
            scale = array_ops.reshape(scale, shape, f"{group}correction_reshape")
    if scale is not None:
        with ops.device(mul.device):
            weights = math_ops.multiply(scale, weights, f"{group}correction_mult")
    fold = math_ops.multiply(weights, multiplier, name=f"{group}mul_fold").op
    _same_shape("mul_fold", fold)
    _check_operands(layer, fold.outputs[0])
    y = _layer_like(layer, layer.inputs[0], fold.outputs[0], f"{layer.name}_Fold")
    device = y.op.device
    if spaced is not None:
        name = f"{spaced.name}_Fold"
        y = array_ops.batch_to_space_nd(y, spaced.inputs[1], spaced.inputs[2], name=name)
    if offset is not None:
        with ops.device(device):
            y = math_ops.multiply(recip, y, f"{group}post_conv_mul")
            y = math_ops.add(y, offset, f"{group}correction_add")
    shift = graph.get_operation_by_name(f"{inside}add_1").inputs[1]
    folded = math_ops.add(y, shift, name=f"{group}add_fold").op
    _same_shape("add_fold", folded)
    return folded


def _same_shape(name: str, op: Any) -> None:
    before, after = op.inputs[0].get_shape(), op.outputs[0].get_shape()
    if not before.is_compatible_with(after):
        raise ValueError(f"{name} should not change tensor shape: input {before}, output {after}")


def _check_operands(layer: Any, weights: Any) -> None:
    shapes = layer.inputs[0].get_shape(), weights.get_shape()
    if layer.type == "MatMul":
        fits = all(len(shape) == 2 for shape in shapes) and shapes[0][1] == shapes[1][0]
    else:
        fits = all(len(shape) == 4 for shape in shapes) and shapes[0][3] == shapes[1][2]
    if not fits:
        raise ValueError(
            f"Incompatible shapes for op {layer.name} inputs: {shapes[0]} and {shapes[1]}"
        )
