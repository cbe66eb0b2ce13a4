"""Tensors with named axes (`tensorflow.contrib.labeled_tensor.python.ops.core`)."""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor_shape import Dimension
from tf1compat.core.typing import DTypeLike, Name


@tf_export("contrib.labeled_tensor.Axis")
class Axis:
    """The name of an axis, with its size or its labels.

    Args:
      name: the name.
      value: the size (an int, a Dimension, or None if it is unknown), or the labels of its places,
        which are hashable and differ.

    Raises:
      ValueError: two labels are the same.
    """

    def __init__(self, name: str, value: Any):
        self._labels: tuple[Any, ...] | None = None
        if isinstance(value, Dimension):
            self._dimension = value
        elif isinstance(value, int | None):
            self._dimension = Dimension(value)
        else:
            self._dimension, self._labels = Dimension(len(value)), tuple(value)
        if self._dimension.value == 0:
            self._labels = ()
        self._name = name
        self._places: dict[Any, int] | None = None
        if self._labels is not None:
            self._places = {label: place for place, label in enumerate(self._labels)}
            if len(self._places) != len(self._labels):
                raise ValueError(f"Tick labels must be unique, but got {self._labels}")

    name: str = attribute("_name", "The name.")

    def __repr__(self):
        return f"{type(self).__name__}('{self.name}', {self.value!r})"

    def __eq__(self, other: object):
        return isinstance(other, Axis) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.size, self.labels

    def __len__(self):
        if self.size is None:
            raise ValueError(f"axis {self.name!r} has unknown length")
        return self.size

    dimension: Dimension = attribute("_dimension", "The size, as a Dimension.")
    size: int | None = attribute("_dimension.value", "The size, None if it is unknown.")

    @property
    def value(self) -> Any:
        """The labels, or else the Dimension."""
        return self._dimension if self._labels is None else self._labels

    labels: tuple[Any, ...] | None = attribute("_labels", "The labels, if there are any.")

    def index(self, value: Any) -> int:
        """The place of a label.

        Raises:
          ValueError: there are no labels.
          KeyError: there is no such label.
        """
        if self._places is None:
            raise ValueError("Axis does not have tick labels")
        return self._places[value]


@tf_export("contrib.labeled_tensor.as_axis")
def as_axis(axis_data: Any) -> Axis:
    """An axis, or one of (name, value).

    Args:
      axis_data: an `Axis`, or a pair of a name and a size, labels or None.

    Returns:
      An `Axis`.
    """
    return axis_data if isinstance(axis_data, Axis) else Axis(*axis_data)


def _listed(start: str, axes: Any, end: str) -> str:
    """(name, value) of each axis, a line each, below one another."""
    entries = [f"('{axis.name}', {axis.value!r})" for axis in axes.values()]
    return start + (",\n" + " " * len(start.rpartition("\n")[2])).join(entries) + end


@tf_export("contrib.labeled_tensor.Axes")
class Axes(Mapping):
    """{name: an axis}, in order.

    Args:
      axes: a list of axes, or of (name, value).

    Raises:
      ValueError: two names are the same.
    """

    def __init__(self, axes: Any):
        self._axes: dict[str, Axis] = collections.OrderedDict()
        for axis in map(as_axis, axes):
            if axis.name in self._axes:
                raise ValueError(f"Duplicate axis name: {axis.name}")
            self._axes[axis.name] = axis

    def __iter__(self):
        return iter(self._axes)

    def __repr__(self):
        return _listed(f"{type(self).__name__}([", self._axes, "])")

    def __getitem__(self, name: str) -> Axis:
        return self._axes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._axes

    def __len__(self):
        return len(self._axes)

    def __hash__(self):
        return hash(tuple(self.items()))

    def remove(self, axis_name: str) -> Axes:
        """All but one axis.

        Raises:
          KeyError: there is no such axis.
        """
        if axis_name not in self:
            raise KeyError(axis_name)
        return Axes([axis for axis in self.values() if axis.name != axis_name])


