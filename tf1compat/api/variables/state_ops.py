"""Operations on variables: assign, scatter, count (as `tensorflow/python/ops/state_ops.py` in TF
1.15).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import unknown_shape
from tf1compat.core.typing import DTypeLike, ShapeLike


def variable_op(
    shape: ShapeLike,
    dtype: DTypeLike,
    name: str = "Variable",
    set_shape: bool = True,
    container: str = "",
    shared_name: str = "",
) -> ops.Tensor:
    """Records a `Variable` op, the predecessor of `VariableV2`.

    Args:
      shape: the static shape.
      dtype: the element type.
      name: the operation's name.
      set_shape: False leaves the shape unknown.
      container: resource container.
      shared_name: name under which sessions share the value.

    Returns:
      A reference to the variable.
    """
    if not set_shape:
        shape = unknown_shape()
    variable = raw_ops.Variable(
        shape=shape, dtype=dtype, container=container, shared_name=shared_name, name=name
    )
    if set_shape:
        variable.set_shape(shape)
    return variable


def variable_op_v2(
    shape: ShapeLike,
    dtype: DTypeLike,
    name: str = "Variable",
    container: str = "",
    shared_name: str = "",
) -> ops.Tensor:
    """Records a `VariableV2` op; returns a reference to the variable."""
    return raw_ops.VariableV2(
        shape=shape, dtype=dtype, container=container, shared_name=shared_name, name=name
    )


def init_variable(v: Any, init: Any, name: str = "init") -> ops.Tensor:
    """Records the assignment of a first value to the variable `v`.

    Args:
      v: a reference to a variable.
      init: a value, or a function of shape and dtype that makes one.
      name: the assignment's name under the variable's.

    Returns:
      The assigned reference.
    """
    with (
        ops.name_scope(None, v.op.name + "/", [v, init]),
        ops.name_scope(name) as scope,
        ops.colocate_with(v),
    ):
        if callable(init):
            assert v.get_shape().is_fully_defined(), "Variable shape unknown."
            value = init(v.get_shape().as_list(), v.dtype.base_dtype)
            value = ops.convert_to_tensor(value, name="value")
        else:
            value = ops.convert_to_tensor(init, name="init")
        return raw_ops.Assign(v, value, name=scope)


def is_variable_initialized(ref: Any, name: str | None = None) -> ops.Tensor:
    """A scalar bool tensor: whether the variable `ref` (of either kind, or a reference) has a
    value.
    """
    if ref.dtype._is_ref_dtype:
        return raw_ops.IsVariableInitialized(ref, name=name)
    return ref.is_initialized(name=name)


# `use_locking` and `validate_shape` are left out when None: the op type's default holds then.


@tf_export("assign")
def assign(
    ref: Any,
    value: Any,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Assigns `value` to a variable.

    Args:
      ref: a variable or a reference to one.
      value: the new value, of the variable's type and shape.
      validate_shape: False lets the shape change (reference variables only).
      use_locking: the op's attr of that name.
      name: the operation's name.

    Returns:
      The variable after the assignment: a reference, or a resource variable to be read.
    """
    if ref.dtype._is_ref_dtype:
        flags = _given(validate_shape=validate_shape, use_locking=use_locking)
        return raw_ops.Assign(ref, value, **flags, name=name)
    return ref.assign(value, name=name)


