"""Optimizers by name (`tensorflow_estimator.python.estimator.canned.optimizers`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.training import adagrad, adam, ftrl, gradient_descent, rmsprop
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core.export import find

_OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Any]] = {
    "Adagrad": adagrad.AdagradOptimizer,
    "Adam": adam.AdamOptimizer,
    "Ftrl": ftrl.FtrlOptimizer,
    "RMSProp": rmsprop.RMSPropOptimizer,
    "SGD": gradient_descent.GradientDescentOptimizer,
}


def get_optimizer_instance(opt: Any, learning_rate: float | None = None) -> Any:
    """An optimizer of what a user may give for one.

    Args:
      opt: a name, an optimizer, or a function that makes one.
      learning_rate: for an optimizer by name.

    Returns:
      A `tf.train.Optimizer`.

    Raises:
      ValueError: there is no such optimizer, or it is none.
    """
    return _instance(
        opt, _OPTIMIZER_CLS_NAMES, learning_rate, Optimizer, "The given object is not an Optimizer"
    )


def get_optimizer_instance_v2(opt: Any, learning_rate: float | None = None) -> Any:
    """As `get_optimizer_instance`, for the optimizers of Keras; each has a rate of its own."""
    names = ("Adagrad", "Adam", "Ftrl", "RMSprop", "SGD")
    classes = {name: find(f"keras.optimizers.{name}") for name in names}
    classes["RMSProp"] = classes.pop("RMSprop")
    if isinstance(opt, str) and opt in classes and not learning_rate:
        return classes[opt]()
    return _instance(
        opt, classes, learning_rate, find("keras.optimizers.Optimizer"),
        "The given object is not a tf.keras.optimizers.Optimizer",
    )  # fmt: skip


def _instance(opt: Any, classes: dict[str, Any], rate: Any, kind: Any, refusal: str) -> Any:
    if isinstance(opt, str):
        if opt not in classes:
            raise ValueError(
                f"Unsupported optimizer name: {opt}. Supported names are: {tuple(sorted(classes))}"
            )
        if not rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return classes[opt](learning_rate=rate)
    if callable(opt):
        opt = opt()
    if not isinstance(opt, kind):
        raise ValueError(f"{refusal} instance. Given: {opt}")
    return opt
