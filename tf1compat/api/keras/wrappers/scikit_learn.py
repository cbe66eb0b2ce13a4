"""Keras models as estimators of scikit-learn (`tensorflow.python.keras.wrappers.scikit_learn`)."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.keras import losses
from tf1compat.api.keras.engine.sequential import Sequential
from tf1compat.api.keras.utils.generic_utils import has_arg
from tf1compat.api.keras.utils.np_utils import to_categorical
from tf1compat.core.export import tf_export


class BaseWrapper:
    """What both wrappers share.

    Args:
      build_fn: gives a compiled model; the object itself is called if it is None.
      **sk_params: arguments of `build_fn` and of the model's `fit`, `predict`, `evaluate`, ….

    Raises:
      ValueError: none of them has such an argument.
    """

    model: Any

    def __init__(self, build_fn: Any = None, **sk_params: Any):
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What to call for a model, and the function whose arguments that takes."""
        if self.build_fn is None:
            own = self.__call__  # type: ignore[attr-defined]
            return own, own
        if isinstance(self.build_fn, types.FunctionType | types.MethodType):
            return self.build_fn, self.build_fn
        return self.build_fn, self.build_fn.__call__

    def check_params(self, params: dict[str, Any]) -> None:
        """Sees that each is an argument of something.

        Raises:
          ValueError: one is not.
        """
        takers = [
            getattr(Sequential, name) for name in "fit predict predict_classes evaluate".split()
        ]
        takers.append(self._builder()[1])
        for name in params:
            if name != "nb_epoch" and not any(has_arg(taker, name) for taker in takers):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The parameters, `build_fn` among them."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Changes parameters.

        Raises:
          ValueError: there is no such parameter.
        """
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and fits it.

        Args:
          x: an array of samples.
          y: their labels, an array.
          **kwargs: arguments of `Sequential.fit`.

        Returns:
          The `History`.
        """
        build, taker = self._builder()
        self.model = build(**self.filter_sk_params(taker))
        if losses.is_categorical_crossentropy(self.model.loss) and len(y.shape) != 2:
            y = to_categorical(y)
        own = copy.deepcopy(self.filter_sk_params(Sequential.fit))
        return self.model.fit(x, y, **{**own, **kwargs})

    def filter_sk_params(self, fn: Any, override: Any = None) -> dict[str, Any]:
        """The parameters that are arguments of a function, and what overrides them."""
        own = {name: value for name, value in self.sk_params.items() if has_arg(fn, name)}
        return {**own, **(override or {})}


@tf_export("keras.wrappers.scikit_learn.KerasClassifier")
class KerasClassifier(BaseWrapper):
    """A model as a classifier. Args: see `BaseWrapper`."""

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a new model and fits it.

        Args:
          x: an array of samples.
          y: their classes, of any type, or one column for each class.
          **kwargs: arguments of `Sequential.fit`.

        Returns:
          The `History`.

        Raises:
          ValueError: the shape of `y` is none of these.
        """
        y = np.array(y)
        if y.ndim not in (1, 2) or 0 in y.shape[1:]:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        else:
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The classes of samples. Args: as `Sequential.predict_classes`."""
        settings = self.filter_sk_params(Sequential.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **settings)]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """How likely each class is, one column each. Args: as `Sequential.predict_proba`."""
        settings = self.filter_sk_params(Sequential.predict_proba, kwargs)
        likely = self.model.predict_proba(x, **settings)
        return np.hstack([1 - likely, likely]) if likely.shape[1] == 1 else likely

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """The accuracy on samples whose classes are known.

        Args:
          x: an array of samples.
          y: their classes.
          **kwargs: arguments of `Sequential.evaluate`.

        Raises:
          ValueError: the model was compiled without that metric.
        """
        y = np.searchsorted(self.classes_, y)
        settings = self.filter_sk_params(Sequential.evaluate, kwargs)
        loss = getattr(self.model.loss, "__name__", self.model.loss)
        if loss == "categorical_crossentropy" and y.ndim != 2:
            y = to_categorical(y)
        found = self.model.evaluate(x, y, **settings)
        results = found if isinstance(found, list) else [found]
        for name, result in zip(self.model.metrics_names, results, strict=False):
            if name in ("accuracy", "acc"):
                return result
        raise ValueError(
            "The model is not configured to compute accuracy. You should pass "
            '`metrics=["accuracy"]` to the `model.compile()` method.'
        )


@tf_export("keras.wrappers.scikit_learn.KerasRegressor")
class KerasRegressor(BaseWrapper):
    """A model as a regressor. Args: see `BaseWrapper`."""

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """Predictions, less axes of size one. Args: as `Sequential.predict`."""
        settings = self.filter_sk_params(Sequential.predict, kwargs)
        return np.squeeze(self.model.predict(x, **settings))

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """The loss on samples, negated. Args: as `Sequential.evaluate`."""
        found = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -found[0] if isinstance(found, list) else -found
