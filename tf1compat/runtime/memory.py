"""What does not fit into memory is refused before it runs, with TF's error.

XLA aborts the process where an array can't be allocated on the CPU. So a program whose buffers are
more than the device has is not run. It is judged by what XLA makes of it: a product that is summed
at once takes no memory, however large it is (TF would refuse it).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.operation import Operation

_HINT = (
    "Hint: If you want to see a list of allocated tensors when OOM happens, add "
    "report_tensor_allocations_upon_oom to RunOptions for current allocation info.\n"
)
# XLA aborts the process where it can't count the elements of an array.
_COUNTED = (1 << 63) - 1


class Largest:
    """The largest array that an operation of a program gives.

    Attributes:
      bytes: its size.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._op: Operation | None = None
        self._shape: tuple[int, ...] = ()
        self._dtype: Any = None

    def note(self, op: Operation, values: Sequence[Any]) -> None:
        """Looks at the values that `op` gave."""
        for value in values:
            if isinstance(value, jax.Array):
                size = math.prod(value.shape) * value.dtype.itemsize
                if size > self.bytes:
                    self.bytes, self._op = size, op
                    self._shape, self._dtype = value.shape, value.dtype

    def error(self) -> errors.OpError:
        """What TF raises where it can't allocate the array."""
        return _error(self._op, self._shape, self._dtype)


def compiled(compile_it: Any, largest: Largest) -> Any:
    """What `compile_it()` gives, if the device has the memory that it needs.

    Raises:
      ResourceExhaustedError: it has not.
    """
    if largest.bytes > _COUNTED:
        raise largest.error()
    try:
        executable = compile_it()
    except jax.errors.JaxRuntimeError:
        if largest.bytes > limit(_device()):
            raise largest.error() from None
        raise
    if _needed(executable) > limit(_device()):
        raise largest.error()
    return executable


def _needed(executable: Any) -> int:
    stats = executable.memory_analysis()
    if stats is None:  # a backend that does not tell
        return 0
    own = stats.output_size_in_bytes + stats.temp_size_in_bytes - stats.alias_size_in_bytes
    return stats.argument_size_in_bytes + own


def temporaries(executable: Any) -> int:
    """How many bytes a program takes while it runs, besides what it is given and gives."""
    stats = executable.memory_analysis()
    return 0 if stats is None else stats.temp_size_in_bytes


def explain(error: Exception, largest: Largest | None = None) -> NoReturn:
    """Raises what TF raises for a failed allocation of XLA or NumPy; `error`, if it is none."""
    if isinstance(error, MemoryError):
        raise of_numpy(None, error) from error
    if "RESOURCE_EXHAUSTED" not in str(error):
        raise error
    if largest is None:
        raise errors.ResourceExhaustedError(None, None, str(error)) from error
    raise largest.error() from error


def of_numpy(op: Operation | None, error: MemoryError) -> errors.OpError:
    """TF's error for one of NumPy's (which tells the shape, if it is from an array)."""
    shape: Any = getattr(error, "shape", None)
    dtype = getattr(error, "dtype", None)
    if op is not None and op._outputs and shapes.is_fully_known(op._outputs[0]._shape):
        # What TF allocates; NumPy may have failed at something on the way.
        shape, dtype = op._outputs[0]._shape, op._outputs[0]._dtype.base_dtype.as_numpy_dtype
    if shape is None or dtype is None:
        return errors.ResourceExhaustedError(None, op, str(error) or "out of memory")
    return _error(op, shape, dtype, "cpu")


def _error(
    op: Operation | None, shape: Sequence[int], dtype: Any, platform: str | None = None
) -> errors.OpError:
    kind = (platform or _device().platform).upper()
    allocator = "cpu" if kind == "CPU" else f"{kind}_0_bfc"
    shown = ",".join(str(size) for size in shape)
    text = (
        f"OOM when allocating tensor with shape[{shown}] and type "
        f"{dtypes.cpp_name(dtypes.as_dtype(np.dtype(dtype)))} on "
        f"/job:localhost/replica:0/task:0/device:{kind}:0 by allocator {allocator}"
    )
    if op is None:
        return errors.ResourceExhaustedError(None, None, f"{text}\n{_HINT}")
    text = op._graph.error_text(op, text).replace(" ]]", f" ]]\n{_HINT}")
    return errors.ResourceExhaustedError(op.node_def, op, text)


def _device() -> Any:
    return jnp.zeros(()).device


@functools.cache
def limit(device: Any) -> float:
    """How many bytes programs on a device may take together, at the most."""
    if device.platform == "cpu":
        return min(_machine(), *_limits_of_process())
    statistics = device.memory_stats() or {}
    return statistics.get("bytes_limit", math.inf)


def _machine() -> float:
    """The memory of the machine and what it may swap."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        sizes = {name: int(rest.split()[0]) << 10 for name, rest in (s.split(":") for s in lines)}
        return sizes["MemTotal"] + sizes["SwapTotal"]
    except (OSError, KeyError, ValueError):
        return math.inf


def _limits_of_process() -> list[float]:
    """What the process's control group and its own limits leave of it."""
    found = [math.inf]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            found.append(float((Path("/sys/fs/cgroup") / name).read_text()))
        except (OSError, ValueError):  # there is no such limit: "max"
            continue
    try:
        import resource
    except ImportError:  # not on this system
        return found
    space = resource.getrlimit(resource.RLIMIT_AS)[0]
    return found if space == resource.RLIM_INFINITY else [*found, space]
