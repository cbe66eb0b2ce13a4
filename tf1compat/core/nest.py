"""`tf.nest`: structures of lists, tuples, dicts, named tuples and attrs classes, and their leaves.

Dicts are walked in the order of their sorted keys, as in TF 1.15. With `expand_composites`, an
IndexedSlices, a SparseTensor and the like count as structures of the tensors they consist of.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from typing import Any

from tf1compat.core.export import tf_export
from tf1compat.core.type_spec import TensorSpec, TypeSpec

# What TF says of structures that differ; its tests ask for these by name.
_STRUCTURES_HAVE_MISMATCHING_LENGTHS = (
    "The two structures don't have the same sequence length. Input structure has length "
    "{input_length}, while shallow structure has length {shallow_length}."
)
_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = (
    "The input_tree has fewer elements than the shallow_tree. Input structure has length "
    "{input_size}, while shallow structure has length {shallow_size}."
)
_STRUCTURES_HAVE_MISMATCHING_TYPES = (
    "The two structures don't have the same sequence type. Input structure has type {input_type}, "
    "while shallow structure has type {shallow_type}."
)
_SHALLOW_TREE_HAS_INVALID_KEYS = (
    "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the "
    "following keys that are not in the input_tree: {}."
)
_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = (
    "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."
)


def _is_attrs(value: Any) -> bool:
    return hasattr(type(value), "__attrs_attrs__")


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def is_composite(value: Any) -> bool:
    """Whether `value` consists of tensors (a SparseTensor, a RaggedTensor …)."""
    return hasattr(type(value), "_type_spec")


def _is_type_spec(value: Any) -> bool:
    return isinstance(value, TypeSpec) and not isinstance(value, TensorSpec)


def is_sequence(o: Any) -> bool:
    """Whether `o` is a structure: a sequence but no string, a mapping, an attrs object."""
    return _has_items(o.__class__)


@functools.lru_cache(maxsize=1024)
def _has_items(kind: type) -> bool:
    if issubclass(kind, str | bytes):
        return False
    return issubclass(kind, Sequence | Mapping | MappingView) or hasattr(kind, "__attrs_attrs__")


def is_sequence_or_composite(o: Any) -> bool:
    """Whether `o` is a structure, or consists of tensors, or is the spec of such a value."""
    return is_sequence(o) or is_composite(o) or _is_type_spec(o)


@tf_export("nest.is_nested")
def is_nested(seq: Any) -> bool:
    """Whether `seq` is a structure: a sequence other than a string, or a dict.

    Args:
      seq: anything.

    Returns:
      A bool.
    """
    return is_sequence(seq)


def _is_seq(expand_composites: bool) -> Callable[[Any], bool]:
    return is_sequence_or_composite if expand_composites else is_sequence


def _sorted(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def _items(structure: Any) -> Iterator[tuple[Any, Any]]:
    """The (key, child) pairs of a structure, in nest's order."""
    if isinstance(structure, Mapping):
        for key in _sorted(structure):
            yield key, structure[key]
    elif _is_attrs(structure):
        for attribute in type(structure).__attrs_attrs__:
            yield attribute.name, getattr(structure, attribute.name)
    elif _is_namedtuple(structure):
        for field in structure._fields:
            yield field, getattr(structure, field)
    elif is_composite(structure):
        yield type(structure).__name__, structure._type_spec._to_components(structure)
    elif _is_type_spec(structure):
        yield structure.value_type.__name__, structure._component_specs
    else:
        yield from enumerate(structure)


def _children(structure: Any) -> Iterator[Any]:
    if type(structure) in (list, tuple):
        return iter(structure)
    return (child for _, child in _items(structure))


def _like(structure: Any, children: list[Any]) -> Any:
    """A structure of the same type as `structure` with these children."""
    if isinstance(structure, Mapping):
        result = dict(zip(_sorted(structure), children))
        if type(structure) is collections.defaultdict:
            packed = collections.defaultdict(structure.default_factory)
            packed.update((key, result[key]) for key in structure)
            return packed
        return type(structure)((key, result[key]) for key in structure)  # pyright: ignore
    if isinstance(structure, MappingView | range):
        return list(children)
    if _is_namedtuple(structure) or _is_attrs(structure):
        return type(structure)(*children)
    if is_composite(structure):
        return structure._type_spec._from_components(children[0])
    if _is_type_spec(structure):
        return structure._from_components(children[0])
    return type(structure)(children)


