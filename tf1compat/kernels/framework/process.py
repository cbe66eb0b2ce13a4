"""What belongs to the process and its files: memory, constants in files, shuffled records."""

from __future__ import annotations

import contextlib
import glob
import math
import random
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.lib.io import tf_record
from tf1compat.backend import memory_stats
from tf1compat.core import errors
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

# Memory of the accelerator.


def _memory(name: str, key: str, on_cpu: int | None = None) -> None:
    def lower() -> Any:
        found = memory_stats()
        if key not in found:
            if on_cpu is not None:
                return np.array(on_cpu, np.int64)
            # As TF, whose kernel is for GPUs only.
            raise invalid(f"No OpKernel was registered to support Op '{name}'")
        return np.array(found[key], np.int64)

    register(name, shape=lambda: (), lower=lower, host=True, effect=True)


_memory("BytesInUse", "bytes_in_use")
_memory("BytesLimit", "bytes_limit", on_cpu=-1)
_memory("MaxBytesInUse", "peak_bytes_in_use")


# Files.


@op("ImmutableConst", host=True)
class ImmutableConst:
    def shape(*, shape: Shape) -> Shape:
        return shape

    def lower(*, dtype: Any, shape: Any, memory_region_name: str) -> Any:
        kind = np.dtype(dtype.as_numpy_dtype)
        if kind.hasobject:
            raise invalid("ImmutableConst can't hold strings")
        try:
            found = np.fromfile(memory_region_name, kind, math.prod(shape))
        except OSError as error:
            text = f"{memory_region_name}; {error.strerror}"
            raise errors.NotFoundError(None, None, text) from None
        if found.size < math.prod(shape):
            raise errors.ResourceExhaustedError(
                None, None, f"Memory region {memory_region_name} is too small for the tensor"
            )
        return found.reshape(shape)


class _Records:
    """Records of files, in an order that is shuffled anew in each epoch.

    TF's threads fill the buffer in an order of their own; what comes is up to them there, and up to
    the seed here.

    Args:
      attrs: of the operation.
    """

    def __init__(self, attrs: dict[str, Any]):
        pattern = attrs["file_pattern"].decode()
        self._names = sorted(glob.glob(pattern))
        if not self._names:
            raise errors.NotFoundError(None, None, f"Found no files at {pattern}")
        self._compression = attrs["compression_type"].decode()
        self._size = attrs["file_buffer_size"]
        self._shift = attrs["file_shuffle_shift_ratio"]
        self._random = random.Random(attrs["file_random_seed"])
        self._elements = self._shuffled()
        self._lock = threading.Lock()

    def take(self, count: int) -> list[bytes]:
        """The next records."""
        with self._lock:
            return [next(self._elements) for _ in range(count)]

    def _epoch(self, number: int) -> Iterator[bytes]:
        names = list(self._names)
        self._random.shuffle(names)
        start = int(self._shift * number * len(names)) % len(names)
        for name in names[start:] + names[:start]:
            with contextlib.closing(tf_record.RecordReader(name, self._compression)) as reader:
                records = list(iter(reader.read, None))
            yield from records

    def _shuffled(self) -> Iterator[bytes]:
        number = 0
        while True:
            buffer: list[bytes] = []
            for record in self._epoch(number):
                buffer.append(record)
                if len(buffer) >= self._size:
                    yield self._drawn(buffer)
            while buffer:
                yield self._drawn(buffer)
            number += 1

    def _drawn(self, buffer: list[bytes]) -> bytes:
        place = self._random.randrange(len(buffer))
        buffer[place], buffer[-1] = buffer[-1], buffer[place]
        return buffer.pop()


@op("RecordInput", host=True, effect=True)
class RecordInput:
    def shape() -> Shape:
        return None

    def lower(*, batch_size: int, ctx: LoweringContext) -> Any:
        key = ("RecordInput", ctx.op._name)
        kept = ctx.session.resources
        if key not in kept:
            kept[key] = _Records(ctx.op._attrs)
        found = np.empty(batch_size, object)
        found[:] = kept[key].take(batch_size)
        return found


# Counters and resources.


@op("ObtainNext", host=True, writes=(1,))
class ObtainNext:
    def shape(list: Any, counter: Shape) -> Shape:
        return ()

    def lower(list: Any, counter: Any) -> Any:
        place = (int(counter.read()) + 1) % len(list)
        counter.assign(np.array(place, np.int64))
        return np.array(list[place], object)


@op("DestroyResourceOp", host=True, reads=(0,), effect=True)
class DestroyResourceOp:
    def shape(resource: Any) -> None:
        pass

    def lower(resource: Any, *, ignore_lookup_error: bool, ctx: LoweringContext) -> None:
        for kept in (ctx.session.resources, resources.shared(ctx.session)):
            if kept.pop(resource.key, None) is not None:
                return
        if resource.dtype is not None and resource.initialized and resource.destroy():
            return
        if not ignore_lookup_error:
            name = resource.key[1].decode()
            raise errors.NotFoundError(None, None, f"Resource {name} does not exist.")
