"""Nets from sequence to sequence, and random fields of tags, against TensorFlow 1.15."""

from __future__ import annotations

import os

import numpy as np
import pytest
import recording
import seq2seq_cases

# The gradient of what is gathered, in TensorFlow as well.
pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")


@pytest.fixture(autouse=True)
def _quickly(request):
    if "[beam" not in request.node.name:  # Which beam is better hangs on last digits.
        request.getfixturevalue("compiled_quickly")


GOLDEN = recording.read_json(os.path.join(recording.DATA, "seq2seq.json.xz"))


def _all(cases):
    names = [(group, name) for group in cases for name in cases[group]]
    return pytest.mark.parametrize(("group", "name"), names)


@_all(seq2seq_cases.GRAPHS)
def test_graph(tf, group, name):
    """Nodes, static shapes and what is said."""
    expected = GOLDEN["graphs"][group][name]
    built = seq2seq_cases.GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"


@_all(seq2seq_cases.GRAPHS)
def test_values(tf, group, name):
    """Three steps, of training where there is something to train."""
    expected = GOLDEN["graphs"][group][name]
    built = seq2seq_cases.GRAPHS[group][name](tf)
    found = seq2seq_cases.run(tf, *built)
    for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
        # Sums of both signs, of which three updates are made.
        difference = recording.value_difference(want, recording.describe_value(value), rtol=1e-4)
        assert difference is None, f"value {i}, {fetch.name}: {difference}"


@_all(seq2seq_cases.MISTAKES)
def test_mistake(tf, group, name):
    """The case raises TensorFlow's exception with its text.

    Where TensorFlow has rewritten a layer's `call`, it puts a traceback around the text.
    """
    expected = GOLDEN["mistakes"][group][name]
    if expected["text"].startswith("in converted code:"):
        expected["text"] = expected["text"].rpartition(f"    {expected['class']}: ")[2].rstrip()
    found = recording.raised(tf, seq2seq_cases.MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"


def test_viterbi_decode(tf):
    """In NumPy, it finds what `crf_decode` finds."""
    score = np.random.RandomState(0).randn(4, 3).astype("f")
    transitions = np.random.RandomState(1).randn(3, 3).astype("f")
    tags, best = tf.contrib.crf.viterbi_decode(score, transitions)
    found = tf.contrib.crf.crf_decode(
        tf.constant(score[None]), tf.constant(transitions), tf.constant([4])
    )
    with tf.Session() as session:
        expected_tags, expected_best = session.run(found)
    assert tags == expected_tags[0].tolist()
    np.testing.assert_allclose(best, expected_best[0], rtol=1e-6)


def test_modules(tf):
    """What scripts take from TensorFlow's internal modules."""
    from tensorflow.contrib.crf.python.ops import crf
    from tensorflow.contrib.legacy_seq2seq.python.ops import seq2seq
    from tensorflow.contrib.seq2seq.python.ops import (
        attention_wrapper,
        basic_decoder,
        beam_search_decoder,
        beam_search_ops,
        decoder,
        helper,
        loss,
    )

    assert issubclass(attention_wrapper.LuongAttention, attention_wrapper._BaseAttentionMechanism)
    assert attention_wrapper._maybe_mask_score and attention_wrapper._compute_attention
    assert basic_decoder.BasicDecoder is tf.contrib.seq2seq.BasicDecoder
    assert beam_search_decoder._beam_search_step and beam_search_ops.gather_tree
    assert decoder._transpose_batch_time and decoder._create_zero_outputs
    assert helper._unstack_ta and helper.categorical_sample and loss.sequence_loss
    assert crf.crf_decode is tf.contrib.crf.crf_decode
    assert seq2seq._extract_argmax_and_embed and seq2seq.Linear


def test_gradient_of_inputs_that_a_branch_reads(tf):
    """As `TrainingHelper` does: at the end of the sequences it reads nothing."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    inputs = tf.TensorArray(tf.float32, 3).unstack(x)
    end = tf.placeholder(tf.int32, [])

    def step(i, total):
        read = tf.cond(i < end, lambda: inputs.read(i) * 2.0, lambda: tf.zeros([2]))
        return i + 1, total + read

    _, total = tf.while_loop(lambda i, _: i < 3, step, [0, tf.zeros([2])])
    (grad,) = tf.gradients(total, x)
    with tf.Session() as session:
        found = session.run([total, grad], {end: 2})
    assert found[0].tolist() == [8.0, 12.0]
    assert found[1].tolist() == [[2.0, 2.0], [2.0, 2.0], [0.0, 0.0]]
