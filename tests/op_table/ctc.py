"""Rows of connectionist temporal classification, and of edit distances."""

from __future__ import annotations

from op_table.case import Case, arr, val

HOST = "labels decide sizes"
F32 = ["float32"]
BOTH = [[0, 0], [0, 1], [1, 0]]
FOUR = [[0, 0], [0, 1], [1, 0], [1, 1]]


def _labels(tf, values, indices=None):
    indices = indices or BOTH
    return tf.SparseTensor(indices, tf.constant(values, tf.int32), [2, 4])


def _loss(values, lengths, indices=None, **kwargs):
    return lambda tf, x: tf.nn.ctc_loss(_labels(tf, values, indices), x, lengths, **kwargs)


def _case(label, values, lengths, indices=None, raises=False, **kwargs):
    return Case(
        "CTCLoss",
        _loss(values, lengths, indices, **kwargs),
        [arr(5, 2, 4)],
        label,
        F32,
        raises=raises,
        second=False,
    )


def _raw(tf, x, indices, values, lengths):
    return tf.raw_ops.CTCLoss(
        inputs=x, labels_indices=indices, labels_values=values, sequence_length=lengths
    )


def _mistake(label, indices=None, values=(0, 1, 2), lengths=(5, 3), shape=(5, 2, 4)):
    return Case(
        "CTCLoss",
        _raw,
        [
            arr(*shape),
            val(BOTH if indices is None else indices, "int64"),
            val(list(values), "int32"),
            val(list(lengths), "int32"),
        ],
        label,
        F32,
        raises=True,
    )


def _path(rows):
    """Logits that favour the classes `rows[t][b]`."""
    return [
        [[2.0 + b if c == k else 0.1 * c for c in range(3)] for b, k in enumerate(row)]
        for row in rows
    ]


PATH = val(_path([(0, 1), (0, 1), (2, 1), (0, 2), (1, 0), (1, 0)]))
EDITS = ([[0, 0], [0, 1], [1, 0], [3, 0]], [4, 2])
TRUTH = ([[0, 0], [0, 1], [0, 2], [2, 0], [3, 0]], [4, 3])


def _edit(normalize=True, dtype="int64"):
    def fn(tf, a, b):
        hypothesis = tf.SparseTensor(EDITS[0], a, EDITS[1])
        truth = tf.SparseTensor(TRUTH[0], b, TRUTH[1])
        return tf.edit_distance(hypothesis, truth, normalize=normalize)

    return fn


