"""Small nets of tf.contrib.rnn's cells, and of tf.contrib.cudnn_rnn; the form is that of
rnn_cases."""

from __future__ import annotations

from rnn_cases import (
    BATCH,
    LENGTHS,
    SIZE,
    TIME,
    UNITS,
    _collect,
    _flat,
    _inputs,
    _steps,
    _text,
    _trained,
    _x,
)


def _rnn(tf):
    return tf.contrib.rnn


def _modules(tf):
    """The module of TF that has the cells which are not public."""
    from tensorflow.contrib.rnn.python.ops import rnn_cell

    return rnn_cell


_SETTINGS = {
    "coupled": lambda c: c.CoupledInputForgetGateLSTMCell(UNITS),
    "coupled_full": lambda c: c.CoupledInputForgetGateLSTMCell(
        4, use_peepholes=True, num_proj=2, proj_clip=0.1, num_unit_shards=3, num_proj_shards=2,
        state_is_tuple=False,
    ),
    "lstm_block": lambda c: c.LSTMBlockCell(UNITS),
    "lstm_block_full": lambda c: c.LSTMBlockCell(
        UNITS, forget_bias=0.5, cell_clip=0.2, use_peephole=True, name="mine"
    ),
    "gru_block": lambda c: c.GRUBlockCell(UNITS),
    "gru_block_v2": lambda c: c.GRUBlockCellV2(UNITS, name="mine"),
    "basic_lstm_without_norm": lambda c: c.LayerNormBasicLSTMCell(
        UNITS, layer_norm=False, dropout_keep_prob=0.5, dropout_prob_seed=3
    ),
    "time_freq": lambda c: c.TimeFreqLSTMCell(
        2, use_peepholes=True, cell_clip=0.5, feature_size=2, frequency_skip=2
    ),
    "nas": lambda c: c.NASCell(UNITS),
    "nas_full": lambda c: c.NASCell(UNITS, num_proj=2, use_bias=True),
    "ugrnn": lambda c: c.UGRNNCell(UNITS),
    "intersection": lambda c: c.IntersectionRNNCell(UNITS, num_in_proj=UNITS),
    "glstm": lambda c: c.GLSTMCell(4, number_of_groups=2),
    "glstm_projected": lambda c: c.GLSTMCell(4, num_proj=2, number_of_groups=2),
    "sru": lambda c: c.SRUCell(UNITS),
    "ind_rnn": lambda c: c.IndRNNCell(UNITS),
    "indy_gru": lambda c: c.IndyGRUCell(UNITS),
    "indy_lstm": lambda c: c.IndyLSTMCell(UNITS, forget_bias=0.5),
    "attention": lambda c: c.AttentionCellWrapper(c.GRUCell(UNITS), 2),
    "attention_full": lambda c: c.AttentionCellWrapper(
        c.LSTMCell(UNITS), 2, attn_size=4, attn_vec_size=5, input_size=3
    ),
    "attention_concatenated": lambda c: c.AttentionCellWrapper(
        c.GRUCell(UNITS), 2, state_is_tuple=False
    ),
    "highway": lambda c: c.HighwayWrapper(c.GRUCell(SIZE)),
    "highway_gates": lambda c: c.HighwayWrapper(
        c.GRUCell(SIZE), couple_carry_transform_gates=False, carry_bias_init=2.0
    ),
    "input_projection": lambda c: c.InputProjectionWrapper(c.GRUCell(UNITS), 4),
    "output_projection": lambda c: c.OutputProjectionWrapper(c.GRUCell(UNITS), 4),
}  # fmt: skip
# The trainable weights of these can't be asked for.
_NO_LAYERS = ("highway", "highway_gates")


def _cell_case(name, make):
    if name in _NO_LAYERS:
        return lambda tf: _two_steps(tf, make(_rnn(tf)))
    if name == "time_freq":
        return lambda tf: _frequencies(tf, make(_rnn(tf)), BATCH, 2 * 3 * 2)
    steps = 2 if name in ("gru_block", "input_projection") else 1
    return lambda tf: _steps(tf, lambda: make(_rnn(tf)), steps)


def _two_steps(tf, cell, shape=(None, SIZE), state=None):
    """A cell called twice, trained."""
    tf.set_random_seed(21)
    x, feeds = _inputs(tf, shape=shape)
    state = cell.zero_state(BATCH, tf.float32) if state is None else state
    y, state = cell(x, state)
    with tf.variable_scope(tf.get_variable_scope(), reuse=True):
        z, state = cell(x + 1.0, state)
    return _trained(tf, [y, z, state], feeds, tf.global_variables(), cell.state_size)


