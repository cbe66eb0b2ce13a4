"""A user's own modules: compiled, translated from Python 2 if they are that, and rewritten."""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import os
import sys
import types
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any, NamedTuple

from tf1compat.launcher import old_numpy, old_promotion, old_protos, python2, rewrite, warned
from tf1compat.launcher.folders import installed_folders
from tf1compat.launcher.py2 import runtime

# Where rewritten code finds its helpers.
setattr(builtins, rewrite.NUMPY, old_numpy)
setattr(builtins, rewrite.PROMOTION, old_promotion)
setattr(builtins, old_protos.BUILD, old_protos.build)
runtime.BUILTINS.update(
    {rewrite.NUMPY: old_numpy, rewrite.PROMOTION: old_promotion, rewrite.PYTHON_2: runtime}
)


class Source(NamedTuple):
    """Compiled source code, and the builtins that it runs with (None: Python's own)."""

    code: types.CodeType
    builtins: dict[str, Any] | None

    def run(self, namespace: dict[str, Any]) -> None:
        """Executes the code in a module's namespace."""
        if self.builtins is not None:
            namespace["__builtins__"] = self.builtins
        exec(self.code, namespace)


def compile_source(
    data: bytes,
    path: str,
    in_package: bool = False,
    assume_python2: bool = False,
    announce: bool = True,
) -> Source:
    """Compiles a source file, from Python 2 if it is that.

    Args:
      data: the file's contents.
      path: its name, for tracebacks and messages.
      in_package: whether `import x` may mean a module beside it, as it did in Python 2's packages.
      assume_python2: whether a file that could be of either Python is of Python 2.
      announce: whether a line on stderr says that it is Python 2.

    Raises:
      SyntaxError: it is neither Python 3 nor Python 2, as Python 3 sees it.
    """
    tree, is_python2 = python2.parse(data, path, in_package, assume_python2)
    if is_python2:
        floors = not python2.has_future(data, "division")
        note = "; / between integers rounds down" if floors and b"/" in data else ""
        if announce:
            print(f"tf1compat: {path} is Python 2, translated to Python 3{note}", file=sys.stderr)
        tree = rewrite.Python2(path, floors).visit(tree)
    tree = rewrite.OldNumpy().visit(tree)
    code = compile(tree, path, "exec", dont_inherit=True)
    return Source(code, runtime.BUILTINS if is_python2 else None)


class Loader(SourceFileLoader):
    """Loads a user's module, without the bytecode cache: that is Python 3's own."""

    assume_python2 = False  # Whether the program is one of Python 2.

    def get_code(self, fullname: str) -> types.CodeType:
        return self._source(fullname).code

    def exec_module(self, module: types.ModuleType) -> None:
        self._source(module.__name__).run(vars(module))

    def _source(self, fullname: str) -> Source:
        path = self.get_filename(fullname)
        in_package = self.is_package(fullname) or "." in fullname
        return compile_source(self.get_data(path), path, in_package, self.assume_python2)


class _ProtoLoader(SourceFileLoader):
    """Loads what protoc wrote; old sources without the bytecode cache."""

    def get_code(self, fullname: str) -> types.CodeType | None:
        path = self.get_filename(fullname)
        data = self.get_data(path)
        if not old_protos.is_old(data):
            return super().get_code(fullname)
        tree = old_protos.rewritten(ast.parse(data, path))
        return compile(tree, path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        # Not when a module is looked for: sysconfig imports one of its own before it can tell.
        self._installed = installed_folders()

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            origin = spec.origin or ""
            if fullname.endswith("_pb2"):
                spec.loader = _ProtoLoader(fullname, origin)
            elif not os.path.abspath(origin).startswith(self._installed):
                spec.loader = Loader(fullname, origin)
        return spec


def install() -> None:
    """Loads a script's modules by `compile_source`, unless they are installed ones."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    position = next(
        (i for i, finder in enumerate(sys.meta_path) if finder is PathFinder), len(sys.meta_path)
    )
    sys.meta_path.insert(position, _Finder())
    warned.install()
