"""XLA's own operations, as `tensorflow.compiler.tf2xla.python.xla` records them."""

from __future__ import annotations

import functools
import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.backend import PRECISION, Array, at, jnp, lax
from tf1compat.core import dtypes, raw_ops, shapes
from tf1compat.core.deferred import Deferred
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.linalg import linalg
from tf1compat.kernels.math.einsum import Einsum

descriptor_pb2 = Deferred("google.protobuf.descriptor_pb2")
descriptor_pool = Deferred("google.protobuf.descriptor_pool")
message_factory = Deferred("google.protobuf.message_factory")


def _ints(values: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in np.ravel(values))


@functools.cache
def _dimension_numbers() -> dict[str, Any]:
    """The messages with which dots and convolutions name their dimensions."""
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/xla_data.proto", package="tf1compat.xla", syntax="proto3"
    )
    one, many = 1, 3
    fields = {
        "Dot": [
            ("lhs_contracting_dimensions", 1, many), ("rhs_contracting_dimensions", 2, many),
            ("lhs_batch_dimensions", 3, many), ("rhs_batch_dimensions", 4, many),
        ],
        "Convolution": [
            ("kernel_input_feature_dimension", 3, one),
            ("kernel_output_feature_dimension", 4, one), ("kernel_spatial_dimensions", 6, many),
            ("input_batch_dimension", 7, one), ("input_feature_dimension", 8, one),
            ("output_batch_dimension", 9, one), ("output_feature_dimension", 10, one),
            ("input_spatial_dimensions", 11, many), ("output_spatial_dimensions", 12, many),
        ],
    }  # fmt: skip
    for name, own in fields.items():
        message = file.message_type.add(name=name)
        for field, number, label in own:
            message.field.add(name=field, number=number, label=label, type=3)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tf1compat.xla.{name}"))
        for name in fields
    }


def _numbers(kind: str, text: str) -> Any:
    return _dimension_numbers()[kind].FromString(text.encode("utf-8", "surrogateescape"))


@op("XlaDot")
class XlaDot:
    def shape(lhs: Any, rhs: Shape) -> Shape:
        return None

    def lower(lhs: Any, rhs: Array, *, dimension_numbers: str) -> Array:
        dims = _numbers("Dot", dimension_numbers)
        letters = iter(string.ascii_letters)
        left = [next(letters) for _ in np.shape(lhs)]
        right = [next(letters) for _ in np.shape(rhs)]
        batch = list(zip(dims.lhs_batch_dimensions, dims.rhs_batch_dimensions))
        summed = list(zip(dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions))
        for i, j in [*batch, *summed]:
            right[j] = left[i]
        gone = {left[i] for i, _ in summed}
        first = [left[i] for i, _ in batch]
        rest = [x for x in [*left, *right] if x not in gone and x not in first]
        equation = f"{''.join(left)},{''.join(right)}->{''.join([*first, *rest])}"
        arrays = jnp.asarray(lhs), jnp.asarray(rhs)
        return jnp.einsum(equation, *arrays, precision=PRECISION)


def _format(names: str, first: int, second: int, space: Any) -> str:
    """Dimensions as a string like "NHWC"."""
    letters = {first: names[0], second: names[1], **dict(zip(space, string.ascii_lowercase))}
    return "".join(letters[i] for i in range(len(letters)))


@op("XlaConv", const=(2, 3, 4, 5, 6))
class XlaConv:
    def shape(lhs: Any, rhs: Shape, *others: Any) -> Shape:
        return None

    def lower(
        lhs: Any, rhs: Array, window_strides: np.ndarray, padding: np.ndarray,
        lhs_dilation: np.ndarray,
        rhs_dilation: np.ndarray, feature_group_count: np.ndarray, *, dimension_numbers: str,
    ) -> Array:  # fmt: skip
        dims = _numbers("Convolution", dimension_numbers)
        formats = (
            _format(
                "NC", dims.input_batch_dimension, dims.input_feature_dimension,
                dims.input_spatial_dimensions,
            ),
            _format(
                "IO", dims.kernel_input_feature_dimension, dims.kernel_output_feature_dimension,
                dims.kernel_spatial_dimensions,
            ),
            _format(
                "NC", dims.output_batch_dimension, dims.output_feature_dimension,
                dims.output_spatial_dimensions,
            ),
        )  # fmt: skip
        return lax.conv_general_dilated(
            lhs,
            rhs,
            _ints(window_strides),
            [(int(low), int(high)) for low, high in np.reshape(padding, (-1, 2))],
            lhs_dilation=_ints(lhs_dilation),
            rhs_dilation=_ints(rhs_dilation),
            dimension_numbers=formats,
            feature_group_count=int(feature_group_count),
            precision=PRECISION,
        )