@tf_export("assign_add")
def assign_add(
    ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Adds `value` to a variable.

    Args:
      ref: a variable or a reference to one.
      value: what to add, of the variable's type and shape.
      use_locking: the op's attr of that name.
      name: the operation's name (reference variables only, as in TF 1.15).

    Returns:
      The variable after the addition.
    """
    if ref.dtype._is_ref_dtype:
        return raw_ops.AssignAdd(ref, value, **_given(use_locking=use_locking), name=name)
    return ref.assign_add(value)


@tf_export("assign_sub")
def assign_sub(
    ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Subtracts `value` from a variable.

    Args:
      ref: a variable or a reference to one.
      value: what to subtract, of the variable's type and shape.
      use_locking: the op's attr of that name.
      name: the operation's name (reference variables only, as in TF 1.15).

    Returns:
      The variable after the subtraction.
    """
    if ref.dtype._is_ref_dtype:
        return raw_ops.AssignSub(ref, value, **_given(use_locking=use_locking), name=name)
    return ref.assign_sub(value)


def _given(**flags: bool | None) -> dict[str, bool]:
    return {key: value for key, value in flags.items() if value is not None}


@tf_export("count_up_to")
@deprecated(None, "Prefer Dataset.range instead.")
def count_up_to(ref: Any, limit: int, name: str | None = None) -> ops.Tensor:
    """Adds 1 to a variable until it is `limit`.

    Args:
      ref: a scalar int32 or int64 variable.
      limit: running the operation when the variable is `limit` raises OutOfRangeError.
      name: the operation's name.

    Returns:
      The value before the addition.
    """
    if ref.dtype._is_ref_dtype:
        return raw_ops.CountUpTo(ref, limit=limit, name=name)
    return raw_ops.ResourceCountUpTo(ref.handle, limit=limit, T=ref.dtype, name=name)


def _scatter(
    update: str, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None
) -> Any:
    """Records `Scatter<update>` on a reference, or `ResourceScatter<update>` on a resource
    variable.
    """
    if ref.dtype._is_ref_dtype:
        record = getattr(raw_ops, f"Scatter{update}")
        return record(ref, indices, updates, use_locking=use_locking, name=name)
    record, read = getattr(raw_ops, f"ResourceScatter{update}"), ref._lazy_read
    updates = ops.convert_to_tensor(updates, ref.dtype)
    return read(record(ref.handle, indices, updates, name=name))


@tf_export("scatter_update")
def scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Sets rows of a variable: `ref[indices] = updates`.

    Args:
      ref: a variable.
      indices: int32 or int64, any shape: rows of the first dimension.
      updates: shape `indices.shape + ref.shape[1:]`.
      use_locking: the op's attr of that name.
      name: the operation's name.

    Returns:
      The variable after the update.

    Raises:
      InvalidArgumentError: when run, if an index is out of range.
    """
    return _scatter("Update", ref, indices, updates, use_locking, name)


@tf_export("scatter_nd_update")
def scatter_nd_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Sets elements or slices of a variable.

    Args:
      ref: a variable of rank P.
      indices: int32 or int64, shape [..., K]: the last dimension indexes the first K <= P
        dimensions.
      updates: shape `indices.shape[:-1] + ref.shape[K:]`.
      use_locking: the op's attr of that name.
      name: the operation's name.

    Returns:
      The variable after the update.

    Raises:
      InvalidArgumentError: when run, if an index is out of range.
    """
    return _scatter("NdUpdate", ref, indices, updates, use_locking, name)


def _scattering(update: str, like: str, what: str) -> Callable[..., Any]:
    """`tf.scatter_UPDATE`, which takes what another one does, and does `what`."""

    def scatter(
        ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        return _scatter(update, ref, indices, updates, use_locking, name)

    function: Any = scatter
    public = function.__name__ = function.__qualname__ = raw_ops.snake_case(f"Scatter{update}")
    function.__doc__ = f"""{what}

    The arguments, result and errors are those of `{like}`.
    """
    return tf_export(public)(function)


_REPEATED = "repeated indices add up."
scatter_add = _scattering(
    "Add", "scatter_update", f"Adds to rows of a variable: `ref[indices] += updates`; {_REPEATED}"
)
scatter_sub = _scattering(
    "Sub", "scatter_update",
    f"Subtracts from rows of a variable: `ref[indices] -= updates`; {_REPEATED}",
)  # fmt: skip
scatter_mul = _scattering(
    "Mul", "scatter_update", "Multiplies rows of a variable: `ref[indices] *= updates`."
)
scatter_div = _scattering(
    "Div", "scatter_update", "Divides rows of a variable: `ref[indices] /= updates`."
)
scatter_max = _scattering(
    "Max", "scatter_update", "Elementwise maximum with rows of a variable: `ref[indices] = max(…)`."
)
scatter_min = _scattering(
    "Min", "scatter_update", "Elementwise minimum with rows of a variable: `ref[indices] = min(…)`."
)
scatter_nd_add = _scattering(
    "NdAdd", "scatter_nd_update", f"Adds to elements or slices of a variable; {_REPEATED}"
)
scatter_nd_sub = _scattering(
    "NdSub", "scatter_nd_update", f"Subtracts from elements or slices of a variable; {_REPEATED}"
)


@tf_export("batch_scatter_update")
@deprecated("2018-11-29", "Use the batch_scatter_update method of Variable instead.")
def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """`scatter_update` inside each batch: `ref[i, ..., indices[i, ..., j]] = updates[i, ..., j]`.

    Args:
      ref: a variable whose leading dimensions are those of `indices` but the last.
      indices: int32 or int64, of known rank.
      updates: shape `indices.shape + ref.shape[indices.ndims:]`.
      use_locking: the op's attr of that name.
      name: the name scope of the operations.

    Returns:
      The variable after the update.

    Raises:
      ValueError: the rank of `indices` is not known.
    """
    with ops.name_scope(name):
        indices = ops.convert_to_tensor(indices, name="indices")
        indices_shape = array_ops.shape(indices)
        rank = indices.get_shape().ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        own = array_ops.expand_dims(indices, axis=-1)
        parts = []
        for axis in range(rank - 1):
            size = indices_shape[axis]
            spread: list[Any] = [1] * (rank + 1)
            spread[axis] = size
            positions = array_ops.reshape(raw_ops.Range(0, size, 1), spread)
            if positions.dtype.base_dtype != own.dtype:
                positions = raw_ops.Cast(positions, own.dtype)
            parts.append(positions * array_ops.ones_like(own))
        parts.append(own)
        final_indices = array_ops.concat(parts, axis=-1)
        return scatter_nd_update(ref, final_indices, updates, use_locking=use_locking)
