"""What a layer demands of its inputs (`tensorflow.python.keras.engine.input_spec`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend_config
from tf1compat.core import dtypes, nest
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec


@tf_export("layers.InputSpec", "keras.layers.InputSpec")
class InputSpec:
    """The dtype, shape and rank that a layer expects of an input; None: anything goes.

    Args:
      dtype: the dtype.
      shape: the shape, None where any size goes.
      ndim, max_ndim, min_ndim: the rank, or bounds of it.
      axes: axis -> the size expected there.

    Raises:
      TypeError: keys of `axes` are no ints.
      ValueError: an axis is beyond the rank.
    """

    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: Any = None, max_ndim: Any = None,
        min_ndim: Any = None, axes: Any = None,
    ):  # fmt: skip
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = shape
        self.ndim = ndim if shape is None else len(shape)
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        try:
            self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        if self.axes and (self.ndim is not None or self.max_ndim is not None):
            largest = (self.ndim or self.max_ndim) - 1
            axis = max(self.axes)
            if axis > largest:
                raise ValueError(
                    f"Axis {axis} is greater than the maximum allowed value: {largest}"
                )

    def __repr__(self) -> str:
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        given = [f"{name}={getattr(self, name)}" for name in names if getattr(self, name)]
        return f"InputSpec({', '.join(given)})"

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal spec."""
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """A spec from what `get_config` gave."""
        return cls(**config)


def to_tensor_shape(spec: InputSpec) -> TensorShape:
    """The static shape that a spec demands, as far as it says."""
    if spec.ndim is None and spec.shape is None:
        return TensorShape(None)
    if spec.shape is not None:
        return TensorShape(spec.shape)
    sizes: list[Any] = [None] * (spec.ndim or 0)
    for axis, size in spec.axes.items():
        sizes[axis] = size
    return TensorShape(sizes)


def to_tensor_spec(input_spec: Any, default_dtype: Any = None) -> TensorSpec:
    """A spec of tensors for what a layer demands; of anything for what is no `InputSpec`.

    Args:
      input_spec: the spec.
      default_dtype: the dtype where the spec says none; `floatx()` by default.
    """
    dtype = default_dtype or backend_config.floatx()
    if not isinstance(input_spec, InputSpec):
        return TensorSpec(None, dtype)
    return TensorSpec(to_tensor_shape(input_spec), input_spec.dtype or dtype)


def assert_input_compatibility(input_spec: Any, inputs: Any, layer_name: str) -> None:
    """Checks the inputs of a layer.

    Args:
      input_spec: an `InputSpec`, a structure of them, or None.
      inputs: tensors, in the same structure.
      layer_name: for the error text.

    Raises:
      ValueError: an input does not fit; TF's text.
    """
    if not input_spec:
        return
    inputs, specs = nest.flatten(inputs), nest.flatten(input_spec)
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(inputs)} input "
            f"tensors. Inputs received: {inputs}"
        )
    for index, (x, spec) in enumerate(zip(inputs, specs, strict=True)):
        problem = None if spec is None else _misfit(x, spec)
        if problem is not None:
            raise ValueError(
                f"Input {index} of layer {layer_name} is incompatible with the layer: {problem}"
            )
        if spec is None or spec.shape is None or x.shape.ndims is None:
            continue
        for wanted, dim in zip(spec.shape, x.shape.as_list(), strict=False):
            if wanted is not None and dim is not None and wanted != dim:
                raise ValueError(
                    f"Input {index} is incompatible with layer {layer_name}: expected "
                    f"shape={spec.shape}, found shape={x.shape.as_list()}"
                )


def _misfit(x: Any, spec: InputSpec) -> str | None:
    """What is wrong with the rank, dtype or axes of an input, as TF says it."""
    ndim = x.shape.ndims
    if ndim is None and (spec.ndim, spec.min_ndim, spec.max_ndim) != (None, None, None):
        return "its rank is undefined, but the layer requires a defined rank."
    if spec.ndim is not None and ndim != spec.ndim:
        return (
            f"expected ndim={spec.ndim}, found ndim={ndim}. Full shape received: "
            f"{x.shape.as_list()}"
        )
    if spec.max_ndim is not None and ndim > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={ndim}"
    if spec.min_ndim is not None and ndim < spec.min_ndim:
        return (
            f": expected min_ndim={spec.min_ndim}, found ndim={ndim}. Full shape received: "
            f"{x.shape.as_list()}"
        )
    if spec.dtype is not None and x.dtype != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={x.dtype}"
    if spec.axes:
        shape = x.shape.as_list()
        for axis, value in spec.axes.items():
            size = getattr(value, "value", value)
            if size is not None and shape[axis] not in (size, None):
                return (
                    f"expected axis {axis} of input shape to have value {size} but received input "
                    f"with shape {shape}"
                )
    return None
