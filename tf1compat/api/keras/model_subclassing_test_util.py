"""`tensorflow.python.keras.model_subclassing_test_util`: small models that are subclasses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.keras.engine.input_layer import Input
from tf1compat.api.keras.engine.training import Model
from tf1compat.api.keras.layers.convolutional import Conv2D
from tf1compat.api.keras.layers.core import Dense, Dropout, Flatten
from tf1compat.api.keras.layers.normalization import BatchNormalization
from tf1compat.core.typing import TensorLike


def _applied(layers: Sequence[Any], x: Any) -> Any:
    for layer in layers:
        x = layer(x)
    return x


class SimpleTestModel(Model):
    """Two dense layers, on demand with dropout and batch normalization between them."""

    def __init__(self, use_bn: bool = False, use_dp: bool = False, num_classes: int = 10):
        super().__init__(name="test_model")
        self.use_bn, self.use_dp, self.num_classes = use_bn, use_dp, num_classes
        self.dense1 = Dense(32, activation="relu")
        self.dense2 = Dense(num_classes, activation="softmax")
        if use_dp:
            self.dp = Dropout(0.5)
        if use_bn:
            self.bn = BatchNormalization(axis=-1)

    def call(self, x: Any) -> Any:
        between = [self.dp] if self.use_dp else []
        between += [self.bn] if self.use_bn else []
        return _applied([self.dense1, *between, self.dense2], x)


class SimpleConvTestModel(Model):
    """A convolution and a dense layer."""

    def __init__(self, num_classes: int = 10):
        super().__init__(name="test_model")
        self.num_classes = num_classes
        self.conv1 = Conv2D(32, (3, 3), activation="relu")
        self.flatten = Flatten()
        self.dense1 = Dense(num_classes, activation="softmax")

    def call(self, x: Any) -> Any:
        return _applied([self.conv1, self.flatten, self.dense1], x)


class MultiIOTestModel(Model):
    """Two inputs through one dense layer, to two outputs."""

    def __init__(self, use_bn: bool = False, use_dp: bool = False, num_classes: Any = (2, 3)):
        super().__init__(name="test_model")
        self.use_bn, self.use_dp, self.num_classes = use_bn, use_dp, num_classes
        self.dense1 = Dense(32, activation="relu")
        self.dense2, self.dense3 = (Dense(count, activation="softmax") for count in num_classes)
        if use_dp:
            self.dp = Dropout(0.5)
        if use_bn:
            self.bn = BatchNormalization()

    def call(self, inputs: Any) -> Any:
        first, second = (self.dense1(x) for x in inputs)
        if self.use_dp:
            first = self.dp(first)
        if self.use_bn:
            second = self.bn(second)
        return [self.dense2(first), self.dense3(second)]


class _Nested(Model):
    """A dense layer, batch normalization, a model, and another dense layer."""

    test_net: Any

    def __init__(self, name: str, num_classes: int):
        super().__init__(name=name)
        self.num_classes = num_classes
        self.dense1 = Dense(32, activation="relu")
        self.dense2 = Dense(num_classes, activation="relu")
        self.bn = BatchNormalization()

    def call(self, inputs: Any) -> Any:
        return _applied([self.dense1, self.bn, self.test_net, self.dense2], inputs)


class NestedTestModel1(_Nested):
    """A model around a subclass."""

    def __init__(self, num_classes: int = 2):
        super().__init__("nested_model_1", num_classes)
        self.test_net = SimpleTestModel(num_classes=4, use_bn=True, use_dp=True)


class NestedTestModel2(_Nested):
    """A model around a functional one."""

    def __init__(self, num_classes: int = 2):
        super().__init__("nested_model_2", num_classes)
        self.test_net = self.get_functional_graph_model(32, 4)

    @staticmethod
    def get_functional_graph_model(input_dim: int, num_classes: int) -> Model:
        """The functional model."""
        return _functional(input_dim, num_classes, [])


def get_nested_model_3(input_dim: int, num_classes: int) -> Model:
    """A functional model around a subclass."""

    class Inner(Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense1 = Dense(32, activation="relu")
            self.dense2 = Dense(5, activation="relu")
            self.bn = BatchNormalization()

        def call(self, inputs: Any) -> Any:
            return _applied([self.dense1, self.dense2, self.bn], inputs)

    return _functional(input_dim, num_classes, [Inner], name="nested_model_3")


def _functional(input_dim: int, num_classes: int, inner: Sequence[Any], **options: Any) -> Model:
    inputs = Input(shape=(input_dim,))
    x = BatchNormalization()(Dense(32, activation="relu")(inputs))
    x = _applied([make() for make in inner], x)
    return Model(inputs, Dense(num_classes)(x), **options)


class CustomCallModel(Model):
    """A model whose `call` takes two inputs and an option."""

    def __init__(self) -> None:
        super().__init__()
        self.dense1 = Dense(1, activation="relu")
        self.dense2 = Dense(1, activation="softmax")

    def call(
        self, first: Any, second: Any, fiddle_with_output: str = "no", training: bool = True
    ) -> Any:
        combined = self.dense1(first) + self.dense2(second)
        return 10.0 * combined if fiddle_with_output == "yes" else combined


class _OneLayer(Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense1 = Dense(1)


class TrainingNoDefaultModel(_OneLayer):
    """A model whose `training` has no default."""

    def call(self, x: Any, training: Any) -> Any:
        return self.dense1(x)


class TrainingMaskingModel(_OneLayer):
    """A model whose `call` takes a mask."""

    def call(self, x: Any, training: Any = False, mask: TensorLike | None = None) -> Any:
        return self.dense1(x)