@tf_export("contrib.labeled_tensor.LabeledTensor")
class LabeledTensor:
    """A tensor with its axes. It takes part in arithmetic, and is indexed by slices and ints.

    Args:
      tensor: the tensor, of known rank.
      axes: `Axes`, or a list of axes, of (name, value), and of names of axes without labels.

    Raises:
      ValueError: they don't fit the tensor.
    """

    def __init__(self, tensor: Any, axes: Any):
        self._tensor = tensor
        shape = tensor.get_shape()
        if not isinstance(axes, Axes):
            named = [
                (axis, shape[i]) if isinstance(axis, str) else axis for i, axis in enumerate(axes)
            ]
            axes = Axes(named)
        if len(shape) != len(axes):
            raise ValueError(
                f"Tensor rank was not equal to the number of axes: {shape!r}, {axes!r}"
            )
        for dimension, axis in zip(shape, axes.values(), strict=True):
            if dimension != axis.size:
                raise ValueError(
                    f"Provided axis size {axis.size} does not match tensor dimension size "
                    f"{dimension}in tensor {tensor!r}"
                )
        self._axes: Axes = axes

    def __repr__(self):
        tensor = self.tensor
        start = (
            f"<{type(self).__name__} '{tensor.name}' shape={tensor.get_shape()} "
            f"dtype={tensor.dtype.name}\n axes=["
        )
        return _listed(start, self.axes, "]>")

    tensor = attribute("_tensor", "The tensor.")

    def _as_graph_element(self) -> Any:
        return self._tensor

    axes: Axes = attribute("_axes", "The axes.")
    dtype = attribute("_tensor.dtype", "The tensor's dtype.")
    shape = attribute("_tensor.shape", "The tensor's shape.")
    name: str = attribute("_tensor.name", "The tensor's name.")

    def get_shape(self) -> Any:
        """The tensor's shape."""
        return self._tensor.get_shape()

    def __getitem__(self, key: Any) -> LabeledTensor:
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) != len(self.axes):
            raise ValueError(
                f"indexer {keys!r} must have the same length as the Tensor rank "
                f"({len(self.axes)!r})"
            )
        return slice_function(self, dict(zip(self.axes, keys, strict=True)))

    def __pos__(self) -> LabeledTensor:
        return self

    def __eq__(self, other: object):
        if not isinstance(other, LabeledTensor):
            return False
        return self.tensor is other.tensor and self.axes == other.axes

    def __hash__(self):
        return hash((self.tensor, self.axes))


def _to_tensor(
    value: LabeledTensor, dtype: DTypeLike | None = None, name: Name = None, as_ref: bool = False
) -> Any:
    return ops.internal_convert_to_tensor(value.tensor, dtype=dtype, name=name, as_ref=as_ref)


ops.register_tensor_conversion_function(LabeledTensor, _to_tensor)


@tf_export("contrib.labeled_tensor.convert_to_labeled_tensor")
def convert_to_labeled_tensor(
    value: Any, dtype: DTypeLike | None = None, name: Name = None
) -> LabeledTensor:
    """A labeled tensor of a labeled tensor or a scalar.

    Args:
      value: a `LabeledTensor`, or what makes a scalar tensor.
      dtype: the dtype.
      name: the operation's name.

    Returns:
      A `LabeledTensor`.

    Raises:
      ValueError: it has axes without names.
    """
    axes: list[Axis] = []
    if isinstance(value, LabeledTensor):
        value, axes = value.tensor, list(value.axes.values())
    tensor = ops.convert_to_tensor(value, dtype=dtype, name=name)
    if len(tensor.get_shape()) != len(axes):
        raise ValueError(
            "cannot automatically convert unlabeled arrays or tensors with rank>0 into "
            f"LabeledTensors: {value!r}"
        )
    return LabeledTensor(tensor, axes)


@contextlib.contextmanager
def scope_of(name: Any, default: str, *values: Any) -> Iterator[tuple[Any, ...]]:
    """The scope "lt_DEFAULT" of an operation: its name, and the inputs as labeled tensors."""
    with ops.name_scope(name, f"lt_{default}", list(values)) as scope:
        yield scope, *(convert_to_labeled_tensor(value) for value in values)


