"""Names with dots and subscripts, such as `a.b[0]`, as symbols."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import anno, parser, syntax
from tf1compat.api.autograph.pyct.syntax import gast


class Symbol(NamedTuple):
    """A plain name."""

    name: str


class StringLiteral(NamedTuple):
    """A string that something is subscripted with."""

    value: str

    def __repr__(self) -> str:
        return f"'{self.value}'"

    __str__ = __repr__


class NumberLiteral(NamedTuple):
    """A number that something is subscripted with."""

    value: Any

    def __repr__(self) -> str:
        return str(self.value)

    __str__ = __repr__


class QN:
    """A qualified name: a name, an attribute of one or an item of one.

    Args:
      base: a string or literal; the `QN` that an attribute or item is of.
      attr: the attribute's name.
      subscript: the item's key, a `QN`.

    Raises:
      ValueError: these don't fit together.
      AssertionError: the string is more than a name.
    """

    def __init__(self, base: Any, attr: str | None = None, subscript: QN | None = None):
        if attr is not None and subscript is not None:
            raise ValueError(
                "A QN can only be either an attr or a subscript, not both: "
                f"attr={attr}, subscript={subscript}."
            )
        self._has_attr = attr is not None
        self._has_subscript = subscript is not None
        if attr is not None:
            if not isinstance(base, QN):
                raise ValueError(f'for attribute QNs, base must be a QN; got instead "{base}"')
            if not isinstance(attr, str):
                raise ValueError(f'attr may only be a string; got instead "{attr}"')
        elif subscript is not None:
            if not isinstance(base, QN):
                raise ValueError("For subscript QNs, base must be a QN.")
        elif not isinstance(base, str | StringLiteral | NumberLiteral):
            raise ValueError(
                "for simple QNs, base must be a string or a Literal object; "
                f'got instead "{type(base)}"'
            )
        elif isinstance(base, str):
            assert not set(".[]") & set(base)
        key = attr if self._has_attr else subscript
        self._parent: Any = base if key is not None else None
        self.qn: tuple[Any, ...] = (base,) if key is None else (base, key)

    def is_symbol(self) -> bool:
        """Whether it is a plain name."""
        return self.is_simple() and isinstance(self.qn[0], str)

    def is_simple(self) -> bool:
        """Whether it is a name or a literal."""
        return self._parent is None

    def is_composite(self) -> bool:
        """Whether it is an attribute or an item."""
        return self._parent is not None

    def has_subscript(self) -> bool:
        """Whether it is an item."""
        return self._has_subscript

    def has_attr(self) -> bool:
        """Whether it is an attribute."""
        return self._has_attr

    @property
    def parent(self) -> QN:
        """What it is an attribute or item of.

        Raises:
          ValueError: it is neither.
        """
        if self._parent is None:
            raise ValueError(f'Cannot get parent of simple name "{self.qn[0]}".')
        return self._parent

    @property
    def owner_set(self) -> set[QN]:
        """What it is a part of, from the nearest on."""
        owners = set()
        owner = self._parent
        while owner is not None:
            owners.add(owner)
            owner = owner._parent
        return owners

    @property
    def support_set(self) -> set[QN]:
        """The plain names, and literals, that it is made of."""
        parts = [part for part in self.qn if isinstance(part, QN)]
        return set().union(*(part.support_set for part in parts)) if parts else {self}

    def __hash__(self) -> int:
        return hash((self.qn, self._has_attr, self._has_subscript))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, QN)
            and self.qn == other.qn
            and self._has_attr == other._has_attr
            and self._has_subscript == other._has_subscript
        )

    def __str__(self) -> str:
        if self._has_subscript:
            return f"{self.qn[0]}[{self.qn[1]}]"
        return ".".join(map(str, self.qn))

    __repr__ = __str__

    def ssf(self) -> str:
        """The name as one identifier.

        Raises:
          TypeError: it has a literal.
        """
        first, *rest = (part.ssf() if isinstance(part, QN) else part for part in self.qn)
        for part in rest:
            first = first + ("_sub_" if self._has_subscript else "_") + part
        return first

    def ast(self) -> Any:
        """The node of the name, whose `ctx` is to be set."""
        if self._has_attr:
            return gast.Attribute(value=self.parent.ast(), attr=self.qn[1], ctx=None)
        if self._has_subscript:
            return gast.Subscript(value=self.parent.ast(), slice=self.qn[1].ast(), ctx=None)
        base = self.qn[0]
        return syntax.name(base) if isinstance(base, str) else syntax.literal(base.value)


class QnResolver(gast.NodeTransformer):
    """Notes the qualified names of a tree's symbols."""

    def visit_Name(self, node: Any) -> Any:
        """A name is one of its own."""
        self.generic_visit(node)
        anno.setanno(node, anno.Basic.QN, QN(node.id))
        return node

    def visit_Attribute(self, node: Any) -> Any:
        """An attribute of something that has one."""
        self.generic_visit(node)
        owner = anno.getanno(node.value, anno.Basic.QN, None)
        if owner is not None:
            anno.setanno(node, anno.Basic.QN, QN(owner, attr=node.attr))
        return node

    def visit_Subscript(self, node: Any) -> Any:
        """An item of something that has one, under a key that is a name or literal."""
        self.generic_visit(node)
        owner = anno.getanno(node.value, anno.Basic.QN, None)
        if syntax.is_literal(node.slice, int, float, complex):
            key = QN(NumberLiteral(node.slice.value))
        elif syntax.is_literal(node.slice, str):
            key = QN(StringLiteral(node.slice.value))
        else:
            key = anno.getanno(node.slice, anno.Basic.QN, None)
        if owner is not None and key is not None:
            anno.setanno(node, anno.Basic.QN, QN(owner, subscript=key))
        return node


def resolve(node: Any) -> Any:
    """Notes the qualified names of a tree's symbols, and returns the tree."""
    return QnResolver().visit(node)


def from_str(qn_str: str) -> QN:
    """The qualified name that an expression is.

    Args:
      qn_str: its code.

    Returns:
      The name.

    Raises:
      AttributeError: the expression is no name.
    """
    return anno.getanno(resolve(parser.parse_expression(qn_str)), anno.Basic.QN)
