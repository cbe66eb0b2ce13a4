"""Nets of tf.contrib.legacy_seq2seq, as cases of `seq2seq_cases`."""

from __future__ import annotations

import numpy as np
from rnn_cases import _flat, _nothing, _text, _trained

WORDS, UNITS, SIZE = 5, 3, 2


def _legacy(tf):
    return tf.contrib.legacy_seq2seq


def _sequences(tf, size=SIZE, count=2, name="x"):
    return [tf.placeholder_with_default(
        np.random.RandomState(i + count).randn(2, size).astype("f"), [None, size], name=name
    ) for i in range(count)]  # fmt: skip


def _symbols(tf, count, batch=2):
    return [
        tf.placeholder_with_default(
            np.random.RandomState(i + 10 * count).randint(0, WORDS, [batch]).astype("i"), [None]
        )
        for i in range(count)
    ]


def _cell(tf, lstm=False):
    return tf.nn.rnn_cell.LSTMCell(UNITS) if lstm else tf.nn.rnn_cell.GRUCell(UNITS)


def _legacy_trained(tf, outputs, state):
    if isinstance(outputs, dict):
        outputs, state = [
            [_flat(x[key]) for key in sorted(x)] for x in (outputs, state)
        ]  # fmt: skip
    return _trained(tf, [outputs, state], _nothing, tf.global_variables())


def _legacy_case(make, *args, **kwargs):
    def case(tf):
        tf.set_random_seed(50)
        return _legacy_trained(tf, *make(tf, _legacy(tf), *args, **kwargs))

    return case


def _basic(tf, s, lstm=False, **kwargs):
    return s.basic_rnn_seq2seq(_sequences(tf), _sequences(tf, count=3), _cell(tf, lstm), **kwargs)


def _tied(tf, s, loop=False):
    loop_function = (lambda prev, i: prev[:, :SIZE] * float(i)) if loop else None
    return s.tied_rnn_seq2seq(_sequences(tf), _sequences(tf), _cell(tf), loop_function)


def _feed(tf, feed_previous):
    if feed_previous == "tensor":
        return tf.placeholder_with_default(True, [])
    return feed_previous


def _projection(tf):
    return (
        tf.get_variable("w", [UNITS, WORDS]),
        tf.get_variable("b", [WORDS], initializer=tf.zeros_initializer()),
    )


def _embedding_rnn(tf, s, feed=False, lstm=False, project=False, **kwargs):
    projection = _projection(tf) if project else None
    return s.embedding_rnn_seq2seq(
        _symbols(tf, 2), _symbols(tf, 3), _cell(tf, lstm), WORDS, WORDS, 2,
        output_projection=projection, feed_previous=_feed(tf, feed), **kwargs,
    )  # fmt: skip


def _embedding_tied(tf, s, feed=False, lstm=False, project=False, **kwargs):
    projection = _projection(tf) if project else None
    return s.embedding_tied_rnn_seq2seq(
        _symbols(tf, 2), _symbols(tf, 3), _cell(tf, lstm), WORDS, 2,
        output_projection=projection, feed_previous=_feed(tf, feed), **kwargs,
    )  # fmt: skip


def _embedding_attention(tf, s, feed=False, lstm=False, project=False, **kwargs):
    projection = _projection(tf) if project else None
    return s.embedding_attention_seq2seq(
        _symbols(tf, 2), _symbols(tf, 3), _cell(tf, lstm), WORDS, WORDS, 2,
        output_projection=projection, feed_previous=_feed(tf, feed), **kwargs,
    )  # fmt: skip


def _attention_decoder(tf, s, **kwargs):
    states = np.linspace(-1, 1, 24, dtype="f").reshape([2, 3, 4])
    states = tf.placeholder_with_default(states, [None, None, 4])
    cell = _cell(tf)
    return s.attention_decoder(_sequences(tf), tf.ones([2, UNITS]), states, cell, **kwargs)


def _one2many(tf, s, feed=False):
    names = ["a", "b"]
    return s.one2many_rnn_seq2seq(
        _symbols(tf, 2), {name: _symbols(tf, 2 + i) for i, name in enumerate(names)}, _cell(tf),
        {name: _cell(tf) for name in names}, WORDS, {"a": WORDS, "b": WORDS}, 2,
        feed_previous=_feed(tf, feed),
    )  # fmt: skip


_LEGACY = {
    "basic": _legacy_case(_basic),
    "basic_lstm": _legacy_case(_basic, lstm=True, scope="mine"),
    "tied": _legacy_case(_tied),
    "tied_loop": _legacy_case(_tied, loop=True),
    "embedding": _legacy_case(_embedding_rnn, lstm=True),
    "embedding_fed": _legacy_case(_embedding_rnn, feed=True, dtype="float32"),
    "embedding_either": _legacy_case(_embedding_rnn, feed="tensor", lstm=True),
    "embedding_projected": _legacy_case(_embedding_rnn, feed=True, project=True),
    "embedding_tied": _legacy_case(_embedding_tied, num_decoder_symbols=WORDS),
    "embedding_tied_fed": _legacy_case(_embedding_tied, feed=True, project=True),
    "embedding_tied_either": _legacy_case(_embedding_tied, feed="tensor", lstm=True),
    "attention_decoder": _legacy_case(_attention_decoder, num_heads=2, output_size=2),
    "attention_decoder_first": _legacy_case(_attention_decoder, initial_state_attention=True),
    "embedding_attention": _legacy_case(_embedding_attention, lstm=True),
    "embedding_attention_fed": _legacy_case(_embedding_attention, feed=True, project=True),
    "embedding_attention_either": _legacy_case(_embedding_attention, feed="tensor", num_heads=2),
    "one2many": _legacy_case(_one2many),
    "one2many_either": _legacy_case(_one2many, feed="tensor"),
}


def buckets(tf):
    tf.set_random_seed(51)
    s = _legacy(tf)
    sources, targets = _symbols(tf, 3), _symbols(tf, 4)
    weights = [tf.constant([1.0, 0.0]), tf.constant([0.0, 0.5])] + [tf.ones([2])] * 2

    def net(a, b):
        return s.embedding_attention_seq2seq(a, b, _cell(tf), WORDS, WORDS, 2)

    pairs = [(1, 2), (3, 4)]
    outputs, loss = s.model_with_buckets(sources, targets, targets, weights, pairs, net)
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        _, each = s.model_with_buckets(
            sources, targets, targets, weights, pairs, net, per_example_loss=True, name="each",
            softmax_loss_function=lambda labels, logits: logits[:, 0],
        )  # fmt: skip
    more = [s.sequence_loss(outputs[0], targets[:2], weights[:2], False, False)]
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss[1])
    fetches = loss + each + more
    return fetches, _nothing, [_text(outputs), _text(fetches), _text(tf.global_variables())], train
