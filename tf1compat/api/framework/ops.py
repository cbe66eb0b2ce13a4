"""What client code takes from `tensorflow.python.framework.ops` beyond `core/ops.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, TypeVar

from tf1compat.core import gradient_registry, op_defs, op_registry

F = TypeVar("F", bound=Callable[..., Any])


class _Entries(MutableMapping[str, dict[str, Any]]):
    """Op type or override name -> {"type": gradient function, "location": where from}.

    Assignments and deletions reach what `tf.RegisterGradient` registered, not TF's own gradients.
    """

    def __getitem__(self, name: str) -> dict[str, Any]:
        if name not in self:
            raise KeyError(name)
        location = gradient_registry._previous_registration(name)
        return {"type": gradient_registry.lookup(name), "location": location}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and gradient_registry._previous_registration(name) is not None

    def __setitem__(self, name: str, entry: dict[str, Any]) -> None:
        gradient_registry._registered[name] = (entry["type"], str(entry.get("location")))

    def __delitem__(self, name: str) -> None:
        del gradient_registry._registered[name]

    def __iter__(self) -> Iterator[str]:
        names = {*gradient_registry._registered, *op_registry.registered(), *op_defs.names()}
        return (name for name in sorted(names) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _GradientRegistry:
    """`ops._gradient_registry`, which scripts ask whether a name is registered."""

    def __init__(self) -> None:
        self._registry = _Entries()

    def list(self) -> list[str]:
        """The names that have an entry."""
        return [*self._registry]

    def lookup(self, name: str) -> Any:
        """The gradient function; None where an op type is declared to have none.

        Raises:
          LookupError: there is no entry.
        """
        return gradient_registry.lookup(name)

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers a gradient function.

        Raises:
          KeyError: the name has one.
        """
        gradient_registry._register(name or candidate.__name__, candidate)


_gradient_registry = _GradientRegistry()


class RegisterShape:
    """Decorator without effect: shape functions are the ops' own since TF 1.0, as in TF 1.15."""

    def __init__(self, op_type: str):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")

    def __call__(self, f: F) -> F:
        return f
