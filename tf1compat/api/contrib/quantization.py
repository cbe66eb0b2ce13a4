"""`tf.contrib.quantization`: the functions of the op types of TF's math and neural nets."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated_endpoints
from tf1compat.api.util.tf_export import tf_export
from tf1compat.core import api_names, op_defs, raw_ops
from tf1compat.core.export import export_constant

_PREFIX = "contrib.quantization."
_FALLBACK = "_eager_fallback"
# What TF's module has besides them.
_DECORATORS = {"tf_export": tf_export, "deprecated_endpoints": deprecated_endpoints}


class _EagerForm:
    """The function of an op type under the name that TF's eager fast path falls back on."""

    def __init__(self, op_type: str) -> None:
        self._function = raw_ops.function(op_type)
        self.__doc__ = f"{self._function.__doc__} The context `ctx` is the one there is."

    def __call__(self, *args: Any, ctx: Any = None, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


def _found(name: str) -> Any:
    """What TF has under a name here; None if it is of no op type."""
    if name in _DECORATORS:
        return _DECORATORS[name]
    table = op_defs.by_function()
    is_fallback = name.endswith(_FALLBACK)
    short = name.removesuffix(_FALLBACK)
    op_type = short if op_defs.get(short) is not None else table.get(short)
    if op_type is None:
        return None
    return _EagerForm(op_type) if is_fallback else raw_ops.function(op_type)


for _name in api_names.public():
    if _name.startswith(_PREFIX):
        _value = _found(_name.removeprefix(_PREFIX))
        if _value is not None:
            export_constant(_name, _value)
