"""Kullback-Leibler divergences: which function computes them for a pair of distribution classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_DIVERGENCES: dict[tuple[type, type], Callable[..., Any]] = {}


def _registered_kl(type_a: type, type_b: type) -> Callable[..., Any] | None:
    """The function registered for the nearest pair of base classes; the first one at a tie."""
    pairs = [
        (i + j, i, j)
        for i, a in enumerate(type_a.__mro__)
        for j, b in enumerate(type_b.__mro__)
        if (a, b) in _DIVERGENCES
    ]
    if not pairs:
        return None
    _, i, j = min(pairs)
    return _DIVERGENCES[type_a.__mro__[i], type_b.__mro__[j]]


@tf_export("distributions.kl_divergence")
@moved("kullback_leibler")
def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None
) -> ops.Tensor:
    """KL(a || b) by the function registered for the classes of the two, or for their bases.

    Args:
      distribution_a: a `Distribution`.
      distribution_b: a `Distribution`.
      allow_nan_stats: if False, a NaN in the result fails the run.
      name: scope of the ops.

    Returns:
      A tensor of the batch shape, as `tf.distributions.kl_divergence` in TF 1.15.

    Raises:
      NotImplementedError: no function is registered for the two classes.
    """
    kl = _registered_kl(type(distribution_a), type(distribution_b))
    if kl is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a "
            f"type {type(distribution_a).__name__} and distribution_b "
            f"type {type(distribution_b).__name__}"
        )
    with ops.name_scope("KullbackLeibler"):
        value = kl(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return value
        value = array_ops.identity(value, name="kl")
        is_number = math_ops.logical_not(math_ops.reduce_any(math_ops.is_nan(value)))
        text = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN "
            "values (and was called with allow_nan_stats=False). Values:"
        )
        with ops.control_dependencies([control_flow_ops.Assert(is_number, [text, value])]):
            return array_ops.identity(value, name="checked_kl")


@moved("kullback_leibler")
def cross_entropy(
    ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None
) -> ops.Tensor:
    """The entropy of `ref` plus KL(ref || other), in nats, of the batch shape."""
    with ops.name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


@tf_export("distributions.RegisterKL")
class RegisterKL:
    """Decorator `@RegisterKL(ClassA, ClassB)` of a function `(a, b, name=None)` that computes
    KL(a || b).

    Args:
      dist_cls_a, dist_cls_b: the classes of the distributions.
    """

    @moved("kullback_leibler")
    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Any) -> Any:
        """Registers the function and returns it.

        Raises:
          TypeError: it can't be called.
          ValueError: the pair of classes has a function already.
        """
        return _register(self._key, kl_fn)


def registers_kl(class_a: type, class_b: type) -> Callable[[Any], Any]:
    """`RegisterKL` for the library's own pairs: without the word that it is deprecated."""
    return lambda function: _register((class_a, class_b), function)


def _register(key: tuple[type, type], kl_fn: Any) -> Any:
    if not callable(kl_fn):
        raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
    if key in _DIVERGENCES:
        raise ValueError(
            f"KL({key[0].__name__} || {key[1].__name__}) has already been registered to: "
            f"{_DIVERGENCES[key]}"
        )
    _DIVERGENCES[key] = kl_fn
    return kl_fn