CASES = [
    _case("", [0, 1, 2], [5, 3]),
    _case("repeats", [1, 1, 2, 2], [5, 4], FOUR),
    _case("collapse", [1, 1, 2, 0], [5, 3], FOUR, preprocess_collapse_repeated=True),
    _case("no_merge", [1, 1, 2, 0], [5, 3], FOUR, ctc_merge_repeated=False),
    _case(
        "no_merge_collapse",
        [1, 2, 2, 2],
        [5, 3],
        FOUR,
        ctc_merge_repeated=False,
        preprocess_collapse_repeated=True,
    ),
    _case("too_long", [0, 1, 2, 1], [5, 2], [[0, 0], [1, 0], [1, 1], [1, 2]], True),
    _case(
        "ignore_too_long",
        [0, 1, 2, 1],
        [5, 2],
        [[0, 0], [1, 0], [1, 1], [1, 2]],
        ignore_longer_outputs_than_inputs=True,
    ),
    _case("blank_label", [0, 3, 1], [5, 3]),
    Case(
        "CTCLoss",
        lambda tf, x: tf.nn.ctc_loss(_labels(tf, [0, 1, 2]), x, [5, 3], time_major=False),
        [arr(2, 5, 4)],
        "batch_major",
        F32,
    ),
    Case(
        "CTCLoss",
        lambda tf, x: tf.nn.ctc_loss_v2(_labels(tf, [1, 2, 3]), x, None, [5, 3], blank_index=0),
        [arr(5, 2, 4)],
        "v2_blank_0",
        F32,
    ),
    Case(
        "CTCLoss",
        lambda tf, x: _raw(tf, x, tf.constant(BOTH, tf.int64), [0, 1, 2], [5, 3]),
        [arr(5, 2, 4)],
        "float64",
        ["float64"],
        grad_outputs=[0],
        # TensorFlow works with float32 logarithms here.
        rtol=1e-6,
    ),
    # The second label repeats the first one: there is no time for the blank between them.
    Case(
        "CTCLoss",
        lambda tf, x: _raw(
            tf, x, tf.constant([[0, 0], [1, 0], [1, 1]], tf.int64), [0, 1, 1], [5, 2]
        ),
        [arr(5, 2, 4)],
        "no_path",
        F32,
        grad=(),
    ),
    _mistake("negative_label", values=(0, -1, 1)),
    _mistake("after_blank", [[0, 0], [0, 1], [0, 2]], (0, 3, 1)),
    _mistake("no_labels", [[0, 0], [0, 1]], (0, 1)),
    _mistake("batch_index", [[0, 0], [0, 1], [4, 0]]),
    _mistake("order", [[0, 1], [0, 0], [1, 0]]),
    _mistake("too_many_steps", lengths=(5, 7)),
    _mistake("negative_steps", lengths=(5, -3)),
    _mistake("shapes", lengths=(5,)),
    _mistake("batch_0", [[0, 0]], (0,), (), (5, 0, 4)),
    Case(
        "CTCLoss",
        lambda tf, x: tf.nn.ctc_loss(tf.constant([[1]]), x, [1]),
        [arr(5, 2, 4)],
        "dense_labels",
        F32,
        raises=True,
    ),
    Case(
        "CTCGreedyDecoder",
        lambda tf, x: tf.nn.ctc_greedy_decoder(x, [6, 5]),
        [PATH],
        "",
        F32,
        grad=(),
        no_jax=HOST,
    ),
    Case(
        "CTCGreedyDecoder",
        lambda tf, x: tf.nn.ctc_greedy_decoder(x, [6, 0], merge_repeated=False),
        [PATH],
        "no_merge",
        F32,
        grad=(),
        no_jax=HOST,
    ),
    Case(
        "CTCGreedyDecoder",
        lambda tf, x: tf.nn.ctc_greedy_decoder(x, [6, 7]),
        [PATH],
        "too_many_steps",
        F32,
        raises=True,
    ),
    *(
        Case(
            "CTCBeamSearchDecoder",
            lambda tf, x, kwargs=kwargs: tf.nn.ctc_beam_search_decoder(x, [6, 4], **kwargs),
            [arr(6, 2, 4)],
            label,
            F32,
            grad=(),
            no_jax=HOST,
        )
        for label, kwargs in (
            ("", {}),
            ("paths", {"top_paths": 3, "merge_repeated": False}),
            ("narrow", {"beam_width": 2, "top_paths": 2}),
        )
    ),
    Case(
        "CTCBeamSearchDecoder",
        lambda tf, x: tf.nn.ctc_beam_search_decoder_v2(x, [6, 4], beam_width=10, top_paths=4),
        [arr(6, 2, 4, low=-5, high=5)],
        "v2",
        F32,
        grad=(),
        no_jax=HOST,
    ),
    Case(
        "CTCBeamSearchDecoder",
        lambda tf, x: tf.nn.ctc_beam_search_decoder(x, [6, 4], beam_width=2, top_paths=3),
        [arr(6, 2, 4)],
        "too_many_paths",
        F32,
        raises=True,
    ),
    Case(
        "CollapseRepeated",
        lambda tf, x: tf.nn.collapse_repeated(x, [4, 3]),
        [val([[1, 1, 2, 2], [3, 3, 3, 1]], "int32")],
        no_jax=HOST,
    ),
    Case(
        "EditDistance",
        _edit(),
        [val([5, 3, 7, 1], "int64"), val([5, 4, 3, 9, 1], "int64")],
        "normalized",
        no_jax=HOST,
        grad=(),
    ),
    Case(
        "EditDistance",
        _edit(False),
        [val(["a", "b", "c", "d"], "O"), val(["a", "c", "b", "d", "d"], "O")],
        "strings",
        no_jax=HOST,
        grad=(),
    ),
    Case(
        "EditDistance",
        lambda tf, a: tf.edit_distance(
            tf.SparseTensor([[0]], a, [2]), tf.SparseTensor([[0]], a, [3])
        ),
        [val([1], "int64")],
        "rank",
        raises=True,
    ),
    Case(
        "EditDistance",
        lambda tf, a: tf.edit_distance(a, a),
        [val([1], "int64")],
        "dense",
        raises=True,
    ),
]
