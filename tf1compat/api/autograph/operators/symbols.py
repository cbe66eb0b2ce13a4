"""`tensorflow.python.autograph.operators.symbols`: names whose values may not be there."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.operators.special_values import Undefined


def is_undefined(value: Any) -> bool:
    """Whether a value stands for none.

    Args:
      value: the value.
    """
    return isinstance(value, Undefined)


class Symbol:
    """Something with a name.

    Args:
      name: the name.
    """

    def __init__(self, name: str):
        self.name = name


class ValueSymbol(Symbol):
    """A name with a value.

    Args:
      name: the name.
      value: the value.
    """

    def __init__(self, name: str, value: Any):
        super().__init__(name)
        self.value = value

    def maybe_compute_value(self) -> Any:
        """The value."""
        return self.value


class AttributeAccessSymbol(Symbol):
    """An attribute, as `a.b`.

    Args:
      parent_symbol: what has it.
      attr_name: its name.
    """

    def __init__(self, parent_symbol: Any, attr_name: str):
        super().__init__(f"{parent_symbol.name}.{attr_name}")
        self.attr_name = attr_name
        self.parent_symbol = parent_symbol

    def maybe_compute_value(self) -> Any:
        """The attribute's value; `Undefined` if there is none, or if it is None."""
        parent = self.parent_symbol.maybe_compute_value()
        value = None if is_undefined(parent) else getattr(parent, self.attr_name, None)
        return Undefined(self.name) if value is None else value


class SubscriptSymbol(Symbol):
    """An element, as `a[b]`.

    Args:
      parent_symbol: what has it.
      index_symbol: which one.
    """

    def __init__(self, parent_symbol: Any, index_symbol: Any):
        super().__init__(f"{parent_symbol.name}[{index_symbol.name}]")
        self.index_symbol = index_symbol
        self.parent_symbol = parent_symbol

    def maybe_compute_value(self) -> Any:
        """The element; `Undefined` if there is none."""
        parent = self.parent_symbol.maybe_compute_value()
        index = self.index_symbol.maybe_compute_value()
        if is_undefined(parent) or is_undefined(index):
            return Undefined(self.name)
        try:
            return parent[index]
        except (IndexError, KeyError, TypeError):
            return Undefined(self.name)
