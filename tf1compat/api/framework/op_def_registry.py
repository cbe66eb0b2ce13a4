"""`tensorflow.python.framework.op_def_registry`: the op types that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tf1compat.core import op_defs
from tf1compat.core.op_def_proto import op_def_proto


class _Ops(Mapping[str, Any]):
    """Op type -> its `OpDef` proto."""

    def __getitem__(self, op_type: str) -> Any:
        proto = op_def_proto(op_type)
        if proto is None:
            raise KeyError(op_type)
        return proto

    def __iter__(self) -> Iterator[str]:
        return iter(op_defs.registered())

    def __len__(self) -> int:
        return len(op_defs.registered())


_registered_ops = _Ops()


def get_registered_ops() -> Mapping[str, Any]:
    """Op type -> its `OpDef` proto, of all op types."""
    return _registered_ops


def register_op_list(op_list: Any) -> None:
    """Registers the op types of an `OpList` proto.

    Raises:
      ValueError: one is registered otherwise.
      NotImplementedError: TF has no such op type.
    """
    for op_def in op_list.op:
        if op_def.name not in _registered_ops:
            raise NotImplementedError(
                f"Registering a new op type ({op_def.name}) is not supported by tf1compat"
            )
        if _registered_ops[op_def.name] != op_def:
            raise ValueError(f"Registered op {op_def.name} twice, with different definitions")
