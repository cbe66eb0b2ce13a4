"""Programs with many threads or processes: each gives what it counted, and what it should have.

    python workers.py NAME,NAME… COUNT [TIER]

prints them as JSON, a line each; with the TIER "tf" under the real TensorFlow 1.15 (Python 3.7).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import threading

import numpy as np


def in_threads(count, work):
    """Calls `work(number of the thread)` in threads; raises what one of them raised."""
    errors = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def counters(tf, count):
    """8 threads add to a variable of each kind."""
    ref = tf.Variable(0)
    resource = tf.Variable(0, use_resource=True)
    adds = [tf.assign_add(ref, 1, use_locking=True), resource.assign_add(1)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        in_threads(8, lambda i: [session.run(adds[i % 2].op) for _ in range(count)])
        return session.run([ref, resource]), [4 * count, 4 * count]


def fetches(tf, count):
    """Threads fetch different things of one graph, of several shapes."""
    x = tf.placeholder(tf.float32, [None])
    ys = [tf.reduce_sum(x * float(i)) for i in range(8)]
    right = []
    with tf.Session() as session:

        def work(number):
            for i in range(count):
                size, k = 1 + (i + number) % 5, (i * 3 + number) % 8
                right.append(session.run(ys[k], {x: np.ones(size, np.float32)}) == size * k)

        in_threads(8, work)
    return sum(right), 8 * count


def recording(tf, count):
    """Operations are added, and run, while other threads run others."""
    graph = tf.get_default_graph()
    v = tf.Variable(0)
    add = tf.assign_add(v, 1, use_locking=True)
    right = []
    with tf.Session() as session:
        session.run(v.initializer)

        def work(number):
            with graph.as_default():
                for i in range(count):
                    if number % 2:
                        session.run(add)
                    else:
                        right.append(session.run(tf.constant(i) + 1) == i + 1)

        in_threads(4, work)
        return [session.run(v), sum(right)], [2 * count, 2 * count]


def closing(tf, count):
    """A session is closed while threads run it: they are told so."""
    said = []
    for _ in range(count):
        with tf.Graph().as_default():
            said += _told_at_close(tf)
    return len(said), 2 * count


def _told_at_close(tf):
    x = tf.placeholder(tf.float32, [])
    fetches = [x * 2.0, tf.FIFOQueue(1, tf.float32).dequeue()]
    session, started, said = tf.Session(), threading.Barrier(3), []

    def work(number):
        started.wait()
        try:
            while True:
                session.run(fetches[number], {x: 1.0})
        except (tf.errors.CancelledError, RuntimeError) as error:
            said.append(type(error).__name__)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    started.wait()
    session.close()
    for thread in threads:
        thread.join(30)
    return said


def runners(tf, count):
    """Queue runners begin, fill, and stop."""
    seen = 0
    for _ in range(count):
        with tf.Graph().as_default(), tf.Session() as session:
            numbers = tf.train.range_input_producer(50, shuffle=False, capacity=8)
            batch = tf.train.batch([numbers.dequeue()], 5, num_threads=3, capacity=20)
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            for _ in range(3):
                seen += len(session.run(batch))
            coordinator.request_stop()
            coordinator.join(threads)
    return seen, 15 * count


def nested(tf, count):
    """A function of Python runs another session, and the same one."""
    other = tf.Graph()
    with other.as_default():
        x = tf.placeholder(tf.float32, [])
        double = x * 2.0
    inner = tf.Session(graph=other)
    v = tf.Variable(0.0)
    add = tf.assign_add(v, 1.0, use_locking=True)
    with tf.Session() as session:
        y = tf.py_func(
            lambda a: inner.run(double, {x: a}) + session.run(add) * 0, [3.0], tf.float32
        )
        session.run(v.initializer)
        right = []
        in_threads(4, lambda _: [right.append(session.run(y) == 6.0) for _ in range(count)])
        return [sum(right), session.run(v)], [4 * count, 4 * count]


def _child(number):
    """Works on a graph of its own in another process."""
    tf = _tensorflow()
    with tf.Graph().as_default(), tf.Session() as session:
        return float(session.run(tf.reduce_sum(tf.ones([number + 1]) * 2.0)))


def spawned(tf, count):
    """A pool of new processes, each of which has a session."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return pool.map(_child, range(count)), [2.0 * (i + 1) for i in range(count)]


def forked_before(tf, count):
    """A pool of forks, made before the first session."""
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(_child, range(count))
    return [*found, _child(0)], [*[2.0 * (i + 1) for i in range(count)], 2.0]


def forked_after(tf, count):
    """Forks of a process that ran sessions load data with NumPy, as loaders of Keras do."""
    session = tf.Session()
    y = tf.placeholder(tf.float32, [None]) * 2.0
    for _ in range(60):
        session.run(y, {y.op.inputs[0]: np.ones(4, np.float32)})
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = [float(x.sum()) for x in pool.map(np.ones, range(1, count + 1))]
    session.run(y, {y.op.inputs[0]: np.ones(4, np.float32)})
    return found, [float(i) for i in range(1, count + 1)]


def forked_session(tf, count):
    """A session used before the fork is used again in the child."""
    session = tf.Session()
    v = tf.Variable(np.ones(4, np.float32))
    session.run(v.initializer)
    y = tf.reduce_sum(v * 2.0)
    for _ in range(60):
        session.run(y)
    right = 0
    for _ in range(count):
        child = os.fork()
        if not child:
            os._exit(0 if session.run(y) == 8.0 else 1)
        right += os.waitpid(child, 0)[1] == 0
    return right, count


def keras_workers(tf, count):
    """`fit_generator` with threads, and with processes."""
    keras = tf.keras

    class Batches(keras.utils.Sequence):
        def __len__(self):
            return 10

        def __getitem__(self, i):
            return np.full((4, 3), i, np.float32), np.zeros((4, 1), np.float32)

    model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
    model.compile("sgd", "mse")
    steps = 0
    for i in range(count):
        processes = bool(i % 2)
        history = model.fit_generator(
            Batches(), epochs=2, workers=2, use_multiprocessing=processes, verbose=0
        )
        steps += len(history.history["loss"])
    return steps, 2 * count


def _tensorflow(tier=""):
    if "tf" in sys.argv:
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow as tf

        return tf
    from tf1compat import namespace, set_tier

    if tier:
        set_tier(tier)
    return namespace.tensorflow()


if __name__ == "__main__":
    tensorflow = _tensorflow("".join(sys.argv[3:4]))
    for name in sys.argv[1].split(","):
        tensorflow.reset_default_graph()
        found, expected = globals()[name](tensorflow, int(sys.argv[2]))
        print(json.dumps([np.asarray(found).tolist(), expected]), flush=True)
