"""Sessions on a server share its variables, tables and queues, as in TensorFlow 1.15."""

from __future__ import annotations

import threading

import pytest


@pytest.fixture
def server(tf):
    return tf.train.Server.create_local_server()


@pytest.fixture(params=["host", "xla"])
def two(tf, server, request):
    """Two sessions on one server, in either tier."""
    from tf1compat.runtime import tiers

    target = server.target
    with tiers.tier(request.param), tf.Session(target) as first, tf.Session(target) as second:
        yield first, second


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_shared(tf, two, use_resource):
    first, second = two
    v = tf.Variable(1.0, name="v", use_resource=use_resource)
    add = v.assign_add(1.0)
    first.run(v.initializer)
    for turn in range(4):
        assert second.run(v) == 2 * turn + 1
        assert second.run(add) == 2 * turn + 2
        assert first.run(add) == 2 * turn + 3


def test_they_go_by_name_and_container(tf, two):
    first, _ = two
    first.run(tf.Variable([1.0, 2.0], name="v").initializer)
    with tf.Graph().as_default():
        v = tf.Variable([0.0, 0.0], name="v")
        with tf.container("other"):
            w = tf.Variable([0.0, 0.0], name="v")
        with tf.Session(first.sess_str) as third:
            assert third.run(v).tolist() == [1, 2]
            with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v_1"):
                third.run(w)


def test_a_variable_of_another_shape_is_refused(tf, two):
    """Texts are TensorFlow 1.15's; a resource variable takes what it is given."""
    first, second = two
    place = "From /job:local/replica:0/task:0:\n"
    made = [tf.Variable([1.0, 2.0], name="v"), tf.Variable([1.0, 2.0], name="r", use_resource=True)]
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        first.run(made[0])
    assert caught.value.message.startswith(f"{place}Attempting to use uninitialized value v\n")
    first.run([v.initializer for v in made])
    with tf.Graph().as_default():
        v, r = tf.Variable([5.0], name="v"), tf.Variable([5.0], name="r", use_resource=True)
        with tf.Session(second.sess_str) as other:
            text = "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [1]"
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                other.run(v.initializer)
            assert caught.value.message.startswith(place + text)
            other.run(r.initializer)
            assert other.run(r) == 5
    assert first.run(made[0]).tolist() == [1, 2]


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_a_value_of_another_shape_is_what_the_next_must_match(tf, tier):
    from tf1compat.runtime import tiers

    v = tf.Variable([1.0, 2.0])
    longer, again = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False), tf.assign(v, [5.0, 6.0])
    with tiers.tier(tier), tf.Session() as sess:
        sess.run(v.initializer)
        for _ in range(2):
            assert sess.run(longer).tolist() == [1, 2, 3]
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"lhs shape= \[3\] rhs shape= \[2"
            ):
                sess.run(again)


def test_queues_and_tables(tf, two):
    first, second = two
    shared = tf.FIFOQueue(3, [tf.float32], shapes=[[]], shared_name="shared")
    private = tf.FIFOQueue(3, [tf.float32], shapes=[[]], name="private")
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="table")
    first.run([shared.enqueue(3.0), private.enqueue(4.0), table.insert("a", 5)])
    assert second.run([shared.size(), private.size()]) == [1, 0]
    assert second.run([shared.dequeue(), table.lookup(tf.constant("a"))]) == [3, 5]


def test_a_queue_hands_over(tf, two):
    """One session waits for what the other puts into the queue."""
    first, second = two
    queue = tf.FIFOQueue(1, [tf.float32], shapes=[[]], shared_name="handed")
    get, put = queue.dequeue(), queue.enqueue(7.0)
    found = []
    thread = threading.Thread(target=lambda: found.append(first.run(get)))
    thread.start()
    second.run(put)
    thread.join(10)
    assert found == [7]


def test_generators_are_of_each_session(tf, two):
    first, second = two
    drawn = tf.random_uniform([], seed=3)
    values = [first.run(drawn), first.run(drawn), second.run(drawn)]
    assert values[0] == values[2] != values[1]


