"""Critical sections against TensorFlow 1.15."""

from __future__ import annotations

import threading

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("critical_section")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_two_sections_of_one_variable(tf):
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    tf.CriticalSection().execute(lambda: v.read_value())
    with pytest.raises(ValueError, match="requested exclusive resource access of this resource"):
        tf.CriticalSection().execute(lambda: v.read_value(), exclusive_resource_access=False)


def test_threads_and_failures(tf):
    section = tf.CriticalSection()
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    x = tf.placeholder(tf.float32, [])

    def step():
        with tf.control_dependencies([tf.check_numerics(x, "bad")]):
            return v.assign_add(x)

    found = section.execute(lambda: tf.identity(step()))
    with tf.Session() as session:
        session.run(v.initializer)
        # A failed run leaves the mutex free.
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad : Tensor had NaN values"):
            session.run(found, {x: float("nan")})

        def work():
            for _ in range(5):
                session.run(found, {x: 1.0})

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(v) == 15.0
