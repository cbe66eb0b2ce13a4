"""Barriers, and the batches of tf.contrib.training that queues fill.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by
`tests/api/test_contrib_training.py`.
"""

from __future__ import annotations

import re
import threading
import time

import numpy as np
from case_runs import Case, collect


def _training(tf):
    return tf.contrib.training


class Stepped(Case):
    """A graph whose operations a program of its own runs.

    Args:
        program: (tf, session) -> what it found, as pairs of a name and a value or error.
        said: what is compared as text.
    """

    def __init__(self, program, said=()):
        super().__init__(said=said)
        self.program = program

    def run(self, tf):
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            return list(self.program(tf, session))


def _try(tf, session, fetches, feed=None):
    """What a run gives, leaf by leaf, or its error's class and first line."""
    try:
        found = session.run(fetches, feed)
    except tf.errors.OpError as error:
        # The number in a resource's name is that of all in the process.
        text = re.sub(r"\b_\d+_", "_0_", error.message.split("\n")[0])
        return [(fetches, np.array(type(error).__name__ + ": " + text))]
    leaves = tf.contrib.framework.nest.flatten(found)
    return [(fetches, value) for value in leaves if value is not None]


def _threads(tf, session):
    """Queue runners that go through their elements; they are started and waited for."""
    coordinator = tf.train.Coordinator()
    return coordinator, tf.train.start_queue_runners(session, coordinator)


# ---- barriers ----------


def barrier(tf):
    """Elements come in by components, and go out in the order in which they were begun."""
    from tensorflow.python.ops import data_flow_ops

    b = data_flow_ops.Barrier((tf.float32, tf.int32), shapes=((), (2,)), name="b")
    rows = tf.placeholder_with_default([[1, 2], [3, 4], [5, 6]], None)
    first = b.insert_many(0, ["a", "b"], [1.0, 2.0])
    second = b.insert_many(1, ["b", "a", "c"], rows)
    last = b.insert_many(0, ["c"], [7.0], name="named")
    new = b.insert_many(0, ["d"], [8.0])
    taken = b.take_many(2)
    some = b.take_many(tf.placeholder_with_default(5, []), allow_small_batch=True)
    many = b.take_many(5)
    sizes = [b.ready_size(), b.incomplete_size()]
    close, cancel = b.close(), b.close(cancel_pending_enqueues=True)
    raw = tf.raw_ops
    wrong = [
        raw.BarrierInsertMany(handle=b.barrier_ref, keys=["z"], values=[1.5], component_index=1),
        raw.BarrierInsertMany(handle=b.barrier_ref, keys=["z"], values=[1.5], component_index=2),
        raw.BarrierTakeMany(handle=b.barrier_ref, num_elements=1, component_types=[tf.float32]),
        raw.BarrierTakeMany(
            handle=b.barrier_ref, num_elements=1, component_types=[tf.float32, tf.int32],
            timeout_ms=100,
        ),
        raw.BarrierReadySize(
            handle=raw.Barrier(component_types=[tf.float32], shapes=[[None]])
        ),
        raw.BarrierReadySize(handle=raw.Barrier(component_types=[tf.float32])),
    ]  # fmt: skip

    def program(tf, session):
        for step in (
            sizes, first, sizes, second, sizes, second, sizes, b.take_many(0), taken, sizes,
            *wrong, first, new, sizes, close, close, second, last, sizes, some, some, many,
            cancel, cancel, last, sizes,
        ):  # fmt: skip
            feed = {rows: [[1, 2, 3]] * 3} if step is first else None
            yield from _try(tf, session, step, feed)

    said = [b.name, b.barrier_ref, taken, some, sizes]
    return Stepped(program, said)


