"""`tensorflow.python.distribute.all_reduce`: all-reduces written out as operations of the devices.

They are what TF 1.15 records. What they add up to is the same whichever of them is taken.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.distribute import nccl_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.device import DeviceSpec
from tf1compat.core.tensor_shape import TensorShape

_Tensors = list[ops.Tensor]
_Binary = Callable[[Any, Any], ops.Tensor]
_OfMany = Callable[[Any], ops.Tensor]
_Unary = Callable[[Any], ops.Tensor]


def _each(function: _Unary | None, tensors: _Tensors) -> _Tensors:
    """A function of each tensor, where that one is."""
    if function is None:
        return tensors
    results = []
    for tensor in tensors:
        with ops.colocate_with(tensor):
            results.append(function(tensor))
    return results


def _flat(tensors: Sequence[ops.Tensor]) -> tuple[_Tensors, TensorShape]:
    """The tensors as vectors, and the shape that they had.

    Raises:
      ValueError: there are none, or they have no common static shape.
    """
    if not tensors:
        raise ValueError("tensors cannot be empty")
    shape = tensors[0].shape
    for tensor in tensors:
        shape = shape.merge_with(tensor.shape)
    if not shape.is_fully_defined():
        raise ValueError("Tensors must have statically known shape.")
    if shape.ndims == 1:
        return list(tensors), shape
    return _each(lambda t: shape_ops.reshape(t, [-1]), list(tensors)), shape


def _as_before(tensors: _Tensors, shape: TensorShape) -> _Tensors:
    if shape.ndims == 1:
        return tensors
    return _each(lambda t: shape_ops.reshape(t, shape), tensors)


def _length(tensor: ops.Tensor, what: str) -> int:
    if tensor.shape.ndims != 1:
        raise ValueError(f"{what} must be 1D")
    length = tensor.shape.num_elements()
    assert length is not None
    return length


def _padded_split(tensor: ops.Tensor, pieces: int) -> tuple[_Tensors, int]:
    """A vector in pieces of one length, and how many zeros were added to it."""
    length = _length(tensor, "input tensor")
    if length % pieces == 0:
        with ops.colocate_with(tensor):
            return list(array_ops.split(tensor, pieces)), 0
    size = length // pieces + 1
    last = length - (pieces - 1) * size

    def padded(part: ops.Tensor, count: int) -> ops.Tensor:
        return array_ops.concat([part, array_ops.zeros([count], dtype=tensor.dtype)], 0)

    with ops.colocate_with(tensor):
        if last > 0 and pieces <= length:
            parts = list(array_ops.split(tensor, [size] * (pieces - 1) + [last]))
            return [*parts[:-1], padded(parts[-1], size - last)], size - last
        # There is nothing for the last piece.
        added = pieces - length if pieces > length else pieces * size % length
        return list(array_ops.split(padded(tensor, added), pieces)), added


class _Ring:
    """Who is next to whom; a ring of its own for each part of a chunk.

    Args:
      num_workers: how many tasks there are.
      parts: in how many parts a chunk is.
      order: of the devices of each task.

    Raises:
      ValueError: there are more parts than devices.
    """

    def __init__(self, num_workers: int, parts: int, order: Sequence[int]):
        here = len(order)
        if parts > here and num_workers * here:
            raise ValueError(f"num_subchunks {parts} must be <= num_gpus {here}")
        self.parts, self.size = parts, num_workers * here
        turn = max(1, here // parts)
        rings = []
        for part in range(parts):
            turned = [*order[part * turn :], *order[: part * turn]]
            rings.append([task * here + i for task in range(num_workers) for i in turned])
        self._places = [{d: place for place, d in enumerate(ring)} for ring in rings]
        self._rings = rings

    def chunks(self, device: int, back: int) -> list[tuple[int, int]]:
        """What a device deals with.

        Args:
          device: its number.
          back: how many places back its chunk began.

        Returns:
          [(the number of a piece, the device before this one)], for each part.
        """
        found = []
        for part, (ring, places) in enumerate(zip(self._rings, self._places, strict=True)):
            place = places[device]
            found.append(((place - back) % self.size * self.parts + part, ring[place - 1]))
        return found


def build_ring_all_reduce(
    input_tensors: Sequence[ops.Tensor], num_workers: int, num_subchunks: int,
    gpu_perm: Sequence[int], red_op: _Binary, un_op: _Unary | None = None,
) -> _Tensors:  # fmt: skip
    """Reduces around a ring of devices: each adds to one chunk, and passes it on.

    Args:
      input_tensors: one of each device, of one shape.
      num_workers: of how many tasks the devices are.
      num_subchunks: in how many parts a chunk is.
      gpu_perm: the order of the devices of each task.
      red_op: reduces two tensors.
      un_op: comes last, or None.

    Returns:
      The result, at each device.

    Raises:
      ValueError: there are fewer than two tensors, their shapes are no static one, or there are
        more parts than devices of a task.
    """
    if len(input_tensors) < 2:
        raise ValueError("input_tensors must be length 2 or longer")
    tensors, shape = _flat(input_tensors)
    devices = [tensor.device for tensor in tensors]
    ring = _Ring(num_workers, num_subchunks, list(gpu_perm))
    count, padding = len(tensors), 0
    held: list[_Tensors] = []
    for device, tensor in zip(devices, tensors, strict=True):
        with ops.device(device):
            pieces, padding = _padded_split(tensor, count * num_subchunks)
        held.append(pieces)

    def round_of(back: int, place: Callable[[int], Any], make: _Binary) -> None:
        """Each device makes pieces from its own and those of the device before."""
        made = []
        for number in range(count):
            with place(number):
                for piece, before in ring.chunks(number, back):
                    value = make(held[before][piece], held[number][piece])
                    made.append((number, piece, value))
        for number, piece, value in made:
            held[number][piece] = value

    for tick in range(count - 1):
        round_of(tick + 2, lambda number: ops.device(devices[number]), red_op)
    if un_op:
        for number, pieces in enumerate(held):
            with ops.colocate_with(pieces[0]):
                held[number] = [un_op(piece) for piece in pieces]
    for tick in range(count - 1):
        round_of(
            tick + 1,
            lambda number: ops.colocate_with(held[number][0]),
            lambda before, own: array_ops.identity(before),
        )
    results = []
    for pieces in held:
        with ops.colocate_with(pieces[0]):
            results.append(array_ops.concat(pieces, 0))
    if padding:
        length = _length(results[0], "tensors") - padding
        results = _each(lambda t: array_ops.slice(t, [0], [length]), results)
    return _as_before(results, shape)


def build_recursive_hd_all_reduce(
    input_tensors: Sequence[ops.Tensor], red_op: _Binary, un_op: _Unary | None = None
) -> _Tensors:
    """Reduces between pairs: in each round half as much, with a device twice as far away; and back.

    Args:
      input_tensors: one of each device, of one shape; as many as a power of 2.
      red_op, un_op: see `build_ring_all_reduce`.

    Returns:
      The result, at each device.

    Raises:
      ValueError: there are not so many tensors, or they cannot be halved so often.
    """
    devices = [tensor.device for tensor in input_tensors]
    tensors, shape = _flat(input_tensors)
    count = len(devices)
    if count & (count - 1):
        raise ValueError("num_devices must be a power of 2")
    spans = [1 << i for i in range(count.bit_length() - 1)]

    def pairs(span: int) -> list[tuple[int, int]]:
        return [(d, d + span) for d in range(count) if not d & span]

    for span in spans:
        for left, right in pairs(span):
            halves = array_ops.split(tensors[left], 2), array_ops.split(tensors[right], 2)
            for which, number in enumerate((left, right)):
                with ops.device(devices[number]):
                    tensors[number] = red_op(halves[0][which], halves[1][which])
    if un_op:
        tensors = [un_op(tensor) for tensor in tensors]
    for span in reversed(spans):
        for left, right in pairs(span):
            halves = [tensors[left], tensors[right]]
            for number in (left, right):
                with ops.device(devices[number]):
                    tensors[number] = array_ops.concat(halves, 0)
    return _as_before(tensors, shape)


def _gathered(
    tensors: _Tensors, devices: Sequence[str], red_op: _OfMany, un_op: _Unary | None = None
) -> _Tensors:
    """A part of the sum at each of some devices."""
    count = len(devices)
    parts = []
    for tensor in tensors:
        length = _length(tensor, "input tensor")
        size, left = divmod(length, count)
        # As in TF, what is left is the last part, which may be none at all.
        sizes: Any = count if not left else [size] * (count - 1) + [length - size * (count - 1)]
        with ops.colocate_with(tensor):
            parts.append(array_ops.split(tensor, sizes))
    reduced = []
    for device, same in zip(devices, zip(*parts, strict=True), strict=True):
        with ops.device(device):
            total = red_op(list(same))
            reduced.append(un_op(total) if un_op else total)
    return reduced


def _joined(parts: _Tensors, devices: Sequence[str]) -> _Tensors:
    """Parts joined, at each device."""
    results = []
    for device in devices:
        with ops.device(device):
            results.append(array_ops.concat(parts, 0))
    return results


def build_shuffle_all_reduce(
    input_tensors: Sequence[ops.Tensor], gather_devices: Sequence[str], red_op: _OfMany,
    un_op: _Unary | None = None,
) -> _Tensors:  # fmt: skip
    """Reduces a part of all tensors at each of some devices, as parameter servers do.

    Args:
      input_tensors: one of each device, of one shape.
      gather_devices: where to reduce.
      red_op: reduces a list of tensors.
      un_op: comes last, or None.

    Returns:
      The result, at each device.

    Raises:
      ValueError: the tensors have no common static shape.
    """
    tensors, shape = _flat(input_tensors)
    parts = _gathered(tensors, gather_devices, red_op, un_op)
    return _as_before(_joined(parts, [tensor.device for tensor in tensors]), shape)


def build_nccl_all_reduce(
    input_tensors: Sequence[ops.Tensor], red_op: _Binary, un_op: _Unary | None = None
) -> _Tensors:
    """Reduces by NCCL's operations.

    Args:
      input_tensors: one of each device.
      red_op: `tf.add`.
      un_op: comes last, or None.

    Raises:
      ValueError: another reduction is asked for.
    """
    if red_op != math_ops.add:
        raise ValueError("red_op not supported by NCCL all-reduce: ", red_op)
    return _each(un_op, nccl_ops.all_sum(input_tensors))


def _by_task(tensors: _Tensors) -> list[list[int]]:
    """The numbers of the tensors of each task."""
    found: dict[Any, list[int]] = {}
    for number, tensor in enumerate(tensors):
        spec = DeviceSpec.from_string(tensor.device)
        assert spec.task is not None, f"failed to parse device {tensor.device}"
        found.setdefault((spec.job or "localhost", spec.replica or 0, spec.task), []).append(number)
    return list(found.values())


def _nccl_hybrid(
    input_tensors: Sequence[ops.Tensor], red_op: _Binary, among: Callable[[_Tensors], _Tensors]
) -> _Tensors:
    """By NCCL's operations within each task, and otherwise among the tasks."""
    tensors, shape = _flat(input_tensors)
    devices = [tensor.device for tensor in tensors]
    tasks = _by_task(tensors)
    totals = []
    for numbers in tasks:
        reduced = build_nccl_all_reduce([tensors[number] for number in numbers], red_op)
        # Those that nobody reads have to run, too.
        with ops.control_dependencies(reduced), ops.device(reduced[0].device):
            totals.append(array_ops.identity(reduced[0]))
    results = []
    for numbers, total in zip(tasks, among(totals), strict=True):
        with ops.device(devices[numbers[0]]):
            sent = nccl_ops.broadcast(array_ops.identity(total))
        for number in numbers:
            with ops.device(devices[number]):
                results.append(array_ops.identity(sent))
    return _as_before(results, shape)


