"""Which kernels there are (`tensorflow.python.framework.kernels`).

TF has a kernel for each device and dtype of an op type; here an op type has one meaning, and so one
kernel, under the device "CPU".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.core import export, op_registry
from tf1compat.formats import kernel_def_pb2


def get_all_registered_kernels() -> Any:
    """The kernels of all op types that can be run.

    Returns:
      A `KernelList` proto.
    """
    export.load_all_lazy()
    return _kernel_list(sorted(op_registry.registered()))


def get_registered_kernels_for_op(name: str) -> Any:
    """The kernels of an op type.

    Args:
      name: the op type, e.g. "MatMul".

    Returns:
      A `KernelList` proto, empty if it can't be run, or if there is none of that name.
    """
    return _kernel_list([name] if name in op_registry.registered() else [])


def _kernel_list(op_types: Iterable[str]) -> Any:
    kernels = kernel_def_pb2.KernelList()
    for op_type in op_types:
        kernels.kernel.add(op=op_type, device_type="CPU")
    return kernels