def concat_axes(axes: Sequence[Axis]) -> Axis:
    """One axis after another: with their labels if all have some.

    Raises:
      ValueError: there is none, or they have several names.
    """
    if not axes:
        raise ValueError("axes must not be empty")
    for axis in axes:
        if not isinstance(axis, Axis):
            raise ValueError(f"Expected an Axis, but got {axis!r} of type {type(axis)!r}")
    names = {axis.name for axis in axes}
    if len(names) > 1:
        raise ValueError(f"axes do not all have the same name: {names!r}")
    labels = [axis.labels for axis in axes]
    sizes = [axis.size for axis in axes]
    value: Any = None
    if None not in labels:
        value = tuple(label for each in labels for label in each or ())
    elif None not in sizes:
        value = sum(size or 0 for size in sizes)
    return Axis(names.pop(), value)


@tf_export("contrib.labeled_tensor.identity")
def identity(labeled_tensor: Any, name: Name = None) -> LabeledTensor:
    """`tf.identity`.

    Args:
      labeled_tensor: a `LabeledTensor`, or what becomes one.
      name: the operation's name.

    Returns:
      A `LabeledTensor` of the same axes.
    """
    with scope_of(name, "identity", labeled_tensor) as (scope, given):
        return LabeledTensor(array_ops.identity(given.tensor, name=scope), given.axes)


@tf_export("contrib.labeled_tensor.slice")
def slice_function(labeled_tensor: Any, selection: Mapping, name: Name = None) -> LabeledTensor:
    """Slices.

    Args:
      labeled_tensor: the tensor.
      selection: {name of an axis: a slice, or an int, which takes the axis away}.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype; sliced axes keep the labels that are left.
    """
    with scope_of(name, "slice", labeled_tensor) as (scope, given):
        keys = {axis: selection.get(axis, slice(None)) for axis in given.axes}
        tensor = given.tensor[tuple(keys.values())]
        axes: list[Any] = []
        for axis, key in keys.items():
            if isinstance(key, slice):
                labels = given.axes[axis].labels
                axes.append(axis if labels is None else (axis, labels[key]))
        return LabeledTensor(array_ops.identity(tensor, name=scope), axes)


@tf_export("contrib.labeled_tensor.transpose")
def transpose(labeled_tensor: Any, axis_order: Any = None, name: Name = None) -> LabeledTensor:
    """Transposes.

    Args:
      labeled_tensor: the tensor.
      axis_order: the names in their new order; reversed by default.
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype, its axes in the new order.

    Raises:
      ValueError: it has other names.
    """
    with scope_of(name, "transpose", labeled_tensor) as (scope, given):
        names = list(given.axes)
        wanted = names[::-1] if axis_order is None else axis_order
        if sorted(wanted) != sorted(names):
            raise ValueError(
                "The new axis order must have the same names as the original axes, but the new "
                f"order is {axis_order!r} while the original order is {names!r}"
            )
        permutation = [names.index(axis) for axis in wanted]
        tensor = array_ops.transpose(given.tensor, permutation, name=scope)
        return LabeledTensor(tensor, [given.axes[axis] for axis in wanted])


@tf_export("contrib.labeled_tensor.expand_dims")
def expand_dims(labeled_tensor: Any, axes: Any, name: Name = None) -> LabeledTensor:
    """Adds axes of size 1.

    Args:
      labeled_tensor: the tensor.
      axes: the names of all axes in order; a new one may be (name, label).
      name: of the operation.

    Returns:
      A LabeledTensor of the same dtype with these axes.

    Raises:
      AxisOrderError: the tensor's axes are not among them in this order.
    """
    with scope_of(name, "expand_dims", labeled_tensor) as (scope, given):
        check_axis_order(given, [axis if isinstance(axis, str) else axis[0] for axis in axes])
        found: list[Any] = []
        for axis in axes:
            if axis in given.axes:
                found.append(given.axes[axis])
            else:
                found.append(Axis(axis, 1) if isinstance(axis, str) else Axis(axis[0], (axis[1],)))
        shape = [-1 if axis.size is None else axis.size for axis in found]
        return LabeledTensor(array_ops.reshape(given.tensor, shape, name=scope), found)


# The order of axes.

_AXIS_ORDER_KEY = ("__axis_order",)


@tf_export("contrib.labeled_tensor.AxisOrderError")
class AxisOrderError(ValueError):
    """Axes are in another order, or there is no order."""


