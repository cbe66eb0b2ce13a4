"""`tf.keras.constraints`: projections of variables after an update
(`tensorflow.python.keras.constraints`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import while_loop
from tf1compat.api.keras import backend
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike


def _norms(w: TensorLike, axis: TensorLike) -> Any:
    return backend.sqrt(math_ops.reduce_sum(math_ops.square(w), axis=axis, keepdims=True))


@tf_export("keras.constraints.Constraint")
class Constraint:
    """Base class: a function of a variable that gives its new value."""

    def __call__(self, w: TensorLike) -> Any:
        return w

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {}


@tf_export("keras.constraints.MaxNorm", "keras.constraints.max_norm")
class MaxNorm(Constraint):
    """Norms along `axis` of at most `max_value`.

    Args:
      max_value: the largest norm.
      axis: the axes along which norms are taken.
    """

    def __init__(self, max_value: TensorLike = 2, axis: TensorLike = 0):
        self.max_value = max_value
        self.axis = axis

    def __call__(self, w: TensorLike) -> Any:
        norms = _norms(w, self.axis)
        desired = backend.clip(norms, 0, self.max_value)
        return w * (desired / (backend.epsilon() + norms))

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"max_value": self.max_value, "axis": self.axis}


@tf_export("keras.constraints.NonNeg", "keras.constraints.non_neg")
class NonNeg(Constraint):
    """No negative numbers: they become 0."""

    def __call__(self, w: TensorLike) -> Any:
        return w * math_ops.cast(math_ops.greater_equal(w, 0.0), backend.floatx())


@tf_export("keras.constraints.UnitNorm", "keras.constraints.unit_norm")
class UnitNorm(Constraint):
    """Norms along `axis` of 1.

    Args:
      axis: the axes along which norms are taken.
    """

    def __init__(self, axis: TensorLike = 0):
        self.axis = axis

    def __call__(self, w: TensorLike) -> Any:
        return w / (backend.epsilon() + _norms(w, self.axis))

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"axis": self.axis}


@tf_export("keras.constraints.MinMaxNorm", "keras.constraints.min_max_norm")
class MinMaxNorm(Constraint):
    """Norms along `axis` between `min_value` and `max_value`, approached by `rate`.

    Args:
      min_value: the least norm.
      max_value: the largest norm.
      rate: how far each update goes to it, in (0, 1].
      axis: the axes along which norms are taken.
    """

    def __init__(
        self,
        min_value: TensorLike = 0.0,
        max_value: TensorLike = 1.0,
        rate: Any = 1.0,
        axis: TensorLike = 0,
    ):
        self.min_value = min_value
        self.max_value = max_value
        self.rate = rate
        self.axis = axis

    def __call__(self, w: TensorLike) -> Any:
        norms = _norms(w, self.axis)
        desired = (
            self.rate * backend.clip(norms, self.min_value, self.max_value)
            + (1 - self.rate) * norms
        )
        return w * (desired / (backend.epsilon() + norms))

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        names = ("min_value", "max_value", "rate", "axis")
        return {name: getattr(self, name) for name in names}


@tf_export("keras.constraints.RadialConstraint", "keras.constraints.radial_constraint")
class RadialConstraint(Constraint):
    """Square kernels [size, size, channels, filters] whose numbers depend on the distance to the
    middle alone."""

    def __call__(self, w: Any) -> Any:
        shape = w.shape
        if shape.ndims is None or shape.ndims != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {shape}")
        height, width, channels, kernels = shape
        w = backend.reshape(w, (height, width, channels * kernels))
        stacked = backend.stack(array_ops.unstack(w, axis=-1), axis=0)
        w = backend.map_fn(self._kernel_constraint, stacked)
        joined = backend.stack(array_ops.unstack(w, axis=0), axis=-1)
        return backend.reshape(joined, (height, width, channels, kernels))

    def _kernel_constraint(self, kernel: Any) -> Any:
        """Rings of one number each, from the middle outwards."""
        padding = backend.constant([[1, 1], [1, 1]], dtype="int32")
        size = backend.shape(kernel)[0]
        start = backend.cast(size / 2, "int32")

        def odd() -> Any:
            return backend.cast(math_ops.floormod(size, 2), "bool")

        def middle() -> Any:
            return kernel[start - 1 : start, start - 1 : start]

        inner = backend.switch(
            odd(), middle, lambda: middle() + backend.zeros((2, 2), dtype=kernel.dtype)
        )
        index = backend.switch(
            odd(),
            lambda: backend.constant(0, dtype="int32"),
            lambda: backend.constant(1, dtype="int32"),
        )

        def ring(i: Any, array: Any) -> Any:
            return i + 1, array_ops.pad(
                array, padding, constant_values=kernel[start + i, start + i]
            )

        return while_loop.while_loop(
            lambda index, *args: backend.less(index, start),
            ring,
            [index, inner],
            shape_invariants=[index.get_shape(), TensorShape([None, None])],
        )[1]


max_norm = maxnorm = MaxNorm
non_neg = nonneg = NonNeg
unit_norm = unitnorm = UnitNorm
min_max_norm = MinMaxNorm
radial_constraint = RadialConstraint


@tf_export("keras.constraints.serialize")
def serialize(constraint: Any) -> Any:
    """A constraint as its class and config, or its name.

    Args:
      constraint: a constraint.

    Returns:
      A dict, or a string.
    """
    return serialize_keras_object(constraint)


@tf_export("keras.constraints.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """What `serialize` described.

    Args:
      config: a dict, or a name.
      custom_objects: {name: class or function}, or None.

    Returns:
      A constraint.
    """
    return deserialize_keras_object(
        config,
        module_objects=globals(),
        custom_objects=custom_objects,
        printable_module_name="constraint",
    )


@tf_export("keras.constraints.get")
def get(identifier: Any) -> Any:
    """A constraint from its name or config, or the callable that it is; None for None.

    Args:
      identifier: a name, a dict, a callable or None.

    Returns:
      A function of a tensor, or None.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret constraint identifier: {identifier}")
