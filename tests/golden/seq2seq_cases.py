"""Nets from sequence to sequence: decoders, attention, beam search, and random fields of tags.

Every function takes the `tensorflow` module. Those in `GRAPHS` record a graph and return
`(fetches, feeds, said)`, or these and what trains; `MISTAKES` are compared by the exception that
they raise.
"""

from __future__ import annotations

import numpy as np
from legacy_seq2seq_cases import _LEGACY, SIZE, UNITS, WORDS, _legacy, buckets
from rnn_cases import STEPS, _flat, _inputs, _nothing, _text, _trained

BATCH, TIME = 4, 3
LENGTHS = [3, 1, 2, 3]
EMPTY = [3, 1, 0, 2]
BEAM = 3
# Turns of a loop that TensorFlow runs at once draw from one generator in any order.
ONE_BY_ONE = {"parallel_iterations": 1}


def _s(tf):
    return tf.contrib.seq2seq


def _embedding(tf):
    return tf.get_variable("embedding", [WORDS, SIZE])


def _decoded(tf, decoder, feeds, *said, **kwargs):
    """A training graph of what a decoder gives."""
    outputs, state, lengths = _s(tf).dynamic_decode(decoder, **kwargs)
    floats = [x for x in _flat([outputs, state]) if getattr(x, "dtype", None) == tf.float32]
    fetches, feeds, _, train = _trained(tf, floats, feeds)
    others = [x for x in _flat([outputs, state, lengths]) if getattr(x, "dtype", 0) != tf.float32]
    others = [x for x in others if isinstance(x, tf.Tensor)]
    said = [_text(x) for x in [outputs, state, lengths, tf.global_variables(), *said]]
    return fetches + others, feeds, said, train


def _ran(tf, decoder, *said, **kwargs):
    """A graph of what a decoder gives without training."""
    found = _s(tf).dynamic_decode(decoder, **kwargs)
    fetches = [x for x in _flat(found) if isinstance(x, tf.Tensor)]
    said = [_text(x) for x in [_tensors(tf, found), tf.global_variables(), *said]]
    return fetches, _nothing, said


def _tensors(tf, value):
    """A structure with TensorArrays (which print differently each time) by their shapes."""
    if isinstance(value, tf.TensorArray):
        return str(value.element_shape)
    if isinstance(value, (list, tuple)):
        return [_tensors(tf, x) for x in value]
    return value


def _start(tf, cell, batch=BATCH):
    return cell.zero_state(batch, tf.float32)


# ---- decoders and helpers ----------


def training(tf):
    tf.set_random_seed(1)
    x, feeds = _inputs(tf)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    helper = _s(tf).TrainingHelper(x, EMPTY)
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell))
    said = [helper.inputs, helper.sequence_length, helper.batch_size, helper.sample_ids_dtype]
    return _decoded(tf, decoder, feeds, *said)


def training_imputed(tf):
    """A layer after an LSTM, time first, finished sequences left alone, a limit."""
    tf.set_random_seed(2)
    x, feeds = _inputs(tf, shape=(TIME, None, SIZE))
    cell = tf.nn.rnn_cell.LSTMCell(UNITS)
    lengths = tf.placeholder_with_default(EMPTY, [None])
    helper = _s(tf).TrainingHelper(x, lengths, time_major=True, name="mine")
    layer = tf.layers.Dense(WORDS, name="words")
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell), output_layer=layer)
    return _decoded(
        tf, decoder, feeds, decoder.output_size, decoder.output_dtype, output_time_major=True,
        impute_finished=True, maximum_iterations=2, swap_memory=True, parallel_iterations=4,
        scope="net",
    )  # fmt: skip


def greedy(tf):
    tf.set_random_seed(3)
    cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS)
    helper = _s(tf).GreedyEmbeddingHelper(_embedding(tf), [1, 2, 3], 0)
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell, 3), tf.layers.Dense(WORDS))
    return _ran(tf, decoder, maximum_iterations=6, impute_finished=True)


def greedy_function(tf):
    """Ids from a function, a batch that is fed, and a limit that is a tensor."""
    tf.set_random_seed(4)
    table = tf.random_normal([WORDS, SIZE], seed=3)
    start = tf.placeholder_with_default([4, 2], [None])
    cell = tf.nn.rnn_cell.GRUCell(WORDS)
    helper = _s(tf).GreedyEmbeddingHelper(lambda ids: tf.gather(table, ids), start, tf.constant(2))
    state = cell.zero_state(tf.size(start), tf.float32)
    decoder = _s(tf).BasicDecoder(cell, helper, state)
    return _ran(tf, decoder, maximum_iterations=tf.reduce_sum(start), output_time_major=True)


