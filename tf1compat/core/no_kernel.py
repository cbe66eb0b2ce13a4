"""What TF says of operations that it has no kernel for."""

from __future__ import annotations

from tf1compat.core import errors
from tf1compat.core.attr_text import attr_text
from tf1compat.core.operation import Operation


def no_kernel(op: Operation) -> errors.InvalidArgumentError:
    """The error of an operation that no device here has a kernel for (`OpSpec.no_kernel`). TF gives
    the attrs in no order; here they are in that of their names."""
    file, line = op.definition
    pairs = sorted(op.node_def.attr.items())
    attrs = ", ".join(f"{key}={attr_text(value)}" for key, value in pairs)
    text = (
        f"No OpKernel was registered to support Op '{op.type}' used by node {op.name} (defined at "
        f"{file}:{line}) with these attrs: [{attrs}]\nRegistered devices: [CPU, XLA_CPU]\n"
        f"Registered kernels:\n  <no registered kernels>\n\n\t [[{op.name}]]"
    )
    return errors.InvalidArgumentError(op.node_def, op, text)
