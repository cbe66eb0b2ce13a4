"""Types of what users and the stages hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from tf1compat.core.dtypes import DType
    from tf1compat.core.operation import Operation
    from tf1compat.core.tensor import Tensor, TensorBase
    from tf1compat.core.tensor_shape import Dimension, TensorShape


class VariableLike(Protocol):
    """What all kinds of variables have, and tensors too."""

    @property
    def name(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> Any: ...


# The name of an operation or a scope; None: that of the function that records it.
Name: TypeAlias = "str | None"
# What `tf.convert_to_tensor` takes: tensors, variables, arrays, numbers, texts, lists of these.
TensorLike: TypeAlias = "TensorBase | VariableLike | _Plain"
_Plain: TypeAlias = "np.ndarray[Any, Any] | np.generic | complex | str | bytes | Sequence[Any]"
# What `tf.as_dtype` takes; `int` is the number in the DataType enum.
DTypeLike: TypeAlias = "DType | np.dtype[Any] | type | str | int"
# What stands for a shape: a static one, as `tf.TensorShape` takes it, or a tensor of integers.
ShapeLike: TypeAlias = "TensorShape | Dimension | VariableLike | _Integers"
_Integers: TypeAlias = "Tensor | np.ndarray[Any, Any] | Sequence[Any] | int"
# A static shape inside core and the kernels; None: of unknown rank.
Shape: TypeAlias = "tuple[int | None, ...] | None"
# What a gradient function gives: for each input its gradient, None where there is none.
Gradients: TypeAlias = "Tensor | TensorBase | None | Sequence[Tensor | TensorBase | None]"
# Names of the collections that something is added to; a dict has them by the kind of variable.
Collections: TypeAlias = "str | Sequence[str] | dict[str, Any]"
# What gives a variable its first value: of its shape and dtype; in Keras also by name or config.
Initializer: TypeAlias = "Callable[..., Any] | TensorLike | dict[str, Any]"
# What gives the penalty (or, as a constraint, the allowed value) of a weight; in Keras also by
# name or config.
Regularizer: TypeAlias = "Callable[..., Any] | str | dict[str, Any]"


class LoweringContext(Protocol):
    """What the run offers a kernel: `ctx` in `lower`. `runtime/trace/context.py` tells each."""

    op: Operation

    @property
    def notes(self) -> dict[Any, Any] | None: ...
    @property
    def kept(self) -> dict[Any, Any]: ...
    @property
    def repeats(self) -> bool: ...
    @property
    def on_host(self) -> bool: ...
    @property
    def in_session(self) -> bool: ...
    @property
    def session(self) -> Any: ...

    def check(self, holds: Any, error_class: type, template: Any, **values: Any) -> None: ...

    def update(
        self,
        refs: Sequence[Any],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        *operands: Any,
    ) -> None: ...

    def pad(self, meant: Any) -> None: ...

    def meant(self, index: int) -> Any: ...

    def need(self, index: int) -> None: ...

    def need_host(self) -> None: ...

    def rng(self, reserve_128: int) -> tuple[Any, Any]: ...

    def call_function(self, name: Any, args: Sequence[Any]) -> list[Any]: ...

    def host_function(
        self, role: str, captured: Sequence[Tensor], values: Sequence[Any], owner: Any = None
    ) -> Any: ...

    def buffer_size(self, owner: Any) -> int: ...

    def most_segments(self) -> int: ...

    def check_buffer_size(self, owner: Any, peak: Any, size: int) -> None: ...
    @property
    def counts_room(self) -> bool: ...
