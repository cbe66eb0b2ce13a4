"""Tables, queues, readers and files against TensorFlow 1.15."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest
import recording
import resource_cases

GOLDEN = recording.read_json(os.path.join(recording.DATA, "resources.json.gz"))
STEPS = [(group, name) for group, cases in resource_cases.STEPS.items() for name in cases]

pytestmark = pytest.mark.filterwarnings("ignore:unclosed file")


@pytest.fixture(autouse=True)
def _in_folder():
    with resource_cases.folder():
        yield


@pytest.mark.parametrize(("group", "name"), STEPS)
def test_steps(tf, group, name):
    expected = GOLDEN["steps"][group][name]
    steps = resource_cases.STEPS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    found = recording.run_steps(tf, steps)
    for i, (want, have) in enumerate(zip(expected["steps"], found, strict=True)):
        if "error" in want or "error" in have:
            assert have == want, f"step {i}"
        else:
            difference = recording.value_difference(want["value"], have["value"], 0)
            assert difference is None, f"step {i}: {difference}"


@pytest.mark.parametrize("name", resource_cases.SAID)
def test_said(tf, name):
    assert resource_cases.SAID[name](tf) == GOLDEN["said"][name]


@pytest.mark.parametrize("name", resource_cases.MISTAKES)
def test_mistake(tf, name):
    expected = GOLDEN["mistakes"][name]
    assert recording.raised(tf, resource_cases.MISTAKES[name]) == expected


# Threads.


def test_a_pipeline_gives_every_element(tf):
    x, y = tf.train.slice_input_producer(
        [resource_cases.X, resource_cases.Y], num_epochs=2, shuffle=False
    )
    batch = tf.train.batch([x, y], 4)
    seen = []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient"):
            while not coordinator.should_stop():
                seen += session.run(batch)[1].tolist()
        coordinator.request_stop()
        coordinator.join(threads)
    assert seen == [0, 1, 2, 3, 4, 5] * 2
    assert coordinator.joined
    assert not any(thread.is_alive() for thread in threads)


def test_files_are_read_line_by_line(tf):
    names = tf.train.string_input_producer(["vocabulary", "lines"], num_epochs=1, seed=2)
    _, line = tf.TextLineReader().read(names)
    batch = tf.train.batch([line], 2)
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found += session.run(batch).tolist()
        coordinator.request_stop()
        coordinator.join(threads)
    assert sorted(found) == sorted([b"a", b"b", b"c", b"x", b"y", b""])


def test_a_waiting_dequeue_blocks_nobody(tf):
    queue = tf.FIFOQueue(2, [tf.int32], [[]])
    element, put, double = queue.dequeue(), queue.enqueue(7), tf.constant(2) * 2
    found = []
    with tf.Session() as session:
        waiting = threading.Thread(target=lambda: found.append(session.run(element)))
        waiting.start()
        time.sleep(0.05)
        assert session.run(double) == 4
        assert waiting.is_alive()
        session.run(put)
        waiting.join(10)
    assert found == [7]


def test_closing_a_session_ends_the_wait(tf):
    element = tf.FIFOQueue(2, [tf.int32], [[]]).dequeue()
    session = tf.Session()
    raised = []

    def wait():
        try:
            session.run(element)
        except tf.errors.CancelledError as error:
            raised.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.05)
    session.close()
    waiting.join(10)
    assert len(raised) == 1


def test_an_error_of_a_thread_is_raised_by_join(tf):
    queue = tf.FIFOQueue(2, [tf.int32], [[]])
    broken = queue.enqueue(tf.div(tf.constant(1), tf.placeholder_with_default(0, [])))
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        runner = tf.train.QueueRunner(queue, [broken] * 2)
        threads = runner.create_threads(session, coordinator, start=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
            coordinator.join(threads)
    proto = runner.to_proto()
    assert list(proto.enqueue_op_name) == ["fifo_queue_enqueue"] * 2
    again = tf.train.QueueRunner.from_proto(proto)
    assert again.cancel_op is runner.cancel_op


def test_a_coordinator_stops_its_loopers(tf):
    coordinator = tf.train.Coordinator()
    calls = []

    def work(limit):
        calls.append(1)
        if len(calls) == limit:
            raise ValueError("enough")

    looper = tf.train.LooperThread.loop(coordinator, 0.001, work, args=(3,))
    with pytest.raises(ValueError, match="enough"):
        coordinator.join([looper])
    assert len(calls) == 3
    coordinator.clear_stop()
    assert not coordinator.should_stop()
    with coordinator.stop_on_exception():
        raise tf.errors.OutOfRangeError(None, None, "the end")
    assert coordinator.should_stop()
    coordinator.join()


def test_tables_feed_device_programs(tf):
    words = tf.placeholder(tf.string, [None])
    table = tf.contrib.lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=1)
    rows = tf.nn.embedding_lookup(tf.constant([[1.0], [2.0], [3.0]]), table.lookup(words))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        found = session.run(rows * 2.0, {words: ["b", "zz", "a"]})
    np.testing.assert_array_equal(found, [[4.0], [6.0], [2.0]])


def test_each_session_has_its_own_tables(tf):
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    put, size = table.insert("a", tf.constant(1, tf.int64)), table.size()
    with tf.Session() as one, tf.Session() as other:
        one.run(put)
        assert one.run(size) == 1
        assert other.run(size) == 0


def test_constant_text_needs_no_step_on_the_host(tf):
    from tf1compat.runtime import plan

    number = tf.string_to_number(tf.substr(tf.string_join(["1", "23"]), 1, 2))
    fetch = (number + tf.placeholder_with_default(1.0, [])).op
    levels = plan.partition(plan.prune([fetch], set()), set())
    assert [level.host for level in levels] == [[]]