def barrier_waits(tf):
    """Those who take wait for those who insert; those that are incomplete at the end may come."""
    from tensorflow.python.ops import data_flow_ops

    b = data_flow_ops.Barrier((tf.float32, tf.string), shapes=((), ()))
    keys = tf.placeholder(tf.string, [None])
    insert = b.insert_many(0, keys, tf.cast(tf.strings.length(keys), tf.float32))
    complete = b.insert_many(1, keys, keys)
    taken = b.take_many(3)
    waiting = tf.raw_ops.BarrierTakeMany(
        handle=b.barrier_ref, num_elements=4, component_types=[tf.float32, tf.string],
        allow_small_batch=True, wait_for_incomplete=True,
    )  # fmt: skip

    def later(session, take, steps):
        found = []
        thread = threading.Thread(target=lambda: found.extend(_try(tf, session, take)))
        thread.start()
        time.sleep(0.2)
        for step, feed in steps:
            session.run(step, feed)
        thread.join()
        return found

    def program(tf, session):
        feed = {keys: ["x", "yyy", "zz", "w"]}
        session.run(insert, feed)
        yield from later(
            session, taken, [(complete, {keys: ["zz"]}), (complete, {keys: ["w", "x"]})]
        )
        session.run(b.close())
        yield from _try(tf, session, waiting)
        session.run(complete, {keys: ["yyy"]})
        yield from _try(tf, session, waiting)
        other = data_flow_ops.Barrier((tf.float32,), shapes=((),), name="other")
        yield from later(session, other.take_many(2), [(other.close(), None)])

    return Stepped(program)


# ---- buckets ----------


def buckets(tf):
    """Elements of two kinds, and dicts of one tensor."""
    element = tf.train.limit_epochs(tf.constant([1.0, 2.0]), 6)
    which = tf.Variable(0, trainable=False, name="which")
    kind, batch = _training(tf).bucket(
        [element, "x"], tf.assign_add(which, 1) % 2, 2, 2, allow_smaller_final_batch=True
    )
    _, one = _training(tf).bucket(
        {"a": tf.ones([2])}, 1, [3, tf.constant(2)], 2, keep_input=tf.constant(True),
        bucket_capacities=[5, 6], shared_name="shared", name="named", dynamic_pad=True,
    )  # fmt: skip
    return Stepped(lambda tf, session: [], [kind, batch, one])


def sequence_lengths(tf):
    """Sequences of growing length, run to the end."""
    length = tf.train.range_input_producer(9, num_epochs=1, shuffle=False).dequeue()
    values = tf.fill([length], tf.cast(length, tf.float32))
    lengths, batch = _training(tf).bucket_by_sequence_length(
        length, {"v": values}, 2, [3, 6], dynamic_pad=True, allow_smaller_final_batch=True
    )
    said = [lengths, batch]

    def program(tf, session):
        coordinator, threads = _threads(tf, session)
        found = []
        try:
            while True:
                found.append(session.run([lengths, batch["v"][0]]))
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
        # In each bucket the order is that of the source.
        for n, v in sorted(found, key=lambda pair: pair[0].tolist()):
            yield from [("lengths", n), ("values", v)]

    return Stepped(program, said)


def feeding(tf):
    """A queue that is fed by functions."""
    queue = tf.FIFOQueue(10, [tf.float32], [[]])
    x = tf.placeholder(tf.float32)
    runner = _training(tf).FeedingQueueRunner(
        queue, [queue.enqueue(x)] * 2, feed_fns=[_counter(x, 0), _counter(x, 100)]
    )
    tf.train.add_queue_runner(runner)
    y = queue.dequeue_many(6)

    def program(tf, session):
        coordinator = tf.train.Coordinator()
        threads = runner.create_threads(session, coordinator, start=True)
        yield "again", np.array(len(runner.create_threads(session, coordinator)))
        values = np.sort(session.run(y))
        yield (
            "low",
            np.array([value for value in values if value < 100] == list(range(_low(values)))),
        )
        coordinator.request_stop()
        coordinator.join(threads)
        yield "raised", np.array(len(runner.exceptions_raised))

    return Stepped(program, [runner.name, runner.close_op, runner.cancel_op])


