"""The values of attrs as TF's runtime prints them."""

from __future__ import annotations

from typing import Any

from tf1compat.core.summary import summarize
from tf1compat.core.tensor_proto import make_ndarray


def attr_text(attr: Any) -> str:
    """The value of an attr (as `SummarizeAttrValue`).

    Args:
      attr: an `AttrValue`.
    """
    kind = attr.WhichOneof("value")
    if kind == "list":
        items = [_text(name.name, x) for name, values in attr.list.ListFields() for x in values]
        return f"[{', '.join(items)}]"
    return "<Unknown AttrValue type>" if kind is None else _text(kind, getattr(attr, kind))


def _type_name(number: int) -> str:
    from tensorboard.compat.proto import types_pb2

    return types_pb2.DataType.Name(number)  # pyright: ignore[reportAttributeAccessIssue]


def _text(kind: str, value: Any) -> str:
    if kind == "s":
        return f'"{value.decode("latin-1")}"'
    if kind == "type":
        return _type_name(value)
    if kind == "b":
        return "true" if value else "false"
    if kind == "shape":
        if value.unknown_rank:
            return "<unknown>"
        return "[" + ",".join("?" if d.size < 0 else str(d.size) for d in value.dim) + "]"
    if kind == "tensor":
        array = make_ndarray(value)
        shape = ",".join(map(str, array.shape))
        dtype = _type_name(value.dtype).removeprefix("DT_").lower()
        return f"Tensor<type: {dtype} shape: [{shape}] values: {summarize(array, 10)}>"
    if kind == "func":
        attrs = ", ".join(f"{key}={attr_text(value.attr[key])}" for key in sorted(value.attr))
        return f"{value.name}[{attrs}]"
    return f"${value}" if kind == "placeholder" else str(value)
