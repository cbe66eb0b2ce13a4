"""Runs on a cluster of two parameter servers and two workers: values and errors.

Under TensorFlow 1.15 this file writes `data/clusters.json`; `tests/runtime/test_cluster.py` replays
it. A case takes the `tensorflow` module and the targets of the workers; it has a graph and a
resource container of its own.
"""

import json
import re
import socket
import sys
from pathlib import Path

import numpy as np

JOBS = {"ps": 2, "worker": 2}


def addresses():
    """The addresses of a new cluster's tasks: {job: ["localhost:port", …]}."""
    held = [[socket.socket() for _ in range(count)] for count in JOBS.values()]
    for one in sum(held, []):
        one.bind(("localhost", 0))
    found = [["localhost:%d" % one.getsockname()[1] for one in part] for part in held]
    for one in sum(held, []):
        one.close()
    return dict(zip(JOBS, found))


def results(tf, targets):
    """What every case gives: {name: value, or the class and the text of its error}."""
    return {name: result(tf, targets, name) for name in CASES}


def result(tf, targets, name):
    """What one case gives."""
    with tf.Graph().as_default(), tf.container(name.replace("_", "-")):
        try:
            return _plain(CASES[name](tf, targets))
        except Exception as error:
            text = getattr(error, "message", None) or str(error)
            text = re.sub(r" \(defined at .*?\) ", " ", text)
            return [type(error).__name__, re.sub(r"Session \w+", "Session …", text)]


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    return round(value, 5) if isinstance(value, float) else value


def _on(tf, task):
    return tf.device("/job:" + task.replace(":", "/task:"))


def _setter(tf, worker=0):
    return tf.device(
        tf.train.replica_device_setter(ps_tasks=2, worker_device="/job:worker/task:%d" % worker)
    )


# ---- values ----------


def moves(tf, targets):
    with _on(tf, "ps:0"):
        v = tf.Variable(1.0)
    with _on(tf, "ps:1"):
        w = v + 1
    with _on(tf, "worker:1"):
        x = tf.sqrt(w * 8)
    with tf.Session(targets[0]) as session:
        session.run(v.initializer)
        return session.run([v, w, x, [x], {"a": v}["a"]])


def kinds_of_values(tf, targets):
    texts = [["a", "bc"], ["", "d"]]
    fed = {
        tf.float64: [0.5, -1.0], tf.bool: [True, False], tf.string: texts, tf.int8: [[]],
        tf.complex64: [1.0], tf.bfloat16: [1.5],
    }  # fmt: skip
    given = {tf.placeholder(dtype): value for dtype, value in fed.items()}
    with _on(tf, "ps:1"):
        there = [tf.identity(each) for each in given]
    with _on(tf, "worker:0"):
        back = [tf.reshape(each, [-1]) for each in there]
    back = [tf.cast(b, tf.float32) if b.dtype in (tf.bfloat16, tf.complex64) else b for b in back]
    with tf.Session(targets[0]) as session:
        return session.run(back, given)


def _written(resource):
    def case(tf, targets):
        with _on(tf, "ps:0"):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer(), use_resource=resource)
        with _on(tf, "worker:0"):
            change = tf.assign_add(v, 2.0)
            if resource:
                other = tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=4.0)
            else:
                other = tf.raw_ops.AssignAdd(ref=v._ref(), value=4.0)
        with tf.control_dependencies([change]), _on(tf, "worker:1"):
            after = tf.constant(1.0) * 2
        with tf.control_dependencies([after]):
            last = v.read_value()
        with tf.Session(targets[0]) as session, tf.Session(targets[1]) as second:
            session.run(v.initializer)
            first = session.run([change, last])
            second.run(other)
            return first, session.run(v), second.run(last)

    return case


def shared_queue(tf, targets):
    with _on(tf, "ps:1"):
        queue = tf.FIFOQueue(3, [tf.int32, tf.string], [[], []], shared_name="q")
    put = queue.enqueue([7, "seven"])
    close = queue.close()
    with tf.Session(targets[0]) as first, tf.Session(targets[1]) as second:
        first.run(put)
        found = second.run([queue.size(), queue.dequeue()[1]])
        first.run(close)
        try:
            second.run(put)
        except tf.errors.CancelledError as error:
            return found, re.sub(r" \(defined at .*?\) ", " ", error.message)


def conditional(tf, targets):
    with _on(tf, "ps:0"):
        v = tf.Variable(3.0)
    taken = tf.placeholder(tf.bool)
    with _on(tf, "worker:0"):
        chosen = tf.cond(taken, lambda: v * 2, lambda: tf.identity(v) - 1)
        ready = tf.cond(tf.is_variable_initialized(v), v.read_value, lambda: v.initial_value)
    with tf.Session(targets[0]) as session:
        before = session.run(ready)
        session.run(v.initializer)
        return before, session.run(ready), [session.run(chosen, {taken: t}) for t in (True, False)]