def sampled(tf):
    tf.set_random_seed(5)
    cell = tf.nn.rnn_cell.GRUCell(WORDS)
    helper = _s(tf).SampleEmbeddingHelper(
        _embedding(tf), [1, 2, 3], 0, softmax_temperature=0.5, seed=7
    )
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell, 3))
    return _ran(tf, decoder, maximum_iterations=5)


def sampled_plainly(tf):
    tf.set_random_seed(6)
    cell = tf.nn.rnn_cell.GRUCell(WORDS)
    helper = _s(tf).SampleEmbeddingHelper(_embedding(tf), [1, 2, 3], 0)
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell, 3))
    return _ran(tf, decoder, maximum_iterations=5)


def scheduled(tf):
    tf.set_random_seed(7)
    x, feeds = _inputs(tf)
    cell = tf.nn.rnn_cell.GRUCell(WORDS)
    helper = _s(tf).ScheduledEmbeddingTrainingHelper(
        x, LENGTHS, _embedding(tf), 0.5, seed=3, scheduling_seed=4
    )
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell))
    return _decoded(tf, decoder, feeds, **ONE_BY_ONE)


def scheduled_function(tf):
    tf.set_random_seed(8)
    x, feeds = _inputs(tf)
    table = _embedding(tf)
    cell = tf.nn.rnn_cell.GRUCell(WORDS)
    helper = _s(tf).ScheduledEmbeddingTrainingHelper(
        x, LENGTHS, lambda ids: tf.nn.embedding_lookup(table, ids), tf.constant(0.7), seed=3
    )
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell))
    return _decoded(tf, decoder, feeds, impute_finished=True, **ONE_BY_ONE)


def scheduled_outputs(tf):
    tf.set_random_seed(9)
    x, feeds = _inputs(tf)
    cell = tf.nn.rnn_cell.GRUCell(SIZE)
    helper = _s(tf).ScheduledOutputTrainingHelper(x, LENGTHS, 0.5, seed=3)
    return _decoded(tf, _s(tf).BasicDecoder(cell, helper, _start(tf, cell)), feeds, **ONE_BY_ONE)


def scheduled_outputs_auxiliary(tf):
    tf.set_random_seed(10)
    x, feeds = _inputs(tf)
    cell = tf.nn.rnn_cell.GRUCell(SIZE)
    helper = _s(tf).ScheduledOutputTrainingHelper(
        x, LENGTHS, 0.5, seed=3, auxiliary_inputs=x[:, :, :1] * 2.0
    )
    return _decoded(tf, _s(tf).BasicDecoder(cell, helper, _start(tf, cell)), feeds, **ONE_BY_ONE)


def scheduled_outputs_function(tf):
    tf.set_random_seed(11)
    x, feeds = _inputs(tf)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    layer = tf.layers.Dense(SIZE, use_bias=False)
    helper = _s(tf).ScheduledOutputTrainingHelper(
        x, LENGTHS, 0.6, seed=5, next_inputs_fn=layer, auxiliary_inputs=x[:, :, :1]
    )
    return _decoded(tf, _s(tf).BasicDecoder(cell, helper, _start(tf, cell)), feeds, **ONE_BY_ONE)


def custom(tf):
    tf.set_random_seed(12)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    lengths = tf.constant([2, 4])

    def next_inputs(time, outputs, state, sample_ids):
        return time + 1 >= lengths, sample_ids * 2.0, state

    helper = _s(tf).CustomHelper(
        lambda: (tf.zeros([2], tf.bool), tf.ones([2, UNITS])),
        lambda time, outputs, state: outputs + state,
        next_inputs,
        sample_ids_shape=[UNITS],
        sample_ids_dtype=tf.float32,
    )
    return _ran(tf, _s(tf).BasicDecoder(cell, helper, _start(tf, cell, 2)))


