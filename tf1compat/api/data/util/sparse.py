"""Sparse tensors in the elements of datasets."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.util import nest
from tf1compat.core import ops, sparse_tensor


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
