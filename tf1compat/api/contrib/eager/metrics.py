"""Metrics as objects (`tensorflow.contrib.eager.python.metrics`)."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training.tracking import base
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, export, nest, ops
from tf1compat.core.attribute import attribute
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
        self._name = name
        scope = _NAME.sub("_", name)
        with variable_scope.variable_scope(scope, use_resource=True, reuse=False) as found:
            self._construction_scope = found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a batch of data; gives what `call` does.

        Raises:
          NotImplementedError: operations are recorded, and `call` returns nothing.
        """
        if not self._built:
            with variable_scope.variable_scope(self._construction_scope):
                self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    name: str = attribute("_name", "The metric's name.")
    variables: list[Any] = attribute("_vars", "The metric's variables.")

    def init_variables(self) -> Any:
        """Gives the variables their first values again; gives the operation, in a graph.

        Raises:
          RuntimeError: (in a graph) there are no variables yet.
        """
        if not ops.executing_eagerly():
            return control_flow_ops.group(*[v.initializer for v in self._vars])
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
        """As `result`."""
        return self.result()

    def aggregate(self, metrics: Any) -> None:
        """Adds what other metrics of the kind were given.

        Raises:
          ValueError: one is of another kind, or has other variables.
        """
        for metric in metrics:
            if metric.__class__ != self.__class__:
                raise ValueError(
                    f"All metrics must be the same type, {self.__class__} != {metric.__class__}."
                )
            if [v.name for v in metric._vars] != [v.name for v in self._vars]:
                raise ValueError("All metrics must have variables in the same order.")
        for i, variable in enumerate(self._vars):
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
        kinds = ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.LOCAL_VARIABLES
        collection = kinds[0 if self._use_global_variables else 1]
        v = variable_scope.get_variable(
            name, shape, dtype, initializer, trainable=False, collections=[collection],
            use_resource=True,
        )  # fmt: skip
        self._track_trackable(v, name=name, overwrite=True)
        self._vars.append(v)
        if ops.executing_eagerly():
            self._initial_values[id(v)] = v.value()
        return v


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class Mean(Metric):
    """The weighted mean of values; of each of a list or dict of them.

    Args:
      name, use_global_variables: see `Metric`.
      dtype: of the mean.
    """

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
        for part, name in (("numer", "numer"), ("denom", "denom")):
            zeros = init_ops.zeros_initializer
            setattr(self, part, self.add_variable(name, (), self.dtype, zeros))

    def call(self, values: Any, weights: Any = None) -> Any:  # pyright: ignore
        """Adds values, and their weights; gives both."""
        values = ops.convert_to_tensor(values)
        if weights is None:
            count = math_ops.cast(array_ops.size(values), self.dtype)
            total = math_ops.reduce_sum(math_ops.cast(values, self.dtype))
        else:
            weights = math_ops.cast(weights, self.dtype)
            count = math_ops.reduce_sum(weights)
            total = math_ops.reduce_sum(math_ops.cast(values, self.dtype) * weights)
        self.denom.assign_add(count)  # pyright: ignore[reportAttributeAccessIssue]
        self.numer.assign_add(total)  # pyright: ignore[reportAttributeAccessIssue]
        return values if weights is None else (values, weights)

    def result(self, write_summary: bool = True) -> Any:
        """The mean; `write_summary` is without effect, as no writer of summaries is supported."""
        return self.numer / self.denom  # pyright: ignore[reportAttributeAccessIssue]


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class Accuracy(Mean):
    """How often predictions equal labels."""

    def __init__(self, name: Name = None, dtype: DTypeLike = dtypes.float64):
        super().__init__(name=name, dtype=dtype)

    def _matches(self, labels: Any, predictions: Any) -> Any:
        check_ops.assert_equal(
            array_ops.shape(labels), array_ops.shape(predictions),
            message="Shapes of labels and predictions are unequal",
        )  # fmt: skip
        return math_ops.equal(labels, predictions)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # pyright: ignore
        """Adds labels and predictions."""
        matches = math_ops.cast(self._matches(labels, predictions), self.dtype)
        super().call(matches, weights=weights)
        given = [labels, predictions] + ([] if weights is None else [weights])
        return tuple(nest.flatten(given))


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class CategoricalAccuracy(Accuracy):
    """How often the largest prediction is that of the largest label."""

    def _matches(self, labels: Any, predictions: Any) -> Any:
        labels, predictions = math_ops.argmax(labels, -1), math_ops.argmax(predictions, -1)
        return math_ops.equal(labels, predictions)


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class BinaryAccuracy(Accuracy):
    """How often predictions are on the same side of a threshold as labels."""

    def __init__(self, threshold: Any, name: Name = None, dtype: DTypeLike = dtypes.float64):
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def _matches(self, labels: Any, predictions: Any) -> Any:
        labels, predictions = map(ops.convert_to_tensor, (labels, predictions))
        return math_ops.equal(labels, math_ops.cast(predictions > self.threshold, labels.dtype))


@export.internal_class("tensorflow.contrib.eager.python.metrics_impl")
class SparseAccuracy(Accuracy):
    """How often the largest prediction is that of the label, an integer."""

    def _matches(self, labels: Any, predictions: Any) -> Any:
        labels = ops.convert_to_tensor(labels)
        return math_ops.equal(labels, math_ops.cast(math_ops.argmax(predictions, -1), labels.dtype))
