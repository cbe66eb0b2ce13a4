"""`pfor` and jacobians record, give and refuse what they do in TensorFlow 1.15."""

import numpy as np
import pytest
from case_goldens import CaseGoldens

from tf1compat.api.eager import context

GOLDENS = CaseGoldens("pfor")
X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def _largest(x, tape, tf):
    with tape:
        tape.watch(x)
        y = tf.nn.top_k(x, 2)[0]
    return y


def test_a_tape_tells_that_its_jacobian_can_be_had_in_a_loop(tf):
    with context.eager_mode():
        x = tf.constant(X)
        tape = tf.GradientTape(persistent=True)
        y = _largest(x, tape, tf)
        with pytest.raises(ValueError, match="(?s)No converter defined for ScatterNd.*Vectoriza"):
            tape.jacobian(y, x)
        rows = tape.jacobian(y, x, experimental_use_pfor=False).numpy()
    expected = np.zeros((2, 2, 2, 3), np.float32)
    for row in range(2):
        expected[row, 0, row, 2] = expected[row, 1, row, 1] = 1
    np.testing.assert_array_equal(rows, expected)


def test_eager_map_differentiates_inside(tf):
    def slope(row):
        with tf.GradientTape() as tape:
            tape.watch(row)
            y = tf.reduce_sum(row**2)
        return tape.gradient(y, row)

    with context.eager_mode():
        np.testing.assert_allclose(tf.vectorized_map(slope, tf.constant(X)).numpy(), 2 * X)


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_arrays_are_repeated_in_either_tier(tf, tier):
    import tf1compat
    from tf1compat.api.parallel_for import control_flow_ops

    rows = tf.constant(X)

    def body(i):
        array = tf.TensorArray(tf.float32, 2).write(0, tf.gather(rows, i))
        return array.write(1, tf.gather(rows, i) * 2).stack()

    stacked = control_flow_ops.pfor(body, 2)
    with tf.Session() as session:
        tf1compat.set_tier(tier, session)
        np.testing.assert_array_equal(session.run(stacked), np.stack([X, 2 * X], 1))


def test_an_op_without_converter_may_run_in_a_loop(tf):
    from tf1compat.api.platform import flags

    flags.FLAGS["op_conversion_fallback_to_while_loop"].value = True
    try:
        values = tf.vectorized_map(lambda row: tf.nn.top_k(row, 2)[0], tf.constant(X))
    finally:
        flags.FLAGS["op_conversion_fallback_to_while_loop"].value = False
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(values), X[:, :0:-1])
