"""`tensorflow.tools.graph_transforms`: graphs rewritten by transforms that are named in text.

What a transform does, and the order of the nodes that it leaves, is as in TF 1.15.
"""

from __future__ import annotations

import collections
import heapq
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.api.framework import graph_util_impl, importer
from tf1compat.api.tools import graph_transforms_convolutions, graph_transforms_nodes
from tf1compat.api.tools.graph_transforms_base import (
    Context,
    by_name,
    const_node,
    data_inputs,
    graph_of,
    invalid,
    is_stateful,
    needed_nodes,
    node_of,
    renamed,
    replaced,
    sorted_nodes,
    value_of,
)
from tf1compat.core import dtypes, errors, graph, op_defs, protos
from tf1compat.core.export import required


def TransformGraph(
    input_graph_def: Any,
    inputs: Sequence[str],
    outputs: Sequence[str],
    transforms: Sequence[str],
) -> Any:
    """Rewrites a graph by a list of transforms, as the Graph Transform Tool of TF 1.15.

    Args:
      input_graph_def: a `GraphDef`; it stays as it is.
      inputs, outputs: names of the nodes that are fed and fetched.
      transforms: names, with parameters: "remove_nodes(op=Identity, op=CheckNumerics)".

    Returns:
      A `GraphDef`.

    Raises:
      InvalidArgumentError: there is no such transform, or it was given wrong parameters.
      NotImplementedError: tf1compat does not have it.
    """
    graph_def = protos.GraphDef()
    graph_def.CopyFrom(input_graph_def)
    for name, params in _parse(" ".join(transforms)):
        if name in _UNSUPPORTED:
            raise NotImplementedError(
                f"The graph transform '{name}' is not supported by tf1compat; these are: "
                + ", ".join(sorted(_TRANSFORMS))
            )
        if name not in _TRANSFORMS:
            raise invalid(f"Transform '{name}' not recognized.")
        context = Context(inputs, outputs, params)
        try:
            graph_def = _TRANSFORMS[name](graph_def, context)
        except errors.OpError:
            if not context.flag("ignore_errors"):
                raise
    return graph_def


_NAME = re.compile(r"[A-Za-z0-9_]+")
_VALUE = re.compile(r'"([^"]*)"|([A-Za-z0-9_/:.*+-]*)')


def _parse(text: str) -> list[tuple[str, dict[str, list[str]]]]:
    """The transforms that a text names, with their parameters; each may be given several times.

    Raises:
      InvalidArgumentError: the text is badly formed.
    """
    found = []
    text = text.strip()
    while text:
        name, text = _taken(_NAME, text, "transform name")
        params: dict[str, list[str]] = collections.defaultdict(list)
        if text.startswith("("):
            text = text[1:].lstrip()
            while text and not text.startswith(")"):
                param, text = _taken(_NAME, text, "parameter name")
                if not text.startswith("="):
                    raise invalid(f"Looking for =, but found {text}")
                value, text = _taken(_VALUE, text[1:].lstrip(), "parameter value")
                params[param].append(value)
                text = text.removeprefix(",").lstrip()
            text = text[1:].lstrip()
        found.append((name, dict(params)))
    return found


def _taken(pattern: re.Pattern[str], text: str, what: str) -> tuple[str, str]:
    match = pattern.match(text)
    if match is None:
        raise invalid(f"Looking for {what}, but found {text}")
    value = next((group for group in match.groups() if group is not None), match[0])
    return value, text[match.end() :].lstrip("\t\n" if what == "parameter name" else None)


# Transforms.


def _strip_unused_nodes(graph_def: Any, context: Context) -> Any:
    """What the outputs need; inputs become placeholders."""
    types = dict.fromkeys(context.input_nodes, context.only("type", "float"))
    shapes = dict.fromkeys(context.input_nodes, context.only("shape", ""))
    names = context.params.get("name", [])
    for given, table in (("type_for_name", types), ("shape_for_name", shapes)):
        table.update(zip(names, context.params.get(given, []), strict=False))
    result = []
    for node in needed_nodes(graph_def, context):
        if node.name in context.input_nodes and node.op != "Placeholder":
            placeholder = protos.NodeDef(op="Placeholder", name=node.name)
            placeholder.attr["dtype"].type = dtypes.as_dtype(types[node.name]).as_datatype_enum
            shape = placeholder.attr["shape"].shape
            shape.SetInParent()
            for size in filter(None, shapes[node.name].split(",")):
                shape.dim.add(size=int(size))
            node = placeholder
        result.append(node)
    return graph_of(result, graph_def.library)


