"""Rows of GatherTree, which follows the sequences of a beam search back."""

from __future__ import annotations

from op_table.case import Case, arr, val

INT = ["int32"]
STEPS = val(
    [
        [[4, 5, 0], [3, 3, 3]],
        [[1, 3, 5], [2, 4, 0]],
        [[0, 4, 2], [1, 0, 1]],
        [[5, 1, 5], [0, 1, 4]],
    ]
)
_PARENTS = [
    [[0, 1, 2], [0, 2, 0]],
    [[1, 1, 2], [0, 1, 1]],
    [[1, 0, 2], [0, 2, 2]],
    [[0, 2, 0], [0, 0, 1]],
]
INPUTS = [STEPS, val(_PARENTS), val([4, 3]), val(5)]


def _tree(tf, *inputs):
    return tf.contrib.seq2seq.gather_tree(*inputs)


def _with(position, spec):
    return [*INPUTS[:position], spec, *INPUTS[position + 1 :]]


def _parent(time, batch, beam, parent):
    """The inputs with another parent at one place."""
    parents = [[list(beams) for beams in step] for step in _PARENTS]
    parents[time][batch][beam] = parent
    return _with(1, val(parents))


CASES = [
    Case("GatherTree", _tree, INPUTS, dtypes=INT),
    Case("GatherTree", _tree, _with(2, val([3, 0])), "some lengths", INT),
    Case("GatherTree", _tree, _with(2, val([9, -1])), "odd lengths", INT),
    Case("GatherTree", _tree, [*INPUTS[:2], val([4, 4]), val(0)], "other end", INT),
    Case("GatherTree", _tree, _parent(0, 1, 1, -1), "unread parent", INT),
    Case("GatherTree", _tree, [arr(0, 2, 3), arr(0, 2, 3), *INPUTS[2:]], "no time", INT),
    Case("GatherTree", _tree, [arr(2, 0, 3), arr(2, 0, 3), arr(0), val(5)], "no batch", INT),
    *[
        Case("GatherTree", _tree, inputs, label, INT, raises=True)
        for label, inputs in (
            ("parent", _parent(2, 1, 1, 7)),
            ("negative parent", _parent(3, 0, 2, -1)),
            ("rank", _with(0, val([[1]]))),
            ("parents", _with(1, val([[[1]]]))),
            ("lengths", _with(2, val([4]))),
            ("lengths' rank", _with(2, val([[4, 3]]))),
            ("end", _with(3, val([5]))),
        )
    ],
]
