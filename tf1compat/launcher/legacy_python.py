"""Functions that Python removed, as they were (see legacy.py)."""

from __future__ import annotations

import functools
import html
import importlib.machinery
import importlib.util
import inspect
import locale
import logging
import os
import re
import shutil
import sys
import sysconfig
import types
import unittest
from collections.abc import Callable, Iterable, Sequence
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


def nothing(*args: Any) -> None:
    """Does nothing: `imp.acquire_lock`."""


def exc_clear() -> None:
    """`sys.exc_clear`: an exception is over when its handler is."""


def setcheckinterval(interval: int) -> None:
    """`sys.setcheckinterval`: counted bytecodes, which nothing does any more."""


def setdefaultencoding(name: str) -> None:
    """`sys.setdefaultencoding`: it is UTF-8."""


def floordiv(a: Any, b: Any) -> Any:
    """`operator.div`."""
    from tf1compat.launcher.py2 import runtime

    return runtime.divide(a, b)


def is_sequence(value: Any) -> bool:
    """`operator.isSequenceType`."""
    return isinstance(value, Sequence)


def formatargspec(
    args: Any, varargs: Any = None, varkw: Any = None, defaults: Any = None, *more: Any,
    **kwargs: Any,
) -> str:  # fmt: skip
    """`inspect.formatargspec`: "(a, b=1, *args, **kwargs)"."""
    defaults = tuple(defaults or ())
    plain = len(args) - len(defaults)
    shown = [*args[:plain], *(f"{a}={d!r}" for a, d in zip(args[plain:], defaults))]
    shown += [f"*{varargs}"] if varargs else []
    shown += [f"**{varkw}"] if varkw else []
    return f"({', '.join(shown)})"


def getmoduleinfo(path: str) -> Any:
    """`inspect.getmoduleinfo`: (name, suffix, mode, kind), or None."""
    name = inspect.getmodulename(path)
    suffix = os.path.splitext(path)[1]
    return None if name is None else (name, suffix, "r", PY_SOURCE)


def find_loader(name: str, path: Any = None) -> Any:
    """`importlib.find_loader`."""
    spec = importlib.util.find_spec(name)
    return None if spec is None else spec.loader


def format_number(fmt: str, val: Any, grouping: bool = False, monetary: bool = False) -> str:
    """`locale.format`."""
    return locale.format_string(fmt, val, grouping, monetary)


class HTMLParseError(Exception):
    """`html.parser.HTMLParseError`, which was never raised in its last years."""


level_names = {
    **{number: logging.getLevelName(number) for number in (0, 10, 20, 30, 40, 50)},
    **{logging.getLevelName(number): number for number in (0, 10, 20, 30, 40, 50)},
    "WARN": 30,
}
NoneType = type(None)
STRING_TYPES = (str,)
PY_SOURCE, PY_COMPILED, PKG_DIRECTORY = 1, 2, 5


def getiterator(self: Any, tag: str | None = None) -> list[Any]:
    """`ElementTree.getiterator`."""
    return list(self.iter(tag))


def assertDictContainsSubset(self: Any, subset: Any, dictionary: Any, msg: Any = None) -> None:
    """`TestCase.assertDictContainsSubset`."""
    self.assertEqual(dictionary, {**dictionary, **subset}, msg)


def make_suite(testCaseClass: Any, prefix: str = "test", **kwargs: Any) -> Any:
    """`unittest.makeSuite`."""
    loader = unittest.TestLoader()
    loader.testMethodPrefix = prefix
    return loader.loadTestsFromTestCase(testCaseClass)


def find_test_cases(module: types.ModuleType, prefix: str = "test", **kwargs: Any) -> Any:
    """`unittest.findTestCases`."""
    loader = unittest.TestLoader()
    loader.testMethodPrefix = prefix
    return loader.loadTestsFromModule(module)


def get_suffixes() -> list[tuple[str, str, int]]:
    """`imp.get_suffixes`."""
    return [(suffix, "r", PY_SOURCE) for suffix in importlib.machinery.SOURCE_SUFFIXES]


