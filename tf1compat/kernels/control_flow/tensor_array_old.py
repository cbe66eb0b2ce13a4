"""The op types of TensorArrays before TensorArrayV3, which old GraphDefs have.

Their handle is a string (in the oldest, a reference to one), and no shapes are worked out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.op_registry import not_differentiable, register
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.control_flow import tensor_array as new


def _scalar(*_: Any) -> Any:
    return ()


def _unknown(*_: Any) -> Any:
    return None


def _two_unknown(*_: Any) -> Any:
    return [None, None]


def _nothing(*_: Any) -> Any:
    return []


def _lower(meaning: Any) -> Any:
    return vars(meaning)["lower"]


def _made(
    size: Any,
    *,
    dtype: Any,
    element_shape: Any,
    dynamic_size: bool,
    clear_after_read: bool,
    tensor_array_name: str,
    ctx: LoweringContext,
) -> Any:
    return _lower(new.TensorArrayV3)(
        size,
        dtype=dtype,
        element_shape=element_shape,
        dynamic_size=dynamic_size,
        clear_after_read=clear_after_read,
        identical_element_shapes=False,
        tensor_array_name=tensor_array_name,
        ctx=ctx,
    )[0]


def _gradient_made(handle: Any, flow_in: Any, *, source: str, ctx: LoweringContext) -> Any:
    return _lower(new.TensorArrayGradV3)(handle, flow_in, source=source, ctx=ctx)[0]


def _packed(
    handle: Any, flow_in: Any, *, dtype: Any, element_shape: Any, ctx: LoweringContext
) -> Any:
    indices = np.arange(new.array_at(handle, flow_in, ctx).size, dtype=np.int32)
    gather = _lower(new.TensorArrayGatherV3)
    return gather(handle, indices, flow_in, dtype=dtype, element_shape=element_shape, ctx=ctx)


def _unpacked(handle: Any, value: Any, flow_in: Any, *, T: Any, ctx: LoweringContext) -> Any:
    indices = np.arange(np.shape(value)[0], dtype=np.int32)
    return _lower(new.TensorArrayScatterV3)(handle, indices, value, flow_in, T=T, ctx=ctx)


# Those that do what the newest type does: its meaning, the static shapes, and facts.
_MADE_ANEW: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "Write": (new.TensorArrayWriteV3, _unknown, {"flows": True}),
    "Read": (new.TensorArrayReadV3, _unknown, {}),
    "Gather": (new.TensorArrayGatherV3, _unknown, {}),
    "Scatter": (new.TensorArrayScatterV3, _unknown, {"flows": True}),
    "Concat": (new.TensorArrayConcatV3, _two_unknown, {}),
    "Split": (new.TensorArraySplitV3, _unknown, {"flows": True, "const": (2,)}),
}

for _version in ("", "V2"):
    for _name, (_meaning, _shape, _facts) in _MADE_ANEW.items():
        register(
            f"TensorArray{_name}{_version}",
            shape=_shape,
            lower=_lower(_meaning),
            gradient=vars(_meaning)["gradient"],
            host=new.holds_text,
            **_facts,
        )
    _size = _scalar if _version else _unknown
    register(f"TensorArraySize{_version}", shape=_size, lower=_lower(new.TensorArraySizeV3))
    register(f"TensorArrayClose{_version}", shape=_nothing, lower=_lower(new.TensorArrayCloseV3))
    register(
        f"TensorArray{_version}", shape=_unknown, lower=_made, const=(0,), host=new.holds_text,
        flows=True,
    )  # fmt: skip
    register(f"TensorArrayGrad{_version}", shape=_unknown, lower=_gradient_made, flows=True)
    not_differentiable(
        *(f"TensorArray{name}{_version}" for name in ("", "Grad", "Size", "Close"))
    )  # fmt: skip

register("TensorArrayPack", shape=_unknown, lower=_packed, host=new.holds_text)
register("TensorArrayUnpack", shape=_unknown, lower=_unpacked, host=new.holds_text, flows=True)
