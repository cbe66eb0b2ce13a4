"""The nodes that while loops are made of (Enter, NextIteration, Exit), for tensors and composites,
and the shapes that loop variables may take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import indexed_slices
from tf1compat.core import nest, ops, raw_ops, type_spec
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import ShapeLike


def _by_kind(
    data: Any, of_ref: Callable[[Tensor], Any], of_tensor: Callable[[Tensor], Any],
    of_part: Callable[[Any], Any],
) -> Any:  # fmt: skip
    """What `of_ref` or `of_tensor` makes of a tensor; `of_part` of each part of a composite."""
    data = ops.internal_convert_to_tensor_or_composite(data, None, None, True)
    if isinstance(data, Tensor):
        return of_ref(data) if data.dtype._is_ref_dtype else of_tensor(data)
    if isinstance(data, TensorBase):
        return nest.map_structure(of_part, data, expand_composites=True)
    raise TypeError(f"Type {type(data)} not supported")


def next_iteration(data: Any, name: str | None = None) -> Any:
    """`data`, made available to the next iteration."""
    return _by_kind(
        data,
        lambda ref: raw_ops.RefNextIteration(ref, name=name),
        lambda tensor: raw_ops.NextIteration(tensor, name=name),
        next_iteration,
    )


def exit(data: Any, name: str | None = None) -> Any:
    """`data`, made available outside the loop."""
    return _by_kind(
        data,
        lambda ref: raw_ops.RefExit(ref, name=name),
        lambda tensor: raw_ops.Exit(tensor, name=name),
        exit,
    )


def enter(
    data: Any,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    use_ref: bool = True,
    use_input_shape: bool = True,
    name: str | None = None,
) -> Any:
    """`data`, made available in a loop.

    Args:
      data: a tensor, a variable's ref or a composite.
      frame_name: tells the loops apart.
      is_constant: it is the same in all iterations.
      parallel_iterations: as in `tf.while_loop`.
      use_ref: keep a ref a ref.
      use_input_shape: the result has the static shape of `data`.
      name: the operation's name.
    """

    def made(record: Any, tensor: Tensor) -> Tensor:
        result = record(tensor, frame_name, is_constant, parallel_iterations, name=name)
        if use_input_shape:
            result.set_shape(tensor.get_shape())
        return result

    def part(component: Any) -> Any:
        return enter(
            component, frame_name, is_constant, parallel_iterations, use_ref, use_input_shape
        )

    return _by_kind(
        data,
        lambda ref: made(raw_ops.RefEnter if use_ref else raw_ops.Enter, ref),
        lambda tensor: made(raw_ops.Enter, tensor),
        part,
    )


def add_back_edge(merged: Any, value: Any, enforce_shape_invariant: bool = True) -> None:
    """Makes `value` what the loop variable `merged` (a tensor or IndexedSlices) is next.

    Raises:
      ValueError: its shape is not one that the variable may take (with `enforce_shape_invariant`).
      InvalidArgumentError: its shape contradicts that of the variable.
    """
    if isinstance(merged, Tensor):
        value = next_iteration(ops.convert_to_tensor(value))
        if enforce_shape_invariant:
            _check_invariant(merged, value)
        merged.op._update_input(1, value)
        return
    if isinstance(merged, ops.IndexedSlices):
        value = indexed_slices.from_tensor(value, optimize=False)
    nest.map_structure(
        lambda m, v: m.op._update_input(1, v), merged, next_iteration(value), expand_composites=True
    )


# Shape invariants.


def covers(shape: TensorShape, wider: TensorShape) -> bool:
    """Whether all that is known in `wider` is known, and the same, in `shape`."""
    if wider.dims is None:
        return True
    if shape.ndims != wider.ndims:
        return False
    pairs = zip(shape.as_list(), wider.as_list(), strict=True)
    return all(want is None or want == have for have, want in pairs)


def _check_invariant(merged: Tensor, value: Tensor) -> None:
    if covers(value.shape, merged.shape):
        return
    source = merged.op.inputs[0].op.inputs[0]
    raise ValueError(
        f"Input tensor '{source.name}' enters the loop with shape {source.shape}, but has shape "
        f"{value.shape} after one iteration. To allow the shape to vary across iterations, use the "
        "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
    )


def shape_invariant(value: Any, shape: ShapeLike | None = None) -> Any:
    """The shape (for a composite, the shapes of its tensors) that a loop variable keeps.

    Args:
      value: the loop variable.
      shape: what the user asks for, a `TensorShape` or a `TypeSpec`; by default the variable's own.

    Raises:
      TypeError: `shape` does not describe such a value.
    """
    if nest.is_composite(value):
        spec: Any = value._type_spec if shape is None else _composite_spec(value, shape)  # pyright: ignore
        return [part.shape for part in nest.flatten(spec, expand_composites=True)]
    if shape is None:
        return value.shape
    if isinstance(shape, type_spec.TensorSpec):
        if value.dtype != shape.dtype:
            raise TypeError(f"TensorSpec {shape!r} is not compatible with {value!r}")
        return shape.shape
    if isinstance(shape, type_spec.TypeSpec):
        raise TypeError(f"TypeSpec {shape!r} is not compatible with {value!r}")
    return shape


def _composite_spec(value: Any, shape: ShapeLike) -> Any:
    if isinstance(shape, type_spec.TypeSpec):
        if not shape.is_compatible_with(value):
            raise TypeError(f"TypeSpec {shape!r} is not compatible with {value!r}")
        return shape
    if not isinstance(shape, TensorShape):
        raise TypeError(f"Expected shape to be a TypeSpec or TensorShape, got {shape!r}")
    try:
        return value._shape_invariant_to_type_spec(shape)
    except NotImplementedError:
        raise TypeError(
            f"To describe or constrain a {type(value).__name__}, use a "
            f"{type(value._type_spec).__name__} instead of a TensorShape."
        ) from None


def set_shape_invariants(
    values: Sequence[Tensor], entered: Sequence[Tensor], invariants: Any
) -> None:
    """Gives the Enters of loop variables the shapes that these keep.

    Args:
      values: what the variables start with.
      entered: their Enters.
      invariants: their shapes, nested at will; None leaves the Enters as they are.

    Raises:
      ValueError: a start value is not of the shape that the variable is to keep.
    """
    if invariants is None:
        return
    flat = nest.flatten(invariants)
    if not all(isinstance(shape, TensorShape) for shape in flat):
        raise ValueError("`shapes` must be a (possibly nested) list of shapes.")
    for value, variable, shape in zip(values, entered, flat):
        if not covers(value.get_shape(), shape):
            raise ValueError(
                f"The shape invariant specified for {value.name} is not compatible with the "
                "initial shape of the loop variable. It enters the loop with shape "
                f"{value.get_shape()}, but the specified shape invariant is {shape}."
            )
        variable.set_shape(shape)
