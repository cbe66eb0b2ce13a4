"""Nets of tf.contrib.grid_rnn's cells; the form is that of rnn_cases."""

from __future__ import annotations

from rnn_cases import BATCH, SIZE, UNITS, _inputs, _text, _trained, _x


def _grid(tf):
    return tf.contrib.grid_rnn


def _cell(make, steps=1, size=SIZE, initializer=None):
    """A cell called a few times, trained."""

    def case(tf):
        tf.set_random_seed(50)
        x, feeds = _inputs(tf, shape=(BATCH, size))
        cell = make(_grid(tf))
        outputs = []
        start = tf.constant_initializer(0.5) if initializer is None else initializer(tf)
        with tf.variable_scope("net", initializer=start) as scope:
            state = cell.zero_state(BATCH, tf.float32)
            for _ in range(steps):
                y, state = cell(x, state)
                outputs += [y, state]
                scope.reuse_variables()
        sizes = [cell.state_size, cell.output_size]
        return _trained(tf, outputs, feeds, tf.global_variables(), *sizes)

    return case


_CELLS = {
    "basic_1": lambda g: g.Grid1BasicRNNCell(UNITS),
    "basic_2": lambda g: g.Grid2BasicRNNCell(UNITS, tied=True),
    "basic_2_layer": lambda g: g.Grid2BasicRNNCell(UNITS, non_recurrent_fn=_relu()),
    "basic_lstm_1": lambda g: g.Grid1BasicLSTMCell(UNITS, forget_bias=0.5),
    "basic_lstm_2": lambda g: g.Grid2BasicLSTMCell(UNITS, output_is_tuple=False),
    "basic_lstm_2_layer": lambda g: g.Grid2BasicLSTMCell(UNITS, non_recurrent_fn=_relu()),
    "lstm_1": lambda g: g.Grid1LSTMCell(UNITS, use_peepholes=True),
    "lstm_2_layer": lambda g: g.Grid2LSTMCell(UNITS, non_recurrent_fn=_relu()),
    "lstm_3": lambda g: g.Grid3LSTMCell(UNITS, tied=True, use_peepholes=True, forget_bias=0.0),
    "gru_2": lambda g: g.Grid2GRUCell(UNITS),
    "all_dims": lambda g: g.GridRNNCell(
        UNITS, num_dims=3, input_dims=[2, 0], output_dims=(0, 1), priority_dims=[1, 2]
    ),
    "concatenated": lambda g: g.Grid2LSTMCell(
        UNITS, state_is_tuple=False, output_is_tuple=False
    ),
    "no_outputs": lambda g: g.GridRNNCell(UNITS, num_dims=2, input_dims=1, priority_dims=0),
    "no_recurrence": lambda g: g.GridRNNCell(
        UNITS, num_dims=1, input_dims=0, output_dims=0, non_recurrent_dims=[0]
    ),
}  # fmt: skip


def _relu():
    import tensorflow as tf

    return tf.nn.relu


def unrolled(tf):
    """A net over time, with initial values of its own."""
    tf.set_random_seed(51)
    x, feeds = _inputs(tf, shape=(BATCH, 2, SIZE))
    cell = _grid(tf).Grid2LSTMCell(UNITS)
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    return _trained(tf, [outputs, state], feeds, tf.global_variables())


def sizes(tf):
    """Sizes of outputs that are one tensor each."""
    cells = [
        _grid(tf).Grid2BasicRNNCell(UNITS, state_is_tuple=False, output_is_tuple=False),
        _grid(tf).GridRNNCell(UNITS, 3, None, [0, 1], None, [1]),
    ]
    return [], lambda step: {}, [_text([[c.state_size, c.output_size] for c in cells])]


GRAPHS = {
    "grid": dict(
        {name: _cell(make, size=2 * SIZE) for name, make in _CELLS.items()},
        unrolled=unrolled,
        sizes=sizes,
    )
}
RUN = frozenset(("basic_2_layer", "lstm_3", "all_dims", "concatenated", "unrolled"))

MISTAKES = {
    "grid": {
        "no dims": lambda tf: _grid(tf).GridRNNCell(2, 0),
        "dims": lambda tf: _grid(tf).GridRNNCell(2, 2, [3, 0]),
        "cell": lambda tf: _grid(tf).GridRNNCell(2, cell_fn=lambda n: n),
        "state": lambda tf: _grid(tf).Grid2BasicRNNCell(2)(_x(tf, 2, 3), (_x(tf, 2, 2),)),
        "layer's initializer": lambda tf: _grid(tf).Grid2BasicRNNCell(
            2, non_recurrent_fn=tf.nn.relu
        )(_x(tf, 2, 3), (_x(tf, 2, 2),)),
        "tied layer": lambda tf: _cell(
            lambda g: g.Grid2BasicLSTMCell(2, tied=True, non_recurrent_fn=tf.nn.relu)
        )(tf),
        "concatenated state": lambda tf: _cell(
            lambda g: g.GridRNNCell(2, 2, [0, 1], [1], state_is_tuple=False)
        )(tf),
        "split": lambda tf: _grid(tf).GridRNNCell(2, 2, [0, 1])(
            _x(tf, 2, 3), ((_x(tf, 2, 2),) * 2,) * 2
        ),
    }
}
