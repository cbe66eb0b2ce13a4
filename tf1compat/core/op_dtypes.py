"""What an op type's definition says of an operation's dtypes, and of op types that have none."""

from __future__ import annotations

import socket
from typing import Any

from tf1compat.core import op_defs, op_registry


def input_dtypes(spec: op_registry.OpSpec, attrs: dict[str, Any]) -> list[Any]:
    """The dtypes of all inputs of an op with these attrs."""
    assert spec.op_def is not None, spec.name
    return _dtypes(spec.op_def.input_args, attrs)


def output_dtypes(spec: op_registry.OpSpec, attrs: dict[str, Any]) -> list[Any]:
    """The dtypes of all outputs of an op with these attrs."""
    assert spec.op_def is not None, spec.name
    return _dtypes(spec.op_def.output_args, attrs)


def _dtypes(args: list[op_defs.ArgDef], attrs: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for arg in args:
        if arg.type_list_attr:
            found.extend(attrs[arg.type_list_attr])
            continue
        dtype: Any = attrs[arg.type_attr] if arg.type_attr else arg.type
        if arg.is_ref:
            dtype = dtype._as_ref
        found.extend([dtype] * (attrs[arg.number_attr] if arg.number_attr else 1))
    return found


def unknown_op_type(op_type: str) -> str:
    """What TF says of an op type that it hasn't."""
    return (
        f"Op type not registered '{op_type}' in binary running on {socket.gethostname()}. Make "
        f"sure the "
        "Op and Kernel are registered in the binary running in this process. Note that if you are "
        "loading a saved graph which used ops from tf.contrib, accessing (e.g.) "
        "`tf.contrib.resampler` should be done before importing the graph, as contrib ops are "
        "lazily "
        "registered when the module is first accessed."
    )
