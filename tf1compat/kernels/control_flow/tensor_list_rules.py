"""What operations on lists have in common: shapes of elements, and checks of their types."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import constants, dtypes, shapes
from tf1compat.core.op_registry import Shape
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import BareShapeError, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.control_flow.tensor_list_value import TensorListValue, is_array
from tf1compat.kernels.framework.common import jnp_dtype, known, refuse


def elements(op: Operation, index: int = 0) -> Any:
    """(dtype, shape) of the elements of the list that is input `index`; None if it isn't known."""
    return op._inputs[index]._handle_data


def declared(op: Operation, index: int) -> Shape:
    """Input `index` read as the shape of elements, in which a scalar -1 stands for any."""
    shape = op._inputs[index]._shape
    if shape is not None and len(shape) == 0:
        value = constants.input_value(op._inputs[index])
        if value is None:
            raise BareShapeError(
                "Received a shape scalar with unknown static value.  A static value of '-1' is "
                "required to represent an unknown shape."
            )
        if value != -1:
            dtype = dtypes.cpp_name(op._inputs[index]._dtype)
            raise BareShapeError(
                "Received an invalid shape scalar with a static value that is not '-1': "
                f"Tensor<type: {dtype} shape: [] values: {value}>"
            )
        return None
    shapes.with_rank_at_most(shape, 1)
    return op.shape_input(index) if shape is not None else None


def shape_of_elements(op: Operation) -> Shape:
    data = elements(op)
    return None if data is None else data[1]


def behind(first: int | None, shape: Shape) -> Shape:
    return None if shape is None else (first, *shape)


def check_dtype(op: Operation, text: str) -> None:
    """Refuses a list of another dtype; `text` quotes the op's {wanted} and the list's {found}."""
    data, wanted = elements(op), op._attrs["element_dtype"]
    if data is not None and data[0] is not wanted:
        names = {"wanted": dtypes.cpp_name(wanted), "found": dtypes.cpp_name(data[0])}
        raise ShapeError(text.format(**names))


PUSHING = (
    "Trying to {} list with wrong element dtype. List has type {{found}} but trying to push "
    "element with type {{wanted}}"
)


READING = (
    "Trying to read from list with wrong element dtype. List has type {found} but expected type "
    "{wanted}"
)


def check_elements(ctx: LoweringContext, list_: TensorListValue, wanted: Any) -> None:
    """Fails the run if the list's elements are of another dtype."""
    if list_.element_dtype is not wanted:
        names = f"op elements {dtypes.cpp_name(wanted)} but list elements "
        refuse(ctx, f"Invalid data types; {names}{dtypes.cpp_name(list_.element_dtype)}")


EXPECTED = "Expected list with element dtype {wanted} but got list with element dtype {found}"


def same_elements(op: Operation) -> Any:
    return [elements(op), *[None] * (len(op._outputs) - 1)]


def same_or_new(op: Operation) -> Any:
    data = elements(op)
    return [(op._attrs["element_dtype"], None) if data is None else data]


def new_elements(index: int) -> Any:
    def handle_data(op: Operation) -> Any:
        return [(op._attrs["element_dtype"], declared(op, index))]

    return handle_data


def partial(ctx: LoweringContext, value: Any) -> Shape:
    """A shape input of a lowering: None where it is not known."""
    if not known(value):
        return None if not np.ndim(value) else (None,) * np.shape(value)[0]
    if not value.ndim:
        return None
    for dim in value:
        if dim < -1:
            refuse(ctx, f"Dimension {dim} must be >= -1")
    return tuple(int(dim) if dim >= 0 else None for dim in value)


def text(shape: Shape) -> str:
    return "<unknown>" if shape is None else shapes.to_string(shape)


def merged(ctx: LoweringContext, a: Shape, b: Shape) -> Shape:
    try:
        return shapes.merge(a, b)
    except ShapeError:
        assert a is not None and b is not None
        if len(a) != len(b):
            what = f"ranks during merge: {len(a)} vs. {len(b)}"
        else:
            what = f"shapes during merge: {shapes.to_string(a)} vs. {shapes.to_string(b)}"
        refuse(ctx, f"PartialTensorShape: Incompatible {what}")


def array_list(
    ctx: LoweringContext,
    dtype: Any,
    shape: Shape,
    size: int,
    buffer: Any = None,
    written: bool = False,
) -> TensorListValue:
    """A list of `size` elements, set if there is a `buffer`."""
    elements = None
    if buffer is not None:
        elements = (tuple(np.shape(buffer)[1:]), jnp_dtype(dtype))
    elif shapes.is_fully_known(shape):
        elements = (tuple(shape or ()), jnp_dtype(dtype))
    marks = np.full(size, written, np.bool_)
    body = TensorArrayValue(ctx.op.name, size, elements, buffer, marks)
    return TensorListValue(ctx.op.name, dtype, shape, -1, body, size)


def is_variant(dtype: Any) -> bool:
    return dtype is dtypes.variant


def length(list_: TensorListValue) -> Any:
    count = list_.count
    return np.array(count, np.int32) if isinstance(count, int) else count


def shape_if_not_set(ctx: LoweringContext, list_: TensorListValue, wanted: Shape) -> Shape:
    """The shape of an element, as far as it is known."""
    if is_variant(list_.element_dtype):
        return ()
    own = list_.known_shape
    return own if shapes.is_fully_known(own) else merged(ctx, wanted, list_.element_shape)


def whole(list_: TensorListValue, ctx: LoweringContext) -> TensorListValue:
    """The list, if its length is known while the program is traced."""
    if list_.length is None:
        ctx.need(0)
    return list_


def check_alike(ctx: LoweringContext, list_: TensorListValue) -> None:
    """Fails the run unless all elements have one shape."""
    if list_.is_array or list_.body.items is None:
        return
    shape: Shape = None
    for item in list_.items():
        if item is not None and is_array(item):
            shape = merged(ctx, shape, np.shape(item))


def check_vector(ctx: LoweringContext, tensor: Any) -> None:
    if not np.ndim(tensor):
        refuse(ctx, "Tensor must be at least a vector, but saw shape: []")


def check_parts(ctx: LoweringContext, declared: Shape, shape: Shape) -> None:
    if not shapes.compatible(declared, shape):
        refuse(
            ctx,
            f"Specified a list with shape {text(declared)} from a tensor with shape {text(shape)}",
        )
