"""tf.contrib.graph_editor against TensorFlow 1.15."""

from __future__ import annotations

import importlib

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("graph_editor")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_an_order_of_walks_that_is_the_graph(tf):
    """TensorFlow's changes from run to run."""
    ge = tf.contrib.graph_editor
    a = tf.constant(1.0, name="a")
    b, c, d = tf.negative(a, name="b"), tf.exp(a, name="c"), tf.square(a, name="d")
    e = tf.add_n([d, c, b], name="e")
    assert [op.name for op in ge.get_backward_walk_ops(e)] == ["e", "d", "c", "b", "a"]
    assert [op.name for op in ge.get_forward_walk_ops(a)] == ["b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.contrib.graph_editor", "sgv"),
        ("tensorflow.contrib.graph_editor", "subgraph"),
        ("tensorflow.contrib.graph_editor.select", "get_forward_walk_ops"),
        ("tensorflow.contrib.graph_editor.transform", "copy_op_handler"),
        ("tensorflow.contrib.graph_editor.util", "ListView"),
        ("tensorflow.python.ops.op_selector", "get_backward_walk_ops"),
    ],
)
def test_paths_of_tensorflow(tf, module, name):
    assert hasattr(importlib.import_module(module), name)
