"""Constants of any size: usable everywhere, and arguments of programs rather than parts of them."""

from __future__ import annotations

import numpy as np
import pytest

from tf1compat.launcher import import_hook
from tf1compat.runtime.compile import cache

# More than shape functions look at.
X = np.arange(1_050_000, dtype=np.float32).reshape(1050, 1000)


def _import(tf, x):
    with tf.Graph().as_default() as graph:
        tf.identity(x(tf), name="y")
    return tf.import_graph_def(graph.as_graph_def(), return_elements=["y:0"])[0]


def _controlled(tf, x):
    with tf.control_dependencies([tf.no_op()]):
        return x(tf) + 1


def _function(tf, x):
    return tf.function(lambda a: a + x(tf))(1.0)


def _captured(tf, x):
    outside = x(tf)
    return tf.function(lambda a: a + outside)(1.0)


def _defun(tf, x):
    import_hook.install()
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def add(a):
        return a + x(tf)

    return add(1.0)


def _loop(tf, x):
    return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a + x(tf)[1, 1]), [0, 0.0])[1]


def _chosen(tf, x):
    pred = tf.placeholder_with_default(0.0, []) > 1
    return tf.cond(pred, lambda: x(tf) * 2, lambda: x(tf) + 1)


def _gradient(tf, x):
    factor = tf.Variable(2.0)
    return tf.gradients(tf.reduce_max(x(tf) * factor), factor)[0]


def _shape_from_values(tf, x):
    return tf.zeros([tf.cast(tf.reduce_max(x(tf)[0, :4]), tf.int32)])


USES = {
    "fetched": (lambda tf, x: x(tf), X),
    "added": (lambda tf, x: x(tf) + 1, X + 1),
    "reduced": (lambda tf, x: tf.reduce_max(x(tf)), X.max()),
    "multiplied": (lambda tf, x: tf.matmul(x(tf), tf.ones([1000, 1]))[:1], [[499500.0]]),
    "gathered": (lambda tf, x: tf.gather(x(tf), [3, 1]), X[[3, 1]]),
    "converted": (lambda tf, x: tf.convert_to_tensor(X) - 1, X - 1),
    "variable": (lambda tf, x: tf.Variable(X), X),
    "get_variable": (lambda tf, x: tf.get_variable("v", initializer=x(tf)), X),
    "one_value": (lambda tf, x: tf.constant(2.0, shape=X.shape) * 3, np.full_like(X, 6)),
    "imported": (_import, X),
    "after_control_inputs": (_controlled, X + 1),
    "in_a_function": (_function, X + 1),
    "captured": (_captured, X + 1),
    "in_a_defun": (_defun, X + 1),
    "in_a_loop": (_loop, 2 * X[1, 1]),
    "in_a_branch": (_chosen, X + 1),
    "in_a_gradient": (_gradient, X.max()),
    "as_a_size": (_shape_from_values, np.zeros(3, np.float32)),
    "on_the_host": (lambda tf, x: tf.py_func(np.max, [x(tf)], tf.float32), X.max()),
    "of_int64": (lambda tf, x: tf.constant(X.astype(np.int64)) + 1, X.astype(np.int64) + 1),
}  # fmt: skip


@pytest.fixture
def sizes(monkeypatch):
    """How long the texts of the compiled programs are."""
    found = []

    def compiled(traced):
        lowered = traced.lower()
        found.append(len(lowered.as_text()))
        return lowered.compile()

    monkeypatch.setattr(cache, "compiled", compiled)
    return found


@pytest.mark.filterwarnings("ignore:.*py_func is deprecated")
@pytest.mark.parametrize("use", USES)
def test_use(tf, sizes, use):
    build, expected = USES[use]
    y = build(tf, lambda tf: tf.constant(X))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run(y)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.asarray(expected).dtype or use == "multiplied"
    assert max(sizes, default=0) < 20_000  # A million numbers would be more.


