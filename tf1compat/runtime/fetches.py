"""What `Session.run` is asked for: structures of fetches taken apart and put together again, and
feeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, nest, session_conversions
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


class Fetch:
    """A structure of fetches: its distinct tensors and operations, and how to rebuild it from their
    values.

    Attributes:
      is_single: whether it is one tensor or operation, and its value what `build` gives.
    """

    def __init__(
        self, elements: list[Any], build: Callable[[list[Any]], Any], is_single: bool = False
    ):
        self.elements = elements
        self.build = build
        self.is_single = is_single


def fetch_of(graph: Any, fetch: Any) -> Fetch:
    """Takes a structure of fetches apart.

    Raises:
      TypeError: something in it can't be fetched.
      ValueError: a tensor of another graph, or an unknown name.
    """
    if fetch is None:
        raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")
    if isinstance(fetch, list | tuple):
        return _sequence(graph, fetch)
    if isinstance(fetch, Mapping):
        keys = list(fetch)
        parts = _sequence(graph, [fetch[key] for key in keys])

        def build_mapping(values: list[Any]) -> Any:
            result = type(fetch)()
            for key, value in zip(keys, parts.build(values), strict=True):
                result[key] = value  # pyright: ignore[reportIndexIssue]
            return result

        return Fetch(parts.elements, build_mapping)
    if getattr(type(fetch), "__attrs_attrs__", None) is not None:
        names = [attribute.name for attribute in type(fetch).__attrs_attrs__]
        parts = _sequence(graph, [getattr(fetch, name) for name in names])
        return Fetch(parts.elements, lambda values: type(fetch)(*parts.build(values)))
    for kind, expand, _, _ in session_conversions.expansions:
        if isinstance(fetch, kind):
            pieces, contract = expand(fetch)
            elements = [element_of(graph, piece) for piece in pieces]
            return Fetch(elements, contract, is_single=kind is object)
    raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")


def element_of(graph: Any, fetch: Any) -> Any:
    """The tensor or operation that one fetch stands for.

    Raises:
      TypeError, ValueError: as `fetch_of`.
    """
    try:
        return graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
    except TypeError as error:
        raise TypeError(
            f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or "
            f"Tensor. ({error})"
        ) from None
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})"
        ) from None


def _sequence(graph: Any, fetches: Any) -> Fetch:
    parts = [fetch_of(graph, item) for item in fetches]
    elements: dict[Any, int] = {}
    positions = [
        [elements.setdefault(element, len(elements)) for element in part.elements] for part in parts
    ]

    if all(part.is_single for part in parts) and type(fetches) in (list, tuple):
        places = [where[0] for where in positions]
        if places == list(range(len(elements))):
            return Fetch(list(elements), list if type(fetches) is list else tuple)
        kind = type(fetches)
        return Fetch(list(elements), lambda values: kind([values[i] for i in places]))

    def build(values: list[Any]) -> Any:
        results = [
            part.build([values[i] for i in where])
            for part, where in zip(parts, positions, strict=True)
        ]
        if isinstance(fetches, list):
            return results
        return tuple(results) if type(fetches) is tuple else type(fetches)(*results)

    return Fetch(list(elements), build)


def check_fetchable(graph: Any, element: Any) -> None:
    """Refuses what `graph.prevent_fetching` forbids."""
    op = element if isinstance(element, Operation) else element.op
    if not graph.is_fetchable(op):
        raise errors.InaccessibleTensorError(
            f"Operation {op.name!r} has been marked as not fetchable. Typically this happens when "
            "it is defined in another function or code block. Use return values,explicit Python "
            "locals or TensorFlow collections to access it."
        )


def feed_items(graph: Any, feed_dict: Mapping[Any, Any]) -> list[tuple[Tensor, Any]]:
    """The tensors that a feed dict feeds, with their values as given.

    Raises:
      TypeError: a key is no tensor of the graph.
      ValueError: a tuple key does not match its value.
    """
    found: list[tuple[Tensor, Any]] = []
    for key, value in _flatten_items(feed_dict):
        expand = next(
            (feed for kind, _, feed, _ in session_conversions.expansions if isinstance(key, kind)),
            None,
        )
        if expand is None:
            raise TypeError(f"Feed argument {key!r} has invalid type {type(key)!r}")
        for part, part_value in expand(key, value):
            try:
                tensor = graph.as_graph_element(part, allow_tensor=True, allow_operation=False)
            except Exception as error:
                raise TypeError(
                    f"Cannot interpret feed_dict key as Tensor: {error.args[0]}"
                ) from None
            if isinstance(part_value, Tensor):
                raise _tensor_fed(key, value)
            found.append((tensor, part_value))
    return found


def feed_parts(feed: Any) -> list[Any]:
    """The tensors (or names) that a feed key stands for.

    Raises:
      TypeError: it is none.
    """
    for kind, _, _, parts in session_conversions.expansions:
        if isinstance(feed, kind):
            return parts(feed)
    raise TypeError(f"Feed argument {feed!r} has invalid type {type(feed)!r}")


def _flatten_items(feed_dict: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    if not isinstance(feed_dict, Mapping):
        raise TypeError("input must be a dictionary")
    items: dict[Any, Any] = {}
    for key, value in feed_dict.items():
        pairs = [(key, value)]
        if nest.is_sequence(key):
            keys, values = nest.flatten(key), nest.flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                    f"{len(values)} elements. Key: {keys}, value: {values}."
                )
            pairs = list(zip(keys, values, strict=True))
        for part, part_value in pairs:
            if part in items:
                raise ValueError(f"Could not flatten dictionary: key {part} is not unique.")
            items[part] = part_value
    return list(items.items())


def feed_array(tensor: Tensor, value: Any) -> Any:
    """The value of a feed as an array of the tensor's dtype.

    Raises:
      TypeError: a tensor, or a Python number that the dtype can't hold.
      ValueError: its shape does not fit the tensor's.
    """
    if value.__class__ is session_conversions.AnyShape:
        return value.array
    numpy_type = tensor._dtype.as_numpy_dtype
    if isinstance(value, np.ndarray | np.generic) and value.dtype == numpy_type:
        array = as_bytes(np.asarray(value)) if numpy_type is object else np.asarray(value)
    elif hasattr(value, "addressable_shards") and value.dtype == numpy_type:
        array = value  # on the device already
    else:
        array = _converted(tensor, value, numpy_type)
    if tensor._dtype.is_quantized:
        array = array.astype(dtypes.in_programs(tensor._dtype))
    shape = tensor._shape
    if shape is not None and not (
        len(shape) == array.ndim
        and all(d is None or d == s for d, s in zip(shape, array.shape, strict=True))
    ):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, "
            f"which has shape {str(tensor.shape)!r}"
        )
    return array


def _converted(tensor: Tensor, value: Any, numpy_type: Any) -> np.ndarray:
    if isinstance(value, Tensor) and not value._is_eager:
        raise _tensor_fed(tensor, value)
    if isinstance(value, int):
        try:
            fits = numpy_type is not object and numpy_type(value) == value
        except OverflowError:
            fits = False
        if not fits:
            raise TypeError(
                f"Type of feed value {value} with type {type(value)} is not compatible with Tensor "
                f"type {numpy_type}. Try explicitly setting the type of the feed tensor to a "
                f"larger "
                "type (e.g. int64)."
            )
    try:
        array = np.asarray(value, dtype=numpy_type)
    except OverflowError:
        # Of what is in a list, NumPy took the lowest bits when TF 1.15 was written.
        array = np.asarray(value, dtype=np.int64).astype(numpy_type)
    return as_bytes(array) if array.dtype == object else array


def _tensor_fed(key: Any, value: Any) -> TypeError:
    return TypeError(
        "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
        "scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor "
        f"object was {value} which was passed to the feed with key {key}."
    )


def as_bytes(array: np.ndarray) -> np.ndarray:
    """An object array of strings with every element as bytes."""
    if array.ndim == 0:
        item = array[()]
        result = np.empty((), object)
        result[()] = item.encode() if isinstance(item, str) else item
        return result
    return np.array(
        [item.encode() if isinstance(item, str) else item for item in array.ravel()] + [None],
        object,
    )[:-1].reshape(array.shape)


def _is_given_out(item: Any) -> bool:
    """Whether an object is a string, or the handle of a tensor that the session keeps."""
    return isinstance(item, str | bytes) or getattr(item, "is_given_out", False)


def result(value: Any) -> Any:
    """What `Session.run` returns for a fetched value: a writable array, a NumPy scalar, or
    bytes.

    Raises:
      InternalError: the value is a variant.
    """
    if type(value) is np.ndarray:
        if not (value.dtype.hasobject and value.size) or _is_given_out(value.flat[0]):
            return value if value.shape else value[()]
        shape = None
    else:
        shape = value.shape if getattr(value, "dtype", np.object_) != np.object_ else None
    if shape is None:
        text = "Tensorflow type 21 not convertible to numpy dtype."
        raise errors.InternalError(None, None, text)
    return np.array(value) if shape else np.asarray(value)[()]