@tf_export("nest.flatten")
def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure; of a leaf, a list of it.

    Args:
      structure: nested sequences and dicts; the values of a dict are taken by sorted keys.
      expand_composites: whether SparseTensors and the like count as structures of their parts.

    Returns:
      A list of the leaves.

    Raises:
      TypeError: a dict whose keys can't be sorted.
    """
    return _leaves(structure, _is_seq(expand_composites))


def _leaves(structure: Any, is_seq: Callable[[Any], bool]) -> list[Any]:
    if not is_seq(structure):
        return [structure]
    leaves: list[Any] = []
    _flatten_into(leaves, structure, is_seq)
    return leaves


def _flatten_into(leaves: list[Any], structure: Any, is_seq: Callable[[Any], bool]) -> None:
    for child in _children(structure):
        if is_seq(child):
            _flatten_into(leaves, child, is_seq)
        else:
            leaves.append(child)


class _Dot:
    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


@tf_export("nest.assert_same_structure")
def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Checks that two structures are nested in the same way.

    Args:
      nest1, nest2: nested sequences and dicts.
        check_types: whether sequences must be of the same types, too.
      expand_composites: whether SparseTensors and the like count as structures of their parts.

    Raises:
      ValueError: they are not.
      TypeError: with `check_types`, types of sequences differ.
    """
    try:
        _check_same(nest1, nest2, check_types, _is_seq(expand_composites))
    except (ValueError, TypeError) as error:
        first = map_structure(lambda _: _DOT, nest1)
        second = map_structure(lambda _: _DOT, nest2)
        raise type(error)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_described(nest1)}\n\nSecond structure: {_described(nest2)}\n\n"
            f"More specifically: {error}\n"
            f"Entire first structure:\n{first}\nEntire second structure:\n{second}"
        ) from None


def _described(value: Any) -> str:
    return f"type={type(value).__name__} str={value!s}"  # An eager tensor has a format of its own.


def _check_same(a: Any, b: Any, check_types: bool, is_seq: Callable[[Any], bool]) -> None:
    if is_seq(a) != is_seq(b):
        nested, leaf = (a, b) if is_seq(a) else (b, a)
        raise ValueError(
            f'Substructure "{_described(nested)}" is a sequence, '
            f'while substructure "{_described(leaf)}" is not'
        )
    if not is_seq(a):
        return
    if check_types:
        _check_same_type(a, b)
    children_a, children_b = list(_children(a)), list(_children(b))
    for child_a, child_b in zip(children_a, children_b, strict=False):
        _check_same(child_a, child_b, check_types, is_seq)
    if len(children_a) != len(children_b):
        raise ValueError(
            "The two structures don't have the same number of elements. "
            f"First structure: {_described(a)}. Second structure: {_described(b)}"
        )


def _same_namedtuples(a: Any, b: Any) -> bool:
    return type(a).__name__ == type(b).__name__ and a._fields == b._fields


def _check_same_type(a: Any, b: Any) -> None:
    if is_composite(a) or _is_type_spec(a):
        _check_compatible_specs(a, b)
        return
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if set(a) != set(b):
            raise ValueError(
                "The two dictionaries don't have the same set of keys. "
                f"First structure has keys {_described(list(a))}, "
                f"while second structure has keys {_described(list(b))}"
            )
        return
    if _is_namedtuple(a) and _is_namedtuple(b):
        same = _same_namedtuples(a, b)
    else:
        same = type(a) is type(b) or (isinstance(a, list) and isinstance(b, list))
    if not same:
        raise TypeError(
            "The two namedtuples don't have the same sequence type. "
            f"First structure {_described(a)} has type {type(a).__name__}, "
            f"while second structure {_described(b)} has type {type(b).__name__}"
        )


def _check_compatible_specs(a: Any, b: Any) -> None:
    spec_a = a if _is_type_spec(a) else a._type_spec
    spec_b = b if _is_type_spec(b) else getattr(b, "_type_spec", None)
    if spec_b is None:
        raise TypeError(
            "The two structures don't have the same sequence type. "
            f"Input structure has type {type(b)}, while shallow structure has type {type(a)}."
        )
    try:
        spec_a.most_specific_compatible_type(spec_b)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Incompatible CompositeTensor TypeSpecs: {spec_a} vs. {spec_b} -- {error}"
        ) from None