def inference(tf):
    tf.set_random_seed(13)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    for next_inputs in (None, lambda sample: sample - 1.0):
        helper = _s(tf).InferenceHelper(
            sample_fn=tf.nn.softmax, sample_shape=[UNITS], sample_dtype=tf.float32,
            start_inputs=tf.ones([2, UNITS]), end_fn=lambda x: x[:, 0] < 0.0,
            next_inputs_fn=next_inputs,
        )  # fmt: skip
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            found = _ran(
                tf, _s(tf).BasicDecoder(cell, helper, _start(tf, cell, 2)), maximum_iterations=3
            )
    return found


def own_decoder(tf):
    """A decoder of the user's with outputs of several dtypes, inside a loop."""

    class Mine(_s(tf).Decoder):
        batch_size = property(lambda self: 2)
        output_size = property(lambda self: (tf.TensorShape([]), {"a": tf.TensorShape([2])}))
        output_dtype = property(lambda self: (tf.int32, {"a": tf.float32}))

        def initialize(self, name=None):
            return tf.zeros([2], tf.bool), tf.ones([2]), tf.zeros([2, 2])

        def step(self, time, inputs, state, name=None):
            state = state + tf.expand_dims(inputs, 1)
            outputs = (tf.fill([2], time), {"a": state})
            return outputs, state, inputs * 2.0, state[:, 0] > tf.constant([2.0, 8.0])

    def body(i, total):
        outputs, state, lengths = _s(tf).dynamic_decode(Mine())
        return i + 1, total + tf.reduce_sum(state) + tf.cast(tf.reduce_sum(lengths), tf.float32)

    _, total = tf.while_loop(lambda i, _: i < 2, body, [0, 0.0])
    found = _ran(tf, Mine())
    return found[0] + [total], found[1], found[2] + [str(total)]


# ---- attention ----------


def _memory(tf, lengths=LENGTHS):
    memory = tf.placeholder_with_default(
        np.linspace(-1, 1, BATCH * TIME * 2).reshape(BATCH, TIME, 2).astype("f"), [None, TIME, 2]
    )
    return memory, lengths


def _attending(tf, mechanism, seed=20, mechanisms=None, **kwargs):
    tf.set_random_seed(seed)
    x, feeds = _inputs(tf)
    memory, lengths = _memory(tf)
    made = mechanism(_s(tf), memory, lengths)
    cell = _s(tf).AttentionWrapper(tf.nn.rnn_cell.GRUCell(UNITS), made, **kwargs)
    helper = _s(tf).TrainingHelper(x, LENGTHS)
    decoder = _s(tf).BasicDecoder(cell, helper, _start(tf, cell))
    outputs, state, lengths = _s(tf).dynamic_decode(decoder)
    history = [
        ta.stack() for ta in _flat(state.alignment_history) if isinstance(ta, tf.TensorArray)
    ]
    wanted = [outputs.rnn_output, state.cell_state, state.alignments]
    fetches, feeds, said, train = _trained(tf, wanted, feeds, tf.global_variables(), cell.name)
    return fetches + history, feeds, said + [_text(history)], train


_ATTENTION = {
    "luong": (lambda s, m, n: s.LuongAttention(UNITS, m), {}),
    "luong_scaled": (
        lambda s, m, n: s.LuongAttention(UNITS, m, n, scale=True, probability_fn=s.hardmax),
        {"attention_layer_size": 4, "alignment_history": True},
    ),
    "bahdanau": (
        lambda s, m, n: s.BahdanauAttention(4, m, n), {"output_attention": False},
    ),
    "bahdanau_normalized": (
        lambda s, m, n: s.BahdanauAttention(
            4, m, n, normalize=True, score_mask_value=-3.0, name="mine",
            custom_key_value_fn=lambda k, v: (k * 2.0, v + 1.0),
        ),
        {"attention_layer_size": 4, "cell_input_fn": lambda x, a: x * 2.0, "name": "looking"},
    ),
    "bahdanau_monotonic": (
        lambda s, m, n: s.BahdanauMonotonicAttention(4, m, n, normalize=True), {},
    ),
    "bahdanau_monotonic_noise": (
        lambda s, m, n: s.BahdanauMonotonicAttention(
            4, m, n, sigmoid_noise=0.5, sigmoid_noise_seed=3, score_bias_init=-0.5, mode="recursive"
        ),
        {},
    ),
    "luong_monotonic": (
        lambda s, m, n: s.LuongMonotonicAttention(UNITS, m, n, scale=True), {},
    ),
    "luong_monotonic_hard": (
        lambda s, m, n: s.LuongMonotonicAttention(UNITS, m, n, mode="hard"), {},
    ),
    "several": (
        lambda s, m, n: [s.LuongAttention(UNITS, m, n), s.BahdanauAttention(4, m)],
        {"attention_layer_size": [4, 2], "alignment_history": True},
    ),
}  # fmt: skip


