"""tf.Print and tf.print: the bytes that TensorFlow 1.15 writes."""

from __future__ import annotations

import sys

import numpy as np
import pytest


def _printed(tf, capfd, fetch, feed=None) -> str:
    with tf.Session() as session:
        session.run(fetch, feed)
    sys.stderr.flush()
    return capfd.readouterr().err


def test_print_op(tf, capfd):
    x = tf.placeholder(tf.float32)
    data = [x, tf.constant("hi"), tf.constant([1, 2, 3, 4])]
    y = tf.Print(x * 2, data, "msg: ", summarize=2)
    text = _printed(tf, capfd, y, {x: [[1.5, 0.1, 3], [4, 5, 6]]})
    assert text == "msg: [[1.5 0.1...]...][hi][1 2...]\n"


def test_first_n(tf, capfd):
    y = tf.Print(tf.constant(1.0), [tf.constant(1.0)], first_n=2)
    with tf.Session() as session:
        for _ in range(3):
            session.run(y)
    assert capfd.readouterr().err == "[1]\n[1]\n"


def test_first_n_is_counted_in_each_session(tf, capfd):
    x = tf.placeholder(tf.float32, [None])
    y = tf.Print(x * 2.0, [x], first_n=2)
    _, looped = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, tf.Print(a, [i], "i ", first_n=2)), [0, 1.0]
    )
    with tf.Session() as first, tf.Session() as second:
        for size in (1, 2, 3):
            for session in (first, second):
                session.run(y, {x: np.ones(size)})
        assert capfd.readouterr().err == "[1]\n[1]\n[1 1]\n[1 1]\n"
        for session in (first, second):
            session.run(looped)
            session.run(looped)
        assert capfd.readouterr().err == "i [0]\ni [1]\ni [0]\ni [1]\n"


def test_only_the_branch_taken_prints(tf, capfd):
    n = tf.placeholder(tf.int32)
    result = tf.cond(n > 3, lambda: tf.Print(n, [n], "big "), lambda: tf.Print(-n, [n], "small "))
    assert _printed(tf, capfd, result, {n: 1}) == "small [1]\n"


def test_every_step_of_a_loop_prints(tf, capfd):
    def body(i, x):
        return i + 1, tf.Print(x * 2, [i, x], "step ")

    _, x = tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])
    assert _printed(tf, capfd, x) == "step [0][1]\nstep [1][2]\nstep [2][4]\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32([0.1, 1 / 3, 1e10, 123456.789, -0.0, np.inf, np.nan]),
         "[0.1 0.333333343 1e+10 123456.789 -0 inf nan]"),
        (np.array([1 / 3, 1e10, 1e16, 1e17]), "[0.33333333333333331 10000000000 1e+16 1e+17]"),
        (np.array([True, False]), "[1 0]"),
        (np.zeros((2, 0)), "[]"),
        (np.array([b'c"d\n', b"\xff\t"], object), '[c\\"d\\n \\377\\t]'),
    ],
)  # fmt: skip
def test_elements(tf, capfd, value, text):
    y = tf.Print(tf.constant(1.0), [tf.constant(value)], summarize=-1)
    assert _printed(tf, capfd, y) == f"{text}\n"


CUBE = """[[[0 1 2 3]
  [4 5 6 7]
  [8 9 10 11]]

 [[12 13 14 15]
  [16 17 18 19]
  [20 21 22 23]]]
"""
NESTED = """x [[0 ... 4]
 ...
 [15 ... 19]] {'a': [1, 3]}
"""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (lambda tf: ((tf.range(24.0), "end"), {}), "[0 1 2 ... 21 22 23] end\n"),
        (lambda tf: ((tf.reshape(tf.range(24), [2, 3, 4]),), {}), CUBE),
        (
            lambda tf: (
                ("x", tf.reshape(tf.range(20), [4, 5]), {"a": [1, tf.constant(3)]}),
                {"summarize": 1},
            ),
            NESTED,
        ),
        (lambda tf: ((tf.constant("abc"),), {}), "abc\n"),
        (lambda tf: (([tf.constant("abc"), "d"],), {}), "[\"abc\", 'd']\n"),
        (lambda tf: (("{}", tf.constant(1)), {"sep": ",", "end": "|\n"}), "{},1|\n"),
        (lambda tf: ((tf.zeros([2, 0]),), {}), "[\n ...]\n"),
    ],
)
def test_print_function(tf, capfd, arguments, text):
    inputs, keywords = arguments(tf)
    printing = tf.print(*inputs, output_stream=sys.stderr, **keywords)
    assert _printed(tf, capfd, printing) == text


def test_print_to_a_file(tf, tmp_path):
    path = tmp_path / "log.txt"
    printing = tf.print("value", tf.constant(2), output_stream=f"file://{path}")
    with tf.Session() as session:
        session.run(printing)
        session.run(printing)
    assert path.read_text() == "value 2\nvalue 2\n"


def test_other_stream(tf):
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print("x", output_stream=3)


def test_scalar_summary(tf):
    tags, values = tf.placeholder(tf.string), tf.placeholder(tf.float32)
    summary = tf.raw_ops.ScalarSummary(tags=tags, values=values)
    with tf.Session() as session:
        found = tf.Summary.FromString(session.run(summary, {tags: ["a", "b"], values: [1.5, 2]}))
        assert [(v.tag, v.simple_value) for v in found.value] == [("a", 1.5), ("b", 2.0)]
        message = r"tags and values not the same shape: \[\] != \[2\] \(tag 'a'\)"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(summary, {tags: "a", values: [1, 2]})
