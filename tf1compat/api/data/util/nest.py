"""Structures of the elements of datasets: tuples, named tuples, dicts and attrs classes.

Unlike in `tf.nest`, a list is a leaf (it becomes a tensor), and so is a `SparseTensorValue`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.core import nest
from tf1compat.core.sparse_tensor import SparseTensorValue


def is_sequence(o: Any) -> bool:
    """Whether `o` is a structure."""
    if isinstance(o, list | SparseTensorValue):
        return False
    return nest.is_sequence(o)


def flatten(nested: Any) -> list[Any]:
    """The leaves of a structure; of a leaf, a list of it."""
    return nest._leaves(nested, is_sequence)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Checks that two structures are nested in the same way.

    Raises:
      ValueError: they are not.
      TypeError: with `check_types`, types of sequences differ.
    """
    try:
        nest._check_same(nest1, nest2, check_types, is_sequence)
    except (ValueError, TypeError) as error:
        raise type(error)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {nest._described(nest1)}\n\n"
            f"Second structure: {nest._described(nest2)}\n\n"
            f"More specifically: {error}"
        ) from None


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The leaves `flat_sequence` in the form of `structure`.

    Raises:
      TypeError: `flat_sequence` is no sequence.
      ValueError: it has more or fewer leaves.
    """
    if not (is_sequence(flat_sequence) or isinstance(flat_sequence, list)):
        raise TypeError("flat_sequence must be a sequence")
    if not is_sequence(structure):
        if len(flat_sequence) != 1:
            raise ValueError(
                f"Structure is a scalar but len(flat_sequence) == {len(flat_sequence)} > 1"
            )
        return flat_sequence[0]
    count = len(flatten(structure))
    if count != len(flat_sequence):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had "
            f"{len(flat_sequence)} elements.  Structure: {structure}, flat_sequence: "
            f"{flat_sequence}."
        )
    return _packed(structure, iter(flat_sequence))


def _packed(structure: Any, leaves: Any) -> Any:
    children = [
        _packed(child, leaves) if is_sequence(child) else next(leaves)
        for child in nest._children(structure)
    ]
    return nest._like(structure, children)


def map_structure(func: Callable[..., Any], *structure: Any, **check_types_dict: Any) -> Any:
    """The structure of what `func` gives for the leaves of structures of the same form.

    Args:
      func: what is called with a leaf of each.
      *structure: the structures.
      **check_types_dict: `check_types`, whether sequences must be of one type; True by default.

    Raises:
      TypeError: `func` is not callable.
      ValueError: there is no structure, they differ, or another argument is given.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    if check_types_dict and list(check_types_dict) != ["check_types"]:
        raise ValueError("Only valid keyword argument is check_types")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, **check_types_dict)
    leaves = zip(*[flatten(s) for s in structure])
    return pack_sequence_as(structure[0], [func(*parts) for parts in leaves])


def assert_shallow_structure(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> None:
    """Checks that `input_tree` is nested as `shallow_tree` is, and perhaps deeper.

    Raises:
      TypeError, ValueError: it is not.
    """
    if not is_sequence(shallow_tree):
        return
    if not is_sequence(input_tree):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(input_tree)}."
        )
    if check_types and not isinstance(input_tree, type(shallow_tree)):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
        )
    if len(input_tree) != len(shallow_tree):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(input_tree)}, while shallow structure has length {len(shallow_tree)}."
        )
    if check_types and isinstance(shallow_tree, dict) and set(input_tree) != set(shallow_tree):
        raise ValueError(
            "The two structures don't have the same keys. Input structure has keys "
            f"{list(input_tree)}, while shallow structure has keys {list(shallow_tree)}."
        )
    for shallow, deep in zip(nest._children(shallow_tree), nest._children(input_tree)):
        assert_shallow_structure(shallow, deep, check_types)


def flatten_up_to(shallow_tree: Any, input_tree: Any) -> list[Any]:
    """The parts of `input_tree` where `shallow_tree` has its leaves.

    Raises:
      TypeError, ValueError: `input_tree` is not nested so.
    """
    assert_shallow_structure(shallow_tree, input_tree)
    return list(_up_to(shallow_tree, input_tree))


def _up_to(shallow: Any, deep: Any) -> Any:
    if not is_sequence(shallow):
        yield deep
        return
    for a, b in zip(nest._children(shallow), nest._children(deep)):
        yield from _up_to(a, b)


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any) -> Any:
    """As `map_structure`, of the parts of `inputs` where `shallow_tree` has its leaves.

    Raises:
      TypeError, ValueError: an input is not nested so.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    flat = [flatten_up_to(shallow_tree, tree) for tree in inputs]
    return pack_sequence_as(shallow_tree, [func(*parts) for parts in zip(*flat)])
