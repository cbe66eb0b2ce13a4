"""What `Session.run` fetches and feeds as several tensors: sparse tensors and the like."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.core.indexed_slices import IndexedSlices, IndexedSlicesValue
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue


def _slices_parts(slices: Any) -> list[Any]:
    parts = [slices.values, slices.indices]
    return parts if slices.dense_shape is None else [*parts, slices.dense_shape]


def _sparse_parts(sparse: Any) -> list[Any]:
    return [sparse.indices, sparse.values, sparse.dense_shape]


# (type, expand a fetch, expand a feed, the tensors of a feed), tried in order.
expansions: list[tuple[type, Any, Any, Any]] = [
    (
        SparseTensor,
        lambda fetch: (_sparse_parts(fetch), lambda values: SparseTensorValue(*values)),
        lambda feed, value: list(zip(_sparse_parts(feed), value, strict=False)),
        _sparse_parts,
    ),
    (
        IndexedSlices,
        lambda fetch: (
            _slices_parts(fetch),
            lambda values: IndexedSlicesValue(*values, *([None] * (3 - len(values)))),
        ),
        lambda feed, value: list(zip(_slices_parts(feed), value, strict=False)),
        _slices_parts,
    ),
    (
        object,
        lambda fetch: ([fetch], lambda values: values[0]),
        lambda feed, value: [(feed, value)],
        lambda feed: [feed],
    ),
]


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: Any,
    feed_function: Any = None,
    feed_function_for_partial_run: Any = None,
) -> None:
    """Teaches `Session.run` to fetch and feed objects of a type (as in TF 1.15).

    Raises:
      ValueError: the type is registered already.
    """
    for kind, *_ in expansions:
        if issubclass(kind, tensor_type):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    expansions.insert(
        0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run)
    )


class AnyShape(NamedTuple):
    """An array that is fed though its shape need not be the static one, as in TF's callables."""

    array: Any
