"""Where a `tf.function` keeps what it recorded."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

from tf1compat.api.functions.concrete_function import ConcreteFunction


class _CallKey(NamedTuple):
    input_signature: Any
    parent_graph: Any
    device_functions: tuple[Any, ...]
    colocation_stack: tuple[Any, ...]
    in_cross_replica_context: bool


class CacheKey(_CallKey):
    """What a recorded function is found by.

    Args:
      input_signature: what is to be the same about the arguments.
      parent_graph: the outermost graph; None in eager execution.
      device_functions, colocation_stack: where the call stands, as far as that tells functions.
      in_cross_replica_context: whether it stands outside the replicas of a strategy.
    """

    __slots__ = ()

    def replace(self, **fields: Any) -> CacheKey:
        """The key with other fields."""
        return self._replace(**fields)


class FunctionCache:
    """The functions that were recorded of one Python function.

    Attributes:
      missed: the keys, without signature, for which one was recorded.
      primary: the functions, by `CacheKey`s.
      arg_relaxed: those recorded for less specific shapes, by keys that have ranks only.
      arg_relaxed_shapes: by the same keys, the shapes that they serve; None for what is no tensor.
    """

    def __init__(self) -> None:
        self.missed: set[CacheKey] = set()
        self.primary: OrderedDict[CacheKey, ConcreteFunction] = OrderedDict()
        self.arg_relaxed: OrderedDict[CacheKey, ConcreteFunction] = OrderedDict()
        self.arg_relaxed_shapes: OrderedDict[CacheKey, list[Any]] = OrderedDict()

    def all_values(self) -> set[ConcreteFunction]:
        """All the functions."""
        return {*self.primary.values(), *self.arg_relaxed.values()}
