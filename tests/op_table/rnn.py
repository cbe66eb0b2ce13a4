"""Rows of the steps of recurrent nets that are one op."""

from __future__ import annotations

from op_table.case import Case, arr, val

F32 = ["float32"]
# Batch 2, inputs of 2, cells of 3; three steps.
LSTM = [arr(2, 2), arr(2, 3), arr(2, 3), arr(5, 12), arr(3), arr(3), arr(3), arr(12)]
LSTM_GRAD = LSTM + [arr(2, 3, low=0.1, high=0.9) for _ in range(6)] + [arr(2, 3), arr(2, 3)]
BLOCK = [arr(3, 2, 2), *LSTM[1:]]
BLOCK_GRAD = BLOCK + [arr(3, 2, 3, low=0.1, high=0.9) for _ in range(7)]
BLOCK_GRAD += [arr(3, 2, 3), arr(3, 2, 3)]
GRU = [arr(2, 2), arr(2, 3), arr(5, 6), arr(5, 3), arr(6), arr(3)]
GRU_GRAD = GRU + [arr(2, 3, low=0.1, high=0.9) for _ in range(3)] + [arr(2, 3)]


def _op(name, **attrs):
    def record(tf, *inputs):
        _ = tf.contrib.rnn  # It registers the gradients.
        names = _INPUTS[name]
        return list(getattr(tf.raw_ops, name)(**dict(zip(names, inputs)), **attrs))

    return record


def _block(count, version="", **attrs):
    """All steps, of which `count` are computed; what TensorFlow leaves undefined is cut off."""
    grad = version.startswith("Grad")

    def record(tf, *inputs):
        record_all = _op("BlockLSTM" + version, **attrs)
        length = tf.constant(count, tf.int64)
        found = record_all(tf, length, *inputs)
        return found if grad else [y[:count] for y in found]

    return record


_LSTM = ["x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"]
_GRU = ["x", "h_prev", "w_ru", "w_c", "b_ru", "b_c"]
_INPUTS = {
    "LSTMBlockCell": _LSTM,
    "LSTMBlockCellGrad": [*_LSTM, "i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"],
    "BlockLSTM": ["seq_len_max", *_LSTM],
    "BlockLSTMGrad": [
        "seq_len_max", *_LSTM, "i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad",
    ],
    "BlockLSTMV2": ["seq_len_max", *_LSTM],
    "GRUBlockCell": _GRU,
    "GRUBlockCellGrad": [*_GRU, "r", "u", "c", "d_h"],
}  # fmt: skip
_INPUTS["BlockLSTMGradV2"] = _INPUTS["BlockLSTMGrad"]


def _with(inputs, position, spec):
    return [*inputs[:position], spec, *inputs[position + 1 :]]


# The gradient is that of the memory and the output alone.
CELL = {"dtypes": F32, "grad_outputs": (1, 6), "smooth": False}

CASES = [
    Case("LSTMBlockCell", _op("LSTMBlockCell"), LSTM, **CELL),
    Case("LSTMBlockCell", _op("LSTMBlockCell", use_peephole=True), LSTM, "peephole", **CELL),
    Case(
        "LSTMBlockCell",
        _op("LSTMBlockCell", use_peephole=True, cell_clip=0.3, forget_bias=0.0),
        LSTM,
        "clip",
        **CELL,
    ),
    Case("LSTMBlockCell", _op("LSTMBlockCell", cell_clip=-1.0), LSTM, "no_clip", **CELL),
    Case(
        "LSTMBlockCell", _op("LSTMBlockCell"), LSTM, "half", ["float16"], grad=(), rtol=5e-3
    ),  # Half precision: sums of products in another order.
    *[
        Case(
            "LSTMBlockCell",
            _op("LSTMBlockCell"),
            _with(LSTM, position, spec),
            label,
            F32,
            raises=True,
        )
        for label, position, spec in (
            ("batch of cs_prev", 1, arr(3, 3)),
            ("batch of h_prev", 2, arr(3, 3)),
            ("cell of h_prev", 2, arr(2, 4)),
            ("rows of w", 3, arr(6, 12)),
            ("columns of w", 3, arr(5, 11)),
            ("size of b", 7, arr(11)),
        )
    ],
    Case(
        "LSTMBlockCellGrad",
        _op("LSTMBlockCellGrad", use_peephole=True),
        LSTM_GRAD,
        dtypes=F32,
        grad=(),
    ),
    Case(
        "LSTMBlockCellGrad",
        _op("LSTMBlockCellGrad", use_peephole=False),
        LSTM_GRAD,
        "no_peephole",
        F32,
        grad=(),
    ),
    Case("BlockLSTM", _block(3), BLOCK, **CELL),
    Case("BlockLSTM", _block(2, use_peephole=True, cell_clip=0.5), BLOCK, "peephole", **CELL),
    Case("BlockLSTM", _block(1, forget_bias=0.5), BLOCK, "one_step", **CELL),
    *[
        Case("BlockLSTM", _block(2), _with(BLOCK, position, spec), label, F32, raises=True)
        for label, position, spec in (
            ("rank of x", 0, arr(2, 2)),
            ("batch of cs_prev", 1, arr(3, 3)),
            ("batch of h_prev", 2, arr(3, 3)),
            ("columns of w", 3, arr(5, 11)),
            ("size of wci", 4, arr(4)),
            ("size of b", 7, arr(11)),
            ("other size of b", 7, arr(16)),
        )
    ],
    Case(
        "BlockLSTMGrad",
        _block(3, "Grad", use_peephole=True),
        BLOCK_GRAD,
        dtypes=F32,
        grad=(),
    ),
    Case(
        "BlockLSTMGrad",
        _block(2, "Grad", use_peephole=False),
        BLOCK_GRAD,
        "no_peephole",
        F32,
        grad=(),
    ),
    Case("BlockLSTMV2", _block(3, "V2"), BLOCK, **CELL),
    Case(
        "BlockLSTMV2", _block(2, "V2", use_peephole=True, cell_clip=0.5), BLOCK, "clip", **CELL
    ),
    Case(
        "BlockLSTMGradV2",
        _block(3, "GradV2", use_peephole=True),
        BLOCK_GRAD,
        dtypes=F32,
        grad=(),
    ),
    Case(
        "GRUBlockCell", _op("GRUBlockCell"), GRU, dtypes=F32, grad_outputs=(3,), smooth=False
    ),
    *[
        Case(
            "GRUBlockCell", _op("GRUBlockCell"), _with(GRU, position, spec), label, F32, raises=True
        )
        for label, position, spec in (
            ("batch of h_prev", 1, arr(3, 3)),
            ("rows of w_ru", 2, arr(4, 6)),
            ("columns of w_ru", 2, arr(5, 5)),
            ("rows of w_c", 3, arr(4, 3)),
            ("columns of w_c", 3, arr(5, 4)),
            ("size of b_ru", 4, arr(5)),
            ("size of b_c", 5, val([1.0])),
        )
    ],
    Case("GRUBlockCellGrad", _op("GRUBlockCellGrad"), GRU_GRAD, dtypes=F32, grad=()),
]  # fmt: skip
