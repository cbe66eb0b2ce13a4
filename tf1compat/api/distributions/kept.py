"""Properties for what an object keeps."""

from __future__ import annotations

from typing import Any

from tf1compat.core.attribute import attribute


def parameter(name: str, doc: str) -> Any:
    """A property for what an object keeps as `_name`."""
    return attribute(f"_{name}", doc)