def attention_layer(tf):
    return _attending(
        tf,
        lambda s, m, n: s.LuongAttention(UNITS, m, n),
        attention_layer=tf.layers.Dense(4, activation=tf.tanh, use_bias=True),
    )


def attention_function(tf):
    def attend(mechanism, output, state, layer):
        alignments, next_state = mechanism(output, state)
        seen = output[:, :2] * tf.reduce_sum(alignments * mechanism.values[:, :, 0])
        return seen, alignments, next_state

    return _attending(
        tf, lambda s, m, n: s.LuongAttention(UNITS, m, n), attention_fn=attend,
        cell_input_fn=lambda x, a: x,
    )  # fmt: skip


def attention_parts(tf):
    """The parts of a mechanism, a state that is cloned, and a given first state."""
    tf.set_random_seed(21)
    memory, _ = _memory(tf)
    mechanism = _s(tf).LuongAttention(UNITS, memory)
    state = tf.ones([BATCH, UNITS])
    cell = _s(tf).AttentionWrapper(
        tf.nn.rnn_cell.GRUCell(UNITS), mechanism, initial_cell_state=state, alignment_history=True
    )
    first = cell.zero_state(BATCH, tf.float32).clone(cell_state=state * 2.0)
    y, last = cell(tf.ones([BATCH, 2]), first)
    said = [mechanism.batch_size, mechanism.alignments_size, mechanism.state_size, mechanism.keys]
    said += [mechanism.values, mechanism.query_layer, mechanism.memory_layer.name, mechanism.dtype]
    said += [cell.state_size.cell_state, cell.state_size.attention, cell.output_size, first[:4]]
    return [y] + _flat(last[:4]), _nothing, [_text(x) for x in said]


def functions(tf):
    """hardmax, safe_cumprod and monotonic_attention alone, with gradients."""
    x = tf.placeholder_with_default(
        np.array([[0.2, 0.9, 0.4], [0.5, 0.0, 1.0]], "f"), [None, 3], name="x"
    )
    before = tf.constant([[1.0, 0, 0], [0.5, 0.3, 0.2]])
    found = [_s(tf).hardmax(x), _s(tf).hardmax(tf.transpose(x), name="hard")]
    found += [_s(tf).safe_cumprod(x, axis=1), _s(tf).safe_cumprod(x, exclusive=True)]
    for mode in ("recursive", "parallel", "hard"):
        p = tf.round(x) if mode == "hard" else x * 0.9
        found.append(_s(tf).monotonic_attention(p, before, mode))
    found += tf.gradients(found[2:6], x)
    return found, _nothing, [_text(found)]


def tiled(tf):
    x = tf.constant([[1, 2], [3, 4]])
    y = tf.placeholder_with_default(["a", "b"], [None])
    found = _flat(_s(tf).tile_batch((x, [y]), 3)) + [_s(tf).tile_batch(x, 2, name="mine")]
    return found, _nothing, [_text(found)]


# ---- beam search ----------


def beam(tf):
    tf.set_random_seed(30)
    cell = tf.nn.rnn_cell.LSTMCell(UNITS)
    decoder = _s(tf).BeamSearchDecoder(
        cell, _embedding(tf), [1, 2], 0, _start(tf, cell, 2 * BEAM), BEAM,
        output_layer=tf.layers.Dense(WORDS),
    )  # fmt: skip
    said = [decoder.batch_size, decoder.output_size, decoder.output_dtype]
    return _ran(tf, decoder, *said, maximum_iterations=5)


def beam_ends(tf):
    """A net that likes to end, without a limit; ids from a function."""
    tf.set_random_seed(31)
    table = _embedding(tf)
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    start = tf.placeholder_with_default([1, 2, 3], [None])
    layer = tf.layers.Dense(
        WORDS,
        bias_initializer=tf.constant_initializer([1.0, 0, 0, 0, 0]),
        kernel_initializer=tf.random_normal_initializer(stddev=2.0),
    )
    decoder = _s(tf).BeamSearchDecoder(
        cell, lambda ids: tf.nn.embedding_lookup(table, ids), start, tf.constant(0),
        cell.zero_state(tf.size(start) * BEAM, tf.float32), BEAM, output_layer=layer,
        length_penalty_weight=0.7,
    )  # fmt: skip
    return _ran(tf, decoder, output_time_major=True)