def _counter(x, start):
    numbers = iter(range(start, 1000))
    return lambda: {x: next(numbers)}


def _low(values):
    return int((values < 100).sum())


# ---- samples ----------


def rejection(tf):
    x = tf.constant([1.0, 3.0])
    plain = _training(tf).rejection_sample([x], lambda t: 0.5 * t[0][0], 2)
    checked = _training(tf).rejection_sample(
        [tf.ones([3, 2]), tf.constant([5, 6, 7])], lambda t: tf.cast(t[1] > 5, tf.float32), 4,
        enqueue_many=True, runtime_checks=True, queue_threads=2, name="named",
    )  # fmt: skip

    def program(tf, session):
        coordinator, threads = _threads(tf, session)
        yield "plain", session.run(plain)[0]
        rows, labels = session.run(checked)
        yield "rows", rows
        yield "accepted", np.array(set(labels) <= {6, 7})
        coordinator.request_stop()
        coordinator.join(threads)

    return Stepped(program, [plain, checked])


def stratified(tf):
    training = _training(tf)
    x, labels = tf.ones([4, 2]), tf.constant([0, 1, 0, 0])
    (known,), known_labels = training.stratified_sample(
        [x], labels, [0.5, 0.5], 3, init_probs=[0.75, 0.25], enqueue_many=True
    )
    others, estimated = training.stratified_sample(
        [tf.constant(1.0)], tf.constant(2), [0.0, 0.5, 0.5], 2, threads_per_queue=2, name="named"
    )

    def program(tf, session):
        coordinator, threads = _threads(tf, session)
        yield "known", session.run(known)
        yield "one class", session.run(estimated)
        coordinator.request_stop()
        coordinator.join(threads)

    return Stepped(program, [known, known_labels, others, estimated])


# ---- sequences ----------


def state_saver(tf):
    """Pieces of two sequences, whose states count the pieces."""
    training = _training(tf)
    key = tf.placeholder_with_default("k", [])
    length = tf.placeholder_with_default(5, [])
    values = tf.placeholder_with_default(np.arange(12.0).reshape(6, 2), [None, 2])
    saver = training.SequenceQueueingStateSaver(
        2, 3, length, key, {"x": values, "b": tf.cast(values[:, 0], tf.int64)},
        {"c": tf.constant([1.0, 2.0]), "a": tf.constant("text")},
        {"count": tf.constant(0), "total": tf.zeros([2], tf.float64)}, capacity=3, name="saver",
    )  # fmt: skip
    batch = saver.next_batch
    count, total = batch.state("count"), batch.state("total")
    new_total = total + tf.reduce_sum(batch.sequences["x"], 1)
    save = [batch.save_state("count", count + 1), batch.save_state("total", new_total, name="s")]
    fetches = [batch.key, batch.next_key, batch.sequence, batch.sequence_count, batch.length]
    fetches += [batch.total_length, batch.batch_size, batch.context, batch.sequences]
    fetches += [batch.insertion_index, count, total]
    close = saver.close()

    def program(tf, session):
        session.run(saver.prefetch_op)
        session.run(saver.prefetch_op, {key: "other", length: 4})
        for _ in range(2):
            yield from _try(tf, session, [fetches, save])
        bad = {key: "bad", values: np.ones([4, 2])}
        yield from _try(tf, session, saver.prefetch_op, bad)
        yield from _try(tf, session, saver.prefetch_op, {key: "bad", length: 9})
        yield from _try(tf, session, close)

    said = [saver.name, saver.barrier.name, saver.batch_size, saver.num_unroll, saver.prefetch_op]
    said += [list(batch.context.items()), list(batch.sequences.items())]
    return Stepped(program, [*said, fetches[:7], fetches[9:], save])


