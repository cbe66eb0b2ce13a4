"""What Python says of the installed package `tensorflow`: it is there, in TF 1.15's release."""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Iterator
from typing import Any

import tf1compat
from tf1compat.core import options

NAME = "tensorflow"


class Distribution(importlib.metadata.Distribution):
    """TensorFlow, of the release that `tf.__version__` names."""

    def read_text(self, filename: str) -> str | None:
        if filename not in ("METADATA", "PKG-INFO"):
            return None
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {options.tf_version}\n"

    def locate_file(self, path: Any) -> Any:
        return os.path.join(os.path.dirname(os.path.dirname(tf1compat.__file__)), path)


def find(context: Any) -> Iterator[Distribution]:
    """What a finder answers if it is asked for distributions: those of the name, or all."""
    if context.name is None or re.sub(r"[-_.]+", "-", context.name).lower() == NAME:
        yield Distribution()


def in_working_set(working_set: Any) -> Any:
    """`pkg_resources.working_set`, with TensorFlow in it.

    Args:
      working_set: setuptools' own.

    Returns:
      The same object.
    """
    from pkg_resources import Distribution as Project  # pyright: ignore[reportMissingImports]

    if NAME not in working_set.by_key:
        home = os.path.dirname(os.path.dirname(os.path.abspath(tf1compat.__file__)))
        working_set.add(Project(home, project_name=NAME, version=options.tf_version))
    return working_set
