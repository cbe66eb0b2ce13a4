"""Einsum: sums of products over named dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import PRECISION, Array, jnp
from tf1compat.core import shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import BareShapeError, Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse


def _parsed(equation: str) -> tuple[list[str], str]:
    """The labels of the inputs and of the output.

    Raises:
      ShapeError: that is no equation; TF's text.
    """
    sides = equation.replace(" ", "").split("->")
    if len(sides) != 2:
        raise ShapeError(f"Expecting exactly one '->' in einsum equation: {equation}")
    inputs = sides[0].split(",")
    if len(inputs) not in (1, 2):
        raise ShapeError(
            f"Expecting 1 or 2 input subscripts in equation '{equation}' but got: {len(inputs)}"
        )
    for label in sides[1].replace("...", ""):
        if label not in sides[0]:
            raise ShapeError(
                f"Einsum output subscripts for equation '{equation}' has label '{label}' which is "
                "not present in the input subscripts"
            )
    return inputs, sides[1]


def _dims(labels: str, shape: Shape, found: dict[str, int | None]) -> Shape:
    """Learns the sizes of labels; returns the dimensions of the ellipsis."""
    before, dots, after = labels.partition("...")
    assert shape is not None
    if not dots and len(shape) != len(labels):
        raise BareShapeError(f"Shape must be rank {len(labels)} but is rank {len(shape)}")
    rest = len(shape) - len(before) - len(after)
    if rest < 0:
        raise BareShapeError(
            f"Shape must be at least rank {len(before) + len(after)} but is rank {len(shape)}"
        )
    named = [*zip(before, shape), *zip(after, shape[len(shape) - len(after) :])]
    for label, size in named:
        found[label] = shapes.merge_dim(found.get(label), size)
    return shape[len(before) : len(before) + rest] if dots else ()


@op("Einsum")
class Einsum:
    def shape(inputs: Any, *, equation: str) -> Shape:
        labels, output = _parsed(equation)
        if len(labels) != len(inputs):
            raise ShapeError(f"Expected {len(labels)} inputs for equation {equation}")
        if any(shape is None for shape in inputs):
            return (None,) * len(output) if "..." not in output else None
        found: dict[str, int | None] = {}
        rest: Shape = ()
        for own, shape in zip(labels, inputs):
            rest = shapes.broadcast(rest, _dims(own, shape, found))
        before, dots, after = output.partition("...")
        middle = rest if dots else ()
        assert middle is not None
        return (*(found[a] for a in before), *middle, *(found[a] for a in after))

    def lower(inputs: Any, *, equation: str, ctx: LoweringContext) -> Array:
        labels, _ = _parsed(equation)
        sizes: dict[str, int] = {}
        for i, (own, value) in enumerate(zip(labels, inputs)):
            shape = np.shape(value)
            named, dots = len(own.replace("...", "")), "..." in own
            if len(shape) < named or (len(shape) > named and not dots):
                refuse(
                    ctx,
                    f"Expected input {i} to have rank {'at least ' if dots else ''}{named} but "
                    f"got: {len(shape)}",
                )
            if "..." not in own:
                for axis, (label, size) in enumerate(zip(own, shape)):
                    if sizes.setdefault(label, size) != size:
                        refuse(
                            ctx,
                            f"Expected dimension {sizes[label]} at axis {axis} of the input shaped "
                            f"{shapes.to_string(shape)} but got dimension {size}",
                        )
        arrays = [jnp.asarray(value) for value in inputs]
        return jnp.einsum(equation, *arrays, precision=PRECISION)
