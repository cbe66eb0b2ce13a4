"""The hash in the name of a `Defun` that is given none, as TF's C++ `FunctionDefHash` makes it."""

from __future__ import annotations

import base64
from typing import Any

_SEED = 0xDECAFCAFFE
_MASK = (1 << 64) - 1


def hash64(data: bytes, seed: int = _SEED) -> int:
    """TF's `Hash64`: MurmurHash64A."""
    multiplier, shift = 0xC6A4A7935BD1E995, 47
    size = len(data)
    h = seed ^ (size * multiplier & _MASK)
    whole = size - size % 8
    for i in range(0, whole, 8):
        k = int.from_bytes(data[i : i + 8], "little") * multiplier & _MASK
        k = (k ^ k >> shift) * multiplier & _MASK
        h = (h ^ k) * multiplier & _MASK
    if whole < size:
        h = (h ^ int.from_bytes(data[whole:], "little")) * multiplier & _MASK
    h = (h ^ h >> shift) * multiplier & _MASK
    return h ^ h >> shift


def _combine(a: int, b: int) -> int:
    return a ^ (b + 0x9E3779B97F4A7800 + (a << 10) + (a >> 4)) & _MASK


def _text(text: str, seed: int = _SEED) -> int:
    return hash64(text.encode(), seed)


def _message(proto: Any, seed: int = _SEED) -> int:
    return hash64(proto.SerializeToString(deterministic=True), seed)


def function_suffix(function_def: Any) -> str:
    """The 11 letters and digits that end the name of the function.

    Args:
      function_def: the `FunctionDef`, with no name and no attrs yet.
    """
    code = base64.urlsafe_b64encode(_function(function_def).to_bytes(8, "little")).decode()
    return code.rstrip("=").replace("-", "a").replace("_", "A")


def _function(function_def: Any) -> int:
    h = _message(function_def.signature)
    h = _combine(_nodes(function_def.node_def), h)
    for ends in (function_def.ret, function_def.control_ret):
        for key in sorted(ends):
            h = _text(ends[key], _text(key, h))
    return h


def _nodes(nodes: Any) -> int:
    h = _SEED
    for node in sorted(nodes, key=lambda node: node.name):
        h = _combine(_node(node), _text(node.name, h))
    return h


def _node(node: Any) -> int:
    h = _text(node.device, _text(node.op, _text(node.name)))
    data = [name for name in node.input if not name.startswith("^")]
    control = sorted({name for name in node.input if name.startswith("^")})
    for name in data + control:
        h = _text(name, h)
    for key in sorted(node.attr):
        if not key.startswith("_"):
            h = _combine(_attr(node.attr[key]), _text(key, h))
    return h


def _attr(value: Any) -> int:
    kind = value.WhichOneof("value")
    if kind == "tensor":
        return _message(_with_content(value.tensor))
    if kind == "func":
        h = _text(value.func.name)
        for key in sorted(value.func.attr):
            h = _combine(_attr(value.func.attr[key]), _text(key, h))
        return h
    return _message(value)


def _with_content(proto: Any) -> Any:
    """A TensorProto with its numbers in `tensor_content`."""
    from tf1compat.core import tensor_proto

    array = tensor_proto.make_ndarray(proto)
    if proto.string_val:
        return proto
    result = type(proto)(dtype=proto.dtype, tensor_shape=proto.tensor_shape)
    result.tensor_content = array.tobytes()
    return result
