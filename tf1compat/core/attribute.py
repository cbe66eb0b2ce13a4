"""Read-only properties that only show what an object keeps."""

from __future__ import annotations

import operator
from typing import Any


def attribute(path: str, doc: str | None = None) -> Any:
    """A property that gives an attribute of the object, or of something that the object keeps.

        class Uniform:
            low: Tensor = attribute("_low", "The lower bound, of shape batch_shape.")
            graph: Graph = attribute("_low.graph", "The graph of the bounds.")

    Args:
      path: the attribute's name, or names with dots between them.
      doc: the property's docstring.

    Returns:
      A `property` without a setter.
    """
    return property(operator.attrgetter(path), doc=doc)
