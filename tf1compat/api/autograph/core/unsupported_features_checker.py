"""What of Python AutoGraph's toolbox refuses."""

from __future__ import annotations

from typing import Any, NoReturn

from tf1compat.api.autograph.pyct.syntax import gast


class UnsupportedFeaturesChecker(gast.NodeVisitor):
    """Refuses generators and names that classes make private."""

    def visit_Attribute(self, node: Any) -> None:
        """Looks at a name.

        Args:
          node: the attribute.

        Raises:
          NotImplementedError: it is private to a class.
        """
        if node.attr.startswith("__") and not node.attr.endswith("__"):
            raise NotImplementedError("Mangled names are not yet supported by AutoGraph")
        self.generic_visit(node)

    def _generator(self, node: Any) -> NoReturn:
        """Refuses it."""
        raise NotImplementedError("Generators are not supported by AutoGraph")

    visit_Yield = visit_YieldFrom = _generator


def verify(node: Any) -> None:
    """Refuses a tree that has something unsupported.

    Args:
      node: the tree.

    Raises:
      NotImplementedError: it has.
    """
    UnsupportedFeaturesChecker().visit(node)