def _remove_nodes(graph_def: Any, context: Context) -> Any:
    """Operations of some types are left out; their users take their input."""
    if "op" not in context.params:
        raise invalid(
            "remove_nodes expects at least one 'op'argument, e.g. remove_nodes(op=Identity)"
        )
    most = int(context.only("max_inputs", "1"))
    kept = {*context.input_nodes, *context.output_nodes}
    for op in context.params["op"]:
        names = {"": ""}
        while names:
            names = {}

            def match(node: Any, nodes: Mapping[str, Any], op: str = op) -> Sequence[Any] | None:
                sources = [name for name in node.input if not name.startswith("^")]
                if node.op != op or not 1 <= len(sources) <= most:
                    return None
                return [node, *(nodes[node_of(name)] for name in sources)]

            def replacement(node: Any, *sources: Any, names: Any = names) -> Sequence[Any]:
                if node.name in kept:
                    return [node, *sources]
                names[node.name] = node.input[0]
                return sources

            graph_def = replaced(graph_def, match, replacement, may_lose=True)
            nodes = [renamed(node, names) for node in graph_def.node]
            graph_def = graph_of(nodes, graph_def.library)
    return graph_def


_FOLDED = itertools.count()
# What a constant may not be made of, although its inputs are constants.
_NOT_FOLDED = frozenset(
    ("Const", "Enter", "Exit", "LoopCond", "Merge", "NextIteration", "Placeholder", "Switch")
)


def _fold_constants(graph_def: Any, context: Context) -> Any:
    """What follows from constants alone is worked out; what the outputs do not need goes."""
    nodes = by_name(graph_def)
    _check_tensors(context.inputs, nodes, "FeedInputs: unable to find feed output {name}", _FED)
    _check_tensors(context.outputs, nodes, "FetchOutputs node {name}: not found", _FETCHED)
    needed = _as_imported(needed_nodes(graph_def, context), context)
    constant = {node.name for node in needed if node.op == "Const" and not node.input}
    foldable: list[Any] = []
    for node in sorted_nodes(graph_of(needed, graph_def.library)):
        is_pure = node.op not in _NOT_FOLDED and not is_stateful(node)
        if (
            is_pure
            and node.input
            and node.name not in {*context.input_nodes, *context.output_nodes}
        ):
            if all(node_of(name) in constant for name in node.input):
                constant.add(node.name)
                foldable.append(node)
    wanted = {
        name
        for node in needed
        if node.name not in constant and node.name not in context.input_nodes
        for name in node.input
        if any(node_of(name) == folded.name for folded in foldable) and not name.startswith("^")
    }
    values = constant_values(graph_def, sorted(wanted))
    names, consts = {}, []
    for i, (name, value) in enumerate(values.items()):
        names[name] = f"{node_of(name)}/_{i}__cf__{next(_FOLDED)}"
        consts.append(const_node(names[name], *value))
    inputs = [_placeholder_for(nodes[name]) for name in reversed(context.input_nodes)]
    names |= {node.name: f"{node.name}:0" for node in inputs}
    folded = {node.name for node in foldable}
    rest = []
    for node in needed:
        if node.name not in folded and node.name not in context.input_nodes:
            copy = protos.NodeDef()
            copy.CopyFrom(node)
            copy.input[:] = [names.get(name, name) for name in node.input]
            rest.append(copy)
    used = {node_of(name) for node in rest for name in node.input} | set(context.output_nodes)
    rest = [node for node in rest if node.op != "Const" or node.name in used]
    return graph_of([*rest, *consts, *inputs], graph_def.library)