def get_axis_order() -> list[str] | None:
    """The order that holds in the graph, if any."""
    return next(iter(ops.get_collection(_AXIS_ORDER_KEY)), None)


@tf_export("contrib.labeled_tensor.axis_order_scope")
@contextlib.contextmanager
def axis_order_scope(axis_order: Any = None) -> Iterator[Any]:
    """Within it axes have this order.

    Args:
      axis_order: a list of names, or None.

    Yields:
      `axis_order`.
    """
    kept = ops.get_collection_ref(_AXIS_ORDER_KEY)
    before = get_axis_order()
    kept[:] = [axis_order]
    try:
        yield axis_order
    finally:
        kept[:] = [before]


def _wanted_order(axis_order: Any) -> Any:
    order = get_axis_order() if axis_order is None else axis_order
    if order is None:
        raise AxisOrderError(
            "an explicit axis order must be provided with the axis_order argument or by using an "
            "axis_order_scope"
        )
    return order


@tf_export("contrib.labeled_tensor.check_axis_order")
def check_axis_order(labeled_tensor: Any, axis_order: Any = None) -> None:
    """Raises AxisOrderError if a tensor's axes are not in this order, or in the scope's.

    Args:
      labeled_tensor: a `LabeledTensor`.
      axis_order: the names of axes; those of the `axis_order_scope` by default.
    """
    given = convert_to_labeled_tensor(labeled_tensor)
    order = _wanted_order(axis_order)
    known = [axis for axis in order if axis in given.axes]
    if len(known) < len(given.axes):
        raise AxisOrderError(
            f"not all axis names appear in the required axis order {order!r}: {given!r}"
        )
    if known != list(given.axes):
        raise AxisOrderError(
            "axes on a labeled tensor do not appear in the same order as the required axis order "
            f"{order!r}: {given!r}"
        )


@tf_export("contrib.labeled_tensor.impose_axis_order")
def impose_axis_order(
    labeled_tensor: Any, axis_order: Any = None, name: Name = None
) -> LabeledTensor:
    """Transposes to this order, or to the scope's.

    Args:
      labeled_tensor: a `LabeledTensor`.
      axis_order: the names of axes; those of the `axis_order_scope` by default.
      name: the operation's name.

    Returns:
      The transposed `LabeledTensor`.

    Raises:
      AxisOrderError: there is no order.
      ValueError: it lacks an axis.
    """
    with scope_of(name, "impose_axis_order", labeled_tensor) as (scope, given):
        order = [axis for axis in _wanted_order(axis_order) if axis in given.axes]
        return transpose(given, order, name=scope)


def _merged_order(a: list[str], b: list[str]) -> list[str] | None:
    """An order that has both in their order; None if there is none."""
    found: list[str] = []
    rest = list(b)
    for name in a:
        if name in b:
            if name not in rest:
                return None
            place = rest.index(name)
            if any(other in a for other in rest[:place]):
                return None
            found += rest[:place]
            del rest[: place + 1]
        found.append(name)
    return found + rest


@tf_export("contrib.labeled_tensor.align")
def align(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: Name = None
) -> tuple[LabeledTensor, LabeledTensor, Axes]:
    """Gives two tensors the same axes, so that they broadcast.

    Args:
      labeled_tensor_0, labeled_tensor_1: `LabeledTensor`s, or what become some.
      name: the operation's name.

    Returns:
      Both, with axes of size 1 where one had none, and the axes of what broadcasting gives.

    Raises:
      ValueError: an axis differs.
      AxisOrderError: no order suits both.
    """
    with scope_of(name, "align", labeled_tensor_0, labeled_tensor_1) as (scope, a, b):
        for axis in a.axes:
            if axis in b.axes and a.axes[axis] != b.axes[axis]:
                raise ValueError(
                    f"Mismatched {axis!r} axis on input tensors: {a.axes[axis]!r} and "
                    f"{b.axes[axis]!r}"
                )
        order: Any = get_axis_order()
        if order is not None:
            check_axis_order(a, order)
            check_axis_order(b, order)
            order = [axis for axis in order if axis in a.axes or axis in b.axes]
        else:
            order = _merged_order(list(a.axes), list(b.axes))
        if order is None:
            raise AxisOrderError(
                "No consistent axis order allows for aligning tensors with axis orders "
                f"{a.axes.keys()!r} and {b.axes.keys()!r} without copying data. Use transpose or "
                "impose_axis_order to reorder axes on one of more of the inputs."
            )
        axes = Axes([a.axes[axis] if axis in a.axes else b.axes[axis] for axis in order])
        aligned = [expand_dims(x, order, name=f"{scope}{i}") for i, x in enumerate((a, b))]
        return aligned[0], aligned[1], axes


