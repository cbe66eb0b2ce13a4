"""tf.contrib.nn, deprecated, copy_graph and util against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_nn")


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_util(tf):
    util = tf.contrib.util
    x = tf.constant([1.0]) + 2.0
    assert util.constant_value(x.op.inputs[0]).tolist() == [1.0]
    proto = util.make_tensor_proto([[1, 2]])
    assert util.make_ndarray(proto).tolist() == [[1, 2]]
    definition = tf.get_default_graph().as_graph_def()
    assert set(util.ops_used_by_graph_def(definition)) == {"Const", x.op.type}
    assert [op.name for op in util.stripped_op_list_for_graph(definition).op] == [
        x.op.type,
        "Const",
    ]


def test_a_gradient_that_is_not_for_use(tf):
    """The first gradient of `fwd_gradients` can't be run, where that is asked for."""
    from tensorflow.contrib.nn.python.ops.fwd_gradients import fwd_gradients

    x = tf.constant([1.0, 2.0])
    fwd_gradients([tf.sin(x)], [x], assert_unused=True)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run("IdentityN:0")