def test_closing_leaves_what_is_shared(tf, server):
    v = tf.Variable(1.0, name="v")
    with tf.Session(server.target) as sess:
        sess.run(v.initializer)
    with tf.Session(server.target) as sess:
        assert sess.run(v) == 1


def test_reset(tf, server):
    v = tf.Variable(1.0, name="v")
    with tf.container("kept"):
        kept = tf.Variable(2.0, name="kept")
    sess = tf.Session(server.target)
    elsewhere = tf.Session()
    for each in (sess, elsewhere):
        each.run([v.initializer, kept.initializer])
    tf.Session.reset(server.target)
    with pytest.raises(tf.errors.AbortedError, match="Session [0-9a-f]{16} is not found"):
        sess.run(v)
    assert elsewhere.run(v) == 1
    with tf.Session(server.target) as after:
        with pytest.raises(tf.errors.FailedPreconditionError):
            after.run(v)
        assert after.run(kept) == 2
    tf.Session.reset(server.target, ["kept"])
    with tf.Session(server.target) as after, pytest.raises(tf.errors.FailedPreconditionError):
        after.run(kept)


def test_what_stays_private(tf, server):
    v = tf.Variable(1.0, name="v")
    with tf.Session(server.target) as sess:
        sess.run(v.initializer)
    other = tf.train.Server.create_local_server()
    isolated = tf.ConfigProto(isolate_session_state=True)
    for target, config in (("", None), (other.target, None), (server.target, isolated)):
        sess = tf.Session(target, config=config)
        with pytest.raises(tf.errors.FailedPreconditionError):
            sess.run(v)


def test_names_of_devices_and_errors(tf, server):
    x = tf.placeholder(tf.float32, [None], name="x")
    checked = tf.check_numerics(x, "bad")
    waits = tf.FIFOQueue(1, [tf.float32]).dequeue()
    with tf.device("/job:local/task:0"):
        y = tf.constant(1.0, name="y")
    with tf.Session(server.target) as sess:
        assert sess.list_devices()[0].name == "/job:local/replica:0/task:0/device:CPU:0"
        assert sess.run(y) == 1
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(checked, {x: [float("nan")]})
        assert caught.value.message.startswith("From /job:local/replica:0/task:0:\nbad : Tensor")
        with pytest.raises(tf.errors.DeadlineExceededError, match=r"^Operation timed out\.$"):
            sess.run(waits, options=tf.RunOptions(timeout_in_ms=50))
    with pytest.raises(tf.errors.InvalidArgumentError, match="operation y: node y"):
        tf.Session().run(y)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda tf: tf.FIFOQueue(5, [tf.float32], [[]], shared_name="q"),
         "Shared queue 'q' has capacity 3 but requested capacity was 5"),
        (lambda tf: tf.FIFOQueue(3, [tf.int32], [[]], shared_name="q"),
         "Shared queue 'q' has component types float but requested component types were int32"),
        (lambda tf: tf.FIFOQueue(3, [tf.float32], [[2]], shared_name="q"),
         "Shared queue 'q' has component shapes [[]] but requested component shapes were [[2]]"),
        (lambda tf: tf.RandomShuffleQueue(3, 1, [tf.float32], [[]], shared_name="q"),
         "Expected FIFOQueue, found RandomShuffleQueueV2"),
    ],
)  # fmt: skip
def test_queues_of_one_name_have_to_be_alike(tf, make, text):
    first = tf.FIFOQueue(3, [tf.float32], [[]], shared_name="q")
    alike = tf.FIFOQueue(3, [tf.float32], [[]], shared_name="q", name="alike")
    other = make(tf).size(name="other")
    with tf.Session() as sess:
        sess.run(first.enqueue(1.0))
        assert sess.run(alike.size()) == 1
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(other)
    assert caught.value.message.split("\n")[0] == text
    assert caught.value.op is other.op.inputs[0].op