def _beam_attending(tf, mechanism, history=False, multi=False, **kwargs):
    """Trains an encoder and a decoder with attention, whose variables a beam search then uses."""
    tf.set_random_seed(32)
    s = _s(tf)
    source = tf.constant([[1, 2, 3], [4, 1, 0], [2, 2, 1]])
    if history:
        # TensorArrays of elements of a known shape are not reordered.
        source = tf.placeholder_with_default(source, [None, None])
    target = tf.constant([[2, 3, 0], [1, 0, 0], [4, 2, 0]])
    source_lengths, target_lengths = tf.constant([3, 2, 3]), tf.constant([3, 2, 3])
    table = _embedding(tf)
    encoded, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(UNITS), tf.nn.embedding_lookup(table, source), source_lengths,
        dtype=tf.float32, scope="encoder",
    )  # fmt: skip
    layer = tf.layers.Dense(WORDS, name="words")

    def net(memory, lengths, reuse=None):
        with tf.variable_scope("decoder", reuse=reuse):
            made = mechanism(s, memory, lengths)
            return s.AttentionWrapper(
                tf.nn.rnn_cell.GRUCell(UNITS), made, attention_layer_size=[3, 3] if multi else 3,
                alignment_history=history and bool(reuse),
            )  # fmt: skip

    cell = net(encoded, source_lengths)
    inputs = tf.nn.embedding_lookup(table, tf.concat([tf.ones([3, 1], tf.int32), target], 1)[:, :3])
    first = cell.zero_state(3, tf.float32).clone(cell_state=state)
    decoder = s.BasicDecoder(cell, s.TrainingHelper(inputs, target_lengths), first, layer)
    outputs, _, _ = s.dynamic_decode(decoder, impute_finished=True, scope="decoder")
    weights = tf.sequence_mask(target_lengths, dtype=tf.float32)
    loss = s.sequence_loss(outputs.rnn_output, target, weights)
    # Gradients of attention are about 1e-7, what is left of larger ones: by a smaller epsilon Adam
    # would make weights of their rounding.
    train = tf.train.AdamOptimizer(0.1, epsilon=1e-3).minimize(loss)

    memory, lengths, state = s.tile_batch((encoded, source_lengths, state), BEAM)
    cell = net(memory, lengths, reuse=True)
    first = cell.zero_state(3 * BEAM, tf.float32).clone(cell_state=state)
    decoder = s.BeamSearchDecoder(
        cell, table, tf.ones([3], tf.int32), 0, first, BEAM, layer, **kwargs
    )
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        found = s.dynamic_decode(decoder, maximum_iterations=4, scope="decoder")
    fetches = [x for x in _flat(found) if isinstance(x, tf.Tensor)]
    return [loss] + fetches, _nothing, [_text(_tensors(tf, found))], train


def beam_bahdanau(tf):
    return _beam_attending(tf, lambda s, m, n: s.BahdanauAttention(UNITS, m, n))


def beam_luong_history(tf):
    """The history of the alignments is put in the order of the beams; penalties."""
    return _beam_attending(
        tf, lambda s, m, n: s.LuongAttention(UNITS, m, n), history=True,
        length_penalty_weight=1.0, coverage_penalty_weight=0.3,
    )  # fmt: skip


def beam_several(tf):
    return _beam_attending(
        tf,
        lambda s, m, n: [s.LuongAttention(UNITS, m, n), s.BahdanauAttention(UNITS, m, n)],
        history=True, multi=True, coverage_penalty_weight=0.2, reorder_tensor_arrays=False,
    )  # fmt: skip


# ---- the loss ----------


def losses(tf):
    logits = tf.placeholder_with_default(
        np.linspace(-2, 3, 2 * 3 * 4).reshape(2, 3, 4).astype("f") ** 2, [None, 3, 4]
    )
    targets = tf.constant([[1, 2, 3], [0, 0, 1]])
    weights = tf.constant([[1.0, 0.5, 0], [2, 0, 0]])
    loss = _s(tf).sequence_loss
    found = []
    for time, batch in ((True, True), (True, False), (False, True), (False, False)):
        found.append(loss(logits, targets, weights, time, batch))
        if time or batch:
            found.append(loss(logits, targets, weights, False, False, time, batch))

    def own(labels, logits):
        return tf.reduce_sum(logits, 1) * tf.cast(labels, tf.float32)

    found.append(loss(logits, targets, weights, softmax_loss_function=own, name="own"))
    found += tf.gradients(found, logits)
    return found, _nothing, [_text(found)]


