"""Control flow recorded node by node, and conditions that are no bools, against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("flow_node")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.cases()
def test_case_in_xla(tf, xla, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_keywords_of_a_custom_gradient(tf):
    """They take part in no gradient, so that they need not be tensors."""
    from tf1compat.core import context

    @tf.custom_gradient
    def scaled(x, by=3.0):
        return x * by, lambda grad: grad * by

    with context.mode(True), tf.GradientTape() as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        gradient = tape.gradient(scaled(x, by=4.0), x)
        assert gradient.numpy() == 4.0


@pytest.mark.parametrize("target", [5.0, None])
def test_gradient_of_what_is_no_tensor(tf, target):
    from tf1compat.core import context

    with context.mode(True), tf.GradientTape(persistent=True) as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        y = x * x
    with context.mode(True):
        with pytest.raises(AttributeError, match="has no attribute 'dtype'"):
            tape.gradient(target, x)
        with pytest.raises(AttributeError, match="has no attribute 'dtype'"):
            tape.gradient(y, target)


def test_messages_of_contexts(tensorflow):
    from tf1compat.formats import control_flow_pb2

    context = control_flow_pb2.CondContextDef(context_name="c", branch=1)
    message = control_flow_pb2.ControlFlowContextDef(cond_ctxt=context)
    assert message.WhichOneof("ctxt") == "cond_ctxt"