def get_magic() -> bytes:
    """`imp.get_magic`: how compiled files of this Python begin."""
    return importlib.util.MAGIC_NUMBER


def parse_header(line: str) -> tuple[str, dict[str, str]]:
    """`cgi.parse_header`: a header's value, and its options.

    Args:
      line: e.g. 'text/html; charset="utf-8"'.

    Returns:
      "text/html" and {"charset": "utf-8"}.
    """
    from email.message import Message

    message = Message()
    message["content-type"] = line
    (value, _), *options = message.get_params() or [("", "")]
    return value, dict(options)


def find_module(name: str, path: Any = None) -> tuple[Any, str, tuple[str, str, int]]:
    """`imp.find_module`, of Python sources and packages.

    Raises:
      ImportError: there is none.
    """
    spec = importlib.machinery.PathFinder.find_spec(name, path)
    if spec is None or not spec.origin:
        raise ImportError(f"No module named {name!r}", name=name)
    if spec.submodule_search_locations:
        return None, os.path.dirname(spec.origin), ("", "", PKG_DIRECTORY)
    return open(spec.origin), spec.origin, (os.path.splitext(spec.origin)[1], "r", PY_SOURCE)


def load_module(name: str, file: Any, filename: str, details: Any) -> types.ModuleType:
    """`imp.load_module`, of what `find_module` found."""
    if os.path.isdir(filename):
        filename = os.path.join(filename, "__init__.py")
    return load_source(name, filename)


def strtobool(val: str) -> int:
    """`distutils.util.strtobool`: 1 or 0."""
    val = val.lower()
    if val in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if val in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val!r}")


@functools.total_ordering
class LooseVersion:
    """`distutils.version.LooseVersion`: numbers and words, compared one by one."""

    def __init__(self, vstring: str = ""):
        self.parse(vstring)

    def parse(self, vstring: str) -> None:
        """Sets `vstring`, and `version`, its parts."""
        self.vstring = vstring
        parts = re.findall(r"\d+|[a-z]+", vstring)
        self.version: list[Any] = [int(part) if part.isdigit() else part for part in parts]

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"LooseVersion ('{self.vstring}')"

    def _of(self, other: Any) -> list[Any]:
        return (LooseVersion(other) if isinstance(other, str) else other).version

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (str, LooseVersion)):
            return NotImplemented
        return self.version == self._of(other)

    def __lt__(self, other: Any) -> bool:
        return self.version < self._of(other)

    __hash__ = None  # type: ignore[assignment]


def copy_tree(src: str, dst: str, *args: Any, **kwargs: Any) -> list[str]:
    """`distutils.dir_util.copy_tree`: the files that were written."""
    shutil.copytree(src, dst, dirs_exist_ok=True)
    inside = [os.path.join(folder, name) for folder, _, names in os.walk(src) for name in names]
    return [os.path.join(dst, os.path.relpath(name, src)) for name in inside]


def mkpath(name: str, mode: int = 0o777, *args: Any, **kwargs: Any) -> None:
    """`distutils.dir_util.mkpath`."""
    os.makedirs(name, mode, exist_ok=True)


def get_python_inc(*args: Any, **kwargs: Any) -> str:
    """`distutils.sysconfig.get_python_inc`."""
    return sysconfig.get_paths()["include"]


def get_python_lib(
    plat_specific: bool = False, standard_lib: bool = False, prefix: Any = None
) -> str:
    """`distutils.sysconfig.get_python_lib`."""
    key = "stdlib" if standard_lib else "platlib" if plat_specific else "purelib"
    return sysconfig.get_paths()[key]


_IMAGE_STARTS = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpeg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "tiff": (b"MM", b"II"),
    "bmp": (b"BM",),
}


def image_type(file: Any, h: bytes | None = None) -> str | None:
    """`imghdr.what`: the kind of an image file, by its first bytes."""
    start = h
    if start is None:
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                start = opened.read(32)
        else:
            place = file.tell()
            start = file.read(32)
            file.seek(place)
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "webp"
    return next((kind for kind, starts in _IMAGE_STARTS.items() if start.startswith(starts)), None)
