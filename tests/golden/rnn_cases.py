"""Small recurrent nets: cells, loops over them, and the wrappers around them.

Every function takes the `tensorflow` module. Those in `GRAPHS` record a graph and return
`(fetches, feeds, said, train)`, or the first three: it is compared node for node, `fetches` and
then `train` are run three times with `feeds(step)`, and what is `said` is compared as text.
`MISTAKES` are compared by the exception that they raise.
"""

from __future__ import annotations

import numpy as np

STEPS = 3
TIME, BATCH, SIZE, UNITS = 3, 4, 2, 3
LENGTHS = [3, 1, 0, 2]


def _nothing(step):
    return {}


def _inputs(tf, dtype=None, shape=(None, TIME, SIZE)):
    """A placeholder [batch, time, size] with an unknown batch of 4, and what to feed it."""
    x = tf.placeholder(dtype or tf.float32, shape, name="x")
    sizes = [BATCH if size is None else size for size in shape]

    def feeds(step):
        values = np.random.RandomState(step).randn(*sizes)
        return {x: values.astype(x.dtype.as_numpy_dtype)}

    return x, feeds


def _text(value):
    """Tensors, variables and structures of them as text that is alike on both sides."""
    if isinstance(value, dict):
        return str({key: _text(value[key]) for key in sorted(value)})
    if isinstance(value, (list, tuple)):
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        return "{}({})".format(name, ", ".join(_text(v) for v in value))
    return str(value)


def _flat(value):
    """The leaves of a structure."""
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in _flat(part)]
    return [value]


def _trained(tf, outputs, feeds, *said):
    """A step of training towards outputs of -1/2."""
    fetches = _flat(outputs)
    loss = tf.add_n([tf.reduce_mean(tf.square(y + 0.5)) for y in fetches])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    said = [_text(outputs)] + [_text(s) for s in said]
    return [loss] + fetches, feeds, said, train


def _steps(tf, cell, steps=2, dtype=None, inputs=None, size=SIZE):
    """A net of a few copies of a cell, trained."""
    tf.set_random_seed(1)
    dtype = dtype or tf.float32
    x, feeds = _inputs(tf, dtype, (None, steps, size))
    cell = cell()
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=dtype)
    return _trained(
        tf, [outputs[-1], state], feeds, tf.global_variables(), cell.state_size, cell.output_size,
        [v.name for v in cell.trainable_weights],
    )  # fmt: skip


def _loop(tf, cell, dtype=None, **kwargs):
    """A `dynamic_rnn`, trained."""
    tf.set_random_seed(2)
    dtype = dtype or tf.float32
    x, feeds = _inputs(tf, dtype, kwargs.pop("shape", (None, TIME, SIZE)))
    outputs, state = tf.nn.dynamic_rnn(cell(), x, dtype=dtype, **kwargs)
    return _trained(tf, [outputs, state], feeds, tf.global_variables())


# ---- cells of tf.nn.rnn_cell ----------


def _cells(tf):
    return tf.nn.rnn_cell


def lstm_called_twice(tf):
    """One cell in two places, and one of its name; scopes, names and weights."""
    tf.set_random_seed(3)
    x, feeds = _inputs(tf, shape=(None, SIZE))
    cell = _cells(tf).LSTMCell(UNITS, name="mine")
    state = cell.zero_state(BATCH, tf.float32)
    with tf.variable_scope("net", initializer=tf.random_normal_initializer(stddev=0.3)):
        y, state = cell(x, state)
        y, state = cell(x, state)
    with tf.variable_scope("other"):
        z, _ = cell(x + 1.0, cell.zero_state(tf.shape(y)[0], tf.float32))
    said = [cell.name, cell.scope_name, cell.dtype, cell.variables, cell.trainable_weights]
    return _trained(tf, [y, z, state], feeds, *said)