_FED = "FeedInputs: {name} should have output index < {count}"
_FETCHED = "FetchOutputs {name}: output index too large, must be < {count}"


def _check_tensors(
    names: Sequence[str], nodes: Mapping[str, Any], missing: str, no_output: str
) -> None:
    """Raises what TF raises for inputs or outputs that are not there.

    Raises:
      NotFoundError: there is no such node.
      InvalidArgumentError: it has no such output.
    """
    for name in names:
        node = nodes.get(node_of(name))
        if node is None:
            raise errors.NotFoundError(None, None, missing.format(name=name))
        _, colon, index = name.rpartition(":")
        count = _output_count(node) if colon else None
        if count is not None and int(index) >= count:
            raise invalid(no_output.format(name=name, count=count))


def _output_count(node: Any) -> int | None:
    """How many outputs a node has; None if its op type is not known."""
    op_def = op_defs.get(node.op)
    if op_def is None:
        return None
    count = 0
    for arg in op_def.output_args:
        if arg.number_attr:
            count += node.attr[arg.number_attr].i
        else:
            count += len(node.attr[arg.type_list_attr].list.type) if arg.type_list_attr else 1
    return count


def _as_imported(nodes: Sequence[Any], context: Context) -> list[Any]:
    """Nodes in the order in which a graph gets them: the first of those whose inputs are there."""
    users: dict[str, list[int]] = collections.defaultdict(list)
    pending = []
    for i, node in enumerate(nodes):
        sources = [] if node.name in context.input_nodes else node.input
        for name in sources:
            users[node_of(name)].append(i)
        pending.append(1 if node.op == "Merge" else len(sources))
    ready = [i for i, count in enumerate(pending) if not count]
    order = []
    while ready:
        node = nodes[heapq.heappop(ready)]
        order.append(node)
        for i in users[node.name]:
            pending[i] -= 1
            if not pending[i]:
                heapq.heappush(ready, i)
    return order


def _placeholder_for(node: Any) -> Any:
    """What stands for an input.

    Raises:
      InvalidArgumentError: it is no placeholder (TF 1.15's process ends then).
    """
    if not node.op.startswith("Placeholder"):
        raise invalid(f"fold_constants takes placeholders as inputs, but {node.name} is {node.op}")
    placeholder = protos.NodeDef(op="Placeholder", name=node.name, device=node.device)
    for attr in ("dtype", "shape"):
        placeholder.attr[attr].CopyFrom(node.attr[attr])
    return placeholder


def constant_values(
    graph_def: Any, names: Sequence[str]
) -> dict[str, tuple[np.ndarray, dtypes.DType]]:
    """The values and dtypes of tensors that follow from constants."""
    if not names:
        return {}
    with graph.Graph().as_default() as scratch:
        stripped = graph_util_impl.extract_sub_graph(graph_def, [node_of(name) for name in names])
        importer.import_graph_def(stripped, name="")
        tensors = [scratch.as_graph_element(name if ":" in name else f"{name}:0") for name in names]
        with required("Session")() as session:
            values = session.run(tensors)
    return {
        name: (np.asarray(value), tensor.dtype)
        for name, value, tensor in zip(names, values, tensors, strict=True)
    }


def _fold_batch_norms(graph_def: Any, context: Context) -> Any:
    """A multiplication by a constant vector becomes a part of the weights before it."""

    def match(mul: Any, nodes: Mapping[str, Any]) -> Sequence[Any] | None:
        if mul.op != "Mul" or len(mul.input) != 2:
            return None
        product, factors = (nodes[node_of(name)] for name in mul.input)
        kinds = ("Conv2D", "MatMul", "DepthwiseConv2dNative")
        if factors.op != "Const" or product.op not in kinds or len(product.input) != 2:
            return None
        source, weights = (nodes[node_of(name)] for name in product.input)
        return [mul, product, source, weights, factors] if weights.op == "Const" else None

    def replacement(
        mul: Any, product: Any, source: Any, weights: Any, factors: Any
    ) -> Sequence[Any]:
        values, factor = value_of(weights), value_of(factors)
        depthwise = product.op == "DepthwiseConv2dNative"
        columns = values.shape[2] * values.shape[3] if depthwise else values.shape[-1]
        if factor.shape != (columns,):
            raise invalid(
                "Mul constant input to batch norm has bad shape: "
                f"[{','.join(map(str, factor.shape))}]"
            )
        if depthwise:
            factor = factor.reshape(values.shape[2:])
        scaled = const_node(
            weights.name, values * factor, dtypes.as_dtype(weights.attr["dtype"].type)
        )
        changed = protos.NodeDef()
        changed.CopyFrom(product)
        changed.name = mul.name
        return [scaled, source, changed]

    return replaced(graph_def, match, replacement)


