"""Converters of the op types that arrange elements (see `pfor`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, diagonal_ops, gather_ops, shape_ops, slicing
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_cast, math_ops, math_sums
from tf1compat.api.parallel_for.pfor import (
    PForInput,
    RegisterPFor,
    RegisterPForWithArgs,
    WrappedTensor,
    flatten_first_two,
    unflatten_first,
    wrap,
)
from tf1compat.api.parallel_for.pfor_math import behind_index
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_util import constant_value


@RegisterPForWithArgs("Identity", shape_ops.identity)
@RegisterPForWithArgs("StopGradient", lambda x: raw_ops.StopGradient(input=x))
@RegisterPForWithArgs("MatrixDiag", diagonal_ops.matrix_diag)
@RegisterPForWithArgs("MatrixDiagPart", diagonal_ops.matrix_diag_part)
def _passed(pfor_input: PForInput, _: str, record: Callable[..., Any]) -> Any:
    return wrap(record(*(x.t for x in pfor_input.inputs)))


@RegisterPFor("IdentityN")
def _identity_n(pfor_input: PForInput) -> Any:
    copies = shape_ops.identity_n([x.t for x in pfor_input.inputs])
    return [wrap(y, x.is_stacked) for y, x in zip(copies, pfor_input.inputs, strict=True)]


@RegisterPFor("Reshape")
def _reshape(pfor_input: PForInput) -> Any:
    x, shape = pfor_input.stacked_input(0), pfor_input.unstacked_input(1)
    shape = array_ops.concat([pfor_input.length, shape], axis=0)
    return wrap(shape_ops.reshape(x, shape))


@RegisterPFor("BroadcastTo")
def _broadcast_to(pfor_input: PForInput) -> Any:
    x, shape = pfor_input.stacked_input(0), pfor_input.unstacked_input(1)
    shape = array_ops.concat([pfor_input.length, shape], axis=0)
    missing = shape_ops.shape(shape)[0] - shape_ops.rank(x)
    ones = array_ops.tile([1], shape_ops.reshape(missing, [1]))
    own = shape_ops.shape(x)
    own = array_ops.concat([own[:1], ones, own[1:]], axis=0)
    return wrap(shape_ops.broadcast_to(shape_ops.reshape(x, own), shape))


@RegisterPFor("ExpandDims")
def _expand_dims(pfor_input: PForInput) -> Any:
    x = pfor_input.stacked_input(0)
    axis = behind_index(pfor_input.unstacked_input(1))
    return wrap(shape_ops.expand_dims(x, axis=axis))


@RegisterPForWithArgs("LowerBound")
@RegisterPForWithArgs("UpperBound")
def _search_sorted(pfor_input: PForInput, op_type: str) -> Any:
    pfor_input.stack_inputs()
    places = flatten_first_two(pfor_input.stacked_input(0))
    values = flatten_first_two(pfor_input.stacked_input(1))
    record = raw_ops.function(op_type)
    found = record(places, values, out_type=pfor_input.get_attr("out_type"))
    return wrap(unflatten_first(found, pfor_input.length))


@RegisterPFor("MatrixBandPart")
def _matrix_band_part(pfor_input: PForInput) -> Any:
    x, lower, upper = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    return wrap(raw_ops.MatrixBandPart(input=x, num_lower=lower, num_upper=upper))


@RegisterPFor("MatrixSetDiag")
def _matrix_set_diag(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    x, diagonal = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    return wrap(diagonal_ops.matrix_set_diag(x, diagonal))


@RegisterPFor("MatrixDiagV2")
def _matrix_diag_v2(pfor_input: PForInput) -> Any:
    names = ("k", "num_rows", "num_cols", "padding_value")
    x = pfor_input.stacked_input(0)
    how = {name: pfor_input.unstacked_input(i) for i, name in enumerate(names, 1)}
    return wrap(diagonal_ops.matrix_diag(x, **how))


@RegisterPFor("MatrixDiagPartV2")
def _matrix_diag_part_v2(pfor_input: PForInput) -> Any:
    x, k, padding = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    return wrap(diagonal_ops.matrix_diag_part(x, k=k, padding_value=padding))


@RegisterPFor("MatrixSetDiagV2")
def _matrix_set_diag_v2(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs([0, 1])
    x, diagonal = pfor_input.stacked_input(0), pfor_input.stacked_input(1)
    return wrap(diagonal_ops.matrix_set_diag(x, diagonal, k=pfor_input.unstacked_input(2)))


def _axis_behind(axis: int) -> int:
    return axis + 1 if axis >= 0 else axis


@RegisterPFor("OneHot")
def _one_hot(pfor_input: PForInput) -> Any:
    indices = pfor_input.stacked_input(0)
    depth, on, off = (pfor_input.unstacked_input(i) for i in (1, 2, 3))
    axis = _axis_behind(pfor_input.get_attr("axis"))
    return wrap(array_ops.one_hot(indices, depth, on, off, axis))


@RegisterPFor("Slice")
def _slice(pfor_input: PForInput) -> Any:
    x, begin, size = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    begin = array_ops.concat([[0], begin], axis=0)
    size = array_ops.concat([[-1], size], axis=0)
    return wrap(slicing.slice(x, begin, size))


@RegisterPFor("Tile")
def _tile(pfor_input: PForInput) -> Any:
    x, multiples = pfor_input.stacked_input(0), pfor_input.unstacked_input(1)
    return wrap(array_ops.tile(x, array_ops.concat([[1], multiples], 0)))


@RegisterPFor("Pack")
def _pack(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    axis = _axis_behind(pfor_input.get_attr("axis"))
    return wrap(array_ops.stack([x.t for x in pfor_input.inputs], axis=axis))


@RegisterPFor("Unpack")
def _unpack(pfor_input: PForInput) -> Any:
    x = pfor_input.stacked_input(0)
    axis = _axis_behind(pfor_input.get_attr("axis"))
    return [wrap(y) for y in array_ops.unstack(x, axis=axis, num=pfor_input.get_attr("num"))]


@RegisterPFor("Pad")
def _pad(pfor_input: PForInput) -> Any:
    x, paddings = pfor_input.stacked_input(0), pfor_input.unstacked_input(1)
    paddings = array_ops.concat([[[0, 0]], paddings], 0)
    return wrap(array_ops.pad(x, paddings, mode="CONSTANT"))


@RegisterPFor("Split")
def _split(pfor_input: PForInput) -> Any:
    axis, x = pfor_input.unstacked_input(0), pfor_input.stacked_input(1)
    parts = array_ops.split(x, pfor_input.get_attr("num_split"), axis=behind_index(axis))
    return [wrap(part) for part in parts]


@RegisterPFor("SplitV")
def _split_v(pfor_input: PForInput) -> Any:
    x, sizes, axis = (
        pfor_input.stacked_input(0),
        pfor_input.unstacked_input(1),
        pfor_input.unstacked_input(2),
    )
    return [wrap(part) for part in array_ops.split(x, sizes, axis=behind_index(axis))]


@RegisterPFor("Squeeze")
def _squeeze(pfor_input: PForInput) -> Any:
    x = pfor_input.stacked_input(0)
    axes = [_axis_behind(axis) for axis in pfor_input.get_attr("squeeze_dims")]
    return wrap(shape_ops.squeeze(x, axis=axes))


@RegisterPFor("Transpose")
def _transpose(pfor_input: PForInput) -> Any:
    x, order = pfor_input.stacked_input(0), pfor_input.unstacked_input(1)
    return wrap(array_ops.transpose(x, array_ops.concat([[0], order + 1], axis=0)))


@RegisterPFor("ZerosLike")
def _zeros_like(pfor_input: PForInput) -> Any:
    x = pfor_input.stacked_input(0)
    return wrap(array_ops.zeros(shape_ops.shape(x)[1:], dtype=x.dtype), False)


@RegisterPFor("Gather")
@RegisterPFor("GatherV2")
def _gather(pfor_input: PForInput) -> Any:
    axis: Any = 0
    if pfor_input.op_type == "GatherV2":
        axis = pfor_input.unstacked_input(2)
        known = constant_value(axis)
        axis = axis if known is None else known
    if pfor_input.input(0).is_stacked:
        return _gather_of_each(pfor_input, axis)
    return _gather_of_one(pfor_input, axis)


def _gather_of_one(pfor_input: PForInput, axis: Any) -> Any:
    """What each iteration gathers of the same tensor."""
    params, indices = pfor_input.input(0).t, pfor_input.input(1).t
    if indices is pfor_input.pfor.all_indices and axis == 0:
        size = params.shape.as_list()[0]
        if size is not None and indices.shape.as_list()[0] == size:
            return wrap(params)  # Each iteration takes its own row.
    found = gather_ops.gather(params, indices, axis=axis)
    if axis != 0:
        given = axis
        axis = control_flow_ops.cond(
            given < 0, lambda: given + shape_ops.rank(params), lambda: given
        )
        order = array_ops.concat(
            [
                [axis],
                math_sums.range(axis),
                math_sums.range(axis + 1, shape_ops.rank(found)),
            ],
            axis=0,
        )
        result = found
        found = control_flow_ops.cond(
            math_ops.equal(axis, 0),
            lambda: result,
            lambda: array_ops.transpose(result, order),
        )
    return wrap(found)


def _gather_of_each(pfor_input: PForInput, axis: Any) -> Any:
    """What each iteration gathers of its own tensor: of all their rows, those of its own."""
    params, length = pfor_input.stacked_input(0), pfor_input.length
    pfor_input.stack_inputs([1])
    indices = pfor_input.stacked_input(1)
    rows = flatten_first_two(params)
    first = math_sums.range(length[0]) * shape_ops.shape(params)[1]
    ones = array_ops.ones([shape_ops.rank(indices) - 1], dtype=dtypes.int32)
    shape = array_ops.concat([length, ones], axis=0)
    indices += shape_ops.reshape(first, shape)
    known = constant_value(axis) if isinstance(axis, ops.Tensor) else int(axis)
    message = "Gather, where indices and param are both loop dependent, currently requires axis=0"
    if known is not None and known != 0:
        raise ValueError(f"Error while converting {pfor_input.op}. {message}. Got axis={known:d}")
    with ops.control_dependencies([check_ops.assert_equal(axis, 0, message=message)]):
        return wrap(gather_ops.gather(rows, indices))


@RegisterPFor("ConcatV2")
def _concat(pfor_input: PForInput) -> Any:
    last = pfor_input.num_inputs - 1
    pfor_input.stack_inputs(range(last))
    axis = pfor_input.unstacked_input(last)
    axis = behind_index(axis, axis.dtype)
    return wrap(array_ops.concat([x.t for x in pfor_input.inputs[:last]], axis=axis))


def _ranges(pfor_input: PForInput, first: int) -> tuple[list[Any], dict[str, Any]]:
    """Begins, ends and strides, and the masks, of a slice that begins with all iterations."""
    starts = ([0], [0], [1])
    given = [pfor_input.unstacked_input(first + i) for i in range(3)]
    bounds = [
        array_ops.concat([start, value], axis=0) for start, value in zip(starts, given, strict=True)
    ]
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    masks = {name: pfor_input.get_attr(name) << 1 for name in names}
    masks["begin_mask"] |= 1
    masks["end_mask"] |= 1
    return bounds, masks


@RegisterPFor("StridedSlice")
def _strided_slice(pfor_input: PForInput) -> Any:
    x = pfor_input.stacked_input(0)
    bounds, masks = _ranges(pfor_input, 1)
    return wrap(slicing.strided_slice(x, *bounds, **masks))


@RegisterPFor("StridedSliceGrad")
def _strided_slice_grad(pfor_input: PForInput) -> Any:
    shape, grad = pfor_input.unstacked_input(0), pfor_input.stacked_input(4)
    shape = array_ops.concat([pfor_input.length, shape], axis=0)
    bounds, masks = _ranges(pfor_input, 1)
    record = raw_ops.function("StridedSliceGrad")
    return wrap(record(shape, *bounds, grad, **masks))


@RegisterPFor("Shape")
def _shape(pfor_input: PForInput) -> Any:
    x, out_type = pfor_input.stacked_input(0), pfor_input.get_attr("out_type")
    return wrap(shape_ops.shape(x, out_type=out_type)[1:], False)


@RegisterPFor("ShapeN")
def _shape_n(pfor_input: PForInput) -> Any:
    out_type = pfor_input.get_attr("out_type")

    def of(value: WrappedTensor) -> Any:
        if value.is_stacked:
            return shape_ops.shape(value.t, out_type=out_type)[1:]
        return shape_ops.shape(value.t)

    return [wrap(of(value), False) for value in pfor_input.inputs]


@RegisterPFor("Size")
def _size(pfor_input: PForInput) -> Any:
    out_type = pfor_input.get_attr("out_type")
    n = math_cast.cast(pfor_input.length[0], out_type)
    return wrap(shape_ops.size(pfor_input.stacked_input(0), out_type=out_type) // n, False)


@RegisterPFor("Rank")
def _rank(pfor_input: PForInput) -> Any:
    return wrap(shape_ops.rank(pfor_input.stacked_input(0)) - 1, False)


@RegisterPFor("Select")
def _select(pfor_input: PForInput) -> Any:
    pfor_input.stack_inputs()
    parts = [pfor_input.stacked_input(i) for i in range(3)]
    rank = shape_ops.rank(parts[0])
    parts = control_flow_ops.cond(
        rank > 1, lambda: pfor_input.flattened([0, 1, 2]), lambda: list(parts)
    )
    found = pfor_input.again(parts).outputs[0]
    chosen = control_flow_ops.cond(
        rank > 1, lambda: unflatten_first(found, pfor_input.length), lambda: found
    )
    return wrap(chosen)


@RegisterPFor("SelectV2")
def _select_v2(pfor_input: PForInput) -> Any:
    pfor_input.expanddim_inputs_for_broadcast()
    return wrap(gather_ops.where_v2(*(x.t for x in pfor_input.inputs)))
