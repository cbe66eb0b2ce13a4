"""What is known of the value behind a handle: its dtype and shape, and TF's proto of them."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, protos
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape


def copy_handle_data(source_t: Tensor, target_t: Tensor) -> None:
    """Says of a handle what is known of another one that stands for the same value.

    Args:
      source_t: the handle of which something is known.
      target_t: the other one; nothing is done if it is no handle.
    """
    if target_t.dtype in (dtypes.resource, dtypes.variant) and source_t._handle_data is not None:
        target_t._handle_data = source_t._handle_data


def get_resource_handle_data(graph_op: Tensor) -> Any:
    """What is known of the value behind a handle, as TF's proto.

    Args:
      graph_op: the tensor.

    Returns:
      A `CppShapeInferenceResult.HandleData`, `is_set` if something is known; of a table it has its
      key and its value.
    """
    assert isinstance(graph_op, Tensor)
    result = protos.load("cpp_shape_inference_pb2", "CppShapeInferenceResult")
    known = result.HandleData()
    data = graph_op._handle_data
    if data is not None:
        known.is_set = True
        pairs = list(zip(data[::2], data[1::2], strict=True))
        for dtype, shape in reversed(pairs):
            known.shape_and_type.add(
                dtype=dtype.as_datatype_enum, shape=TensorShape(shape).as_proto()
            )
    return known


def get_eager_safe_handle_data(handle: Tensor) -> Any:
    """As `get_resource_handle_data`, also in eager execution.

    Args:
      handle: the tensor.
    """
    return get_resource_handle_data(handle)