_CONVOLUTIONS = ("Conv2D", "DepthwiseConv2dNative")


def _fold_old_batch_norms(graph_def: Any, context: Context) -> Any:
    """Batch normalisations by constants become a part of the weights before them, and a bias.

    Between may be a BatchToSpaceND, or a concatenation of two convolutions.
    """

    def convolution(name: str, nodes: Mapping[str, Any]) -> Sequence[Any] | None:
        node = nodes[node_of(name)]
        inputs = data_inputs(node)
        if node.op not in _CONVOLUTIONS or len(inputs) != 2:
            return None
        source, weights = (nodes[node_of(name)] for name in inputs)
        return [weights, source, node] if weights.op == "Const" else None

    def match(norm: Any, nodes: Mapping[str, Any]) -> Sequence[Any] | None:
        kinds = ("BatchNormWithGlobalNormalization", "FusedBatchNorm")
        inputs = data_inputs(norm)
        if norm.op not in kinds or len(inputs) != 5:
            return None
        constants = [nodes[node_of(name)] for name in inputs[1:]]
        before = nodes[node_of(inputs[0])]
        between, others, products = [before], [], inputs[:1]
        above = data_inputs(before)
        if before.op == "BatchToSpaceND":
            products, others = above[:1], above[1:]
        elif before.op == "ConcatV2" and len(above) == 3:
            products, others = above[:2], above[2:]
        else:
            between = []
        convolutions = [convolution(name, nodes) for name in products]
        constants += [nodes[node_of(name)] for name in others]
        if None in convolutions or any(node.op != "Const" for node in constants):
            return None
        found = [part for parts in convolutions for part in parts or ()]
        return [norm, *constants, *between, *found]

    def replacement(norm: Any, *parts: Any) -> Sequence[Any]:
        scale, offset = _scale_and_offset(norm, [value_of(const) for const in parts[:4]])
        if len(parts) == 7:
            return _scaled_convolution(parts[4:], scale, offset, norm.name)
        at = 6 if len(parts) == 10 else 5
        between = parts[at]
        changed = protos.NodeDef()
        changed.CopyFrom(between)
        changed.name = norm.name
        if between.op == "BatchToSpaceND":
            biased = f"{parts[-1].name}/biasadd"
            changed.input[0] = biased
            made = _scaled_convolution(parts[at + 1 :], scale, offset, biased)
            return [*made, *parts[4:at], changed]
        pairs = [parts[at + 1 : at + 4], parts[at + 4 :]]
        first, second = (_columns(weights, node) for weights, _, node in pairs)
        where = [slice(0, first), slice(first, None)]
        if len(scale) != first + second:  # Joined along another axis.
            where = [slice(None)] * 2
        result: list[Any] = []
        for i, parts_of in enumerate(pairs):
            changed.input[i] = f"{between.name}_bn_in{i}"
            made = _scaled_convolution(
                parts_of, scale[where[i]], offset[where[i]], changed.input[i]
            )
            # Where both have the same input, TF 1.15 writes it twice, which no importer takes.
            result += [node for node in made if all(node.name != other.name for other in result)]
        return [*result, *parts[4:at], changed]

    before = None
    while before != graph_def:
        before = graph_def
        graph_def = replaced(graph_def, match, replacement)
    return graph_def


