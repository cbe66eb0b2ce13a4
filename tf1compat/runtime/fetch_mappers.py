"""What `tensorflow.python.client.session` takes fetches apart with, for code that wraps sessions.

A session itself uses `fetches.fetch_of`, which these show in TF's form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tf1compat.core import ops
from tf1compat.core.operation import Operation
from tf1compat.runtime import fetches as fetch_lib


class FetchMapper:
    """A structure of fetches (as `_FetchMapper` in TF 1.15): one of the classes below."""

    def unique_fetches(self) -> list[Any]:
        """The tensors and operations in it, each once."""
        raise NotImplementedError("Must be implemented by subclasses")

    def build_results(self, values: list[Any]) -> Any:
        """The structure with the values of `unique_fetches` in their places.

        Args:
          values: one for each of them.
        """
        raise NotImplementedError("Must be implemented by subclasses")

    @staticmethod
    def for_fetch(fetch: Any) -> FetchMapper:
        """The mapper of a structure, of the default graph.

        Args:
          fetch: what `Session.run` takes as `fetches`.

        Raises:
          TypeError: something in it can't be fetched.
          ValueError: a tensor of another graph, or an unknown name.
        """
        taken = fetch_lib.fetch_of(ops.get_default_graph(), fetch)
        if isinstance(fetch, list | tuple):
            kind: type[_Mapper] = ListFetchMapper
        elif isinstance(fetch, Mapping):
            kind = DictFetchMapper
        elif is_attrs_instance(fetch):
            kind = AttrsFetchMapper
        else:
            kind = ElementFetchMapper
        mapper = kind.__new__(kind)
        mapper._fetch = taken
        return mapper


class _Mapper(FetchMapper):
    """A mapper with its structure taken apart."""

    _fetch: fetch_lib.Fetch

    def __init__(self, fetches: Any):
        self._fetch = fetch_lib.fetch_of(ops.get_default_graph(), fetches)

    def unique_fetches(self) -> list[Any]:
        """The tensors and operations in it, each once."""
        return self._fetch.elements

    def build_results(self, values: list[Any]) -> Any:
        """The structure with these values."""
        return self._fetch.build(values)


class ElementFetchMapper(_Mapper):
    """One thing to fetch.

    Args:
      fetches: the tensors, operations or names that it consists of.
      contraction_fn: makes their values one.
    """

    def __init__(self, fetches: Iterable[Any], contraction_fn: Callable[[list[Any]], Any]):
        graph = ops.get_default_graph()
        elements = [fetch_lib.element_of(graph, fetch) for fetch in fetches]
        self._fetch = fetch_lib.Fetch(elements, contraction_fn)

    def build_results(self, values: list[Any]) -> Any:
        """The value of the thing; None if there are none, as for an operation."""
        return super().build_results(values) if values else None


class ListFetchMapper(_Mapper):
    """A list, tuple or named tuple of fetches."""


class DictFetchMapper(_Mapper):
    """A mapping of fetches."""


class AttrsFetchMapper(_Mapper):
    """An object of a class that `attr.s` made."""


class FetchHandler:
    """What a run with these fetches and feeds gives (as `_FetchHandler` in TF 1.15).

    Args:
      graph: the graph.
      fetches: what `Session.run` takes.
      feeds: the values that are fed, by their tensors.
      feed_handles: the `TensorHandle`s among them, by their tensors.

    Raises:
      TypeError, ValueError: as `FetchMapper.for_fetch`.
      tf.errors.InaccessibleTensorError: something in it must not be fetched.
    """

    def __init__(
        self,
        graph: Any,
        fetches: Any,
        feeds: Mapping[Any, Any],
        feed_handles: Mapping[Any, Any] | None = None,
    ):
        with graph.as_default():
            self._fetch_mapper = FetchMapper.for_fetch(fetches)
        self._feeds = feeds
        self._feed_handles = feed_handles or {}
        for element in self._fetch_mapper.unique_fetches():
            self._assert_fetchable(graph, element)

    def _assert_fetchable(self, graph: Any, op: Any) -> None:
        fetch_lib.check_fetchable(graph, op)

    def fetches(self) -> list[Any]:
        """The tensors whose values are asked for, but for those that are fed."""
        found = self._fetch_mapper.unique_fetches()
        return [x for x in found if not isinstance(x, Operation) and x not in self._feeds]

    def targets(self) -> list[Operation]:
        """The operations that are run."""
        return [x for x in self._fetch_mapper.unique_fetches() if isinstance(x, Operation)]

    def build_results(self, session: Any, tensor_values: list[Any]) -> Any:
        """The structure of the fetches with their values.

        Args:
          session: unused, as values that a session keeps come as `TensorHandle`s.
          tensor_values: those of `fetches()`.
        """
        assert len(self.fetches()) == len(tensor_values)
        values = iter(tensor_values)
        return self._fetch_mapper.build_results(
            [self._value(x, values) for x in self._fetch_mapper.unique_fetches()]
        )

    def _value(self, element: Any, values: Any) -> Any:
        if isinstance(element, Operation):
            return None
        if element in self._feed_handles:
            return self._feed_handles[element].eval()
        if element in self._feeds:
            return self._feeds[element]
        return next(values)


def uniquify_fetches(fetch_mappers: Iterable[FetchMapper]) -> tuple[list[Any], list[list[int]]]:
    """What several mappers fetch, each once, and for each mapper where its fetches are in there."""
    places: dict[Any, int] = {}
    indices = [
        [places.setdefault(fetch, len(places)) for fetch in mapper.unique_fetches()]
        for mapper in fetch_mappers
    ]
    return list(places), indices


def is_attrs_instance(obj: Any) -> bool:
    """Whether an object is of a class that `attr.s` made."""
    return getattr(type(obj), "__attrs_attrs__", None) is not None


def get_attrs_values(obj: Any) -> list[Any]:
    """The attributes of such an object, in their order."""
    return [getattr(obj, attribute.name) for attribute in type(obj).__attrs_attrs__]


def name_list(tensor_list: Iterable[Any]) -> list[bytes]:
    """The names of tensors, as bytes."""
    return [tensor.name.encode() for tensor in tensor_list]


def convert_to_numpy_obj(numpy_dtype: Any, obj: Any) -> Any:
    """An object as one of a NumPy type; as a string where that is `object`."""
    return str(obj) if numpy_dtype is object else numpy_dtype(obj)
