"""What TF's modules take from `tensorflow.python.util.nest` beyond `core/nest.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from typing import Any

from tf1compat.core import nest


def _is_mapping(o: Any) -> bool:
    return isinstance(o, Mapping)


def _is_mapping_view(o: Any) -> bool:
    return isinstance(o, MappingView)


def _get_attrs_items(obj: Any) -> list[tuple[str, Any]]:
    return list(nest._items(obj))


def _packed_nest_with_indices(
    structure: Any, flat: Sequence[Any], index: int, is_seq: Callable[[Any], bool]
) -> tuple[int, list[Any]]:
    """The children of a structure with the leaves `flat[index:]`, and the index after the last."""
    rest = list(flat[index:])
    leaves = iter(rest)
    packed = [
        nest._pack(child, leaves, is_seq) if is_seq(child) else next(leaves)
        for child in nest._children(structure)
    ]
    return index + len(rest) - len(list(leaves)), packed


def _yield_flat_up_to(
    shallow_tree: Any, input_tree: Any, is_seq: Callable[[Any], bool], path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(path, part) of what stands in `input_tree` at the leaves of `shallow_tree`."""
    if not is_seq(shallow_tree):
        yield path, input_tree
        return
    parts = dict(nest._items(input_tree))
    for key, child in nest._items(shallow_tree):
        yield from _yield_flat_up_to(child, parts[key], is_seq, (*path, key))
