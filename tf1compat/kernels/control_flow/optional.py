"""Optionals: some values, or none. Conditionals hand what their gradients need in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core import dtypes, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.control_flow.optional_value import OptionalValue
from tf1compat.kernels.control_flow.tensor_list_value import is_array
from tf1compat.kernels.framework.common import refuse


@op("OptionalFromValue", carries_variants=True, autodiff=True)
class OptionalFromValue:
    def shape(components: Any) -> Any:
        return ()

    def lower(components: Any) -> Any:
        return OptionalValue.of(components)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return list(
            raw_ops.OptionalGetValue(
                grad,
                output_types=op._attrs["Toutput_types"],
                output_shapes=[tensor.shape for tensor in op.inputs],
            )
        )


@op("OptionalNone", carries_variants=True, autodiff=True)
class OptionalNone:
    def shape() -> Any:
        return ()

    def lower() -> Any:
        return OptionalValue(())


@op("OptionalHasValue", autodiff=True)
class OptionalHasValue:
    def shape(optional: Any) -> Shape:
        shapes.with_rank(optional, 0)
        return ()

    def lower(optional: Any) -> Array:
        return optional.has_value()


@op("OptionalGetValue", carries_variants=True, autodiff=True)
class OptionalGetValue:
    def shape(optional: Any, *, output_shapes: Sequence[Shape]) -> Any:
        shapes.with_rank(optional, 0)
        return list(output_shapes)

    def lower(
        optional: Any,
        *,
        output_types: Sequence[DType],
        output_shapes: Sequence[Shape],
        ctx: LoweringContext,
    ) -> Any:
        found = optional.values(output_types, output_shapes)
        if found is None:
            _refuse(ctx, optional, output_types, output_shapes)
        return found

    def gradient(op: Any, *grads: Any) -> Gradients:
        return raw_ops.OptionalFromValue(list(grads))


def _refuse(
    ctx: LoweringContext, optional: OptionalValue, wanted_types: Any, wanted_shapes: Any
) -> None:
    """Fails the run: the optional has not such values."""
    there = [each for each in optional.alternatives if each.there is not False]
    if not there:
        refuse(ctx, "The given optional does not have a value.")
    for i, value in enumerate(there[0].values):
        value = getattr(value, "value", value)
        start = f"The given optional does not match the expected {{}} for component {i}. "
        if is_array(value):
            have, want = dtypes.as_dtype(np.dtype(value.dtype)), wanted_types[i]
            if have is not want:
                texts = dtypes.cpp_name(want), dtypes.cpp_name(have)
                refuse(ctx, f"{start.format('type')}Expected: {texts[0]}. Actual: {texts[1]}.")
            if not shapes.compatible(np.shape(value), wanted_shapes[i]):
                have, want = shapes.to_string(np.shape(value)), shapes.to_string(wanted_shapes[i])
                refuse(ctx, f"{start.format('shape')}Expected: {want}. Actual: {have}.")
    refuse(ctx, "The given optional does not have the expected number of components.")
