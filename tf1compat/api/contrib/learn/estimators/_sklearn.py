"""What of scikit-learn's interface the estimators have, without scikit-learn
(`tensorflow.contrib.learn.python.learn.estimators._sklearn`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tf1compat.core.export import tf_export

TRY_IMPORT_SKLEARN = os.environ.get("TENSORFLOW_SKLEARN", False)


@tf_export("contrib.learn.NotFittedError")
class NotFittedError(ValueError, AttributeError):
    """There is no checkpoint."""


class _BaseEstimator:
    """An object whose settings are its attributes without an underscore."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name.

        Args:
          deep: whether those of settings that have some themselves are given too, as
            "setting__their_setting".
        """
        found: dict[str, Any] = {}
        for key in [key for key in vars(self) if not key.startswith("_")]:
            value = getattr(self, key, None)
            if callable(value):
                continue
            if deep and hasattr(value, "get_params"):
                inner: Any = value
                found.update((f"{key}__{k}", v) for k, v in inner.get_params().items())
            found[key] = value
        return found

    def set_params(self, **params: Any) -> Any:
        """Changes settings; see `get_params` for the names.

        Returns:
          The object.

        Raises:
          ValueError: there is no such setting.
        """
        known = self.get_params(deep=True) if params else {}
        for key, value in params.items():
            name, is_inner, inner = key.partition("__")
            if name not in known:
                whose = self if is_inner else type(self).__name__
                raise ValueError(
                    f"Invalid parameter {name} for estimator {whose}. Check the list of available "
                    "parameters with `estimator.get_params().keys()`."
                )
            if is_inner:
                known[name].set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_pprint(self.get_params(deep=False))})"


def _pprint(d: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in d.items())


class _ClassifierMixin:
    pass


class _RegressorMixin:
    pass


class _TransformerMixin:
    pass


def _accuracy_score(y_true: Any, y_pred: Any) -> Any:
    return np.average(y_true == y_pred)


def _mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    true, predicted = (np.squeeze(y) if len(y.shape) > 1 else y for y in (y_true, y_pred))
    return np.average((true - predicted) ** 2)


def _train_test_split(*args: Any, **options: Any) -> tuple[Any, ...]:
    """Each array's part for training and the one for tests, drawn alike from all of them."""
    test_size, train_size = options.get("test_size"), options.get("train_size")
    if train_size is None:
        train_size = 0.75 if test_size is None else 1 - test_size
    count = args[0].shape[0]
    np.random.seed(options.get("random_state"))
    order = np.random.permutation(count)
    cut = int(train_size * count)
    return tuple(x.take(part, axis=0) for x in args for part in (order[:cut], order[cut:]))


if TRY_IMPORT_SKLEARN:
    from sklearn.base import (  # pyright: ignore
        BaseEstimator,
        ClassifierMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.metrics import (  # pyright: ignore
        accuracy_score,
        log_loss,
        mean_squared_error,
    )
    from sklearn.model_selection import train_test_split  # pyright: ignore
else:
    BaseEstimator = _BaseEstimator
    ClassifierMixin = _ClassifierMixin
    RegressorMixin = _RegressorMixin
    TransformerMixin = _TransformerMixin
    accuracy_score = _accuracy_score
    log_loss = None
    mean_squared_error = _mean_squared_error
    train_test_split = _train_test_split
