"""Variables that are read in another dtype than they have
(`tensorflow.python.keras.mixed_precision.experimental.autocast_variable`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.distribute.distributed_values import operators
from tf1compat.api.framework.ops import numpy_text
from tf1compat.api.math import math_ops
from tf1compat.api.training.tracking import base
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import context, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import TensorBase
from tf1compat.core.typing import Name, TensorLike


class AutoCastVariable(base.Trackable, TensorBase):
    """A variable that is cast where it is read, inside of a layer that computes in another dtype.

    Args:
      variable: a floating resource variable.

    Raises:
      ValueError: it is something else.
    """

    def __init__(self, variable: Any):
        if not resource_variable_ops.is_resource_variable(variable):
            raise ValueError(f"variable must be of type tf.ResourceVariable, but got: {variable}")
        if not variable.dtype.is_floating:
            raise ValueError(
                f"variable must be a floating point variable but has type: {variable.dtype.name}"
            )
        self._variable = variable
        self._gather_saveables_for_checkpoint = variable._gather_saveables_for_checkpoint

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_self_") or name == "_variable":
            raise AttributeError(name)
        return getattr(self._variable, name)

    name: str = attribute("_variable.name", "The variable's name.")

    @property
    def dtype(self) -> Any:
        """The dtype that it is read in here."""
        wanted = ops.get_default_graph()._auto_cast_variable_read_dtype
        return self.true_dtype if wanted is None else wanted

    true_dtype = attribute("_variable.dtype", "The dtype of the variable.")

    def _should_cast(self) -> bool:
        return self.dtype != self.true_dtype

    def _read(self, read: Callable[[], Any]) -> Any:
        value = read()
        return math_ops.cast(value, self.dtype) if self._should_cast() else value

    def _at_variable(self, value: Any) -> Any:
        """What was read, cast at its device, whatever it is used together with."""
        if not self._should_cast():
            return value
        with ops.colocate_with(None, ignore_existing=True), ops.device(value.device):
            return math_ops.cast(value, self.dtype)

    def value(self) -> Any:
        """The value."""
        return self._at_variable(self._variable.value())

    _get_as_operand = value

    def read_value(self) -> Any:
        """The value, read anew."""
        return self._read(self._variable.read_value)

    def sparse_read(self, indices: TensorLike, name: Name = None) -> Any:
        """Rows of the value."""
        return self._read(lambda: self._variable.sparse_read(indices, name=name))

    def _dense_var_to_tensor(
        self, dtype: Any = None, name: Name = None, as_ref: bool = False
    ) -> Any:
        if not self._should_cast():
            return ops.internal_convert_to_tensor(self._variable, dtype, name, as_ref)
        assert not as_ref
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type {dtype.name!r} for variable of "
                f"type {self.dtype.name!r}"
            )
        return self._at_variable(
            ops.internal_convert_to_tensor(self._variable, self.true_dtype, name)
        )

    def _should_act_as_resource_variable(self) -> None:
        """Its presence says so."""

    def __pow__(self, o: Any, modulo: Any = None) -> Any:
        return self.value() ** o if modulo is None else pow(self.value(), o, modulo)

    def __repr__(self) -> str:
        text = (
            f"<AutoCastVariable '{self.name}' shape={self.shape} dtype={self.dtype.name} "
            f"true_dtype={self.true_dtype.name}"
        )
        if context.executing_eagerly() and not self._in_graph_mode:
            text += f", numpy={numpy_text(self.read_value(), is_repr=True)}"
        return text + ">"


for _name, _method in operators().items():
    setattr(AutoCastVariable, _name, _method)

ops.register_tensor_conversion_function(
    AutoCastVariable,
    lambda var, dtype=None, name=None, as_ref=False: var._dense_var_to_tensor(dtype, name, as_ref),
)
ops.register_dense_tensor_like_type(AutoCastVariable)
