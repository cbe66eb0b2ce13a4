"""Sparse tensors in the elements of datasets."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.util import nest
from tf1compat.api.sparse import sparse_serialize_ops
from tf1compat.core import dtypes, ops, sparse_tensor, tensor_shape


def any_sparse(classes: Any) -> bool:
    """Whether `SparseTensor` is among the classes of an element's components."""
    return any(c is sparse_tensor.SparseTensor for c in nest.flatten(classes))


def get_classes(tensors: Any) -> Any:
    """The classes of an element's components: `SparseTensor` or `Tensor`."""
    return nest.map_structure(
        lambda t: (
            sparse_tensor.SparseTensor if isinstance(t, sparse_tensor.SparseTensor) else ops.Tensor
        ),
        tensors,
    )


def as_dense_shapes(shapes: Any, classes: Any) -> Any:
    """The shapes of components, unknown where a component is sparse."""
    return _mapped(lambda shape, sparse: tensor_shape.unknown_shape() if sparse else shape,
                   shapes, classes)  # fmt: skip


def as_dense_types(types: Any, classes: Any) -> Any:
    """The dtypes of components, variant where a component is sparse."""
    return _mapped(lambda dtype, sparse: dtypes.variant if sparse else dtype, types, classes)


def serialize_sparse_tensors(tensors: Any) -> Any:
    """An element whose sparse components are variant vectors of three parts."""
    return _serialized(tensors, sparse_serialize_ops.serialize_sparse)


def serialize_many_sparse_tensors(tensors: Any) -> Any:
    """A batch of elements whose sparse components are variant matrices, a row an element."""
    return _serialized(tensors, sparse_serialize_ops.serialize_many_sparse)


def deserialize_sparse_tensors(tensors: Any, types: Any, shapes: Any, classes: Any) -> Any:
    """An element as it was before `serialize_sparse_tensors`.

    Args:
      tensors: the element.
      types, shapes, classes: of its components, nested as it is.
    """
    flat = zip(*map(nest.flatten, (tensors, types, shapes, classes)), strict=True)
    parts = [
        sparse_serialize_ops.deserialize_sparse(tensor, dtype, shape.rank)
        if cls is sparse_tensor.SparseTensor
        else tensor
        for tensor, dtype, shape, cls in flat
    ]
    return nest.pack_sequence_as(tensors, parts)


def _mapped(function: Any, structure: Any, classes: Any) -> Any:
    pairs = zip(nest.flatten(structure), nest.flatten(classes), strict=True)
    values = [function(value, cls is sparse_tensor.SparseTensor) for value, cls in pairs]
    return nest.pack_sequence_as(structure, values)


def _serialized(tensors: Any, serialize: Any) -> Any:
    parts = [
        serialize(value, out_type=dtypes.variant)
        if isinstance(value, sparse_tensor.SparseTensor)
        else value
        for value in nest.flatten(tensors)
    ]
    return nest.pack_sequence_as(tensors, parts)