def cells_in_scopes(tf):
    """Basic cells without a name, in scopes that are opened again."""
    tf.set_random_seed(4)
    x, feeds = _inputs(tf, shape=(None, SIZE))
    outputs = []
    with tf.variable_scope("a"):
        for make in (_cells(tf).BasicRNNCell, _cells(tf).GRUCell, _cells(tf).BasicLSTMCell):
            cell = make(UNITS)
            outputs.append(cell(x, cell.zero_state(BATCH, tf.float32))[0])
    with tf.variable_scope("a", reuse=True):
        cell = _cells(tf).GRUCell(UNITS)
        outputs.append(cell(x, cell.zero_state(BATCH, tf.float32))[0])
    with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
        for _ in range(2):
            cell = _cells(tf).BasicRNNCell(UNITS, reuse=tf.AUTO_REUSE, activation="relu")
            outputs.append(cell(x, cell.zero_state(BATCH, tf.float32), scope="given")[0])
    return _trained(tf, outputs, feeds, tf.global_variables())


def own_cell(tf):
    """A cell of the user's, which gets its variables in `call`."""
    tf.set_random_seed(5)

    class Mine(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return (UNITS, tf.TensorShape([2, 1]))

        @property
        def output_size(self):
            return UNITS

        def call(self, inputs, state):
            w = tf.get_variable("w", [SIZE, UNITS])
            count = tf.get_variable("count", [], trainable=False)
            h, other = state
            y = tf.tanh(tf.matmul(inputs, w) + h * count)
            return y, (y, other + 1.0)

    x, feeds = _inputs(tf)
    cell = Mine()
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    said = [cell.trainable_weights, cell.non_trainable_weights, cell.name]
    with tf.variable_scope("again"):
        other = Mine(name="named")
        y, _ = other(x[:, 0], other.get_initial_state(inputs=x))
        y, _ = other(y[:, :SIZE], other.get_initial_state(batch_size=BATCH, dtype=tf.float32))
    return _trained(tf, [outputs[-1], state, y], feeds, other.weights, *said)


def _stack(tf, **kwargs):
    c = _cells(tf)
    return c.MultiRNNCell([c.GRUCell(UNITS), c.LSTMCell(2), c.BasicRNNCell(UNITS)], **kwargs)


def stack(tf):
    return _steps(tf, lambda: _stack(tf), 1)


def stack_concatenated(tf):
    c = _cells(tf)

    def make():
        return c.MultiRNNCell([c.GRUCell(UNITS), c.BasicRNNCell(2)], state_is_tuple=False)

    return _steps(tf, make)


def _wrapped(tf, **kwargs):
    return _cells(tf).DropoutWrapper(_cells(tf).LSTMCell(UNITS), **kwargs)


def dropout(tf):
    keep = tf.placeholder_with_default(0.7, [])
    return _steps(
        tf,
        lambda: _wrapped(
            tf, input_keep_prob=0.8, output_keep_prob=keep, state_keep_prob=0.6, seed=7
        ),
    )


def dropout_variational(tf):
    return _steps(
        tf,
        lambda: _wrapped(
            tf, input_keep_prob=0.8, output_keep_prob=0.7, state_keep_prob=0.6,
            variational_recurrent=True, input_size=tf.TensorShape([SIZE]), dtype=tf.float32,
        ),
    )  # fmt: skip


def dropout_filtered(tf):
    def visitor(state):
        if isinstance(state, tf.nn.rnn_cell.LSTMStateTuple):
            return tf.nn.rnn_cell.LSTMStateTuple(c=True, h=False)
        return True

    return _steps(
        tf, lambda: _wrapped(tf, state_keep_prob=0.5, dropout_state_filter_visitor=visitor)
    )


def dropout_of_a_stack(tf):
    return _steps(
        tf,
        lambda: _cells(tf).DropoutWrapper(_stack(tf), state_keep_prob=0.5, output_keep_prob=0.5),
        1,
    )


def residual_and_device(tf):
    c = _cells(tf)

    def make():
        first = c.DeviceWrapper(c.GRUCell(UNITS), "/cpu:0")
        second = c.ResidualWrapper(c.BasicRNNCell(UNITS))
        third = c.ResidualWrapper(c.LSTMCell(UNITS), residual_fn=lambda x, y: x * 2.0 - y)
        return c.MultiRNNCell([first, second, third])

    return _steps(tf, make, 1)


def partitioned(tf):
    with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
        return _steps(tf, lambda: _cells(tf).LSTMCell(4, num_proj=2))


def shards(tf):
    return _steps(
        tf, lambda: _cells(tf).LSTMCell(4, num_proj=2, num_unit_shards=2, num_proj_shards=2)
    )


def resource_variables(tf):
    with tf.variable_scope("net", use_resource=True):
        return _steps(tf, lambda: _cells(tf).GRUCell(UNITS))


def configs(tf):
    """What `get_config` gives, and cells made of it."""
    c = _cells(tf)
    made = [
        c.BasicRNNCell(2, activation="relu"),
        c.GRUCell(3, kernel_initializer="ones", name="g"),
        c.BasicLSTMCell(2, forget_bias=0.5),
        c.LSTMCell(2, use_peepholes=True, num_proj=1, initializer=tf.ones_initializer()),
    ]
    said = [_text(cell.get_config()) for cell in made]
    for cell in made:
        config = cell.get_config()
        for key in ("kernel_initializer", "bias_initializer", "initializer"):
            config.pop(key, None)
        said.append(type(cell).from_config(config).name)
    wrapper = c.DropoutWrapper(made[0], 0.5, seed=3)
    said.append(_text({k: v for k, v in wrapper.get_config().items() if k != "cell"}))
    config = c.DeviceWrapper(made[0], "/cpu:0").get_config()
    config["cell"] = made[1]
    said.append(c.DeviceWrapper.from_config(config).output_size)
    said.append(c.ResidualWrapper(made[0]).get_config()["cell"])
    return [], _nothing, [_text(s) for s in said]


_SETTINGS = {
    "rnn": lambda c: c.BasicRNNCell(UNITS),
    "rnn_relu": lambda c: c.BasicRNNCell(UNITS, activation="relu"),
    "gru": lambda c: c.GRUCell(UNITS),
    "gru_initialized": lambda c: c.GRUCell(
        UNITS, kernel_initializer="he_normal", bias_initializer="zeros", name="g"
    ),
    "basic_lstm": lambda c: c.BasicLSTMCell(UNITS),
    "basic_lstm_concatenated": lambda c: c.BasicLSTMCell(
        UNITS, forget_bias=0.5, state_is_tuple=False
    ),
    "lstm": lambda c: c.LSTMCell(UNITS),
    "lstm_concatenated": lambda c: c.LSTMCell(UNITS, state_is_tuple=False, num_proj=2),
    "lstm_peepholes": lambda c: c.LSTMCell(UNITS, use_peepholes=True, cell_clip=0.2),
    "lstm_full": lambda c: c.LSTMCell(
        UNITS, use_peepholes=True, cell_clip=1, num_proj=2, proj_clip=0.1, forget_bias=0.0,
        activation="sigmoid", initializer="glorot_normal",
    ),
}  # fmt: skip


# ---- nets ----------


def dynamic_state(tf):
    """A given first state, time before batch, and no gradient."""
    tf.set_random_seed(6)
    x, feeds = _inputs(tf, shape=(TIME, None, SIZE))
    cell = _cells(tf).BasicLSTMCell(UNITS)
    state = tf.nn.rnn_cell.LSTMStateTuple(tf.ones([BATCH, UNITS]), tf.zeros([BATCH, UNITS]))
    outputs, state = tf.nn.dynamic_rnn(
        cell, x, initial_state=state, time_major=True, parallel_iterations=2, swap_memory=True
    )
    return _flat([outputs, state]), feeds, [_text([outputs, state]), _text(tf.global_variables())]


def dynamic_nested(tf):
    """Inputs and outputs that are structures."""
    tf.set_random_seed(7)

    class Pair(tf.nn.rnn_cell.RNNCell):
        state_size = property(lambda self: UNITS)
        output_size = property(lambda self: (UNITS, tf.TensorShape([2, 2])))

        def call(self, inputs, state):
            a, b = inputs["a"], inputs["b"]
            w = tf.get_variable("w", [SIZE, UNITS])
            h = tf.tanh(tf.matmul(a, w) + state)
            return (h, b * 2.0), h

    x, feeds = _inputs(tf, shape=(BATCH, TIME, SIZE))
    b = tf.ones([BATCH, TIME, 2, 2])
    outputs, state = tf.nn.dynamic_rnn(
        Pair(), {"a": x, "b": b}, sequence_length=LENGTHS, dtype=tf.float32
    )
    return _trained(tf, [outputs, state], feeds)


def dynamic_in_a_loop(tf):
    """A `dynamic_rnn` inside another loop: variables are not cached there."""
    tf.set_random_seed(8)
    x, feeds = _inputs(tf)
    cell = _cells(tf).GRUCell(SIZE)

    def body(i, x):
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            y, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        return i + 1, y

    _, y = tf.while_loop(lambda i, _: i < 2, body, [0, x])
    return [y], feeds, [_text(y)]


def dynamic_unknown(tf):
    """Unknown time and batch, double precision, lengths that are fed."""
    lengths = tf.placeholder_with_default(np.array(LENGTHS, np.int64), [None], name="lengths")
    return _loop(
        tf, lambda: _cells(tf).GRUCell(UNITS, dtype=tf.float64), tf.float64,
        shape=(None, None, SIZE), sequence_length=lengths, scope="net",
    )  # fmt: skip


def bidirectional(tf):
    tf.set_random_seed(9)
    x, feeds = _inputs(tf)
    cells = [_cells(tf).LSTMCell(UNITS), _cells(tf).GRUCell(UNITS)]
    outputs, states = tf.nn.bidirectional_dynamic_rnn(*cells, inputs=x, dtype=tf.float32)
    return _trained(tf, [outputs, states], feeds, tf.global_variables())


def bidirectional_lengths(tf):
    tf.set_random_seed(10)
    x, feeds = _inputs(tf, shape=(TIME, None, SIZE))
    cells = [_cells(tf).GRUCell(UNITS) for _ in range(2)]
    outputs, states = tf.nn.bidirectional_dynamic_rnn(
        *cells, inputs=x, sequence_length=LENGTHS, time_major=True, scope="both",
        initial_state_fw=tf.ones([BATCH, UNITS]), initial_state_bw=tf.zeros([BATCH, UNITS]),
    )  # fmt: skip
    return _trained(tf, [outputs, states], feeds, tf.global_variables())


def _raw(tf, emit, with_state=False):
    tf.set_random_seed(11)
    x, feeds = _inputs(tf, shape=(TIME, None, SIZE))
    cell = _cells(tf).LSTMCell(UNITS)
    inputs = tf.TensorArray(tf.float32, TIME, clear_after_read=False).unstack(x)
    lengths = tf.constant(LENGTHS)

    def loop_fn(time, output, state, loop_state):
        if output is None:
            next_state = cell.zero_state(BATCH, tf.float32)
            emitted = tf.zeros([2]) if emit else None
            loop_state = tf.constant(1.0) if with_state else None
        else:
            next_state = state
            emitted = tf.stack([output[:, 0], output[:, 1]], 1) if emit else output
            loop_state = loop_state * 2.0 if with_state else None
        finished = time >= lengths
        next_input = tf.cond(
            tf.reduce_all(finished), lambda: tf.zeros([BATCH, SIZE]), lambda: inputs.read(time)
        )
        next_input.set_shape([BATCH, SIZE])
        return finished, next_input, next_state, emitted, loop_state

    emitted, state, loop_state = tf.nn.raw_rnn(cell, loop_fn)
    outputs = [emitted.stack(), state] + ([loop_state] if with_state else [])
    assert with_state or loop_state is None
    return outputs, feeds


def raw(tf):
    outputs, feeds = _raw(tf, emit=False)
    return _trained(tf, outputs, feeds)


def raw_emitting(tf):
    outputs, feeds = _raw(tf, emit=True, with_state=True)
    return _flat(outputs), feeds, [_text(outputs)]


def static_lengths(tf):
    tf.set_random_seed(12)
    x, feeds = _inputs(tf, shape=(BATCH, TIME, SIZE))
    outputs, state = tf.nn.static_rnn(
        _cells(tf).LSTMCell(UNITS), tf.unstack(x, axis=1), dtype=tf.float32,
        sequence_length=LENGTHS, scope="net",
    )  # fmt: skip
    return _trained(tf, [outputs, state], feeds)


def static_bidirectional(tf):
    tf.set_random_seed(13)
    x, feeds = _inputs(tf, shape=(None, 2, SIZE))
    cells = [_cells(tf).GRUCell(UNITS) for _ in range(2)]
    outputs, fw, bw = tf.nn.static_bidirectional_rnn(
        *cells, inputs=tf.unstack(x, axis=1), dtype=tf.float32
    )
    return _trained(tf, [outputs, fw, bw], feeds)


def static_bidirectional_lengths(tf):
    tf.set_random_seed(14)
    x, feeds = _inputs(tf, shape=(BATCH, 2, SIZE))
    cells = [_cells(tf).GRUCell(UNITS) for _ in range(2)]
    outputs, fw, bw = tf.nn.static_bidirectional_rnn(
        *cells, inputs=tf.unstack(x, axis=1), sequence_length=[2, 1, 0, 2], dtype=tf.float32
    )
    return _trained(tf, [outputs, fw, bw], feeds)


class _Saver(object):
    """Keeps states in variables."""

    def __init__(self, tf):
        self.tf = tf

    def _variable(self, name):
        with self.tf.variable_scope("saved", reuse=self.tf.AUTO_REUSE):
            return self.tf.get_variable(
                name, [BATCH, UNITS], trainable=False, initializer=self.tf.zeros_initializer()
            )

    def state(self, name):
        return self._variable(name).read_value()

    def save_state(self, name, value):
        return self.tf.assign(self._variable(name), value)


def state_saving(tf):
    tf.set_random_seed(15)
    x, feeds = _inputs(tf, shape=(BATCH, TIME, SIZE))
    outputs, state = tf.nn.static_state_saving_rnn(
        _cells(tf).LSTMCell(UNITS), tf.unstack(x, axis=1), _Saver(tf), ("c", "h")
    )
    with tf.variable_scope("second"):
        outputs2, state2 = tf.nn.static_state_saving_rnn(
            _cells(tf).GRUCell(UNITS), tf.unstack(x, axis=1), _Saver(tf), "g"
        )
    fetches = [outputs[-1], outputs2[-1]]
    return fetches, feeds, [_text([outputs, state, outputs2, state2])]


_LOOPS = {
    "dynamic_rnn": lambda tf: _loop(tf, lambda: _cells(tf).BasicRNNCell(UNITS)),
    "dynamic_gru": lambda tf: _loop(tf, lambda: _cells(tf).GRUCell(UNITS), scope="net"),
    "dynamic_lstm": lambda tf: _loop(tf, lambda: _cells(tf).LSTMCell(UNITS, use_peepholes=True)),
    "dynamic_basic_lstm": lambda tf: _loop(tf, lambda: _cells(tf).BasicLSTMCell(UNITS)),
    "dynamic_lengths": lambda tf: _loop(
        tf, lambda: _cells(tf).LSTMCell(UNITS), sequence_length=LENGTHS
    ),
    "dynamic_stack": lambda tf: _loop(tf, lambda: _stack(tf), swap_memory=True),
    # One step at a time: TensorFlow draws random numbers in whatever order steps happen to run.
    "dynamic_dropout": lambda tf: _loop(
        tf, lambda: _wrapped(tf, output_keep_prob=0.5), parallel_iterations=1
    ),
    "dynamic_time_major": lambda tf: _loop(
        tf, lambda: _cells(tf).GRUCell(UNITS), shape=(TIME, None, SIZE), time_major=True,
        sequence_length=LENGTHS,
    ),
}  # fmt: skip


def _cell_case(make):
    return lambda tf: _steps(tf, lambda: make(tf.nn.rnn_cell))


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


GRAPHS = {
    "cells": dict(
        {name: _cell_case(make) for name, make in _SETTINGS.items()},
        **_collect(
            lstm_called_twice,
            cells_in_scopes,
            own_cell,
            stack,
            stack_concatenated,
            dropout,
            dropout_variational,
            dropout_filtered,
            dropout_of_a_stack,
            residual_and_device,
            partitioned,
            shards,
            resource_variables,
            configs,
        ),
    ),
    "nets": dict(
        _LOOPS,
        **_collect(
            dynamic_state,
            dynamic_nested,
            dynamic_in_a_loop,
            dynamic_unknown,
            bidirectional,
            bidirectional_lengths,
            raw,
            raw_emitting,
            static_lengths,
            static_bidirectional,
            static_bidirectional_lengths,
            state_saving,
        ),
    ),
}


# The cases that are run: the others differ in the way that a cell's nodes are put together.
RUN = frozenset(
    ("rnn", "gru", "basic_lstm", "lstm_full", "stack", "dropout", "dropout_variational")
    + ("own_cell", "partitioned", *GRAPHS["nets"])
)


# ---- mistakes ----------


def _x(tf, *shape):
    return tf.placeholder(tf.float32, shape)


def _call(tf, make, *shape):
    cell = make(tf.nn.rnn_cell)
    return cell(_x(tf, *shape), cell.zero_state(2, tf.float32))


def _fetch(tf, fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(fetches, feeds)


MISTAKES = {
    "cells": {
        "unknown size": lambda tf: _call(tf, lambda c: c.LSTMCell(2), None, None),
        "unknown size of gru": lambda tf: _call(tf, lambda c: c.GRUCell(2), 3, None),
        "rank": lambda tf: _call(tf, lambda c: c.BasicLSTMCell(2), 2, 3, 4),
        "ints": lambda tf: tf.nn.rnn_cell.GRUCell(2)(tf.ones([2, 3], tf.int32), tf.ones([2, 2])),
        "int dtype": lambda tf: tf.nn.rnn_cell.LSTMCell(2, dtype=tf.int32),
        "batch": lambda tf: tf.nn.rnn_cell.GRUCell(2)(_x(tf, 2, 3), tf.ones([3, 2])),
        "abstract": lambda tf: tf.nn.rnn_cell.RNNCell().state_size,
        "activation": lambda tf: tf.nn.rnn_cell.BasicRNNCell(2, activation="no_such"),
        "reuse of nothing": lambda tf: _call(tf, lambda c: c.GRUCell(2, reuse=True), 2, 3),
        "no cells": lambda tf: tf.nn.rnn_cell.MultiRNNCell([]),
        "cells": lambda tf: tf.nn.rnn_cell.MultiRNNCell(3),
        "states of a stack": lambda tf: tf.nn.rnn_cell.MultiRNNCell(
            [tf.nn.rnn_cell.LSTMCell(2)], state_is_tuple=False
        ),
        "state of a stack": lambda tf: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2)])(
            _x(tf, 2, 3), _x(tf, 2, 2)
        ),
        "no cell": lambda tf: tf.nn.rnn_cell.DropoutWrapper(3),
        "keep_prob": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
            tf.nn.rnn_cell.GRUCell(2), input_keep_prob=2.0
        ),
        "variational without dtype": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
            tf.nn.rnn_cell.GRUCell(2), variational_recurrent=True
        ),
        "variational without size": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
            tf.nn.rnn_cell.GRUCell(2),
            input_keep_prob=0.5,
            variational_recurrent=True,
            dtype=tf.float32,
        ),
        "visitor": lambda tf: tf.nn.rnn_cell.DropoutWrapper(
            tf.nn.rnn_cell.GRUCell(2), dropout_state_filter_visitor=3
        ),
        "residual": lambda tf: _call(tf, lambda c: c.ResidualWrapper(c.GRUCell(2)), 2, 3),
        "initial state": lambda tf: tf.nn.rnn_cell.GRUCell(2).get_initial_state(),
        "initial state's batch": lambda tf: tf.nn.rnn_cell.GRUCell(2).get_initial_state(
            _x(tf, 2, 3), 3
        ),
        "initial state's dtype": lambda tf: tf.nn.rnn_cell.GRUCell(2).get_initial_state(
            _x(tf, 2, 3), dtype=tf.float64
        ),
        "state tuple's dtype": lambda tf: (
            tf.nn.rnn_cell.LSTMStateTuple(tf.ones([1]), tf.ones([1], tf.float64)).dtype
        ),
        "zero_state's batch": lambda tf: tf.nn.rnn_cell.GRUCell(2).zero_state(None, tf.float32),
        "zero_state's rank": lambda tf: tf.nn.rnn_cell.GRUCell(2).zero_state(
            tf.ones([1, 1], tf.int32), tf.float32
        ),
        "from_config": lambda tf: tf.nn.rnn_cell.DeviceWrapper.from_config({"cell": 3}),
    },
    "nets": {
        "no cell": lambda tf: tf.nn.dynamic_rnn(3, _x(tf, 2, 3, 4), dtype=tf.float32),
        "no dtype": lambda tf: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3, 4)),
        "rank": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3), dtype=tf.float32
        ),
        "rank 1": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2), dtype=tf.float32
        ),
        "depth": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3, None), dtype=tf.float32
        ),
        "lengths' rank": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3, 4), [[1, 2]], dtype=tf.float32
        ),
        "lengths' size": lambda tf: _fetch(
            tf,
            tf.nn.dynamic_rnn(
                tf.nn.rnn_cell.GRUCell(2), tf.ones([2, 3, 4]), [1, 2, 3], dtype=tf.float32
            ),
        ),
        "batches": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), (_x(tf, 2, 3, 4), _x(tf, 3, 3, 4)), dtype=tf.float32
        ),
        "times": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), (_x(tf, 2, 3, 4), _x(tf, 2, 4, 4)), dtype=tf.float32
        ),
        "state's dtype": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3, 4), initial_state=tf.ones([2, 2], tf.float64)
        ),
        "mixed states": lambda tf: tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.LSTMCell(2),
            _x(tf, 2, 3, 4),
            initial_state=(tf.ones([2, 2], tf.float64), tf.ones([2, 2])),
        ),
        "bidirectional": lambda tf: tf.nn.bidirectional_dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(2), None, _x(tf, 2, 3, 4), dtype=tf.float32
        ),
        "raw": lambda tf: tf.nn.raw_rnn(tf.nn.rnn_cell.GRUCell(2), 3),
        "static of a tensor": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), _x(tf, 2, 3), dtype=tf.float32
        ),
        "static of nothing": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), [], dtype=tf.float32
        ),
        "static without dtype": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), [_x(tf, 2, 3)]
        ),
        "static depth": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), [_x(tf, 2, None)], dtype=tf.float32
        ),
        "static lengths": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), [_x(tf, 2, 3)], dtype=tf.float32, sequence_length=[[1, 2]]
        ),
        "static batches": lambda tf: tf.nn.static_rnn(
            tf.nn.rnn_cell.GRUCell(2), [_x(tf, 2, 3), _x(tf, 4, 3)], dtype=tf.float32
        ),
        "static bidirectional": lambda tf: tf.nn.static_bidirectional_rnn(
            tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.GRUCell(2), []
        ),
        "state's name": lambda tf: tf.nn.static_state_saving_rnn(
            tf.nn.rnn_cell.LSTMCell(2), [_x(tf, 2, 3)], None, "c"
        ),
        "states' names": lambda tf: tf.nn.static_state_saving_rnn(
            tf.nn.rnn_cell.LSTMCell(2), [_x(tf, 2, 3)], None, ("c", "h", "g")
        ),
    },
}


def run(tf, fetches, feeds, said, train=None):
    """Runs a case.

    Returns:
        (fetch, value) pairs, for every step and at last for the variables.
    """
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(STEPS if fetches else 0):
            # All that is fetched is computed before it is trained on.
            values = session.run([fetches, [] if train is None else train], feeds(step))[0]
            found += zip(fetches, values)
        variables = tf.global_variables()
        found += zip(variables, session.run(variables))
    return found