# ---- random fields ----------


def _tagged(tf, time=TIME, tags=3, lengths=EMPTY, batch=None):
    x = tf.placeholder(tf.float32, [batch, time, tags], name="x")
    time = time or TIME

    def feeds(step):
        return {x: np.random.RandomState(step).randn(BATCH, time, tags)}

    indices = np.random.RandomState(3).randint(0, tags, (BATCH, time)).astype(np.int32)
    indices = tf.placeholder_with_default(indices, x.shape[:2])
    return x, feeds, indices, tf.constant(lengths)


def _crf(tf, time, dtype=None, batch=None):
    tf.set_random_seed(40)
    x, feeds, indices, lengths = _tagged(tf, time, batch=batch)
    if dtype:
        indices, lengths = tf.cast(indices, dtype), tf.cast(lengths, dtype)
    crf = tf.contrib.crf
    likelihood, transitions = crf.crf_log_likelihood(x, indices, lengths)
    tags, score = crf.crf_decode(x, transitions, lengths)
    train = None
    if time != 1:  # There are no transitions then.
        loss = tf.reduce_mean(-likelihood)
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    fetches = [likelihood, tags, score]
    return fetches, feeds, [_text(fetches), _text(transitions)], train


def crf(tf):
    return _crf(tf, TIME)


def crf_long(tf):
    return _crf(tf, TIME, tf.int64, BATCH)


def crf_one_step(tf):
    return _crf(tf, 1)


def crf_unknown_time(tf):
    return _crf(tf, None)


def crf_multitag(tf):
    tf.set_random_seed(41)
    crf = tf.contrib.crf
    params = tf.get_variable("params", [3, 3])
    found = []
    for time in (TIME, 1):
        x = tf.constant(np.random.RandomState(5).randn(BATCH, time, 3), tf.float32)
        bitmap = tf.constant(np.random.RandomState(6).rand(BATCH, time, 3) > 0.3)
        bitmap = tf.logical_or(bitmap, tf.constant([True, False, False]))
        found.append(crf.crf_multitag_sequence_score(x, bitmap, tf.constant([3, 1, 2, 3]), params))
    x, _, indices, lengths = _tagged(tf)
    x = tf.ones([BATCH, TIME, 3])
    found.append(crf.crf_unary_score(indices, lengths, x))
    found.append(crf.crf_binary_score(indices, lengths, params))
    found.append(tf.gradients(found[0], params)[0])
    return found, _nothing, [_text(found)]


def _collect(*functions):
    return {f.__name__: f for f in functions}


def _attention_case(name):
    return lambda tf: _attending(tf, _ATTENTION[name][0], **_ATTENTION[name][1])


GRAPHS = {
    "decoders": _collect(
        training, training_imputed, greedy, greedy_function, sampled, sampled_plainly, scheduled,
        scheduled_function, scheduled_outputs, scheduled_outputs_auxiliary,
        scheduled_outputs_function, custom, inference, own_decoder,
    ),
    "attention": dict(
        {name: _attention_case(name) for name in _ATTENTION},
        **_collect(attention_layer, attention_function, attention_parts, functions, tiled)
    ),
    "beam": _collect(beam, beam_ends, beam_bahdanau, beam_luong_history, beam_several),
    "loss": _collect(losses),
    "crf": _collect(crf, crf_long, crf_one_step, crf_unknown_time, crf_multitag),
    "legacy": dict(_LEGACY, **_collect(buckets)),
}  # fmt: skip


# ---- mistakes ----------


def _x(tf, *shape):
    return tf.placeholder(tf.float32, shape)


def _gru(tf):
    return tf.nn.rnn_cell.GRUCell(2)


def _wrapper(tf, mechanism=None, **kwargs):
    if mechanism is None:
        mechanism = _s(tf).LuongAttention(2, tf.ones([2, 3, 2]))
    return _s(tf).AttentionWrapper(_gru(tf), mechanism, **kwargs)


