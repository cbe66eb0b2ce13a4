"""`tensorflow.python.distribute.model_collection.simple_models`: one layer, in several forms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.distribute.model_collection.model_collection_base import ModelAndInput
from tf1compat.api.functions import function
from tf1compat.api.keras.engine import input_layer, sequential, training
from tf1compat.api.keras.layers.core import Dense
from tf1compat.api.keras.optimizer_v2 import gradient_descent
from tf1compat.api.module import module
from tf1compat.api.variables import variable_base
from tf1compat.core import dtypes

_BATCH_SIZE = 10
_POINTS, _INPUTS, _OUTPUTS = 1000, 3, 5
_NAME = "output_layer"


def _get_data_for_simple_models() -> tuple[Any, Any, Any]:
    """Random points, labels and other points."""
    points, labels, others = (
        constant_op.constant(np.random.rand(_POINTS, size), dtype=dtypes.float32)
        for size in (_INPUTS, _OUTPUTS, _INPUTS)
    )
    return points, labels, others


def _layer(**kwargs: Any) -> Dense:
    return Dense(_OUTPUTS, dtype=dtypes.float32, name=_NAME, **kwargs)


class _OneLayer(ModelAndInput):
    """What the models have in common."""

    def get_data(self) -> tuple[Any, Any, Any]:
        return _get_data_for_simple_models()

    def get_batch_size(self) -> int:
        return _BATCH_SIZE


class _Compiled(_OneLayer):
    """Keras's models, which are trained to the least square error."""

    _compile_options: dict[str, Any] = {}

    def _make(self) -> Any:
        raise NotImplementedError

    def get_model(self, **kwargs: Any) -> tuple[Any, str]:
        run_tf_function = kwargs.pop("experimental_run_tf_function", None)
        assert run_tf_function is not None
        model = self._make()
        model.compile(
            optimizer=gradient_descent.SGD(learning_rate=0.001),
            loss="mse",
            metrics=["mae"],
            experimental_run_tf_function=run_tf_function,
            **self._compile_options,
        )
        return model, _NAME


class SimpleFunctionalModel(_Compiled):
    """A model of an input and an output."""

    def _make(self) -> Any:
        x = input_layer.Input(shape=(_INPUTS,), dtype=dtypes.float32)
        return training.Model(inputs=x, outputs=_layer()(x))


class SimpleSequentialModel(_Compiled):
    """A model of a list of layers."""

    def _make(self) -> Any:
        return sequential.Sequential([_layer(input_dim=_INPUTS)])


class _SimpleModel(training.Model):
    output_name = _NAME

    def __init__(self) -> None:
        super().__init__()
        self._dense_layer = _layer()

    def call(self, inputs: Any) -> Any:
        return self._dense_layer(inputs)


class SimpleSubclassModel(_Compiled):
    """A model that is a class of its own."""

    _compile_options = {"cloning": False}

    def _make(self) -> Any:
        return _SimpleModel()


class _SimpleModule(module.Module):
    def __init__(self) -> None:
        super().__init__("simple_module")  # Its own begins with a line, as no scope may.
        self.v = variable_base.Variable(3.0)

    @function.function
    def __call__(self, x: Any) -> Any:
        return self.v * x


class SimpleTFModuleModel(_OneLayer):
    """A `tf.Module`, which is not compiled."""

    def get_model(self, **kwargs: Any) -> tuple[Any, str]:
        return _SimpleModule(), "foo"
