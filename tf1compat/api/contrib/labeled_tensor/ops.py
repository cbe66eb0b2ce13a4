"""Operations of tensors with named axes (`tensorflow.contrib.labeled_tensor.python.ops.ops`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import numerics
from tf1compat.api.contrib.labeled_tensor import core
from tf1compat.api.contrib.labeled_tensor.core import LabeledTensor, scope_of
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.control_flow import map_fn as map_fn_lib
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.training import input as input_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike, Name


def _gather(given: LabeledTensor, indices: Any, axis: core.Axis, name: str) -> LabeledTensor:
    """The places of one axis, which is moved to the front for that."""
    with ops.name_scope(name, "lt_take", [given]) as scope:
        axes = core.Axes([axis, *given.axes.remove(axis.name).values()])
        front = core.transpose(given, list(axes))
        taken = LabeledTensor(array_ops.gather(front.tensor, indices), axes)
        return core.transpose(taken, list(given.axes), name=scope)


def _labeled_axis(given: LabeledTensor, name: str) -> core.Axis:
    if name not in given.axes:
        raise ValueError(
            f"The tensor does not have an axis named {name}. Its axes are: {given.axes.keys()!r}"
        )
    axis = given.axes[name]
    if axis.labels is None:
        raise ValueError(f"The axis named {name} does not have labels. The axis is: {axis!r}")
    return axis


def _place(axis: core.Axis, value: Any) -> Any:
    """The places of labels: an int, a slice, or a list."""
    if isinstance(value, slice):
        start = None if value.start is None else axis.index(value.start)
        # The last label belongs to it.
        stop = None if value.stop is None else axis.index(value.stop) + 1
        if value.step is not None:
            raise NotImplementedError("slicing with a step is not yet supported")
        return slice(start, stop)
    if isinstance(value, list):
        return [axis.index(each) for each in value]
    if isinstance(value, Hashable):
        return axis.index(value)
    raise TypeError("cannot handle arbitrary types")


@tf_export("contrib.labeled_tensor.select")
def select(labeled_tensor: Any, selection: Mapping, name: Name = None) -> LabeledTensor:
    """Slices by labels.

    Args:
      labeled_tensor: the tensor.
      selection: {name of an axis: a label, which takes the axis away; a slice of labels, the last
        included; or a list of labels}.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype, its axes in the same order.

    Raises:
      ValueError: there is no such axis, or it has no labels.
      KeyError: there is no such label.
      NotImplementedError: there are two lists, or a list and something else.
    """
    with scope_of(name, "select", labeled_tensor) as (scope, given):
        slices: dict[str, Any] = {}
        taken: dict[str, Any] = {}
        for axis_name, value in selection.items():
            place = _place(_labeled_axis(given, axis_name), value)
            if not isinstance(place, list):
                slices[axis_name] = place
                continue
            if taken:
                raise NotImplementedError(
                    "select does not yet support more than one list selection at the same time"
                )
            taken[axis_name] = ops.convert_to_tensor(place, dtype=dtypes.int64)
        if taken and slices:
            raise NotImplementedError(
                "select does not yet support combined scalar and list selection"
            )
        if not taken:
            return core.slice_function(given, slices, name=scope)
        [(axis_name, indices)] = taken.items()
        return _gather(given, indices, core.Axis(axis_name, selection[axis_name]), scope)


def _all_labeled(labeled_tensors: Any) -> list[LabeledTensor]:
    return [core.convert_to_labeled_tensor(each) for each in labeled_tensors]


@tf_export("contrib.labeled_tensor.concat")
def concat(labeled_tensors: Any, axis_name: str, name: Name = None) -> LabeledTensor:
    """Concatenates along an axis.

    Args:
      labeled_tensors: `LabeledTensor`s whose other axes agree.
      axis_name: the axis to join along.
      name: the operation's name.

    Returns:
      A `LabeledTensor`.

    Raises:
      ValueError: there are none, there is no such axis, or other axes differ.
    """
    with ops.name_scope(name, "lt_concat", labeled_tensors) as scope:
        given = _all_labeled(labeled_tensors)
        if not given:
            raise ValueError(f"concat expects at least 1 tensor, but received {given}")
        first = given[0].axes
        if axis_name not in first:
            raise ValueError(f"{axis_name} not in {list(first)}")
        shared = first.remove(axis_name)
        for each in given[1:]:
            if each.axes.remove(axis_name) != shared:
                raise ValueError(
                    f"Mismatched shared axes: the first tensor had axes {shared!r} but this "
                    f"tensor has axes {each.axes.remove(axis_name)!r}."
                )
        joined = core.concat_axes([each.axes[axis_name] for each in given])
        place = list(first).index(axis_name)
        tensor = array_ops.concat([each.tensor for each in given], place, name=scope)
        axes = [joined if axis.name == axis_name else axis for axis in first.values()]
        return LabeledTensor(tensor, axes)


@tf_export("contrib.labeled_tensor.pack")
def pack(
    labeled_tensors: Any, new_axis: Any, axis_position: int = 0, name: Name = None
) -> LabeledTensor:
    """Stacks tensors along a new axis.

    Args:
      labeled_tensors: `LabeledTensor`s of the same axes.
      new_axis: the new axis: its name, or an `Axis`.
      axis_position: where it stands, first by default.
      name: the operation's name.

    Returns:
      A `LabeledTensor`.

    Raises:
      ValueError: there are none, or their axes differ.
    """
    with ops.name_scope(name, "lt_pack", labeled_tensors) as scope:
        given = _all_labeled(labeled_tensors)
        if not given:
            raise ValueError(f"pack expects at least 1 tensors, but received {given}")
        first = given[0].axes
        for each in given:
            if each.axes != first:
                raise ValueError(f"Non-identical axes. Expected {first} but got {each.axes}")
        tensor = array_ops.stack([each.tensor for each in given], axis=axis_position, name=scope)
        axes: list[Any] = list(first.values())
        axes.insert(axis_position, new_axis)
        return LabeledTensor(tensor, axes)


@tf_export("contrib.labeled_tensor.unpack")
def unpack(labeled_tensor: Any, axis_name: Any = None, name: Name = None) -> list[LabeledTensor]:
    """A list of the slices along an axis, the first by default.

    Args:
      labeled_tensor: a `LabeledTensor`.
      axis_name: the axis that goes, the first by default.
      name: the operation's name.

    Returns:
      One `LabeledTensor` for each place along it.

    Raises:
      ValueError: there is no such axis.
    """
    with scope_of(name, "unpack", labeled_tensor) as (scope, given):
        names = list(given.axes)
        wanted = names[0] if axis_name is None else axis_name
        if wanted not in names:
            raise ValueError(f"{wanted} not in {names}")
        tensors = array_ops.unstack(given.tensor, axis=names.index(wanted), name=scope)
        rest = list(given.axes.remove(wanted).values())
        return [LabeledTensor(tensor, rest) for tensor in tensors]


def _size(axis: core.Axis) -> int:
    return -1 if axis.size is None else axis.size


@tf_export("contrib.labeled_tensor.reshape")
def reshape(
    labeled_tensor: Any, existing_axes: Any, new_axes: Any, name: Name = None
) -> LabeledTensor:
    """Replaces neighbouring axes by others.

    Args:
      labeled_tensor: the tensor.
      existing_axes: the names of the axes that go, in order.
      new_axes: those that come; a name for one whose size follows from the rest.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype; `new_axes` are where `existing_axes` were.

    Raises:
      ValueError: there is no such axis, or several sizes are unknown.
      AxisOrderError: the axes are no neighbours.
    """
    with scope_of(name, "reshape", labeled_tensor) as (scope, given):
        names, gone = list(given.axes), list(existing_axes)
        if not set(gone) <= set(names):
            raise ValueError(
                f"existing_axes {gone!r} are not contained in the set of axis names {names!r} on "
                "the input labeled tensor"
            )
        start, stop = names.index(gone[0]), names.index(gone[-1]) + 1
        if gone != names[start:stop]:
            raise core.AxisOrderError(
                f"existing_axes {gone!r} are not a slice of axis names {names!r} on the input "
                "labeled tensor. Use `transpose` or `impose_axis_order` to reorder axes on the "
                "input explicitly."
            )
        if sum(isinstance(axis, str) for axis in new_axes) > 1:
            raise ValueError(
                "at most one axis in new_axes can have unknown size. All other axes must have an "
                f"indicated integer size or labels: {new_axes!r}"
            )
        old = list(given.axes.values())
        axes: list[Any] = [*old[:start], *new_axes, *old[stop:]]
        shape = [-1 if isinstance(axis, str) else _size(core.as_axis(axis)) for axis in axes]
        return LabeledTensor(array_ops.reshape(given.tensor, shape, name=scope), axes)


@tf_export("contrib.labeled_tensor.rename_axis")
def rename_axis(
    labeled_tensor: Any, existing_name: str, new_name: str, name: Name = None
) -> LabeledTensor:
    """Gives an axis another name.

    Args:
      labeled_tensor: a `LabeledTensor`.
      existing_name: what it is called.
      new_name: what it is called then.
      name: the operation's name.

    Returns:
      A `LabeledTensor`.

    Raises:
      ValueError: there is no such axis.
    """
    with ops.name_scope(name, "lt_rename_axis", [labeled_tensor]) as scope:
        if existing_name not in labeled_tensor.axes:
            raise ValueError(
                f"existing_name {existing_name!r} are not contained in the set of axis names "
                f"{labeled_tensor.axes.keys()!r} on the input labeled tensor"
            )
        axis = core.Axis(new_name, labeled_tensor.axes[existing_name].value)
        return reshape(labeled_tensor, [existing_name], [axis], name=scope)


def _batched(
    batch_fn: Callable, default: str, labeled_tensors: Any, name: Name, **options: Any
) -> list[LabeledTensor]:
    with ops.name_scope(name, default, labeled_tensors) as scope:
        given = _all_labeled(labeled_tensors)
        batches = batch_fn([each.tensor for each in given], name=scope, **options)
        batches = batches if isinstance(batches, list) else [batches]
        size = None if options["allow_smaller_final_batch"] else options["batch_size"]
        found = []
        for each, tensor in zip(given, batches, strict=True):
            axes = each.axes
            if options["enqueue_many"]:
                if next(iter(axes), None) != "batch":
                    raise ValueError(
                        "When enqueue_many is True, input tensors must have an axis called "
                        f'"batch" as their first dimension, but axes were {axes}'
                    )
                axes = axes.remove("batch")
            found.append(LabeledTensor(tensor, core.Axes([("batch", size), *axes.values()])))
        return found


@tf_export("contrib.labeled_tensor.batch")
def batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, allow_smaller_final_batch: bool = False, name: Name = None,
) -> list[LabeledTensor]:  # fmt: skip
    """`tf.train.batch`; the new axis is "batch", as is the first one with `enqueue_many`.

    Args:
      labeled_tensors: `LabeledTensor`s.
      batch_size, num_threads, capacity, enqueue_many, allow_smaller_final_batch: as in
        `tf.train.batch`.
      name: the operation's name.

    Returns:
      Batches, in the order of `labeled_tensors`.

    Raises:
      ValueError: the first axis has another name.
    """
    return _batched(
        input_ops.batch, "lt_batch", labeled_tensors, name, batch_size=batch_size,
        num_threads=num_threads, capacity=capacity, enqueue_many=enqueue_many,
        allow_smaller_final_batch=allow_smaller_final_batch,
    )  # fmt: skip


@tf_export("contrib.labeled_tensor.shuffle_batch")
def shuffle_batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, min_after_dequeue: int = 0, seed: int | None = None,
    allow_smaller_final_batch: bool = False, name: Name = None,
) -> list[LabeledTensor]:  # fmt: skip
    """`tf.train.shuffle_batch`; see `batch`.

    Args:
      labeled_tensors, batch_size, num_threads, capacity, enqueue_many, allow_smaller_final_batch,
        name: as in `batch`.
      min_after_dequeue, seed: as in `tf.train.shuffle_batch`.

    Returns:
      Batches, in the order of `labeled_tensors`.
    """
    return _batched(
        input_ops.shuffle_batch, "lt_shuffle_batch", labeled_tensors, name, batch_size=batch_size,
        num_threads=num_threads, capacity=capacity, enqueue_many=enqueue_many,
        min_after_dequeue=min_after_dequeue, seed=seed,
        allow_smaller_final_batch=allow_smaller_final_batch,
    )  # fmt: skip


@tf_export("contrib.labeled_tensor.random_crop")
def random_crop(
    labeled_tensor: Any, shape_map: Mapping, seed: int | None = None, name: Name = None
) -> LabeledTensor:
    """`tf.random_crop`.

    Args:
      labeled_tensor: the tensor.
      shape_map: {name of an axis: the size}; other axes stay.
      seed: of the operation.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype; cropped axes have no labels.

    Raises:
      ValueError: there is no such axis.
    """
    with scope_of(name, "random_crop", labeled_tensor) as (scope, given):
        for axis in shape_map:
            if axis not in given.axes:
                raise ValueError(f"Selection axis {axis} not in axes {given.axes}")
        axes = [
            core.Axis(axis.name, shape_map[axis.name]) if axis.name in shape_map else axis
            for axis in given.axes.values()
        ]
        shape = [len(axis) for axis in axes]
        tensor = random_ops.random_crop(given.tensor, shape, seed=seed, name=scope)
        return LabeledTensor(tensor, axes)


@tf_export("contrib.labeled_tensor.map_fn")
def map_fn(fn: Callable, labeled_tensor: Any, name: Name = None) -> LabeledTensor:
    """`tf.map_fn`, of a function of labeled tensors; of strings the list is unpacked.

    Args:
      fn: a function of one `LabeledTensor` that gives one.
      labeled_tensor: its slices along the first axis are the arguments.
      name: the operation's name.

    Returns:
      The results, stacked along the first axis.
    """
    with scope_of(name, "map_fn", labeled_tensor) as (scope, given):
        slices = unpack(given)
        first, *rest = given.axes.values()
        if given.dtype == dtypes.string:
            return pack([fn(each) for each in slices], first, name=scope)
        like = fn(slices[0])
        tensor = map_fn_lib.map_fn(
            lambda element: fn(LabeledTensor(element, rest)).tensor, given.tensor, dtype=like.dtype
        )
        found = LabeledTensor(tensor, [first, *like.axes.values()])
        return core.identity(found, name=scope)


@tf_export("contrib.labeled_tensor.foldl")
def foldl(
    fn: Callable, labeled_tensor: Any, initial_value: Any, name: Name = None
) -> LabeledTensor:
    """`tf.foldl`, of a function of labeled tensors.

    Args:
      fn: a function of what was computed so far and the next slice, both `LabeledTensor`s.
      labeled_tensor: its slices along the first axis are the arguments.
      initial_value: what `fn` is given first.
      name: the operation's name.

    Returns:
      A `LabeledTensor` with the axes of `initial_value`.
    """
    with scope_of(name, "foldl", labeled_tensor, initial_value) as (scope, given, initial):
        rest = list(given.axes.values())[1:]

        def step(accumulated: Any, element: Any) -> Any:
            return fn(LabeledTensor(accumulated, initial.axes), LabeledTensor(element, rest)).tensor

        tensor = functional_ops.foldl(step, given.tensor, initializer=initial.tensor)
        return core.identity(LabeledTensor(tensor, initial.axes), name=scope)


@tf_export("contrib.labeled_tensor.squeeze")
def squeeze(labeled_tensor: Any, axis_names: Any = None, name: Name = None) -> LabeledTensor:
    """Takes axes of size 1 away, all of them by default.

    Args:
      labeled_tensor: a `LabeledTensor`.
      axis_names: axes of size 1; all of them by default.
      name: the operation's name.

    Returns:
      A `LabeledTensor`.

    Raises:
      ValueError: there is no such axis, or it is larger.
    """
    with scope_of(name, "squeeze", labeled_tensor) as (scope, given):
        axes = given.axes
        if axis_names is None:
            axis_names = [axis.name for axis in axes.values() if len(axis) == 1]
        for axis in axis_names:
            if axis not in axes:
                raise ValueError(f"axis {axis} is not in tensor axes {axes}")
            if len(axes[axis]) != 1:
                raise ValueError(
                    f"cannot squeeze axis with size greater than 1: ({axis}, {axes[axis]})"
                )
        places = [i for i, axis in enumerate(axes) if axis in axis_names]
        if places:
            tensor = array_ops.squeeze(given.tensor, places, name=scope)
        else:
            tensor = array_ops.identity(given.tensor, name=scope)
        return LabeledTensor(tensor, [axes[axis] for axis in axes if axis not in axis_names])


def _check_matmul(a: LabeledTensor, b: LabeledTensor) -> str:
    """The name of the axis that both have."""
    ranks = f"{len(a.axes)!r} and {len(b.axes)!r}"
    if len(a.axes) > 2 or len(b.axes) > 2:
        raise NotImplementedError(
            f"matmul currently requires inputs with rank 2 or less, but inputs have ranks {ranks}"
        )
    if not a.axes or not b.axes:
        raise ValueError(
            f"matmul currently requires inputs with at least rank 1, but inputs have ranks {ranks}"
        )
    shared = set(a.axes) & set(b.axes)
    if len(shared) > 1:
        raise NotImplementedError(
            f"matmul does not yet support summing over multiple shared axes: {shared!r}. Use "
            "transpose and reshape to create a single shared axis to sum over."
        )
    if not shared:
        raise ValueError(
            "there must have exactly one axis in common between input to matmul: "
            f"{a.axes.keys()!r}, {b.axes.keys()!r}"
        )
    name = shared.pop()
    if a.axes[name] != b.axes[name]:
        raise ValueError(
            f"axis {name!r} does not match on input arguments: {a.axes[name].value!r} vs "
            f"{b.axes[name].value!r}"
        )
    return name


@tf_export("contrib.labeled_tensor.matmul")
def matmul(a: Any, b: Any, name: Name = None) -> LabeledTensor:
    """Multiplies vectors and matrices over the axis that both have.

    Args:
      a, b: `LabeledTensor`s of rank 1 or 2, with one axis in common.
      name: the operation's name.

    Returns:
      A `LabeledTensor` of the other axes.

    Raises:
      ValueError: they have no axis in common, or it differs.
      NotImplementedError: a rank is more than 2, or they have two axes in common.
    """
    with scope_of(name, "matmul", a, b) as (scope, left, right):
        shared = _check_matmul(left, right)

        def rest() -> list[core.Axis]:
            axes = [*left.axes.values(), *right.axes.values()]
            return [axis for axis in axes if axis.name != shared]

        order = core.get_axis_order()
        if order is not None:
            names = [axis.name for axis in rest()]
            if [axis for axis in order if axis in names] != names:
                left, right = right, left
        axes = rest()
        sides, squeezed, transposed = [], [], []
        for i, (side, shape) in enumerate(((left, (1, -1)), (right, (-1, 1)))):
            is_vector = len(side.axes) == 1
            sides.append(array_ops.reshape(side.tensor, shape) if is_vector else side.tensor)
            squeezed += [i] if is_vector else []
            transposed.append(not is_vector and list(side.axes).index(shared) == i)
        tensor = math_ops.matmul(*sides, transpose_a=transposed[0], transpose_b=transposed[1])
        if squeezed:
            tensor = array_ops.squeeze(tensor, squeezed)
        return LabeledTensor(array_ops.identity(tensor, name=scope), axes)


@tf_export("contrib.labeled_tensor.define_reduce_op")
def define_reduce_op(op_name: str, reduce_fn: Callable) -> Callable[..., LabeledTensor]:
    """An operation that reduces axes.

    Args:
      op_name: its name; "lt_NAME" is the scope's.
      reduce_fn: a function of a tensor, a list of dimensions, and `keepdims`.

    Returns:
      A function of a labeled tensor, the axes, and `name`. The axes are names, or (name, label) of
      those that stay with size 1; all by default.
    """

    def op(labeled_tensor, axes=None, name=None):  # type: ignore[no-untyped-def]
        with scope_of(name, op_name, labeled_tensor) as (scope, given):
            wanted: Sequence[Any] = list(given.axes) if axes is None else axes
            if isinstance(wanted, str | tuple):
                wanted = [wanted]
            reduced: dict[str, Any] = {}
            for axis in wanted:
                if isinstance(axis, str):
                    reduced[axis] = axis
                else:
                    reduced[axis[0]] = (axis[0], None if axis[1] is None else [axis[1]])
            for axis in reduced:
                if axis not in given.axes:
                    raise ValueError(f"Axis {axis} not in axes {given.axes}")
            places = [i for i, axis in enumerate(given.axes) if axis in reduced]
            tensor = reduce_fn(given.tensor, places, keepdims=True)
            kept = LabeledTensor(tensor, [reduced.get(n, a) for n, a in given.axes.items()])
            return squeeze(kept, [a for a in wanted if isinstance(a, str)], name=scope)

    op.__name__, op.__doc__ = op_name, f"`tf.{op_name}` of a LabeledTensor."
    return op


for _name in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum"):
    _op = define_reduce_op(f"reduce_{_name}", getattr(math_ops, f"reduce_{_name}"))
    globals()[_op.__name__] = _op
    export_constant(f"contrib.labeled_tensor.{_op.__name__}", _op)


def _check_names(what: str, names: Any, known: str, given: LabeledTensor) -> None:
    if not set(names) <= set(given.axes):
        raise ValueError(
            f"{what} axes {names!r} are not contained in the set of axis names {known} on the "
            "input labeled tensor"
        )


@tf_export("contrib.labeled_tensor.tile")
def tile(labeled_tensor: Any, multiples: Mapping, name: Name = None) -> LabeledTensor:
    """`tf.tile`.

    Args:
      labeled_tensor: the tensor.
      multiples: {name of an axis without labels: how often}.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype.

    Raises:
      ValueError: there is no such axis, or it has labels.
    """
    with scope_of(name, "tile", labeled_tensor) as (scope, given):
        _check_names("tile", multiples.keys(), repr(given.axes), given)
        labeled = [axis for axis in multiples if given.axes[axis].labels is not None]
        if labeled:
            raise ValueError(f"cannot tile axes with tick labels: {labeled!r}")
        times = [multiples.get(axis, 1) for axis in given.axes]
        tensor = array_ops.tile(given.tensor, times, name=scope)
        axes = [axis.name if axis.labels is None else axis for axis in given.axes.values()]
        return LabeledTensor(tensor, axes)


@tf_export("contrib.labeled_tensor.pad")
def pad(
    labeled_tensor: Any, paddings: Mapping, mode: str = "CONSTANT", name: Name = None
) -> LabeledTensor:
    """`tf.pad`.

    Args:
      labeled_tensor: the tensor.
      paddings: {name of an axis: (what comes before, what comes after)}, sizes or labels.
      mode: see `tf.pad`.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype.

    Raises:
      ValueError: there is no such axis.
    """
    with scope_of(name, "pad", labeled_tensor) as (scope, given):
        _check_names("pad", paddings.keys(), repr(given.axes), given)
        axes, sizes = [], []
        for axis_name, axis in given.axes.items():
            before, after = (core.Axis(axis_name, x) for x in paddings.get(axis_name, (0, 0)))
            sizes.append((len(before), len(after)))
            axes.append(core.concat_axes([before, axis, after]) if axis_name in paddings else axis)
        return LabeledTensor(array_ops.pad(given.tensor, sizes, mode, name=scope), axes)


@tf_export("contrib.labeled_tensor.constant")
def constant(
    value: Any, dtype: DTypeLike | None = None, axes: Any = None, name: Name = None
) -> LabeledTensor:
    """`tf.constant`.

    Args:
      value: the value; a scalar fills axes whose sizes are known.
      dtype: the dtype.
      axes: see `LabeledTensor`.
      name: of the operation.

    Returns:
      A LabeledTensor.
    """
    with ops.name_scope(name, "lt_constant", [value]) as scope:
        axes = list(axes.values()) if isinstance(axes, core.Axes) else list(axes or [])
        shape = None
        if not any(isinstance(axis, str) for axis in axes):
            axes = [core.as_axis(axis) for axis in axes]
            shape = [axis.size for axis in axes]
        tensor = constant_op.constant(value, dtype=dtype, shape=shape, name=scope)
        return LabeledTensor(tensor, axes)


def _same_axes(op_name: str, function: Callable) -> Callable[..., LabeledTensor]:
    def op(labeled_tensor, dtype=None, name=None):  # type: ignore[no-untyped-def]
        with scope_of(name, op_name, labeled_tensor) as (scope, given):
            return LabeledTensor(function(given.tensor, dtype=dtype, name=scope), given.axes)

    op.__name__, op.__doc__ = op_name, f"`tf.{op_name}` of a LabeledTensor."
    export_constant(f"contrib.labeled_tensor.{op_name}", op)
    return op


zeros_like = _same_axes("zeros_like", array_ops.zeros_like)
ones_like = _same_axes("ones_like", array_ops.ones_like)
cast = _same_axes("cast", math_ops.cast)


@tf_export("contrib.labeled_tensor.verify_tensor_all_finite")
def verify_tensor_all_finite(labeled_tensor: Any, message: str, name: Name = None) -> LabeledTensor:
    """`tf.verify_tensor_all_finite`.

    Args:
      labeled_tensor: a `LabeledTensor` of floating point.
      message: what the error says.
      name: the operation's name.

    Returns:
      A `LabeledTensor` like it.
    """
    with scope_of(name, "verify_tensor_all_finite", labeled_tensor) as (scope, given):
        tensor = numerics.verify_tensor_all_finite(given.tensor, msg=message, name=scope)
        return LabeledTensor(tensor, given.axes)


@tf_export("contrib.labeled_tensor.boolean_mask")
def boolean_mask(labeled_tensor: Any, mask: Any, name: Name = None) -> LabeledTensor:
    """`tf.boolean_mask`, by a vector; the first axis loses its labels.

    Args:
      labeled_tensor: a `LabeledTensor`.
      mask: a bool `LabeledTensor` of rank 1, along the first axis.
      name: the operation's name.

    Returns:
      The slices for which the mask holds.

    Raises:
      ValueError: the first axes differ.
      NotImplementedError: the mask is no vector.
    """
    with scope_of(name, "boolean_mask", labeled_tensor, mask) as (scope, given, masking):
        if len(masking.axes) > 1:
            raise NotImplementedError(
                "LabeledTensor's boolean_mask currently only supports 1D masks"
            )
        first, *rest = given.axes.values()
        [masked] = masking.axes.values()
        if first != masked:
            raise ValueError(
                "the first axis of the labeled tensor and the mask are not equal:\n"
                f"{first!r}\n{masked!r}"
            )
        tensor = array_ops.boolean_mask(given.tensor, masking.tensor, name=scope)
        return LabeledTensor(tensor, [first.name, *rest])


@tf_export("contrib.labeled_tensor.where")
def where(condition: Any, x: Any, y: Any, name: Name = None) -> LabeledTensor:
    """`tf.where`, of tensors with the same axes.

    Args:
      condition: a bool `LabeledTensor`.
      x, y: `LabeledTensor`s of the axes of `condition`.
      name: the operation's name.

    Returns:
      `x` where the condition holds, `y` elsewhere.

    Raises:
      ValueError: the axes differ.
    """
    with scope_of(name, "where", condition, x, y) as (scope, *given):
        if not given[0].axes == given[1].axes == given[2].axes:
            raise ValueError("all inputs to `where` must have equal axes")
        tensor = array_ops.where(*(each.tensor for each in given), name=scope)
        return LabeledTensor(tensor, given[1].axes)
