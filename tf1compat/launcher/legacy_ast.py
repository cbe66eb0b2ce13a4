"""The node classes of literals, which `ast` and `gast` dropped when all became `Constant`."""

from __future__ import annotations

import sys
from types import EllipsisType, NoneType, SimpleNamespace
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "Bytes": (bytes,),
    "Ellipsis": (EllipsisType,),
    "NameConstant": (bool, NoneType),
    "Num": (int, float, complex),
    "Str": (str,),
}


class _Literal(type):
    """A class whose instances are the constants of some types."""

    library: str
    types: tuple[type, ...]

    @property
    def _constant(cls) -> Any:
        return sys.modules[cls.library].Constant

    def __call__(cls, *value: Any, **named: Any) -> Any:
        values = value or tuple(named.values())
        node = cls._constant(value=values[0] if values else ...)
        if "kind" in cls._constant._fields:
            node.kind = None
        return node

    def __instancecheck__(cls, node: Any) -> bool:
        return isinstance(node, cls._constant) and type(node.value) in cls.types


def _literals(library: str) -> SimpleNamespace:
    return SimpleNamespace(
        **{
            name: _Literal(name, (), {"library": library, "types": types})
            for name, types in _TYPES.items()
        }
    )


AST = _literals("ast")
GAST = _literals("gast")


@property
def value(node: Any) -> Any:
    """`Num.n` and `Str.s`."""
    return node.value


class _Fresh:
    """A field that is an empty list of its own where a node is made without it."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, node: Any, owner: Any) -> Any:
        if node is None:
            return self
        return vars(node).setdefault(self.name, [])


# Fields of later releases: code of gast 0.2 makes nodes without them.
NOTHING = None
posonlyargs = _Fresh("posonlyargs")
type_ignores = _Fresh("type_ignores")
type_params = _Fresh("type_params")


def arguments(node_class: Any) -> Any:
    """`arguments`: before gast 0.3 the fields by position had no `posonlyargs`."""
    made = node_class.__init__
    fields = [field for field in node_class._fields if field != "posonlyargs"]

    def initialize(self: Any, *values: Any, **named: Any) -> None:
        if len(values) == len(fields):
            made(self, **dict(zip(fields, values, strict=True)), posonlyargs=[], **named)
        else:
            made(self, *values, **named)

    node_class.__init__ = initialize
    return node_class


def index(value: Any) -> Any:
    """`Index`: an index is an expression of its own now."""
    return value


def extended_slice(dims: list[Any]) -> Any:
    """`ExtSlice`: several slices are a tuple now."""
    library = sys.modules[type(dims[0]).__module__.partition(".")[0]]
    return library.Tuple(elts=dims, ctx=library.Load())