def _search(tf, start=(1, 2), end=0, state=None, **kwargs):
    state = tf.zeros([2 * BEAM, 2]) if state is None else state
    return _s(tf).BeamSearchDecoder(
        _gru(tf), tf.ones([WORDS, 2]), list(start), end, state, BEAM, **kwargs
    )


def _run(tf, fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(fetches, feeds)


def _empty_memory(tf):
    lengths = tf.placeholder(tf.int32, [2])
    cell = _wrapper(tf, _s(tf).LuongAttention(2, tf.ones([2, 3, 2]), lengths))
    y, _ = cell(tf.ones([2, 2]), cell.zero_state(2, tf.float32))
    _run(tf, y, {lengths: [1, 0]})


def _wrong_batch(tf):
    memory = tf.placeholder(tf.float32, [None, 3, 2])
    cell = _wrapper(tf, _s(tf).LuongAttention(2, memory))
    state = cell.zero_state(2, tf.float32)
    _run(tf, state.cell_state, {memory: np.ones([4, 3, 2])})


MISTAKES = {
    "decoders": {
        "no decoder": lambda tf: _s(tf).dynamic_decode(3),
        "limit": lambda tf: _s(tf).dynamic_decode(_search(tf), maximum_iterations=[3]),
        "no cell": lambda tf: _s(tf).BasicDecoder(3, 3, 3),
        "no helper": lambda tf: _s(tf).BasicDecoder(_gru(tf), 3, 3),
        "no layer": lambda tf: _s(tf).BasicDecoder(
            _gru(tf), _s(tf).GreedyEmbeddingHelper(tf.ones([3, 2]), [1], 2), 3, 3
        ),
        "lengths": lambda tf: _s(tf).TrainingHelper(_x(tf, 2, 3, 2), 3),
        "probability": lambda tf: _s(tf).ScheduledEmbeddingTrainingHelper(
            _x(tf, 2, 3, 2), [1, 2], None, [[0.5]]
        ),
        "output probability": lambda tf: _s(tf).ScheduledOutputTrainingHelper(
            _x(tf, 2, 3, 2), [1, 2], [[0.5]]
        ),
        "start tokens": lambda tf: _s(tf).GreedyEmbeddingHelper(tf.ones([3, 2]), 1, 2),
        "end token": lambda tf: _s(tf).GreedyEmbeddingHelper(tf.ones([3, 2]), [1], [2]),
        "batch of custom": lambda tf: _s(tf).CustomHelper(None, None, None).batch_size,
        "outputs": lambda tf: _s(tf)
        .GreedyEmbeddingHelper(tf.ones([3, 2]), [1], 2)
        .sample(0, 3, None),
        "sampled outputs": lambda tf: _s(tf)
        .SampleEmbeddingHelper(tf.ones([3, 2]), [1], 2)
        .sample(0, 3, None),
    },
    "attention": {
        "memory's sizes": lambda tf: _s(tf).LuongAttention(2, _x(tf, 2, 3, None)),
        "units": lambda tf: _s(tf).LuongAttention(2, tf.ones([2, 3, 2]))(tf.ones([2, 3]), None),
        "mode": lambda tf: _s(tf).monotonic_attention([[1.0]], [[1.0]], "soft"),
        "no mechanism": lambda tf: _wrapper(tf, 3),
        "no mechanisms": lambda tf: _wrapper(tf, [3]),
        "no cell": lambda tf: _s(tf).AttentionWrapper(3, 3),
        "input function": lambda tf: _wrapper(tf, cell_input_fn=3),
        "size and layer": lambda tf: _wrapper(tf, attention_layer_size=3, attention_layer=3),
        "sizes": lambda tf: _wrapper(tf, attention_layer_size=[3, 2]),
        "layers": lambda tf: _wrapper(tf, attention_layer=[3, 2]),
        "state": lambda tf: _wrapper(tf)(tf.ones([2, 2]), (tf.ones([2, 2]),)),
        "clone": lambda tf: _wrapper(tf)
        .zero_state(2, tf.float32)
        .clone(cell_state=tf.ones([3, 2])),
        "batch": lambda tf: _wrapper(tf).zero_state(4, tf.float32),
        "initial state's batch": lambda tf: _wrapper(tf, initial_cell_state=tf.ones([3, 2])),
        "batch at run time": _wrong_batch,
        "empty memory": _empty_memory,
    },
    "beam": {
        "no cell": lambda tf: _s(tf).BeamSearchDecoder(3, None, [1], 0, None, 2),
        "no layer": lambda tf: _search(tf, output_layer=3),
        "start tokens": lambda tf: _s(tf).BeamSearchDecoder(
            _gru(tf), None, 1, 0, tf.zeros([BEAM, 2]), BEAM
        ),
        "end token": lambda tf: _search(tf, end=[0]),
        "state": lambda tf: _search(tf, state=tf.zeros([2, 3])),
        "state's rank": lambda tf: _search(tf, state=tf.placeholder(tf.float32)),
        "coverage": lambda tf: _search(tf, coverage_penalty_weight=0.1).initialize(),
        "rank of tile_batch": lambda tf: _s(tf).tile_batch(tf.constant(1), 2),
        "unknown rank of tile_batch": lambda tf: _s(tf).tile_batch(tf.placeholder(tf.int32), 2),
    },
    "loss": {
        "logits": lambda tf: _s(tf).sequence_loss(_x(tf, 2, 3), _x(tf, 2, 3), _x(tf, 2, 3)),
        "targets": lambda tf: _s(tf).sequence_loss(_x(tf, 2, 3, 4), _x(tf, 2), _x(tf, 2, 3)),
        "weights": lambda tf: _s(tf).sequence_loss(_x(tf, 2, 3, 4), _x(tf, 2, 3), _x(tf, 2)),
        "time": lambda tf: _s(tf).sequence_loss(
            _x(tf, 2, 3, 4), _x(tf, 2, 3), _x(tf, 2, 3), True, True, True
        ),
        "batch": lambda tf: _s(tf).sequence_loss(
            _x(tf, 2, 3, 4), _x(tf, 2, 3), _x(tf, 2, 3), False, True, False, True
        ),
    },
    "legacy": {
        "no inputs": lambda tf: _legacy(tf).attention_decoder([], None, None, None),
        "no heads": lambda tf: _legacy(tf).attention_decoder([1], None, None, None, num_heads=0),
        "attention's size": lambda tf: _legacy(tf).attention_decoder(
            [_x(tf, 2, 2)], None, _x(tf, 2, 3, None), _gru(tf)
        ),
        "input's size": lambda tf: _legacy(tf).attention_decoder(
            [_x(tf, 2, None)], tf.ones([2, 2]), tf.ones([2, 3, 2]), _gru(tf)
        ),
        "projection": lambda tf: _legacy(tf).embedding_rnn_decoder(
            [], None, None, 3, 2, output_projection=(tf.ones([2, 4]), tf.ones([3]))
        ),
        "biases": lambda tf: _legacy(tf).embedding_attention_decoder(
            [], None, None, _gru(tf), 3, 2, output_projection=(tf.ones([2, 3]), tf.ones([4]))
        ),
        "enc_cell": lambda tf: _legacy(tf).one2many_rnn_seq2seq([], {}, 3, {}, 2, {}, 2),
        "keys": lambda tf: _legacy(tf).one2many_rnn_seq2seq([], {}, _gru(tf), {"a": 1}, 2, {}, 2),
        "dec_cell": lambda tf: _legacy(tf).one2many_rnn_seq2seq(
            [], {"a": 1}, _gru(tf), {"a": 1}, 2, {}, 2
        ),
        "lists": lambda tf: _legacy(tf).sequence_loss_by_example([1], [1, 2], [1]),
        "encoder's bucket": lambda tf: _legacy(tf).model_with_buckets([], [], [], [], [(1, 2)], 3),
        "targets' bucket": lambda tf: _legacy(tf).model_with_buckets([1], [], [], [], [(1, 2)], 3),
        "weights' bucket": lambda tf: _legacy(tf).model_with_buckets(
            [1], [], [1, 2], [], [(1, 2)], 3
        ),
    },
}  # fmt: skip


def run(tf, fetches, feeds, said, train=None):
    """Runs a case: in each step what is fetched, and what trains.

    Returns:
        (fetch, value) pairs, for every step and at last for the variables.
    """
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(STEPS):
            # Apart: TensorFlow may read a variable before or after an update in the same run.
            found += zip(fetches, session.run(fetches, feeds(step)))
            if train is not None:
                session.run(train, feeds(step))
        variables = tf.global_variables()
        found += zip(variables, session.run(variables))
    return found