def _shuffle_hybrid(
    input_tensors: Sequence[ops.Tensor], gather_devices: Sequence[str], red_op: _OfMany,
    among: Callable[[_Tensors], _Tensors],
) -> _Tensors:  # fmt: skip
    """At a device of each task, and then among those."""
    tensors, shape = _flat(input_tensors)
    devices = [tensor.device for tensor in tensors]
    tasks = _by_task(tensors)
    if len(gather_devices) != len(tasks):
        raise ValueError("For shuffle hybrid, gather_devices must contain one device per worker. ")
    totals = [
        _gathered([tensors[number] for number in numbers], [device], red_op)[0]
        for numbers, device in zip(tasks, gather_devices, strict=True)
    ]
    results = []
    for numbers, total in zip(tasks, among(totals), strict=True):
        results += _joined([total], [devices[number] for number in numbers])
    return _as_before(results, shape)


def _of_several(
    reduce: Callable[[_Tensors], _Tensors], un_op: _Unary | None
) -> Callable[[_Tensors], _Tensors]:
    """An all-reduce among tasks, of which there may be only one."""
    return lambda tensors: reduce(tensors) if len(tensors) > 1 else _each(un_op, tensors)


def _ring_of_tasks(
    parts: int, red_op: _Binary, un_op: _Unary | None
) -> Callable[[_Tensors], _Tensors]:
    return _of_several(
        lambda tensors: build_ring_all_reduce(tensors, len(tensors), parts, [0], red_op, un_op),
        un_op,
    )


