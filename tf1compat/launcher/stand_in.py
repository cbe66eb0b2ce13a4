"""What `from tensorflow.python.… import x` gives for a name that TF 1.15 has and tf1compat hasn't.

A module of many functions should not be lost because its head mentions a name that one of them
uses: an import statement gets a stand-in, which says what is missing as soon as it is used.  So
does a class statement, `class Visitor(module.Base)`: its class is refused when it is called.
Any other access (`module.name`, `hasattr`) is refused at once.
"""

from __future__ import annotations

import dis
import types
from typing import Any, NoReturn

from tf1compat.namespace import UnsupportedNameError

_IMPORT_FROM = dis.opmap["IMPORT_FROM"]
# What stands between a class statement's start and one of its bases, in bytecode.
_IN_BASES = ("LOAD_", "MAKE_FUNCTION", "PUSH_NULL", "SET_FUNCTION_ATTRIBUTE", "COPY_FREE_VARS")


def is_import(frame: types.FrameType | None) -> bool:
    """Whether a frame is executing the part `import name` of `from module import name`."""
    return frame is not None and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM


def is_base(frame: types.FrameType | None) -> bool:
    """Whether a frame is looking up a base (or the metaclass) of a class statement."""
    if frame is None:
        return False
    before = [i for i in dis.get_instructions(frame.f_code) if i.offset <= frame.f_lasti]
    for instruction in reversed(before):
        if instruction.opname == "LOAD_BUILD_CLASS":
            return True
        if not instruction.opname.startswith(_IN_BASES):
            return False
    return False


class StandIn:
    """An object of which nothing can be had but an error that names it.

    Args:
      name: the full name that TF 1.15 has, e.g. "tensorflow.python.ops.math_ops._set_doc".
    """

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}, which is not supported by tf1compat yet>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # What `inspect`, `copy` and the like ask everything for.
            raise AttributeError(name)
        self._refuse()

    # No object is of a class that there is not.
    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        def refuse(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
            self._refuse()

        return (type(self._name.rpartition(".")[2], (), {"__new__": refuse}),)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedNameError(self._name)

    __call__ = __enter__ = __exit__ = _refuse
    __iter__ = __len__ = __getitem__ = __setitem__ = __contains__ = __bool__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = _refuse
