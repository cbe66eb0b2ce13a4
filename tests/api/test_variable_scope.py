"""`tf.variable_scope` and `tf.get_variable` against TensorFlow 1.15."""

from __future__ import annotations

import goldens
import pytest


@pytest.mark.parametrize("name", goldens.names("variable_scope"))
def test_graph(tf, name):
    goldens.check_graph(tf, "variable_scope", name)


def test_the_error_for_an_existing_variable_shows_the_lines_that_made_it(tf):
    tf.get_variable("v", [1])
    with pytest.raises(ValueError, match="Originally defined at") as error:
        tf.get_variable("v", [1])
    text = str(error.value)
    assert __file__ in text
    assert 'tf.get_variable("v", [1])' in text
    assert "tf1compat" not in text.replace(__file__, "")


def test_resource_variables_can_be_made_the_default(tf):
    assert not tf.resource_variables_enabled()
    tf.enable_resource_variables()
    try:
        assert tf.resource_variables_enabled()
        assert tf.Variable(1.0).op.type == "VarHandleOp"
        assert tf.get_variable("v", [1]).op.type == "VarHandleOp"
        assert tf.get_variable("w", [1], use_resource=False).op.type == "VariableV2"
    finally:
        tf.disable_resource_variables()
    assert tf.Variable(1.0).op.type == "VariableV2"


def test_scopes_and_variables_belong_to_their_graph(tf):
    with tf.variable_scope("s"):
        tf.get_variable("v", [1])
        with tf.Graph().as_default():
            assert tf.get_variable_scope().name == ""
            assert tf.get_variable("v", [1]).name == "v:0"
        assert tf.get_variable_scope().name == "s"


def test_an_exception_leaves_the_scope(tf):
    class Stop(Exception):
        pass

    with pytest.raises(Stop), tf.variable_scope("a"), tf.variable_scope("b"):
        raise Stop
    assert tf.get_variable_scope().name == ""
    assert tf.get_default_graph().get_name_scope() == ""
