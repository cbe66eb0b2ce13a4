"""What programs are made of: branches, loops, calls and updates, seen in the optimised HLO."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf1compat.api.functions import function

pytestmark = pytest.mark.usefixtures("xla")


def count(program: Any, opcode: str) -> int:
    """How many instructions of a program have this opcode."""
    return program.as_text().count(f" {opcode}(")


class TestBranches:
    def test_a_conditional_is_one(self, tf, programs):
        p, x = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [64])
        pred = tf.greater(p, 0)
        y, z = tf.cond(pred, lambda: (tf.exp(x), tf.sin(x)), lambda: (tf.tanh(x), tf.cos(x)))
        with tf.Session() as session:
            for taken in (True, False):
                feeds = {p: float(taken), x: np.ones(64)}
                wanted = (np.exp(1), np.sin(1)) if taken else (np.tanh(1), np.cos(1))
                found = session.run([y, z], feeds)
                np.testing.assert_allclose([v[0] for v in found], wanted, rtol=1e-6)
        assert [count(program, "conditional") for program in programs] == [1]

    def test_a_known_predicate_is_no_conditional(self, tf, programs):
        x = tf.placeholder(tf.float32, [64])
        y = tf.cond(tf.greater(tf.rank(x), 0), lambda: tf.exp(x), lambda: tf.tanh(x))
        with tf.Session() as session:
            session.run(y, {x: np.ones(64)})
        (program,) = programs
        assert count(program, "conditional") == 0
        assert "tanh" not in program.as_text()

    def test_what_is_not_taken_does_not_fail(self, tf):
        pred, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.int32, [])
        rows = tf.constant([1, 2, 3])
        y = tf.cond(pred, lambda: tf.gather(rows, x), lambda: -1)
        with tf.Session() as session:
            assert session.run(y, {pred: False, x: 7}) == -1
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"= 7 is not in \[0, 3\)"):
                session.run(y, {pred: True, x: 7})

    @pytest.mark.parametrize("resource", [False, True])
    def test_a_variable_is_written_where_the_branch_is_taken(self, tf, programs, resource):
        p = tf.placeholder(tf.float32, [])
        pred = tf.greater(p, 0)
        v = tf.Variable(np.zeros(64, np.float32), use_resource=resource)
        y = tf.cond(pred, lambda: tf.identity(v.assign_add(tf.ones(64))), lambda: v + 5.0)
        with tf.Session() as session:
            session.run(v.initializer)
            programs.clear()
            found = [session.run(y, {p: taken})[0] for taken in (1, 0, 1)]
            assert found == [1, 6, 2]
            assert session.run(v)[0] == 2
        assert count(programs[0], "conditional") == 1

    def test_gradients_that_wait_for_each_other_are_one_program(self, tf, programs):
        x = tf.placeholder(tf.float32, [2, 3])

        def body(i, state):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(state), lambda: state)

        _, last = tf.while_loop(lambda i, _: i < 5, body, [0, x])
        gradient = tf.gradients(last, x, gate_gradients=True)[0]
        with tf.Session() as session:
            found = session.run(gradient, {x: np.ones((2, 3))})
        states = np.sin(1.0), np.sin(np.sin(1.0))
        np.testing.assert_allclose(found[0], [np.prod(np.cos([1.0, *states]))] * 3, rtol=1e-6)
        assert len(programs) == 1

    def test_a_generator_goes_on_where_the_branch_is_taken(self, tf):
        p = tf.placeholder(tf.float32, [])
        drawn = tf.random_uniform([], seed=3)
        y = tf.cond(tf.greater(p, 0), lambda: tf.random_uniform([], seed=3), lambda: 0.0)
        with tf.Session() as session:
            first, second = (session.run(drawn) for _ in range(2))
            assert [session.run(y, {p: taken}) for taken in (1, 0, 1)] == [first, 0, second]


class TestLoops:
    @staticmethod
    def doubled(tf, count, x):
        """Twice `x`, as often as `count` says."""
        return tf.while_loop(lambda i, _: i < count, lambda i, y: (i + 1, y * 2), (0, x))[1]

    def test_a_loop_is_one(self, tf, programs):
        n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [64])
        y = self.doubled(tf, n, x)
        with tf.Session() as session:
            assert [session.run(y, {n: i, x: np.ones(64)})[0] for i in (0, 3, 5)] == [1, 8, 32]
        assert [count(program, "while") for program in programs] == [1]

    def test_a_loop_that_never_runs_is_none(self, tf, programs):
        x = tf.placeholder(tf.float32, [64])
        y = tf.exp(self.doubled(tf, 0, x))
        with tf.Session() as session:
            session.run(y, {x: np.ones(64)})
        assert [count(program, "while") for program in programs] == [0]

    def test_a_gradient_is_a_second_loop(self, tf, programs):
        n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [64])
        y = tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, y * y), (0, x))[1]
        (grad,) = tf.gradients(y, x)
        with tf.Session() as session:
            # The derivative of x ** 8.
            np.testing.assert_allclose(
                session.run(grad, {n: 3, x: np.full(64, 1.1)}), 8 * 1.1**7, rtol=1e-5
            )
        assert [count(program, "while") for program in programs] == [2]

    def test_what_fails_in_an_iteration_changes_nothing(self, tf):
        n = tf.placeholder(tf.int32, [])
        v = tf.Variable(np.zeros(4, np.float32))

        def body(i):
            with tf.control_dependencies([v.assign_add(tf.ones(4))]):
                rows = tf.gather(tf.constant([1, 1, 1]), i, name="rows")
            return i + rows

        end = tf.while_loop(lambda i: i < n, body, [0])
        with tf.Session() as session:
            session.run(v.initializer)
            assert session.run(end, {n: 3}) == 3
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"= 3 is not in \[0, 3\)"):
                session.run(end, {n: 5})
            assert session.run(v).tolist() == [3] * 4


class TestCalls:
    def test_bodies_stand_in_the_program(self, tf, programs):
        @function.Defun(tf.float32)
        def twice(x):
            return x * 2

        x = tf.placeholder(tf.float32, [64])
        y = twice(twice(x)) + twice(x)
        with tf.Session() as session:
            assert session.run(y, {x: np.ones(64)})[0] == 6
        (program,) = programs
        assert (count(program, "call"), count(program, "fusion")) == (0, 1)


class TestUpdates:
    @pytest.mark.parametrize("resource", [False, True])
    def test_a_variable_is_updated_in_place(self, tf, programs, resource):
        v = tf.Variable(np.ones(4096, np.float32), use_resource=resource)
        x = tf.placeholder(tf.float32, [4096])
        with tf.Session() as session:
            session.run(v.initializer)
            programs.clear()
            for _ in range(2):
                session.run(v.assign_add(x * 2).op, {x: np.ones(4096)})
            assert session.run(v)[0] == 5
        header = programs[0].as_text().split("\n")[0]
        assert "input_output_alias" in header or "donor" in header

    def test_what_is_fed_is_never_written_to(self, tf):
        v = tf.Variable(np.ones(4096, np.float32))
        x = tf.placeholder(tf.float32, [4096])
        fed = np.ones(4096, np.float32)
        assigned = tf.assign(v, x)
        with tf.Session() as session:
            session.run(v.initializer)
            for _ in range(3):
                session.run(assigned, {x: fed})
                session.run(v.assign_add(tf.ones(4096)).op)
        assert fed.tolist() == [1.0] * 4096

    def test_shapes_are_not_computed(self, tf, programs):
        x = tf.placeholder(tf.float32, [None, 3])
        shape, y = tf.shape(x), tf.exp(x)
        with tf.Session() as session:
            found = [session.run([shape, y], {x: np.zeros([n, 3])})[0].tolist() for n in (2, 4)]
        assert found == [[2, 3], [4, 3]]
        assert all("s32[2]" not in program.as_text() for program in programs)


def test_what_is_refused_while_tracing_has_no_note_of_jax(tf):
    rows = tf.placeholder(tf.float32)
    picked = tf.gather(rows, [0])
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="at least 1 dim")
    with tf.Session() as session, refused as raised:
        session.run(picked, {rows: 1.0})
    assert not hasattr(raised.value, "__notes__")
