"""Types of what the stages hand to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tf1compat.core.operation import Operation
    from tf1compat.core.tensor import Tensor


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
