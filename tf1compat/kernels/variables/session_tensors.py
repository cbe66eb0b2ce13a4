"""Tensors that stay in a session from one run to the next, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.variables.session_ops import STORE, TensorHandle
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import scalar
from tf1compat.kernels.text.string import invalid

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def _name_of(handle: Any) -> str:
    name = np.ravel(handle)[0]
    return name.decode() if isinstance(name, bytes) else str(name)


@op("GetSessionHandle", "GetSessionHandleV2", host=True, effect=True)
class GetSessionHandle:
    shape = scalar

    def lower(value: Any, *, T: DType, ctx: LoweringContext) -> Any:
        resources = ctx.session.resources
        number = resources.setdefault(f"{STORE} made", 0)
        resources[f"{STORE} made"] = number + 1
        name = f"{ctx.op.name};{number};{_DEVICE}"
        resources.setdefault(STORE, {})[name] = np.array(value)
        found = np.empty((), object)
        found[()] = TensorHandle(name, T, ctx.session)
        return found


@op("GetSessionTensor", host=True)
class GetSessionTensor:
    def shape(handle: Any) -> None:
        """Nothing is known of it."""

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        name = _name_of(handle)
        found = ctx.session.resources.get(STORE, {}).get(name)
        if found is None:
            raise invalid(f"The tensor with handle '{name}' is not in the session store.")
        return found


@op("DeleteSessionTensor", host=True, effect=True)
class DeleteSessionTensor:
    def shape(handle: Any) -> None:
        """There is no output."""

    def lower(handle: Any, *, ctx: LoweringContext) -> None:
        name = _name_of(handle)
        if ctx.session.resources.get(STORE, {}).pop(name, None) is None:
            raise invalid(f"Failed to delete a tensor with handle '{name}' in the session store.")


not_differentiable(
    "DeleteSessionTensor", "GetSessionHandle", "GetSessionHandleV2", "GetSessionTensor"
)