def _frequencies(tf, cell, batch, state_size=None):
    """One step of a cell over frequencies, trained."""
    tf.set_random_seed(22)
    x, feeds = _inputs(tf, shape=(batch, 6))
    if state_size is None:
        state = cell.zero_state(BATCH, tf.float32)
    else:
        state = tf.ones([BATCH, state_size]) * 0.5
    y, state = cell(x, state)
    return _trained(tf, [y, state], feeds, tf.global_variables(), cell.state_size)


def embedding(tf):
    tf.set_random_seed(23)
    ids = tf.constant([[1, 0], [2, 2], [3, 1], [0, 0]])
    cell = _rnn(tf).EmbeddingWrapper(_rnn(tf).LSTMCell(UNITS), 4, 2)
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(ids, axis=1), dtype=tf.float32)
    return _trained(tf, [outputs[-1], state], lambda step: {}, tf.global_variables())


def compiled(tf):
    cell = _rnn(tf).CompiledWrapper(_rnn(tf).GRUCell(UNITS))
    first = _two_steps(tf, cell)
    with tf.xla.experimental.jit_scope():
        with tf.xla.experimental.jit_scope(separate_compiled_gradients=True):
            y = first[0][1] * 2.0
    with tf.xla.experimental.jit_scope(compile_ops=lambda node_def: node_def.op == "Mul"):
        y = tf.gradients(y * y + 1.0, first[0][1])[0]
    return first[0] + [y], first[1], first[2], first[3]


def compiled_stateful(tf):
    return _two_steps(tf, _rnn(tf).CompiledWrapper(_rnn(tf).GRUCell(UNITS), True))


def grid(tf):
    cell = _rnn(tf).GridLSTMCell(2, feature_size=2, frequency_skip=2, num_frequency_blocks=[3])
    return _frequencies(tf, cell, None)


def grid_peepholes(tf):
    cell = _rnn(tf).GridLSTMCell(
        2, use_peepholes=True, cell_clip=0.3, num_unit_shards=2, feature_size=2, frequency_skip=1,
        num_frequency_blocks=[2, 1], start_freqindex_list=[0, 3], end_freqindex_list=[3, 5],
    )  # fmt: skip
    return _frequencies(tf, cell, BATCH)


def grid_shared(tf):
    cell = _rnn(tf).GridLSTMCell(
        2, use_peepholes=True, share_time_frequency_weights=True, couple_input_forget_gates=True,
        feature_size=3, frequency_skip=3, num_frequency_blocks=[2], state_is_tuple=False,
    )  # fmt: skip
    return _frequencies(tf, cell, BATCH)


def grid_bidirectional(tf):
    cell = _rnn(tf).BidirectionalGridLSTMCell(
        2, feature_size=3, frequency_skip=3, num_frequency_blocks=[2], backward_slice_offset=1
    )
    return _frequencies(tf, cell, None)


def grid_bidirectional_coupled(tf):
    cell = _rnn(tf).BidirectionalGridLSTMCell(
        2, use_peepholes=True, couple_input_forget_gates=True, feature_size=3, frequency_skip=3,
        num_frequency_blocks=[2], backward_slice_offset=-1,
    )  # fmt: skip
    return _frequencies(tf, cell, BATCH)


def phased(tf):
    tf.set_random_seed(24)
    x, feeds = _inputs(tf, shape=(BATCH, SIZE))
    cell = _rnn(tf).PhasedLSTMCell(UNITS, use_peepholes=True)
    state = cell.zero_state(BATCH, tf.float32)
    times = tf.constant([[0.5], [1.5], [20.0], [300.0]], tf.float64)
    y, state = cell((times, x), state)
    y, state = cell((times + 1.0, x), state)
    return _trained(tf, [y, state], feeds, tf.global_variables())


