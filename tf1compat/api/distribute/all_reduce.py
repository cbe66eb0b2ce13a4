"""`tensorflow.python.distribute.all_reduce`: all-reduces written out as operations of the devices.

They are what TF 1.15 records. What they add up to is the same whichever of them is taken.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
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


def _strip_padding(tensors: _Tensors, pad_len: int) -> _Tensors:
    """Vectors without the zeros that `_padded_split` added at their end.

    Raises:
      ValueError: there are none, they are no vectors, or shorter than that.
    """
    if not tensors:
        raise ValueError("tensors cannot be empty")
    _length(tensors[0], "tensors")
    length = int(tensors[0].shape[0] - pad_len)  # A Dimension refuses to be less than 0.
    if length < 0:
        raise ValueError("pad_len longer than tensor")
    return _each(lambda t: array_ops.slice(t, [0], [length]), tensors)


def _ragged_split(tensor: ops.Tensor, pieces: int) -> _Tensors:
    """A vector in pieces of one length but for the last, which may be longer or shorter.

    Raises:
      ValueError: it is no vector.
    """
    size, left = divmod(_length(tensor, "input tensor"), pieces)
    sizes: Any = [size] * (pieces - 1) + [size + left] if left else pieces
    with ops.colocate_with(tensor):
        return list(array_ops.split(tensor, sizes))


_Ring = list[list[int]]


def _ring_permutations(
    num_workers: int, num_subchunks: int, gpu_perm: Sequence[int]
) -> tuple[_Ring, _Ring]:
    """Who is next to whom: a ring of its own for each part of a chunk.

    Args:
      num_workers: how many tasks there are.
      num_subchunks: in how many parts a chunk is.
      gpu_perm: the order of the devices of each task.

    Returns:
      For each part and each device the device before it, and its place in the ring.

    Raises:
      ValueError: there are more parts than devices.
    """
    here = len(gpu_perm)
    if not num_workers * here:
        return [], []
    if num_subchunks > here:
        raise ValueError(f"num_subchunks {num_subchunks} must be <= num_gpus {here}")
    turn = max(1, here // num_subchunks)
    before, places = [], []
    for part in range(num_subchunks):
        turned = [*gpu_perm[part * turn :], *gpu_perm[: part * turn]]
        ring = [task * here + i for task in range(num_workers) for i in turned]
        place_of = {device: place for place, device in enumerate(ring)}
        places.append([place_of[device] for device in range(len(ring))])
        before.append([ring[place_of[device] - 1] for device in range(len(ring))])
    return before, places


def _ring_round(
    held: list[_Tensors], before: _Ring, places: _Ring, back: int,
    placed: Callable[[int], Any], make: _Binary,
) -> None:  # fmt: skip
    """A round: each device makes new pieces from its own and those of the device before it.

    Args:
      held: the pieces of each device, which are changed.
      before, places: what `_ring_permutations` gave.
      back: how many places back the chunk began that a device deals with now.
      placed: the scope in which the pieces of a device are made.
      make: (the piece of the device before, its own) -> the new one.
    """
    parts, made = len(places), []
    for device in range(len(held)):
        with placed(device):
            for part in range(parts):
                piece = (places[part][device] - back) % len(held) * parts + part
                value = make(held[before[part][device]][piece], held[device][piece])
                made.append((device, piece, value))
    for device, piece, value in made:
        held[device][piece] = value


def _build_ring_gather(
    input_tensors: _Tensors, devices: Sequence[str], num_subchunks: int, pred_by_s_d: _Ring,
    rank_by_s_d: _Ring, red_op: _Binary,
) -> Any:  # fmt: skip
    """The first half of `build_ring_all_reduce`: some pieces of each device are all reduced then.

    Args:
      input_tensors: a vector of each device.
      devices: their names.
      num_subchunks, red_op: see `build_ring_all_reduce`.
      pred_by_s_d, rank_by_s_d: what `_ring_permutations` gave.

    Returns:
      (the pieces of each device, how many zeros were added at the end); as in TF, the vectors
      themselves if there are fewer than two.

    Raises:
      ValueError: they are no vectors.
    """
    count, padding = len(input_tensors), 0
    if count < 2:
        return input_tensors
    _length(input_tensors[0], "input tensors")
    held: list[_Tensors] = []
    for device, tensor in zip(devices, input_tensors, strict=False):
        with ops.device(device):
            pieces, padding = _padded_split(tensor, count * num_subchunks)
        held.append(pieces)
    for tick in range(count - 1):
        _ring_round(
            held, pred_by_s_d, rank_by_s_d, tick + 2, lambda d: ops.device(devices[d]), red_op
        )
    return held, padding


def _apply_unary_to_chunks(f: _Unary, chunks_by_dev: list[_Tensors]) -> list[_Tensors]:
    """A function of each piece, at its device."""
    results = []
    for pieces in chunks_by_dev:
        with ops.colocate_with(pieces[0]):
            results.append([f(piece) for piece in pieces])
    return results


def _build_ring_scatter(
    pred_by_s_d: _Ring, rank_by_s_d: _Ring, chunks_by_dev: list[_Tensors]
) -> _Tensors:
    """The second half of `build_ring_all_reduce`: what is reduced goes round, and is joined.

    Args:
      pred_by_s_d, rank_by_s_d: what `_ring_permutations` gave.
      chunks_by_dev: the pieces of each device, which are changed.

    Returns:
      A vector at each device.

    Raises:
      ValueError: the number of pieces is no multiple of that of devices.
    """
    count = len(chunks_by_dev)
    if len(chunks_by_dev[0]) % count:
        raise ValueError("Expect number of chunks per device to be divisible by num_devices")
    for tick in range(count - 1):
        _ring_round(
            chunks_by_dev,
            pred_by_s_d,
            rank_by_s_d,
            tick + 1,
            lambda device: ops.colocate_with(chunks_by_dev[device][0]),
            lambda before, own: array_ops.identity(before),
        )
    results = []
    for pieces in chunks_by_dev:
        with ops.colocate_with(pieces[0]):
            results.append(array_ops.concat(pieces, 0))
    return results


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
    ring = _ring_permutations(num_workers, num_subchunks, gpu_perm)
    held, padding = _build_ring_gather(tensors, devices, num_subchunks, *ring, red_op)
    if un_op:
        held = _apply_unary_to_chunks(un_op, held)
    results = _build_ring_scatter(*ring, held)
    return _as_before(_strip_padding(results, padding) if padding else results, shape)


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
    tensors = _build_recursive_hd_gather(tensors, devices, red_op)
    if un_op:
        tensors = [un_op(tensor) for tensor in tensors]
    return _as_before(_build_recursive_hd_scatter(tensors, devices), shape)


def _pairs(count: int) -> Iterator[list[tuple[int, int]]]:
    """The pairs of devices of each round: neighbours first, then those twice as far away."""
    for span in (1 << i for i in range(count.bit_length() - 1)):
        yield [(device, device + span) for device in range(count) if not device & span]


def _build_recursive_hd_gather(
    input_tensors: _Tensors, devices: Sequence[str], red_op: _Binary
) -> _Tensors:
    """The first half of `build_recursive_hd_all_reduce`: a part of the result at each device.

    Raises:
      ValueError: there are not so many tensors.
    """
    if len(devices) & (len(devices) - 1):
        raise ValueError("num_devices must be a power of 2")
    tensors = list(input_tensors)
    for pairs in _pairs(len(devices)):
        for pair in pairs:
            halves = [array_ops.split(tensors[number], 2) for number in pair]
            for which, number in enumerate(pair):
                with ops.device(devices[number]):
                    tensors[number] = red_op(halves[0][which], halves[1][which])
    return tensors


def _build_recursive_hd_scatter(input_tensors: _Tensors, devices: Sequence[str]) -> _Tensors:
    """The second half of `build_recursive_hd_all_reduce`: the parts are joined at all devices."""
    tensors = list(input_tensors)
    for pairs in reversed(list(_pairs(len(devices)))):
        for pair in pairs:
            halves = [tensors[number] for number in pair]
            for number in pair:
                with ops.device(devices[number]):
                    tensors[number] = array_ops.concat(halves, 0)
    return tensors


def _build_shuffle_gather(
    tensors: _Tensors, devices: Sequence[str], red_op: _OfMany, un_op: _Unary | None = None
) -> _Tensors:
    """A part of the sum at each of some devices."""
    parts = [_ragged_split(tensor, len(devices)) for tensor in tensors]
    reduced = []
    for device, same in zip(devices, zip(*parts, strict=True), strict=True):
        with ops.device(device):
            total = red_op(list(same))
            reduced.append(un_op(total) if un_op else total)
    return reduced


def _build_shuffle_scatter(parts: _Tensors, devices: Sequence[str]) -> _Tensors:
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
    parts = _build_shuffle_gather(tensors, gather_devices, red_op, un_op)
    return _as_before(_build_shuffle_scatter(parts, [tensor.device for tensor in tensors]), shape)


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


def _split_by_task(devices: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The devices of each task, and what is at them.

    Raises:
      ValueError: there are not as many values as devices.
    """
    if len(devices) != len(values):
        raise ValueError("len(devices) must equal len(values)")
    found: dict[Any, list[tuple[str, Any]]] = {}
    for device, value in zip(devices, values, strict=True):
        spec = DeviceSpec.from_string(device)
        assert spec.task is not None, f"failed to parse device {device}"
        task = (spec.job or "localhost", spec.replica or 0, spec.task)
        found.setdefault(task, []).append((device, value))
    tasks = list(found.values())
    return [[one[0] for one in task] for task in tasks], [
        [one[1] for one in task] for task in tasks
    ]


def _nccl_hybrid(
    input_tensors: Sequence[ops.Tensor], red_op: _Binary, among: Callable[[_Tensors], _Tensors]
) -> _Tensors:
    """By NCCL's operations within each task, and otherwise among the tasks."""
    tensors, shape = _flat(input_tensors)
    devices = [tensor.device for tensor in tensors]
    _, tasks = _split_by_task(devices, range(len(devices)))
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
    _, tasks = _split_by_task(devices, range(len(devices)))
    if len(gather_devices) != len(tasks):
        raise ValueError("For shuffle hybrid, gather_devices must contain one device per worker. ")
    totals = [
        _build_shuffle_gather([tensors[number] for number in numbers], [device], red_op)[0]
        for numbers, device in zip(tasks, gather_devices, strict=True)
    ]
    results = []
    for numbers, total in zip(tasks, among(totals), strict=True):
        results += _build_shuffle_scatter([total], [devices[number] for number in numbers])
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