def sequences(tf):
    """Padded sequences, dense and sparse, that threads take in."""
    training = _training(tf)
    sparse = tf.SparseTensor([[0, 1], [2, 0], [4, 2]], tf.constant([1.0, 2.0, 3.0]), [5, 3])
    context = tf.SparseTensor([[1], [3]], tf.constant([7, 8]), [4])
    count = tf.Variable(0, trainable=False, name="count")
    key = tf.as_string(tf.assign_add(count, 1))
    batch = training.batch_sequences_with_states(
        key, {"x": tf.reshape(tf.range(5.0), [5, 1]), "s": sparse, "t": tf.fill([5], "w")},
        {"c": context, "d": tf.constant(2)}, None, {"h": tf.zeros([1])}, 2, 1, num_threads=1,
        capacity=2,
    )  # fmt: skip
    save = batch.save_state("h", batch.state("h") + tf.reduce_sum(batch.sequences["x"], 1))
    fetches = [batch.key, batch.length, batch.state("h"), batch.sequences, batch.context]

    def program(tf, session):
        coordinator, threads = _threads(tf, session)
        for _ in range(3):
            yield from _try(tf, session, [fetches, save])
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=5)

    said = [fetches[:3], list(batch.sequences), list(batch.context), save]
    return Stepped(program, said + [tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].name])


def unpadded(tf):
    training = _training(tf)
    sparse = tf.SparseTensor([[0, 1]], [1.0], tf.constant([4, 3], tf.int64))
    batch = training.batch_sequences_with_states(
        tf.constant("key"), {"x": np.ones([4, 2], "f"), "s": sparse}, {}, tf.constant(3),
        {"h": tf.zeros([1])}, 2, tf.constant(1), pad=False, make_keys_unique=True,
        make_keys_unique_seed=5, name="named", allow_small_batch=False,
    )  # fmt: skip
    inputs = [batch.sequences["x"][:, i] for i in range(2)]
    outputs = tf.nn.static_state_saving_rnn(
        tf.nn.rnn_cell.BasicRNNCell(1), inputs, batch, "h", sequence_length=batch.length
    )
    return Stepped(lambda tf, session: [], [outputs, batch.sequences["s"]])


CASES = {
    "barriers": collect(barrier, barrier_waits),
    "buckets": collect(buckets, sequence_lengths, feeding),
    "samples": collect(rejection, stratified),
    "sequences": collect(state_saver, sequences, unpadded),
}


def _saved(tf, **changed):
    arguments = {
        "batch_size": 1, "num_unroll": 2, "input_length": tf.constant(2), "input_key": "k",
        "input_sequences": {"x": tf.ones([4])}, "input_context": {},
        "initial_states": {"h": tf.ones([])},
    }  # fmt: skip
    return _training(tf).SequenceQueueingStateSaver(**dict(arguments, **changed))


def _batched(tf, sequences, **settings):
    return _training(tf).batch_sequences_with_states(
        "k", sequences, {}, None, {"h": tf.ones([])}, settings.pop("num_unroll", 2), 1, **settings
    )


def _by_length(tf, boundaries):
    return _training(tf).bucket_by_sequence_length(3, [tf.ones([2])], 2, boundaries)


def _barrier(tf, *args, **kwargs):
    from tensorflow.python.ops import data_flow_ops

    return data_flow_ops.Barrier(*args, **kwargs)


def _ints(tf):
    return _barrier(tf, [tf.int32], [[]], name="b")