def convolutional(tf):
    outputs = []
    tf.set_random_seed(25)
    x, feeds = _inputs(tf, shape=(BATCH, 4, 3, 2))
    c = _rnn(tf)
    for cell, value in (
        (c.Conv1DLSTMCell(input_shape=[4, 2], output_channels=3, kernel_shape=[2]), x[:, :, 0]),
        (
            c.Conv2DLSTMCell(
                input_shape=[4, 3, 2], output_channels=2, kernel_shape=[2, 3], use_bias=False
            ),
            x,
        ),
        (
            c.ConvLSTMCell(3, [2, 2, 3, 2], 1, [2, 2, 2], name="volume"),
            tf.reshape(x, [-1, 2, 2, 3, 2]),
        ),
    ):
        y, state = cell(value, cell.zero_state(BATCH, tf.float32))
        y, state = cell(value, state)
        outputs += [y, state]
    skip = c.ConvLSTMCell(1, [4, 2], 3, [2], skip_connection=True, name="skip")
    outputs.append(skip(x[:, :, 0], skip.zero_state(BATCH, tf.float32))[0])
    return _trained(tf, outputs, feeds, tf.global_variables(), skip.state_size, skip.output_size)


def _hidden(name, **kwargs):
    """A net of a cell that is not public."""
    return lambda tf: _steps(tf, lambda: getattr(_modules(tf), name)(UNITS, **kwargs), 1)


def turing_machine(tf):
    tf.set_random_seed(26)
    x, feeds = _inputs(tf, shape=(BATCH, SIZE))
    m = _modules(tf)
    cell = m.NTMCell(tf.nn.rnn_cell.LSTMCell(UNITS), 4, 3, 1, 1, output_dim=2)
    state = cell.zero_state(BATCH, tf.float32)
    y, state = cell(x, state)
    outputs = [y] + _flat(state)[:-1]
    said = [_text(cell.state_size), cell.output_size]
    return _trained(tf, outputs, feeds, tf.global_variables(), *said)


def layer_norms(tf):
    return _steps(tf, lambda: _rnn(tf).LayerNormBasicLSTMCell(UNITS, norm_gain=0.5), 1)


def layer_norm_lstm(tf):
    return _steps(
        tf,
        lambda: _modules(tf).LayerNormLSTMCell(
            UNITS, use_peepholes=True, cell_clip=0.5, num_proj=2, layer_norm=True
        ),
        1,
    )


# ---- nets ----------


def fused(tf):
    """Layers of LSTM blocks, with lengths and without."""
    tf.set_random_seed(27)
    x, feeds = _inputs(tf, shape=(TIME, BATCH, SIZE))
    c = _rnn(tf)
    layer = c.LSTMBlockFusedCell(UNITS, use_peephole=True, cell_clip=0.5)
    y, state = layer(x, dtype=tf.float32)
    z, other = layer(x, initial_state=state, sequence_length=tf.constant(LENGTHS))
    return _trained(tf, [y, state, z, other], feeds, tf.global_variables())


def fused_unknown(tf):
    tf.set_random_seed(28)
    x, feeds = _inputs(tf, shape=(None, None, SIZE))
    sizes = lambda step: {x: feeds(step)[x][:TIME]}  # noqa: E731
    layer = _rnn(tf).LSTMBlockFusedCell(UNITS)
    y, state = layer(x, dtype=tf.float32, sequence_length=tf.constant(LENGTHS))
    return _trained(tf, [y, state], sizes)


def fused_adaptors(tf):
    tf.set_random_seed(29)
    x, feeds = _inputs(tf, shape=(TIME, BATCH, SIZE))
    c = _rnn(tf)
    y, state = c.FusedRNNCellAdaptor(c.GRUCell(UNITS))(x, dtype=tf.float32, scope="a")
    z, other = c.TimeReversedFusedRNN(c.LSTMBlockFusedCell(UNITS))(
        x, dtype=tf.float32, sequence_length=tf.constant(LENGTHS), scope="b"
    )
    adaptor = c.FusedRNNCellAdaptor(c.GRUCell(UNITS))
    w, last = c.TimeReversedFusedRNN(adaptor)(tf.unstack(x), dtype=tf.float32, scope="c")
    v, end = c.TimeReversedFusedRNN(adaptor)(x, dtype=tf.float32, scope="d")
    return _trained(tf, [y, state, z, other, w, last, v, end], feeds, tf.global_variables())


def fused_dynamic(tf):
    tf.set_random_seed(30)
    x, feeds = _inputs(tf, shape=(TIME, BATCH, SIZE))
    c = _rnn(tf)
    adaptor = c.FusedRNNCellAdaptor(c.LSTMBlockCell(UNITS), use_dynamic_rnn=True)
    y, state = adaptor(x, dtype=tf.float32, sequence_length=LENGTHS)
    z, other = adaptor(tf.unstack(x), initial_state=state, scope="list")
    return _trained(tf, [y, state, z, other], feeds)


