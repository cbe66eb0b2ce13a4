"""Recurrent nets against TensorFlow 1.15."""

from __future__ import annotations

import os

import numpy as np
import pytest
import recording
import rnn_cases
import rnn_contrib_cases
import rnn_cudnn_cases
import rnn_grid_cases

from tf1compat.core import context

pytestmark = pytest.mark.usefixtures("compiled_quickly")

GOLDEN = recording.read_json(os.path.join(recording.DATA, "rnn.json.xz"))

MODULES = (rnn_cases, rnn_contrib_cases, rnn_cudnn_cases, rnn_grid_cases)
GRAPHS = {group: cases for module in MODULES for group, cases in module.GRAPHS.items()}
MISTAKES = {group: cases for module in MODULES for group, cases in module.MISTAKES.items()}
RUN = rnn_cases.RUN | rnn_contrib_cases.RUN | rnn_grid_cases.RUN
all_graphs = pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, cases in GRAPHS.items() for name in cases]
)
all_that_run = pytest.mark.parametrize(
    ("group", "name"),
    [(group, name) for group, cases in GRAPHS.items() for name in cases if name in RUN],
)
all_mistakes = pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, cases in MISTAKES.items() for name in cases]
)


@all_graphs
def test_graph(tf, group, name):
    """Nodes, static shapes and what is said."""
    expected = GOLDEN["graphs"][group][name]
    built = GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"


@all_that_run
def test_values(tf, group, name):
    """Three steps of training."""
    expected = GOLDEN["graphs"][group][name]
    built = GRAPHS[group][name](tf)
    found = rnn_cases.run(tf, *built)
    for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
        difference = recording.value_difference(want, recording.describe_value(value), rtol=2e-5)
        assert difference is None, f"value {i}, {fetch.name}: {difference}"


@all_mistakes
def test_mistake(tf, group, name):
    """The case raises TensorFlow's exception with its text.

    Where TensorFlow has rewritten a layer's `call`, it puts a traceback around the text.
    """
    expected = GOLDEN["mistakes"][group][name]
    if expected["text"].startswith("in converted code:"):
        expected["text"] = expected["text"].rpartition(f"    {expected['class']}: ")[2].rstrip()
    found = recording.raised(tf, MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"


def test_modules(tf):
    """What scripts take from TensorFlow's internal modules."""
    from tensorflow.contrib.rnn.python.ops import core_rnn_cell, rnn_cell
    from tensorflow.python.ops import rnn, rnn_cell_impl
    from tensorflow.python.ops.rnn_cell import LSTMCell

    assert LSTMCell is tf.nn.rnn_cell.LSTMCell is tf.contrib.rnn.LSTMCell
    assert core_rnn_cell.RNNCell is rnn_cell_impl.RNNCell is tf.nn.rnn_cell.RNNCell
    assert rnn_cell._Linear is core_rnn_cell._Linear
    assert rnn_cell.GridLSTMCell is tf.contrib.rnn.GridLSTMCell
    assert issubclass(rnn_cell.NTMCell, rnn_cell_impl.LayerRNNCell)
    assert rnn._rnn_step and rnn._should_cache and rnn_cell_impl._concat


def test_eager(tf):
    """A cell, and a net, that run eagerly give what the recorded net gives."""
    x = np.random.RandomState(0).randn(2, 3, 4).astype("f")
    kernel = np.random.RandomState(1).randn(6, 8).astype("f")

    def net():
        cell = tf.nn.rnn_cell.BasicLSTMCell(2)
        cell.build(tf.TensorShape([2, 4]))
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(x), [3, 1], dtype=tf.float32)
        return cell._kernel, outputs, state

    variable, outputs, state = net()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        expected = session.run([outputs, *state], {variable: kernel})
    with context.mode(eager=True):
        cell = tf.nn.rnn_cell.BasicLSTMCell(2)
        cell.build(tf.TensorShape([2, 4]))
        cell._kernel.assign(kernel)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(x), [3, 1], dtype=tf.float32)
        steps, last = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
        found = [y.numpy() for y in [outputs, *state]]
        np.testing.assert_allclose(last[1].numpy()[0], steps[-1].numpy()[0])
    for want, have in zip(expected, found, strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6)