def build_nccl_then_ring(
    input_tensors: Sequence[ops.Tensor], subdiv: int, red_op: _Binary, un_op: _Unary | None = None
) -> _Tensors:
    """NCCL's operations within tasks, a ring of the tasks. See `build_ring_all_reduce`."""
    return _nccl_hybrid(input_tensors, red_op, _ring_of_tasks(subdiv, red_op, un_op))


def build_nccl_then_recursive_hd(
    input_tensors: Sequence[ops.Tensor], red_op: _Binary, un_op: _Unary | None = None
) -> _Tensors:
    """NCCL's operations within tasks, pairs of tasks. See `build_recursive_hd_all_reduce`."""
    among = functools.partial(build_recursive_hd_all_reduce, red_op=red_op, un_op=un_op)
    return _nccl_hybrid(input_tensors, red_op, among)


def build_nccl_then_shuffle(
    input_tensors: Sequence[ops.Tensor], gather_devices: Sequence[str], nccl_red_op: _Binary,
    shuffle_red_op: _OfMany, un_op: _Unary | None = None,
) -> _Tensors:  # fmt: skip
    """NCCL's within tasks, some devices for all tasks. See `build_shuffle_all_reduce`."""
    among = functools.partial(
        build_shuffle_all_reduce, gather_devices=gather_devices, red_op=shuffle_red_op, un_op=un_op
    )
    return _nccl_hybrid(input_tensors, nccl_red_op, among)


def build_shuffle_then_ring(
    input_tensors: Sequence[ops.Tensor], gather_devices: Sequence[str], subdiv: int,
    red_n_op: _OfMany, red_op: _Binary, un_op: _Unary | None = None,
) -> _Tensors:  # fmt: skip
    """A device of each task, and a ring of those. See `build_ring_all_reduce`."""
    among = _ring_of_tasks(subdiv, red_op, un_op)
    return _shuffle_hybrid(input_tensors, gather_devices, red_n_op, among)


def build_shuffle_then_shuffle(
    input_tensors: Sequence[ops.Tensor], first_gather_devices: Sequence[str],
    second_gather_devices: Sequence[str], red_op: _OfMany, un_op: _Unary | None = None,
) -> _Tensors:  # fmt: skip
    """A device of each task, and some for all of those. See `build_shuffle_all_reduce`."""
    among = _of_several(
        functools.partial(
            build_shuffle_all_reduce,
            gather_devices=second_gather_devices,
            red_op=red_op,
            un_op=un_op,
        ),
        un_op,
    )
    return _shuffle_hybrid(input_tensors, first_gather_devices, red_op, among)
