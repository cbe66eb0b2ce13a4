"""Metrics as objects (`tensorflow.contrib.eager.python.metrics`)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager.context import eager_mode
from tf1compat.api.functions import function
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.summary import summary_ops_v2 as summary_ops
from tf1compat.api.training.tracking import base
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, export, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Initializer, Name, ShapeLike

_NAME = re.compile("[^A-Za-z0-9.]")


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class Metric(base.Trackable):
    """Base of metrics: subclasses define `build`, `call` and `result`.

    Args:
      name: the metric's name; by default that of its class.
      use_global_variables: whether its variables are global ones of a graph, not local ones.
    """

    def __init__(self, name: Name = None, use_global_variables: bool = False):
        self._built = False
        self._vars: list[Any] = []
        self._initial_values: dict[Any, Any] = {}
        self._updates: list[Any] = []
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        scope_name = _NAME.sub("_", name)
        with variable_scope.variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            # What makes the scope's name the only one of the kind does so for the metric's.
            self._name = name + scope.name.rpartition(scope_name)[2]
            self._scope = scope
        build = self.build

        @functools.wraps(build)
        def build_once(*args: Any, **kwargs: Any) -> None:
            build(*args, **kwargs)
            self._built = True

        self.build = build_once
        if context.executing_eagerly():
            self._construction_scope: Callable[[], Any] = eager_mode
        else:
            self._construction_scope = ops.get_default_graph().as_default
            # One operation then makes all updates, in the order of the code.
            self.call = function.defun(self.call)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a batch of data; gives what `call` does, which in a graph is a function's call."""
        if not self._built:
            with variable_scope.variable_scope(self._scope), self._construction_scope():
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    name: str = attribute("_name", "The metric's name.")
    variables: list[Any] = attribute("_vars", "The metric's variables.")

    def init_variables(self) -> Any:
        """Gives the variables their first values again; gives the operation, in a graph."""
        if not context.executing_eagerly():
            return control_flow_ops.group([v.initializer for v in self._vars])
        for v in self._vars:
            v.assign(self._initial_values[id(v)])
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables: what subclasses define."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a batch: what subclasses define."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """The metric's value: what subclasses define."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """The result; in eager execution the method that gives it."""
        return self.result if context.executing_eagerly() else self.result()

    def aggregate(self, metrics: Any) -> None:
        """Adds what other metrics of the kind were given.

        Raises:
          TypeError: one is of another kind.
          ValueError: one has other variables.
        """
        for metric in metrics:
            if type(metric) is not type(self):
                raise TypeError(
                    f"All metrics must be the same type, '{type(self)}' != '{type(metric)}'."
                )
        for i, variable in enumerate(self._vars):
            if any(m._vars[i].name != variable.name for m in metrics):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(math_ops.add_n([m._vars[i] for m in metrics]))

    def add_variable(
        self,
        name: str,
        shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        initializer: Initializer | None = None,
    ) -> Any:
        """Makes a variable, in `build`.

        Raises:
          RuntimeError: not there.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        collections = None
        if not context.executing_eagerly():
            keys = ops.GraphKeys
            kind = keys.GLOBAL_VARIABLES if self._use_global_variables else keys.LOCAL_VARIABLES
            collections = [kind, keys.METRIC_VARIABLES]
        v = self._add_variable_with_custom_getter(
            name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=False,
            collections=collections, use_resource=True, getter=variable_scope.get_variable,
            overwrite=True,
        )  # fmt: skip
        self._vars.append(v)
        if context.executing_eagerly():
            self._initial_values[id(v)] = v.value()
        return v


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class Mean(Metric):
    """The weighted mean of values.

    Args:
      name, use_global_variables: see `Metric`.
      dtype: of the mean.
    """

    numer: Any
    denom: Any

    def __init__(
        self,
        name: Name = None,
        dtype: DTypeLike = dtypes.float64,
        use_global_variables: bool = False,
    ):
        super().__init__(name=name, use_global_variables=use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables."""
        for part in ("numer", "denom"):
            zeros = init_ops.zeros_initializer
            setattr(self, part, self.add_variable(part, (), self.dtype, zeros))

    def call(self, values: Any, weights: Any = None) -> Any:  # pyright: ignore
        """Adds values, and their weights.

        Returns:
          The sum of the values; with weights the weighted values, and the weights.
        """
        if weights is None:
            count = array_ops.identity(array_ops.size(values))
            self.denom.assign_add(math_ops.cast(count, self.dtype))
            values = math_ops.reduce_sum(values)
            self.numer.assign_add(math_ops.cast(values, self.dtype))
            return values
        weights = math_ops.cast(weights, self.dtype)
        self.denom.assign_add(math_ops.reduce_sum(weights))
        values = math_ops.cast(values, self.dtype) * weights
        self.numer.assign_add(math_ops.reduce_sum(values))
        return values, weights

    def result(self, write_summary: Any = True) -> Any:
        """The mean.

        Args:
          write_summary: whether it goes to the default writer of summaries; a bool or a tensor.

        Returns:
          A scalar.
        """
        if not isinstance(write_summary, Tensor):
            write_summary = ops.convert_to_tensor(write_summary)
        mean = self.numer / self.denom

        def written() -> Any:
            summary_ops.scalar(name=self.name, tensor=mean)
            return mean

        control_flow_ops.smart_cond(write_summary, written, lambda: mean, name="")
        return mean


_SHAPES_DIFFER = "Shapes of labels and predictions are unequal"


class _Matches(Mean):
    """How often labels and predictions match, in the sense of a subclass.

    Args:
      name, dtype: see `Mean`.
    """

    def __init__(self, name: Name = None, dtype: DTypeLike = dtypes.float64):
        super().__init__(name=name, dtype=dtype)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # pyright: ignore
        """Adds labels and predictions.

        Returns:
          What was compared, and the weights if there are any.
        """
        labels, predictions = self._compared(labels, predictions)
        matches = math_ops.cast(math_ops.equal(labels, predictions), self.dtype)
        super().call(matches, weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        """What is to be equal, once it is known that the shapes fit."""
        check_ops.assert_equal(
            array_ops.shape(labels), array_ops.shape(predictions), message=_SHAPES_DIFFER
        )
        return labels, predictions


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class Accuracy(_Matches):
    """How often predictions equal labels.

    Args:
      name, dtype: see `Mean`.
    """


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class CategoricalAccuracy(_Matches):
    """How often the largest prediction is that of the largest label.

    Args:
      name, dtype: see `Mean`.
    """

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        labels, predictions = super()._compared(labels, predictions)
        return math_ops.argmax(labels, axis=-1), math_ops.argmax(predictions, axis=-1)


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class BinaryAccuracy(_Matches):
    """How often predictions are on the same side of a threshold as labels.

    Args:
      threshold: what a prediction of 1 is above.
      name, dtype: see `Mean`.
    """

    def __init__(self, threshold: Any, name: Name = None, dtype: DTypeLike = dtypes.float64):
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        labels, predictions = super()._compared(labels, predictions)
        above = ops.convert_to_tensor(predictions) > self.threshold
        return math_ops.cast(labels, dtypes.bool), above


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class SparseAccuracy(_Matches):
    """How often the largest prediction is that of the label, an integer.

    Args:
      name, dtype: see `Mean`.
    """

    def _compared(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        check_ops.assert_equal(
            array_ops.shape(labels), array_ops.shape(predictions)[0],
            message="First axis of labels and predictions is unequal",
        )  # fmt: skip
        largest = math_ops.argmax(predictions, axis=-1)
        return math_ops.cast(labels, dtypes.int64), largest
