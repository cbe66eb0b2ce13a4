"""Sums and exchanges among replicas.

What the replicas of a computation exchange is said here by operations on the values of them all;
outside of one there is but one replica. The collectives of clusters, and NCCL's, meet among the
operations of a run and the tasks of a cluster.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import collectives, errors, ops, raw_ops, shapes
from tf1compat.core.device import DeviceSpec
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import refuse


def _same(x: Any, *_: Any) -> Shape:
    return x


def _check_alone(ctx: LoweringContext, size: int) -> None:
    """Fails where others should take part, and there are none."""
    if size != 1:
        raise errors.InvalidArgumentError(
            ctx.op.node_def,
            ctx.op,
            f"{ctx.op.type} among {size} replicas is not in a computation of so many",
        )


def _check_groups(groups: Any, ctx: LoweringContext) -> None:
    """Fails where a group of replicas is not of the one that there is."""
    _check_alone(ctx, int(np.shape(groups)[-1]) if np.ndim(groups) else 1)


# Of some replicas that belong together, the input of each -> the output of each; records.
_AmongGroup = Callable[[Sequence[Any]], Sequence[Any]]


def _in_groups(op: Operation, inputs: Sequence[Any], exchange: _AmongGroup) -> list[Any]:
    """What each replica gets in its group.

    Raises:
      InvalidArgumentError: the groups are not of these replicas.
    """
    count = len(inputs)
    groups = op.const_input(1)
    if groups is None or groups.ndim != 2 or sorted(groups.ravel().tolist()) != [*range(count)]:
        said = "not known" if groups is None else groups.tolist()
        raise errors.InvalidArgumentError(
            op.node_def,
            op,
            f"group_assignment of {op.type} must have each of the {count} replicas once, and is "
            f"{said}",
        )
    found: dict[int, Any] = {}
    for group in groups.tolist():
        found |= zip(group, exchange([inputs[i][0] for i in group]), strict=True)
    return [found[i] for i in range(count)]


def _summed(op: Operation, inputs: Sequence[Any]) -> list[Any]:
    def total(values: Sequence[Any]) -> list[Any]:
        joined = raw_ops.AddN(list(values)) if len(values) > 1 else values[0]
        return [joined] * len(values)

    return _in_groups(op, inputs, total)


@op("CrossReplicaSum", const=(1,), among=_summed)
class CrossReplicaSum:
    shape = staticmethod(_same)

    def lower(input: Any, group_assignment: np.ndarray, *, ctx: LoweringContext) -> Array:
        _check_groups(group_assignment, ctx)
        return input

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.CrossReplicaSum(grad, op.inputs[1]), None]


def _all_to_all(op: Operation, inputs: Sequence[Any]) -> list[Any]:
    along, joined = op.get_attr("split_dimension"), op.get_attr("concat_dimension")
    count = op.get_attr("split_count")

    def exchange(values: Sequence[Any]) -> list[Any]:
        if len(values) != count:
            text = f"{op.type} splits values in {count}, and has groups of {len(values)} replicas"
            raise errors.InvalidArgumentError(op.node_def, op, text)
        if count == 1:
            return list(values)
        parts = [raw_ops.Split(along, value, num_split=count) for value in values]
        return [raw_ops.ConcatV2([part[i] for part in parts], joined) for i in range(count)]

    return _in_groups(op, inputs, exchange)


@op("AllToAll", const=(1,), among=_all_to_all)
class AllToAll:
    def shape(
        input: Any, group_assignment: Shape, *, concat_dimension: int, split_dimension: int,
        split_count: int,
    ) -> Shape:  # fmt: skip
        if input is None:
            return None
        sizes = list(input)
        sizes[concat_dimension] = shapes.multiply_dims(sizes[concat_dimension], split_count)
        sizes[split_dimension] = shapes.divide_dims(sizes[split_dimension], split_count)
        return tuple(sizes)

    def lower(
        input: Any, group_assignment: np.ndarray, *, split_count: int, ctx: LoweringContext
    ) -> Array:
        _check_alone(ctx, split_count)
        return input

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = {
            "concat_dimension": op.get_attr("split_dimension"),
            "split_dimension": op.get_attr("concat_dimension"),
            "split_count": op.get_attr("split_count"),
        }
        return [raw_ops.AllToAll(grad, op.inputs[1], **attrs), None]


def _permuted(op: Operation, inputs: Sequence[Any]) -> list[Any]:
    count = len(inputs)
    given = op.const_input(1)
    pairs: list[list[int]] = [] if given is None else np.reshape(given, (-1, 2)).tolist()
    once = all(len({pair[k] for pair in pairs}) == len(pairs) for k in (0, 1))
    if given is None or not once or any(not 0 <= i < count for pair in pairs for i in pair):
        raise errors.InvalidArgumentError(
            op.node_def,
            op,
            f"source_target_pairs of {op.type} must have each of the {count} replicas once at most "
            f"as a source and as a target, and is {'not known' if given is None else pairs}",
        )
    sources = {target: source for source, target in pairs}
    return [
        inputs[sources[i]][0] if i in sources else raw_ops.ZerosLike(inputs[i][0])
        for i in range(count)
    ]


@op("CollectivePermute", const=(1,), among=_permuted)
class CollectivePermute:
    shape = staticmethod(_same)

    def lower(input: Any, source_target_pairs: np.ndarray, *, ctx: LoweringContext) -> Array:
        pairs = np.reshape(source_target_pairs, (-1, 2)).tolist()
        if any(pair != [0, 0] for pair in pairs):
            _check_alone(ctx, 1 + max(max(pair) for pair in pairs))
        # What nobody sends is 0.
        return input if pairs else jnp.zeros_like(input)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        # Back the way it came.
        return [raw_ops.CollectivePermute(grad, op.inputs[1][:, ::-1]), None]


# The collectives of clusters: who takes part goes by a key.


def _cluster_member(kind: str, op: Any, **more: Any) -> collectives.Member | None:
    """What an operation asks of the others that have its keys; None if there are none."""
    size = op.get_attr("group_size")
    if size == 1:
        return None
    return collectives.Member(
        collectives.CLUSTER,
        f"group {op.get_attr('group_key')}",
        f"instance {op.get_attr('instance_key')}",
        size,
        kind,
        _device_of(op),
        **more,
    )


def _device_of(op: Operation) -> str:
    """The device that an operation is at, with its task if it names one."""
    spec = DeviceSpec.from_string(op.device)
    device = f"/device:{spec.device_type or 'CPU'}:{spec.device_index or 0}"
    if spec.job is None:
        return device
    return f"/job:{spec.job}/replica:{spec.replica or 0}/task:{spec.task or 0}{device}"


def exchanged(ctx: LoweringContext, value: Any, alone: Any) -> Any:
    """What an operation gets that takes part by itself, as in a loop or a function; outside of
    them all that are ready take part at once.

    Args:
      ctx: of `lower`.
      value: what it brings.
      alone: what it gets where there are no others.
    """
    collective = ctx.op._spec.collective
    assert collective is not None
    member = collective(ctx.op)
    if member is None:
        return alone
    try:
        return collectives.exchange(ctx.session, [member], [value])[0]
    except errors.OpError as error:
        if error.op is not None:
            raise
        code = error.error_code or errors.UNKNOWN
        raise errors.make_exception(ctx.op.node_def, ctx.op, error.message, code) from None


def is_of_several(op: Any) -> bool:
    """Whether others take part in an operation: it then works on the host."""
    return op._spec.collective(op) is not None


_MERGES = {b"Add": "sum", b"Mul": "product", b"Min": "min", b"Max": "max"}


def _reduce_member(op: Operation) -> collectives.Member | None:
    how = _MERGES[op.get_attr("merge_op")]
    if op.get_attr("final_op") == b"Div":
        how = "mean" if how == "sum" else f"{how}, divided by their number,"
    return _cluster_member(collectives.REDUCE, op, how=how)


@op("CollectiveReduce", effect=True, host=is_of_several, collective=_reduce_member)
class CollectiveReduce:
    shape = staticmethod(_same)

    def lower(input: Any, *, ctx: LoweringContext) -> Any:
        # Of one, the sum, the product, the largest, the smallest and the mean are all it.
        return exchanged(ctx, input, input)


def _gather_member(op: Operation) -> collectives.Member | None:
    return _cluster_member(collectives.GATHER, op, how=collectives.ALIKE)


@op("CollectiveGather", effect=True, host=is_of_several, collective=_gather_member)
class CollectiveGather:
    def shape(input: Any, *, group_size: int) -> Shape:
        if input == ():
            raise ShapeError("Shape must be at least rank 1 but is rank 0")
        return input and (shapes.multiply_dims(input[0], group_size), *input[1:])

    def lower(input: Any, *, ctx: LoweringContext) -> Any:
        return exchanged(ctx, input, input)


def _broadcast_member(op: Operation) -> collectives.Member | None:
    shape = op._attrs["shape"].to_tuple()
    dtype = op.get_attr("T").name
    return _cluster_member(collectives.BROADCAST, op, dtype=dtype, shape=shape)


@op("CollectiveBcastSend", effect=True, host=is_of_several, collective=_broadcast_member)
class CollectiveBcastSend:
    def shape(input: Any, *, shape: Shape) -> Shape:
        return shape

    def lower(input: Any, *, shape: Shape, ctx: LoweringContext) -> Any:
        if shape != np.shape(input):
            refuse(
                ctx,
                f"Declared shape {shapes.to_string(shape)} does not match the input's, "
                f"{shapes.to_string(np.shape(input))}",
            )
        return exchanged(ctx, input, input)


def _received_member(op: Operation) -> collectives.Member | None:
    found = _broadcast_member(op)
    if found is None:
        raise errors.InvalidArgumentError(
            op.node_def, op, "CollectiveBcastRecv in a group of 1: there is nobody who sends"
        )
    return found


@op("CollectiveBcastRecv", effect=True, host=True, collective=_received_member)
class CollectiveBcastRecv:
    def shape(*, shape: Shape) -> Shape:
        return shape

    def lower(*, ctx: LoweringContext) -> Any:
        return exchanged(ctx, None, None)


# NCCL's, among the devices that one graph names.


@op("NcclReduce", gpu_only=True)
class NcclReduce:
    def shape(input: Any) -> Shape:
        return shapes.merge_all(input)

    def lower(input: Any, *, reduction: str) -> Array:
        joins = {"sum": jnp.add, "prod": jnp.multiply, "min": jnp.minimum, "max": jnp.maximum}
        return functools.reduce(joins[reduction], input)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        if op.get_attr("reduction") != b"sum":
            raise LookupError("No gradient defined for NcclReduce except sum.")
        return [grad] * len(op.inputs)


_REDUCTIONS = {b"sum": "sum", b"prod": "product", b"min": "min", b"max": "max"}


def _nccl_member(op: Operation) -> collectives.Member | None:
    size = op.get_attr("num_devices")
    if size == 1:
        return None
    name = op.get_attr("shared_name").decode()
    how = _REDUCTIONS[op.get_attr("reduction")]
    device = _device_of(op)
    return collectives.Member(collectives.RUN, "NCCL", name, size, collectives.REDUCE, device, how)


@op("NcclAllReduce", effect=True, gpu_only=True, host=is_of_several, collective=_nccl_member)
class NcclAllReduce:
    shape = staticmethod(_same)

    def lower(input: Any, *, ctx: LoweringContext) -> Any:
        return exchanged(ctx, input, input)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        if op.get_attr("reduction") != b"sum":
            raise LookupError("No gradient defined for NcclAllReduce except sum.")
        # The gradients meet by a name of their own.
        name, count = op.get_attr("shared_name") + b"_grad", op.get_attr("num_devices")
        with ops.device(op.device):
            return raw_ops.NcclAllReduce(grad, reduction="sum", num_devices=count, shared_name=name)


@op("NcclBroadcast", gpu_only=True)
class NcclBroadcast:
    def shape(input: Any, *, shape: Shape) -> Shape:
        return shape

    def lower(input: Any) -> Array:
        return input

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return grad


# Computations for replicas, as one of them runs them.


@op("TPUReplicatedInput", replicas="takes")
class TPUReplicatedInput:
    def shape(inputs: Any) -> Shape:
        return shapes.merge_all(inputs)

    def lower(inputs: Any, *, ctx: LoweringContext) -> Array:
        _check_alone(ctx, len(inputs))
        return inputs[0]


@op("TPUReplicatedOutput", replicas="gives")
class TPUReplicatedOutput:
    def shape(input: Any, *, num_replicas: int) -> Any:
        return [input] * num_replicas

    def lower(input: Any, *, num_replicas: int, ctx: LoweringContext) -> Any:
        _check_alone(ctx, num_replicas)
        return [input]


@op("TPUReplicateMetadata", effect=True, replicas="count")
class TPUReplicateMetadata:
    def shape() -> None:
        pass

    def lower(*, num_replicas: int, ctx: LoweringContext) -> None:
        _check_alone(ctx, num_replicas)


@op("TPUCompilationResult", host=True)
class TPUCompilationResult:
    def shape() -> Shape:
        return ()

    def lower() -> Any:
        return np.array(b"", object)  # a CompilationResultProto that tells of no error


not_differentiable("TPUReplicatedInput")