# Families of operations.


@tf_export("contrib.labeled_tensor.define_unary_op")
def define_unary_op(op_name: str, elementwise_function: Callable) -> Callable[..., LabeledTensor]:
    """An operation of labeled tensors that keeps the axes.

    Args:
      op_name: its name; "lt_NAME" is the scope's.
      elementwise_function: a function of a tensor and `name`.

    Returns:
      A function of a labeled tensor and `name` that gives a LabeledTensor.
    """

    def op(labeled_tensor, name=None):  # type: ignore[no-untyped-def]
        with scope_of(name, op_name, labeled_tensor) as (scope, given):
            return LabeledTensor(elementwise_function(given.tensor, name=scope), given.axes)

    op.__name__, op.__doc__ = op_name, f"`tf.{op_name}` of a LabeledTensor."
    return op


@tf_export("contrib.labeled_tensor.define_binary_op")
def define_binary_op(op_name: str, elementwise_function: Callable) -> Callable[..., LabeledTensor]:
    """An operation of two labeled tensors, which are aligned.

    Args:
      op_name: its name; "lt_NAME" is the scope's.
      elementwise_function: a function of two tensors and `name`.

    Returns:
      A function of two labeled tensors and `name` that gives a LabeledTensor.
    """

    def op(labeled_tensor_0, labeled_tensor_1, name=None):  # type: ignore[no-untyped-def]
        values = [labeled_tensor_0, labeled_tensor_1]
        with ops.name_scope(name, f"lt_{op_name}", values) as scope:
            a, b, axes = align(labeled_tensor_0, labeled_tensor_1)
            return LabeledTensor(elementwise_function(a.tensor, b.tensor, name=scope), axes)

    op.__name__, op.__doc__ = op_name, f"`tf.{op_name}` of two LabeledTensors."
    return op


_UNARY = (
    "abs neg=negative sign reciprocal square round sqrt rsqrt exp log ceil floor cos sin tan acos "
    "asin atan lgamma digamma erf erfc logical_not tanh sigmoid"
)
_BINARY = (
    "add sub=subtract mul=multiply div mod pow equal greater greater_equal not_equal less "
    "less_equal logical_and logical_or logical_xor maximum minimum squared_difference igamma "
    "igammac zeta polygamma"
)
# Names that are Python's own have another one in this module.
_OWN_NAMES = {name: f"{name}_function" for name in ("abs", "round", "pow")}


def _define(table: str, define: Callable[[str, Callable], Callable]) -> None:
    for entry in table.split():
        name, _, theirs = entry.partition("=")
        op = define(name, getattr(math_ops, theirs or name))
        globals()[_OWN_NAMES.get(name, name)] = op
        export_constant(f"contrib.labeled_tensor.{name}", op)


_define(_UNARY, define_unary_op)
_define(_BINARY, define_binary_op)

# Python's operators. `==` compares what they are, as hashing does.
_OPERATORS = {
    "abs": "abs_function", "neg": "neg", "invert": "logical_not", "and": "logical_and",
    "or": "logical_or", "xor": "logical_xor", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}  # fmt: skip
_REFLECTED = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "div": "div", "mod": "mod",
    "pow": "pow_function",
}  # fmt: skip


def _reflected(function: Callable) -> Callable[[Any, Any], LabeledTensor]:
    return lambda self, other: function(other, self)


for _operator, _name in {**_OPERATORS, **_REFLECTED}.items():
    _function = globals()[_name]
    setattr(LabeledTensor, f"__{_operator}__", lambda self, *other, _f=_function: _f(self, *other))
    if _operator in _REFLECTED:
        setattr(LabeledTensor, f"__r{_operator}__", _reflected(_function))