MISTAKES = {
    "barriers": {
        "empty": lambda tf: _barrier(tf, [tf.float32], [[0]]),
        "unknown": lambda tf: _barrier(tf, [tf.float32], [[None]]),
        "keys' rank": lambda tf: _ints(tf).insert_many(0, [["z"]], [1]),
        "timeout": lambda tf: _ints(tf).take_many(1, timeout=3),
        "negative": lambda tf: _ints(tf).take_many(-1),
        "handle": lambda tf: tf.raw_ops.BarrierReadySize(
            handle=tf.get_variable("v", [3], tf.string)
        ),
        "handle's rank": lambda tf: tf.raw_ops.BarrierClose(
            handle=tf.get_variable("v", [2, 2], tf.string)
        ),
        "no values": lambda tf: _ints(tf).insert_many(0, ["z"], 1),
        "rows": lambda tf: _ints(tf).insert_many(0, ["z", "y"], [1, 2, 3]),
    },
    "buckets": {
        "sizes": lambda tf: _training(tf).bucket([1.0], 0, [1, 2], 3),
        "capacities": lambda tf: _training(tf).bucket([1.0], 0, 1, 3, bucket_capacities=[1]),
        "nothing": lambda tf: _training(tf).bucket([], 0, 1, 2),
        "keep": lambda tf: _training(tf).bucket([1.0], 0, 1, 2, keep_input=[True]),
        "tuple": lambda tf: _training(tf).bucket([1.0], 0, (1, 2), 2),
        "rank": lambda tf: _training(tf).bucket([tf.placeholder(tf.float32)], 0, 1, 2),
        "boundaries": lambda tf: _by_length(tf, 3),
        "no boundaries": lambda tf: _by_length(tf, []),
        "no int": lambda tf: _by_length(tf, [1, 2.5]),
        "order": lambda tf: _by_length(tf, [3, 2]),
        "functions": lambda tf: _training(tf).FeedingQueueRunner(
            tf.FIFOQueue(1, [tf.int32]), [tf.no_op()], feed_fns=[]
        ),
        "proto": lambda tf: (
            _training(tf).FeedingQueueRunner(tf.FIFOQueue(1, [tf.int32]), [tf.no_op()]).to_proto()
        ),
    },
    "samples": {
        "batches": lambda tf: _training(tf).rejection_sample(
            [tf.ones([2]), tf.ones([3])], lambda t: 1.0, 1, enqueue_many=True
        ),
        "probabilities": lambda tf: _training(tf).stratified_sample(
            [tf.ones([])], 1, [0.5, 0.5], 1, init_probs=[1.0]
        ),
        "labels": lambda tf: _training(tf).stratified_sample(
            [tf.ones([])], [[1]], [0.5, 0.5], 1, init_probs=[0.5, 0.5]
        ),
        "examples": lambda tf: _training(tf).stratified_sample(
            [tf.ones([3])], [1, 0], [0.5, 0.5], 1, init_probs=[0.5, 0.5], enqueue_many=True
        ),
    },
    "sequences": {
        "capacity": lambda tf: _saved(tf, capacity=0),
        "states": lambda tf: _saved(tf, initial_states=[1]),
        "no states": lambda tf: _saved(tf, initial_states={}),
        "state's name": lambda tf: _saved(tf, initial_states={1: 2}),
        "state's colon": lambda tf: _saved(tf, initial_states={"a:b": 2}),
        "no sequences": lambda tf: _saved(tf, input_sequences={}),
        "sequence's name": lambda tf: _saved(tf, input_sequences={"a:b": tf.ones([4])}),
        "context's name": lambda tf: _saved(tf, input_context={3: 4.0}),
        "shape": lambda tf: _saved(
            tf, input_sequences={"x": tf.placeholder(tf.float32, [None, None])}
        ),
        "context's shape": lambda tf: _saved(
            tf, input_context={"x": tf.placeholder(tf.float32, [None])}
        ),
        "length": lambda tf: _saved(tf, input_length=tf.constant(2.0)),
        "length's rank": lambda tf: _saved(tf, input_length=tf.constant([2])),
        "key": lambda tf: _saved(tf, input_key=tf.constant(2)),
        "no such state": lambda tf: _saved(tf).next_batch.save_state("g", 1.0),
        "state's shape": lambda tf: _saved(tf).next_batch.save_state("h", tf.ones([3, 2, 1])),
        "unroll": lambda tf: _batched(tf, {"x": tf.ones([4])}, num_unroll=2.0),
        "no dict": lambda tf: _batched(tf, tf.ones([4])),
        "key of sequence": lambda tf: _batched(tf, {1: tf.ones([4])}),
        "nothing": lambda tf: _batched(tf, {}),
    },
}