def stacked(tf):
    tf.set_random_seed(31)
    x, feeds = _inputs(tf, shape=(None, 1, SIZE))
    c = _rnn(tf)
    cells = [[c.GRUCell(n) for n in (UNITS, 2)] for _ in range(2)]
    outputs, fw, bw = c.stack_bidirectional_rnn(
        *cells, inputs=tf.unstack(x, axis=1), dtype=tf.float32,
        initial_states_fw=[tf.ones([BATCH, UNITS]), tf.ones([BATCH, 2])],
    )  # fmt: skip
    return _trained(tf, [outputs, fw, bw], feeds, tf.global_variables())


def stacked_dynamic(tf):
    tf.set_random_seed(32)
    x, feeds = _inputs(tf)
    c = _rnn(tf)
    cells = [[c.GRUBlockCell(n) for n in (UNITS, 2)] for _ in range(2)]
    outputs, fw, bw = c.stack_bidirectional_dynamic_rnn(
        *cells, inputs=x, dtype=tf.float32, sequence_length=LENGTHS, scope="deep"
    )
    return _trained(tf, [outputs, fw, bw], feeds, tf.global_variables())


def shapes(tf):
    """The functions on shapes."""
    c = _rnn(tf)
    x = _x(tf, None, 3, 4)
    unknown = tf.placeholder(tf.float32)
    outputs = [c.transpose_batch_time(x), c.best_effort_input_batch_size([x])]
    outputs.append(c.best_effort_input_batch_size([_x(tf, 3, None, 4)]))
    outputs.append(c.best_effort_input_batch_size([unknown, _x(tf, 3, 5, 4)]))
    outputs.append(c.transpose_batch_time(_x(tf, 3)))
    return [], lambda step: {}, [_text(outputs)]


GRAPHS = {
    "contrib_cells": dict(
        {name: _cell_case(name, make) for name, make in _SETTINGS.items()},
        minimal=_hidden("MinimalRNNCell"),
        chaos_free=_hidden("CFNCell"),
        weight_norm=_hidden("WeightNormLSTMCell"),
        weight_norm_full=_hidden(
            "WeightNormLSTMCell", use_peepholes=True, cell_clip=0.5, num_proj=2, proj_clip=0.2
        ),
        cudnn_lstm=lambda tf: _steps(
            tf, lambda: tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(UNITS)
        ),
        cudnn_gru=lambda tf: _steps(
            tf, lambda: tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(UNITS), 1
        ),
        **_collect(
            embedding,
            compiled,
            compiled_stateful,
            grid,
            grid_peepholes,
            grid_shared,
            grid_bidirectional,
            grid_bidirectional_coupled,
            phased,
            convolutional,
            turing_machine,
            layer_norms,
            layer_norm_lstm,
        ),
    ),
    "contrib_nets": _collect(
        fused, fused_unknown, fused_adaptors, fused_dynamic, stacked, stacked_dynamic, shapes
    ),
}


# The cases that are run: the others differ in the way that a cell's nodes are put together.
RUN = frozenset(
    ("lstm_block_full", "gru_block", "attention_full", "phased", "convolutional", "compiled")
    + ("grid_peepholes", "layer_norms", "weight_norm_full", "embedding", *GRAPHS["contrib_nets"])
)


# ---- mistakes ----------


def _call(tf, make, *shape):
    cell = make(tf.contrib.rnn)
    return cell(_x(tf, *shape), cell.zero_state(2, tf.float32))


_CONV = {"input_shape": [4, 2], "output_channels": 3, "kernel_shape": [2]}

