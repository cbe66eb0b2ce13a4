"""Sums and exchanges among replicas: of one, and of replicas that are named in one graph.

A program runs as one replica. What TF computes among the replicas of TPUs or the workers of a
cluster is here computed among one; several fail by name when they run.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.backend import jnp
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape
from tf1compat.kernels.framework.common import refuse


def _same(x: Any, *_: Any) -> Shape:
    return x


def _check_alone(ctx: Any, size: int) -> None:
    """Fails where others take part."""
    if size != 1:
        raise errors.UnimplementedError(
            ctx.op.node_def,
            ctx.op,
            f"{ctx.op.type} among {size} devices is not supported by tf1compat yet: a program runs "
            "on one",
        )


def _check_groups(groups: Any, ctx: Any) -> None:
    """Fails where a group of replicas is not of the one that there is."""
    _check_alone(ctx, int(np.shape(groups)[-1]) if np.ndim(groups) else 1)


@op("CrossReplicaSum", const=(1,))
class CrossReplicaSum:
    shape = staticmethod(_same)

    def lower(input: Any, group_assignment: Any, *, ctx: Any) -> Any:
        _check_groups(group_assignment, ctx)
        return input

    def gradient(op: Any, grad: Any) -> Any:
        return [raw_ops.CrossReplicaSum(grad, op.inputs[1]), None]


@op("AllToAll", const=(1,))
class AllToAll:
    def shape(
        input: Any, group_assignment: Any, *, concat_dimension: int, split_dimension: int,
        split_count: int,
    ) -> Shape:  # fmt: skip
        if input is None:
            return None
        sizes = list(input)
        sizes[concat_dimension] = shapes.multiply_dims(sizes[concat_dimension], split_count)
        sizes[split_dimension] = shapes.divide_dims(sizes[split_dimension], split_count)
        return tuple(sizes)

    def lower(input: Any, group_assignment: Any, *, split_count: int, ctx: Any) -> Any:
        _check_alone(ctx, split_count)
        return input

    def gradient(op: Any, grad: Any) -> Any:
        attrs = {
            "concat_dimension": op.get_attr("split_dimension"),
            "split_dimension": op.get_attr("concat_dimension"),
            "split_count": op.get_attr("split_count"),
        }
        return [raw_ops.AllToAll(grad, op.inputs[1], **attrs), None]


@op("CollectivePermute", const=(1,))
class CollectivePermute:
    shape = staticmethod(_same)

    def lower(input: Any, source_target_pairs: Any, *, ctx: Any) -> Any:
        pairs = np.reshape(source_target_pairs, (-1, 2)).tolist()
        if any(pair != [0, 0] for pair in pairs):
            _check_alone(ctx, 1 + max(max(pair) for pair in pairs))
        # What nobody sends is 0.
        return input if pairs else jnp.zeros_like(input)

    def gradient(op: Any, grad: Any) -> Any:
        # Back the way it came.
        return [raw_ops.CollectivePermute(grad, op.inputs[1][:, ::-1]), None]


# The collectives of clusters: who takes part goes by a key.


@op("CollectiveReduce", effect=True)
class CollectiveReduce:
    shape = staticmethod(_same)

    def lower(input: Any, *, group_size: int, ctx: Any) -> Any:
        # Of one, the sum, the product, the largest, the smallest and the mean are all it.
        _check_alone(ctx, group_size)
        return input


@op("CollectiveGather", effect=True)
class CollectiveGather:
    def shape(input: Any, *, shape: Any) -> Shape:
        return shape

    def lower(input: Any, *, group_size: int, ctx: Any) -> Any:
        _check_alone(ctx, group_size)
        return input


@op("CollectiveBcastSend", effect=True)
class CollectiveBcastSend:
    def shape(input: Any, *, shape: Any) -> Shape:
        return shape

    def lower(input: Any, *, group_size: int, shape: Any, ctx: Any) -> Any:
        _check_alone(ctx, group_size)
        if shape != np.shape(input):
            refuse(
                ctx,
                f"Declared shape {shapes.to_string(shape)} does not match the input's, "
                f"{shapes.to_string(np.shape(input))}",
            )
        return input


@op("CollectiveBcastRecv", effect=True)
class CollectiveBcastRecv:
    def shape(*, shape: Any) -> Shape:
        return shape

    def lower(*, group_size: int, ctx: Any) -> Any:
        # There is nobody whom it could receive from.
        _check_alone(ctx, max(group_size, 2))


# NCCL's, among the devices that one graph names.


@op("NcclReduce", gpu_only=True)
class NcclReduce:
    def shape(input: Any) -> Shape:
        return shapes.merge_all(input)

    def lower(input: Any, *, reduction: str) -> Any:
        joins = {"sum": jnp.add, "prod": jnp.multiply, "min": jnp.minimum, "max": jnp.maximum}
        return functools.reduce(joins[reduction], input)

    def gradient(op: Any, grad: Any) -> Any:
        if op.get_attr("reduction") != b"sum":
            raise LookupError("No gradient defined for NcclReduce except sum.")
        return [grad] * len(op.inputs)


@op("NcclAllReduce", effect=True, gpu_only=True)
class NcclAllReduce:
    shape = staticmethod(_same)

    def lower(input: Any, *, num_devices: int, ctx: Any) -> Any:
        _check_alone(ctx, num_devices)
        return input

    def gradient(op: Any, grad: Any) -> Any:
        attrs = {name: op.get_attr(name) for name in ("reduction", "num_devices", "shared_name")}
        return raw_ops.NcclAllReduce(grad, **attrs)


@op("NcclBroadcast", gpu_only=True)
class NcclBroadcast:
    def shape(input: Any, *, shape: Any) -> Shape:
        return shape

    def lower(input: Any) -> Any:
        return input

    def gradient(op: Any, grad: Any) -> Any:
        return grad


# Programs of TPUs, as one replica runs them.


@op("TPUReplicatedInput")
class TPUReplicatedInput:
    def shape(inputs: Any) -> Shape:
        return shapes.merge_all(inputs)

    def lower(inputs: Any, *, ctx: Any) -> Any:
        _check_alone(ctx, len(inputs))
        return inputs[0]


@op("TPUReplicatedOutput")
class TPUReplicatedOutput:
    def shape(input: Any, *, num_replicas: int) -> Any:
        return [input] * num_replicas

    def lower(input: Any, *, num_replicas: int, ctx: Any) -> Any:
        _check_alone(ctx, num_replicas)
        return [input]


@op("TPUReplicateMetadata", effect=True)
class TPUReplicateMetadata:
    def shape() -> None:
        pass

    def lower(*, num_replicas: int, ctx: Any) -> None:
        _check_alone(ctx, num_replicas)


@op("TPUCompilationResult", host=True)
class TPUCompilationResult:
    def shape() -> Shape:
        return ()

    def lower() -> Any:
        return np.array(b"", object)  # a CompilationResultProto that tells of no error


not_differentiable("TPUReplicatedInput")
