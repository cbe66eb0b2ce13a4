"""Functions that Python removed, as they were (see legacy.py)."""

from __future__ import annotations

import html
import importlib.util
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.util.tf_inspect import ArgSpec


def getargspec(func: Callable[..., Any]) -> ArgSpec:
    """`inspect.getargspec`.

    Raises:
      ValueError: the function has keyword-only parameters or annotations.
    """
    full = inspect.getfullargspec(func)
    if full.kwonlyargs or full.annotations:
        raise ValueError(
            "Function has keyword-only parameters or annotations"
            ", use inspect.signature() API which can support them"
        )
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def unescape(self: Any, s: str) -> str:
    """`HTMLParser.unescape`."""
    return html.unescape(s)


def linux_distribution(*args: Any, **kwargs: Any) -> tuple[str, str, str]:
    """`platform.linux_distribution`, where it knew nothing."""
    return "", "", ""


def join(words: Iterable[str], sep: str = " ") -> str:
    """Python 2's `string.join`."""
    return sep.join(words)


def load_source(name: str, pathname: str, file: Any = None) -> types.ModuleType:
    """`imp.load_source`: imports a source file under a name."""
    spec = importlib.util.spec_from_file_location(name, pathname)
    if spec is None or spec.loader is None:
        raise ImportError(f"{pathname} is not a Python source file", name=name, path=pathname)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
