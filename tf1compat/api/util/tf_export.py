"""`tensorflow.python.util.tf_export`, as files copied out of TF use it.

A client's export changes nothing in the `tf` namespace: it would only repeat a name of TF's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class api_export:
    """Decorator that notes under which names a symbol would be public.

    Args:
      *args: dotted names without "tf.".
      v1: names in TF 1, where they differ.
      allow_multiple_exports, overrides, api_name: accepted and unused.
    """

    def __init__(self, *args: str, **kwargs: Any):
        self._names = args
        self._names_v1 = tuple(kwargs.get("v1", args))

    def __call__(self, func: T) -> T:
        func._tf_api_names = self._names  # type: ignore[attr-defined]
        func._tf_api_names_v1 = self._names_v1  # type: ignore[attr-defined]
        return func

    def export_constant(self, module_name: str, name: str) -> None:
        """Does nothing."""


tf_export: Callable[..., api_export] = api_export
estimator_export: Callable[..., api_export] = api_export
keras_export: Callable[..., api_export] = api_export


def deprecated_endpoints(*args: str) -> Callable[[T], T]:
    """Decorator that notes which of a symbol's public names are deprecated.

    Args:
      *args: dotted names without "tf.".

    Raises:
      ValueError: at a symbol that has such a note already.
    """

    def noted(func: T) -> T:
        if "_tf_deprecated_api_names" in func.__dict__:
            raise ValueError(
                f"Cannot set deprecated names for {func.__name__} to {args}. "  # type: ignore[attr-defined]
                f"Deprecated names are already set to {func._tf_deprecated_api_names}."  # type: ignore[attr-defined]
            )
        func._tf_deprecated_api_names = args  # type: ignore[attr-defined]
        return func

    return noted