@pytest.mark.parametrize("inside", [True, False], ids=["inside", "captured"])
def test_dataset(tf, sizes, inside):
    outside = tf.constant(X)
    rows = tf.data.Dataset.from_tensor_slices(X[:, :2]).batch(2)
    picked = tf.data.Dataset.range(300).map(
        lambda i: tf.gather(tf.constant(X) if inside else outside, i)[:2] * 2
    )
    both = tf.data.make_one_shot_iterator if inside else tf.data.make_initializable_iterator
    iterators = [both(dataset) for dataset in (rows, picked)]
    with tf.Session() as sess:
        for iterator in [] if inside else iterators:
            sess.run(iterator.initializer)
        found = [sess.run(iterator.get_next()) for iterator in iterators]
    np.testing.assert_array_equal(found[0], X[:2, :2])
    np.testing.assert_array_equal(found[1], X[0, :2] * 2)
    assert max(sizes, default=0) < 20_000


def test_strings(tf):
    with tf.Session() as sess:
        words = np.array([b"a"] * 1_050_000, object)
        assert sess.run(tf.strings.length(tf.constant(words))).sum() == len(words)


def test_all_programs_share_one_array(tf, xla):
    from tf1compat.runtime.trace import large_constants

    x = tf.constant(X)
    with tf.Session() as one, tf.Session() as other:
        for session in (one, other):
            session.run([x + 1])
            session.run(x * 2)
        (copy,) = [key for key in large_constants._copies if key[0] == id(x._known_value)]
        assert large_constants._copies[copy].shape == X.shape
    assert copy not in large_constants._copies  # Nobody uses it any more.


@pytest.mark.parametrize("size", [3, 1_050_000])
class TestFedConstants:
    """A constant that is fed is none in that run, and still one in every other."""

    def test_in_one_session(self, tf, size):
        constant = tf.constant(np.ones(size, np.float32))
        derived = tf.identity(constant + 1)
        total = tf.reduce_max(derived)
        zeros = np.zeros(size, np.float32)
        with tf.Session() as one, tf.Session() as other:
            for session, feed, expected in (
                (other, {}, 2),
                (one, {constant: zeros}, 1),
                (other, {}, 2),
                (one, {}, 2),
                (other, {constant: zeros}, 1),
                (one, {derived: zeros}, 0),
                (one, {constant: zeros}, 1),
            ):
                assert session.run(total, feed) == expected

    def test_the_graph_is_as_it_was(self, tf, xla, size):
        constant = tf.constant(np.ones(size, np.float32))
        total = tf.reduce_max(constant + 1)
        ops = tf.get_default_graph().get_operations()
        with tf.Session() as sess:
            sess.run(total)
            before = [dict(op.__dict__) for op in ops]
            sess.run(total, {constant: np.zeros(size, np.float32)})
        assert [dict(op.__dict__) for op in ops] == before

    def test_a_function_of_a_dataset(self, tf, size):
        constant = tf.constant(np.ones(size, np.float32))
        dataset = tf.data.Dataset.range(3).map(lambda i: tf.reduce_max(constant + 1))
        iterator = tf.data.make_initializable_iterator(dataset)
        first = iterator.get_next()
        for feed, expected in (({}, 2), ({constant: np.zeros(size, np.float32)}, 1), ({}, 2)):
            with tf.Session() as sess:
                sess.run(iterator.initializer, feed)
                assert sess.run(first) == expected

    def test_a_predicate(self, tf, size):
        constant = tf.constant(np.ones(size, np.float32))
        chosen = tf.cond(tf.reduce_max(constant) > 0, lambda: 1, lambda: 2)
        with tf.Session() as sess:
            assert sess.run(chosen) == 1
            assert sess.run(chosen, {constant: np.zeros(size, np.float32)}) == 2
            assert sess.run(chosen) == 1

    def test_a_call(self, tf, size):
        constant = tf.constant(np.ones(size, np.float32))
        y = tf.function(lambda a: tf.reduce_max(a + 1))(constant)
        with tf.Session() as sess:
            assert sess.run(y) == 2
            assert sess.run(y, {constant: np.zeros(size, np.float32)}) == 1
            assert sess.run(y) == 2