def _scale_and_offset(norm: Any, values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """What a batch normalisation multiplies by, and what it adds.

    Raises:
      InvalidArgumentError: its inputs are not of one size.
    """
    if norm.op == "FusedBatchNorm":
        gamma, beta, mean, variance = values
        epsilon, is_scaled = norm.attr["epsilon"].f, True
    else:
        mean, variance, beta, gamma = values
        epsilon = norm.attr["variance_epsilon"].f
        is_scaled = norm.attr["scale_after_normalization"].b
    for what, value in (("Variance", variance), ("Beta", beta), ("gamma", gamma)):
        if value.shape != mean.shape:
            shape = ",".join(map(str, value.shape))
            raise invalid(f"{what} input to batch norm has bad shape: [{shape}]")
    scale = np.float32(1) / np.sqrt(variance + np.float32(epsilon))
    if is_scaled:
        scale = scale * gamma
    return scale, beta - mean * scale


def _columns(weights: Any, node: Any) -> int:
    shape = value_of(weights).shape
    return shape[2] * shape[3] if node.op == "DepthwiseConv2dNative" else shape[-1]


def _scaled_convolution(
    parts: Sequence[Any], scale: np.ndarray, offset: np.ndarray, name: str
) -> list[Any]:
    """A convolution whose outputs are multiplied by a vector, and a bias of that name.

    Raises:
      InvalidArgumentError: the vector is not as long as there are outputs (TF 1.15's process ends).
    """
    weights, source, node = parts
    values = value_of(weights)
    if scale.shape != (_columns(weights, node),):
        raise invalid(
            f"Mean input to batch norm has bad shape: [{','.join(map(str, scale.shape))}]"
        )
    if node.op == "DepthwiseConv2dNative":
        scale = scale.reshape(values.shape[2:])
    bias = protos.NodeDef(op="BiasAdd", name=name)
    for attr in ("T", "data_format"):
        bias.attr[attr].CopyFrom(node.attr[attr])
    dtype = dtypes.as_dtype(weights.attr["dtype"].type)
    added = const_node(f"{node.name}_bn_offset", offset, dtype)
    bias.input.extend([node.name, added.name])
    return [const_node(weights.name, values * scale, dtype), source, node, added, bias]


def _quantize_weights(graph_def: Any, context: Context) -> Any:
    """Large constants of float32 become 256 levels between the lowest and the highest."""
    least = int(context.only("minimum_size", "1024"))
    result = []
    for node in graph_def.node:
        if node.op != "Const" or node.attr["dtype"].type != dtypes.float32.as_datatype_enum:
            result.append(node)
            continue
        value = value_of(node)
        if value.size < least:
            result.append(node)
            continue
        low, high = _range(value)
        # The lowest value is rounded by itself, as in TF: 0 has a level of its own.
        scale = np.float32(255.0 / (np.float64(high) - low))
        levels = np.round(value * scale) - np.round(low * scale)
        codes = np.clip(levels, 0, 255).astype(np.uint8)
        parts = [
            const_node(f"{node.name}_quantized_const", codes, dtypes.quint8),
            const_node(f"{node.name}_quantized_min", np.asarray(low), dtypes.float32),
            const_node(f"{node.name}_quantized_max", np.asarray(high), dtypes.float32),
        ]
        dequantize = protos.NodeDef(op="Dequantize", name=node.name)
        dequantize.input.extend(part.name for part in parts)
        dequantize.attr["T"].type = dtypes.quint8.as_datatype_enum
        dequantize.attr["mode"].s = b"MIN_FIRST"
        result.extend([*parts, dequantize])
    return graph_of(result, graph_def.library)


def _range(value: np.ndarray) -> tuple[np.float32, np.float32]:
    """The lowest and the highest value, or others around it if there is only one."""
    low, high = np.float32(value.min()), np.float32(value.max())
    if low == high:
        if abs(low) < 1e-6:
            high = np.float32(low + 1)
        else:
            high = np.float32(2 * low if low > 0 else low / 2)
    return low, high


def _sort_by_execution_order(graph_def: Any, context: Context) -> Any:
    """Nodes stand after their inputs."""
    return graph_of(sorted_nodes(graph_def), graph_def.library)


def _merge_duplicate_nodes(graph_def: Any, context: Context) -> Any:
    """Of nodes that do the same with the same inputs one is left; stateful ones stay."""
    kept = {*context.inputs, *context.outputs}  # TF does not look for tensors here.
    names = {"": ""}
    while names:
        names, first, result = {}, {}, []
        for node in graph_def.node:
            plain = protos.NodeDef()
            plain.CopyFrom(node)
            plain.name = ""
            key = plain.SerializeToString(deterministic=True)
            if node.name in kept or is_stateful(node):
                result.append(node)
            elif key in first:
                names[node.name] = first[key]
            else:
                first[key] = node.name
                result.append(node)
        graph_def = graph_of([renamed(node, names) for node in result], graph_def.library)
    return graph_def


def _changed(change: Callable[[Any, Context], None]) -> Callable[[Any, Context], Any]:
    """A transform that changes every node by itself."""

    def transform(graph_def: Any, context: Context) -> Any:
        for node in graph_def.node:
            change(node, context)
        return graph_of(graph_def.node, graph_def.library)

    return transform


def _set_device(node: Any, context: Context) -> None:
    if not node.device or not context.flag("if_default"):
        node.device = context.only("device", "")


def _remove_device(node: Any, context: Context) -> None:
    node.device = ""


def _remove_control_dependencies(node: Any, context: Context) -> None:
    node.input[:] = [name for name in node.input if not name.startswith("^")]


def _remove_attribute(node: Any, context: Context) -> None:
    if len(context.params.get("attribute_name", ())) != 1:
        raise invalid(
            "remove_attribute expects exactly one 'attribute_name' argument, e.g. "
            "remove_attribute(op_name=Mul, attribute_name=foo)"
        )
    if context.only("op_name", "*") in ("*", node.op):
        node.attr.pop(context.params["attribute_name"][0], None)


def _rename_attribute(node: Any, context: Context) -> None:
    names = [context.params.get(f"{age}_attribute_name", ()) for age in ("old", "new")]
    if any(len(name) != 1 for name in names):
        raise invalid(
            "rename_attribute expects exactly one 'old_attribute_name' and one "
            "'new_attribute_name' argument, e.g. "
            "rename_attribute(old_attribute_name=foo, new_attribute_name=bar)"
        )
    (old,), (new,) = names
    if context.only("op_name", "*") in ("*", node.op) and old in node.attr:
        node.attr[new].CopyFrom(node.attr[old])
        del node.attr[old]


def _rename_op(node: Any, context: Context) -> None:
    names = [context.params.get(f"{age}_op_name", ()) for age in ("old", "new")]
    if any(len(name) != 1 for name in names):
        raise invalid(
            "rename_op expects exactly one 'old_op_name' and 'new_op_name' argument, e.g. "
            "rename_op(old_op_name=Mul, new_op_name=Multiply)"
        )
    if node.op == names[0][0]:
        node.op = names[1][0]


_TRANSFORMS: dict[str, Callable[[Any, Context], Any]] = {
    "fold_batch_norms": _fold_batch_norms,
    "fold_constants": _fold_constants,
    "fold_old_batch_norms": _fold_old_batch_norms,
    "merge_duplicate_nodes": _merge_duplicate_nodes,
    "quantize_weights": _quantize_weights,
    "remove_attribute": _changed(_remove_attribute),
    "remove_control_dependencies": _changed(_remove_control_dependencies),
    "remove_device": _changed(_remove_device),
    "remove_nodes": _remove_nodes,
    "rename_attribute": _changed(_rename_attribute),
    "rename_op": _changed(_rename_op),
    "set_device": _changed(_set_device),
    "sort_by_execution_order": _sort_by_execution_order,
    "strip_unused_nodes": _strip_unused_nodes,
    **graph_transforms_convolutions.TRANSFORMS,
    **graph_transforms_nodes.TRANSFORMS,
}
_UNSUPPORTED = frozenset(
    ("freeze_requantization_ranges", "fuse_remote_graph", "quantize_nodes", "sparsify_gather")
)
