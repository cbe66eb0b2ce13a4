"""Recording a row in a graph, with either TensorFlow: inputs, outputs, gradients, static shapes,
the graph as text."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Sequence

import numpy as np

from op_table.case import Case, pseudo_random

# Attrs that count what a process did before: the token of a py_func.
NOT_COMPARED = ("token",)
# How much of the inputs' shapes the graph is told.
VARIANTS = ("full", "dims_unknown", "rank_unknown", "batch_unknown")


@dataclasses.dataclass
class Built:
    """A recorded row: its placeholders, variables, the flat list of output tensors, and operations
    to run for effect."""

    inputs: list
    variables: list
    outputs: list
    operations: list

    @property
    def arguments(self) -> list:
        """What `fn` was called with."""
        return [*self.variables, *self.inputs]


def told_shape(shape: Sequence[int], variant: str) -> Any:
    """The shape given to a placeholder for a value of `shape`."""
    if variant == "full":
        return list(shape)
    if variant == "rank_unknown":
        return None
    if variant == "dims_unknown":
        return [None] * len(shape)
    return [None if i == 0 else dim for i, dim in enumerate(shape)]


def build(tf: Any, case: Case, variant: str = "full", reference: bool = False) -> Built:
    """Records the row (or its reference, if it has one) in the default graph."""
    inputs = [
        tf.placeholder(_dtype_name(array), told_shape(array.shape, variant))
        for array in case.arrays()
    ]
    variables = [
        tf.Variable(value, use_resource=case.resource, name="v") for value in case.initial_values()
    ]
    outputs, operations = [], []
    function = (reference and case.reference) or case.fn
    _flatten(function(tf, *variables, *inputs), outputs, operations)
    return Built(inputs, variables, outputs, operations)


def root_text(message: str) -> str:
    """A run-time error's own text: the first root error's, without the nodes that follow, and
    without the number of a py_func, which counts those that the process made."""
    found = re.match(r"\d+ root error\(s\) found\.\n  \(0\) [A-Z][^:]*: (.*)", message, re.DOTALL)
    text = (found.group(1) if found else message).split("\n\t [[")[0].rstrip()
    return re.sub(r"pyfunc_\d+", "pyfunc", text)


def encode_gradient(gradient: Any) -> Any:
    """A fetched gradient as an array, an IndexedSlicesValue as a dict, None as None."""
    if gradient is None:
        return None
    if hasattr(gradient, "indices"):
        return {"values": gradient.values, "indices": gradient.indices}
    return gradient


def feeds(case: Case, built: Built) -> dict:
    """The feed dict of a recorded row."""
    return dict(zip(built.inputs, case.arrays()))


def _dtype_name(array: np.ndarray) -> str:
    return "string" if array.dtype.kind in "SO" else array.dtype.name


def _flatten(value: Any, outputs: list, operations: list) -> None:
    if value is None:
        return
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)) and not hasattr(value, "dense_shape"):
        for item in value:
            _flatten(item, outputs, operations)
    elif hasattr(value, "indices") and hasattr(value, "dense_shape"):
        for part in (value.indices, value.values, value.dense_shape):
            if part is not None:
                outputs.append(part)
    elif hasattr(value, "node_def"):
        operations.append(value)
    else:
        outputs.append(value)


def differentiated_outputs(case: Case, values: Sequence[Any]) -> "list[int]":
    """Positions of the outputs that gradients start from."""
    if case.grad_outputs is not None:
        return list(case.grad_outputs)
    return [i for i, value in enumerate(values) if np.asarray(value).dtype.kind in "fc"]


def initial_gradients(
    case: Case, values: Sequence[Any], chosen: Sequence[int]
) -> "list[np.ndarray]":
    """The gradients to start from, one for each chosen output."""
    return [
        pseudo_random(np.shape(values[i]), np.asarray(values[i]).dtype, f"{case.key}:gy{i}")
        for i in chosen
    ]


def gradients(tf: Any, case: Case, built: Built, values: Sequence[Any]) -> list:
    """Records the row's gradients; `values` are the outputs' values, which give the shapes of
    `grad_ys`."""
    chosen = differentiated_outputs(case, values)
    starts = [tf.constant(start) for start in initial_gradients(case, values, chosen)]
    xs = [built.arguments[i] for i in case.differentiated()]
    return tf.gradients([built.outputs[i] for i in chosen], xs, grad_ys=starts)


def second_gradients(tf: Any, case: Case, built: Built, first: list, values: Sequence[Any]) -> list:
    """Records the gradients of the gradients `first`, whose values are `values`."""
    pairs = [(g, v) for g, v in zip(first, values) if g is not None]
    starts = [
        tf.constant(pseudo_random(np.shape(value), np.asarray(value).dtype, f"{case.key}:ggy{i}"))
        for i, (_, value) in enumerate(pairs)
    ]
    xs = [built.arguments[i] for i in case.differentiated()]
    return tf.gradients([g for g, _ in pairs], xs, grad_ys=starts)


def static_shapes(tf: Any, case: Case, variant: str) -> Any:
    """The static shapes of the outputs, `None` for an unknown rank; or `{"error": [class,
    text]}`."""
    with tf.Graph().as_default():
        try:
            built = build(tf, case, variant)
        except Exception as error:
            if "not supported by tf1compat" in str(error):
                raise
            return {"error": [type(error).__name__, str(error)]}
        return [_shape_list(output.get_shape()) for output in built.outputs]


def _shape_list(shape: Any) -> Any:
    return None if shape.ndims is None else shape.as_list()


def recorded_graph(tf: Any, case: Case, differentiate: bool) -> "list[str]":
    """The nodes of the row and of its gradients, one line each, in the order of their creation."""
    with tf.Graph().as_default() as graph:
        built = build(tf, case)
        chosen = case.grad_outputs
        ys = [
            y
            for i, y in enumerate(built.outputs)
            if (i in chosen if chosen is not None else y.dtype.is_floating or y.dtype.is_complex)
        ]
        xs = [built.arguments[i] for i in case.differentiated()]
        if differentiate and ys and xs:
            # TF starts no gradient of a complex tensor by itself.
            starts = [tf.zeros_like(y) if y.dtype.is_complex else None for y in ys]
            tf.gradients(ys, xs, grad_ys=starts)
        return [node_text(node) for node in graph.as_graph_def().node]


def node_text(node: Any) -> str:
    """A node as `name = Op(inputs) {attrs} @device`."""
    attrs = ", ".join(
        f"{key}={attr_text(node.attr[key])}" for key in sorted(node.attr) if key not in NOT_COMPARED
    )
    device = f" @{node.device}" if node.device else ""
    return f"{node.name} = {node.op}({', '.join(node.input)}) {{{attrs}}}{device}"


def attr_text(value: Any) -> str:
    """An AttrValue as short text."""
    kind = value.WhichOneof("value")
    if kind == "list":
        return "[" + ", ".join(_list_items(value.list)) + "]"
    return _attr_item(kind, getattr(value, kind)) if kind else "?"


def _list_items(value: Any) -> "list[str]":
    for kind in ("s", "i", "f", "b", "type", "shape", "tensor", "func"):
        items = getattr(value, kind)
        if len(items):
            return [_attr_item(kind, item) for item in items]
    return []


def _attr_item(kind: str, value: Any) -> str:
    if kind == "s":
        # Custom gradients are numbered by how many the process made before.
        return re.sub(r"^'CustomGradient-\d+'$", "'CustomGradient'", repr(bytes(value))[1:])
    if kind == "f":
        return repr(float(np.float32(value)))
    if kind == "type":
        return f"DT{value}"
    if kind == "shape":
        return _shape_text(value)
    if kind == "func":
        return f"func {value.name}"
    if kind == "tensor":
        fields = [
            f"{field.name}={_field_text(content)}"
            for field, content in value.ListFields()
            if field.name not in ("dtype", "tensor_shape")
        ]
        return f"tensor DT{value.dtype}{_shape_text(value.tensor_shape)} {' '.join(fields)}"
    return str(value)


def _field_text(content: Any) -> str:
    if isinstance(content, bytes):
        return content.hex()
    if isinstance(content, int):
        return str(content)
    return str(list(content))


def _shape_text(shape: Any) -> str:
    if shape.unknown_rank:
        return "<unknown>"
    return "[" + ",".join(str(dim.size) for dim in shape.dim) + "]"


def run_eagerly(tf: Any, case: Case) -> "dict[str, Any]":
    """What a row gives when its operations run at once: `outputs`, `after` (its variables), and
    `gradients` by a tape, or `[class, text]` of what is raised; or `error`, the same for the
    outputs."""
    tf.set_random_seed(5)
    outputs: "list[Any]" = []
    try:
        inputs = [tf.constant(array, _dtype_name(array)) for array in case.arrays()]
        variables = [tf.Variable(value, name="v") for value in case.initial_values()]
        arguments = [*variables, *inputs]
        chosen = [arguments[i] for i in case.differentiated()]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x for x in chosen if x.dtype.is_floating or x.dtype.is_complex])
            _flatten(case.fn(tf, *arguments), outputs, [])
        found = {"outputs": [_plain(output) for output in outputs]}
        found["after"] = [variable.numpy() for variable in variables]
    except Exception as error:
        return {"error": described(error)}
    if chosen and differentiated_outputs(case, found["outputs"]):
        try:
            found["gradients"] = _tape_gradients(tf, case, tape, outputs, found["outputs"], chosen)
        except Exception as error:
            found["gradients"] = described(error)
    return found


def _tape_gradients(
    tf: Any, case: Case, tape: Any, outputs: list, values: list, sources: list
) -> list:
    places = differentiated_outputs(case, values)
    starts = [tf.constant(start) for start in initial_gradients(case, values, places)]
    targets = [tf.convert_to_tensor(outputs[i]) for i in places]
    return [
        {"values": grad.values.numpy(), "indices": grad.indices.numpy()}
        if hasattr(grad, "indices")
        else None
        if grad is None
        else grad.numpy()
        for grad in tape.gradient(targets, sources, starts)
    ]


def _plain(output: Any) -> Any:
    return output.numpy() if hasattr(output, "numpy") else np.asarray(output)


def described(error: Exception) -> "list[str]":
    """The class and the text of an exception, without what counts what a process did before."""
    text = re.sub(r"pyfunc_\d+", "pyfunc", str(getattr(error, "message", error)))
    text = re.sub(r"(id=|_|0x)[0-9a-f]*\d+\b", r"\1N", text)
    return [type(error).__name__, text]