@op("XlaPad", const=(2, 3, 4))
class XlaPad:
    def shape(
        input: Any,
        padding_value: Shape,
        padding_low: Shape,
        padding_high: Shape,
        padding_interior: Shape,
    ) -> Shape:
        return None

    def lower(
        input: Any, padding_value: Array, padding_low: np.ndarray, padding_high: np.ndarray,
        padding_interior: np.ndarray, *, ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        for name, value in (
            ("padding_low", padding_low),
            ("padding_high", padding_high),
            ("padding_interior", padding_interior),
        ):
            if np.any(np.less(value, 0)):
                text = ",".join(map(str, _ints(value)))
                refuse(ctx, f"{name} must be non-negative, got [{text}]")
        widths = zip(*(_ints(x) for x in (padding_low, padding_high, padding_interior)))
        return lax.pad(jnp.asarray(input), jnp.asarray(padding_value), list(widths))


@op("XlaDynamicSlice", const=(2,))
class XlaDynamicSlice:
    def shape(input: Any, start_indices: Shape, size_indices: Shape, *, op: Operation) -> Shape:
        return op.shape_input(2)

    def lower(input: Any, start_indices: Array, size_indices: np.ndarray) -> Array:
        starts = [start_indices[i] for i in range(np.ndim(input))]
        return lax.dynamic_slice(jnp.asarray(input), starts, _ints(size_indices))


@op("XlaDynamicUpdateSlice")
class XlaDynamicUpdateSlice:
    def shape(input: Any, update: Shape, indices: Shape) -> Shape:
        return input

    def lower(input: Any, update: Array, indices: Array) -> Array:
        # A slice that would reach over the edge is moved inside.
        x, sizes = jnp.asarray(input), np.shape(update)
        places = []
        for axis, size in enumerate(sizes):
            start = jnp.clip(jnp.asarray(indices)[axis], 0, x.shape[axis] - size)
            places.append((start + np.arange(size)).reshape((-1,) + (1,) * (len(sizes) - axis - 1)))
        return at(x)[tuple(places)].set(update)


@op("XlaBroadcastHelper", const=(2,))
class XlaBroadcastHelper:
    def shape(lhs: Any, rhs: Shape, broadcast_dims: Shape) -> Any:
        return [None, None]

    def lower(lhs: Any, rhs: Array, broadcast_dims: np.ndarray, *, ctx: LoweringContext) -> Any:
        dims = _ints(broadcast_dims)
        ranks = np.ndim(lhs), np.ndim(rhs)
        if not dims:
            if ranks[0] != ranks[1] and min(ranks):
                refuse(
                    ctx,
                    "If broadcast_dims is empty, both arguments must have equal rank; argument "
                    f"shapes are {shapes.to_string(np.shape(lhs))} and "
                    f"{shapes.to_string(np.shape(rhs))}",
                )
            return [lhs, rhs]
        small, rank = (lhs, ranks[1]) if ranks[0] < ranks[1] else (rhs, ranks[0])
        if len(dims) != np.ndim(small):
            refuse(
                ctx,
                "broadcast_dims must have size equal to the smaller argument rank; "
                f"broadcast_dims: [{','.join(map(str, dims))}]",
            )
        sizes = [1] * rank
        for dim, size in zip(dims, np.shape(small)):
            sizes[dim] = size
        moved = jnp.reshape(small, sizes)
        return [moved, rhs] if ranks[0] < ranks[1] else [lhs, moved]


def _first(x: Any, *_: Any) -> Shape:
    return x


register("XlaSort", shape=_first, lower=lambda input: jnp.sort(jnp.asarray(input), axis=-1))


@op("XlaKeyValueSort")
class XlaKeyValueSort:
    def shape(keys: Any, values: Shape) -> Any:
        return [keys, values]

    def lower(keys: Any, values: Array) -> Any:
        order = jnp.argsort(jnp.asarray(keys), axis=-1, stable=True)
        return [jnp.take_along_axis(jnp.asarray(x), order, axis=-1) for x in (keys, values)]


@op("XlaEinsum")
class XlaEinsum:
    def shape(a: Any, b: Shape) -> Shape:
        return None

    def lower(a: Any, b: Array, *, equation: str, ctx: LoweringContext) -> Array:
        return Einsum.lower([a, b], equation=equation, ctx=ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        inputs, output = op.get_attr("equation").decode().split("->")
        left, right = inputs.split(",")
        a, b = op.inputs
        return [
            raw_ops.XlaEinsum(grad, b, equation=f"{output},{right}->{left}"),
            raw_ops.XlaEinsum(grad, a, equation=f"{output},{left}->{right}"),
        ]


@op("XlaSelfAdjointEig")
class XlaSelfAdjointEig:
    def shape(a: Any) -> Any:
        return [None if a is None else a[:-1], a]

    def lower(a: Any, *, lower: bool, ctx: LoweringContext) -> Any:
        matrix = a if lower else jnp.swapaxes(a, -1, -2)
        return linalg.SelfAdjointEigV2.lower(matrix, compute_v=True, ctx=ctx)


@op("XlaSvd")
class XlaSvd:
    def shape(a: Any) -> Any:
        return [None, None, None]

    def lower(a: Any, *, ctx: LoweringContext) -> Any:
        return linalg.Svd.lower(a, compute_uv=True, full_matrices=False, ctx=ctx)


def _own_number(op: Operation, inputs: Sequence[Any]) -> list[Any]:
    return [constant_op.constant_v1(i, dtypes.int32) for i in range(len(inputs))]


register(
    "XlaReplicaId",
    shape=lambda: (),
    lower=lambda: np.zeros((), np.int32),
    among=_own_number,
)


@op("XlaClusterOutput")
class XlaClusterOutput:
    shape = staticmethod(_first)

    def lower(input: Any) -> Array:
        return input

    def gradient(op: Any, grad: Tensor) -> Gradients:
        raise RuntimeError(
            "Gradient computation of graph in xla.compile() is prohibited because it can cause "
            "performance degradation.Please move gradient computation inside xla.compile()."
        )
