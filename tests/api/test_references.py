"""What is let go is freed at once: no cycles of references, which only the garbage collector
would find, and which TF's own tests refuse (`test_util.assert_no_garbage_created`)."""

import gc

import pytest

from tf1compat.api.eager import context

pytestmark = pytest.mark.usefixtures("optimized_little")


def _shape(tf):
    tf.TensorShape([2, None]), tf.TensorShape(tf.TensorShape([None]))


def _variable(tf):
    tf.Variable(1.0).assign_add(1.0)


def _layer(tf):
    tf.keras.layers.Dense(2)(tf.ones([1, 2]))


def _function(tf):
    tf.function(lambda x: x * 2.0)(tf.constant(1.0))


def _tape(tf):
    variable = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = variable * variable
    tape.gradient(y, variable)


def _dataset(tf):
    for _ in tf.data.Dataset.range(3).map(lambda x: x + 1):
        pass


def _error(tf):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def _cycles(make, tf):
    make(tf)
    return gc.collect()


@pytest.mark.parametrize("make", [_shape, _variable, _layer, _function, _tape, _dataset, _error])
def test_no_cycles(tf, make):
    with context.eager_mode():
        for _ in range(2):
            make(tf)  # What is kept for the next time is made now.
        gc.collect()
        gc.disable()
        try:
            # What a thread that compiles for an earlier test leaves is not there each time.
            assert 0 in (_cycles(make, tf) for _ in range(3))
        finally:
            gc.enable()