@tf_export("nest.pack_sequence_as")
def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """A structure like `structure` with the leaves `flat_sequence`.

    Args:
      structure: nested sequences and dicts.
      flat_sequence: a leaf for each leaf of `structure`, in the order of `flatten`.
      expand_composites: whether SparseTensors and the like count as structures of their parts.

    Returns:
      The new structure; where `structure` is no structure, the one leaf.

    Raises:
      TypeError: `flat_sequence` is not a sequence.
      ValueError: there are too few or too many leaves.
    """
    is_seq = _is_seq(expand_composites)
    if not is_seq(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(_children(flat_sequence))
    if not is_seq(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    leaves = flatten(structure, expand_composites)
    if len(leaves) != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {len(leaves)} elements, but flat_sequence had "
            f"{len(flat)} elements.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _pack(structure, iter(flat), is_seq)


def _pack(structure: Any, leaves: Iterator[Any], is_seq: Callable[[Any], bool]) -> Any:
    children = [
        _pack(child, leaves, is_seq) if is_seq(child) else next(leaves)
        for child in _children(structure)
    ]
    return _like(structure, children)


@tf_export("nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """A structure like the first with `func` of the corresponding leaves of all.

    Args:
      func: takes one leaf of each structure.
      *structure: one or more structures that are nested in the same way.
      **kwargs: `check_types` (default True) and `expand_composites` (default False).

    Returns:
      A structure like the first.

    Raises:
      TypeError: `func` is not callable, or types of sequences differ.
      ValueError: no structure, structures that are nested differently, other keywords.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        names = "`, `".join(kwargs)
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, "
            f"not: `{names}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand_composites)
    flat = [flatten(s, expand_composites) for s in structure]
    results = [func(*leaves) for leaves in zip(*flat)]
    return pack_sequence_as(structure[0], results, expand_composites)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """As `map_structure`; `func` gets the path ("a/0/b") of the leaf first."""

    def with_text(path: tuple[Any, ...], *leaves: Any, **others: Any) -> Any:
        return func("/".join(map(str, path)), *leaves, **others)

    return map_structure_with_tuple_paths_up_to(structure[0], with_text, *structure, **kwargs)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """As `map_structure`; `func` gets the path (a tuple of keys) of the leaf first."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """A dict from the leaves of all keys to the corresponding leaves of the values.

    Raises:
      TypeError: not a dict.
      ValueError: a key and its value differ in structure, or a leaf of the keys occurs twice.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    result: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_sequence(key) else ([key], [value])
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                f"{len(values)} elements. Key: {keys}, value: {values}."
            )
        for leaf, leaf_value in zip(keys, values):
            if leaf in result:
                raise ValueError(f"Could not flatten dictionary: key {leaf} is not unique.")
            result[leaf] = leaf_value
    return result


# Structures compared only as deep as a shallower one goes.


def _paths_up_to(
    shallow: Any, tree: Any, is_seq: Callable[[Any], bool], path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if not is_seq(shallow):
        yield path, tree
        return
    branches = dict(_items(tree))
    for key, child in _items(shallow):
        yield from _paths_up_to(child, branches[key], is_seq, (*path, key))


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Checks that `input_tree` is nested as `shallow_tree` as deep as that goes.

    Raises:
      TypeError: it has a leaf where `shallow_tree` has a sequence, or (with `check_types`) another
        type of sequence.
      ValueError: numbers of elements or keys differ.
    """
    is_seq = _is_seq(expand_composites)
    if not is_seq(shallow_tree):
        return
    if not is_seq(input_tree):
        raise TypeError(_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(type(input_tree)))
    if is_composite(shallow_tree) or _is_type_spec(shallow_tree):
        _check_compatible_specs(shallow_tree, input_tree)
    else:
        if check_types:
            _check_shallow_type(shallow_tree, input_tree)
        _check_shallow_length(shallow_tree, input_tree, check_subtrees_length)
    for shallow_branch, branch in zip(_children(shallow_tree), _children(input_tree)):
        assert_shallow_structure(
            shallow_branch, branch, check_types, expand_composites, check_subtrees_length
        )


def _check_shallow_type(shallow: Any, tree: Any) -> None:
    if isinstance(tree, type(shallow)):
        return
    if isinstance(shallow, Mapping) and isinstance(tree, Mapping):
        return
    if _is_namedtuple(shallow) and _is_namedtuple(tree) and _same_namedtuples(shallow, tree):
        return
    raise TypeError(
        _STRUCTURES_HAVE_MISMATCHING_TYPES.format(input_type=type(tree), shallow_type=type(shallow))
    )


def _check_shallow_length(shallow: Any, tree: Any, exact: bool) -> None:
    if exact and len(tree) != len(shallow):
        raise ValueError(
            _STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(
                input_length=len(tree), shallow_length=len(shallow)
            )
        )
    if len(tree) < len(shallow):
        raise ValueError(
            _INPUT_TREE_SMALLER_THAN_SHALLOW_TREE.format(
                input_size=len(tree), shallow_size=len(shallow)
            )
        )
    if isinstance(shallow, Mapping):
        absent = set(shallow) - set(tree)
        if absent:
            raise ValueError(_SHALLOW_TREE_HAS_INVALID_KEYS.format(sorted(absent)))


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[tuple[Any, ...], Any]]:
    """The (path, subtree) pairs of `input_tree` at the leaves of `shallow_tree`."""
    assert_shallow_structure(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return list(_paths_up_to(shallow_tree, input_tree, _is_seq(expand_composites)))


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """The subtrees of `input_tree` at the leaves of `shallow_tree`."""
    pairs = flatten_with_tuple_paths_up_to(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return [subtree for _, subtree in pairs]


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """A structure like `shallow_tree` with `func` of the inputs' subtrees at its leaves."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values: func(*values), *inputs, **kwargs
    )


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """As `map_structure_up_to`; `func` gets the path (a tuple of keys) first.

    Raises:
      ValueError: no inputs.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    check_length = kwargs.pop("check_subtrees_length", True)
    pairs = [
        flatten_with_tuple_paths_up_to(shallow_tree, tree, check_types, expand, check_length)
        for tree in inputs
    ]
    results = [
        func(leaves[0][0], *(subtree for _, subtree in leaves), **kwargs) for leaves in zip(*pairs)
    ]
    return pack_sequence_as(shallow_tree, results, expand)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The part of `structure` that `traverse_fn` says to enter, with bools for leaves.

    Args:
      traverse_fn: takes a substructure and returns whether to enter it, or that for each child.

    Raises:
      TypeError: `traverse_fn` returns something else.
    """
    is_seq = _is_seq(expand_composites)
    enter = traverse_fn(structure)
    if not is_seq(structure):
        if not isinstance(enter, bool):
            raise TypeError(
                f"traverse_fn returned structure: {enter} for non-structure: {structure}"
            )
        return enter
    if enter is False:
        return False
    if enter is True:
        choices = [True] * len(list(_children(structure)))
    elif not is_seq(enter):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {enter} for input: {structure}")
    else:
        assert_shallow_structure(enter, structure, expand_composites=expand_composites)
        choices = list(_children(enter))
    level = []
    for choice, branch in zip(choices, _children(structure)):
        if not isinstance(choice, bool):
            raise TypeError(
                "traverse_fn didn't return a depth=1 structure of bools.  "
                f"saw: {enter}  for structure: {structure}"
            )
        deeper = choice and get_traverse_shallow_structure(traverse_fn, branch, expand_composites)
        level.append(deeper)
    return _like(structure, level)


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[tuple[Any, ...]]:
    """The paths (tuples of keys) of all leaves."""
    for path, _ in _paths_up_to(nest, nest, _is_seq(expand_composites)):
        yield path


def flatten_with_tuple_paths(
    structure: Any, expand_composites: bool = False
) -> list[tuple[tuple[Any, ...], Any]]:
    """The (path, leaf) pairs of a structure."""
    paths = yield_flat_paths(structure, expand_composites)
    return list(zip(paths, flatten(structure, expand_composites)))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """The (path, leaf) pairs of a structure, paths joined to text."""
    return [
        (separator.join(map(str, path)), leaf)
        for path, leaf in flatten_with_tuple_paths(structure, expand_composites)
    ]
