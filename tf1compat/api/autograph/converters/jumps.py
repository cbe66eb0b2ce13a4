"""What the rewritings of jumps have in common."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.core import entities
from tf1compat.api.autograph.pyct import anno, templates

# The note at a `for` loop of a test without which no further round begins.
EXTRA_TEST = "extra_test"


class LoopFlag:
    """A loop: the name of its flag, and whether it is used."""

    def __init__(self) -> None:
        self.used = False
        self.flag = ""

    def __repr__(self) -> str:
        return f"used: {self.used}, var: {self.flag}"


class JumpTransformer(entities.Base):
    """Makes a flag of a jump, and tests of it before what the jump would pass over.

    Args:
      ctx: an `EntityContext`.
    """

    def __init__(self, ctx: Any):
        super().__init__(ctx)
        # Whether what was visited last may have jumped.
        self.jumped = False

    def guarded(self, nodes: list[Any], flag: str) -> list[Any]:
        """Rewrites a block: after a statement that may jump come those that are not to be run then.

        Args:
          nodes: the statements.
          flag: the name of the flag that a jump sets.

        Returns:
          The statements.
        """
        result: list[Any] = []
        place = result
        any_jumped, self.jumped = self.jumped, False
        for node in nodes:
            if self.jumped:
                (guard,) = templates.replace("if ag__.not_(flag): pass", flag=flag)
                guard.body = []
                place.append(guard)
                place = guard.body
                any_jumped, self.jumped = True, False
            made = self.visit(node)
            place.extend(made if isinstance(made, list) else [made])
        self.jumped = any_jumped or self.jumped
        return result

    def _block(self, nodes: list[Any]) -> list[Any]:
        """A block rewritten, guarded if a jump may pass over a part of it."""
        raise NotImplementedError(type(self).__name__)

    def visit_If(self, node: Any) -> Any:
        """Rewrites the blocks."""
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse)
        return node

    def visit_With(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body = self._block(node.body)
        return node

    def visit_Try(self, node: Any) -> Any:
        """Rewrites the blocks."""
        for field in ("body", "orelse", "finalbody"):
            setattr(node, field, self._block(getattr(node, field)))
        node.handlers = self.visit_block(node.handlers)
        return node

    def visit_ExceptHandler(self, node: Any) -> Any:
        """Rewrites the block."""
        node.body = self._block(node.body)
        return node


def also(loop: Any, test: Any, first: bool) -> None:
    """Adds a test to a loop.

    Args:
      loop: the `while` or `for` loop.
      test: the test.
      first: whether it comes before the loop's own.
    """

    def both(own: Any) -> Any:
        one, other = (test, own) if first else (own, test)
        return templates.replace_as_expression(
            "ag__.and_(lambda: one, lambda: other)", one=one, other=other
        )

    if hasattr(loop, "test"):
        loop.test = both(loop.test)
    elif anno.hasanno(loop, EXTRA_TEST):
        anno.setanno(loop, EXTRA_TEST, both(anno.getanno(loop, EXTRA_TEST)))
    else:
        anno.setanno(loop, EXTRA_TEST, test)


def not_set(flag: str) -> Any:
    """The test that a flag isn't set."""
    return templates.replace_as_expression("ag__.not_(flag)", flag=flag)
