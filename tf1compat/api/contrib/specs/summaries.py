"""What graphs consist of, as text (`tensorflow.contrib.specs.python.summaries`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.specs import specs
from tf1compat.core import dtypes, ops

# Op types and what they are called in `tf_structure`; "_" is what doesn't matter there.
SHORT_NAMES_SRC = (
    "BiasAdd biasadd Const _ Conv2D conv MatMul dot Placeholder _ Sigmoid sig Variable var"
).split()
SHORT_NAMES = dict(zip(SHORT_NAMES_SRC[::2], SHORT_NAMES_SRC[1::2]))

# A row of `tf_parameter_iter`: name, number of parameters, shape.
Row = tuple[str, int, Any]


def _is_left_out(op: Any) -> bool:
    """Whether what comes before an operation is not gone into: LSTMs that are written out."""
    return "/HorizontalLstm/" in op.name


def _op_and_shape(x: Any, none: Any) -> tuple[Any, Any]:
    """The operation, and the shape of a tensor, or what an operation has in its place."""
    return (x.op, x.get_shape().as_list()) if isinstance(x, ops.Tensor) else (x, none)


def tf_structure(x: Any, include_shapes: bool = False, finished: set[Any] | None = None) -> str:
    """The operations that lead to a tensor or operation, in postfix order.

    Args:
      x: the tensor or operation.
      include_shapes: whether the shapes are said too.
      finished: operations that were said before, which are "<>"; it is added to.
    """
    finished = set() if finished is None else finished
    op, shape = _op_and_shape(x, [])
    if op in finished:
        return " <>"
    finished.add(op)
    inputs = [] if _is_left_out(op) else op.inputs
    parts = [tf_structure(one, include_shapes, finished) for one in inputs]
    if include_shapes:
        parts.append(f" {shape}")
    if op.type != "Identity":
        parts.append(f" {SHORT_NAMES.get(op.type, op.type.lower())}")
    return "".join(parts)


def tf_print(
    x: Any,
    depth: int = 0,
    finished: set[Any] | None = None,
    printer: Callable[[str], Any] = print,
) -> None:
    """Prints the operations that lead to a tensor or operation, a line each.

    Args:
      x: the tensor or operation.
      depth: how far it is indented.
      finished: operations that were printed before; it is added to.
      printer: what is called with each line.
    """
    finished = set() if finished is None else finished
    op, shape = _op_and_shape(x, "")
    if op.type == "Identity":
        op = op.inputs[0].op
    name = f"<{op.name}>" if op in finished else op.name
    printer(f"{'  ' * depth}{name} {op.type} {shape}")
    if op in finished:
        return
    finished.add(op)
    for one in [] if _is_left_out(op) else op.inputs:
        tf_print(one, depth + 1, finished, printer=printer)


def tf_num_params(x: Any) -> int:
    """How many elements the variables have that lead to a tensor or operation."""
    op = x.op if isinstance(x, ops.Tensor) else x
    if op.type in ("Variable", "VariableV2"):
        return op.outputs[0].get_shape().num_elements()
    return sum(tf_num_params(one) for one in op.inputs)


def tf_left_split(op: Any) -> tuple[Any, list[Any]]:
    """The first input of an operation (None if it has none), and the others."""
    inputs = list(op.inputs)
    if op.type == "Concat":  # Its first input is the dimension.
        del inputs[:1]
    return (inputs[0], inputs[1:]) if inputs else (None, [])


def tf_parameter_iter(x: Any) -> Iterator[Row]:
    """A tensor or operation, its first input, the first input of that, and so on.

    Yields:
      The name of the operation, the number of parameters in its other inputs, its shape.
    """
    while x is not None:
        op, shape = _op_and_shape(x, "")
        x, others = tf_left_split(op)
        yield op.name, sum(tf_num_params(one) for one in others), shape


def _by_scope(rows: Iterable[Row]) -> list[Row]:
    """Neighbours of one outermost scope as one row, with the shape of the first."""
    found: list[Row] = []
    for name, count, shape in rows:
        scope = name.partition("/")[0]
        if found and found[-1][0] == scope:
            _, before, first = found.pop()
            count, shape = before + count, first
        found.append((scope, count, shape))
    return found


def tf_parameter_summary(
    x: Any, printer: Callable[[str], Any] = print, combine: bool = True
) -> None:
    """Prints how many parameters there are on the way to a tensor, from its beginning.

    Args:
      x: the tensor or operation.
      printer: what is called with each line.
      combine: whether an outermost scope has one line.
    """
    rows = list(tf_parameter_iter(x))
    for name, count, shape in reversed(_by_scope(rows) if combine else rows):
        printer(f"{count:10d} {name:<20} {shape}")


def _outputs(spec: str, inputs: Any, input_shape: Any, input_type: Any) -> Any:
    if inputs is None:
        inputs = array_ops.placeholder(input_type, input_shape)
    return specs.create_net(spec, inputs)


def tf_spec_structure(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32
) -> str:
    """`tf_structure` of what a spec makes.

    Args:
      spec: see `specs.create_net`.
      inputs: what it is applied to; a placeholder if it is None.
      input_shape: the placeholder's shape.
      input_type: its dtype.
    """
    return tf_structure(_outputs(spec, inputs, input_shape, input_type)).strip()


def tf_spec_summary(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32
) -> None:
    """Prints `tf_parameter_summary` of what a spec makes; see `tf_spec_structure`."""
    tf_parameter_summary(_outputs(spec, inputs, input_shape, input_type))


def tf_spec_print(
    spec: str, inputs: Any = None, input_shape: Any = None, input_type: Any = dtypes.float32
) -> None:
    """Prints `tf_print` of what a spec makes; see `tf_spec_structure`."""
    tf_print(_outputs(spec, inputs, input_shape, input_type))
