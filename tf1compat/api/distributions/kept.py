"""Properties for what an object keeps."""

from __future__ import annotations

import operator
from typing import Any


def parameter(name: str, doc: str) -> Any:
    """A property for what an object keeps as `_name`."""
    return property(operator.attrgetter(f"_{name}"), doc=doc)
