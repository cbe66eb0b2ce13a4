"""Which function differentiates an operation."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from tf1compat.core import op_defs, op_registry
from tf1compat.core.export import tf_export

GradientFunction = Callable[..., Any]


class Call(NamedTuple):
    """A call of `tf.gradients` that started with ones: what `tf1compat migrate` writes as one."""

    ys: list[Any]
    xs: list[Any]
    results: list[Any]


F = TypeVar("F", bound=GradientFunction)

# op type (or the name used in gradient_override_map) -> (function, or None for "has no gradient";
# where it was registered)
_registered: dict[str, tuple[GradientFunction | None, str]] = {}
_lock = threading.Lock()


@tf_export("RegisterGradient")
class RegisterGradient:
    """Decorator that registers the gradient function of an op type, as `tf.RegisterGradient`.

    The function takes the forward `Operation` and one gradient for each of its outputs, and
    returns one gradient (a tensor,
    an `IndexedSlices` or None) for each of its inputs.

    Args:
      op_type: the op type, or any new name that `Graph.gradient_override_map` refers to.

    Raises:
      TypeError: `op_type` is not a string.
      KeyError: (when decorating) `op_type` already has a gradient, or is declared to have none.
    """

    def __init__(self, op_type: str):
        self._op_type = _checked(op_type)

    def __call__(self, f: F) -> F:
        _register(self._op_type, f)
        return f


@tf_export("no_gradient", "NotDifferentiable", "NoGradient")
def no_gradient(op_type: str) -> None:
    """Declares that an op type has no gradient: `tf.gradients` gives None through it, as
    `tf.NotDifferentiable`.

    Args:
      op_type: the op type's name.

    Raises:
      TypeError: `op_type` is not a string.
      KeyError: `op_type` already has a gradient, or was declared before.
    """
    _register(_checked(op_type), None)


NotDifferentiable = NoGradient = no_gradient


def lookup(op_type: str) -> GradientFunction | None:
    """The gradient function of an op type (or override name); None where it is declared to have
    none.

    `tf.RegisterGradient`'s comes first, then the kernel's own.

    Raises:
      LookupError: nothing is declared.
      NotImplementedError: TF 1.15 has a gradient for the op type and tf1compat does not.
    """
    found = _registered.get(op_type)
    if found is not None:
        return found[0]
    spec = op_registry.spec(op_type)
    if spec.gradient is not None:
        return spec.gradient
    if spec.differentiable is False:
        return None
    status = _status_in_tf(op_type)
    if status == "not_differentiable":
        return None
    if status == "registered":
        raise NotImplementedError(
            f"The gradient of op type {op_type} is not supported by tf1compat yet"
        )
    raise LookupError(f"gradient registry has no entry for: {op_type}")


def get_gradient_function(op: Any) -> GradientFunction | None:
    """The function that differentiates `op`: the one stamped on it by `gradient_override_map`,
    else its op type's.

    Raises:
      LookupError: there is none and none is declared.
    """
    if not op._inputs:
        return None
    stamped = op._attrs.get("_gradient_op_type")
    return lookup(op._spec.name if stamped is None else stamped.decode())


def is_differentiable(op_type: str) -> bool:
    """Whether the op type has a gradient function."""
    try:
        return lookup(op_type) is not None
    except LookupError:
        return False


def _checked(op_type: Any) -> str:
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    return op_type


def _status_in_tf(op_type: str) -> str:
    op_def = op_defs.get(op_type)
    return "none" if op_def is None else op_def.gradient


def _register(op_type: str, function: GradientFunction | None) -> None:
    frame = sys._getframe(2)
    where = f"{frame.f_code.co_name} {frame.f_code.co_filename}:{frame.f_lineno}"
    with _lock:
        previous = _previous_registration(op_type)
        if previous is not None:
            raise KeyError(
                f"Registering two gradient with name '{op_type}'! "
                f"(Previous registration was in {previous})"
            )
        _registered[op_type] = (function, where)


def _previous_registration(op_type: str) -> str | None:
    found = _registered.get(op_type)
    if found is not None:
        return found[1]
    spec = op_registry.spec(op_type)
    if spec.differentiable is not None or _status_in_tf(op_type) != "none":
        return spec.where or "TensorFlow"
    return None
