"""`compute_output_shape` of layers that do not define it: what TensorFlow 1.15 gave for each."""

from __future__ import annotations

import pytest

from tf1compat.api.eager import context


def layers(tf):
    class Double(tf.keras.layers.Layer):
        def call(self, x):
            return x * 2

    class First(tf.keras.layers.Layer):
        def call(self, x):
            return x[0]

    class Structure(tf.keras.layers.Layer):
        def call(self, x):
            return {"a": x, "b": tf.reduce_sum(x)}

    class Training(tf.keras.layers.Layer):
        def call(self, x, training=None):
            return x if training is False else (x, x)

    class Refusing(tf.keras.layers.Layer):
        def call(self, x):
            raise TypeError("no")

    class Subclass(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(4)

        def call(self, x):
            return self.dense(x)

    return {c.__name__: c for c in (Double, First, Structure, Training, Refusing, Subclass)}


EAGER = {
    "Double": ((None, 3), [None, 3]),
    "First": ([(None, 3), (3,)], [None, 3]),
    "Structure": ((2, 3), {"a": [2, 3], "b": []}),
    "Training": ((2, 3), [2, 3]),
    "Subclass": ((2, 3), [2, 4]),
}


@pytest.mark.parametrize("name", EAGER)
def test_eager(tf, name):
    given, expected = EAGER[name]
    with context.eager_mode():
        found = layers(tf)[name]().compute_output_shape(given)
    if isinstance(expected, dict):
        assert {key: shape.as_list() for key, shape in found.items()} == expected
    else:
        assert found.as_list() == expected


def test_refused(tf):
    with context.eager_mode(), pytest.raises(NotImplementedError, match=r"on your layer \(Refus"):
        layers(tf)["Refusing"]().compute_output_shape((2, 3))


def test_in_a_graph(tf):
    with pytest.raises(NotImplementedError):
        layers(tf)["Double"]().compute_output_shape((2, 3))
    double = tf.keras.layers.Lambda(lambda x: x * 2)
    assert double.compute_output_shape((None, 3)).as_list() == [None, 3]
    assert not tf.get_default_graph().get_operations()
    with pytest.raises(NotImplementedError, match="infer the shape of the Lambda's output"):
        tf.keras.layers.Lambda(lambda x: "a" * x).compute_output_shape((2, 3))
