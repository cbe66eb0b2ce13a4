"""Horovod's operations, among the processes that a launcher started."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.horovod import basics, mpi_ops
from tf1compat.core import collectives, op_registry, ops
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.distribute.collective import exchanged, is_of_several
from tf1compat.kernels.framework.common import refuse

# Its op types are stateful here: each process runs all of them, in the order that it records.
op_registry.load_library("horovod_op_defs.json")

# By the numbers that Horovod gives to reductions.
_REDUCTIONS = {0: "mean", 1: "sum", 3: "min", 4: "max", 5: "product"}


def _world() -> collectives.World:
    found = collectives.world()
    if found is None:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return found


def _member(op: Operation, kind: str, **more: Any) -> collectives.Member | None:
    """What an operation asks of the other processes' of its name; None if there are none."""
    world = _world()
    if world.size == 1:
        return None
    name = op.name.rpartition("/")[2] if op.get_attr("ignore_name_scope") else op.name
    return collectives.Member(
        collectives.WORLD, "the world", name, world.size, kind, f"rank {world.rank}", **more
    )


def _reduced(op: Operation) -> collectives.Member | None:
    return _member(
        op,
        collectives.REDUCE,
        how=_REDUCTIONS[op.get_attr("reduce_op")],
        before=float(op.get_attr("prescale_factor")),
        after=float(op.get_attr("postscale_factor")),
    )


@op("HorovodAllreduce", effect=True, host=is_of_several, collective=_reduced)
class HorovodAllreduce:
    def shape(tensor: Any) -> Shape:
        return tensor

    def lower(
        tensor: Any, *, prescale_factor: float, postscale_factor: float, ctx: LoweringContext
    ) -> Any:
        factor = prescale_factor * postscale_factor
        alone = tensor if factor == 1.0 else (tensor * factor).astype(tensor.dtype)
        return exchanged(ctx, tensor, alone)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        names = ("prescale_factor", "postscale_factor", "ignore_name_scope")
        attrs = {name: op.get_attr(name) for name in names}
        return mpi_ops._allreduce(grad, op=op.get_attr("reduce_op"), **attrs)


@op(
    "HorovodAllgather",
    effect=True,
    host=is_of_several,
    collective=lambda op: _member(op, collectives.GATHER),
)
class HorovodAllgather:
    def shape(tensor: Any) -> Shape:
        return tensor and (None, *tensor[1:])

    def lower(tensor: Any, *, ctx: LoweringContext) -> Any:
        return exchanged(ctx, tensor, tensor)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        # Each process gets the average for its own rows, as many as it gave.
        ignore = op.get_attr("ignore_name_scope")
        grad = mpi_ops._allreduce(grad, op=basics.Average, ignore_name_scope=ignore)
        with ops.device("/cpu:0"):
            rows = shape_ops.reshape(array_ops.shape(op.inputs[0])[0], [1])
            given = mpi_ops.allgather(rows, ignore_name_scope=ignore)
            sizes = shape_ops.reshape(given, [basics.size()])
        return array_ops.split(grad, num_or_size_splits=sizes, axis=0)[basics.rank()]


def _broadcast(op: Operation) -> collectives.Member | None:
    return _member(op, collectives.BROADCAST, root=op.get_attr("root_rank"))


@op("HorovodBroadcast", effect=True, host=is_of_several, collective=_broadcast)
class HorovodBroadcast:
    def shape(tensor: Any) -> Shape:
        return tensor

    def lower(tensor: Any, *, root_rank: int, ctx: LoweringContext) -> Any:
        if not 0 <= root_rank < _world().size:
            refuse(ctx, f"Root rank {root_rank} is none of {_world().size} processes")
        return exchanged(ctx, tensor, tensor)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        ignore, root = op.get_attr("ignore_name_scope"), op.get_attr("root_rank")
        total = mpi_ops._allreduce(grad, op=basics.Average, ignore_name_scope=ignore)
        return total if basics.rank() == root else total * 0


for _type, _field in (
    ("HorovodSize", "size"),
    ("HorovodLocalSize", "local_size"),
    ("HorovodRank", "rank"),
    ("HorovodLocalRank", "local_rank"),
):
    register(
        _type,
        shape=lambda: (),
        lower=lambda _field=_field: np.int32(getattr(_world(), _field)),
        host=True,
    )
not_differentiable("HorovodSize", "HorovodLocalSize", "HorovodRank", "HorovodLocalRank")
