"""The stack of an operation: the lines of its instructions are those that Python itself names."""

from __future__ import annotations

import traceback

from tf1compat.core import operation


def test_lines_are_those_of_python(tf) -> None:
    def made(depth: int):
        if depth:
            return made(
                depth - 1,
            )
        return (
            traceback.extract_stack(),
            tf.no_op(
                name="made",
            ),
        )

    frames, op = made(3)
    ours = [(frame[0], frame[1], frame[2]) for frame in op.traceback]
    theirs = [(frame.filename, frame.lineno, frame.name) for frame in frames]
    assert ours[:-1] == theirs[:-1]
    # The innermost frame stands a line further, where the operation is made.
    assert ours[-1] == (theirs[-1][0], theirs[-1][1] + 1, "made")
    assert op.definition == ours[-1][:2]


def test_an_instruction_of_no_line_is_of_the_function_s_first() -> None:
    code = compile("a = 1\nb = 2\n", "somewhere", "exec")
    assert operation._line(code, 10**6) == code.co_firstlineno
