"""Converters of TensorArrays and stacks (see `pfor`).

Those of the body hold the elements of all iterations together: each element of theirs has them
along a first dimension, unless all iterations write the same. Whether they do is told by the flow:
it is stacked once what was written is. Those from outside have each iteration read and write places
of its own.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, gather_ops, shape_ops
from tf1compat.api.parallel_for.pfor import (
    PForInput,
    RegisterPFor,
    repeated,
    unflatten_first,
    wrap,
)
from tf1compat.core import raw_ops

_ARRAYS = ("TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape")


def _source(handle: Any) -> Any:
    """Where a handle comes from, in front of the loops that it entered."""
    while handle.op.type in ("Enter", "Identity"):
        handle = handle.op.inputs[0]
    return handle


def _is_of_body(pfor_input: PForInput) -> bool:
    handle = _source(pfor_input.op.inputs[0])
    if handle.op.type not in _ARRAYS:
        raise ValueError(f"Unable to find source for handle {handle}")
    return pfor_input.pfor.op_is_inside_loop(handle.op)


def _flow(pfor_input: PForInput, index: int) -> tuple[Any, bool]:
    """The flow of the array, and whether its elements are stacked."""
    value = pfor_input.input(index)
    return (gather_ops.gather(value.t, 0) if value.is_stacked else value.t), value.is_stacked


def _stacked(pfor_input: PForInput, value: Any) -> Any:
    return value.t if value.is_stacked else repeated(value.t, pfor_input.length)


def _swapped(value: Any) -> Any:
    """A tensor with its first two dimensions exchanged."""
    shape = shape_ops.shape(value)
    first, second = shape[0], shape[1]
    rows = shape_ops.reshape(value, [first, second, -1])
    rows = array_ops.transpose(rows, [1, 0, 2])
    return shape_ops.reshape(rows, array_ops.concat([[second, first], shape[2:]], axis=0))


@RegisterPFor("TensorArrayV3")
def _array(pfor_input: PForInput) -> Any:
    size = pfor_input.unstacked_input(0)
    names = (
        "dtype", "dynamic_size", "clear_after_read", "identical_element_shapes",
        "tensor_array_name",
    )  # fmt: skip
    how = {name: pfor_input.get_attr(name) for name in names}
    # Without a shape of the elements, as it is not known yet whether they will be stacked.
    handle, flow = raw_ops.TensorArrayV3(size=size, element_shape=None, **how)
    return wrap(handle, False), wrap(flow, False)


@RegisterPFor("TensorArraySizeV3")
def _size(pfor_input: PForInput) -> Any:
    handle = pfor_input.unstacked_input(0)
    flow, _ = _flow(pfor_input, 1)
    return wrap(raw_ops.TensorArraySizeV3(handle=handle, flow_in=flow), False)


def _gathered(handle: Any, indices: Any, flow: Any, dtype: Any) -> Any:
    return raw_ops.TensorArrayGatherV3(
        handle=handle, indices=indices, flow_in=flow, dtype=dtype, element_shape=None
    )


@RegisterPFor("TensorArrayReadV3")
def _read(pfor_input: PForInput) -> Any:
    handle, index = pfor_input.unstacked_input(0), pfor_input.input(1)
    dtype = pfor_input.get_attr("dtype")
    flow, flow_stacked = _flow(pfor_input, 2)
    inside = _is_of_body(pfor_input)
    if index.is_stacked:
        if inside and flow_stacked:
            raise ValueError(
                "It looks like TensorArrayReadV3 was called on a TensorArray whose values are not "
                "loop-invariant, and the read indices were also not loop invariant. This is "
                "currently unsupported."
            )
        return wrap(_gathered(handle, index.t, flow, dtype))
    value = raw_ops.TensorArrayReadV3(handle=handle, index=index.t, flow_in=flow, dtype=dtype)
    if inside and flow_stacked and pfor_input.pfor.all_indices_partitioned:
        value = gather_ops.gather(value, pfor_input.pfor.all_indices)
    return wrap(value, inside and flow_stacked)


@RegisterPFor("TensorArrayWriteV3")
def _write(pfor_input: PForInput) -> Any:
    handle, index, value = (
        pfor_input.unstacked_input(0),
        pfor_input.input(1),
        pfor_input.input(2),
    )
    if value.is_stacked and pfor_input.pfor.all_indices_partitioned:
        raise ValueError(
            "Writing non loop invariant values to TensorArray from inside a while_loop/cond not "
            "supported."
        )
    flow, flow_stacked = _flow(pfor_input, 3)
    if not _is_of_body(pfor_input):
        if not index.is_stacked:
            raise ValueError(f"Need indices for {handle} to be not loop invariant")
        flow = _scattered(handle, index.t, _stacked(pfor_input, value), flow)
        return wrap(repeated(flow, pfor_input.length))
    if index.is_stacked:
        raise ValueError(f"Need indices for {handle} to be loop invariant")
    same = not (flow_stacked or value.is_stacked)
    written = value.t if same else _stacked(pfor_input, value)
    flow = raw_ops.TensorArrayWriteV3(handle=handle, index=index.t, value=written, flow_in=flow)
    return wrap(flow, False) if same else wrap(repeated(flow, pfor_input.length))


def _scattered(handle: Any, indices: Any, value: Any, flow: Any) -> Any:
    return raw_ops.TensorArrayScatterV3(handle=handle, indices=indices, value=value, flow_in=flow)


@RegisterPFor("TensorArrayGatherV3")
def _gather(pfor_input: PForInput) -> Any:
    handle, indices = pfor_input.unstacked_input(0), pfor_input.input(1)
    places = shape_ops.reshape(indices.t, [-1])
    flow, flow_stacked = _flow(pfor_input, 2)
    value = _gathered(handle, places, flow, pfor_input.get_attr("dtype"))
    inside = _is_of_body(pfor_input)
    if indices.is_stacked:
        if inside and flow_stacked:
            raise ValueError(
                "It looks like TensorArrayGatherV3 was called on a TensorArray whose values are "
                "not loop-invariant, and the indices were also not loop invariant. This is "
                "currently unsupported."
            )
        return wrap(unflatten_first(value, pfor_input.length))
    if not inside:
        return wrap(value, False)
    # The first dimension is the elements', the second the iterations'.
    return wrap(_swapped(value) if flow_stacked else value, flow_stacked)


@RegisterPFor("TensorArrayScatterV3")
def _scatter(pfor_input: PForInput) -> Any:
    handle, indices = pfor_input.unstacked_input(0), pfor_input.input(1)
    places = shape_ops.reshape(indices.t, [-1])
    value = pfor_input.input(2)
    flow, flow_stacked = _flow(pfor_input, 3)
    if not _is_of_body(pfor_input):
        if not indices.is_stacked:
            raise ValueError(f"Need indices for {handle} to be not loop invariant")
        from tf1compat.api.parallel_for.pfor import flatten_first_two

        rows = flatten_first_two(_stacked(pfor_input, value))
        flow = _scattered(handle, places, rows, flow)
        return wrap(repeated(flow, pfor_input.length))
    if indices.is_stacked:
        raise ValueError(f"Need indices for {handle} to be loop invariant")
    if not (flow_stacked or value.is_stacked):
        return wrap(_scattered(handle, places, value.t, flow), False)
    rows = _swapped(_stacked(pfor_input, value))
    return wrap(repeated(_scattered(handle, places, rows, flow), pfor_input.length))


@RegisterPFor("TensorArrayGradV3")
def _array_grad(pfor_input: PForInput) -> Any:
    handle = pfor_input.unstacked_input(0)
    flow, _ = _flow(pfor_input, 1)
    length = pfor_input.length
    handle, flow = raw_ops.TensorArrayGradWithShape(
        handle=handle,
        flow_in=flow,
        shape_to_prepend=length,
        source=pfor_input.get_attr("source"),
    )
    return [wrap(handle, False), wrap(repeated(flow, length))]


def _stack_of(pfor_input: PForInput) -> Any:
    handle = _source(pfor_input.op.inputs[0])
    assert handle.op.type == "StackV2", f"Unable to find StackV2 op. Got {handle.op}"
    return handle.op


@RegisterPFor("StackPushV2")
def _push(pfor_input: PForInput) -> Any:
    handle, element = pfor_input.unstacked_input(0), pfor_input.input(1)
    stack, known = _stack_of(pfor_input), pfor_input.pfor.stacks
    if not pfor_input.pfor.op_is_inside_loop(stack):
        raise ValueError("StackPushV2 not allowed on stacks created outside pfor")
    stacked = known.setdefault(stack, element.is_stacked)
    value = element.t
    if not stacked and element.is_stacked:
        raise ValueError(
            "It looks like the stack was previously determined to be loop invariant, but we are "
            "now trying to push a loop dependent value to it. This is currently unsupported."
        )
    if stacked and not element.is_stacked:
        value = repeated(value, pfor_input.length)
    swap = pfor_input.get_attr("swap_memory")
    return wrap(raw_ops.StackPushV2(handle=handle, elem=value, swap_memory=swap), stacked)


@RegisterPFor("StackPopV2")
def _pop(pfor_input: PForInput) -> Any:
    handle = pfor_input.unstacked_input(0)
    stacked = pfor_input.pfor.stacks.setdefault(_stack_of(pfor_input), False)
    elem_type = pfor_input.get_attr("elem_type")
    return wrap(raw_ops.StackPopV2(handle=handle, elem_type=elem_type), stacked)
