"""The types of what users and kernels pass: a name for each thing that functions take.

`core` is imported by everything, so this module imports nothing of the package while running.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np

if TYPE_CHECKING:
    from tf1compat.core.dtypes import DType
    from tf1compat.core.operation import Operation
    from tf1compat.core.tensor import Tensor
    from tf1compat.core.tensor_shape import TensorShape

# The name of an operation or of a name scope. None: the function's own.
Name: TypeAlias = str | None

# What `tf.as_dtype` takes. None: that of the value.
DTypeLike: TypeAlias = Union["DType", np.dtype, type, str, int, None]

# What `tf.TensorShape` takes, or a tensor where the graph may compute a shape. None: unknown.
ShapeLike: TypeAlias = Union["TensorShape", Sequence[Any], np.ndarray, int, "Tensor", None]

# What `tf.convert_to_tensor` takes: tensors, variables, arrays, numbers, texts, nested sequences of
# them, and instances of every class for which a script registers a conversion function. The last
# kind has no bound, so no narrower type would be true.
TensorLike: TypeAlias = Any


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

    def check_buffer_size(self, owner: Any, peak: Any, size: int) -> None: ...