def loop(tf, targets):
    with _on(tf, "ps:0"):
        v = tf.get_variable("v", [], initializer=tf.ones_initializer(), use_resource=True)
    with _on(tf, "worker:0"):
        found = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + v), [0, 0.0])
    with tf.Session(targets[0]) as session:
        session.run(v.initializer)
        return session.run(found)


def random_numbers(tf, targets):
    with _on(tf, "ps:0"):
        there = tf.random_uniform([2], seed=3)
    with _on(tf, "worker:0"):
        here = tf.random_uniform([2], seed=5)
        both = there + here
    with tf.Session(targets[0]) as session:
        return session.run([there, here]), session.run(both), session.run(there)


# ---- training ----------


def _trained(resource, make):
    def case(tf, targets):
        losses = []
        with _setter(tf):
            x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
            shapes = {"w": [2, 3], "b": [3], "u": [3, 1], "c": [1]}
            start = tf.constant_initializer(0.1)
            v = {
                name: tf.get_variable(name, shape, initializer=start, use_resource=resource)
                for name, shape in shapes.items()
            }
            hidden = tf.tanh(tf.matmul(x, v["w"]) + v["b"])
            loss = tf.reduce_mean(tf.square(tf.matmul(hidden, v["u"]) + v["c"] - 2.0))
            count = tf.train.get_or_create_global_step()
            train = make(tf).minimize(loss, global_step=count)
            clear = tf.global_variables_initializer()
            missing = tf.report_uninitialized_variables()
        with tf.Session(targets[0]) as session, tf.Session(targets[1]) as second:
            before = len(session.run(missing))
            session.run(clear)
            for turn in range(6):
                losses.append((session, second)[turn % 2].run([loss, train])[0])
            return before, losses, second.run([count, missing])

    return case


def embeddings(tf, targets):
    with _setter(tf):
        table = tf.get_variable(
            "table", [7, 2], initializer=tf.constant_initializer(0.5),
            partitioner=tf.fixed_size_partitioner(2),
        )  # fmt: skip
        rows = tf.nn.embedding_lookup(table, [1, 3, 6, 1], partition_strategy="div")
        loss = tf.reduce_sum(tf.square(rows))
        train = tf.train.AdagradOptimizer(0.1).minimize(loss)
        clear = tf.global_variables_initializer()
    with tf.Session(targets[0]) as session:
        session.run(clear)
        return [session.run([loss, train])[0] for _ in range(3)], session.run(tf.identity(table))


def recurrent(tf, targets):
    with _setter(tf):
        x = tf.reshape(tf.range(12.0), [2, 3, 2]) / 12
        start = tf.constant_initializer(0.1)
        with tf.variable_scope("net", initializer=start):
            cell = tf.nn.rnn_cell.BasicLSTMCell(2)
            outputs, _ = tf.nn.dynamic_rnn(cell, x, sequence_length=[2, 3], dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(outputs - 1))
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        clear = tf.global_variables_initializer()
    with tf.Session(targets[0]) as session:
        session.run(clear)
        return [session.run([loss, train])[0] for _ in range(3)]


def synchronous(tf, targets):
    with _setter(tf):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        b = tf.get_variable("b", [], initializer=tf.ones_initializer())
        loss = tf.reduce_sum(tf.square(w - 3.0)) + b * b
        count = tf.train.get_or_create_global_step()
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, 1)
        train = optimizer.minimize(loss, global_step=count)
        runner = optimizer.get_chief_queue_runner()
        begin = [tf.global_variables_initializer(), tf.local_variables_initializer()]
        tokens = optimizer.get_init_tokens_op(0)
        aggregate = runner.enqueue_ops[0]
    losses = []
    with tf.Session(targets[0]) as session, tf.Session(targets[1]) as chief:
        session.run(begin)
        session.run([optimizer.chief_init_op, tokens])
        adds = [op for op in w.graph.get_operations() if "AccumulatorApply" in op.type]
        for _ in range(4):
            losses.append(session.run([loss, adds])[0])
            chief.run(aggregate)
            session.run(train)  # Stale gradients and a token: the next step is a fresh one.
        return losses, session.run(count)


def monitored(tf, targets):
    with _setter(tf):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        count = tf.train.get_or_create_global_step()
        train = tf.train.GradientDescentOptimizer(0.25).minimize(tf.square(v - 1), count)
    found = []
    hooks = [tf.train.StopAtStepHook(last_step=4)]
    with tf.train.MonitoredTrainingSession(targets[0], hooks=hooks) as session:
        while not session.should_stop():
            found.append(session.run([train, v])[1])
    return len(found)


# ---- errors ----------