MISTAKES = {
    "contrib_cells": {
        "attention's length": lambda tf: _rnn(tf).AttentionCellWrapper(_rnn(tf).GRUCell(2), 0),
        "attention's state": lambda tf: _rnn(tf).AttentionCellWrapper(
            _rnn(tf).LSTMCell(2), 1, state_is_tuple=False
        ),
        "attention's cell": lambda tf: _rnn(tf).AttentionCellWrapper(3, 2),
        "embedding's size": lambda tf: _rnn(tf).EmbeddingWrapper(_rnn(tf).GRUCell(2), 0, 3),
        "projection's size": lambda tf: _rnn(tf).OutputProjectionWrapper(_rnn(tf).GRUCell(2), 0),
        "linear of unknown size": lambda tf: _call(
            tf, lambda c: c.InputProjectionWrapper(c.GRUCell(2), 3), 2, None
        ),
        "linear's rank": lambda tf: _call(
            tf, lambda c: c.InputProjectionWrapper(c.GRUCell(2), 3), 2, 3, 4
        ),
        "too many shards": lambda tf: _call(
            tf, lambda c: c.CoupledInputForgetGateLSTMCell(2, num_unit_shards=9), 2, 3
        ),
        "unknown size": lambda tf: _call(tf, lambda c: c.UGRNNCell(2), 2, None),
        "unknown size of nas": lambda tf: _call(tf, lambda c: c.NASCell(2), 2, None),
        "unknown size of sru": lambda tf: _call(tf, lambda c: c.SRUCell(2), 2, None),
        "unknown size of block": lambda tf: _call(tf, lambda c: c.LSTMBlockCell(2), 2, None),
        "unknown size of gru block": lambda tf: _call(tf, lambda c: c.GRUBlockCell(2), 2, None),
        "intersection's size": lambda tf: _call(tf, lambda c: c.IntersectionRNNCell(2), 2, 3),
        "groups": lambda tf: _rnn(tf).GLSTMCell(3, number_of_groups=2),
        "groups of the output": lambda tf: _rnn(tf).GLSTMCell(
            4, num_proj=3, number_of_groups=2
        ),
        "groups of the input": lambda tf: _call(
            tf, lambda c: c.GLSTMCell(4, number_of_groups=2), 2, 3
        ),
        "conv's dimensions": lambda tf: _rnn(tf).ConvLSTMCell(2, **_CONV),
        "no blocks": lambda tf: _rnn(tf).GridLSTMCell(2),
        "blocks": lambda tf: _call(
            tf,
            lambda c: c.GridLSTMCell(
                2, feature_size=2, frequency_skip=2, num_frequency_blocks=[2]
            ),
            2,
            6,
        ),
        "no lists of blocks": lambda tf: _call(
            tf,
            lambda c: c.GridLSTMCell(
                2, feature_size=2, frequency_skip=2, num_frequency_blocks=[1, 2]
            ),
            2,
            6,
        ),
        "lists of blocks": lambda tf: _call(
            tf,
            lambda c: c.GridLSTMCell(
                2, feature_size=2, frequency_skip=2, num_frequency_blocks=[3],
                start_freqindex_list=[0, 1], end_freqindex_list=[3],
            ),
            2,
            6,
        ),
        "highway's size": lambda tf: _call(tf, lambda c: c.HighwayWrapper(c.GRUCell(2)), 2, 3),
        "gru block's sizes": lambda tf: _rnn(tf).GRUBlockCell(2, cell_size=2),
        "gru block's size": lambda tf: _rnn(tf).GRUBlockCell(),
        "gru block's state": lambda tf: _rnn(tf).GRUBlockCell(2)(_x(tf, 2, 3), _x(tf, 2, 4)),
        "lstm block's state": lambda tf: _rnn(tf).LSTMBlockCell(2)(
            _x(tf, 2, 3), (_x(tf, 2, 2),) * 3
        ),
    },
    "contrib_nets": {
        "fused dtype": lambda tf: _rnn(tf).LSTMBlockFusedCell(2)(_x(tf, 2, 3, 4)),
        "fused state": lambda tf: _rnn(tf).LSTMBlockFusedCell(2)(
            _x(tf, 2, 3, 4), (_x(tf, 2, 2),) * 3
        ),
        "no fw cells": lambda tf: _rnn(tf).stack_bidirectional_rnn([], [], []),
        "no bw cells": lambda tf: _rnn(tf).stack_bidirectional_rnn([1], [], []),
        "cells": lambda tf: _rnn(tf).stack_bidirectional_dynamic_rnn((1,), [1], []),
        "depth": lambda tf: _rnn(tf).stack_bidirectional_dynamic_rnn([1], [1, 2], []),
        "states": lambda tf: _rnn(tf).stack_bidirectional_dynamic_rnn([1], [1], [], 3),
        "rank of a batch": lambda tf: _rnn(tf).best_effort_input_batch_size([_x(tf, 3)]),
    },
}  # fmt: skip
