"""`tf.raw_ops`: every op type of TF 1.15 as a function that takes keyword arguments only."""

from __future__ import annotations

import functools
import types
from typing import Any

from tf1compat.core import op_defs, raw_ops
from tf1compat.core.export import export_constant


class _RawOps(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        op_def = op_defs.get(name)
        if op_def is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        function = _keyword_only(name, [*op_def.python_parameters, "name"])
        setattr(self, name, function)
        return function

    def __dir__(self) -> list[str]:
        return sorted(op_defs.names())


def _keyword_only(op_type: str, parameters: list[str]) -> Any:
    record = raw_ops.function(op_type)

    @functools.wraps(record, updated=())
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{op_type} only takes keyword args (possible keys: {parameters}). "
                "Please pass these args as kwargs instead."
            )
        return record(**kwargs)

    return wrapper


export_constant("raw_ops", _RawOps("tensorflow._api.v1.raw_ops", __doc__))