def uninitialized(tf, targets):
    with _on(tf, "ps:1"):
        v = tf.Variable(1.0, name="v")
    with tf.Session(targets[0]) as session:
        session.run(v + 1)


def _failing(task):
    def case(tf, targets):
        with _on(tf, task):
            x = tf.placeholder(tf.float32)
            checked = tf.check_numerics(x, "bad")
        with tf.Session(targets[0]) as session:
            session.run(checked, {x: float("nan")})

    return case


def no_such_task(tf, targets):
    with _on(tf, "ps:7"):
        v = tf.constant(1.0, name="v")
    with tf.Session(targets[0]) as session:
        session.run(v)


def filtered(tf, targets):
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:0"])
    with _on(tf, "worker:1"):
        x = tf.constant(1.0, name="x")
    with tf.Session(targets[0], config=config) as session:
        names = sorted(device.name for device in session.list_devices())
        found = [name for name in names if name.endswith("/device:CPU:0")]
        try:
            session.run(x)
        except tf.errors.InvalidArgumentError as error:
            return found, error.message.split("Make sure")[1][:60]


def timed_out(tf, targets):
    with _on(tf, "ps:0"):
        get = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.Session(targets[0]) as session:
        session.run(get, options=tf.RunOptions(timeout_in_ms=200))


def reset(tf, targets):
    with _on(tf, "ps:0"):
        v = tf.Variable(1.0)
    session = tf.Session(targets[0])
    session.run(v.initializer)
    tf.Session.reset(targets[0], ["reset"])
    with tf.Session(targets[0]) as fresh:
        left = len(fresh.run(tf.report_uninitialized_variables([v])))
    try:
        session.run(v)
    except tf.errors.AbortedError as error:
        return left, re.sub(r"Session \w+", "Session …", error.message)


def closed(tf, targets):
    session = tf.Session(targets[0])
    session.close()
    session.run(tf.constant(1))


def without_a_task(tf, targets):
    """Where variables and shared queues are whose devices name no task, or no job."""
    found = []
    for number, device in enumerate(["", "/job:worker", "/job:ps", "/cpu:0", "/task:1"]):
        with tf.device(device):
            v = tf.Variable(2.0, use_resource=False)
            r = tf.Variable(3.0, use_resource=True)
            queue = tf.FIFOQueue(2, tf.float32, shared_name="queue%d" % number)
        put, get, values = queue.enqueue(4.0), queue.dequeue(), [v + 1, r * 2]
        with tf.Session(targets[0]) as one, tf.Session(targets[1]) as other:
            one.run([v.initializer, r.initializer, put])
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            metadata = tf.RunMetadata()
            read = other.run(values, options=options, run_metadata=metadata)
            tasks = {
                stats.device.split("/device")[0]
                for stats in metadata.step_stats.dev_stats
                for node in stats.node_stats
                if node.node_name in (v.op.name, r.op.name)
            }
            found.append([read, other.run(get), sorted(tasks)])
    return found


def _server(**arguments):
    return lambda tf, targets: tf.train.Server({"w": ["localhost:0"]}, **arguments)


CASES = {
    "moves": moves,
    "kinds_of_values": kinds_of_values,
    "written": _written(False),
    "written_resource": _written(True),
    "shared_queue": shared_queue,
    "conditional": conditional,
    "loop": loop,
    "random_numbers": random_numbers,
    "descent": _trained(False, lambda tf: tf.train.GradientDescentOptimizer(0.1)),
    "momentum": _trained(True, lambda tf: tf.train.MomentumOptimizer(0.1, 0.9)),
    "adam": _trained(False, lambda tf: tf.train.AdamOptimizer(0.1)),
    "adam_resource": _trained(True, lambda tf: tf.train.AdamOptimizer(0.1)),
    "embeddings": embeddings,
    "recurrent": recurrent,
    "synchronous": synchronous,
    "monitored": monitored,
    "uninitialized": uninitialized,
    "fails_on_ps": _failing("ps:1"),
    "fails_on_worker": _failing("worker:0"),
    "fails_elsewhere": _failing("worker:1"),
    "no_such_task": no_such_task,
    "filtered": filtered,
    "timed_out": timed_out,
    "closed": closed,
    "server_task": _server(task_index=3),
    "server_job": _server(job_name="x", task_index=0),
    "server_port": lambda tf, targets: tf.train.Server({"w": ["localhost"]}),
    "reset": reset,
    "without_a_task": without_a_task,
}


if __name__ == "__main__":
    import tensorflow

    spec = addresses()
    servers = [
        tensorflow.train.Server(spec, job, index) for job in JOBS for index in range(JOBS[job])
    ]
    found = results(tensorflow, [server.target for server in servers[-2:]])
    text = json.dumps(found, indent=0, ensure_ascii=False)
    (Path(__file__).parent / "data" / "clusters.json").write_text(text + "\n", "utf-8")
    print(text)
    sys.exit()
