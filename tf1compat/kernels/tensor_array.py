"""TensorArrays: a handle and a flow, the tensor that orders what is done with the array.

The handle's data is what is known of the elements: (dtype, shape), as for a variable's handle.
"""

from __future__ import annotations

from typing import Any

from tf1compat.core import shapes
from tf1compat.core.op_registry import not_differentiable, op


def _check_handle(handle: Any) -> None:
    """A handle is a vector of two."""
    shapes.dim_with_value(shapes.with_rank(handle, 1)[0], 2)


def _element(op: Any) -> Any:
    """(dtype, shape) of the elements; None if nothing is known."""
    return op._inputs[0]._handle_data


def _check_write(op: Any, value: Any) -> None:
    known = _element(op)
    if known is not None:
        shapes.merge(known[1], value)


@op("TensorArrayV3")
class TensorArrayV3:
    def shape(size: Any) -> Any:
        shapes.with_rank(size, 0)
        return [(2,), ()]

    def handle_data(op: Any) -> Any:
        shape = op._attrs["element_shape"].to_tuple()
        if op._attrs["identical_element_shapes"] or shapes.is_fully_known(shape):
            return [(op._attrs["dtype"], shape), None]
        return [None, None]


@op("TensorArrayGradV3")
class TensorArrayGradV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def handle_data(op: Any) -> Any:
        return [_element(op), None]


@op("TensorArrayGradWithShape")
class TensorArrayGradWithShape:
    def shape(handle: Any, flow_in: Any, shape_to_prepend: Any) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def handle_data(op: Any) -> Any:
        known = _element(op)
        if known is None:
            return [None, None]
        dtype, shape = known
        prefix = op._inputs[2]._shape
        if shape is None or not prefix or prefix[0] is None:
            return [(dtype, None), None]
        return [(dtype, (None,) * prefix[0] + shape), None]


@op("TensorArrayWriteV3")
class TensorArrayWriteV3:
    def shape(handle: Any, index: Any, value: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        _check_write(op, value)
        return ()

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).read(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayReadV3")
class TensorArrayReadV3:
    def shape(handle: Any, index: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return None if known is None else known[1]

    def gradient(op: Any, grad: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.write(op.inputs[1], grad).flow]


@op("TensorArrayGatherV3")
class TensorArrayGatherV3:
    def shape(handle: Any, indices: Any, flow_in: Any, *, element_shape: Any, op: Any) -> Any:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return shapes.concat(indices, element_shape if known is None else known[1])

    def gradient(op: Any, grad: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.scatter(op.inputs[1], grad).flow]


@op("TensorArrayScatterV3")
class TensorArrayScatterV3:
    def shape(handle: Any, indices: Any, value: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        if shapes.with_rank_at_least(value, 1) is not None:
            shapes.merge_dim(value[0], indices[0])
            _check_write(op, value[1:])
        return ()

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).gather(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayConcatV3")
class TensorArrayConcatV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(flow_in, 0)
        return [None, (None,)]

    def gradient(op: Any, grad: Any, _: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[1])
        return [None, array.split(grad, lengths=op.outputs[1]).flow]


@op("TensorArraySplitV3")
class TensorArraySplitV3:
    def shape(handle: Any, value: Any, lengths: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(lengths, 1)
        shapes.with_rank(flow_in, 0)
        return ()

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).concat()
        return [None, value, None, flow]


@op("TensorArraySizeV3")
class TensorArraySizeV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        return ()


@op("TensorArrayCloseV3")
class TensorArrayCloseV3:
    def shape(handle: Any) -> Any:
        _check_handle(handle)
        return []


not_differentiable(
    "TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape", "TensorArraySizeV3",
    "TensorArrayCloseV3",
)  # fmt: skip


def _gradient_array(op: Any, gradient: Any, dtype: Any, flow: Any) -> Any:
    """The array of the gradients of the elements, one for each call of `tf.gradients`.

    Args:
      op: the forward operation.
      gradient: the gradient (or its flow) that `op` is given; its name tells the calls apart.
      dtype: the dtype of the elements.
      flow: the flow after which the array has its final size.
    """
    from tf1compat.api.tensor_array_ops import TensorArray

    array = TensorArray(
        dtype=dtype, handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False
    )
    return array.grad(source=_call_of(gradient), flow=flow)


def _call_of(gradient: Any) -> str:
    """The name scope of the call of `tf.gradients` that made `gradient`.

    Raises:
      ValueError: it does not begin with "gradients".
    """
    parts = gradient.name.split("/")
    scopes = [i for i, part in enumerate(parts) if part.startswith("gradients")]
    if not scopes:
        raise ValueError(
            "Expected op/tensor name to start with gradients (excluding scope), got: "
            f"{gradient.name}. This means that a tf.gradients op with this op in its dependency "
            "path has a custom name that does not start with 'gradients'. Please make sure all "
            "calls to tf.gradients that have non-empty 'name' arguments use names that start with "
            "'gradients'."
        )
    return "/".join(parts[: scopes[-1] + 1])
