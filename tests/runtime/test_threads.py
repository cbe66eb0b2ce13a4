"""Several threads that run one session at once."""

from __future__ import annotations

import threading

import numpy as np
import pytest


def in_threads(count, function):
    """Calls `function(number of the thread)` in threads; raises what one of them raised."""
    errors = []

    def guarded(number):
        try:
            function(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]


@pytest.fixture
def sess(tf):
    with tf.Session() as session:
        yield session


def test_no_update_is_lost(tf, sess):
    counter = tf.Variable(0, name="counter")
    count = tf.assign_add(counter, 1)
    sess.run(counter.initializer)
    in_threads(4, lambda _: [sess.run(count) for _ in range(50)])
    assert sess.run(counter) == 200


def test_no_update_is_lost_between_the_regions_of_a_run(tf, sess):
    counter, other = tf.Variable(0), tf.Variable(0)
    x = tf.placeholder(tf.int32, [])
    called = tf.py_func(lambda a: a, [x], tf.int32)
    before = tf.assign_add(counter, x)
    with tf.control_dependencies([before]):
        between = tf.py_func(lambda a: a, [called], tf.int32)
    after = tf.assign_add(other, between)
    simple = tf.assign_add(counter, x)
    sess.run(tf.global_variables_initializer())

    def train(number):
        for _ in range(25):
            sess.run(simple if number % 2 else [before, after], {x: 1})

    in_threads(4, train)
    assert sess.run([counter, other]) == [100, 50]


def test_hogwild(tf, sess):
    """Threads that train, read and save the same variables meet no array that was given away."""
    w = tf.Variable(np.zeros((50, 4), np.float32))
    b = tf.Variable(np.zeros(4, np.float32), use_resource=True)
    x = tf.placeholder(tf.float32, [None, 50])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    called = tf.py_func(np.sin, [loss], tf.float32)
    both = [tf.group(train, called), loss, w]
    sess.run(tf.global_variables_initializer())
    fetches = [train, [train, loss], [w, b], both, [w.op, b, loss]]

    def work(number):
        generator = np.random.RandomState(number)
        for i in range(30):
            batch = generator.rand(3 + number % 2, 50).astype(np.float32)
            sess.run(fetches[(i + number) % len(fetches)], {x: batch})

    start = sess.run(loss, {x: np.full((1, 50), 0.5, np.float32)})
    in_threads(6, work)
    assert sess.run(loss, {x: np.full((1, 50), 0.5, np.float32)}) < start / 2


def test_variables_updated_together_are_seen_together(tf, sess):
    a, b = tf.Variable(0, use_resource=True), tf.Variable(0, use_resource=True)
    both = tf.group(a.assign_add(1), b.assign_add(1))
    reads = [a.read_value(), b.read_value()]
    sess.run(tf.global_variables_initializer())

    def work(number):
        for _ in range(60):
            if number % 2:
                sess.run(both)
            else:
                x, y = sess.run(reads)
                assert x == y

    in_threads(4, work)
    assert sess.run(reads) == [120, 120]


def test_a_blocked_host_step_blocks_nobody_else(tf, sess):
    free = threading.Event()
    blocked = tf.py_func(lambda: (free.wait(30), np.float32(1))[1], [], tf.float32)
    v = tf.Variable(1.0)
    add = tf.assign_add(v, 1.0)
    sess.run(v.initializer)
    results = []
    waiting = threading.Thread(target=lambda: results.append(sess.run([blocked, add])))
    waiting.start()
    try:
        assert sess.run(add) >= 2.0
        assert not results
    finally:
        free.set()
        waiting.join(30)
    assert results[0][0] == 1.0
    assert sess.run(v) == 3.0


def test_a_run_inside_a_run(tf, sess):
    v = tf.Variable(1.0)
    sess.run(v.initializer)
    add = tf.assign_add(v, 1.0)
    nested = tf.py_func(lambda: sess.run(add), [], tf.float32)
    assert sess.run(nested + 10.0) == 12.0
    assert sess.run(v) == 2.0


def test_programs_are_compiled_while_others_run(tf, sess):
    x = tf.placeholder(tf.float32, [None])
    fetches = [tf.reduce_sum(x * float(i)) for i in range(12)]

    def work(number):
        for i in range(12):
            size = 1 + (i + number) % 3
            k = (i * 5 + number) % 12
            assert sess.run(fetches[k], {x: np.ones(size, np.float32)}) == size * k

    in_threads(4, work)


def test_a_failing_thread_harms_no_other(tf, sess):
    v = tf.Variable([0.0])
    x = tf.placeholder(tf.float32, [])
    step = tf.group(tf.assign_add(v, [1.0]), tf.Assert(x > 0, [x]))
    sess.run(v.initializer)

    def work(number):
        for _ in range(20):
            if number % 2:
                sess.run(step, {x: 1.0})
            else:
                with pytest.raises(tf.errors.InvalidArgumentError):
                    sess.run(step, {x: -1.0})

    in_threads(4, work)
    assert sess.run(v) == [40.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_updates_before_a_wait_are_not_lost(tf, use_resource):
    """What a run wrote before it waited is not written again over what others made of it."""
    count = tf.get_variable(
        "count", [], tf.int64, initializer=tf.zeros_initializer(), use_resource=use_resource
    )
    queue = tf.FIFOQueue(2, [tf.int64, tf.float32], [[], []])
    enqueue = queue.enqueue([tf.count_up_to(count, 1000), tf.random_uniform([], seed=1)])
    dequeue = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = [
            threading.Thread(target=lambda: [sess.run(enqueue) for _ in range(25)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        found = [sess.run(dequeue) for _ in range(100)]
        for thread in threads:
            thread.join()
        assert sess.run(count) == 100
    assert sorted(number for number, _ in found) == list(range(100))
    assert len({drawn for _, drawn in found}) == 100
